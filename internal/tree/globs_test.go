package tree

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/haversack-dev/haversack/internal/seedtest"
)

// odd are patterns that mean something to doublestar alone, such as three stars, or two that are no element.
var (
	odd     = regexp.MustCompile(`/$|//|\*\*\*|[^/]\*\*|\*/\*\*`)
	negated = regexp.MustCompile(`\[[!^]`)
)

// Patterns that are matched all at once match what each of them does alone.
func TestGlobs(t *testing.T) {
	seed := seedtest.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{"a", "b", "/", "/", "*", "**", "**/", "/**", "/**/", "?", "[a-b]", "[^a]", "[!é]", `\*`, `\a`, "é", "aa", "*a", "[é-ü]"}
	signs := []string{"a", "b", "/", "/", "*", "é", "aa", "\xff"}
	random := func(list []string, n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(list[r.IntN(len(list))])
		}
		return b.String()
	}
	matched := 0
	for range 300 {
		var g Globs
		var globs []string
		for len(globs) < 20 {
			if p := random(pieces, 6); doublestar.ValidatePattern(p) && !odd.MatchString(p) {
				if n := g.Add(p); n != len(globs) {
					t.Fatalf("number %d of %d", n, len(globs))
				}
				globs = append(globs, p)
			}
		}
		for range 20 {
			name := random(signs, 8)
			if !Valid(name) || strings.HasSuffix(name, "/") {
				continue
			}
			var got, want []int
			g.Match(name, func(i int) { got = append(got, i) })
			got = slices.Compact(got)
			for i, p := range globs {
				if strings.Contains(name, "/") && negated.MatchString(p) {
					// A class is of no slash here, as in git.
					got = slices.DeleteFunc(got, func(k int) bool { return k == i })
					continue
				}
				if doublestar.MatchUnvalidated(p, name) {
					want = append(want, i)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q is matched by %d, want %d, of %q", name, got, want, globs)
			}
			matched += len(got)
		}
	}
	if matched == 0 {
		t.Error("nothing matches")
	}
}
