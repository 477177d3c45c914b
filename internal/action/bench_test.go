package action

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkRun packs a real tree with defaults: the folder in HAVERSACK_TREE,
// else this repository.
func BenchmarkRun(b *testing.B) {
	dir := os.Getenv("HAVERSACK_TREE")
	if dir == "" {
		dir = filepath.Join("..", "..")
	}
	out := b.TempDir()
	for b.Loop() {
		c := Command{Args: []string{"--path", dir, "--output-dir", out}, Getenv: func(string) string { return "" }, Stdout: io.Discard, Stderr: io.Discard}
		if err := c.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
