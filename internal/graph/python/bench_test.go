package python

import (
	"os"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

// BenchmarkBuild reads the folder HAVERSACK_TREES.
func BenchmarkBuild(b *testing.B) {
	dir := os.Getenv("HAVERSACK_TREES")
	if dir == "" {
		b.Skip("set HAVERSACK_TREES to a folder of Python files")
	}
	roots, sources := graphtest.OpenReal(b, dir)
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
