package peertest

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Three runs of one pull request: the first hands over everything, the second what a new commit changed, the third
// nothing.
func TestSession(t *testing.T) {
	need(t, "act", "git")
	onPath(t)
	workflow, err := os.ReadFile("testdata/session.yml")
	if err != nil {
		t.Fatal(err)
	}
	stores := map[string]string{"file": filepath.Join(t.TempDir(), "objects.db")}
	if address := os.Getenv("HAVERSACK_XTDB"); address != "" {
		stores["xtdb"] = address
	}
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SESSION_STORE", stores[name])
			dir := ourselves(t)
			write(t, filepath.Join(dir, ".github", "workflows", "session.yml"), workflow, 0o644)
			e := proposed(t, dir)
			// What session show says, and how many versions of added/new.txt the thread knows.
			type shown struct {
				Counts struct{ Files int }
				Runs   []struct{ Commit string }
			}
			pack := func() (handed, shown, string) {
				log, artifacts := act(t, dir, e, append(slices.Clone(inHost), "--workflows", ".github/workflows/session.yml")...)
				outputs := said(t, log)
				if len(outputs) != 1 {
					t.Fatalf("the workflow said its outputs %d times:\n%s", len(outputs), log)
				}
				h := stored(t, artifacts, "context")
				agree(t, h, outputs[0])
				var s shown
				_, line, _ := strings.Cut(log, "| session ")
				line, _, _ = strings.Cut(line, "\n")
				if err := json.Unmarshal([]byte(line), &s); err != nil {
					t.Fatalf("session show printed %q: %v\n%s", line, err, log)
				}
				_, versions, _ := strings.Cut(log, "| versions ")
				versions, _, _ = strings.Cut(versions, "\n")
				return h, s, versions
			}

			first, before, versions := pack()
			if got := len(first.changes(t)); got < 10 {
				t.Errorf("the first run of a thread hands over %d changes; all files are new to it", got)
			}
			if versions != "1" {
				t.Errorf("after one run the thread knows %q versions of a file", versions)
			}

			// A further commit on the pull request, and its new test merge.
			git(t, dir, "checkout", "--quiet", "topic")
			write(t, filepath.Join(dir, "added", "second.txt"), []byte("comes later\n"), 0o644)
			write(t, filepath.Join(dir, "added", "new.txt"), []byte("comes, and changes\n"), 0o644)
			head := commit(t, dir)
			git(t, dir, "checkout", "--quiet", "--detach", "main")
			git(t, dir, "merge", "--quiet", "--no-ff", "--message", "Merge", "topic")
			e.payload["pull_request"].(map[string]any)["head"].(map[string]any)["sha"] = head
			second, after, versions := pack()
			unlike(t, second.changes(t), []string{"A added/second.txt", "M added/new.txt"})
			if after.Counts.Files != before.Counts.Files+1 {
				t.Errorf("session show counts %d files, and %d before one was added", after.Counts.Files, before.Counts.Files)
			}
			if len(after.Runs) == 0 || after.Runs[len(after.Runs)-1].Commit != git(t, dir, "rev-parse", "HEAD") {
				t.Errorf("session show's last run is not of the commit that was packed: %+v", after.Runs)
			}
			if versions != "2" {
				t.Errorf("after two runs the thread knows %q versions of a changed file", versions)
			}

			third, _, _ := pack()
			unlike(t, third.changes(t), nil)
			if _, ok := third.diff[".stan/diff/.stan_no_changes"]; !ok {
				t.Errorf("nothing changed, and the diff archive does not say so: %q", slices.Sorted(maps.Keys(third.diff)))
			}
		})
	}
}
