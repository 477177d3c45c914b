package diff

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestBetween reads tables: a file base or head lists path, mode and content
// id; want lists status, path and old path.
func TestBetween(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	if len(files) == 0 {
		t.Fatal("no tables")
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			part := map[string]string{}
			for _, f := range a.Files {
				part[f.Name] = string(f.Data)
			}
			var got strings.Builder
			for _, c := range Between(entries(part["base"]), entries(part["head"])) {
				fmt.Fprintln(&got, strings.TrimSpace(fmt.Sprintln(c.Status, c.Path, c.OldPath)))
			}
			if got.String() != part["want"] {
				t.Errorf("got\n%swant\n%s", got.String(), part["want"])
			}
		})
	}
}

var modes = map[string]fs.FileMode{"file": 0o644, "exec": 0o755, "link": fs.ModeSymlink | 0o777, "module": fs.ModeDir | fs.ModeIrregular}

func entries(table string) []Entry {
	var list []Entry
	for line := range strings.Lines(table) {
		w := strings.Fields(line)
		list = append(list, Entry{Path: w[0], Mode: modes[w[1]], ID: w[2]})
	}
	return list
}

// apply turns base into what the changes make of it.
func apply(base, head []Entry, changes []Change) []Entry {
	at := map[string]Entry{}
	for _, e := range base {
		at[e.Path] = e
	}
	from := map[string]Entry{}
	for _, e := range head {
		from[e.Path] = e
	}
	for _, c := range changes {
		if c.OldPath != "" {
			delete(at, c.OldPath)
		}
		if c.Status == Deleted {
			delete(at, c.Path)
		}
	}
	for _, c := range changes {
		if c.Status != Deleted {
			at[c.Path] = from[c.Path]
		}
	}
	var list []Entry
	for _, e := range at {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// FuzzBetween: base plus changes is head; nothing changed between a list and
// itself; the other way round, what came goes and what went comes.
func FuzzBetween(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, s1, s2 uint64) {
		r := rand.New(rand.NewPCG(s1, s2))
		make := func() []Entry {
			var list []Entry
			for i := range 12 {
				if r.IntN(3) > 0 {
					list = append(list, Entry{Path: fmt.Sprintf("d%d/f%02d", i%2, i), Mode: modes[[]string{"file", "exec", "link"}[r.IntN(3)]], ID: fmt.Sprint(r.IntN(5))})
				}
			}
			slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
			return list
		}
		base, head := make(), make()
		if c := Between(base, base); len(c) > 0 {
			t.Errorf("between a list and itself: %v", c)
		}
		there, back := Between(base, head), Between(head, base)
		if got := apply(base, head, there); !slices.Equal(got, head) {
			t.Errorf("base plus changes is %v, not %v", got, head)
		}
		count := func(cs []Change, s Status) (n int) {
			for _, c := range cs {
				if c.Status == s {
					n++
				}
			}
			return n
		}
		for _, s := range []Status{Modified, TypeChanged, Renamed} {
			if count(there, s) != count(back, s) {
				t.Errorf("%s: %d there, %d back", s, count(there, s), count(back, s))
			}
		}
		if count(there, Added) != count(back, Deleted) || count(there, Deleted) != count(back, Added) {
			t.Errorf("what came does not go: %v, %v", there, back)
		}
	})
}

// TestAgreesWithGit compares with git's own --name-status on random histories.
func TestAgreesWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	commit := func() string {
		var b strings.Builder
		b.WriteString("rm d0\nrm d1\n")
		for i := range 14 {
			if rng.IntN(3) > 0 {
				fmt.Fprintf(&b, "-- d%d/f%d --\ncontent %d\n", rng.IntN(2), i%9, rng.IntN(6))
			}
		}
		return b.String() + "-- always --\nx\n"
	}
	r := repotest.New(t, commit(), commit(), commit(), commit(), commit(), commit())
	list := func(rev string) []Entry {
		var es []Entry
		for line := range strings.SplitSeq(strings.TrimRight(r.Git("ls-tree", "-r", "-z", rev), "\x00"), "\x00") {
			meta, name, _ := strings.Cut(line, "\t")
			w := strings.Fields(meta)
			es = append(es, Entry{Path: name, Mode: map[string]fs.FileMode{"100644": 0o644, "100755": 0o755, "120000": fs.ModeSymlink}[w[0]], ID: w[2]})
		}
		slices.SortFunc(es, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
		return es
	}
	for i := range 5 {
		a, b := fmt.Sprintf("HEAD~%d", i+1), fmt.Sprintf("HEAD~%d", i)
		want := strings.Split(strings.TrimSpace(r.Git("diff", "--name-status", "-M100%", a, b)), "\n")
		var got []string
		for _, c := range Between(list(a), list(b)) {
			if c.Status == Renamed {
				got = append(got, "R100\t"+c.OldPath+"\t"+c.Path)
			} else {
				got = append(got, string(c.Status)+"\t"+c.Path)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s..%s: got\n%s\nwant\n%s", a, b, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// FuzzPatch: the patch of any two texts ends in a line break, has hunks where they differ,
// counts its lines, and turns one text into the other.
func FuzzPatch(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n")
	f.Add("", "x")
	f.Add("--- a\n+++ b\n", "+++ b\n--- a\n")
	f.Add("a\n\n\nb\n\n", "\n\na\n\nb")
	f.Fuzz(func(t *testing.T, before, after string) {
		p := new(Drawing).Draw(Change{Status: Modified, Path: "f"}, &Side{Mode: 0o644, Text: []byte(before)}, &Side{Mode: 0o644, Text: []byte(after)})
		text := string(p.Text)
		if !strings.HasPrefix(text, "diff --git a/f b/f\n") || !strings.HasSuffix(text, "\n") {
			t.Errorf("%q", text)
		}
		if (before == after) != !strings.Contains(text, "\n@@ ") {
			t.Errorf("hunks for %q and %q:\n%s", before, after, text)
		}
		if got := patched(before, text); got != after {
			t.Errorf("the patch makes %q of %q, not %q:\n%s", got, before, after, text)
		}
		if added, removed, ok := new(Drawing).Count([]byte(before), []byte(after)); ok && (added != p.Added || removed != p.Removed) {
			t.Errorf("counted %d and %d, drawn %d and %d", added, removed, p.Added, p.Removed)
		}
	})
}

// patched applies a patch of one file.
func patched(before, patch string) string {
	old := slices.Collect(strings.Lines(before))
	_, hunks, ok := strings.Cut(patch, "\n@@ ")
	if !ok {
		return before
	}
	var out []string
	at, last := 0, byte(0)
	for line := range strings.Lines("@@ " + hunks) {
		switch line[0] {
		case '@':
			var from, n int
			fmt.Sscanf(line, "@@ -%d", &from)
			if m, _ := fmt.Sscanf(line, "@@ -%d,%d", &from, &n); m < 2 {
				n = 1
			}
			if n > 0 {
				from--
			}
			out = append(out, old[at:from]...)
			at = from
		case '-':
			at++
		case '+':
			out = append(out, line[1:])
		case ' ':
			out = append(out, line[1:])
			at++
		case '\\':
			if last != '-' {
				out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], "\n")
			}
		}
		last = line[0]
	}
	return strings.Join(append(out, old[min(at, len(old)):]...), "")
}
