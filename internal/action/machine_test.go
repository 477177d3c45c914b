package action

import (
	"crypto/rand"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/artifact/artifacttest"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/object/store/xtdbtest"
)

// TestSecondMachine: a thread's contents travel in the artifact of a run, or are in an XTDB. The first machine's folders are gone, the
// repository is cloned to another place, where a file has changed: the run there takes the thread up, and what the assistant saw
// on the first machine is read there, what was redacted in it still redacted. A real XTDB is asked where HAVERSACK_XTDB names one.
func TestSecondMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	played := xtdbtest.NewServer()
	t.Cleanup(played.Close)
	stores := map[string]string{"artifact": "", "XTDB that is played": played.URL}
	if address := os.Getenv("HAVERSACK_XTDB"); address != "" {
		stores["XTDB"] = address
	} else if os.Getenv("HAVERSACK_PEERS") == "require" {
		t.Error("HAVERSACK_XTDB names no XTDB")
	}
	for name, address := range stores {
		t.Run(name, func(t *testing.T) { secondMachine(t, address) })
	}
}

func secondMachine(t *testing.T, address string) {
	h := newHistory(t)
	const before, after = "weft over warp\npassword = \"k7Q9vT2mXw4ZpL8r\"\n", "weft under warp\n"
	h.Commit("-- loom.txt --\n" + before)
	api, service := forgetest.Start(t), artifacttest.Start(t)
	api.Runs = []map[string]any{forgetest.Run(20, "schedule", nil)}
	session := "loom-" + rand.Text() // others share the XTDB
	run := func(id, dir string, args ...string) string {
		t.Helper()
		env := service.Env(artifacttest.Job{Run: "run-" + id, Job: "job"})
		maps.Copy(env, map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "schedule", "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main", "GITHUB_REPOSITORY_ID": "1",
			"GITHUB_WORKSPACE": dir, "GITHUB_API_URL": api.URL, "GITHUB_REPOSITORY": forgetest.Repository, "INPUT_TOKEN": forgetest.Token, "GITHUB_RUN_ID": id,
			"GITHUB_WORKFLOW_REF": "octo/widgets/.github/workflows/ci.yml@refs/heads/main", "RUNNER_TEMP": t.TempDir(), "HOME": t.TempDir()})
		args = append(args, "--session", session)
		if address != "" {
			args = append(args, "--store", address)
		}
		out, err := execute(t, dir, env, args...)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return out
	}
	first := filepath.Join(t.TempDir(), "first")
	h.Git("clone", "-q", h.URL(), first)
	run("20", first)
	arts := service.Artifacts()
	if len(arts) != 1 {
		t.Fatalf("%d artifacts", len(arts))
	}
	api.Artifact(20, 200, "context", arts[0].Data, nil)
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}

	h.Commit("-- loom.txt --\n" + after)
	second := filepath.Join(t.TempDir(), "elsewhere", "second")
	h.Git("clone", "-q", h.URL(), second)
	run("30", second)
	seen := run("31", second, "session", "get", "loom.txt", "--run", "1")
	if !strings.Contains(seen, "weft over warp\npassword = \"[REDACTED:") || strings.Contains(seen, "k7Q9vT2m") {
		t.Errorf("of the first machine's run: %q", seen)
	}
	if now := run("31", second, "session", "get", "loom.txt"); !strings.Contains(now, after) {
		t.Errorf("of this machine's run: %q", now)
	}
}
