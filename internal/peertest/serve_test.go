package peertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOfficialClients has the protocol's own clients of TypeScript list the live server's tools, call each, check every answer against its schema,
// see progress, and call a call off: the SDK of version 1, the client of version 2 as it comes, and with the protocol that knows no
// sessions. The inspector's command line lists and calls them, and must find no schema that some models cannot be told.
func TestOfficialClients(t *testing.T) {
	need(t, "git", "npm")
	dir, repository := t.TempDir(), t.TempDir()
	program := filepath.Join(dir, "haversack")
	run(t, module(t), []string{"CGO_ENABLED=0"}, "go", "build", "-o", program, "./cmd/action")
	client := filepath.Join(dir, "client")
	if err := os.CopyFS(client, os.DirFS("testdata/serve-client")); err != nil {
		t.Fatal(err)
	}
	run(t, client, nil, "npm", "ci", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund")
	write(t, filepath.Join(repository, "shop", "till.ts"), []byte("export function openTill(coins: number[]) { return coins.length }\n"), 0o644)
	write(t, filepath.Join(repository, "shop", "day.ts"), []byte("import { openTill } from './till'\nopenTill([1])\n"), 0o644)
	// The clients forget what they are told of a call once its answer is there: each step has to take its time.
	for n := range 3000 {
		shelf := fmt.Sprintf("export function shelf%d(goods: string[]) {\n  return goods.slice(%d)\n}\n", n, n)
		write(t, filepath.Join(repository, "stock", fmt.Sprintf("row%d", n/50), fmt.Sprintf("shelf%d.ts", n)), []byte(strings.Repeat(shelf, 20)), 0o644)
	}
	commit(t, repository, "init", "--quiet", "--initial-branch=main")
	env := []string{"XDG_CACHE_HOME=" + dir, "HOME=" + dir}
	for name, asked := range map[string]struct {
		args     []string
		protocol string
	}{
		"SDK of version 1":                    {[]string{"1", program, repository}, ""},
		"client of version 2":                 {[]string{"2", program, repository}, "2025-11-25"},
		"client of version 2 without session": {[]string{"2", program, repository, "2026-07-28"}, "2026-07-28"},
	} {
		t.Run(name, func(t *testing.T) {
			said := run(t, client, env, "node", append([]string{"client.mjs"}, asked.args...)...)
			var told struct {
				Protocol                string
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
			if told.Protocol != asked.protocol {
				t.Errorf("protocol %s", told.Protocol)
			}
			if got := strings.Join(told.Tools, " "); got != serveTools {
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
		})
	}
	t.Run("inspector", func(t *testing.T) {
		inspect := func(args ...string) string {
			launcher := filepath.Join(client, "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
			return run(t, repository, env, "node", append([]string{launcher, "--cli", program, "serve"}, args...)...)
		}
		list := inspect("--method", "tools/list", "--strict")
		if strings.Contains(list, "warning") || strings.Contains(list, "Issue:") {
			t.Errorf("schemas: %s", list)
		}
		for tool, args := range map[string][]string{
			"find": {"query=openTill"}, "read": {"path=shop/till.ts"}, "references": {"of=openTill"}, "map": {"depth=1"}, "context": {"task=count coins twice"},
			"thread": {"thread=peer", "action=read", "path=shop/till.ts"},
		} {
			more := []string{"--method", "tools/call", "--tool-name", tool}
			for _, a := range args {
				more = append(more, "--tool-arg", a)
			}
			var got struct {
				IsError           bool
				StructuredContent struct{ Rows []json.RawMessage }
			}
			if said := inspect(more...); json.Unmarshal([]byte(said), &got) != nil || got.IsError || len(got.StructuredContent.Rows) == 0 {
				t.Errorf("%s: %s", tool, said)
			}
		}
	})
}

// serveTools are the live server's, in order.
const serveTools = "context find impact map more read references thread"
