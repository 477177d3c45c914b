package brief

import (
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// What a manifest says besides is counted, between the lines that are shown and behind them; and of one that does not fit stand the
// lines that tell most, in their order.
func TestManifest(t *testing.T) {
	const makefile = "all: a\n\tone\n\ttwo\n\tthree\n\tfour\n\tfive\n\nclean:\n\trm\n\ntest:\n\tgo test\n\nX = 1\n"
	m := manifestOf("Makefile", makefile)
	var counter tokens.Counter
	_, whole := m.section(m.steps, &counter)
	for _, c := range []struct {
		room int
		want string
	}{
		{whole, "1\tall: a\n2\t\tone\n3\t\ttwo\n4\t\tthree\n… 2 lines\n8\tclean:\n9\t\trm\n11\ttest:\n12\t\tgo test\n… 1 line\n"},
		{whole - 10, "1\tall: a\n2\t\tone\n3\t\ttwo\n… 5 lines\n11\ttest:\n12\t\tgo test\n… 1 line\n"},
		{20, ""},
	} {
		list, got := m.within(c.room, &counter), ""
		if len(list) > 0 {
			one, n := m.section(list, &counter)
			if n > c.room {
				t.Errorf("%d tokens for %d", n, c.room)
			}
			got = strings.TrimSuffix(strings.SplitN(one.Pieces[0], "\n", 2)[1], "```\n\n")
		}
		if got != c.want {
			t.Errorf("for %d:\n%swant\n%s", c.room, got, c.want)
		}
	}
}

// TestManifestOfJust: recipes whatever their parameters, with what they run; attributes and values are none.
func TestManifestOfJust(t *testing.T) {
	m := manifestOf("justfile", "log := \"a:b\"\n[group: 'dev']\nwatch +args='a: b':\n  cargo watch '{{ args }}'\n\nalias t := test\n@test FILTER=(\"x\" + \"y:\"): build\n\tcargo test\n# note: this\nset shell := ['sh', '-c']\n")
	if want := []int{3, 4, 7, 8}; !slices.Equal(m.steps, want) {
		t.Errorf("%v, want %v", m.steps, want)
	}
}

// A line of a recipe is never told without its target: it would stand below that of another.
func TestManifestTellsTargets(t *testing.T) {
	m := manifestOf("makefile", "default: read\n\nfuzz-a: base.c $(LIB)\n\tcc $< -o $@\n\nfuzz-b: base.c $(LIB)\n\tcc -DTEST $< -o $@\n\nsan-c: base.c\n\tcc -DBUILD $< -o $@\n")
	var counter tokens.Counter
	for room := range 100 {
		first := m.within(room, &counter)
		for _, list := range [][]int{first, m.without(first)} {
			for _, line := range list {
				if above := m.above(line); above > 0 && !slices.Contains(list, above) {
					t.Errorf("in %d tokens line %d stands without line %d", room, line, above)
				}
			}
		}
	}
}
