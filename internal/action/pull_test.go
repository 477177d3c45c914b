package action

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/artifact/artifacttest"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// pullRun is a job on a pull request, with the services that GitHub gives it.
type pullRun struct {
	*history
	head    string
	api     *forgetest.Server
	service *artifacttest.Server
	env     map[string]string
	tmp     string
}

// newPullRun makes a pull request of one commit on the topic branch, checked out.
func newPullRun(t *testing.T, change string) *pullRun {
	t.Helper()
	p := &pullRun{history: newHistory(t), api: forgetest.Start(t), service: artifacttest.Start(t), tmp: t.TempDir()}
	p.Git("checkout", "-q", "topic")
	p.Commit(change)
	p.head = p.Git("rev-parse", "HEAD")
	p.api.Branches["main"] = p.m3
	p.api.Commits[p.m3+"..."+p.head] = p.m1
	p.api.Pulls = append(p.api.Pulls, forgetest.Pull(1, p.head, p.m3, nil))
	p.env = p.service.Env(artifacttest.Job{Run: "run-uuid", Job: "job-uuid"})
	maps.Copy(p.env, map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": p.file("event.json"), "GITHUB_WORKSPACE": p.Dir, "GITHUB_API_URL": p.api.URL,
		"INPUT_TOKEN": forgetest.Token, "RUNNER_TEMP": p.tmp, "GITHUB_OUTPUT": p.file("output"), "GITHUB_STEP_SUMMARY": p.file("summary"),
		"GITHUB_WORKFLOW": "context", "GITHUB_JOB": "pack", "INPUT_COMMENT-KEY": "0"})
	p.event(t, p.pullPayload(map[string]any{"head": map[string]any{"sha": p.head, "ref": "topic"}}))
	return p
}

func (p *pullRun) file(name string) string { return filepath.Join(p.tmp, name) }

// event is what the run is told to be about.
func (p *pullRun) event(t *testing.T, payload any) {
	t.Helper()
	b, err := json.Marshal(payload)
	if err == nil {
		err = os.WriteFile(p.file("event.json"), b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (p *pullRun) read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTaskBesidePull: on a pull request a task that is given is a second query. The change is packed, and the record has the
// sum of the task's text.
func TestTaskBesidePull(t *testing.T) {
	p := newPullRun(t, "-- src/a.ts --\nexport const a = 1;\n")
	p.env["INPUT_TASK"] = "the label of a button is lost"
	out, err := execute(t, p.Dir, p.env)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var rec record.Record
	if err := json.Unmarshal([]byte(p.read(t, filepath.Join(p.Dir, ".stan/output/record.json"))), &rec); err != nil {
		t.Fatal(err)
	}
	if want := taskSum("the label of a button is lost"); rec.TaskSum != want || len(rec.Base.Commit) == 0 {
		t.Errorf("task_sha256 %q, want %q; base %+v", rec.TaskSum, want, rec.Base)
	}
}

// TestUploadRefused: a service without room is a warning, and the files stay; where
// the upload was asked for it is an error that names the fix.
func TestUploadRefused(t *testing.T) {
	p := newPullRun(t, "-- src/a.ts --\nexport const a = 1;\n")
	p.service.Full = true
	out, err := execute(t, p.Dir, p.env)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	warned := ""
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "::warning::") {
			warned += line
		}
	}
	for _, want := range []string{`uploading artifact "context"`, "storage is used up", "the files are left in .stan/output"} {
		if !strings.Contains(warned, want) {
			t.Errorf("the warning %q lacks %q", warned, want)
		}
	}
	if strings.Count(warned, "\n") != 1 {
		t.Errorf("%q is not one line", warned)
	}
	if !strings.Contains(p.read(t, p.file("output")), ".stan/output/archive.tar") || len(p.api.Bodies()) != 1 {
		t.Error("the run did not go on to its end")
	}
	if _, err := execute(t, p.Dir, p.env, "--upload", "always"); err == nil || !strings.Contains(err.Error(), "storage is used up") {
		t.Errorf("upload: always: %v", err)
	}
}

// TestArtifactRaw: one of the results is uploaded a second time as it is, and comment and outputs lead to it. A server that
// takes no such file gets it in a zip and the log says so, a run that makes no such file says that, and a matrix has a file a job.
func TestArtifactRaw(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for _, test := range []struct {
		word, name, kind string
		args             []string
		say              string
		prepare          func(*artifacttest.Server)
	}{
		{"context.md", "context.md", "text/markdown", nil, "context.md (", func(s *artifacttest.Server) { s.Types = []string{"application/zip", "text/markdown"} }},
		{"context.md", "context.md", "application/octet-stream", nil, "context.md (", func(*artifacttest.Server) {}},
		{"record.json", "part-7.json", "application/octet-stream", []string{"--artifact-name", "part-7"}, "part-7.json (", func(*artifacttest.Server) {}},
		{"archive.diff.tar", "context.diff.tar.zst", "application/octet-stream", []string{"--compress", "zstd"}, "context.diff.tar.zst (", func(*artifacttest.Server) {}},
		{"pack", "context.md", "application/zip", []string{"--pack", "summary", "--pack-format", "markdown"}, "it was put into a zip", func(s *artifacttest.Server) { s.NoMime = true }},
		{"pack", "", "", []string{"--pack", "none"}, "artifact-raw: pack: this run made no such file", func(*artifacttest.Server) {}},
	} {
		p := newPullRun(t, "-- src/a.ts --\nexport const lamp = 7;\n")
		test.prepare(p.service)
		out, err := execute(t, p.Dir, p.env, append([]string{"--artifact-raw", test.word}, test.args...)...)
		if err != nil {
			t.Fatalf("%v: %v\n%s", test, err, out)
		}
		if !strings.Contains(out, test.say) {
			t.Errorf("%s %v: the log lacks %q:\n%s", test.word, test.args, test.say, out)
		}
		all := p.service.Artifacts()
		if test.name == "" {
			if len(all) != 1 {
				t.Errorf("%d artifacts, want one", len(all))
			}
			continue
		}
		if len(all) != 2 || all[1].Name != test.name || all[1].MimeType != test.kind || !all[1].Finished {
			t.Errorf("%s %v: artifacts %+v", test.word, test.args, all)
			continue
		}
		page := fmt.Sprintf("/artifacts/%d", all[1].ID)
		if body := p.api.Bodies()[0]; !strings.Contains(body, "["+test.name+"](") || !strings.Contains(body, page) {
			t.Errorf("the comment does not lead to %s:\n%s", test.name, body)
		}
		if output := p.read(t, p.file("output")); !strings.Contains(output, page+"\n") {
			t.Errorf("the outputs lack %s", page)
		}
		if test.kind == "application/zip" {
			continue
		}
		if name := strings.Replace(test.name, "context.diff", "archive.diff", 1); string(all[1].Data) != p.read(t, filepath.Join(p.Dir, ".stan/output", strings.Replace(name, "part-7", "record", 1))) {
			t.Errorf("%s: stored are other bytes", test.name)
		}
	}
}

// TestArtifactsOfAMatrix: the jobs of a matrix have artifacts of their own, as they
// have comments; two other jobs that share a name are told what to do.
func TestArtifactsOfAMatrix(t *testing.T) {
	if def := job.InputTable[inputIndex("artifact-name")].Default; def != "${{ strategy.job-total > 1 && format('context-{0}', strategy.job-index) || 'context' }}" {
		t.Errorf("the default is %s", def)
	}
	p := newPullRun(t, "-- src/a.ts --\nexport const a = 1;\n")
	if out, err := execute(t, p.Dir, p.env); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for k, v := range p.service.Env(artifacttest.Job{Run: "run-uuid", Job: "other-job"}) {
		p.env[k] = v
	}
	_, err := execute(t, p.Dir, p.env)
	if err == nil || !strings.Contains(err.Error(), "artifact-name: context-${{ github.job }}-${{ strategy.job-index }}") {
		t.Errorf("a name of another job: %v", err)
	}
	p.env["INPUT_ARTIFACT-NAME"] = "context-1" // as the runner fills in the default
	if out, err := execute(t, p.Dir, p.env); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if n := len(p.service.Artifacts()); n != 2 {
		t.Errorf("%d artifacts", n)
	}
}

func inputIndex(name string) int {
	for i, d := range job.InputTable {
		if d.Name == name {
			return i
		}
	}
	return -1
}

// TestCommentIsAboutWhatIsPacked: on events that check the base branch out, the request's
// own commit is packed and spoken of; where it cannot be had, the comment is left alone.
func TestCommentIsAboutWhatIsPacked(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const change = "-- src/a.ts --\nexport const a = 1;\n-- .haversackallow --\nall ** mine\n"
	onComment := map[string]any{"issue": map[string]any{"number": 1, "pull_request": map[string]any{}}, "repository": map[string]any{"default_branch": "main"}}
	for _, test := range []struct {
		name   string
		event  string
		given  map[string]any // the payload; nil = the pull request
		token  string
		over   map[string]string
		commit bool   // the request's own commit is packed, and commented on
		said   string // where it is not
	}{
		{name: "pull_request_target", event: "pull_request_target", token: forgetest.Token, commit: true},
		{name: "issue_comment", event: "issue_comment", given: onComment, token: forgetest.Token, commit: true},
		{name: "pull_request_review", event: "pull_request_review", token: forgetest.Token, commit: true},
		{name: "no token", event: "pull_request_target", said: "there is no token"},
		{name: "issue_comment without a token", event: "issue_comment", given: onComment, said: "there is no token"},
		{name: "a token that is refused", event: "issue_comment", given: onComment, token: "ghs_none", said: "the API refused the token (401)"},
		{name: "another revision on purpose", event: "pull_request_target", token: forgetest.Token, over: map[string]string{"INPUT_REF": "main"}, said: "input ref asks for another revision"},
		{name: "after another run", event: "workflow_run", token: forgetest.Token, given: map[string]any{
			"repository": map[string]any{"id": 4242}, "workflow_run": map[string]any{"event": "pull_request", "head_sha": "HEAD", "head_branch": "topic",
				"head_repository": map[string]any{"id": 4242, "owner": map[string]any{"login": "octo"}},
				"pull_requests": []any{map[string]any{"number": 1, "head": map[string]any{"sha": "HEAD", "ref": "topic", "repo": map[string]any{"id": 4242}},
					"base": map[string]any{"ref": "main", "repo": map[string]any{"id": 4242}}}}}}, said: "something else is checked out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPullRun(t, change)
			p.Git("checkout", "-q", "main")
			if test.given != nil {
				b, _ := json.Marshal(test.given)
				p.event(t, json.RawMessage(strings.ReplaceAll(string(b), `"HEAD"`, `"`+p.head+`"`)))
			}
			p.Git("remote", "add", "origin", p.URL())
			before := p.Git("rev-parse", "HEAD") + p.Git("for-each-ref")
			p.api.Comment(p.api.Login, "Bot", "<!-- haversack:context%2Fpack%2F0 -->\nthe right one")
			maps.Copy(p.env, map[string]string{"GITHUB_EVENT_NAME": test.event, "INPUT_TOKEN": test.token})
			maps.Copy(p.env, test.over)
			out, err := execute(t, p.Dir, p.env)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			rec, err := record.Read(filepath.Join(p.Dir, ".stan/output/record.json"), "a test needs it")
			if err != nil {
				t.Fatal(err)
			}
			body := strings.Join(p.api.BodiesOn(1), "\n---\n")
			if p.Git("rev-parse", "HEAD")+p.Git("for-each-ref") != before {
				t.Error("the checkout was fetched into")
			}
			if test.commit {
				if rec.Head.Commit != p.head || rec.Head.Kind != "commit" || rec.Base.Commit != p.m1 {
					t.Errorf("packed %+v, base %+v; %s", rec.Head, rec.Base, out)
				}
				if !strings.Contains(body, "src/a.ts") || strings.Contains(body, "the right one") || len(p.api.BodiesOn(1)) != 1 {
					t.Errorf("the comment is\n%s", body)
				}
				if rec.AllAccepted {
					t.Error("the request accepted its own findings")
				}
				return
			}
			if body != "<!-- haversack:context%2Fpack%2F0 -->\nthe right one" {
				t.Errorf("the comment was replaced:\n%s", body)
			}
			line := "::warning::what is packed, " + snapshot.Short(p.m3) + ", is no view of pull request 1, and its comment is left as it is: "
			if strings.Count(out, line) != 1 || !strings.Contains(out, test.said) {
				t.Errorf("said\n%s\nwant %q and %q", out, line, test.said)
			}
			if _, err := execute(t, p.Dir, p.env, "--comment", "always", "--upload", "never"); err == nil || !strings.Contains(err.Error(), "no view of it") {
				t.Errorf("comment: always: %v", err)
			}
		})
	}
	// A stale merge under pull_request is an error that names both.
	p := newPullRun(t, change)
	p.Git("checkout", "-q", "--detach", p.merge)
	if _, err := execute(t, p.Dir, p.env); err == nil || !strings.Contains(err.Error(), p.merge) || !strings.Contains(err.Error(), p.head) {
		t.Errorf("a stale merge: %v", err)
	}
}

// TestComment looks at the comment of a small change, a large one, and one with names
// that somebody chose with care.
func TestComment(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var twenty, many strings.Builder
	for i := range 20 {
		fmt.Fprintf(&twenty, "-- src/m%02d.ts --\nimport {hub} from './hub';\nexport const m%d = hub;\n", i, i)
	}
	twenty.WriteString("-- src/hub.ts --\n" + strings.Repeat("// hub\n", 5) + "export const hub = 1;\n-- src/m01.test.ts --\nimport {m1} from './m01';\nm1;\n")
	for i := range 3000 {
		fmt.Fprintf(&many, "-- d%02d/f%04d.ts --\nimport {f as g} from '../d00/f0000';\nexport const f = g;\n", i%40, i)
	}
	names := []string{"a@b.com.ts", "@octo.md", "#12.md", "<!-- x -->.md", "`x`.md", "[a](b).md", "a|b.md", "www.evil.example", "https:⁄⁄evil.example", "x\u202egpj.md",
		"zero\u200bwidth.md", "fill\u3164er.md", "<details>.md", "</details>.md", "**bold**.md", "~~no~~.md", "![x](y).md", "$x$.md", "::error::x.md", "\"q\".md", "'q'.md", "&amp;.md",
		"a;b.md", "\\n.md", "__init__.md", "1. x.md", "- x.md", " x.md", "{{x}}.md", "%0A.md", "\x1b[31m.md", "\u2066iso\u2069.md", "nb\u00a0sp.md", "tag\U000e0041.md", "e\u0301.md",
		"é.md", "日本.md", "🙂.md", "GH-1.md", "octo#1.md", strings.Repeat("long", 60) + ".md", "deep/" + strings.Repeat("d/", 100) + "x.md"}
	for _, test := range []struct {
		name, change string
		files        []string
		want, none   []string
	}{
		{name: "two lines", change: "-- src/a.ts --\nexport const a = 1;\nexport const b = 2;\n",
			want: []string{"**XS: 2 files changed (+3 −0), exports more than before; no import that was read leads to them.**\n", "- added: [<code>a</code>]"},
			none: []string{"sha256", ".gitignore", "| … |"}},
		{name: "imports that nobody reads", change: "-- src/A.zig --\nconst A = 1;\n-- src/b.ts --\nexport const b = 1;\n-- notes.md --\nx\n",
			want: []string{"**XS: 4 files changed (+4 −0), exports more than before; no import that was read leads to them; who uses 1 of them is not known.**\n"},
			none: []string{"no other file"}},
		{name: "a language whose imports nobody reads", change: "-- src/A.zig --\nconst A = 1;\n", want: []string{"**XS: 2 files changed (+2 −0), changes what is there; who uses 1 of them is not known.**\n"}},
		{name: "twenty files", change: twenty.String(),
			want: []string{"**S: 23 files changed (+49 −0), exports more than before; no import that was read leads to them", "and 17 more<br>"},
			none: []string{"sha256"}},
		{name: "3,000 files", change: many.String(), want: []string{"**XL: 3001 files changed", "exported definitions</summary>", "Of 2700 more changed sources the definitions were not compared", "the 12 nearest of 40 folders", "d00/f0000.ts#L2"}},
		{name: "42 hostile names", files: names, want: []string{"**S: 43 files changed (+43 −0), changes what is there; no import that was read leads to them.**"},
			none: []string{"\u202e", "\u200b", "\u3164", "\u2066", "\u00a0", "\x1b", "[a](b)", "<details>.md"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPullRun(t, "-- keep.txt --\nx\n")
			p.Git("reset", "-q", "--hard", "HEAD^")
			if test.files != nil {
				for _, name := range test.files {
					p.Write(name, "x\n")
				}
				p.Git("add", ".")
				p.Git("commit", "-q", "-m", "names")
			} else {
				p.Commit(test.change)
			}
			head := p.Git("rev-parse", "HEAD")
			p.api.Commits[p.m3+"..."+head] = p.m1
			p.event(t, p.pullPayload(map[string]any{"head": map[string]any{"sha": head, "ref": "topic"}}))
			out, err := execute(t, p.Dir, p.env)
			if err != nil || len(p.api.Bodies()) != 1 {
				t.Fatalf("%v; %d comments\n%s", err, len(p.api.Bodies()), out)
			}
			body := strings.ReplaceAll(p.api.Bodies()[0], "\r", "")
			if dir := os.Getenv("HAVERSACK_COMMENTS"); dir != "" {
				os.WriteFile(filepath.Join(dir, strings.ReplaceAll(test.name, " ", "-")+".md"), []byte(body), 0o644)
			}
			summary := p.read(t, p.file("summary"))
			for _, want := range append(test.want, "gh run download 77 --repo octo/widgets --name context\n", "/artifacts/") {
				if !strings.Contains(body, want) {
					t.Errorf("the comment lacks %q:\n%.6000s", want, body)
				}
			}
			for _, none := range test.none {
				if strings.Contains(body, none) {
					t.Errorf("the comment holds %q:\n%s", none, body)
				}
				if test.files != nil && (strings.Contains(out, none) || strings.Contains(summary, none) && none != "\u200b") {
					t.Errorf("the log or the summary holds %q", none)
				}
			}
			if rows := strings.Count(unfolded(body), "\n| "); rows > 20 || len(body) > 30_000 {
				t.Errorf("%d rows, %d bytes", rows, len(body))
			}
			if n := pixels(summary); n > 3*1000 {
				t.Errorf("the summary is about %d pixels before what is folded:\n%s", n, unfolded(summary))
			}
		})
	}
}

// folded are the parts of a page that are seen when one asks for them; their titles are lines.
var folded = regexp.MustCompile(`(?s)<details><summary>(.*?)</summary>.*?</details>`)

// unfolded is what is seen of a page.
func unfolded(page string) string { return folded.ReplaceAllString(page, "$1\n") }

// pixels is about how high a page stands at a width of 800 in GitHub's style: 768 of text, in letters of 16 pixels of which a
// line takes 95, 24 pixels each and 16 between paragraphs; of a row of a table, which has 13 of its own, the widest column has all
// but 140 pixels. Twelve pages that a browser drew were 95 to 107 percent of it, of 438 to 1,715 pixels.
func pixels(page string) (n int) {
	plain := regexp.MustCompile(`\]\([^)]*\)|</?code>|<!--.*?-->|[\[\]*]`)
	for line := range strings.Lines(html.UnescapeString(plain.ReplaceAllString(unfolded(page), ""))) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "|--"), strings.HasPrefix(line, "|---"):
		case strings.HasPrefix(line, "| "):
			high := 1
			for cell := range strings.SplitSeq(line, " | ") {
				lines := 0
				for part := range strings.SplitSeq(cell, "<br>") {
					lines += 1 + utf8.RuneCountInString(part)/72
				}
				high = max(high, lines)
			}
			n += 13 + 24*high
		case strings.HasPrefix(line, "- "):
			n += 4 + 24*(1+utf8.RuneCountInString(line)/90)
		default:
			n += 16 + 24*(1+utf8.RuneCountInString(line)/95)
		}
	}
	return n
}

// TestNothingToSay: no comment on a change of nothing; one that stands says so.
func TestNothingToSay(t *testing.T) {
	p := newPullRun(t, "-- x.txt --\nx\n")
	p.Git("revert", "--no-edit", "HEAD")
	p.Git("reset", "-q", "--soft", p.m1)
	p.Git("checkout", "-q", "-f", p.m1)
	p.Git("commit", "-q", "--allow-empty", "-m", "nothing")
	head := p.Git("rev-parse", "HEAD")
	p.api.Commits[p.m3+"..."+head] = p.m1
	p.event(t, p.pullPayload(map[string]any{"head": map[string]any{"sha": head, "ref": "topic"}}))
	out, err := execute(t, p.Dir, p.env)
	if err != nil || len(p.api.Bodies()) != 0 || !strings.Contains(out, "Not commented: nothing changed.\n") {
		t.Fatalf("%v; %q\n%s", err, p.api.Bodies(), out)
	}
	p.api.Comment(p.api.Login, "Bot", "<!-- haversack:context%2Fpack%2F0 -->\nthe last one")
	if _, err := execute(t, p.Dir, p.env, "--overwrite"); err != nil {
		t.Fatal(err)
	}
	if body := strings.Join(p.api.Bodies(), ""); !strings.Contains(body, "Nothing changed against `"+snapshot.Short(p.m1)+"`.") {
		t.Errorf("the comment says %s", body)
	}
}
