package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestFullDiskServed fills the disk that the live server's store is on: the call that finds no room is answered with that error, the store's
// file stays as it was, the server answers on, and once there is room again it remembers.
func TestFullDiskServed(t *testing.T) {
	if testing.Short() {
		t.Skip("mounts a disk")
	}
	dir := grown(t, 3)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("mounting a disk: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	store := filepath.Join(disk, "tills.db")
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: started(context.WithoutCancel(t.Context()), dir, "serve", "--store", store)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	call := func(action, file string) (said string, failed bool) {
		got, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "thread", Arguments: map[string]any{"thread": "tills", "action": action, "path": file}})
		if err != nil {
			t.Fatal(err)
		}
		return got.Content[0].(*mcp.TextContent).Text, got.IsError
	}
	if said, failed := call("read", "src/d0/f0.ts"); failed {
		t.Fatal(said)
	}
	before, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, bytes.Repeat([]byte{1}, 4<<20), 0o600); err == nil {
		t.Fatal("the disk takes more than it has room for")
	}
	for range 2 {
		said, failed := call("read", "src/d1/f1.ts")
		if !failed || !strings.Contains(said, "there is no space left for it") {
			t.Errorf("on a full disk: %v %s", failed, said)
		}
	}
	if now, err := os.ReadFile(store); err != nil || !bytes.Equal(now, before) {
		t.Errorf("the store is not as it was: %v", err)
	}
	found, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "find", Arguments: map[string]any{"query": "a1"}})
	if err != nil || found.IsError || !strings.Contains(fmt.Sprint(found.Content[0].(*mcp.TextContent).Text), "f1.ts") {
		t.Errorf("the server answers no more: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if said, failed := call("read", "src/d1/f1.ts"); failed {
		t.Errorf("with room again: %s", said)
	}
	if said, _ := call("", ""); !strings.Contains(said, "src/d0/f0.ts") || !strings.Contains(said, "src/d1/f1.ts") {
		t.Errorf("what was read: %s", said)
	}
	if left, err := filepath.Glob(filepath.Join(disk, "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
