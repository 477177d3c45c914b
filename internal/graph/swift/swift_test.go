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
	roots, sources := graphtest.New(t, map[string]string{
		"Package.swift": "", "Sources/Kit/Ring.swift": "struct Ring { struct Gem {} }\nfunc turn() {}", "Sources/Kit/Use.swift": "let g = Ring.Gem()", "Sources/App/Call.swift": "import Kit\nfunc f() { turn() }",
	})
	q := graphtest.Request(Provider, roots, sources)
	q.UsersOf = []string{"Sources/Kit/Ring.swift"}
	a, err := Provider.Build(t.Context(), q)
	if got, want := fmt.Sprint(a.Users), "map[Sources/Kit/Ring.swift:map[Ring:[Sources/Kit/Use.swift] turn:[Sources/App/Call.swift]]]"; err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
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
		files := map[string]string{"Package.swift": manifest, "Sources/A/a.swift": text, "Sources/B/b.swift": text + "\nstruct X {}", "b/c.swift": text}
		roots, sources := graphtest.New(t, files)
		q := graphtest.Request(Provider, roots, sources)
		q.UsersOf = []string{"Sources/B/b.swift"}
		a, err := Provider.Build(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for from, list := range a.Edges {
			for _, e := range list {
				if _, ok := files[e.Target]; !ok || e.Target == from {
					t.Fatalf("%s -> %s", from, e.Target)
				}
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) { graphtest.Benchmark(b, Provider, "") }
