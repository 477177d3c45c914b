package action

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// situation is a row of the documentation's table of bases; of a variant nothing is
// said there.
type situation struct{ name, taken string }

// documented holds a table of docs/bases.md against the test's rows.
func documented(t *testing.T, name string, rows []situation) {
	t.Helper()
	var b strings.Builder
	b.WriteString("| situation | base |\n|---|---|\n")
	for _, r := range rows {
		if r.taken != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", r.name, r.taken)
		}
	}
	compareFile(t, "../../docs/bases.md", func(old string) string { return between(t, old, name, b.String()) })
}

// clones plays lines of git commands in folders beside each other: "DIR: ARGUMENTS" of
// git, or "DIR: commit NAME", which adds the file NAME and commits.
func clones(t *testing.T, dir, script string) {
	t.Helper()
	top := repotest.New(t)
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, args, _ := strings.Cut(line, ": ")
		r := top.At(filepath.Join(dir, name))
		if err := os.MkdirAll(r.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		w := strings.Fields(strings.ReplaceAll(args, "DIR", filepath.ToSlash(dir)))
		switch w[0] {
		case "commit":
			r.Commit(fmt.Sprintf("%s\n-- %s --\n%s\n", w[1], w[1], w[1]))
		case "write":
			r.Write(w[1], "written\n")
		default:
			r.Git(w...)
		}
	}
}

// TestBaseOfRevisions goes through what holds on a desk, and what input base may be: how
// the clone came about, and the base that must come out, as git names it.
func TestBaseOfRevisions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const (
		up   = "up: init -q -b main\nup: commit m1\n"
		fork = up + ".: clone -q --bare up fork.git\n.: clone -q fork.git me\nup: commit m2\nup: commit m3\nme: remote add upstream ../up\nme: fetch -q upstream\n"
		left = "me: init -q -b main\nme: commit m1\nme: checkout -q -b topic\nme: commit t1\nme: checkout -q main\nme: commit m2\nme: tag v2\nme: checkout -q topic\n"
	)
	tests := []struct {
		name, taken string
		script      string
		workflow    bool
		args        []string
		base        string // a revision in me; "" none
		reason      string
		fails       string
	}{
		{name: "desk, the branch tracks another one", taken: "where it left that one (`branch.*.remote`, `branch.*.merge`)",
			script: fork + "me: checkout -q -b feat upstream/main\nme: commit f", base: "upstream/main", reason: "^merge base with upstream/main, which the branch tracks$"},
		{name: "tracks a branch that is no default branch", script: up + "up: branch develop\nup: commit m2\n.: clone -q up me\nme: checkout -q -b feat origin/develop\nme: commit f\n", base: "origin/develop", reason: "origin/develop"},
		{name: "tracks a branch of its own repository", script: left + "me: checkout -q -b more --track topic\nme: commit f\n", base: "topic", reason: "merge base with topic"},
		{name: "desk, the branch tracks its own copy", taken: "where it left the nearest of the remotes' default branches; of equally near ones not that of `remote.pushDefault`",
			script: fork + "me: checkout -q -b feat upstream/main\nme: commit f\nme: push -q -u origin feat\nme: commit g\n", base: "upstream/main", reason: "^merge base with upstream/main, the nearest"},
		{name: "own copy behind a prefix", script: fork + "me: checkout -q -b feat upstream/main\nme: commit f\nme: push -q -u origin feat:me/feat\nme: commit g\n", base: "upstream/main", reason: "^merge base with upstream/main"},
		{name: "a fork, nothing tracked", script: fork + "me: checkout -q --no-track -b feat upstream/main\nme: commit f\n", base: "upstream/main", reason: "upstream/main"},
		{name: "a fork whose own default branch is nearer", script: fork + "me: commit own\nme: push -q origin main\nme: checkout -q --no-track -b feat\nme: commit f\n", base: "origin/main", reason: "origin/main"},
		{name: "equally near, one is pushed to", script: up + ".: clone -q -o mine up me\nme: remote add theirs ../up\nme: fetch -q theirs\nme: config remote.pushDefault mine\nme: checkout -q --no-track -b feat\nme: commit f\n", base: "theirs/main", reason: "theirs/main"},
		{name: "desk, the remote is not called origin", taken: "the same", script: up + ".: clone -q -o company up me\nme: checkout -q -b feat\nme: commit f\nme: commit g\n", base: "company/main", reason: "^merge base with company/main$"},
		{name: "another remote's default branch is found by the first's name", script: "up: init -q -b trunk\nup: commit m1\n.: clone -q up me\nup: commit m2\nme: remote add upstream ../up\nme: fetch -q upstream\nme: checkout -q --no-track -b feat upstream/trunk\nme: commit f\n", base: "upstream/trunk", reason: "upstream/trunk"},
		{name: "desk, without a remote", taken: "where it left the local `init.defaultBranch`, `main` or `master`", script: left, base: "v2~1", reason: "^merge base with main$"},
		{name: "desk, HEAD is detached", taken: "where it left the nearest default branch", script: fork + "me: checkout -q --detach upstream/main\nme: commit f\n", base: "upstream/main", reason: "upstream/main"},
		{name: "desk, on the default branch, something is not committed", taken: "HEAD", script: up + ".: clone -q up me\nme: write n\n", base: "HEAD", reason: "not committed"},
		{name: "desk, on the default branch, everything is committed and pushed", taken: "`HEAD^`, the commit before", script: up + "up: commit m2\n.: clone -q up me\n", base: "HEAD^", reason: "HEAD\\^"},
		{name: "on a fork's default branch", script: fork + "me: commit own\nme: push -q origin main\n", base: "HEAD^", reason: "HEAD\\^"},
		{name: "desk, the history ends before (shallow)", taken: "HEAD, or `HEAD^`, and a warning", script: up + "up: commit m2\nup: checkout -q -b feat\nup: commit f\nup: checkout -q main\nup: commit m3\nup: commit m4\n.: clone -q --depth=1 --no-single-branch --branch=feat file://DIR/up me\nme: write n\n", base: "HEAD", reason: "not committed"},

		{name: "`base: BRANCH`", taken: "where the head left it, as `git diff BRANCH...HEAD` has it", script: left, args: []string{"--base", "main"}, base: "v2~1", reason: `^input base: main \(merge base with main\)$`},
		{name: "remote branch", script: up + ".: clone -q up me\nme: checkout -q -b feat\nme: commit f\nup: commit m2\nme: fetch -q\n", args: []string{"--base", "origin/main"}, base: "main", reason: `merge base with origin/main`},
		{name: "full name", script: left, args: []string{"--base", "refs/heads/main"}, base: "v2~1", reason: `merge base with main`},
		{name: "only a remote has it", script: up + ".: clone -q up me\nme: checkout -q --detach\nme: branch -D main\nme: commit f\nup: commit m2\nme: fetch -q\n", args: []string{"--base", "main"}, base: "HEAD~1", reason: `merge base with origin/main`},
		{name: "the branch that is checked out", script: left, args: []string{"--base", "topic"}, base: "HEAD", reason: "merge base with topic, which is HEAD"},
		{name: "`base: @{upstream}`", taken: "where the head left what it tracks", script: fork + "me: checkout -q -b feat upstream/main\nme: commit f\n", args: []string{"--base", "@{u}"}, base: "upstream/main", reason: "merge base with upstream/main"},
		{name: "`base: A...HEAD`", taken: "where the histories of A and HEAD part, whatever A is", script: left, args: []string{"--base", "v2...HEAD"}, base: "v2~1", reason: `^input base: v2\.\.\.HEAD \(merge base with v2\)$`},
		{name: "nothing on the right", script: left, args: []string{"--base", "main..."}, base: "v2~1", reason: "merge base with main"},
		{name: "the packed branch on the right", script: left, args: []string{"--base", "main...topic"}, base: "v2~1", reason: "merge base with main"},
		{name: "`base: A..HEAD`", taken: "A itself", script: left, args: []string{"--base", "main..HEAD"}, base: "main", reason: `main itself`},
		{name: "`base:` a tag, a commit, `A~1`", taken: "that commit", script: left, args: []string{"--base", "v2"}, base: "v2", reason: `^input base: v2 \(that commit\)$`},
		{name: "parent of a branch", script: left, args: []string{"--base", "main~0"}, base: "main", reason: "that commit"},
		{name: "a tag and a branch of one name", script: left + "me: branch v2 HEAD~1\n", args: []string{"--base", "v2"}, base: "main", reason: "that commit"},
		{name: "something else on the right", taken: "exit 2", script: left, args: []string{"--base", "topic...main"}, fails: "name by input ref what to pack"},
		{name: "another right side with ref", script: left, args: []string{"--base", "topic...main", "--ref", "main"}, base: "topic~1", reason: "merge base with topic"},
		{name: "nothing on the left", script: left, args: []string{"--base", "..HEAD"}, fails: "no revision before the dots"},
		{name: "`base: BRANCH`, the history is not here (shallow)", taken: "by the API; else exit 2 that names `fetch-depth: 0`", script: left + ".: clone -q --depth=1 --no-single-branch --branch=topic file://DIR/me shallow\n.: clone -q --depth=1 --no-single-branch --branch=topic file://DIR/me again\nme: checkout -q main\n", args: []string{"--path", "../again", "--base", "origin/main"}, fails: "fetch-depth: 0"},
		{name: "a branch that a workflow's checkout has not", taken: "the remote is asked for its tip, the API for the merge base; else exit 2", script: left + ".: clone -q --depth=1 --branch=topic file://DIR/me shallow\n", workflow: true, args: []string{"--path", "../shallow", "--base", "main"}, fails: "fetch-depth: 0"},
		{name: "a tag that a workflow's checkout has not", taken: "the remote is asked", script: left + ".: clone -q --depth=1 --no-tags --branch=topic file://DIR/me shallow\n", workflow: true, args: []string{"--path", "../shallow", "--base", "v2"}, base: "v2", reason: "that tag"},
		{name: "its branch itself", script: left + ".: clone -q --depth=1 --no-tags --branch=topic file://DIR/me shallow\n", workflow: true, args: []string{"--path", "../shallow", "--base", "main..HEAD"}, base: "v2", reason: "main itself"},
		{name: "a name that nothing is called", taken: "exit 2, with near names", script: left, args: []string{"--base", "mian"}, fails: "near ones: main"},
	}
	var table []situation
	for _, tt := range tests {
		table = append(table, situation{tt.name, tt.taken})
	}
	documented(t, "revisions", table)
	made := map[string]string{} // scripts that were played, and where
	for _, tt := range tests {
		if made[tt.script] == "" {
			made[tt.script] = t.TempDir()
			clones(t, made[tt.script], tt.script)
		}
		t.Run(tt.name, func(t *testing.T) {
			dir := made[tt.script]
			me := filepath.Join(dir, "me")
			env := map[string]string{"RUNNER_TEMP": t.TempDir()}
			if tt.workflow {
				env["GITHUB_ACTIONS"], env["GITHUB_WORKSPACE"], env["GITHUB_EVENT_NAME"] = "true", me, "push"
			}
			_, err := execute(t, me, env, append([]string{"--pack", "none"}, tt.args...)...)
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) || job.ExitCode(err) != job.ExitInput {
					t.Fatalf("exit %d, %v; want 2 and %q", job.ExitCode(err), err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(tt.args) > 0 && tt.args[0] == "--path" {
				dir = filepath.Join(me, tt.args[1])
			} else {
				dir = me
			}
			raw, err := os.ReadFile(filepath.Join(dir, ".stan/output/record.json"))
			if err != nil {
				t.Fatal(err)
			}
			var rec record.Record
			if err := json.Unmarshal(raw, &rec); err != nil {
				t.Fatal(err)
			}
			want := repotest.New(t).At(me).Git("rev-parse", tt.base+"^{commit}")
			if rec.Base.Commit != want || !regexp.MustCompile(tt.reason).MatchString(rec.Base.Reason) {
				t.Errorf("base %q (%s), want %q (%s); warnings %v", rec.Base.Commit, rec.Base.Reason, want, tt.reason, rec.Warnings)
			}
			if strings.Contains(tt.name, "shallow") != strings.Contains(fmt.Sprint(rec.Warnings), "shallow") {
				t.Errorf("warnings %v", rec.Warnings)
			}
		})
	}
}
