package rank

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/haversack-dev/haversack/internal/tree"
)

func Example() {
	order, _ := Files(context.Background(), Input{
		Changes: []Change{{Path: "src/teleport.ts", Patch: []byte("@@ -1 +1 @@ resolveTarget\n-resolveTarget(a)\n+resolveTarget(a, b)\n")}},
		Files: []tree.File{
			tree.Bytes("src/teleport.ts", []byte("export function resolveTarget(a, b) {}\n")),
			tree.Bytes("src/render.ts", []byte("import './teleport'\nresolveTarget(1)\n")),
			tree.Bytes("test/teleport.test.ts", []byte("it('resolves', () => {})\n")),
			tree.Bytes("src/other.ts", []byte("export {}\n")),
		},
		Edges: map[string][]string{"src/render.ts": {"src/teleport.ts"}},
	})
	for _, f := range order.Files[:2] {
		fmt.Println(f.Path)
		for _, p := range order.Why(f.Path) { // each with its Amount, which add up to f.Score
			fmt.Printf("  %-8s %s\n", p.Signal, p.Reason)
		}
	}
	// Output:
	// src/render.ts
	//   text     holds 2 words of the change: resolve, target
	//   symbols  uses resolveTarget of src/teleport.ts
	//   rare     shares 1 rare identifier with the change: resolveTarget (line 2)
	//   imports  imports src/teleport.ts
	//   size     37 bytes
	// test/teleport.test.ts
	//   mirror   tests src/teleport.ts
	//   name     named like src/teleport.ts: teleport
	//   size     25 bytes
}

// Each archive of testdata is a tree below head/, patches below patch/, and
// lists: changes ("path", "path <- old", "path deleted"), edges ("from to"),
// history (a commit a line). The list want has a line for each file and signal
// that is asked for: "path signal amount reason", the amount in millionths of
// the signal before its weight, "*" for any; or "order: path path …".
func TestSignals(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			in, want := parse(t, txtar.Parse(raw))
			order, err := Files(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			check(t, order)
			for _, line := range want {
				if rest, ok := strings.CutPrefix(line, "order: "); ok {
					var got []string
					for _, f := range order.Files {
						got = append(got, f.Path)
					}
					if strings.Join(got, " ") != rest {
						t.Errorf("order: %s\nwant   %s", strings.Join(got, " "), rest)
					}
					continue
				}
				f := strings.SplitN(line, " ", 4)
				if len(f) < 3 {
					t.Fatalf("bad line %q", line)
				}
				s := Signal(slices.Index(signalNames[:], f[1]))
				if got := order.Signals(f[0])[s]; f[2] != "*" && strconv.FormatInt(got, 10) != f[2] {
					t.Errorf("%s %s: %d, want %s", f[0], f[1], got, f[2])
				}
				if len(f) < 4 {
					continue
				}
				got := ""
				for _, p := range order.Why(f[0]) {
					if p.Signal == s {
						got = p.Reason
					}
				}
				if got != f[3] {
					t.Errorf("%s %s: %q, want %q", f[0], f[1], got, f[3])
				}
			}
		})
	}
}

func parse(t *testing.T, a *txtar.Archive) (in Input, want []string) {
	t.Helper()
	patches := map[string][]byte{}
	in.Edges = map[string][]string{}
	rows := func(data []byte) (list []string) {
		for l := range strings.SplitSeq(string(data), "\n") {
			if l = strings.TrimSpace(l); l != "" {
				list = append(list, l)
			}
		}
		return list
	}
	for _, f := range a.Files {
		switch head, rest, _ := strings.Cut(f.Name, "/"); head {
		case "head":
			in.Files = append(in.Files, tree.Bytes(rest, f.Data))
		case "patch":
			patches[rest] = f.Data
		case "changes":
			for _, l := range rows(f.Data) {
				w := strings.Fields(l)
				c := Change{Path: w[0], Deleted: len(w) == 2}
				if len(w) == 3 {
					c.OldPath = w[2]
				}
				in.Changes = append(in.Changes, c)
			}
		case "edges":
			for _, l := range rows(f.Data) {
				from, to, _ := strings.Cut(l, " ")
				in.Edges[from] = append(in.Edges[from], to)
			}
		case "history":
			for _, l := range rows(f.Data) {
				in.History = append(in.History, Commit{strings.Fields(l)})
			}
		case "want":
			want = rows(f.Data)
		default:
			t.Fatalf("what is %s?", f.Name)
		}
	}
	for i := range in.Changes {
		in.Changes[i].Patch = patches[in.Changes[i].Path]
		delete(patches, in.Changes[i].Path)
	}
	if len(patches) > 0 || len(want) == 0 {
		t.Fatalf("patches without a change: %v; %d lines wanted", patches, len(want))
	}
	return in, want
}

// check reports what must hold of every order.
func check(t *testing.T, o *Order) {
	t.Helper()
	seen := map[string]bool{}
	for i, f := range o.Files {
		if seen[f.Path] {
			t.Errorf("%s stands twice", f.Path)
		}
		seen[f.Path] = true
		if i > 0 {
			if b := o.Files[i-1]; b.Score < f.Score || b.Score == f.Score && b.Path >= f.Path {
				t.Errorf("%s %d stands before %s %d", b.Path, b.Score, f.Path, f.Score)
			}
		}
		var sum int64
		for _, p := range o.Why(f.Path) {
			sum += p.Amount
			if p.Reason == "" || p.Amount < 0 != (p.Signal == Size) {
				t.Errorf("%s: %v %d %q", f.Path, p.Signal, p.Amount, p.Reason)
			}
		}
		if sum != f.Score {
			t.Errorf("%s: score %d, parts %d", f.Path, f.Score, sum)
		}
	}
}

// unlike makes a repository in which every signal says something.
func unlike(r *rand.Rand, n int) Input {
	in := Input{Edges: map[string][]string{}}
	name := func(i int) string {
		return fmt.Sprintf("pkg%d/%s/mod%d%s", i%5, []string{"src", "test"}[i%2], i/2, []string{".ts", ".go", ".py", ".md"}[i%4])
	}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "export function name%d() {}\nfunc Name%d() {}\ndef name%d(): pass\n", i, i, i)
		for range 20 {
			fmt.Fprintf(&b, "\tcallName%d(name%d, Name%d)\n", r.IntN(n), r.IntN(n), r.IntN(n))
		}
		in.Files = append(in.Files, tree.Bytes(name(i), []byte(b.String())))
		in.Edges[name(i)] = append(in.Edges[name(i)], name(r.IntN(n)), name(r.IntN(n)))
	}
	for i := range 5 {
		var b strings.Builder
		fmt.Fprintf(&b, "@@ -1,2 +1,2 @@ name%d\n", i)
		for range 20 {
			fmt.Fprintf(&b, "%c\tcallName%d(name%d)\n", " +-"[r.IntN(3)], r.IntN(n), r.IntN(n))
		}
		in.Changes = append(in.Changes, Change{Path: name(i * 7), Patch: []byte(b.String())})
	}
	in.Changes = append(in.Changes, Change{Path: "gone/name3.ts", Deleted: true, Patch: []byte("@@ -1 +0,0 @@\n-export function name3() {}\n")})
	for range 40 {
		var c Commit
		for range 1 + r.IntN(4) {
			c.Files = append(c.Files, name(r.IntN(n)))
		}
		in.History = append(in.History, c)
	}
	return in
}

func TestOrderOfInputLeavesNoTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	in := unlike(r, 200)
	want, err := Files(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	check(t, want)
	for range 5 {
		r.Shuffle(len(in.Files), func(i, j int) { in.Files[i], in.Files[j] = in.Files[j], in.Files[i] })
		r.Shuffle(len(in.Changes), func(i, j int) { in.Changes[i], in.Changes[j] = in.Changes[j], in.Changes[i] })
		for _, list := range in.Edges {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		got, err := Files(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Files, want.Files) {
			t.Fatal("another order of the input gives another order of files")
		}
		for _, f := range got.Files {
			if !slices.Equal(got.Why(f.Path), want.Why(f.Path)) {
				t.Fatalf("%s: other reasons", f.Path)
			}
		}
	}
}

func TestUnread(t *testing.T) {
	broken := tree.NewFile("b.go", 0o644, 10, "", func() (io.ReadCloser, error) { return nil, fs.ErrPermission })
	order, err := Files(context.Background(), Input{
		Changes: []Change{{Path: "a.go", Patch: []byte("@@ -1 +1 @@\n+x\n")}},
		Files:   []tree.File{tree.Bytes("a.go", nil), broken},
	})
	if err != nil || len(order.Files) != 1 || len(order.Unread) != 1 || order.Unread[0].Path != "b.go" {
		t.Errorf("%+v %v", order, err)
	}
}

func TestNothing(t *testing.T) {
	for _, in := range []Input{
		{},
		{Files: []tree.File{tree.Bytes("a", nil)}},
		{Changes: []Change{{Path: "a"}}},
		{Changes: []Change{{Path: "a", Deleted: true}}, Files: []tree.File{tree.Bytes("b", []byte("b"))}},
	} {
		order, err := Files(context.Background(), in)
		if err != nil || len(order.Files) != len(in.Files) {
			t.Errorf("%+v: %v %v", in, order, err)
		}
		check(t, order)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Files(ctx, unlike(rand.New(rand.NewPCG(1, 1)), 20)); err == nil {
		t.Error("no error")
	}
}

// Whatever the text, an order is total, its parts add up, and nothing panics.
func FuzzFiles(f *testing.F) {
	f.Add("@@ -1 +1 @@ openDoor\n-openDoor\n+closeDoor\n", "export function openDoor() {}\n", "openDoor()\n", "src/a.ts", "doc/b.md")
	f.Add("@@", "func (", "pub(crate", "a", "b")
	f.Add("@@ @@\n+\x00", "\t\t", "type", "..", "../x.go")
	f.Fuzz(func(t *testing.T, patch, one, two, pathOne, pathTwo string) {
		in := Input{
			Changes: []Change{{Path: pathOne, OldPath: pathTwo + "x", Patch: []byte(patch)}},
			Files:   []tree.File{tree.Bytes(pathOne, []byte(one)), tree.Bytes(pathTwo, []byte(two)), tree.Bytes("z.go", []byte(one+two))},
			Edges:   map[string][]string{pathTwo: {pathOne, "z.go"}, "z.go": {pathTwo + "x"}},
			History: []Commit{{Files: []string{pathOne, "z.go"}}, {Files: []string{pathTwo, pathTwo}}},
		}
		order, err := Files(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		check(t, order)
		slices.Reverse(in.Files)
		again, err := Files(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		if pathOne != pathTwo && pathOne != "z.go" && pathTwo != "z.go" && !slices.Equal(order.Files, again.Files) {
			t.Error("another order of the input gives another order of files")
		}
	})
}

func FuzzNumbers(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		if r := Root(a); r > 1<<32 || r*r > a || r < 1<<32-1 && (r+1)*(r+1) <= a {
			t.Errorf("Root(%d) = %d", a, r)
		}
		if got, want := float64(ln(max(a, 1)))/(1<<32), math.Log(float64(max(a, 1))); math.Abs(got-want) > 1e-8 {
			t.Errorf("ln(%d) = %f, want %f", a, got, want)
		}
		if a <= b && b > 0 {
			if got, want := float64(rootShare(a, b))/unit, math.Sqrt(float64(a)/float64(b)); math.Abs(got-want) > 2e-6 {
				t.Errorf("√(%d/%d) = %f, want %f", a, b, got, want)
			}
		}
	})
}

// Work and what is kept are bounded, whatever a change or a file is made of.
func TestHostile(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	text := func(n int, word func(i int) string) []byte {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(word(i))
		}
		return []byte(b.String())
	}
	names := text(maxText, func(i int) string { return fmt.Sprintf("n%c%x ", 'a'+i%26, random.Uint64()) })
	w := (&scanner{parts: newTable(nil), idents: newTable(nil)}).worker()
	for name, content := range map[string][]byte{
		"one line":    []byte(strings.Repeat("a", maxText)),
		"marks":       []byte(strings.Repeat("_", maxText)),
		"humps":       []byte(strings.Repeat("aB", maxText/2)),
		"names":       names,
		"definitions": text(maxText, func(i int) string { return fmt.Sprintf("const n%d\n", i) }),
		"lines":       []byte(strings.Repeat("\n", maxText)),
		"one word":    []byte(strings.Repeat("abc ", maxText/4)),
	} {
		k := w.read(script, content, nil)
		if len(k.names) > maxWords || len(k.defined) > maxDefined || len(w.used) > maxWords {
			t.Errorf("%s: %d names, %d defined", name, len(k.names), len(k.defined))
		}
	}
	// A patch of 30 MB, in one file or in many, asks a bounded query.
	big := []byte("@@ -0,0 +1 @@\n" + strings.Repeat("+"+string(names[:300])+"\n", 100_000))
	q := ask([]Change{{Path: "a.ts", Patch: big}}, nil, 100)
	if len(q.parts) > maxTerms || len(q.idents) > maxTerms {
		t.Errorf("%d parts, %d identifiers", len(q.parts), len(q.idents))
	}
	var many []Change
	read := 0
	for i := range 5000 {
		many = append(many, Change{Path: fmt.Sprintf("d%d/mod%d.ts", i%7, i), Patch: big[:20<<10]})
		read += len(clip(&many[i], 5000))
	}
	if read > 5000*leastPatch {
		t.Errorf("%d bytes of patches are read", read)
	}
	if q := ask(many, nil, 1_000_000); len(q.parts) > leastTerms {
		t.Errorf("%d parts for a million files", len(q.parts))
	}
	if order, err := Files(context.Background(), Input{Changes: many, Files: []tree.File{tree.Bytes("d1/x.ts", names)}}); err != nil || len(order.Files) != 1 {
		t.Error(order, err)
	}
	// What is too large is not opened.
	closed := tree.NewFile("big.ts", 0o644, 10<<20, "", func() (io.ReadCloser, error) { t.Error("opened"); return nil, fs.ErrInvalid })
	if _, err := Files(context.Background(), Input{Changes: many[:1], Files: []tree.File{closed}}); err != nil {
		t.Error(err)
	}
}

func BenchmarkFiles(b *testing.B) {
	in := unlike(rand.New(rand.NewPCG(1, 2)), 5000)
	var size int64
	for _, f := range in.Files {
		size += f.Size
	}
	b.SetBytes(size)
	for b.Loop() {
		if _, err := Files(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	}
}
