package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestServe talks to the verb serve in a process of its own, as clients do.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := filepath.Join(t.TempDir(), "r")
	var long strings.Builder
	for n := range 6000 {
		fmt.Fprintf(&long, "print(%d)\n", n+1)
	}
	for name, text := range map[string]string{"shop/long.py": long.String(), "shop/till.py": "def open_till(coins):\n    return sum(coins)\n", "shop/day.py": "from shop.till import open_till\n\nprint(open_till([1]))\n", "shop/__init__.py": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, os.Args[0], "serve")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), asProgram+"=1", "GIT_CONFIG_GLOBAL=/dev/null", "XDG_CACHE_HOME="+filepath.Join(dir, "..", "cache"))
		return cmd
	}
	t.Run("a client", func(t *testing.T) {
		var steps []string
		client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			steps = append(steps, r.Params.Message)
		}})
		c, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: program(t.Context())}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tools, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools.Tools {
			if tool.OutputSchema == nil || tool.InputSchema == nil || tool.Annotations == nil || tool.Annotations.ReadOnlyHint == (tool.Name == "more" || tool.Name == "thread") {
				t.Errorf("%s: %+v", tool.Name, tool.Annotations)
			}
		}
		call := &mcp.CallToolParams{Name: "references", Arguments: map[string]any{"of": "open_till"}}
		call.SetProgressToken("p")
		got, err := c.CallTool(t.Context(), call)
		if err != nil || got.IsError {
			t.Fatal(err, got)
		}
		if said := got.Content[0].(*mcp.TextContent).Text; !strings.Contains(said, "shop/day.py  (imports it)\n  1: from shop.till import open_till\n  3: print(open_till([1]))\n") {
			t.Error(said)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if strings.Join(steps, " ") != "open scan compare graph select" {
			t.Errorf("progress: %q", steps)
		}
	})
	t.Run("a thread", func(t *testing.T) {
		ask := func(c *mcp.ClientSession, name string, arguments map[string]any) string {
			t.Helper()
			got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
			if err != nil {
				t.Fatal(err)
			}
			return got.Content[0].(*mcp.TextContent).Text
		}
		for i, calls := range [][]struct {
			tool      string
			arguments map[string]any
			want      string
		}{
			{
				{"thread", map[string]any{"thread": "tills"}, "Nothing is found."},
				{"thread", map[string]any{"thread": "tills", "action": "read", "path": "shop/till.py"}, "return sum(coins)"},
				{"read", map[string]any{"thread": "tills", "path": "shop/till.py"}, "shop/till.py:1-2  (you have it)\n\n---\nComplete: 1 of 1 found. Searched: the file as it may be shown.\nYou have shop/till.py already, unchanged since run 1.\nWhat you have is not sent again; again: true sends it."},
				{"read", map[string]any{"thread": "tills", "path": "shop/till.py", "from": 2}, "shop/till.py:2  (you have it)\n\n"},
				{"read", map[string]any{"thread": "tills", "symbol": "open_till"}, "shop/till.py:1-2  func open_till  (you have it)\n"},
				{"thread", map[string]any{"thread": "tills", "action": "read", "path": "shop/till.py"}, "shop/till.py:1-2  (you have it)\n\n"},
				{"read", map[string]any{"thread": "tills", "path": "shop/till.py", "again": true}, "return sum(coins)"},
				{"read", map[string]any{"thread": "tills", "symbol": "open_till", "again": true}, "return sum(coins)"},
				{"read", map[string]any{"thread": "tills", "path": "shop/day.py"}, "print(open_till([1]))"},
				{"thread", map[string]any{"thread": "tills", "action": "read", "path": "shop/till.py", "again": true}, "return sum(coins)"},
				{"thread", map[string]any{"thread": "long", "action": "read", "path": "shop/long.py"}, "It is longer than this answer"},
				{"read", map[string]any{"thread": "long", "path": "shop/long.py", "from": 5999}, "print(5999)"},
				{"thread", map[string]any{"thread": "long", "action": "read", "path": "shop/long.py", "max_tokens": 200000, "max_characters": 200000}, "print(5999)"},
				{"read", map[string]any{"thread": "long", "path": "shop/long.py", "from": 5999}, "shop/long.py:5999-6000  (you have it)"},
				{"read", map[string]any{"thread": "another", "path": "shop/till.py"}, "Complete: 1 of 1"},
				{"thread", map[string]any{"thread": "tills", "action": "pin", "path": "shop/till.py"}, "shop/till.py  file  (read, active, pinned, as you have it since run 1)"},
				{"thread", map[string]any{"thread": "tills", "action": "pin", "path": "shop/day.py"}, "never met this object: the action read has it meet a file"},
				{"thread", map[string]any{"thread": "tills", "action": "burn"}, "no \"burn\""},
				{"thread", map[string]any{}, "thread: empty"},
			},
			{ // another process, after an edit
				{"read", map[string]any{"thread": "tills", "path": "shop/till.py"}, "shop/till.py has changed since you read it in run "},
				{"thread", map[string]any{"thread": "tills"}, "1 file has changed since you got it."},
				{"thread", map[string]any{"thread": "tills", "action": "render"}, "return max(coins)"},
			},
		} {
			c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: program(t.Context())}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range calls {
				if said := ask(c, x.tool, x.arguments); !strings.Contains(said, x.want) {
					t.Errorf("process %d: %s %v: no %q in %q", i, x.tool, x.arguments, x.want, said)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "shop/till.py"), []byte("def open_till(coins):\n    return max(coins)\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	// connected starts a server with a store of its own, and a client of it that returns what a tool says.
	connected := func(t *testing.T, store string) func(tool string, arguments map[string]any) string {
		ctx := context.WithoutCancel(t.Context()) // it ends when its client closes, below, and clears up behind it
		cmd := program(ctx)
		cmd.Args = append(cmd.Args, "--store", store)
		c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
		return func(tool string, arguments map[string]any) string {
			got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
			if err != nil {
				t.Error(err)
				return ""
			}
			return got.Content[0].(*mcp.TextContent).Text
		}
	}
	t.Run("a spoilt store", func(t *testing.T) {
		store := filepath.Join(t.TempDir(), "tills.db")
		spoilt := []byte(strings.Repeat("no coin in this till; ", 500))
		if err := os.WriteFile(store, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		call := connected(t, store)
		read := map[string]any{"thread": "tills", "action": "read", "path": "shop/day.py", "again": true}
		for range 2 {
			if said := call("thread", read); !strings.Contains(said, "print(open_till([1]))") {
				t.Error(said)
			}
		}
		if said := call("read", map[string]any{"thread": "tills", "path": "shop/day.py"}); !strings.Contains(said, "You have shop/day.py already") {
			t.Error(said)
		}
		if aside, err := os.ReadFile(store + ".aside-1"); err != nil || !bytes.Equal(aside, spoilt) {
			t.Errorf("what was there is not set aside as it was: %v", err)
		}
	})
	t.Run("two servers of one store", func(t *testing.T) {
		store := filepath.Join(t.TempDir(), "tills.db")
		var both sync.WaitGroup
		for _, file := range []string{"shop/day.py", "shop/__init__.py"} {
			call := connected(t, store)
			both.Go(func() {
				for i := range 15 {
					said := call("thread", map[string]any{"thread": "tills", "action": []string{"read", "activate", "pin"}[i%3], "path": file})
					if !strings.Contains(said, file) {
						t.Errorf("%s: %s", file, said)
					}
				}
			})
		}
		both.Wait()
		said := connected(t, store)("thread", map[string]any{"thread": "tills"})
		for _, want := range []string{"shop/day.py  file  (read, active, pinned", "shop/__init__.py  file  (read, active, pinned"} {
			if !strings.Contains(said, want) {
				t.Errorf("no %q in %s", want, said)
			}
		}
	})
	t.Run("lines", func(t *testing.T) {
		cmd := program(t.Context())
		call := func(id, name, arguments string) string {
			return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}` + "\n"
		}
		cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
			call("1", "find", `{"query":"`+strings.Repeat("x", 16<<20)+`"}`) +
			call("2", "read", `{"path":"../../etc/passwd"}`) + call("3", "none", `{}`) + call("4", "find", `{"query":"open_till"}`))
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &said
		if err := cmd.Run(); err != nil {
			t.Fatal(err, said.String())
		}
		answers := map[string]string{}
		for line := range strings.Lines(out.String()) {
			var a struct {
				ID     json.Number
				Error  json.RawMessage
				Result json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatalf("%q is no message: %v", line, err)
			}
			answers[a.ID.String()] = string(a.Error) + string(a.Result)
		}
		for id, want := range map[string]string{"1": "more than 4194304 bytes", "2": "leads out of the root", "3": "none", "4": "shop/till.py:1"} {
			if !strings.Contains(answers[id], want) {
				t.Errorf("%s: %q has no %q", id, answers[id], want)
			}
		}
	})
	const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	ask := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"references","arguments":{"of":"open_till"}}}`+"\n", id)
	}
	t.Run("a thousand at once", func(t *testing.T) {
		cmd := program(t.Context())
		var in strings.Builder
		in.WriteString(hello)
		for id := 1; id <= 1000; id++ {
			in.WriteString(ask(id))
			if id%3 == 0 {
				fmt.Fprintf(&in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", id)
			}
		}
		cmd.Stdin = strings.NewReader(in.String())
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		answered := map[string]bool{}
		for line := range strings.Lines(string(out)) {
			var a struct {
				ID     json.Number
				Result json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatalf("%q is no message: %v", line, err)
			}
			answered[a.ID.String()] = strings.Contains(string(a.Result), "shop/day.py")
		}
		for id := 1; id <= 1000; id++ {
			if id%3 != 0 && !answered[fmt.Sprint(id)] {
				t.Fatalf("%d of %d are answered, and %d is not", len(answered), 1000, id)
			}
		}
	})
	t.Run("a client that goes", func(t *testing.T) {
		cmd := program(t.Context())
		temp := t.TempDir()
		cmd.Env = append(cmd.Env, "TMPDIR="+temp, "TMP="+temp)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for id := range 20 {
			if _, err := io.WriteString(in, map[bool]string{true: hello, false: ask(id)}[id == 0]); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.ReadFull(out, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		out.Close() // in the midst of an answer
		in.Close()
		_ = cmd.Wait() // it ends, whatever it is told of the broken pipe
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 || !cmd.ProcessState.Exited() {
			t.Errorf("%v: it leaves %v behind: %v", cmd.ProcessState, left, err)
		}
		if strings.Contains(said.String(), "panic") || strings.Contains(said.String(), "goroutine") {
			t.Error(said.String())
		}
	})
}
