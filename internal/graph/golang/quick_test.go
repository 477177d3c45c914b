package golang

import (
	"fmt"
	"go/parser"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestQuick compares what the tokens say with what the parser says, of the
// standard library's sources.
func TestQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dirs := []string{"net", "go", "encoding", "runtime", "reflect", "text", "slices", "iter", "sync"}
	base := filepath.Join(goroot(t), "src")
	if tree := os.Getenv("HAVERSACK_TREES"); tree != "" {
		base, dirs = tree, []string{"."}
	}
	files, refused, broken := 0, 0, 0
	names, wrong := map[string]int{}, map[string]int{}
	shown := map[string]int{}
	for _, d := range dirs {
		_ = filepath.WalkDir(filepath.Join(base, d), func(name string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata") {
				return nil
			}
			content, err := os.ReadFile(name)
			if err != nil {
				return nil
			}
			want, err := parseTree(name, content, parser.ParseComments)
			if err != nil || want.fault != "" {
				broken++
				return nil
			}
			files++
			got, ok := quick(name, content)
			if !ok {
				if !strings.Contains(string(content), `"C"`) {
					refused++
					t.Logf("%s: refused", name)
				}
				return nil
			}
			if got.name != want.name || !slices.Equal(got.imports, want.imports) {
				t.Errorf("%s: %v %v, want %v %v", name, got.name, got.imports, want.name, want.imports)
			}
			differ := func(what string, got, want []string) {
				slices.Sort(got)
				slices.Sort(want)
				names[what] += len(want)
				for _, g := range got {
					if _, ok := slices.BinarySearch(want, g); !ok {
						if wrong[what+" +"]++; shown[what] < 12 {
							shown[what]++
							t.Logf("%s: %s + %s", name, what, g)
						}
					}
				}
				for _, w := range want {
					if _, ok := slices.BinarySearch(got, w); !ok {
						if wrong[what+" -"]++; shown[what] < 12 {
							shown[what]++
							t.Logf("%s: %s - %s", name, what, w)
						}
					}
				}
			}
			flat := func(f *file) (declares, yields, methods, from []string) {
				for _, d := range f.declares {
					declares = append(declares, d.name+" "+d.base+" "+d.of)
					yields = append(yields, d.name+" "+strings.Join(d.types, " "))
				}
				for _, m := range f.methods {
					methods = append(methods, m.of+" "+m.name)
				}
				for _, s := range f.from {
					for _, n := range s.names {
						from = append(from, s.base+"."+n)
					}
				}
				return
			}
			d, y, m, fr := flat(got)
			wd, wy, wm, wfr := flat(want)
			differ("declares", d, wd)
			_, _ = y, wy
			differ("methods", m, wm)
			differ("from", fr, wfr)
			differ("free", got.free, want.free)
			differ("selects", got.selects, want.selects)
			return nil
		})
	}
	t.Logf("%d files, %d refused, %d broken; of %v wrong %v", files, refused, broken, names, wrong)
	if files == 0 || refused*100 > files {
		t.Error("refuses too much")
	}
	for what, n := range wrong {
		if n*200 > names[strings.Fields(what)[0]] {
			t.Errorf("%s: %d of %d", what, n, names[strings.Fields(what)[0]])
		}
	}
}

// goroot is where the go command keeps the standard library.
func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("the go command is not on the path")
	}
	return strings.TrimSpace(string(out))
}

// TestQuickParameters keeps the names of parameters before one whose type ends in a brace.
func TestQuickParameters(t *testing.T) {
	f, ok := quick("a.go", []byte("package a\n\nfunc f(x, y map[string]interface{}) { g(x, y) }\n\nfunc h(A, []interface{}) {}\n"))
	slices.Sort(f.free)
	if !ok || !slices.Equal(f.free, []string{"A", "g", "string"}) {
		t.Errorf("%v", f.free)
	}
}

// TestSymbols tells names apart that differ in their middle alone, and gives up where all names meet.
func TestSymbols(t *testing.T) {
	const before, step = "package a\n", len("beginning00000theEnding\n")
	src := []byte(before)
	for i := range 3000 {
		src = fmt.Appendf(src, "beginning%05dtheEnding\n", i)
	}
	var s symbols
	s.reset(src)
	for range 2 {
		for i := range 3000 {
			at := int32(len(before) + i*step)
			if n := s.of(at, at+int32(step)-1); n != sym(i) || s.text(n) != fmt.Sprintf("beginning%05dtheEnding", i) {
				t.Fatalf("%d: %d", i, n)
			}
		}
	}
	for i := range s.slots {
		s.slots[i] = 1
	}
	if s.of(12, 16); !s.crowded {
		t.Error("not crowded")
	}
}
