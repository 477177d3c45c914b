package brief

import (
	"strings"
	"testing"
)

// TestFew: reasons that have no room are passed over for shorter ones, and only a first one that is too long is cut.
func TestFew(t *testing.T) {
	for _, c := range []struct{ why, want string }{
		{"", ""},
		{"tests a.go|says b, c", "tests a.go · says b, c"},
		{"one two three four five six seven|one two three four five six|says a", "one two three four five six seven · says a"},
		{"1 2 3 4 5 6 7 8 9 10 11 12 13|says a", "1 2 3 4 5 6 7 8 9 10 11 12 …"},
	} {
		if got := few(strings.FieldsFunc(c.why, func(r rune) bool { return r == '|' })); got != c.want {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
	}
}

// TestShortPaths: reasons name a file by as much of its path as no other file ends with; where three parts do not tell, by all of it.
func TestShortPaths(t *testing.T) {
	var sources []Source
	for _, name := range []string{"src/a/one.kt", "src/b/two.kt", "lib/b/two.kt", "x/p/q/mod.rs", "y/p/q/mod.rs", "top.go"} {
		sources = append(sources, Source{Path: name})
	}
	short := newShortPaths(sources)
	for why, want := range map[string]string{
		"uses One, which the change touches (src/a/one.kt:31)": "uses One, which the change touches (one.kt:31)",
		"2 imports from lib/b/two.kt, by way of src/b/two.kt":  "2 imports from lib/b/two.kt, by way of src/b/two.kt",
		"next to x/p/q/mod.rs":                                 "next to x/p/q/mod.rs",
		"tests top.go, src/a/one.kt.":                          "tests top.go, src/a/one.kt.",
		"says src/a/gone.kt":                                   "says src/a/gone.kt",
	} {
		if got := short.reasons([]string{why})[0]; got != want {
			t.Errorf("%s: %s, want %s", why, got, want)
		}
	}
}
