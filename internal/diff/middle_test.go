package diff

import (
	"fmt"
	"strings"
	"testing"
)

// TestMiddle: the patch of the middle of two texts is that of the texts.
func TestMiddle(t *testing.T) {
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf("\tline %d\n", i))
		if i%50 == 20 {
			lines[i] = fmt.Sprintf("heading %d\n", i)
		}
	}
	text := func(edit func(l []string) []string) string {
		return strings.Join(edit(append([]string{}, lines...)), "")
	}
	same := func(l []string) []string { return l }
	cases := map[string][2]string{
		"one line":     {text(same), text(func(l []string) []string { l[500] = "other\n"; return l })},
		"first":        {text(same), text(func(l []string) []string { l[0] = "other\n"; return l })},
		"last":         {text(same), text(func(l []string) []string { l[999] = "other\n"; return l })},
		"no end":       {text(same), strings.TrimSuffix(text(same), "\n")},
		"added":        {text(same), text(func(l []string) []string { return append(l[:600:600], append([]string{"new\n"}, l[600:]...)...) })},
		"taken away":   {text(same), text(func(l []string) []string { return append(l[:300:300], l[320:]...) })},
		"twice a line": {text(same), text(func(l []string) []string { return append(l[:301:301], l[300:]...) })},
		"two":          {text(same), text(func(l []string) []string { l[200], l[700] = "a\n", "b\n"; return l })},
		"all":          {text(same), "x\n"},
		"empty":        {"", text(same)},
		"one, long":    {strings.Repeat("x", 100), strings.Repeat("x", 99) + "y"},
	}
	for name, c := range cases {
		change := Change{Status: Modified, Path: "x"}
		want := new(Drawing).Draw(change, &Side{Text: []byte(c[0])}, &Side{Text: []byte(c[1])})
		above, x, y := Middle([]byte(c[0]), []byte(c[1]))
		got := new(Drawing).Draw(change, &Side{Text: x, Above: above}, &Side{Text: y, Above: above})
		if string(got.Text) != string(want.Text) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got.Text, want.Text)
		}
		if name == "one line" && len(x) > 120*12 {
			t.Errorf("%s: %d bytes stay", name, len(x))
		}
	}
}
