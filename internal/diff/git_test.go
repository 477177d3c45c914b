package diff

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/tree"
)

// world is a folder of files, as they are edited from commit to commit.
type world struct {
	rng   *rand.Rand
	files map[string][]string
	next  int
}

// line is one of few, so that many are equal, now and then one of its own.
func (w *world) line() string {
	const words = "if (x) {\n|}\n|\n|\n|\treturn nil\n|    pass\n|  end\n|\tfor {\n"
	if list := strings.Split(words, "|"); w.rng.IntN(3) > 0 {
		return strings.Repeat("\t", w.rng.IntN(3)) + list[w.rng.IntN(len(list))]
	}
	w.next++
	return fmt.Sprintf("%sline %d\n", strings.Repeat(" ", w.rng.IntN(9)), w.next)
}

func (w *world) text(n int) (list []string) {
	for range n {
		list = append(list, w.line())
	}
	return list
}

// edit adds, removes and moves stretches of a text.
func (w *world) edit(list []string) []string {
	list = slices.Clone(list)
	for range 1 + w.rng.IntN(6) {
		at := w.rng.IntN(len(list) + 1)
		end := min(len(list), at+w.rng.IntN(20))
		switch w.rng.IntN(3) {
		case 0:
			list = slices.Insert(list, at, w.text(w.rng.IntN(20))...)
		case 1:
			list = slices.Delete(list, at, end)
		default:
			moved := slices.Clone(list[at:end])
			list = slices.Delete(list, at, end)
			list = slices.Insert(list, w.rng.IntN(len(list)+1), moved...)
		}
	}
	return list
}

// step edits some files, moves some, and makes and deletes some.
func (w *world) step() {
	for _, name := range sortedNames(w.files) {
		switch w.rng.IntN(8) {
		case 0, 1:
			w.files[name] = w.edit(w.files[name])
		case 2, 3:
			text := w.files[name]
			delete(w.files, name)
			if w.rng.IntN(3) > 0 {
				text = w.edit(text)
			}
			to := fmt.Sprintf("d%d/%s", w.rng.IntN(3), name[strings.LastIndexByte(name, '/')+1:])
			if w.rng.IntN(2) == 0 {
				w.next++
				to = fmt.Sprintf("d0/n%d", w.next)
			}
			w.files[to] = text
		case 4:
			delete(w.files, name)
		}
	}
	for len(w.files) < 20 {
		w.next++
		w.files[fmt.Sprintf("d%d/new%d", w.rng.IntN(3), w.next)] = w.text(20 + w.rng.IntN(300))
	}
}

func sortedNames(m map[string][]string) (list []string) {
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// script says in repotest's words what a commit holds.
func (w *world) script() string {
	var b strings.Builder
	b.WriteString("rm d0\nrm d1\nrm d2\n-- always --\nx\n")
	for _, name := range sortedNames(w.files) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, strings.Join(w.files[name], ""))
	}
	return b.String()
}

// TestSaysWhatGitSays compares with git, on histories of edits, moves and repeated lines:
// the files with their old paths, the lines added and removed in each, and the patches.
func TestSaysWhatGitSays(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	const commits = 12
	w := &world{rng: rand.New(rand.NewPCG(11, 3)), files: map[string][]string{}}
	var scripts []string
	states := make([]map[string][]string, 0, commits)
	for range commits {
		w.step()
		state := map[string][]string{"always": {"x\n"}}
		for name, text := range w.files {
			state[name] = text
		}
		states, scripts = append(states, state), append(scripts, w.script())
	}
	r := repotest.New(t, scripts...)
	renames, edited := 0, 0
	for i := 1; i < commits; i++ {
		from, to := fmt.Sprintf("HEAD~%d", commits-i), fmt.Sprintf("HEAD~%d", commits-1-i)
		base, head := contentOf(states[i-1]), contentOf(states[i])
		changes, passed := Edited(Between(entriesOf(base), entriesOf(head)), opener(base), opener(head))
		if passed {
			t.Error("not all was compared")
		}
		var got, want strings.Builder
		for _, c := range changes {
			var x, y *Side
			old := c.Path
			if c.OldPath != "" {
				old = c.OldPath
				renames++
				if !c.Same {
					edited++
				}
			}
			if text, ok := base[old]; ok && c.Status != Added {
				x = &Side{Mode: 0o644, Text: []byte(text)}
			}
			if text, ok := head[c.Path]; ok && c.Status != Deleted {
				y = &Side{Mode: 0o644, Text: []byte(text)}
			}
			got.Write(new(Drawing).Draw(c, x, y).Text)
		}
		for line := range strings.Lines(r.Git("diff", "-M", "--no-color", "--no-ext-diff", from, to) + "\n") {
			if strings.HasPrefix(line, "index ") || line == "\n" {
				continue
			}
			want.WriteString(line)
		}
		if got.String() != want.String() {
			t.Errorf("%s..%s: %s", from, to, firstDifference(got.String(), want.String()))
		}
	}
	if renames < 20 || edited < 10 {
		t.Errorf("%d renames, %d of them with edits: too few to tell", renames, edited)
	}
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	show := func(list []string) string {
		return strings.Join(list[max(0, min(i, len(list))-6):min(len(list), i+6)], "\n")
	}
	return fmt.Sprintf("line %d: got\n%s\nwant\n%s", i+1, show(a), show(b))
}

func contentOf(state map[string][]string) map[string]string {
	m := map[string]string{}
	for name, lines := range state {
		m[name] = strings.Join(lines, "")
	}
	return m
}

func entriesOf(m map[string]string) (list []Entry) {
	for name, text := range m {
		list = append(list, Entry{Path: name, Mode: 0o644, ID: text})
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return list
}

func opener(m map[string]string) func(string) (tree.File, bool) {
	return func(name string) (tree.File, bool) {
		text, ok := m[name]
		return tree.Bytes(name, []byte(text)), ok
	}
}

// TestManyFilesAreNotCompared: with more files than the limit, only those that are alone in
// bearing their names are compared, and the search says so.
func TestManyFilesAreNotCompared(t *testing.T) {
	base, head := map[string]string{}, map[string]string{}
	for i := range maxRenames + 1 {
		text := strings.Repeat(fmt.Sprintf("line of file %d\n", i), 10)
		base[fmt.Sprintf("old/%04d/twice", i)] = text
		head[fmt.Sprintf("new/%04d/twice", i)] = text + "more\n"
	}
	alone := strings.Repeat("the only one\n", 20)
	base["old/alone"], head["new/alone"] = alone, alone+"more\n"
	changes, passed := Edited(Between(entriesOf(base), entriesOf(head)), opener(base), opener(head))
	renamed := 0
	for _, c := range changes {
		if c.Status == Renamed {
			renamed++
		}
	}
	if !passed || renamed != 1 {
		t.Errorf("passed %v, %d renamed; want true, 1", passed, renamed)
	}
}

// TestHostilePairs: pairs of texts that take long are drawn coarser, and it is said; what
// is drawn turns one into the other all the same.
func TestHostilePairs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	few := func(n, kinds int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%d\n", rng.IntN(kinds))
		}
		return b.String()
	}
	for name, pair := range map[string][2]string{
		"two lines, drawn":   {few(60_000, 2), few(60_000, 2)},
		"many lines, drawn":  {few(60_000, 50), few(60_000, 50)},
		"one line, repeated": {strings.Repeat("\n", 100_000), strings.Repeat("\n", 50_000) + "x\n" + strings.Repeat("\n", 40_000)},
		"turned round":       {counting(40_000, 1), reversed(counting(40_000, 1))},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			p := new(Drawing).Draw(Change{Status: Modified, Path: "f"}, &Side{Mode: 0o644, Text: []byte(pair[0])}, &Side{Mode: 0o644, Text: []byte(pair[1])})
			if patched(pair[0], strings.ReplaceAll(string(p.Text), coarseNote, "")) != pair[1] {
				t.Error("the patch makes another text")
			}
			t.Logf("%v, +%d -%d, coarse %v", time.Since(begin), p.Added, p.Removed, strings.Contains(string(p.Text), coarseNote))
		})
	}
}

func reversed(text string) string {
	list := strings.SplitAfter(text, "\n")
	slices.Reverse(list)
	return strings.Join(list, "")
}

func counting(n, step int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d\n", i*step+n)
	}
	return b.String()
}

// TestBound: where the work is used up, the texts are one hunk each, and it is said.
func TestBound(t *testing.T) {
	p := &pairing{most: 500}
	p.mark(counting(3000, 1), reversed(counting(3000, 1)))
	if !p.coarse {
		t.Error("coarse is not said")
	}
}

// TestHeadings: a hunk is headed by what it stands in.
func TestHeadings(t *testing.T) {
	before := counting(60, 1)
	after := strings.Replace(before, "\n90\n", "\nninety\n", 1) // line 31
	heads := []Head{{From: 1, To: 60, Text: "class Outer {\n"}, {From: 20, To: 40, Text: "\tfunc inner() {"}, {From: 30, To: 33, Text: "hunk shows it"}, {From: 50, To: 60, Text: "later"}}
	for _, c := range []struct {
		name string
		x, y []Head
		want string
	}{
		{"innermost above the hunk", nil, heads, "@@ -28,7 +28,7 @@ \tfunc inner() {\n"},
		{"of the base", heads[:1], nil, "@@ -28,7 +28,7 @@ class Outer {\n"},
		{"no definition", nil, nil, "@@ -28,7 +28,7 @@\n"},
	} {
		p := new(Drawing).Draw(Change{Status: Modified, Path: "f"}, &Side{Mode: 0o644, Text: []byte(before), Heads: c.x}, &Side{Mode: 0o644, Text: []byte(after), Heads: c.y})
		if !strings.Contains(string(p.Text), c.want) {
			t.Errorf("%s: want %q in\n%s", c.name, c.want, p.Text)
		}
	}
}

// TestTell: what changes beside text is said in some words.
func TestTell(t *testing.T) {
	a, b := strings.Repeat("1", 40), strings.Repeat("2", 40)
	for _, c := range []struct {
		before, after *Side
		want          string
	}{
		{&Side{Mode: 0o644}, &Side{Mode: 0o644}, ""},
		{nil, &Side{Mode: 0o755}, ""},
		{&Side{Mode: 0o644}, &Side{Mode: 0o755}, "mode 100644 → 100755"},
		{&Side{Mode: modes["module"], Commit: a}, &Side{Mode: modes["module"], Commit: b}, "submodule 111111111111 → 222222222222"},
		{&Side{Mode: modes["module"], Commit: a}, nil, "submodule 111111111111"},
		{&Side{Mode: 0o644}, &Side{Mode: modes["link"]}, "file → link"},
		{&Side{Mode: 0o644, Withheld: "binary", Size: 3}, &Side{Mode: 0o644, Withheld: "binary", Size: 50}, "not shown: binary (3 → 50 bytes)"},
		{nil, &Side{Mode: 0o644, Withheld: "too large", Size: 7}, "not shown: too large (7 bytes)"},
		{&Side{Mode: 0o644, Withheld: "credentials", Size: -1}, &Side{Mode: 0o644, Withheld: "credentials", Size: 2}, "not shown: credentials"},
	} {
		if got := Tell(c.before, c.after); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
