package diff

import (
	"fmt"
	"strings"
	"testing"
)

func TestTouched(t *testing.T) {
	lines := func(list ...string) *Side { return &Side{Mode: 0o644, Text: []byte(strings.Join(list, "\n") + "\n")} }
	long := make([]string, 40)
	for i := range long {
		long[i] = fmt.Sprint("line ", i+1)
	}
	changed := append([]string(nil), long...)
	changed[9] = "new 10"
	changed = append(changed[:30], changed[31:]...)
	for _, c := range []struct {
		before, after *Side
		want          string
	}{
		{lines("a", "b", "c"), lines("a", "x", "c"), "[2]"},
		{lines("a", "b", "c"), lines("a", "c"), "[2]"},
		{lines("a"), lines("a", "b", "c"), "[2 3]"},
		{nil, lines("a", "b"), "[1 2]"},
		{lines(long...), lines(changed...), "[10 31]"},
		{lines("def a():", "  b", "  c", "", "d"), lines("def a():", "  b", "", "d"), "[2]"},
		{lines("def a():", "  b", "  c"), lines("def a():", "  b"), "[2]"},
		{lines("a() {", "}", "", "b() {", "}", "", "c() {", "}"), lines("a() {", "}", "", "c() {", "}"), "[3]"},
		{lines("a() {", "}", "", "b() {", "}", ""), lines("a() {", "}", ""), "[4]"},
		{lines("b() {", "}", "", "c() {", "}"), lines("c() {", "}"), "[1]"},
		{lines("a", "", "b", "", "c"), lines("a", "", "c"), "[2]"},
		{lines("@b", "a"), lines("a"), "[1]"},
		{lines("-- a", "++ b"), lines("-- a", "@@ -1 +9 @@", "++ b"), "[2]"},
	} {
		status := Modified
		if c.before == nil {
			status = Added
		}
		p := new(Drawing).Draw(Change{Status: status, Path: "a"}, c.before, c.after)
		if got := fmt.Sprint(Touched(p.Text)); got != c.want {
			t.Errorf("%s, want %s\n%s", got, c.want, p.Text)
		}
	}
}
