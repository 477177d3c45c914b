package brief

import (
	"fmt"
	"strings"
	"testing"
)

// Below the lines of a file in the first layer stand names of what else it defines, with their lines; where there is room for all lines, none.
func TestRepositoryNamesBesides(t *testing.T) {
	for count, want := range map[int]bool{60: true, 3: false} {
		files := map[string]string{"README.md": "It counts.\n"}
		addCounts(files, count, 12)
		text := strings.Join(described(files, 2000, 0).Document(), "")
		row := ""
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasSuffix(line, ", …") {
				row = line
			}
		}
		line, name := 0, ""
		n, _ := fmt.Sscanf(strings.ReplaceAll(row, ",", " "), "%d %s", &line, &name)
		if named := n == 2 && strings.HasPrefix(name, fmt.Sprintf("Count%dOf", (line-2)/3)); named != want {
			t.Errorf("%d files: %q is a row of names: %v, want %v", count, row, named, want)
		}
		if head := strings.Contains(text, "names with their lines are of what it defines besides, and … says that it defines more."); head != want {
			t.Errorf("%d files: the head says so: %v, want %v", count, head, want)
		}
	}
}

// A document of two layers has the lines themselves in the second.
func TestNoNamesBetween(t *testing.T) {
	files := map[string]string{"README.md": "It counts.\n"}
	addCounts(files, 200, 12)
	for budget, want := range map[int]bool{8000: true, 32_000: false, 128_000: true} {
		text := strings.Join(described(files, budget, 0).Document(), "")
		if got := strings.Contains(text, "names with their lines"); got != want {
			t.Errorf("%d tokens: names are told: %v, want %v", budget, got, want)
		}
	}
}

func TestNameable(t *testing.T) {
	for _, c := range []struct {
		l    signature
		want bool
	}{
		{signature{Definition: Definition{Name: "Quay.moor", Exported: true}}, true},
		{signature{Definition: Definition{Name: "moors a boat"}}, false},
		{signature{Definition: Definition{Name: "limits", Setting: true}}, false},
		{signature{Definition: Definition{Name: "moor"}, first: 3}, false},
		{signature{Definition: Definition{Name: "moor"}, elsewhere: true}, false},
		{signature{}, false},
	} {
		if got := c.l.nameable(); got != c.want {
			t.Errorf("%q: %v, want %v", c.l.Name, got, c.want)
		}
	}
}
