package golang

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

// BenchmarkBuild reads the folder HAVERSACK_TREES, or the Go tree's own sources.
func BenchmarkBuild(b *testing.B) {
	dir := os.Getenv("HAVERSACK_TREES")
	if dir == "" {
		dir = filepath.Join(os.Getenv("GOROOT"), "src", "net")
		if os.Getenv("GOROOT") == "" {
			b.Skip("set HAVERSACK_TREES to a folder of Go files")
		}
	}
	roots, sources := graphtest.OpenReal(b, dir, "vendor")
	var size int64
	for _, s := range sources {
		if Provider.Claims(s.Path) {
			size += s.Size
		}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		graphtest.Answer(b, Provider, roots, sources)
	}
}
