package golang

import (
	"fmt"
	"go/build/constraint"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/seedtest"
)

// tried is whether two constraints can hold together, by trying everything.
func tried(lines ...string) bool {
	var e constraint.Expr
	var free []string
	for _, l := range lines {
		x, err := constraint.Parse(l)
		if err != nil {
			panic(err)
		}
		if e == nil {
			e = x
		} else {
			e = &constraint.AndExpr{X: e, Y: x}
		}
	}
	e.Eval(func(tag string) bool { return false })
	for _, word := range strings.FieldsFunc(e.String(), func(r rune) bool { return strings.ContainsRune(" &|!()", r) }) {
		if _, fixed := known[word]; !fixed && word != "ignore" && !slices.Contains(free, word) {
			free = append(free, word)
		}
	}
	for _, os := range append([]string{""}, systems...) {
		for _, arch := range append([]string{""}, machines...) {
			for set := range 1 << len(free) {
				if e.Eval(func(tag string) bool {
					i := slices.Index(free, tag)
					return tag == os || tag == arch || tag == "unix" && slices.Contains(unix, os) ||
						tag == "linux" && os == "android" || tag == "darwin" && os == "ios" || i >= 0 && set>>i&1 != 0
				}) {
					return true
				}
			}
		}
	}
	return false
}

// expression is a random constraint of a depth.
func expression(r *rand.Rand, depth int) string {
	words := []string{"linux", "windows", "darwin", "ios", "android", "unix", "amd64", "arm64", "wasm", "a", "b", "c", "ignore", "js"}
	switch n := r.IntN(7); {
	case depth == 0 || n < 2:
		return words[r.IntN(len(words))]
	case n < 4:
		return "!" + "(" + expression(r, depth-1) + ")"
	case n < 5:
		return "(" + expression(r, depth-1) + " || " + expression(r, depth-1) + ")"
	}
	return "(" + expression(r, depth-1) + " && " + expression(r, depth-1) + ")"
}

// Two files can be built together where some platform and some tags say so.
func TestTogether(t *testing.T) {
	seed := seedtest.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	yes := 0
	const most = 400
	for range most {
		a, b := "//go:build "+expression(r, 4), "//go:build "+expression(r, 4)
		x, y := conditionOf("a.go", []byte(a+"\n")), conditionOf("b.go", []byte(b+"\n"))
		w := &graph.Work{Steps: 1 << 30}
		if got, want := together(x, y, w), tried(a, b); got != want || w.Cut || x.loose || y.loose {
			t.Fatalf("%s\n%s\ntogether %v, want %v; %+v", a, b, got, want, w)
		} else if got {
			yes++
		}
		if got, want := together(x, nil, w), tried(a); got != want {
			t.Fatalf("%s: can be built %v, want %v", a, got, want)
		}
	}
	if yes == 0 || yes == most {
		t.Errorf("%d of %d can be built together", yes, most)
	}
}

// Constraints that would take long are not worked out, and cost no more for it.
func TestLongConstraints(t *testing.T) {
	long := func(n, tags int) *condition {
		var b strings.Builder
		b.WriteString("//go:build t0")
		for i := range n {
			fmt.Fprintf(&b, " && (!t%d || linux)", i%tags)
		}
		return conditionOf("a.go", []byte(b.String()+"\n"))
	}
	for _, c := range []struct {
		a, b  *condition
		loose bool
	}{
		{long(200, 8), long(200, 8), true},
		{long(40, 9), long(1, 1), true},
		{long(2000, 1), long(1, 1), true}, // over 10,000 bytes
		{long(10, 7), long(10, 7), false},
	} {
		if c.a.loose != c.loose {
			t.Errorf("of %d tags, %d steps: loose %v", len(c.a.tags), len(c.a.code), c.a.loose)
		}
		w := &graph.Work{Steps: 1 << 30}
		if !together(c.a, c.b, w) || 1<<30-w.Steps > maxJoint {
			t.Errorf("%d steps were taken", 1<<30-w.Steps)
		}
	}
	// Where no steps are left, they are said to be built together.
	a, b := conditionOf("a.go", []byte("//go:build t\n")), conditionOf("b.go", []byte("//go:build !t\n"))
	for steps, want := range map[int]bool{0: true, 1000: false} {
		w := &graph.Work{Steps: steps}
		if got := together(a, b, w); got != want || w.Cut != want {
			t.Errorf("with %d steps: %v, %+v", steps, got, w)
		}
	}
}
