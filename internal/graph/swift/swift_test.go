package swift

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph/graphtest"
)

func TestTables(t *testing.T) { graphtest.Tables(t, Provider) }

// TestUsers asks who uses what a file declares.
func TestUsers(t *testing.T) {
	files := map[string]string{
		"Package.swift": "", "Sources/Kit/Ring.swift": "struct Ring { struct Gem {} }\nfunc turn() {}", "Sources/Kit/Use.swift": "let g = Ring.Gem()", "Sources/App/Call.swift": "import Kit\nfunc f() { turn() }",
	}
	if got, want := graphtest.Users(t, Provider, files, "Sources/Kit/Ring.swift"), "map[Sources/Kit/Ring.swift:map[Ring:[Sources/Kit/Use.swift] turn:[Sources/App/Call.swift]]]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestWorst asks for types within types, manifests of one target after the other, modules that hand one another on.
func TestWorst(t *testing.T) {
	var many, targets strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, "struct A%d: B%d.C%d { func f() { a%d(1) } }\n", i, i, i, i)
		fmt.Fprintf(&targets, ".target(name: \"T%d\", path: \"T%d\",\n", i, i)
	}
	files := map[string]string{"Package.swift": targets.String(), "Sources/A/A.swift": many.String(), "Sources/A/B.swift": strings.Repeat("struct A {", 50_000), "Sources/A/C.swift": strings.Repeat("func f<", 50_000) + strings.Repeat("A.", 100_000)}
	for i := range 60 {
		files[fmt.Sprintf("Sources/M%d/X.swift", i)] = fmt.Sprintf("@_exported import M%d\n@_exported import M%d\nlet x: Nowhere.A1 = A2()\nstruct A3 {}", (i+1)%60, (i+7)%60)
	}
	graphtest.Stress(t, Provider, files)
}

func FuzzBuild(f *testing.F) {
	f.Add("@_exported import struct B.X\nextension A.B<T> { enum C: D { case e(F) } }\nfunc g<each H>(_ i: I.J?) -> K { l() }", "let p = Package(targets: [.target(name: \"A\", path: \"b\")])")
	f.Fuzz(func(t *testing.T, text, manifest string) {
		if len(text) > 5_000 {
			return
		}
		graphtest.Edges(t, Provider, map[string]string{"Package.swift": manifest, "Sources/A/a.swift": text, "Sources/B/b.swift": text + "\nstruct X {}", "b/c.swift": text}, "Sources/B/b.swift")
	})
}

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
