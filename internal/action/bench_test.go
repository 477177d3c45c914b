package action

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// BenchmarkRun packs a real tree with defaults: the folder in HAVERSACK_TREE,
// else the go command's sources.
func BenchmarkRun(b *testing.B) {
	dir := os.Getenv("HAVERSACK_TREE")
	if dir == "" {
		dir = filepath.Join(runtime.GOROOT(), "src", "cmd", "go")
	}
	if _, err := os.Stat(dir); err != nil {
		b.Skip(err)
	}
	out := b.TempDir()
	for b.Loop() {
		c := Command{Args: []string{"--path", dir, "--output-dir", out}, Getenv: func(string) string { return "" }, Stdout: io.Discard, Stderr: io.Discard}
		if err := c.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
