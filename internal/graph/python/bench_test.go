package python

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
