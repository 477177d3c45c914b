//go:build linux

package hostile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packed packs a folder as a whole run does, and verifies the archive.
func packed(args ...string) func(string) (string, error) {
	return func(dir string) (string, error) {
		said, err := program(nil, append([]string{"--pack", "none"}, args...)...)(dir)
		if err != nil {
			return said, err
		}
		if err := os.Chdir(filepath.Join(dir, ".stan/output")); err != nil {
			return said, err
		}
		return program(nil, "verify", "archive.tar")(filepath.Join(dir, ".stan/output"))
	}
}

// wholeAttacks go through the program from end to end.
func wholeAttacks() []attack {
	const state = ".stan/context/dependency.state.json"
	entries := func(n int, format string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, format+",", i)
			}
			write(t, dir, "a.ts", []byte("import './b'\n"))
			write(t, dir, "b.ts", []byte("export const b = 1\n"))
			write(t, dir, state, []byte(`{"v":2,"i":[`+b.String()+`"a.ts"]}`))
		}
	}
	return []attack{
		{class: "limits", name: "a file above limit-file-bytes", run: program(nil, "--limit-file-bytes", "1000", "--pack", "none"), want: "larger than 1000 bytes", set: func(t *testing.T, dir string) {
			write(t, dir, "a.txt", []byte(strings.Repeat("text\n", 400)))
			write(t, dir, "b.txt", []byte("text\n"))
		}},
		{class: "limits", name: "a run beyond limit-seconds", run: program(nil, "graph", "--limit-seconds", "1"), want: "which is limit-seconds", set: func(t *testing.T, dir string) {
			for i := range 40 {
				write(t, dir, fmt.Sprintf("bomb%d.ts", i), []byte(strings.Repeat("async(", 100)+fmt.Sprint(i)))
			}
		}},
		{class: "limits", name: "a limit that is none", run: program(nil, "--limit-seconds", "0"), want: "is not allowed: 1 to 86400"},
		{class: "limits", name: "a limit on memory that is too low", run: program(nil, "--limit-memory-bytes", "1000"), want: "is not allowed: 67108864"},
		{class: "state", name: "400,000 entries", run: packed(), want: "400001 entries, and the limit is 50000", set: entries(400_000, `"f%d"`)},
		{class: "state", name: "400,000 entries that are none", run: packed(), want: "400001 entries, and the limit is 50000", set: entries(400_000, `[%d]`)},
		{class: "state", name: "40,000 entries that are not there", run: packed(), want: "members are what record.json says", set: entries(40_000, `"f%d"`)},
		{class: "state", name: "40,000 faulty entries", run: packed(), want: "must be", set: entries(40_000, `[%d]`)},
		{class: "state", name: "40,000 times the same", run: packed(), want: "members are what record.json says", set: entries(40_000, `["a.ts",%d]`)},
		{class: "names", name: "16,000 folders called password=, from end to end", long: true, run: packed(), want: "members are what record.json says", set: func(t *testing.T, dir string) {
			for i := range 16_000 {
				write(t, dir, fmt.Sprintf("password=x9Kq%05dLm3vT7zR/a.txt", i), []byte("x\n"))
			}
		}},
		{class: "names", name: "11,000 names that hold one another", long: true, run: packed(), want: "members are what record.json says", set: func(t *testing.T, dir string) {
			for i := range 11_000 {
				write(t, dir, fmt.Sprintf("d%d/password=x9Kq%05dLm3vT7zRpassword=x9Kq%05dLm3vT7zR", i%10, i, i+1), []byte("x\n"))
			}
		}},
		{class: "wrong", name: "the byte ff beside its spelling", run: packed(), want: "3 members are what record.json says", set: func(t *testing.T, dir string) {
			for _, name := range []string{"a\xff", `a\xff`, `a\x5cxff`} {
				write(t, dir, name, []byte(name+"\n"))
			}
		}},
		{class: "wrong", name: "1,000 nested folders, from end to end", run: packed(), want: "members are what record.json says", set: func(t *testing.T, dir string) {
			at := dir
			for range 1000 {
				at += "/d"
			}
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, dir, strings.Repeat("d/", 1000)+"a.txt", []byte("x\n"))
		}},
		{class: "wrong", name: "a link to a name of 4,000 bytes", run: packed(), want: "members are what record.json says", set: func(t *testing.T, dir string) {
			write(t, dir, strings.Repeat("d23456789/", 390)+"a.txt", []byte("x\n"))
			os.Symlink(strings.Repeat("d23456789/", 390)+"a.txt", filepath.Join(dir, "link"))
		}},
		{class: "size", name: "200,000 tiny files by ref, from end to end", long: true, mebibytes: 512, run: packed("--ref", "HEAD"), want: "members are what record.json says", set: func(t *testing.T, dir string) {
			var p packing
			var b bytes.Buffer
			for i := range 200_000 {
				if i%1000 == 0 {
					id, _ := p.object(blob, fmt.Appendf(nil, "%d\n", i))
					b.Write(entry("100644", fmt.Sprintf("f%06d", i), id))
					continue
				}
				id, _ := p.object(blob, []byte("x\n"))
				b.Write(entry("100644", fmt.Sprintf("f%06d", i), id))
			}
			root, _ := p.object(treeType, b.Bytes())
			c, _ := p.object(commit, commitOf(root, 1))
			p.save(t, dir, c)
		}},
	}
}
