package action

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestHeldIsLeftOut: random edits, reverts, deletions, commits and hand-overs. Of each file whose text is not what the reader was shown
// last, a context shows every line that is not in it; what it names as had is as it was shown.
func TestHeldIsLeftOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const names = 6
	draw := rand.New(rand.NewPCG(11, 46))
	text := func(n int, version [2]int) string {
		var b strings.Builder
		if n > 0 {
			fmt.Fprintf(&b, "from jar%d import seal%d\n\n\n", n-1, n-1)
		}
		fmt.Fprintf(&b, "def seal%d(lid):\n    return lid + %d%03d\n\n\ndef open%d(lid):\n    return lid - %d%03d\n", n, n+1, version[0], n, n+1, version[1])
		return b.String()
	}
	r := repotest.New(t, "-- .gitignore --\n.stan\n")
	now, shown := map[string]string{}, map[string]string{}
	for n := range names {
		now[fmt.Sprintf("jar%d.py", n)] = text(n, [2]int{})
		put(t, r.Dir, fmt.Sprintf("jar%d.py", n), text(n, [2]int{}))
	}
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "jars")
	if _, err := execute(t, r.Dir, nil, "context", "--session", "s", "--base", "none", "--fill", "none", "--include", "*.py"); err != nil {
		t.Fatal(err)
	}
	maps.Copy(shown, now)
	versions, named := 0, 0
	var state [names][2]int
	for step := range 24 {
		for range 1 + draw.IntN(2) {
			n := draw.IntN(names)
			name := fmt.Sprintf("jar%d.py", n)
			for half := range 2 {
				switch draw.IntN(4) {
				case 0: // as the first commit has it
					state[n][half] = 0
				case 1:
				default:
					versions++
					state[n][half] = versions
				}
			}
			now[name] = text(n, state[n])
			put(t, r.Dir, name, now[name])
		}
		if draw.IntN(4) == 0 {
			r.Git("commit", "-q", "-a", "--allow-empty", "-m", "more")
		}
		at := filepath.Join(r.Dir, ".stan/output/context.md")
		os.Remove(at)
		if _, err := execute(t, r.Dir, nil, "context", "--session", "s", "--base", "session"); err != nil {
			t.Fatal(err)
		}
		doc, _ := os.ReadFile(at)
		have := ""
		for line := range strings.Lines(string(doc)) {
			if strings.HasPrefix(line, "You have: ") {
				have = line
			}
		}
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if now[name] == shown[name] {
				continue
			}
			for line := range strings.Lines(now[name]) {
				if !strings.Contains(shown[name], line) && !strings.Contains(string(doc), line) {
					t.Errorf("step %d: %s changed since it was shown, and %q is not told:\n%s", step, name, line, doc)
				}
			}
			if strings.Contains(have, "`"+name+"`") {
				t.Errorf("step %d: %s changed since it was shown, and is named as had", step, name)
			}
			shown[name] = now[name]
		}
		if have != "" {
			named++
		}
	}
	if named == 0 {
		t.Error("no document names anything as had")
	}
}
