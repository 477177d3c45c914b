package brief

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/rank"
)

// TestOtherTests: a small document needs other tests less where the change brings its own; a large one, and one of code alone, as much.
func TestOtherTests(t *testing.T) {
	files := map[string]string{"keel.go": "package a\n\nfunc keelOf(n int) int { return n }\n", "keel_test.go": "package a\n\nfunc TestKeel() { keelOf(1) }\n",
		"rib_test.go": "package a\n\nfunc TestRib() { keelOf(2) }\n", "rib.go": "package a\n\nfunc rib() { keelOf(2) }\n"}
	order := orderOf(t, files, rank.Change{Path: "keel.go", Patch: []byte("@@ -3 +3 @@\n-func keelOf(n int) int { return 1 }\n+func keelOf(n int) int { return n }\n")},
		rank.Change{Path: "keel_test.go", Patch: []byte("@@ -3 +3 @@\n-func TestKeel() { keelOf(2) }\n+func TestKeel() { keelOf(1) }\n")})
	read := func(p string, _ bool) (*Source, error) {
		if p == "keel.go" || p == "keel_test.go" {
			return nil, nil
		}
		return &Source{Path: p, Text: files[p], Definitions: define(t, p, files[p])}, nil
	}
	changed := func(p string) Source {
		return Source{Path: p, Name: p, Text: files[p], Definitions: define(t, p, files[p]), Changed: true, Touched: []int{3}}
	}
	needs := func(tokens int, those ...Source) map[string]int64 {
		list, err := Needed(order, Budget{Tokens: tokens, Least: -1 << 60}, those, read)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, s := range list {
			got[s.Path] = s.Needs[len(s.Needs)-1]
		}
		return got
	}
	alone, both := needs(8_000, changed("keel.go")), needs(8_000, changed("keel.go"), changed("keel_test.go"))
	if alone["rib_test.go"]-both["rib_test.go"] != ofOtherTest || alone["rib.go"] != both["rib.go"] {
		t.Errorf("beside code %v, beside code and a test %v", alone, both)
	}
	alone, both = needs(32_000, changed("keel.go")), needs(32_000, changed("keel.go"), changed("keel_test.go"))
	if both["rib_test.go"] < alone["rib_test.go"] {
		t.Errorf("in a large document beside code %v, beside code and a test %v", alone, both)
	}
}

// TestIgnored: a list of what a tool passes over is read for a change of such a list alone, and one for an image that is made.
func TestIgnored(t *testing.T) {
	for _, c := range []struct {
		name, changed string
		want          bool
	}{{".gitignore", "a.go", false}, {"web/.dockerignore", "a.go", false}, {".dockerignore", "Dockerfile", true}, {".gitignore", "Dockerfile", false},
		{".gitignore", "web/.npmignore", true}, {"ignore.go", "a.go", true}} {
		if got := !listsIgnored(c.name) || asksForIgnored(c.name, []Source{{Path: c.changed, Changed: true}}); got != c.want {
			t.Errorf("%s beside a change of %s: %v", c.name, c.changed, got)
		}
	}
}

// TestSisters: two files of a changed one's name tell how it is written, and more of them are needed less; of code each may be needed.
func TestSisters(t *testing.T) {
	source := func(name string, need int64) *Source {
		return &Source{Path: name, Name: name, Needs: []int64{need, need - 1}}
	}
	list := []*Source{source("a/board.json", 1), source("b/board.json", 3), source("c/board.json", 2), source("c/other.json", 0), source("d/index.ts", 0), source("e/index.ts", 0),
		source("f/index.ts", 0), {Path: "empty/board.json", Name: "empty/board.json"}}
	lowerSisters([]*Source{source("x/board.json", 0), source("x/index.ts", 0)}, list)
	for n, want := range []int64{1 - ofSister, 3, 2, 0, 0, 0, 0} {
		if got := list[n].Needs[0]; got != want || list[n].Needs[1] != want-1 {
			t.Errorf("%s: %d, want %d", list[n].Name, got, want)
		}
	}
}

// TestPlaceWhole: files taken whole have a place each, the first one the file that uses most of what changes, though another is shorter.
func TestPlaceWhole(t *testing.T) {
	files := map[string]string{"keel.go": "package a\n\nfunc keelOf(n int) int { return n }\n", "rib.go": "package a\n\nfunc rib() { keelOf(2) }\n\nfunc ribs() { keelOf(3) }\n",
		"sail.go": "package a\n\n// sail stands over the keel.\nfunc sail(n int) int { return n + 1 }\n", "mast.go": "package a\n\n// mast stands on the keel.\nfunc mast(n int) int { return n - 1 }\n"}
	order := orderOf(t, files, rank.Change{Path: "keel.go", Patch: []byte("@@ -3 +3 @@\n-func keelOf(n int) int { return 1 }\n+func keelOf(n int) int { return n }\n")})
	read := func(p string, _ bool) (*Source, error) {
		return &Source{Path: p, Text: files[p], Definitions: define(t, p, files[p])}, nil
	}
	changed := Source{Path: "keel.go", Name: "keel.go", Text: files["keel.go"], Definitions: define(t, "keel.go", files["keel.go"]), Changed: true, Touched: []int{3}}
	list, err := Needed(order, Budget{Tokens: 100_000, Least: -1 << 60}, []Source{changed}, read)
	if err != nil {
		t.Fatal(err)
	}
	places := map[int]string{}
	for _, s := range list {
		if !s.Changed {
			places[s.Place] = s.Path
		}
	}
	if len(places) != 3 || places[1] != "rib.go" || places[0] != "" {
		t.Errorf("%v", places)
	}
	others := []*Source{{Name: "a.go", Place: 2, Rows: make([]rank.Row, 1), sizes: []int32{900}}, {Name: "b.go", Place: 1, Rows: make([]rank.Row, 1), sizes: []int32{20_000}}}
	if placeWhole(order, others, 10); others[0].Place != 2 {
		t.Errorf("the files of a large repository have another order: %d", others[0].Place)
	}
	if placeWhole(order, others, 1000); others[0].Place != 1 {
		t.Errorf("of two files that nothing speaks for the long one comes first: %d", others[0].Place)
	}
}
