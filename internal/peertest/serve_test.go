package peertest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOfficialClient has the protocol's own client, of TypeScript, list the live server's tools, call each, check every answer against its schema,
// see progress, and call a call off.
func TestOfficialClient(t *testing.T) {
	need(t, "git", "npm")
	dir, repository := t.TempDir(), t.TempDir()
	program := filepath.Join(dir, "haversack")
	run(t, module(t), []string{"CGO_ENABLED=0"}, "go", "build", "-o", program, "./cmd/action")
	if err := os.CopyFS(filepath.Join(dir, "client"), os.DirFS("testdata/serve-client")); err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Join(dir, "client"), nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	write(t, filepath.Join(repository, "shop", "till.ts"), []byte("export function openTill(coins: number[]) { return coins.length }\n"), 0o644)
	write(t, filepath.Join(repository, "shop", "day.ts"), []byte("import { openTill } from './till'\nopenTill([1])\n"), 0o644)
	commit(t, repository, "init", "--quiet", "--initial-branch=main")
	said := run(t, filepath.Join(dir, "client"), []string{"XDG_CACHE_HOME=" + dir}, "node", "client.mjs", program, repository)
	var told struct {
		Tools, Progress, Faults []string
		After                   int
		Answers                 []struct {
			Name, Text string
			Error      bool
			Complete   *bool
			Rows       int
		}
	}
	if err := json.Unmarshal([]byte(said), &told); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if got := strings.Join(told.Tools, " "); got != "context find impact map more read references thread" {
		t.Errorf("tools: %s", got)
	}
	if len(told.Faults) > 0 || told.After != 1 || len(told.Answers) != 12 {
		t.Errorf("%s", said)
	}
	if got := strings.Join(told.Progress, " "); !strings.HasPrefix(got, "open scan compare graph select") {
		t.Errorf("progress: %s", got)
	}
	if a := told.Answers[5]; a.Error || a.Rows != 2 || a.Complete == nil || !*a.Complete || !strings.Contains(a.Text, "2: openTill([1])") {
		t.Errorf("references: %+v", a)
	}
}
