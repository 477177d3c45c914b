package source

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func encoded(n int) string {
	rng := rand.New(rand.NewPCG(4, 2))
	raw := make([]byte, n)
	for i := range raw {
		raw[i] = byte(rng.IntN(256))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func wrappedAt(s string, n int, end string) string {
	var parts []string
	for ; len(s) > n; s = s[n:] {
		parts = append(parts, s[:n])
	}
	return strings.Join(append(parts, s), end)
}

func TestReadable(t *testing.T) {
	long := encoded(2000) // 2668 characters, one of them =
	gone := fmt.Sprintf("[%d characters of base64]", len(long))
	for _, c := range []struct{ what, name, text, want string }{
		{"an address", "a.md", "![x](data:image/png;base64," + long + ") after\n", "![x](data:image/png;base64," + gone + ") after\n"},
		{"two", "a.css", "a(" + long + ") b(" + long + ")", "a(" + gone + ") b(" + gone + ")"},
		{"short", "a.txt", encoded(140) + "\n", encoded(140) + "\n"},
		{"a word", "a.txt", strings.Repeat("a", 5000) + "\n", strings.Repeat("a", 5000) + "\n"},
		{"a hash in hex", "a.txt", strings.Repeat("0f3a9c", 100), strings.Repeat("0f3a9c", 100)},
		{"a path", "a.txt", strings.Repeat("some/folder/", 40), strings.Repeat("some/folder/", 40)},
		{"lines", "a.eml", "begin\n" + wrappedAt(long, 76, "\n") + "\nend\n", "begin\n[2668 characters of base64]\nend\n"},
		{"lines of a string", "a.json", `{"a":"` + wrappedAt(long, 76, `\n`) + `\n"}`, `{"a":"[2668 characters of base64]\n"}`},
		{"no notebook", "a.ipynb", "{}", "{}"},
		{"a broken notebook", "a.ipynb", `{"cells":[` + long, `{"cells":[` + gone},
		{"a notebook", "a.ipynb", `{"cells":[
			{"cell_type":"markdown","source":"# Title\nwords"},
			{"cell_type":"code","source":["import lib\n","lib.plot()\n"],"outputs":[
				{"output_type":"display_data","data":{"image/png":"` + long + `","text/plain":["<Figure>"]}},
				{"output_type":"stream","name":"stdout","text":["one\n","two\n"]},
				{"output_type":"error","ename":"ValueError","evalue":"no\nsuch"}]}]}`,
			"# %% markdown\n# Title\nwords\n\n# %% code\nimport lib\nlib.plot()\n# output: image/png (2668 characters), text/plain (8 characters): <Figure>\n# output: stream (2 lines): one two\n# output: ValueError: no such\n"},
		{"of version 3", "a.IPYNB", `{"worksheets":[{"cells":[{"cell_type":"code","input":["x = 1"]}]}]}`, "# %% code\nx = 1\n"},
	} {
		if got := string(Readable(c.name, []byte(c.text))); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestLongBase64 compares the search with one that looks at every byte, in texts of runs that are about as long as a line.
func TestLongBase64(t *testing.T) {
	plain := func(b []byte) (from, to, n int) {
		for i := 0; i < len(b); i++ {
			j := i
			for j < len(b) && inBase64[b[j]] {
				j++
			}
			end, count := j, j-i
			if count >= leastLine {
				end, count = wrapped(b, i, j)
			}
			if count > maxBase64 && drawn(b[i:end]) {
				for end < len(b) && b[end] == '=' {
					end, count = end+1, count+1
				}
				return i, end, count
			}
			if end > i {
				i = end - 1
			}
		}
		return 0, 0, 0
	}
	rng := rand.New(rand.NewPCG(1, 3))
	sizes, ends := []int{1, 20, 58, 59, 60, 61, 76, 119, 120, 201, 260}, []string{"\n", `\n`, "\r\n", " ", "=", `"`, "\n\n"}
	drawn := encoded(3000)
	found := 0
	for range 5_000 {
		var text []byte
		size := sizes[rng.IntN(len(sizes))]
		for range rng.IntN(8) {
			if rng.IntN(3) == 0 {
				size = sizes[rng.IntN(len(sizes))]
			}
			at := rng.IntN(3000)
			text = append(append(text, drawn[at:at+size]...), ends[rng.IntN(len(ends))]...)
		}
		from, to, n := longBase64(text)
		if n > 0 {
			found++
		}
		if f, e, c := plain(text); f != from || e != to || c != n {
			t.Fatalf("%d to %d, %d characters, want %d to %d, %d, of %q", from, to, n, f, e, c, text)
		}
	}
	if found < 250 {
		t.Errorf("%d found", found)
	}
}

// FuzzCutBase64: no run that is too long is left, and a second cut changes nothing.
func FuzzCutBase64(f *testing.F) {
	f.Add(encoded(500), "\n", 76)
	f.Add(encoded(500), " ", 10)
	f.Fuzz(func(t *testing.T, s, end string, n int) {
		text := []byte(wrappedAt(s, 1+max(0, n)%300, end))
		cut := CutBase64(text)
		if again := CutBase64(cut); string(again) != string(cut) {
			t.Errorf("cut again, %q becomes %q", cut, again)
		}
		if from, to, n := longBase64(cut); n > 0 {
			t.Errorf("%q is left", cut[from:to])
		}
	})
}
