package action

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/haversack-dev/haversack/internal/artifact/artifacttest"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/registry/registrytest"
	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/seedtest"
)

var nowhereRuns = flag.Int("nowhere", 6, "how many runs TestKnownLeavesNowhere draws from all; 0 for all")

// A value leaves nowhere that a run can know. teachers are the places that make one known, fates what the change does with them,
// and bearings where the value stands bare at the same time: each run has one teacher, one fate, one mode and all bearings.

// teacher is a place that makes a value known.
type teacher struct {
	name string
	// sites are the functions that learn it, of those that TestPlacesThatTeach lists.
	sites []string
	// files are those that hold the value; with fates all that a change does is done to them.
	files func(v string) map[string]string
	fates bool
	// value draws the value, where not any will do.
	value func(r *rand.Rand) string
	// run says it to the run alone.
	run func(c *nowhere)
}

var teachers = []teacher{
	{name: "a file of credentials", sites: []string{"scan.finder.learn", "scan.Screener.Learn", "snapshot.learnBefore"}, fates: true,
		files: func(v string) map[string]string { return map[string]string{".env": "API_TOKEN=" + v + "\n"} }},
	{name: "one in a folder", sites: []string{"scan.finder.learn"}, fates: true,
		files: func(v string) map[string]string {
			return map[string]string{"deploy/prod/.env.production": "DB_PASS" + "WORD=" + v + "\n"}
		}},
	{name: "one of a dependency", sites: []string{"scan.finder.learn"}, fates: true,
		files: func(v string) map[string]string {
			return map[string]string{"vendor/lib/.env": "DB_PASS" + "WORD=" + v + "\n"}
		}},
	{name: "settings", sites: []string{"scan.Search.Keep", "scan.Screener.Screen", "snapshot.formerReader.read"}, fates: true,
		files: func(v string) map[string]string {
			return map[string]string{"conf/local.py": "import os\nDEBUG = True\nNAME = 'app'\npass" + "word = \"" + v + "\"\n"}
		}},
	{name: "settings in a folder that is made", sites: []string{"scan.finder.learn"}, fates: true,
		files: func(v string) map[string]string {
			return map[string]string{"logs/conf/app.yaml": "name: app\npass" + "word: " + v + "\nport: 80\n", "logs/run.log": "started\n"}
		}},
	{name: "more than are redacted", sites: []string{"scan.finder.learn"}, fates: true,
		files: func(v string) map[string]string {
			var b strings.Builder
			for i := range secret.MaxFindings + 100 {
				fmt.Fprintf(&b, "DB_PASS"+"WORD_%d=%s%03d\n", i, v[:len(v)-4], i)
			}
			return map[string]string{"many.env": b.String() + "LAST_DB_PASS" + "WORD=" + v + "\n"}
		}},
	{name: "a key", sites: []string{"scan.Search.Keep", "snapshot.formerReader.read"}, fates: true, value: keyLine,
		files: func(v string) map[string]string {
			return map[string]string{"keys/id.txt": prose(60) + "-----BEGIN RSA PRIVATE" + " KEY-----\n" + keyBody(v) + "-----END RSA PRIVATE" + " KEY-----\n"}
		}},
	{name: "a key without its first line", sites: []string{"scan.Search.Keep", "snapshot.formerReader.read"}, fates: true, value: keyLine,
		files: func(v string) map[string]string {
			return map[string]string{"keys/rest.txt": prose(60) + keyBody(v) + "-----END EC PRIVATE" + " KEY-----\n"}
		}},
	{name: "the target of a link", sites: []string{"scan.Search.link"}, value: token36,
		files: func(v string) map[string]string { return map[string]string{"link -> docs/" + v: ""} }},
	{name: "the name of a file", sites: []string{"scan.finder.name", "scan.Screener.LearnName", "snapshot.formerReader.files"}, fates: true, value: token36,
		files: func(v string) map[string]string { return map[string]string{"seen/" + v + ".txt": "words\n"} }},
	{name: "the name of a branch", sites: []string{"snapshot.learn"}, value: token36,
		run: func(c *nowhere) { c.branch = "feat-" + c.v }},
	{name: "what a registry is signed in with", sites: []string{"job.Setting.OpenRegistry"}, run: func(c *nowhere) {
		host := registrytest.New(c.t).Host
		config := fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, host, base64.StdEncoding.EncodeToString([]byte("octo:"+c.v)))
		dir := c.t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
			c.t.Fatal(err)
		}
		c.env["DOCKER_CONFIG"], c.env["INPUT_PUSH"] = dir, "oci://"+host+"/octo/context"
	}},
	{name: "the run's own token", sites: []string{"job.NewScreener"}, run: func(c *nowhere) { c.env["GH_TOKEN"] = c.v }},
}

// fates are what a change does with the files of a teacher. c.taught holds them.
var fates = map[string]func(c *nowhere){
	"kept":  func(c *nowhere) { maps.Copy(c.before, c.taught); maps.Copy(c.after, c.taught) },
	"added": func(c *nowhere) { maps.Copy(c.after, c.taught) },
	"changed": func(c *nowhere) {
		maps.Copy(c.before, c.taught)
		for name, text := range c.taught {
			c.after[name] = strings.ReplaceAll(text, c.v, c.draw())
		}
	},
	"deleted": func(c *nowhere) { maps.Copy(c.before, c.taught) },
	"renamed": func(c *nowhere) {
		maps.Copy(c.before, c.taught)
		for name, text := range c.taught {
			c.after["moved/"+path.Base(strings.ReplaceAll(name, c.v, "other"))] = strings.ReplaceAll(text, c.v, c.draw())
		}
	},
	"ignored": func(c *nowhere) {
		maps.Copy(c.after, c.taught)
		for name := range c.taught {
			c.after[".haversackignore"] += c.anchored(name) + "\n"
		}
	},
	"left out": func(c *nowhere) {
		maps.Copy(c.after, c.taught)
		for name := range c.taught {
			c.args = append(c.args, "--exclude", strings.TrimPrefix(c.anchored(name), "/"))
		}
	},
	"too large": func(c *nowhere) {
		c.args = append(c.args, "--limit-file-bytes", "2000")
		for name, text := range c.taught {
			c.after[name] = text + strings.Repeat("# words of no weight\n", 120)
		}
	},
}

// bearings are where the value stands bare.
var bearings = map[string]func(c *nowhere){
	"a text that stays": func(c *nowhere) { c.both("docs/kept.txt", "was "+c.v+" on monday\n") },
	"a text that came":  func(c *nowhere) { c.after["docs/new.txt"] = "was " + c.v + " on tuesday\n" },
	"a text that went":  func(c *nowhere) { c.before["docs/old.txt"] = "was " + c.v + " on wednesday\n" },
	"lines that change": func(c *nowhere) {
		c.before["docs/c.txt"] = "one\nwas " + c.v + "\n"
		c.after["docs/c.txt"] = "two\nwas " + c.v + " on thursday\n"
	},
	"UTF-16":            func(c *nowhere) { c.after["docs/wide.txt"] = wide("was " + c.v + " on friday\n") },
	"a file's name":     func(c *nowhere) { c.after["names/"+c.v+".txt"] = "words\n" },
	"an empty file":     func(c *nowhere) { c.both("empty/"+c.v, "") },
	"a folder's name":   func(c *nowhere) { c.both("a-"+c.v+"/x.txt", "words\n") },
	"a name that went":  func(c *nowhere) { c.before["gone/"+c.v+".txt"] = "words\n" },
	"a name that moved": func(c *nowhere) { c.before["gone/"+c.v+".md"] = prose(9); c.after["docs/here.md"] = prose(9) },
	"a folder left out": func(c *nowhere) {
		c.both("node_modules/"+c.v+"/x.js", "words\n")
		c.both("dist-"+c.v+"/x.js", "words\n")
	},
	"a link's target": func(c *nowhere) { c.after["links/a -> ../docs/"+c.v] = "" },
	"an ignore file": func(c *nowhere) {
		c.after[".haversackignore"] += "/drafts/" + c.v + "*\n"
		c.after["drafts/"+c.v+".md"] = "words\n"
	},
	"an import": func(c *nowhere) { c.after["src/a.ts"] = "import './" + c.v + "';\nexport const a = 1;\n" },
	"a long import": func(c *nowhere) {
		c.after["src/b.ts"] = "import './" + strings.Repeat("d", 170+c.r.IntN(30)) + "/" + c.v + "';\n"
	},
	"a file's summary": func(c *nowhere) {
		c.after["src/c.ts"] = "/**\n * @module c\n * " + strings.Repeat("word ", 24+c.r.IntN(8)) + c.v + " more.\n */\nexport const c = 1;\n"
	},
	"a definition": func(c *nowhere) { c.after["src/d.ts"] = "/** Was " + c.v + " once. */\nexport function seen() {}\n" },
	"a manifest": func(c *nowhere) {
		c.after["package.json"] = "{\"name\": \"app-" + c.v + "\", \"description\": \"was " + c.v + "\"}\n"
	},
	"what is asked for":   func(c *nowhere) { c.state = append(c.state, "docs/kept.txt", "docs/"+c.v+".md", "src/a.ts") },
	"the request":         func(c *nowhere) { c.title, c.body = "was "+c.v, "It was "+c.v+" on a day.\n" },
	"the branch":          func(c *nowhere) { c.branch = "feat-" + c.v },
	"the job":             func(c *nowhere) { c.env["GITHUB_JOB"] = "job-" + c.v },
	"the workflow":        func(c *nowhere) { c.env["GITHUB_WORKFLOW"] = "workflow " + c.v },
	"the key of comments": func(c *nowhere) { c.env["INPUT_COMMENT-KEY"] = "key-" + c.v },
	"the artifact's name": func(c *nowhere) { c.env["INPUT_ARTIFACT-NAME"] = "name-" + c.v },
}

// said are the words beside the value that stay, of texts that are packed.
var said = []string{"on monday", "on tuesday", "on thursday"}

// nowhere is one run.
type nowhere struct {
	t                     *testing.T
	r                     *rand.Rand
	v                     string
	draw                  func() string
	taught, before, after map[string]string
	env                   map[string]string
	args                  []string
	state                 []string
	branch, title, body   string
}

func (c *nowhere) both(name, text string) { c.before[name], c.after[name] = text, text }

// anchored is a pattern for a file, or for the folder that it lies in.
func (c *nowhere) anchored(name string) string {
	if dir := path.Dir(name); dir != "." && c.r.IntN(2) == 0 {
		return "/" + dir + "/**"
	}
	return "/" + name
}

func prose(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Note number %d of what was agreed upon.\n", i)
	}
	return b.String()
}

func wide(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

const base62 = "ABCDEFGHIJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789"

func drawn(r *rand.Rand, n int, signs string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = signs[r.IntN(len(signs))]
	}
	return string(b)
}

func token36(r *rand.Rand) string { return "gh" + "p_" + drawn(r, 36, base62) }

// keyLine is a line of a key: none of the signs that a path cannot hold.
func keyLine(r *rand.Rand) string { return drawn(r, 64, base62) }

// keyBody is the rest of the key round a line of it.
func keyBody(line string) string {
	r := rand.New(rand.NewPCG(uint64(line[0]), uint64(line[1])))
	var b strings.Builder
	for i := range 12 {
		if i == 7 {
			b.WriteString(line + "\n")
			continue
		}
		b.WriteString(drawn(r, 64, base62+"+/") + "\n")
	}
	return b.String() + base64.StdEncoding.EncodeToString([]byte(drawn(r, 31, base62))) + "\n"
}

// TestKnownLeavesNowhere: for each place that makes a value known, whatever the change does with it and whatever the mode, nothing
// that a run makes holds twelve bytes of the value in a row, wherever it stands bare; and the words beside it stay.
func TestKnownLeavesNowhere(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	seed := seedtest.Seed(t)
	type row struct {
		teacher *teacher
		fate    string
		mode    string
	}
	var rows []row
	for i := range teachers {
		list := []string{"kept"}
		if teachers[i].fates {
			list = slices.Sorted(maps.Keys(fates))
		}
		for _, fate := range list {
			for _, mode := range []string{"full", "context", "meta"} {
				rows = append(rows, row{&teachers[i], fate, mode})
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	if n := *nowhereRuns; n > 0 {
		if testing.Short() {
			n = min(n, 4)
		}
		rows = rows[:min(n, len(rows))]
	}
	for _, x := range rows {
		own := rand.New(rand.NewPCG(seed, r.Uint64()))
		t.Run(x.teacher.name+", "+x.fate+", "+x.mode, func(t *testing.T) {
			t.Parallel()
			c := &nowhere{t: t, r: own, before: map[string]string{}, after: map[string]string{}, env: map[string]string{}}
			c.play(x.teacher, x.fate, x.mode)
		})
	}
}

// play makes the repository, runs the program, and looks through what it made.
func (c *nowhere) play(from *teacher, fate, mode string) {
	t := c.t
	c.draw = func() string {
		if from.value != nil {
			return from.value(c.r)
		}
		return drawn(c.r, 20+c.r.IntN(20), base62)
	}
	// One of some thousands is no credential to any rule: that is another test's affair.
	c.v = c.draw()
	for n := 0; !recognised(t, from, c.v); n++ {
		if c.v = c.draw(); n > 100 {
			t.Fatal("no rule finds the value where it is set")
		}
	}
	c.both("README.md", "# App\n")
	if from.files != nil {
		c.taught = from.files(c.v)
		fates[fate](c)
	}
	for _, name := range slices.Sorted(maps.Keys(bearings)) {
		bearings[name](c)
	}
	if from.run != nil {
		from.run(c)
	}
	repo := repotest.New(t)
	state := ""
	if mode == "context" && c.r.IntN(2) == 0 {
		b, err := json.Marshal(map[string]any{"v": 2, "i": c.state})
		if err != nil {
			t.Fatal(err)
		}
		state = string(b)
		c.after[".stan/context/dependency.state.json"] = state
	}
	base := commitFiles(t, repo, c.before, nil)
	head := commitFiles(t, repo, c.after, c.before)
	api, service := forgetest.Start(t), artifacttest.Start(t)
	tmp := t.TempDir()
	event := map[string]any{"ref": "refs/heads/" + c.branch, "before": base, "after": head, "repository": map[string]any{"default_branch": "main"}}
	kind := "push"
	if c.r.IntN(2) == 0 {
		kind = "pull_request"
		event = map[string]any{"number": 1, "repository": map[string]any{"default_branch": "main"}, "pull_request": map[string]any{"number": 1, "title": c.title, "body": c.body, "merged": false,
			"base": map[string]any{"sha": base, "ref": "main"}, "head": map[string]any{"sha": head, "ref": c.branch}}}
		api.Branches["main"], api.Commits[base+"..."+head] = base, base
		api.Pulls = append(api.Pulls, forgetest.Pull(1, head, base, nil))
	}
	b, err := json.Marshal(event)
	if err == nil {
		err = os.WriteFile(filepath.Join(tmp, "event.json"), b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	env := service.Env(artifacttest.Job{Run: "run-uuid", Job: "job-uuid"})
	maps.Copy(env, map[string]string{"GITHUB_EVENT_NAME": kind, "GITHUB_EVENT_PATH": filepath.Join(tmp, "event.json"), "GITHUB_WORKSPACE": repo.Dir, "GITHUB_API_URL": api.URL,
		"INPUT_TOKEN": forgetest.Token, "RUNNER_TEMP": tmp, "GITHUB_OUTPUT": filepath.Join(tmp, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(tmp, "summary"), "GITHUB_RUN_ID": "5",
		"GITHUB_REPOSITORY_ID": "1", "GITHUB_REF": "refs/heads/" + c.branch, "GITHUB_REF_NAME": c.branch, "GITHUB_HEAD_REF": c.branch, "GITHUB_SHA": head})
	maps.Copy(env, c.env)
	var out bytes.Buffer
	cmd := Command{Process: job.Process{Args: append([]string{"--mode", mode, "--session", "auto"}, c.args...), Getenv: func(k string) string { return env[k] }, Dir: repo.Dir, Stdout: &out, Stderr: &out, Version: "test"}}
	if err := cmd.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", c.hidden(err.Error()), c.hidden(out.String()))
	}
	made := map[string]string{"the log": withoutMasks(out.String()), "comments": strings.Join(api.Bodies(), "\n")}
	for name, a := range service.Artifacts() {
		made["an artifact's name"] += fmt.Sprint(name, a.Name)
	}
	for _, name := range []string{"output", "summary"} {
		made[name] = readIf(t, filepath.Join(tmp, name))
	}
	err = filepath.WalkDir(filepath.Join(repo.Dir, ".stan"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Base(name) == stateFile {
			return err
		}
		made[name] = readIf(t, name)
		if strings.HasSuffix(name, ".tar") {
			delete(made, name)
			maps.Copy(made, tarMembers(t, name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, name := range slices.Sorted(maps.Keys(made)) {
		text := made[name]
		all += text
		for at := 0; at+12 <= len(c.v); at++ {
			if part := c.v[at : at+12]; strings.Contains(text, part) || strings.Contains(name, part) {
				i := strings.Index(text, part)
				t.Errorf("%s of a %s holds %d bytes of the value: %q", c.hidden(filepath.Base(name)), kind, len(part), c.hidden(text[max(0, i-80):min(len(text), max(i, 0)+80)]))
				break
			}
		}
	}
	for _, words := range said {
		if mode == "full" && !strings.Contains(all, words) {
			t.Errorf("the words %q are gone", words)
		}
	}
}

const stateFile = "dependency.state.json"

// withoutMasks is a log without the lines that tell the runner what to mask: it obeys them and shows none.
func withoutMasks(log string) string {
	var b strings.Builder
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "::add-mask::") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// hidden is a text with the value told apart from what else could stand there.
func (c *nowhere) hidden(text string) string { return strings.ReplaceAll(text, c.v, "VALUE") }

// ruled is a screener that is made once.
var ruled = sync.OnceValues(func() (*scan.Screener, error) {
	return job.NewScreener(func(string) string { return "" }, "", secret.Balanced)
})

// recognised reports whether a rule finds the value where the teacher has it.
func recognised(t *testing.T, from *teacher, v string) bool {
	s, err := ruled()
	if err != nil {
		t.Fatal(err)
	}
	known := new(secret.KnownValues)
	if from.files == nil {
		return true
	}
	for name, text := range from.files(v) {
		s.Learn(name, []byte(text), scan.NamedStore, known)
		s.LearnName(name, known)
	}
	return len(known.Find([]byte(v), nil)) > 0
}

// commitFiles makes a commit of files in place of others. A name "a -> b" is a link.
func commitFiles(t *testing.T, repo *repotest.Repo, files, old map[string]string) string {
	t.Helper()
	for name := range old {
		if _, ok := files[name]; !ok {
			name, _, _ = strings.Cut(name, " -> ")
			if err := os.Remove(repo.Path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	for name, text := range files {
		if name, target, ok := strings.Cut(name, " -> "); ok {
			_ = os.MkdirAll(filepath.Dir(repo.Path(name)), 0o755)
			if err := os.Symlink(target, repo.Path(name)); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
			continue
		}
		repo.Write(name, text)
	}
	repo.Git("add", "--all", "--force")
	repo.Git("commit", "--quiet", "--allow-empty", "--message", "step")
	return repo.Git("rev-parse", "HEAD")
}

func readIf(t *testing.T, name string) string {
	b, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

// tarMembers are those of a tar, with their names and targets.
func tarMembers(t *testing.T, name string) map[string]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string]string{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			return all
		}
		var b []byte
		if err == nil {
			b, err = io.ReadAll(r)
		}
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)+":"+h.Name] = h.Linkname + string(b)
	}
}

// TestKnownInErrors: what stops a run quotes no part of a value, however long the text round it is.
func TestKnownInErrors(t *testing.T) {
	seed := seedtest.Seed(t)
	r := rand.New(rand.NewPCG(seed, 2))
	c := &nowhere{v: drawn(r, 30, base62)}
	for ; !recognised(t, &teachers[0], c.v); c.v = drawn(r, 30, base62) {
	}
	repo := repotest.New(t, "-- .env --\nAPI_TOKEN="+c.v+"\n-- a.ts --\nexport const a = 1;\n")
	for _, format := range []string{`{"v":2,"i":[["a.ts",0,["%s"]]]}`, `{"v":2,"i":[["a.ts","%s"]]}`, `{"v":2,"i":["a.ts"],"%s":1}`, `{"v":2,"i":["../%s"]}`, `{"v":"%s"}`, `{"v":2,"i":[["a.ts",1,"%s"]]}`, `{"v":2,"i":["a.ts"] %s}`} {
		repo.Write(".stan/context/"+stateFile, fmt.Sprintf(format, strings.Repeat("x", r.IntN(60))+"/"+c.v))
		var out bytes.Buffer
		cmd := Command{Process: job.Process{Args: []string{"--mode", "context", "--base", "none"}, Getenv: func(string) string { return "" }, Dir: repo.Dir, Stdout: &out, Stderr: &out, Version: "test"}}
		err := cmd.Run(t.Context())
		if err == nil {
			t.Errorf("%s: no error", format)
			continue
		}
		for at := 0; at+12 <= len(c.v); at++ {
			if strings.Contains(err.Error()+out.String(), c.v[at:at+12]) {
				t.Errorf("%s: the error is %s", format, c.hidden(err.Error()))
				break
			}
		}
	}
}

// TestPlacesThatTeach lists from the code the functions that make a value known, and fails for one that no teacher plays.
func TestPlacesThatTeach(t *testing.T) {
	played := map[string]bool{}
	for _, from := range teachers {
		for _, s := range from.sites {
			played[s] = false
		}
	}
	var sites []string
	for _, dir := range []string{".", "../deliver", "../report", "../plan", "../snapshot", "../record", "../job", "../scan"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && teaches(fn) {
					sites = append(sites, f.Name.Name+"."+functionName(fn))
				}
			}
		}
	}
	played["action.serveVerb"] = false // TestServeHidesItsToken plays it: it packs nothing
	for _, s := range sites {
		if _, ok := played[s]; !ok {
			t.Errorf("%s makes values known: a teacher in this file has to play it", s)
		}
		played[s] = true
	}
	for s, there := range played {
		if !there {
			t.Errorf("no function %s makes a value known", s)
		}
	}
	if len(sites) < 10 {
		t.Errorf("only %s were found", sites)
	}
}

// teaches reports whether a function calls one that makes values known.
func teaches(fn *ast.FuncDecl) (yes bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch sel.Sel.Name {
		case "AddFile", "AddStore", "Give", "Learn", "LearnName":
			yes = true
		case "Screen":
			if len(call.Args) == 4 {
				_, dropped := call.Args[3].(*ast.CallExpr) // what it learns
				yes = yes || !dropped
			}
		case "Add":
			if len(call.Args) == 2 {
				rule, ok := call.Args[0].(*ast.SelectorExpr)
				yes = yes || ok && rule.Sel.Name == "Rule"
			}
		}
		return true
	})
	return yes
}

func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	of := fn.Recv.List[0].Type
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	return of.(*ast.Ident).Name + "." + fn.Name.Name
}
