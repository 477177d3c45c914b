package action

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestWordsOfEvents: whatever started the run, a credential in the words of its event
// is nowhere in what the run says and writes: no warning is said before the screen
// stands.
func TestWordsOfEvents(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	token := planted()
	sha := strings.Repeat("a", 40)
	for _, event := range []string{"push", "pull_request", "pull_request_target", "pull_request_review", "issue_comment", "merge_group", "release", "schedule",
		"workflow_dispatch", "repository_dispatch", "workflow_run", "check_run", "issues", "unheard_of"} {
		t.Run(event, func(t *testing.T) {
			r := repotest.New(t, "-- a.txt --\na\n", "-- a.txt --\nb\n")
			head := r.Git("rev-parse", "HEAD")
			pull := map[string]any{"number": 1, "base": map[string]any{"sha": sha, "ref": token}, "head": map[string]any{"sha": head, "ref": token}}
			payload, err := json.Marshal(map[string]any{
				"action": token, "before": strings.Repeat("0", 40), "after": head, "number": 1,
				"repository":   map[string]any{"default_branch": token},
				"merge_group":  map[string]any{"base_sha": sha, "head_ref": token},
				"pull_request": pull,
				"issue":        map[string]any{"number": 1, "pull_request": map[string]any{}},
				"workflow_run": map[string]any{"event": token, "head_sha": head, "head_branch": token, "pull_requests": []any{pull}},
			})
			if err != nil {
				t.Fatal(err)
			}
			tmp := t.TempDir()
			file := func(name string) string { return filepath.Join(tmp, name) }
			if err := os.WriteFile(file("event.json"), payload, 0o644); err != nil {
				t.Fatal(err)
			}
			env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": file("event.json"), "GITHUB_REF": "refs/heads/topic",
				"GITHUB_REF_NAME": token, "GITHUB_HEAD_REF": token, "GITHUB_WORKSPACE": r.Dir, "RUNNER_TEMP": tmp, "GITHUB_OUTPUT": file("output"), "GITHUB_STEP_SUMMARY": file("summary")}
			var said bytes.Buffer
			c := Command{Process: job.Process{Getenv: func(k string) string { return env[k] }, Dir: r.Dir, Stdout: &said, Stderr: &said, Args: []string{"--comment", "never", "--upload", "never"}}}
			if err := c.Run(t.Context()); err != nil {
				said.WriteString(err.Error())
			}
			for _, name := range []string{"output", "summary"} {
				b, _ := os.ReadFile(file(name))
				said.Write(b)
			}
			results := filepath.Join(r.Dir, ".stan", "output")
			entries, _ := os.ReadDir(results)
			for _, e := range entries {
				b, _ := os.ReadFile(filepath.Join(results, e.Name()))
				said.Write(b)
			}
			if strings.Contains(said.String(), token[4:]) {
				for line := range strings.Lines(said.String()) {
					if strings.Contains(line, token[4:]) {
						t.Errorf("said: %s", strings.ReplaceAll(line, token, "TOKEN"))
					}
				}
			}
		})
	}
}

// TestSizesAreFinal: a file that is selected although ignored reveals a value that
// also stands in a file that is planned already. The map, the budget and the limit
// speak of what the archive holds.
func TestSizesAreFinal(t *testing.T) {
	value := "q7Zk2LxT9vBn" + "4Rw8YcMd5Hs1"
	r := repotest.New(t, "-- .gitignore --\nignored\n-- notes.ts --\nexport const seen = '"+value+"';\n-- src/a.ts --\nimport '../notes';\nexport {};\n")
	r.Write("ignored/c.ts", "const dbPassword = \""+value+"\"\n")
	r.Write(".stan/context/dependency.state.json", `{"v":2,"i":["ignored/c.ts","notes.ts"]}`)
	if _, err := execute(t, r.Dir, nil, "--base", "none"); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(r.Dir, ".stan", "output", "archive.tar")
	var meta struct{ N map[string]metaNode }
	if err := json.Unmarshal(member(t, archive, ".stan/context/dependency.meta.json"), &meta); err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for h := range headers(t, archive) {
		total += h.Size
		if n, ok := meta.N[h.Name]; ok && n.S != h.Size {
			t.Errorf("the map says %d bytes of %s, the archive has %d", n.S, h.Name, h.Size)
		}
	}
	if strings.Contains(string(member(t, archive, "notes.ts")), value) {
		t.Error("the value stands in notes.ts")
	}
	rec, err := record.Read(filepath.Join(r.Dir, ".stan", "output", "record.json"), "")
	if err != nil {
		t.Fatal(err)
	}
	if rec.Budget.SizeBytes != total {
		t.Errorf("the budget counts %d bytes, the archive has %d", rec.Budget.SizeBytes, total)
	}
}
