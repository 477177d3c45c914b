package action

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// raced says that the race detector watches, under which size alone takes minutes and shows no more.
var raced bool

// TestExtremeChanges: whatever a change is of, its document is within the budget, names what changed, opens no fence that it does not
// close, has no heading but its own, and is the same from a full clone, one of a single commit, and a bare one.
func TestExtremeChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	many := map[string]string{}
	for i := range 1600 {
		many[fmt.Sprintf("orchard/row%02d/tree%04d.py", i%40, i)] = fmt.Sprintf("def pick_%d():\n    return %d\n", i, i)
	}
	var rows, verbs, moved strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&rows, "%d;quince;%d\n", i, i*7919%100_003)
	}
	for i := range 40_000 {
		fmt.Fprintf(&verbs, "def g%d():\n  return 7\n", i)
	}
	for i := range 300 {
		fmt.Fprintf(&moved, "branch %d bears %d\n", i, i*31)
	}
	names := map[string]string{}
	for _, name := range []string{"a `tick`.go", "```.md", "two\nlines.py", "right\u202ekcab.rs", "</code>.ts", "# heading.md", "[link](x).c", "</details>\n\n# Above all.md"} {
		names["odd/"+name] = "x\n"
	}
	if _, err := os.Lstat("/dev/null"); err != nil { // no file can have such a name there
		clear(names)
		names["odd/# heading.md"] = "x\n"
	}
	fence := strings.Repeat("`", 60)
	for _, c := range []struct {
		name          string
		before, after map[string]string // after: "" deletes
		moves         map[string]string
		says          []string // what the document of 8,000 tokens says
	}{
		{name: "1,600 files", after: many, says: []string{"orchard/row00", "1600"}},
		{name: "a hunk of 200,000 lines", before: map[string]string{"store/quinces.csv": "0;none;0\n"}, after: map[string]string{"store/quinces.csv": rows.String()},
			says: []string{"store/quinces.csv", "+200000 -1"}},
		{name: "one line of 2 MB", before: map[string]string{"press.js": "const pulp = 1\n"}, after: map[string]string{"press.js": "const pulp = '" + strings.Repeat("must ", 400_000) + "'\n"},
			says: []string{"press.js"}},
		{name: "40,000 definitions", before: map[string]string{"graft.py": verbs.String()},
			after: map[string]string{"graft.py": strings.Replace(verbs.String(), "def g31007():\n  return 7", "def g31007():\n  return 31007", 1)},
			says:  []string{"graft.py", "+  return 31007"}},
		{name: "a line of a file of 2 MB", before: map[string]string{"store/rows.csv": rows.String()},
			after: map[string]string{"store/rows.csv": strings.Replace(rows.String(), "\n77;quince", "\n77;medlar", 1)}, says: []string{"store/rows.csv", "too large to stand here", "-77;quince", "+77;medlar"}},
		{name: "no text at all", before: map[string]string{"seal.png": "\x89PNG\x00\x01"}, after: map[string]string{"seal.png": "\x89PNG\x00\x02\x03", "core.bin": "\x00\xff\x00"},
			says: []string{"seal.png", "core.bin"}},
		{name: "deleted files alone", before: map[string]string{"old/cellar.go": "package old\n\nfunc Rack() int { return 4 }\n", "use.go": "package main\n\nvar n = Rack()\n"},
			after: map[string]string{"old/cellar.go": ""}, says: []string{"old/cellar.go", "-func Rack() int { return 4 }"}},
		{name: "moves alone", before: map[string]string{"hill/slope.txt": moved.String(), "hill/steep.txt": moved.String() + "and more\n"},
			moves: map[string]string{"hill/slope.txt": "dale/slope.txt", "hill/steep.txt": "dale/steep.txt"}, says: []string{"dale/slope.txt", "hill/slope.txt"}},
		{name: "odd names", after: names, says: []string{"# heading.md"}},
		{name: "a fence of 60 backticks", before: map[string]string{"cider.md": "Cider.\n"},
			after: map[string]string{"cider.md": "Cider.\n\n" + fence + "\n# Not a heading of the document\n" + fence + "\n"}, says: []string{"cider.md", fence + "`"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if size := sizeOf(c.before) + sizeOf(c.after); raced && (size > 100_000 || len(c.after) > 100) {
				t.Skip("the race detector makes it slow")
			}
			r := repotest.New(t)
			r.Write("readme.md", "An orchard.\n")
			write := func(files map[string]string, message string) {
				for name, text := range files {
					if text == "" {
						r.Git("rm", "-q", name)
						continue
					}
					r.Write(name, text)
				}
				for from, to := range c.moves {
					if message == "two" {
						if err := os.MkdirAll(filepath.Dir(r.Path(to)), 0o755); err != nil {
							t.Fatal(err)
						}
						r.Git("mv", from, to)
					}
				}
				r.Git("add", "-A")
				r.Git("commit", "-q", "-m", message)
			}
			write(c.before, "one")
			write(c.after, "two")
			base := strings.TrimSpace(r.Git("rev-parse", "HEAD^"))
			for _, budget := range []int{2_000, 8_000, 2_000_000} {
				document := changeDocument(t, r.Dir, base, budget)
				if budget != 8_000 {
					continue
				}
				for _, one := range c.says {
					if !strings.Contains(document, one) {
						t.Errorf("the document does not say %q:\n%.1500s", one, document)
					}
				}
				shallow := t.TempDir()
				r.Git("clone", "-q", "--depth", "1", r.URL(), shallow)
				bare := t.TempDir()
				r.Git("clone", "-q", "--bare", r.Dir, bare)
				if changeDocument(t, shallow, base, budget) != document {
					t.Error("a clone of one commit has another document")
				}
				if changeDocument(t, bare, base, budget, "--ref", "HEAD") != document {
					t.Error("a bare clone has another document")
				}
			}
		})
	}
}

// sizeOf is how many bytes files have together.
func sizeOf(files map[string]string) (n int) {
	for _, text := range files {
		n += len(text)
	}
	return n
}

// changeDocument makes the document of a change within a budget, and returns it with all its parts.
func changeDocument(t *testing.T, dir, base string, budget int, more ...string) string {
	t.Helper()
	results := t.TempDir()
	args := append([]string{"context", "--path", dir, "--base", base, "--budget-tokens", fmt.Sprint(budget), "--pack", "none", "--output-dir", results}, more...)
	var said bytes.Buffer
	p := job.Process{Args: args, Dir: dir, Stdout: &said, Stderr: &said, Getenv: func(string) string { return "" }}
	if err := (&Command{Process: p}).Run(t.Context()); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, said.String())
	}
	var document strings.Builder
	spent := 0
	for n := 0; ; n++ {
		b, err := os.ReadFile(filepath.Join(results, brief.PartName("context.md", n)))
		if os.IsNotExist(err) && n > 0 {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		spent += new(tokens.Counter).Count(b)
		for _, heading := range headings(string(b)) {
			if bare := strings.TrimLeft(heading, "#"); heading == "a fence is open" || strings.Contains(heading, "Not a heading") || strings.HasPrefix(bare, " Above") {
				t.Errorf("budget %d: heading %q", budget, heading)
			}
		}
		document.Write(b)
	}
	if spent > budget {
		t.Errorf("budget %d: the document has %d tokens", budget, spent)
	}
	if slices.Contains([]byte(document.String()), 0) || strings.ContainsAny(document.String(), "\u202e\u2066") {
		t.Errorf("budget %d: a sign stands in the document that turns its text round", budget)
	}
	return document.String()
}
