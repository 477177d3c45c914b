package action

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/artifact/artifacttest"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// history is a repository with a topic branch, as an event's checkout sees it:
//
//	m1 --- m2 --- m3          main
//	   \      \
//	    t1 --- \ -- t2        topic
//	             merge(m3,t2) the test merge
type history struct {
	*repotest.Repo
	m1, m2, m3, t1, t2, merge string
}

func newHistory(t *testing.T) *history {
	t.Helper()
	r := repotest.New(t, "-- a.txt --\nm1\n")
	h := &history{Repo: r, m1: r.Git("rev-parse", "HEAD")}
	r.Git("branch", "-M", "main")
	r.Git("checkout", "-q", "-b", "topic")
	h.t1 = r.Commit("-- t.txt --\nt1\n")
	h.t2 = r.Commit("-- t.txt --\nt2\n")
	r.Git("checkout", "-q", "main")
	h.m2 = r.Commit("-- a.txt --\nm2\n")
	h.m3 = r.Commit("-- b.txt --\nm3\n")
	r.Git("checkout", "-q", "--detach", "main")
	r.Git("merge", "-q", "--no-ff", "-m", "test merge", "topic")
	h.merge = r.Git("rev-parse", "HEAD")
	r.Git("update-ref", "refs/pull/7/merge", h.merge)
	r.Git("checkout", "-q", "main")
	return h
}

// pullPayload is the part of a pull_request event that matters.
func (h *history) pullPayload(over map[string]any) map[string]any {
	p := map[string]any{"number": 1, "base": map[string]any{"sha": h.m2, "ref": "main"}, "head": map[string]any{"sha": h.t2, "ref": "topic"}, "merged": false}
	for k, v := range over {
		p[k] = v
	}
	return map[string]any{"number": 1, "pull_request": p, "repository": map[string]any{"default_branch": "main"}}
}

// TestBaseOfEvents goes through the table of events: a checkout, a payload, and
// the base that must come out, with the words that say why.
func TestBaseOfEvents(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHistory(t)
	push := func(ref, before, after string, over map[string]any) map[string]any {
		p := map[string]any{"ref": ref, "before": before, "after": after, "repository": map[string]any{"default_branch": "main"}}
		for k, v := range over {
			p[k] = v
		}
		return p
	}
	h.Git("tag", "v1", h.m1)
	h.Git("tag", "-a", "-m", "two", "v2", h.m3)
	h.Git("checkout", "-q", "--orphan", "other")
	h.Git("rm", "-rfq", "--cached", ".")
	orphan := h.Commit("-- o.txt --\no\n")
	h.Git("checkout", "-q", "-f", "main")
	zero := strings.Repeat("0", 40)
	tests := []struct {
		name     string
		checkout string
		depth    bool // depth-1 clone
		event    string
		ref      string
		payload  any
		api      bool
		noBranch bool   // the base branch is gone
		made     int    // commits of a step before
		noTags   bool   // the checkout has the event's tag alone
		lost     bool   // the remote is gone
		input    string // of base
		taken    string
		base     string
		reason   string
		fails    string
	}{
		{name: "pull request, test merge", taken: "what the request was merged into, `HEAD^1`", checkout: h.merge, event: "pull_request", payload: h.pullPayload(nil), base: h.m3, reason: "HEAD\\^1"},
		{name: "pull request, test merge, depth 1", checkout: h.merge, depth: true, event: "pull_request", payload: h.pullPayload(nil), base: h.m3, reason: "HEAD\\^1"},
		{name: "pull request, head checked out, by the API", taken: "where the request's branch left the base branch: by the API, else by the history that is here", checkout: h.t2, depth: true, event: "pull_request", payload: h.pullPayload(nil), api: true, base: h.m1, reason: "merge base with main"},
		{name: "pull request, head checked out, by history", checkout: h.t2, event: "pull_request", payload: h.pullPayload(nil), base: h.m1, reason: "merge base with main"},
		{name: "pull request, base branch gone", checkout: h.t2, depth: true, event: "pull_request", payload: h.pullPayload(nil), api: true, noBranch: true, base: h.m1, reason: "merge base"},
		{name: "pull request, stale merge", taken: "nothing: the run ends, and names both commits", checkout: h.merge, event: "pull_request", payload: h.pullPayload(map[string]any{"head": map[string]any{"sha": h.t1}}), fails: h.t1},
		{name: "pull request, depth 1 and no API", checkout: h.t2, depth: true, event: "pull_request", payload: h.pullPayload(nil), fails: "fetch-depth: 0"},
		{name: "pull request, unrelated histories", taken: "the tip of the base branch", checkout: orphan, event: "pull_request", payload: h.pullPayload(map[string]any{"head": map[string]any{"sha": orphan}}), base: h.m3, reason: "unrelated"},
		{name: "closed and merged", taken: "the commit before the merge", checkout: h.merge, event: "pull_request", payload: h.pullPayload(map[string]any{"merged": true, "merge_commit_sha": h.merge}), base: h.m3, reason: "HEAD\\^1"},
		{name: "squashed", taken: "the commit before", checkout: h.m3, event: "pull_request", payload: h.pullPayload(map[string]any{"merged": true, "merge_commit_sha": h.m3}), base: h.m2, reason: "merged pull request"},
		{name: "pull_request_target, base checked out", taken: "the request's own commit is packed in its place, and measured so; without API or token what is checked out is, as on a desk", checkout: h.m3, event: "pull_request_target", payload: h.pullPayload(nil), base: h.m2, reason: "HEAD\\^"},
		{name: "pull_request_target, head checked out", taken: "where the request's branch left the base branch", checkout: h.t2, event: "pull_request_target", payload: h.pullPayload(nil), base: h.m1, reason: "merge base"},
		{name: "push", taken: "the commit before the push", checkout: h.m3, event: "push", ref: "refs/heads/main", payload: push("refs/heads/main", h.m1, h.m3, nil), base: h.m1, reason: "before the push"},
		{name: "push, depth 1", checkout: h.m3, depth: true, event: "push", ref: "refs/heads/main", payload: push("refs/heads/main", h.m1, h.m3, nil), base: h.m1, reason: "before the push"},
		{name: "push, new branch", taken: "where the branch left the default branch", checkout: h.t2, event: "push", ref: "refs/heads/topic", payload: push("refs/heads/topic", zero, h.t2, nil), base: h.m1, reason: "new branch"},
		{name: "push, first", taken: "nothing: everything is new", checkout: h.m1, event: "push", ref: "refs/heads/main", payload: push("refs/heads/main", zero, h.m1, nil), base: "", reason: "first push: everything is new"},
		{name: "push, forced", taken: "the commit before the push", checkout: h.t2, event: "push", ref: "refs/heads/topic", payload: push("refs/heads/topic", h.t1, h.t2, map[string]any{"forced": true}), base: h.t1, reason: "forced"},
		{name: "push, forced, before is gone", taken: "where the branch left the default branch", checkout: h.t2, event: "push", ref: "refs/heads/topic",
			payload: push("refs/heads/topic", strings.Repeat("ab", 20), h.t2, map[string]any{"forced": true}), base: h.m1, reason: "forced push: merge base"},
		{name: "push, deleted", taken: "nothing is packed", checkout: h.m3, event: "push", ref: "refs/heads/gone", payload: push("refs/heads/gone", h.m1, zero, map[string]any{"deleted": true})},
		{name: "push of a tag", taken: "the tag before, of the same line: see below", checkout: h.m3, event: "push", ref: "refs/tags/v2", payload: push("refs/tags/v2", zero, h.m3, nil), base: h.m1, reason: "previous tag"},
		{name: "push of the first tag", taken: "nothing: everything is new", checkout: h.m1, event: "push", ref: "refs/tags/v1", payload: push("refs/tags/v1", zero, h.m1, nil), base: "", reason: "no earlier tag"},
		{name: "release", taken: "the tag before, of the same line", checkout: h.m3, event: "release", ref: "refs/tags/v2", payload: map[string]any{"action": "published"}, base: h.m1, reason: "previous tag"},
		{name: "merge group", taken: "the commit that the group builds on", checkout: h.m3, event: "merge_group", payload: map[string]any{"merge_group": map[string]any{"base_sha": h.m2}}, base: h.m2, reason: "merge group"},
		{name: "dispatch on a branch", taken: "where the branch left the default branch", checkout: h.t2, event: "workflow_dispatch", ref: "refs/heads/topic", payload: map[string]any{"repository": map[string]any{"default_branch": "main"}}, base: h.m1, reason: "merge base"},
		{name: "dispatch on main", taken: "the last successful run's commit, else `HEAD^`", checkout: h.m3, event: "workflow_dispatch", ref: "refs/heads/main", payload: map[string]any{"repository": map[string]any{"default_branch": "main"}}, base: h.m2, reason: "HEAD\\^"},
		{name: "schedule, first run", taken: "nothing: everything is new", checkout: h.m3, event: "schedule", ref: "refs/heads/main", payload: map[string]any{}, api: true, base: "", reason: "first-run"},
		{name: "workflow_run in the base's context", taken: "the last successful run's commit, else `HEAD^`", checkout: h.m3, event: "workflow_run", payload: map[string]any{"workflow_run": map[string]any{"event": "pull_request", "head_sha": h.t2}}, base: h.m2, reason: "HEAD\\^"},
		{name: "issue comment", taken: "the request's own commit is packed in its place, and measured so; without API or token what is checked out is, as on a desk", checkout: h.m3, event: "issue_comment", payload: map[string]any{"issue": map[string]any{"number": 1, "pull_request": map[string]any{}}}, base: h.m2, reason: "HEAD\\^"},
		{name: "a commit made by the job on the test merge", taken: "as without it: the commit counts as the request's change", checkout: h.merge, made: 1, event: "pull_request", payload: h.pullPayload(nil), base: h.m3, reason: "HEAD\\^1\\); one commit on top"},
		{name: "a commit on the test merge, depth 1", checkout: h.merge, depth: true, made: 2, event: "pull_request", payload: h.pullPayload(nil), base: h.m3, reason: "HEAD\\^1\\); 2 commits on top"},
		{name: "a commit made by the job on the request's head", taken: "as without it", checkout: h.t2, made: 1, event: "pull_request", payload: h.pullPayload(nil), base: h.m1, reason: "merge base with main; one commit"},
		{name: "a commit on the request's head, by the API", checkout: h.t2, depth: true, made: 3, event: "pull_request", payload: h.pullPayload(nil), api: true, base: h.m1, reason: "merge base with main; 3 commits"},
		{name: "a commit on the head, pull_request_target", checkout: h.t2, made: 1, event: "pull_request_target", payload: h.pullPayload(nil), base: h.m1, reason: "merge base with main; one commit"},
		{name: "a commit made by the job on what was pushed", taken: "the commit before the push", checkout: h.m3, made: 1, event: "push", ref: "refs/heads/main", payload: push("refs/heads/main", h.m1, h.m3, nil), base: h.m1, reason: "before the push; one commit"},
		{name: "a commit made by the job on a tag", taken: "the tag before that one", checkout: h.m3, made: 1, event: "push", ref: "refs/tags/v2", payload: push("refs/tags/v2", zero, h.m3, nil), base: h.m1, reason: "^previous tag v1; one commit"},
		{name: "commits of others on a merged request", taken: "as on a desk: they are not the request's", checkout: h.m3, event: "pull_request_target", payload: h.pullPayload(map[string]any{"merged": true, "merge_commit_sha": h.m2, "head": map[string]any{"sha": h.m2, "ref": "topic"}}), base: h.m2, reason: "HEAD\\^"},
		{name: "a tag that was moved", taken: "where it stood before", checkout: h.m3, event: "push", ref: "refs/tags/latest", payload: push("refs/tags/latest", h.m2, h.m3, map[string]any{"forced": true}), base: h.m2, reason: "where the tag stood"},
		{name: "a tag, the checkout has no others", taken: "the tag before by its version, of those that the remote has", checkout: h.m3, depth: true, noTags: true, event: "push", ref: "refs/tags/v2", payload: push("refs/tags/v2", zero, h.m3, nil), base: h.m1, reason: "^previous tag v1, by its version"},
		{name: "a tag, no others here, all of its history", checkout: h.m3, noTags: true, event: "push", ref: "refs/tags/v2", payload: push("refs/tags/v2", zero, h.m3, nil), base: h.m1, reason: "^previous tag v1, by its version"},
		{name: "a tag, no others here, and the remote does not answer", taken: "unknown, and said: no diff archive", checkout: h.m3, depth: true, noTags: true, lost: true, event: "push", ref: "refs/tags/v2", payload: push("refs/tags/v2", zero, h.m3, nil), base: "", reason: "^unknown"},
		{name: "the first tag, no others here", checkout: h.m1, depth: true, noTags: true, event: "push", ref: "refs/tags/v1", payload: push("refs/tags/v1", zero, h.m1, nil), base: "", reason: "^no earlier tag"},
		{name: "`base: main`, the test merge at depth 1", input: "main", checkout: h.merge, depth: true, event: "pull_request", payload: h.pullPayload(nil), base: h.m3, reason: "^input base: main \\(base of the pull request's merge"},
		{name: "`base: main`, the head at depth 1, by the API", input: "main", checkout: h.t2, depth: true, event: "push", payload: push("refs/heads/topic", h.t1, h.t2, nil), api: true, base: h.m1, reason: "^input base: main \\(merge base with main\\)"},
		{name: "`base: main...HEAD`, the head", input: "main...HEAD", checkout: h.t2, event: "pull_request", payload: h.pullPayload(nil), base: h.m1, reason: "merge base with"},
		{name: "empty payload", taken: "as on a desk", checkout: h.merge, event: "pull_request", payload: map[string]any{}, base: h.m3, reason: "."},
		{name: "payload that is no JSON", checkout: h.m3, event: "push", payload: "{", base: h.m2, reason: "HEAD\\^"},
		{name: "payload that lies", checkout: h.m3, event: "push", ref: "refs/heads/main", payload: push("refs/heads/main", "$(rm -rf /)", h.m3, nil), base: h.m2, reason: "HEAD\\^"},
		{name: "push about another commit", taken: "as on a desk", checkout: h.m2, event: "push", ref: "refs/heads/main", payload: push("refs/heads/main", h.m1, h.m3, nil), base: h.m1, reason: "."},
	}
	var table []situation
	for _, tt := range tests {
		table = append(table, situation{tt.name, tt.taken})
	}
	documented(t, "events", table)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "work")
			if tt.depth && tt.noTags {
				h.Git("branch", "-f", "wanted", tt.checkout)
				h.Git("clone", "-q", "--no-tags", "--depth=1", "--branch=wanted", h.URL(), dir)
			} else if tt.depth {
				h.Git("branch", "-f", "wanted", tt.checkout)
				h.Git("clone", "-q", "--depth=1", "--branch=wanted", h.URL(), dir)
			} else {
				h.Git("clone", "-q", h.URL(), dir)
				h.At(dir).Git("fetch", "-q", "origin", "refs/pull/7/merge", "refs/heads/other")
				h.At(dir).Git("checkout", "-q", "--detach", tt.checkout)
			}
			work := h.At(dir)
			if tt.noTags && !tt.depth {
				work.Git("tag", "-d", "v1", "v2")
			}
			for i := range tt.made {
				work.Commit(fmt.Sprintf("-- made.txt --\n%d\n", i))
			}
			if tt.lost {
				work.Git("remote", "set-url", "origin", "file:///nowhere")
			}
			env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": tt.event, "GITHUB_REF": tt.ref, "GITHUB_WORKSPACE": dir,
				"RUNNER_TEMP": t.TempDir(), "GITHUB_REF_NAME": "main", "GITHUB_WORKFLOW_REF": "octo/widgets/.github/workflows/ci.yml@refs/heads/main"}
			payload, _ := json.Marshal(tt.payload)
			if s, ok := tt.payload.(string); ok {
				payload = []byte(s)
			}
			file := filepath.Join(t.TempDir(), "event.json")
			if err := os.WriteFile(file, payload, 0o644); err != nil {
				t.Fatal(err)
			}
			env["GITHUB_EVENT_PATH"] = file
			if tt.api {
				s := forgetest.Start(t)
				if !tt.noBranch {
					s.Branches["main"] = h.m3
				}
				s.Commits[h.m3+"..."+h.t2], s.Commits[h.m2+"..."+h.t2] = h.m1, h.m1
				env["GITHUB_API_URL"], env["GITHUB_REPOSITORY"], env["INPUT_TOKEN"] = s.URL, forgetest.Repository, forgetest.Token
				t.Cleanup(func() {
					if r := s.Refusals(); len(r) > 0 && !tt.noBranch {
						t.Errorf("the API refused: %v", r)
					}
				})
			}
			_, err := execute(t, dir, env, "--pack", "none", "--comment", "never", "--base", cmp.Or(tt.input, "auto"))
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Fatalf("error %v, want one with %q", err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(filepath.Join(dir, ".stan/output/record.json"))
			if tt.reason == "" {
				if err == nil {
					t.Error("a deleted ref was packed")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var rec record.Record
			if err := json.Unmarshal(raw, &rec); err != nil {
				t.Fatal(err)
			}
			if rec.Base.Commit != tt.base || !regexp.MustCompile(tt.reason).MatchString(rec.Base.Reason) {
				t.Errorf("base %q (%s), want %q (%s); warnings %v", rec.Base.Commit, rec.Base.Reason, tt.base, tt.reason, rec.Warnings)
			}
			// The user's clone was not fetched into.
			if tt.depth && work.Git("rev-list", "--count", "--all") != strconv.Itoa(1+tt.made) {
				t.Error("the clone has more commits than before")
			}
		})
	}
}

// TestSchedule takes the base from the last run of the same workflow, branch
// and event whose head is this repository's; a fork's is passed over.
func TestSchedule(t *testing.T) {
	h := newHistory(t)
	artifact := func(commit string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, _ := z.CreateHeader(&zip.FileHeader{Name: "record.json", Method: zip.Store})
		fmt.Fprintf(w, `{"head":{"commit":%q}}`, commit)
		z.Close()
		return b.Bytes()
	}
	s := forgetest.Start(t)
	fork := map[string]any{"id": 9999, "full_name": "evil/widgets"}
	s.Runs = []map[string]any{
		forgetest.Run(30, "schedule", map[string]any{"head_repository": fork}),
		forgetest.Run(20, "schedule", nil),
	}
	s.Artifact(30, 300, "context", artifact(h.m1), nil)
	s.Artifact(20, 200, "context", artifact(h.m2), nil)
	env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "schedule", "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main",
		"GITHUB_WORKSPACE": h.Dir, "GITHUB_API_URL": s.URL, "GITHUB_REPOSITORY": forgetest.Repository, "INPUT_TOKEN": forgetest.Token, "GITHUB_RUN_ID": "40",
		"GITHUB_WORKFLOW_REF": "octo/widgets/.github/workflows/ci.yml@refs/heads/main", "RUNNER_TEMP": t.TempDir()}
	if _, err := execute(t, h.Dir, env, "--pack", "none"); err != nil {
		t.Fatal(err)
	}
	rec, err := record.Read(filepath.Join(h.Dir, ".stan/output/record.json"), "")
	if err != nil {
		t.Fatal(err)
	}
	if rec.Base.Commit != h.m2 || rec.Base.Reason != "last scheduled run" {
		t.Errorf("base %+v, want %s; warnings %v", rec.Base, h.m2, rec.Warnings)
	}
}

// TestUploadAndComment runs the whole action on a pull request: artifact,
// outputs, summary, comment; and again, which updates the comment.
func TestUploadAndComment(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	h := newHistory(t)
	h.Git("checkout", "-q", "topic")
	h.Commit("-- src/a.ts --\nimport {b} from './b';\nexport const a = b;\n-- src/b.ts --\nexport const b = 1;\n-- `weird| <name>.md --\nx\n")
	head := h.Git("rev-parse", "HEAD")
	api, service := forgetest.Start(t), artifacttest.Start(t)
	api.Branches["main"] = h.m3
	api.Commits[h.m3+"..."+head] = h.m1
	api.Pulls = append(api.Pulls, forgetest.Pull(1, head, h.m3, nil))
	env := service.Env(artifacttest.Job{Run: "run-uuid", Job: "job-uuid"})
	payload, _ := json.Marshal(h.pullPayload(map[string]any{"head": map[string]any{"sha": head, "ref": "topic"}}))
	tmp := t.TempDir()
	event := filepath.Join(tmp, "event.json")
	if err := os.WriteFile(event, payload, 0o644); err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": event, "GITHUB_WORKSPACE": h.Dir, "GITHUB_API_URL": api.URL,
		"INPUT_TOKEN": forgetest.Token, "RUNNER_TEMP": tmp, "GITHUB_OUTPUT": filepath.Join(tmp, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(tmp, "summary"),
		"GITHUB_WORKFLOW": "context", "GITHUB_JOB": "pack", "INPUT_COMMENT-KEY": "0"} {
		env[k] = v
	}
	out, err := execute(t, h.Dir, env)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	arts := service.Artifacts()
	if len(arts) != 1 || arts[0].Name != "context" {
		t.Fatalf("artifacts %+v", arts)
	}
	bodies := api.Bodies()
	if len(bodies) != 1 {
		t.Fatalf("%d comments; %v\n%s", len(bodies), api.Refusals(), out)
	}
	for _, want := range []string{"<!-- haversack:", "mermaid", "src/a.ts", "n0 --> n1", "/artifacts/", "gh run download", "| read | what, and why here |"} {
		if !strings.Contains(bodies[0], want) {
			t.Errorf("the comment lacks %q:\n%s", want, bodies[0])
		}
	}
	for _, bad := range []string{"`weird|", "<name>"} {
		if strings.Contains(bodies[0], bad) {
			t.Errorf("the comment holds %q bare", bad)
		}
	}
	output, err := os.ReadFile(env["GITHUB_OUTPUT"])
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^artifact-id<<ghadelimiter_[0-9a-f]{32}\n[0-9]+\n`).Match(output) {
		t.Errorf("no artifact id in the outputs:\n%s", output)
	}
	// Again, on a re-run of the job: the artifact is replaced, the comment updated.
	env["GITHUB_RUN_ATTEMPT"] = "2"
	h.Write("src/c.ts", "export const c = 1;\n")
	h.Git("add", ".")
	if _, err := execute(t, h.Dir, env); err != nil {
		t.Fatal(err)
	}
	if n := len(api.Bodies()); n != 1 {
		t.Errorf("%d comments after the second run", n)
	}
	// The second attempt learns from the refusal that its artifact is there already.
	r := slices.DeleteFunc(slices.Concat(api.Refusals(), service.Refusals()), func(s string) bool { return strings.Contains(s, "already exists") })
	if len(r) > 0 {
		t.Errorf("refused: %v", r)
	}
	// A token that may not comment is one line of the log, not a failure.
	env["INPUT_TOKEN"] = forgetest.ReadOnly
	out, err = execute(t, h.Dir, env)
	if err != nil || !strings.Contains(out, "Not commented: ") {
		t.Errorf("read-only token: %v\n%s", err, out)
	}
	if _, err := execute(t, h.Dir, env, "--comment", "always"); err == nil {
		t.Error("comment: always took a refusal for success")
	}
}
