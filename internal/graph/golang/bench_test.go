package golang

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

// BenchmarkBuild reads Go's own sources if no folder is said.
func BenchmarkBuild(b *testing.B) {
	own := os.Getenv("GOROOT")
	if own != "" {
		own = filepath.Join(own, "src", "net")
	}
	graphtest.Benchmark(b, Provider, own, "vendor")
}
