package secret

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

type treeFile struct {
	path string
	text []byte
}

// loadTree reads the text files below HAVERSACK_BENCH_TREE, or Go's own source.
func loadTree(tb testing.TB, limit int64) []treeFile {
	tb.Helper()
	root := os.Getenv("HAVERSACK_BENCH_TREE")
	if root == "" {
		root = filepath.Join(build.Default.GOROOT, "src")
	}
	var list []treeFile
	var size int64
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || limit > 0 && size > limit {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if bytes.IndexByte(b, 0) < 0 {
			rel, _ := filepath.Rel(root, p)
			list = append(list, treeFile{filepath.ToSlash(rel), b})
			size += int64(len(b))
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		tb.Skipf("no tree at %s: %v", root, err)
	}
	return list
}

// BenchmarkTree scans a tree: set HAVERSACK_BENCH_TREE to its folder. The bar is
// 120 MB per CPU second on the Kubernetes source.
func BenchmarkTree(b *testing.B) {
	list := loadTree(b, 0)
	s := newScanner(b)
	var size int64
	for _, f := range list {
		size += int64(len(f.text))
	}
	var dst []value.Finding
	found, refused := 0, 0
	start := cpu()
	for b.Loop() {
		found, refused = 0, 0
		for _, f := range list {
			var err error
			if dst, err = s.Scan(f.path, f.text, dst[:0]); err != nil {
				refused++
			}
			found += len(dst)
		}
	}
	secs := (cpu() - start).Seconds() / float64(b.N)
	b.ReportMetric(float64(size)/1e6/secs, "MB/CPU-s")
	b.ReportMetric(float64(found), "findings")
	b.ReportMetric(float64(refused), "refused")
}

// BenchmarkAutomaton is the automaton alone on the same tree.
func BenchmarkAutomaton(b *testing.B) {
	list := loadTree(b, 32<<20)
	s := newScanner(b)
	var size int64
	for _, f := range list {
		size += int64(len(f.text))
	}
	var lanes [4][]value.Hit
	start := cpu()
	for b.Loop() {
		for _, f := range list {
			for lo := 0; lo < len(f.text); lo += chunk {
				s.table.auto.Find(f.text, lo, min(lo+chunk, len(f.text)), &lanes)
			}
		}
	}
	b.ReportMetric(float64(size)/1e6/((cpu()-start).Seconds()/float64(b.N)), "MB/CPU-s")
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestNothingRefused holds that ordinary source never meets its budget.
func TestNothingRefused(t *testing.T) {
	s := newScanner(t)
	for _, f := range loadTree(t, 16<<20) {
		if _, err := s.Scan(f.path, f.text, nil); err != nil {
			t.Errorf("%s (%d bytes): %v", f.path, len(f.text), err)
		}
	}
}

// TestNoAllocation holds that a file without a finding, nor what an expression
// takes for one, costs no memory.
func TestNoAllocation(t *testing.T) {
	if underRace {
		t.Skip("the race detector drops pooled memory")
	}
	s := newScanner(t)
	var list []treeFile
	for _, f := range loadTree(t, 8<<20) {
		if found, err := s.Scan(f.path, f.text, nil); err == nil && len(found) == 0 {
			list = append(list, f)
		}
	}
	if len(list) < 20 {
		t.Skip("too few files")
	}
	var total float64
	dirty := 0
	for _, f := range list {
		if n := testing.AllocsPerRun(1, func() {
			if _, err := s.Scan(f.path, f.text, nil); err != nil {
				t.Error(err)
			}
		}); n > 0 {
			dirty++
			total += n
		}
	}
	t.Logf("%d files, %d of them allocate, %.0f allocations", len(list), dirty, total)
	if dirty*200 > len(list) {
		t.Errorf("%d of %d clean files allocate", dirty, len(list))
	}
	text := []byte(strings.Repeat("The quick brown fox jumps over the lazy dog.\nfunc key() error { return token(password) }\n", 200))
	if n := testing.AllocsPerRun(20, func() { _, _ = s.Scan("a.go", text, nil) }); n > 0 {
		t.Errorf("%.1f allocations on a clean text", n)
	}
}

func TestScanConcurrently(t *testing.T) {
	s := newScanner(t)
	corpus := makeCorpus(2)
	want := make([]string, len(corpus))
	for i, f := range corpus {
		got, err := s.Scan(f.path, []byte(f.text), nil)
		want[i] = fmt.Sprint(got, err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, f := range corpus {
				got, err := s.Scan(f.path, []byte(f.text), nil)
				if g := fmt.Sprint(got, err); g != want[i] {
					t.Errorf("%s: %s, alone %s", f.kind, g, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// TestAutomaton compares four cursors with one, and with plain search.
func TestAutomaton(t *testing.T) {
	words := []string{"she", "he", "hers", "his", "password", "pass", "word"}
	a := value.NewAutomaton(words, nil)
	text := []byte(strings.Repeat("uSHErs HIS passWORDpass heh ", 60))
	var lanes [4][]value.Hit
	count := map[int]int{}
	last := 0
	for lo := 0; lo < len(text); lo += 700 {
		a.Find(text, lo, min(lo+700, len(text)), &lanes)
		for _, l := range lanes {
			for _, h := range l {
				if h.End < last {
					t.Fatal("hits out of order")
				}
				last = h.End
				for _, id := range a.Literals(h) {
					count[int(id)]++
				}
			}
		}
	}
	low := strings.ToLower(string(text))
	for i, w := range words {
		n := 0
		for j := range low {
			if strings.HasPrefix(low[j:], w) {
				n++
			}
		}
		if count[i] != n {
			t.Errorf("%q: %d hits, want %d", w, count[i], n)
		}
	}
}

// TestWindows holds that an expression on a window finds what it finds on the
// whole text.
func TestWindows(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	s := newScanner(t)
	var b strings.Builder
	for _, f := range append(special(maker{rand.New(rand.NewPCG(21, 7))}), makeHoldout(21)...) {
		b.WriteString(f.text + "\n")
	}
	text := []byte(b.String())
	for _, p := range s.table.patterns {
		if p.read != nil || p.set != nil {
			continue
		}
		ru := s.table.rules[p.rule]
		if ru.id == "jwt-base64" {
			continue
		}
		want := map[string]bool{}
		for _, m := range ru.re().FindAllSubmatchIndex(text, -1) {
			from, to := valueOf(m, ru.group, 0)
			want[fmt.Sprint(from, to)] = true
		}
		got := map[string]bool{}
		r := &run{table: &table{rules: []*rule{{id: "probe", re: ru.re, group: ru.group}}}, marks: make([]int, 1)}
		r.reset("x", text)
		low := bytes.ToLower(text)
		for _, q := range s.table.patterns {
			if q.read != nil || q.set != nil || q.rule != p.rule {
				continue
			}
			q.rule = 0
			r.marks[0] = 0
			for i := 0; ; {
				j := bytes.Index(low[i:], []byte(q.literal))
				if j < 0 {
					break
				}
				i += j + len(q.literal)
				r.look(&q, i)
			}
		}
		for _, c := range r.found {
			got[fmt.Sprint(c.start, c.end)] = true
		}
		missing := 0
		for w := range want {
			var from, to int
			fmt.Sscan(w, &from, &to)
			if !got[w] && !value.Sample(text[from:to]) {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("rule %s: %d of %d matches not found in windows", ru.id, missing, len(want))
		}
	}
}

// TestOwnSource holds that this package's files, tests among them, hold nothing
// that the scanner would redact.
func TestOwnSource(t *testing.T) {
	s := newScanner(t)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Scan(f, b, nil)
		if err != nil {
			t.Errorf("%s: %v", f, err)
		}
		for _, g := range found {
			t.Errorf("%s:%d: %s %q", f, g.Line, g.Rule, b[g.Start:min(g.End, g.Start+40)])
		}
	}
}

func TestEncodingsAndEdges(t *testing.T) {
	s := newScanner(t)
	for _, text := range []string{"", "\n", "password", "password=", "password=\"", "key:", "://", "a://b:c@", "-----BEGIN ", "eyJ", "eyJ.", "Bearer ", "Authorization: Bearer ", "\"kty\"", "kind: Secret", "kind: Secret\ndata:", "curl -u", "net use \\\\srv\\share \"\" ", "IDENTIFIED BY ", ":*:*:", "ls0tls1crudjtib", "<password>", "name: PASSWORD", "password: |", "${PASSWORD:-", "\xff\xfe password=\xff\xff\xff"} {
		for _, path := range []string{"", "x", "x.go", "x.md", "x.patch", "x.csv", "x.yaml"} {
			if _, err := s.Scan(path, []byte(text), nil); err != nil {
				t.Errorf("%q in %s: %v", text, path, err)
			}
			for i := range text {
				_, _ = s.Scan(path, []byte(text[:i]), nil)
			}
		}
	}
	runtime.KeepAlive(s)
}

func FuzzScan(f *testing.F) {
	for _, p := range append(append(makeCorpus(6), makeHoldout(6)...), makeBenign(6)...) {
		f.Add(p.path, p.text)
	}
	for _, unit := range hostile() {
		f.Add("x.yaml", string(repeat(unit, 2000)))
	}
	s := newScanner(f)
	f.Fuzz(func(t *testing.T, path, text string) {
		got, err := s.Scan(path, []byte(text), nil)
		if errors.Is(err, ErrFault) {
			r := &run{table: s.table, marks: make([]int, len(s.table.rules))}
			r.reset(path, []byte(text))
			_ = r.scan() // panics where it panicked
			r.columns()
		}
		if err != nil {
			return
		}
		last := 0
		for _, g := range got {
			if g.Start < last || g.End <= g.Start || g.End > len(text) || g.Rule == "" {
				t.Fatalf("finding %+v after %d in %d bytes", g, last, len(text))
			}
			last = g.End
		}
	})
}
