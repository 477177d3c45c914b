//go:build linux

package hostile

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/repo"
)

// edgeAttacks are sources whose names lead to each other more often than there are bytes.
func edgeAttacks() []attack {
	ranked := program(nil, "--mode", "context", "--fill", "rank", "--base", "none", "--pack", "none")
	module := func(set func(t *testing.T, dir string)) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			write(t, dir, "go.mod", []byte("module m\n\ngo 1.24\n"))
			set(t, dir)
		}
	}
	// constrained are n files of Go of one folder, with a constraint of bytes each that no platform fulfils.
	constrained := func(n, bytes int) func(t *testing.T, dir string) {
		return module(func(t *testing.T, dir string) {
			for i := range n {
				line := "//go:build t7 && !t7"
				for k := 0; len(line) < bytes; k++ {
					line += fmt.Sprintf(" && (t%d || linux || !t%d)", (i+k)%7, k%7)
				}
				write(t, dir, fmt.Sprintf("f%04d.go", i), fmt.Appendf(nil, "%s\n\npackage m\n\nfunc F%d() { F%d(); F%d() }\n", line, i, (i+1)%n, (i+2)%n))
			}
		})
	}
	return []attack{
		{class: "edges", name: "constraints of 4 KB on 12 files", run: ranked, want: "members", set: constrained(12, 4000), seconds: 20},
		{class: "edges", name: "constraints of 9 KB on 1,000 files", long: true, run: ranked, want: "limit", set: constrained(1000, 9000)},
		{class: "edges", name: "constraints of 100 bytes on 10,000 files", long: true, run: ranked, want: "members", set: constrained(10_000, 100)},
		{class: "edges", name: "one name in 10,000 files of one folder", long: true, run: ranked, want: "limit", set: module(func(t *testing.T, dir string) {
			for i := range 10_000 {
				write(t, dir, fmt.Sprintf("p/f%05d.go", i), fmt.Appendf(nil, "package p\n\n%s\n", []string{"func F() {}", "var _ = F"}[i%2]))
			}
		})},
		{class: "edges", name: "one name in 6,000 modules that one hands on", long: true, run: ranked, want: "limit", set: func(t *testing.T, dir string) {
			var all strings.Builder
			for i := range 6000 {
				fmt.Fprintf(&all, "from .f%d import *\n", i)
				write(t, dir, fmt.Sprintf("p/f%d.py", i), []byte("from p import g\n\n\ndef g():\n    return g()\n"))
			}
			write(t, dir, "p/__init__.py", []byte(all.String()))
		}},
		{class: "edges", name: "100,000 patterns to embed, and 10,000 files", long: true, run: ranked, want: "limit", set: module(func(t *testing.T, dir string) {
			var b strings.Builder
			b.WriteString("package m\n\nimport _ \"embed\"\n\n")
			for i := range 100_000 {
				fmt.Fprintf(&b, "//go:embed *x%d\n", i)
			}
			write(t, dir, "a.go", []byte(b.String()+"var s string\n"))
			for i := range 10_000 {
				write(t, dir, fmt.Sprintf("f%05d.js", i), []byte("1\n"))
			}
		})},
		{class: "edges", name: "40,000 names that stand for others, and as many imports", long: true, run: ranked, want: "limit", set: module(func(t *testing.T, dir string) {
			var a, f strings.Builder
			a.WriteString("package p\n\nimport (\n")
			f.WriteString("package q\n\nimport \"m/p\"\n\n")
			for i := range 40_000 {
				fmt.Fprintf(&a, "\tx%d \"m/r%d\"\n", i, i%10)
			}
			a.WriteString(")\n\n")
			for i := range 40_000 {
				fmt.Fprintf(&a, "type A%d = x39999.B%d\n", i, i)
				fmt.Fprintf(&f, "var _ p.A%d\n", i)
			}
			write(t, dir, "p/a.go", []byte(a.String()))
			write(t, dir, "q/f.go", []byte(f.String()))
			for i := range 10 {
				write(t, dir, fmt.Sprintf("r%d/r.go", i), []byte("package r\n\ntype B int\n"))
			}
		})},
	}
}

// closureAttacks are states whose entries reach far.
func closureAttacks() []attack {
	context := program(nil, "--mode", "context", "--base", "none", "--pack", "none")
	// chained are n files that import the next one each, with names of at least long bytes.
	chained := func(n, long int, entries func(name func(i int) string) string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			name := func(i int) string { return fmt.Sprintf("d%d/%sf%d.ts", i%100, strings.Repeat("n", long), i) }
			for i := range n {
				write(t, dir, name(i), fmt.Appendf(nil, "import '../%s'\nexport const x = %d\n", strings.TrimSuffix(name((i+1)%n), ".ts"), i))
			}
			write(t, dir, ".stan/context/dependency.state.json", []byte(`{"v":2,"i":[`+entries(name)+`]}`))
		}
	}
	first := func(name func(i int) string) string { return fmt.Sprintf("[%q,1000000000]", name(0)) }
	return []attack{
		{class: "closures", name: "20,000 files at any depth", long: true, run: context, want: "record.json", set: chained(20_000, 0, first)},
		{class: "closures", name: "3,000 files with long names", run: context, want: "record.json", set: chained(3000, 200, first)},
		{class: "closures", name: "4,000 files, from each twice as far", run: context, want: "record.json", set: chained(4000, 0, func(name func(i int) string) string {
			var list []string
			for i := range 4000 {
				list = append(list, fmt.Sprintf("[%q,%d]", name(3999-i), 2*i))
			}
			return strings.Join(list, ",")
		})},
		{class: "closures", name: "all is taken out again", run: context, want: "record.json", set: chained(3000, 0, func(name func(i int) string) string {
			return fmt.Sprintf(`[%q,1000000000]],"x":[[%q,1000000000]`, name(0), name(1))
		})},
	}
}

// storeAttacks are servers of the session's store.
func storeAttacks() []attack {
	served := func(name, want string, seconds int, answer http.HandlerFunc) attack {
		return attack{class: "store", name: name, want: want, seconds: seconds, mebibytes: 256, set: func(t *testing.T, dir string) {
			write(t, dir, "a.txt", []byte("x\n"))
		}, run: func(dir string) (string, error) {
			server := httptest.NewServer(answer)
			defer server.Close()
			defer server.CloseClientConnections()
			said, err := program(nil, "--base", "none", "--pack", "none", "--session", "a", "--store", server.URL)(dir)
			return said, err
		}}
	}
	begun := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, text)
		w.(http.Flusher).Flush()
	}
	return []attack{
		served("an answer without end", "larger than", 60, func(w http.ResponseWriter, r *http.Request) {
			begun(w, `{"x":"`)
			for chunk := bytes.Repeat([]byte("a"), 1<<20); r.Context().Err() == nil; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}),
		{class: "store", name: "an answer of a byte a second", want: "not complete", seconds: 90, set: served("", "", 0, nil).set, mebibytes: 256, long: true, waits: true,
			run: served("", "", 0, func(w http.ResponseWriter, r *http.Request) {
				begun(w, `{"x":"`)
				for r.Context().Err() == nil {
					select {
					case <-r.Context().Done():
					case <-time.After(time.Second):
						begun(w, "a")
					}
				}
			}).run},
		served("lists of nothing", "goes on", 60, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/status") {
				begun(w, `{"version":"1"}`)
				return
			}
			begun(w, "[")
			for chunk := bytes.Repeat([]byte("[],"), 1<<18); r.Context().Err() == nil; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}),
		served("answers that lead elsewhere", "leads elsewhere", 60, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"a", http.StatusFound)
		}),
		served("an error of a gigabyte", "status 500", 90, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			for chunk := bytes.Repeat([]byte("a"), 1<<20); r.Context().Err() == nil; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}),
	}
}

// signatureAttacks are commits with long heads, and histories of folders that repeat themselves.
func signatureAttacks() []attack {
	headed := func(head string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			var p packing
			id, _ := p.object(blob, []byte("x\n"))
			root, _ := p.object(treeType, entry("100644", "a.txt", id))
			before, rest, _ := strings.Cut(string(commitOf(root, 1)), "\n\n")
			c, _ := p.object(commit, []byte(before+"\n"+head+"\n"+rest))
			p.save(t, dir, c)
		}
	}
	return []attack{
		{class: "objects", name: "a signature of 900,000 lines", run: packHead, want: "1 files", seconds: 20, set: headed("gpgsig x\n" + strings.Repeat(" x\n", 900_000))},
		{class: "objects", name: "900,000 headers", run: packHead, want: "1 files", seconds: 20, set: headed(strings.Repeat("h x\n", 900_000))},
		{class: "objects", name: "a signature of many tags that are merged", run: packHead, want: "1 files", seconds: 20, set: headed(strings.Repeat("mergetag x\n y\n", 250_000))},
		{class: "history", name: "10^30 files come in a commit before", run: opened(func(r *repo.Repository) (string, error) {
			list, cut, err := r.Touched("main", 10)
			return fmt.Sprint(len(list), " commits, cut ", cut), err
		}), want: "2 commits", seconds: 20, set: func(t *testing.T, dir string) {
			var p packing
			id, _ := p.object(blob, []byte("x\n"))
			sub, _ := p.object(treeType, entry("100644", "a", id))
			small, _ := p.object(treeType, entry("100644", "b", id))
			for range 30 {
				var b []byte
				for i := range 10 {
					b = append(b, entry("40000", fmt.Sprint(i), sub)...)
				}
				sub, _ = p.object(treeType, b)
			}
			a, _ := p.object(commit, commitOf(small, 1))
			c, _ := p.object(commit, commitOf(sub, 2, a))
			d, _ := p.object(commit, commitOf(small, 3, c))
			p.save(t, dir, d)
		}},
	}
}

// defaultsAttacks are files of defaults that mean to cost, or to decide on what is not theirs.
func defaultsAttacks() []attack {
	row := func(name, text, want string) attack {
		return attack{class: "defaults", name: name, run: program(nil, "--base", "none", "--pack", "none"), want: want, seconds: 10, mebibytes: 256, set: func(t *testing.T, dir string) {
			write(t, dir, "kettle.txt", []byte("boils\n"))
			write(t, dir, ".github/haversack.yml", []byte(text))
		}}
	}
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10))
	}
	globs := "exclude:\n" + strings.Repeat("- '{"+strings.Repeat("a,", 1000)+"}{"+strings.Repeat("b,", 1000)+"}*a*a*a*a*a*a*a*b'\n", 14)
	return []attack{
		row("aliases of aliases", laughs.String(), "haversack.yml:1: a0 is no input"),
		row("aliases as a value", "mode: &m auto\npack: *m\n", "haversack.yml:1: anchors and aliases are not taken"),
		row("60 KB of brackets", "exclude: "+strings.Repeat("[", 60_000), "haversack.yml:"),
		row("a list in a list, 9,000 deep", "exclude: "+strings.Repeat("[", 9_000)+strings.Repeat("]", 9_000), "haversack.yml:1: input exclude: a mapping or a list within"),
		row("1 MB", "# "+strings.Repeat("x", 1<<20), "larger than 65536 bytes"),
		row("30,000 keys", strings.Repeat("a: b\n", 13_000), "haversack.yml:1: a is no input"),
		row("globs of many alternatives", globs, ""),
		row("a store elsewhere", "mode: full\nstore: http://127.0.0.1:1\n", "haversack.yml:2: store may not stand in a file of defaults"),
		row("what YAML calls a merge", "<<: {token: x}\n", "haversack.yml:1: "),
		row("control characters", "mode: \"a\\u001b[2J\"\n", "haversack.yml:1: input mode: "),
		row("UTF-16", "\xff\xfem\x00o\x00d\x00e\x00", "haversack.yml:1: it is no UTF-8"),
	}
}

// allowAttacks are allow files of intricate globs.
func allowAttacks() []attack {
	found := func(line, want string) attack {
		return attack{class: "globs", run: program(nil, "--base", "none", "--pack", "none"), want: want, set: func(t *testing.T, dir string) {
			for i := range 2000 {
				write(t, dir, fmt.Sprintf("%s%05d.yaml", strings.Repeat("a", 200), i), fmt.Appendf(nil, "password: x9Kq%05dLm3vT7zR\n", i))
			}
			var b strings.Builder
			for i := 0; b.Len() < 60_000; i++ {
				b.WriteString(strings.ReplaceAll(line, "#", fmt.Sprint(i)))
			}
			write(t, dir, ".haversackallow", []byte(b.String()))
		}}
	}
	stars, braces := found("* *a*a*a*a*a*a*a*a*a*a*a*a*a*b# made up\n", ""), found("* "+strings.Repeat("{"+strings.Repeat("a,", 1000)+"}", 4)+"b made up\n", "limit")
	stars.name, braces.name = "60 KB of stars in an allow file", "60 KB of alternatives in an allow file"
	return []attack{stars, braces}
}
