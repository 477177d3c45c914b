package action

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gtext "github.com/yuin/goldmark/text"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/seedtest"
	"github.com/haversack-dev/haversack/internal/text"
)

// forged begins what a stranger would have stand as a line, a heading or a sentence of
// ours; each run adds its own random letters.
const forged = "Forged"

// spoken reports whether words, as a name of ours, would stand in quotation marks: what is
// one plain word is a name in our sentence, and says nothing.
func spoken(words string) bool {
	words = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return -1 // packs leave it out
		}
		return r
	}, words)
	return text.Name(words) != words
}

// hostile makes the strings that a stranger may set, around a mark that is another in
// each run. MARK stands for it.
var hostile = []string{
	"::add-mask::MARK", "  ::stop-commands::MARK", "##[stop-commands]MARK", "x##[add-matcher]MARK.json y", "::error file=a.ts,line=1::MARK", "###[group]MARK",
	"a\n::set-output name=record::MARK", "a\r::error::MARK", "a\r\n##[warning]MARK", "a\u2028::debug::MARK", "a\u0085MARK", "a\u2029MARK\v\f",
	"a\nMARK: all is well", "a\rMARK: all is well", "\x1b[2K\x1b[1AMARK", "\x1b]8;;https://evil.example/MARK\x07x", "\u202eMARK\u202c", "\u2066MARK\u2069", "MA\u200bRK\ufeff MARK",
	"\u200b::add-mask::MARK", "#\u200d#[add-mask]MARK", "#\u0300#[add-mask]MARK", "\u00a0::add-mask::MARK", "\u3000::add-mask::MARK",
	"[MARK](https://evil.example/MARK)", "![MARK](https://evil.example/MARK.png)", "<https://evil.example/MARK>", "https://evil.example/MARK", "www.evil.example/MARK", "MARK@evil.example",
	"@MARK", "x (@MARK)", "#123 MARK", "octo/widgets#1 MARK", "GH-12 MARK", "a\n\n# MARK\n\nb", "# MARK", "a\n===\nMARK", "<h1>MARK</h1>", "<img src=x onerror=MARK>", "<!-- MARK", "</details><b>MARK</b>",
	"`MARK`", "``` MARK", "a`b MARK ``c", "a\n```\nMARK\n```\n# MARK", "~~~\nMARK", "MARK | b | c", "| MARK |", "\\MARK\\", "*MARK* __MARK__ ~~MARK~~", "$MARK$", "&lt;MARK&gt; &#64;MARK", "\"MARK\" MARK", "'MARK'",
	"MARK. It has been reviewed (a.ts:1). MARK", "x (package.json:1). MARK has been reviewed by its owners.", "MARK\xff\xfe", "1. MARK", "- MARK", "> MARK", "[x]: https://evil.example/MARK", "[^MARK]: x", "^[MARK]", "%0A::add-mask::MARK", "%22MARK",
}

// voices are the rows of what strangers can set: a name that TestVoices finds in the
// code, or one of what lies in a repository; and how the test sets it, or why it need not.
var voices = map[string]string{
	"env ACT": "the runner's own", "env ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS": "the runner's own", "env ACTIONS_RESULTS_URL": "the runner's own", "env ACTIONS_RUNTIME_TOKEN": "the runner's own",
	"env GITHUB_API_URL": "the runner's own", "env GITHUB_EVENT_PATH": "event", "env GITHUB_OUTPUT": "the runner's own", "env GITHUB_STEP_SUMMARY": "the runner's own",
	"env GITHUB_REPOSITORY_ID": "the runner's own", "env GITHUB_RETENTION_DAYS": "the runner's own", "env GITHUB_RUN_ATTEMPT": "the runner's own", "env GITHUB_RUN_ID": "the runner's own",
	"env GITHUB_SERVER_URL": "the runner's own", "env GITHUB_SHA": "the runner's own", "env GITHUB_WORKSPACE": "the runner's own", "env GITHUB_ACTIONS": "the runner's own", "env GITHUB_EVENT_NAME": "the runner's own",
	"env GIT_CONFIG_GLOBAL": "the machine's", "env GIT_CONFIG_NOSYSTEM": "the machine's", "env GIT_CONFIG_SYSTEM": "the machine's", "env XDG_CONFIG_HOME": "the machine's",
	"env GOMEMLIMIT": "the machine's", "env DOCKER_CONFIG": "the machine's", "env HOME": "the machine's", "env XDG_CACHE_HOME": "the machine's", "env RUNNER_TEMP": "the machine's", "env RUNNER_WORKSPACE": "the machine's",
	"env HAVERSACK_STORE_AUTHORIZATION": "a secret, which is not told", "env SOURCE_DATE_EPOCH": "the machine's", "env GITHUB_REPOSITORY": "checked to be a name",
	"env GITHUB_REF": "set", "env GITHUB_REF_NAME": "set", "env GITHUB_HEAD_REF": "set", "env GITHUB_JOB": "set", "env GITHUB_WORKFLOW": "set", "env GITHUB_WORKFLOW_REF": "set",
	"event action": "set", "event before": "a commit, or dropped", "event after": "a commit, or dropped", "event sha": "a commit, or dropped", "event ref": "set", "event merge_commit_sha": "a commit, or dropped",
	"event title": "set", "event body": "set", "event base_sha": "a commit, or dropped", "event event": "set", "event head_sha": "a commit, or dropped", "event head_branch": "set", "event login": "set", "event default_branch": "set",
	"record accepted.allow": "set", "record accepted.rule": "set", "record category": "set", "record commit": "set", "record encoding": "set", "record extension": "set",
	"record kind": "set", "record largest.path": "set", "record members.path": "set", "record members.sha256": "set", "record name": "set", "record path": "set",
	"record path_bytes": "set", "record reason": "set", "record redactions.allow": "set", "record redactions.path": "set", "record redactions.rule": "set", "record rescued": "set", "record rule": "set",
	"record sha256": "set", "record tokenizer": "set", "record type": "set", "record why": "set",
}

// hostileFor draws hostile strings. The mark of those that are one plain word begins in
// the lower case.
func hostileFor(rng *rand.Rand, mark string) func() string {
	return func() string {
		words := strings.ReplaceAll(hostile[rng.IntN(len(hostile))], "MARK", mark)
		if !spoken(words) {
			words = strings.ReplaceAll(words, mark, strings.ToLower(mark))
		}
		return words
	}
}

// command is what a runner takes for one.
type command struct{ name, properties, data string }

// ignored are characters that a comparison in a language's order passes over.
func ignored(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me) || r == 0 }

// commandsOf is a model of the runner's log: each line, whatever ends it, is tried as
// ::name properties::data and as ##[name properties]data, with characters in between
// that have no weight in a comparison. Between stop-commands and its word there are none.
// It is stricter than the runner, which knows a list of names.
func commandsOf(log string) (list []command, rest []string) {
	stopped := ""
	for line := range strings.FieldsFuncSeq(log, func(r rune) bool { return r == '\n' || r == '\r' }) {
		c, ok := commandOf(line)
		switch {
		case stopped != "":
			if ok && strings.EqualFold(c.name, stopped) {
				stopped = ""
			}
		case ok:
			list = append(list, c)
			if strings.EqualFold(c.name, "stop-commands") {
				stopped = c.data
			}
		default:
			rest = append(rest, line)
		}
	}
	if stopped != "" {
		list = append(list, command{name: "stop-commands without an end"})
	}
	return list, rest
}

func commandOf(line string) (command, bool) {
	line = strings.Map(func(r rune) rune {
		if ignored(r) {
			return -1
		}
		return r
	}, line)
	if t, ok := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::"); ok {
		if info, data, ok := strings.Cut(t, "::"); ok {
			name, properties, _ := strings.Cut(info, " ")
			return command{name, properties, data}, true
		}
	}
	if _, t, ok := strings.Cut(line, "##["); ok {
		if info, data, ok := strings.Cut(t, "]"); ok {
			name, properties, _ := strings.Cut(info, " ")
			return command{name, properties, data}, true
		}
	}
	return command{}, false
}

var (
	ownTitle = regexp.MustCompile(`^title=Haversack[\w %-]*$`)
	randWord = regexp.MustCompile(`^[0-9a-f]{32}$`)
)

// obeys fails where a log holds a command that is none of ours, or draws what is no text.
func obeys(t *testing.T, what, log, mark string) {
	t.Helper()
	list, lines := commandsOf(log)
	for _, c := range list {
		own := false
		switch c.name {
		case "warning":
			own = c.properties == ""
		case "error":
			own = ownTitle.MatchString(c.properties)
		case "group":
			own = strings.HasPrefix(c.data, "Left out (")
		case "endgroup":
			own = c.data == "" && c.properties == ""
		case "add-mask":
			own = c.properties == "" && !strings.Contains(c.data, mark)
		case "stop-commands":
			own = randWord.MatchString(c.data)
		}
		if !own {
			t.Errorf("%s: the runner takes a command %q", what, c)
		}
	}
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), mark) {
			t.Errorf("%s: a line of somebody else's: %q", what, line)
		}
		if !utf8.ValidString(line) {
			t.Errorf("%s: the line %q is not UTF-8", what, line)
		}
		if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%s: the line %q is not all drawn, at byte %d", what, line, i)
		}
	}
}

var (
	ownLink = regexp.MustCompile(`^(https://github\.com/octo/widgets/|http://127\.0\.0\.1:\d+/|https://github\.com/octo/widgets$)`)
	mention = regexp.MustCompile(`(^|[^\w/])@\w|(^|[^\w&])#\d|(?i)\bGH-\d`)
	ownHTML = regexp.MustCompile(`^(</?(details|summary|code|b|br)>|<!-- -->|<!-- haversack:[^<>]*-->)*$`)
	inQuote = regexp.MustCompile(`"(\\.|[^"\\\n])*"`)
)

// reads fails where a document of ours holds a link, a mention, a heading, mark-up or a
// sentence of somebody else's.
func reads(t *testing.T, what, doc, mark string) {
	t.Helper()
	source := []byte(doc)
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gtext.NewReader(source))
	fail := func(kind, s string) { t.Errorf("%s: %s of somebody else's: %.300q", what, kind, s) }
	plain := func(n gast.Node) string {
		var b strings.Builder
		code := false
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			switch c := c.(type) {
			case *gast.RawHTML:
				tag := string(c.Segments.Value(source))
				code = tag == "<code>" || code && tag != "</code>"
				if !ownHTML.MatchString(tag) {
					fail("mark-up", tag)
				}
			case *gast.Text:
				if !code {
					b.Write(c.Value(source))
				}
				if c.SoftLineBreak() || c.HardLineBreak() {
					b.WriteByte('\n')
				}
			case *gast.String:
				b.Write(c.Value)
			}
		}
		return html.UnescapeString(regexp.MustCompile(`\\([[:punct:]])`).ReplaceAllString(b.String(), "$1"))
	}
	err := gast.Walk(root, func(n gast.Node, entering bool) (gast.WalkStatus, error) {
		if !entering {
			return gast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *gast.FencedCodeBlock, *gast.CodeBlock, *gast.CodeSpan:
			return gast.WalkSkipChildren, nil
		case *gast.Link:
			if !ownLink.Match(n.Destination) {
				fail("a link", string(n.Destination))
			}
		case *gast.Image:
			fail("a picture", string(n.Destination))
		case *gast.AutoLink:
			fail("a link", string(n.URL(source)))
		case *gast.HTMLBlock:
			if s := string(n.Lines().Value(source)); strings.Contains(ownMarkup.ReplaceAllString(s, ""), mark) {
				fail("mark-up", s)
			}
		}
		if n.Type() == gast.TypeDocument || n.FirstChild() == nil || n.FirstChild().Type() != gast.TypeInline {
			return gast.WalkContinue, nil
		}
		said := plain(n)
		if mention.MatchString(said) {
			fail("a mention", said)
		}
		if strings.Contains(inQuote.ReplaceAllString(said, ""), mark) {
			kind := "a sentence"
			if n.Kind() == gast.KindHeading {
				kind = "a heading"
			}
			fail(kind, said)
		}
		return gast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var ownMarkup = regexp.MustCompile(`<code>.*?</code>|<!-- haversack:[\w.~%+-]* -->`)

// heard runs the program as a step, and returns what the runner reads.
func heard(t *testing.T, dir string, env map[string]string, args ...string) string {
	t.Helper()
	var log bytes.Buffer
	c := Command{Process: job.Process{Args: args, Getenv: func(k string) string { return env[k] }, Dir: dir, Stdout: &log, Stderr: &log, Version: "test"}}
	_ = c.Run(t.Context()) // that it fails is told in the log
	return log.String()
}

// inName makes a string a part of a path.
func inName(s string) string {
	return strings.ReplaceAll(s, "/", "-")
}

// TestVoices: for every string that a stranger can set, with what would command a
// runner, link, mention or speak in our place: a model of the runner's log finds no
// command but ours in all that a run says, and a renderer of Markdown no link, mention,
// heading or sentence of theirs in its documents.
func TestVoices(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	seed := seedtest.Seed(t)
	rounds := 1
	if os.Getenv("HAVERSACK_PEERS") != "" {
		rounds = 8
	}
	rng := rand.New(rand.NewPCG(seed, 9))
	for round := range rounds {
		mark := forged
		for range 8 {
			mark += string(rune('a' + rng.IntN(26)))
		}
		t.Run(fmt.Sprint(round), func(t *testing.T) { heckle(t, mark, rng) })
	}
}

func quotedJSON(s string) string {
	b, _ := json.Marshal(strings.ToValidUTF8(s, "?"))
	return string(b)
}

func heckle(t *testing.T, mark string, rng *rand.Rand) {
	t.Helper()
	words, answers := hostileFor(rng, mark), rng.IntN(2) == 0
	p := newPullRun(t, "-- keep.txt --\nx\n")
	q := func() string { return quotedJSON(words()) }
	line := func() string {
		return strings.Map(func(r rune) rune { return map[bool]rune{true: ' ', false: r}[r == '\n' || r == '\r'] }, words())
	}
	var names []string
	write := func(name, content string) {
		names = append(names, name)
		p.Write(name, content)
	}
	// What lies in a repository.
	write("package.json", `{"name":`+q()+`,"version":`+q()+`,"description":`+q()+`,"main":"src/index.ts","bin":{`+q()+`:"src/cli.ts"},"scripts":{`+q()+`:`+q()+`,"postinstall":`+q()+`},"packageManager":`+q()+
		`,"dependencies":{`+q()+`:`+q()+`,"react":"18`+strings.Trim(q(), `"`)+`"},"devDependencies":{`+q()+`:"*"}}`)
	write("src/index.ts", "/** "+line()+" */\nexport const keptName = 1\nexport * from './"+strings.ReplaceAll(line(), "'", "")+"'\nimport './cli'\n")
	write("src/cli.ts", "// "+line()+"\nconst app = express()\napp.get("+q()+", () => 1)\napp.post('/x', () => 2)\nprogram.command("+q()+").option("+q()+")\nimport './index'\nexport class "+"A {}\n// TODO "+line()+"\n")
	write("src/"+inName(words())+".ts", "import './index'\nexport const other = 2\n")
	write(inName(words())+"/"+inName(words())+"/a.ts", "import '../../src/index'\nexport const deep = 3\n")
	write("main.go", "// Package main "+line()+"\npackage main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(keptName) }\n")
	write("go.mod", "module example.com/"+mark+"\n\ngo 1.26\n\nrequire example.com/x v1.0.0 // "+line()+"\n")
	write("Cargo.toml", "[package]\nname = "+q()+"\ndescription = "+q()+"\n[dependencies]\n"+q()+" = "+q()+"\n")
	write("pyproject.toml", "[project]\nname = "+q()+"\ndescription = "+q()+"\ndependencies = ["+q()+"]\n[project.scripts]\n"+q()+" = "+q()+"\n[build-system]\nbuild-backend = "+q()+"\n")
	write("setup.cfg", "[metadata]\nname = "+line()+"\n["+line()+"\n")
	write("requirements.txt", line()+"\n"+line()+"\n")
	write("composer.json", `{"name":`+q()+`,"description":`+q()+`,"require":{`+q()+`:`+q()+`}}`)
	write("Gemfile", "gem "+q()+", "+q()+"\n")
	write("pom.xml", "<project><artifactId>"+html.EscapeString(line())+"</artifactId><description>"+html.EscapeString(line())+"</description></project>")
	write(".github/workflows/ci.yml", "name: "+q()+"\non: ["+q()+"]\njobs:\n  "+q()+":\n    name: "+q()+"\n    steps:\n      - uses: "+quotedJSON(mark+"/"+words()+"@main")+"\n")
	write("Makefile", "all "+mark+": x\n\t"+line()+"\n")
	write("Dockerfile", "FROM "+line()+"\nENTRYPOINT "+line()+"\n")
	write("README.md", "# "+line()+"\n\n"+words()+" and so on, which is a sentence of some length about the project.\n\n## "+line()+"\n\nx\n")
	write("docker-compose.yml", "services:\n  "+q()+": {image: "+q()+"}\n")
	write("tsconfig.json", `{"compilerOptions":{"paths":{`+q()+`:[`+q()+`]}},`+q()+`:`+q()+`}`)
	write(".haversackignore", line()+"\n*.skip*\nx"+line()+"\n")
	write(".gitignore", line()+"\n/ignored-"+mark+"\n")
	write(".gitattributes", "*.bin "+line()+"\n")
	write(".haversackallow", "generic-api-key "+strings.ReplaceAll(inName(mark), " ", "")+" "+line()+"\n")
	write("a.skip"+inName(words()), "x\n")
	write("ignored-"+mark, "x\n")
	write(".stan/context/dependency.state.json", `{"v":2,"i":[`+q()+`,"src/index.ts",["src/cli.ts",1]],"x":[`+q()+`]}`)
	if err := os.Symlink(inName(words()), p.Path("link")); err != nil {
		t.Fatal(err)
	}
	p.Git("add", "--all", "--force")
	p.Git("commit", "-q", "-m", words())
	p.Write("src/"+inName(words())+"x.ts", "import './index'\nimport '../src/cli'\nexport const keptName2 = 1\n")
	p.Write("src/index.ts", p.read(t, p.Path("src/index.ts"))+"export const more = 1\n")
	p.Git("add", "--all")
	p.Git("commit", "-q", "-m", words())
	head := p.Git("rev-parse", "HEAD")
	branch := words()
	p.api.Commits[p.m3+"..."+head] = p.m1
	p.api.Branches[branch] = p.m3
	if answers {
		p.api.Fault = func(c forgetest.Call) *fault.Fault {
			if strings.HasPrefix(c.Name, "POST") || strings.HasPrefix(c.Name, "PATCH") {
				return &fault.Fault{Status: http.StatusForbidden, Body: `{"message":` + q() + `,"documentation_url":` + q() + `}`}
			}
			return nil
		}
	}
	event := func() map[string]any {
		side := func(sha string) map[string]any {
			return map[string]any{"sha": sha, "ref": words(), "repo": map[string]any{"id": 7}}
		}
		pull := p.pullPayload(map[string]any{"title": words(), "body": words() + "\n" + words(), "base": map[string]any{"sha": p.m3, "ref": branch}, "head": side(head)})
		pull["action"], pull["repository"] = words(), map[string]any{"default_branch": words(), "id": 7}
		return pull
	}
	p.event(t, event())
	for _, name := range []string{"GITHUB_REF", "GITHUB_REF_NAME", "GITHUB_HEAD_REF", "GITHUB_JOB", "GITHUB_WORKFLOW", "GITHUB_WORKFLOW_REF", "INPUT_COMMENT-KEY"} {
		p.env[name] = words()
	}
	env := maps.Clone(p.env)
	step := func(env map[string]string, args ...string) string {
		what := fmt.Sprintf("%q", args)
		log := heard(t, p.Dir, env, args...)
		obeys(t, what, log, mark)
		for _, name := range []string{"summary", "output"} {
			b, _ := os.ReadFile(p.file(name))
			if name == "summary" {
				reads(t, what+" summary", string(b), mark)
			}
			os.Remove(p.file(name))
		}
		return log
	}
	documents := func(what string) {
		for _, name := range []string{"pack.md", "context.md"} {
			if b, err := os.ReadFile(p.Path(".stan/output/" + name)); err == nil {
				reads(t, what+" "+name, string(b), mark)
			}
		}
	}
	packed := step(env, "--pack", "summary", "--pack-format", "markdown", "--comment", "auto", "--session", "auto", "--mode", "full")
	if !strings.Contains(packed, "Packed the") {
		t.Fatalf("no run: %.2000s", packed)
	}
	documents("summary")
	for _, body := range p.api.Bodies() {
		reads(t, "comment", strings.ReplaceAll(body, "\r", ""), mark)
	}
	if !answers && len(p.api.Bodies()) != 1 {
		t.Errorf("%d comments: %s", len(p.api.Bodies()), packed)
	}
	step(env, "verify", ".stan/output/archive.tar")
	for range 5 {
		step(env, "why", names[rng.IntN(len(names))])
	}
	step(env, "why", ".haversackallow:1")
	step(env, "session", "show")
	step(env, "session", "render")
	step(env, "session", "history", "src/index.ts")
	step(env, "session", words())
	step(env, "graph")
	step(env, "graph", "--definitions")
	step(env, "--mode", "context", "--pack", "change", "--comment", "never", "--upload", "never", "--stdout", "context.md")
	step(env, "select")
	p.Git("rm", "-q", ".stan/context/dependency.state.json")
	p.Git("commit", "-q", "-m", "no state")
	p.event(t, p.pullPayload(map[string]any{"title": words(), "body": words(), "base": map[string]any{"sha": p.m3, "ref": branch}, "head": map[string]any{"sha": p.Git("rev-parse", "HEAD"), "ref": words()}}))
	p.api.Commits[p.m3+"..."+p.Git("rev-parse", "HEAD")] = p.m1
	log := step(env, "--mode", "context", "--pack", "change", "--comment", "never", "--upload", "never", "--stdout", "context.md")
	if !strings.Contains(log, "::stop-commands::") {
		t.Errorf("no context.md: %.2000s", log)
	}
	documents("context")
	step(env, "select", "src/index.ts@2", words())
	step(env, "select")
	step(env, "select", "--summary", "src/index.ts@2", words())
	step(env, "--pack", "full", "--pack-format", "markdown", "--comment", "never", "--upload", "never", "--mode", "full", "--json")
	documents("full")
	step(env, "--pack", "summary", "--comment", "never", "--upload", "never", "--mode", "full", "--stdout", "pack.json")
	step(env, "pack", "show", ".stan/output/pack.json")
	counterfeit(t, p, words, step, env)
	// Inputs and arguments.
	for _, in := range job.InputTable {
		wrong := maps.Clone(env)
		wrong["INPUT_"+strings.ToUpper(in.Name)] = words()
		if in.Name == "path" || in.Name == "token" {
			step(wrong, "--upload", "never", "--comment", "never")
			continue
		}
		obeysInputs(t, p, wrong, mark)
	}
	for _, v := range verbs {
		if v.name != "watch" && v.name != "" {
			step(env, v.name, words(), words())
		}
	}
	step(env, words())
	step(env, "--"+words())
}

// obeysInputs reads inputs, and no more.
func obeysInputs(t *testing.T, p *pullRun, env map[string]string, mark string) {
	t.Helper()
	var log bytes.Buffer
	c := &Command{Process: job.Process{Getenv: func(k string) string { return env[k] }, Dir: p.Dir, Stdout: &log, Stderr: &log}}
	if _, err := job.ParseInputs(nil, c.Getenv); err != nil {
		c.Fail(t.Context(), c.refused(err))
		obeys(t, "inputs", log.String(), mark)
	}
}

// counterfeit changes what a run has made, string by string, and reads it again.
func counterfeit(t *testing.T, p *pullRun, words func() string, step func(map[string]string, ...string) string, env map[string]string) {
	t.Helper()
	forgeIn := func(doc any) {
		var walk func(v any)
		walk = func(v any) {
			switch v := v.(type) {
			case map[string]any:
				for _, k := range slices.Sorted(maps.Keys(v)) {
					if _, ok := v[k].(string); ok {
						v[k] = words()
					}
					walk(v[k])
				}
			case []any:
				for i := range v {
					if _, ok := v[i].(string); ok {
						v[i] = words()
					}
					walk(v[i])
				}
			}
		}
		walk(doc)
	}
	record := p.Path(".stan/output/record.json")
	step(env, "--pack", "none", "--comment", "never", "--upload", "never", "--mode", "full")
	for _, keep := range [][]string{{"name"}, {"name", "sha256"}, {"name", "path"}} {
		var doc map[string]any
		if err := json.Unmarshal([]byte(p.read(t, record)), &doc); err != nil {
			t.Fatal(err)
		}
		outputs := doc["outputs"].([]any)[0].(map[string]any)
		name := outputs["name"]
		before, _ := json.Marshal(doc)
		forgeIn(doc)
		outputs = doc["outputs"].([]any)[0].(map[string]any)
		outputs["name"] = name
		if slices.Contains(keep, "path") {
			var old map[string]any
			json.Unmarshal(before, &old)
			for i, m := range outputs["members"].([]any) {
				m.(map[string]any)["path"] = old["outputs"].([]any)[0].(map[string]any)["members"].([]any)[i].(map[string]any)["path"]
			}
		}
		forgedRecord, _ := json.Marshal(doc)
		os.WriteFile(record, forgedRecord, 0o644)
		step(env, "verify", ".stan/output/"+name.(string))
		step(env, "why", doc["files"].([]any)[0].(map[string]any)["path"].(string))
		step(env, "comment", "--record", ".stan/output/record.json")
		os.WriteFile(record, before, 0o644)
	}
	for _, name := range []string{"record.json", "pack.json"} {
		p.Write(".stan/output/"+name, words())
		step(env, "verify", ".stan/output/archive.tar")
		step(env, "pack", "show", ".stan/output/pack.json")
	}
	for _, name := range []string{".haversackallow", ".stan/context/dependency.state.json", ".stan/diff/.archive.snapshot.json", ".gitmodules"} {
		old, err := os.ReadFile(p.Path(name))
		p.Write(name, `{"v":2,`+quotedJSON(words())+`:`+quotedJSON(words())+`}`)
		step(env, "--base", "saved", "--pack", "none", "--comment", "never", "--upload", "never")
		p.Write(name, words())
		step(env, "--base", "saved", "--pack", "none", "--comment", "never", "--upload", "never")
		if err == nil {
			p.Write(name, string(old))
		} else {
			os.Remove(p.Path(name))
		}
	}
}

// TestVoicesAreListed finds in the code what strangers can set, and fails where
// one has no row.
func TestVoicesAreListed(t *testing.T) {
	if testing.Short() {
		t.Skip("TestVoices makes what is listed")
	}
	found := map[string]bool{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if b := d.Name(); b == "testdata" || b == "tsgo" || b == "secret" || strings.HasSuffix(b, "test") || strings.HasSuffix(b, "peer") || b == "bench" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			called := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				called = fun.Name
			case *ast.SelectorExpr:
				called = fun.Sel.Name
			}
			if lit, ok := call.Args[0].(*ast.BasicLit); ok && strings.EqualFold(called, "getenv") {
				found["env "+strings.Trim(lit.Value, `"`)] = true
			}
			return true
		})
		if strings.HasSuffix(filepath.ToSlash(name), "diff/event.go") {
			ast.Inspect(f, func(n ast.Node) bool {
				field, ok := n.(*ast.Field)
				if !ok || field.Tag == nil {
					return true
				}
				if of, ok := field.Type.(*ast.Ident); ok && of.Name == "string" {
					found["event "+reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")] = true
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var fields func(prefix string, of reflect.Type)
	fields = func(prefix string, of reflect.Type) {
		for i := range of.NumField() {
			f := of.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			kind := f.Type
			for kind.Kind() == reflect.Slice || kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			switch {
			case name == "-":
			case kind.Kind() == reflect.String:
				found["record "+prefix+name] = true
			case kind.Kind() == reflect.Struct:
				fields(name+".", kind)
			}
		}
	}
	for _, v := range []any{record.Head{}, record.Base{}, record.Budget{}, record.Row{}, record.Output{}, archive.Member{}} {
		fields("", reflect.TypeOf(v))
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if voices[name] == "" {
			t.Errorf("a stranger can set %s, and no row of TestVoices does", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(voices)) {
		if !found[name] {
			t.Errorf("nothing reads %s any more", name)
		}
	}
}
