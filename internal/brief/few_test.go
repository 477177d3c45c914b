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
