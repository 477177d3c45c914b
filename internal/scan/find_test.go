package scan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// memory is a root made of a map, whose files may vanish or grow while they are
// read.
type memory struct {
	files map[string]string
	// fails says what goes wrong when a file is opened.
	fails map[string]error
	// grows is what a file's Lstat and Open hide.
	grows map[string]int
}

func (m *memory) Close() error { return nil }

func (m *memory) Lstat(name string) (tree.Info, error) {
	if s, ok := m.files[name]; ok {
		return tree.Info{Mode: 0o644, Size: int64(len(s) - m.grows[name])}, nil
	}
	for p := range m.files {
		if name == "." || strings.HasPrefix(p, name+"/") {
			return tree.Info{Mode: fs.ModeDir}, nil
		}
	}
	return tree.Info{}, fs.ErrNotExist
}

func (m *memory) List(dir string) ([]tree.Entry, error) {
	seen := map[string]tree.Entry{}
	for p := range m.files {
		rest := p
		if dir != "." {
			var ok bool
			if rest, ok = strings.CutPrefix(p, dir+"/"); !ok {
				continue
			}
		}
		name, _, folder := strings.Cut(rest, "/")
		e := tree.Entry{Name: name}
		if folder {
			e.Mode = fs.ModeDir
		}
		seen[name] = e
	}
	var list []tree.Entry
	for _, e := range seen {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b tree.Entry) int {
		if a.Less(b) {
			return -1
		}
		return 1
	})
	return list, nil
}

func (m *memory) Open(name string) (io.ReadCloser, tree.Info, error) {
	if err := m.fails[name]; err != nil {
		return nil, tree.Info{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	s, ok := m.files[name]
	if !ok {
		return nil, tree.Info{}, fs.ErrNotExist
	}
	return io.NopCloser(strings.NewReader(s)), tree.Info{Mode: 0o644, Size: int64(len(s) - m.grows[name])}, nil
}

func (m *memory) Readlink(string) (string, error) { return "", errors.New("no links") }

// take finds and seals what src holds.
func take(t *testing.T, src tree.Source, rules Rules, git Git) *Snapshot {
	t.Helper()
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	if rules.Stan == "" {
		rules.Stan = ".stan"
	}
	if rules.Under == "" {
		rules.Under = "."
	}
	spool := tree.NewSpool(t.TempDir())
	t.Cleanup(func() { spool.Close() })
	screener := &Screener{Scanner: scanner, Given: new(secret.KnownValues), Policy: Redact}
	search := &Search{Root: tree.New(src), Rules: rules, Git: git, Spool: spool, Screener: screener}
	found, err := search.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := screener.Seal(t.Context(), spool, found.Known, found, Request{})
	if err != nil {
		t.Fatal(err)
	}
	return &sealed.Snapshot
}

// print writes a snapshot as a reviewer reads it.
func print(s *Snapshot) string {
	var b strings.Builder
	for _, f := range s.Files {
		fmt.Fprintf(&b, "+ %s %s %s", f.Path, f.Category, f.Encoding)
		if f.LowValue != "" {
			fmt.Fprintf(&b, " low value: %s", f.LowValue)
		}
		if f.Rescued != "" {
			fmt.Fprintf(&b, " rescued from %s", f.Rescued)
		}
		b.WriteString("\n")
	}
	for _, o := range s.Omitted {
		fmt.Fprintf(&b, "- %s %s: %s\n", o.Path, o.Reason, o.Rule)
	}
	return b.String()
}

// TestTake reads tables: a tree, a comment with the rules ("literal", "include
// X", "exclude X", "tracked X", "under X"), and the wanted snapshot.
func TestTake(t *testing.T) {
	tables, _ := filepath.Glob("testdata/take/*.txtar")
	if len(tables) == 0 {
		t.Fatal("no tables")
	}
	for _, name := range tables {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			m := &memory{files: map[string]string{}}
			want := ""
			for _, f := range a.Files {
				if f.Name == "want" {
					want = string(f.Data)
				} else {
					m.files[f.Name] = string(f.Data)
				}
			}
			rules, git := Rules{Untracked: true}, Git{}
			for line := range strings.Lines(string(a.Comment)) {
				word, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch word {
				case "literal":
					rules.Literal = true
				case "include":
					rules.Include = append(rules.Include, Pattern(arg))
				case "exclude":
					rules.Exclude = append(rules.Exclude, Pattern(arg))
				case "under":
					rules.Under = arg
				case "tracked":
					if git.Tracked == nil {
						git.Tracked = map[string]bool{}
					}
					git.Tracked[arg] = false
				case "tracked-only":
					rules.Untracked = false
				}
			}
			if got := print(take(t, m, rules, git)); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// TestUnsteadyFiles: what vanishes or cannot be read is one row, what grows is
// taken as it was read.
func TestUnsteadyFiles(t *testing.T) {
	m := &memory{
		files: map[string]string{"gone": "x", "locked": "x", "grows": "0123456789", "steady": "x"},
		fails: map[string]error{"gone": fs.ErrNotExist, "locked": fs.ErrPermission},
		grows: map[string]int{"grows": 5},
	}
	s := take(t, m, Rules{}, Git{})
	want := "+ grows other utf-8\n+ steady other utf-8\n- gone unreadable: vanished during the scan\n- locked unreadable: permission denied\n"
	if got := print(s); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if s.Files[0].Size != 10 {
		t.Errorf("the grown file has %d bytes", s.Files[0].Size)
	}
}

// FuzzTake: every file stands in exactly one list, both are sorted, and a
// further exclusion never adds a file.
func FuzzTake(f *testing.F) {
	f.Add(uint64(1), "src/**")
	f.Add(uint64(2), "*.go")
	f.Add(uint64(3), "{a,b}")
	names := []string{"a", "b", "src", "dist", "node_modules", "vendor", ".stan", "output", "x.go", "y.min.js", ".env", "id_rsa", "p.png", "token.go", ".gitignore"}
	f.Fuzz(func(t *testing.T, seed uint64, pattern string) {
		ps, err := ParsePatterns([]string{pattern})
		if err != nil {
			return
		}
		rng := rand.New(rand.NewPCG(seed, seed))
		m := &memory{files: map[string]string{}}
		for range 12 {
			p := names[rng.IntN(len(names))]
			for range rng.IntN(3) {
				p += "/" + names[rng.IntN(len(names))]
			}
			ok := true
			for q := range m.files {
				ok = ok && q != p && !strings.HasPrefix(q, p+"/") && !strings.HasPrefix(p, q+"/")
			}
			if ok {
				m.files[p] = "dist\n!x.go\n"
			}
		}
		wide := take(t, m, Rules{Untracked: true}, Git{})
		narrow := take(t, m, Rules{Untracked: true, Exclude: ps}, Git{})
		in := map[string]bool{}
		for _, file := range wide.Files {
			in[file.Path] = true
		}
		for _, file := range narrow.Files {
			if !in[file.Path] {
				t.Errorf("exclude %q adds %q", pattern, file.Path)
			}
		}
		for _, s := range []*Snapshot{wide, narrow} {
			seen := map[string]int{}
			for i, file := range s.Files {
				seen[file.Path]++
				if i > 0 && s.Files[i-1].Path >= file.Path {
					t.Errorf("files out of order at %q", file.Path)
				}
			}
			for _, o := range s.Omitted {
				seen[o.Path]++
				if o.Reason == "" || o.Rule == "" {
					t.Errorf("%q is left out for reason %q, rule %q", o.Path, o.Reason, o.Rule)
				}
			}
			for p := range m.files {
				n := seen[p]
				for i := range p {
					if p[i] == '/' {
						n += seen[p[:i+1]]
					}
				}
				if n != 1 {
					t.Errorf("%q stands in %d rows", p, n)
				}
			}
		}
	})
}
