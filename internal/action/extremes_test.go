package action

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestExtremeRepositories: one file of 20 MB, forty languages, no source at all: each gives a pack that its schema allows and a
// document that says what there is, within limits from 2,000 bytes and 2,000 tokens up, the same twice.
func TestExtremeRepositories(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	languages := "adb ps1 awk c clj cob coffee cpp cr cs css d dart elm erl ex f90 fs go groovy hs html java jl js kt lisp lua m ml nim php pl py r rb rs scala sh sol sql swift tcl tf ts v vb vhd vue zig"
	long := make([]string, 0, 330_000)
	for i := range 330_000 {
		long = append(long, fmt.Sprintf("def furrow_%d(seed):\n    return seed * %d + furrow_%d(seed)\n", i, i, max(i-1, 0)))
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		says  string // of the document without limits
	}{
		{"one file of 20 MB", map[string]string{"field.py": strings.Join(long, "")}, "Files: 1 (code 1)"},
		{"one line of 20 MB", map[string]string{"field.json": `{"rows":"` + strings.Repeat("barley ", 3_000_000) + `"}`}, "Files: 1 ("},
		{"forty languages", byExtension(languages), "Shown here: in outline 0, whole 48;"},
		{"no source", map[string]string{"LICENSE": "Sow as you like.\n", "data/yield.csv": "year,tons\n1903,4\n", "seal.png": "\x89PNG\x00\x01"}, "Files: "},
		{"nothing but a readme", map[string]string{"readme.rst": "Barley\n======\n\nA field of it.\n"}, "A field of it."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(c.name, "20 MB") {
				t.Skip("takes some seconds")
			}
			r := repotest.New(t)
			for name, text := range c.files {
				r.Write(name, text)
			}
			r.Git("add", "-A")
			for i, limit := range []int{0, 2_000} {
				first := runExtreme(t, r, limit)
				if i == 0 && !strings.Contains(first[0], c.says) {
					t.Errorf("context.md does not say %q:\n%.600s", c.says, first[0])
				}
				if limit == 2_000 && runExtreme(t, r, limit) != first {
					t.Errorf("limit %d: two runs differ", limit)
				}
			}
		})
	}
}

// BenchmarkManyFiles makes document and pack of a repository of 80,000 files, without limits but the defaults and within 2,000 bytes
// and tokens.
func BenchmarkManyFiles(t *testing.B) {
	r := repotest.New(t)
	for dir := range 800 {
		name := filepath.Join(r.Dir, "plots", fmt.Sprint(dir/20), fmt.Sprint(dir))
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
		for file := range 100 {
			text := fmt.Sprintf("def sow_%d_%d():\n    return %d\n", dir, file, file)
			if err := os.WriteFile(filepath.Join(name, fmt.Sprintf("row_%d.py", file)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.Git("add", "-A")
	for t.Loop() {
		for _, limit := range []int{0, 2_000} {
			if out := runExtreme(t, r, limit); !strings.Contains(out[0], "Files: 80000 (code 80000)") {
				t.Errorf("limit %d: context.md does not say how many files there are:\n%.600s", limit, out[0])
			}
		}
	}
}

// A task's document keeps its limit, from 2,000 tokens up, whatever the task is; what is no text is refused by name.
func TestTasksWithinLimits(t *testing.T) {
	r := repotest.New(t)
	for name, text := range byExtension("py go rs java ts c rb") {
		r.Write(name, strings.Repeat(text, 40))
	}
	r.Git("add", "-A")
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "name_%d.turn ", i)
	}
	for name, task := range map[string]string{
		"a log": strings.Repeat("2026-01-02T03:04:05Z INFO plough=7 turn soil src/none/at/all.py:3\n", 80_000), "identifiers": many.String(),
		"binary": "\x7fELF\x02\x00" + strings.Repeat("\xff\xfe\x00turn", 5000), "signs of feeling": strings.Repeat("😀🎉", 5000),
		"another language": strings.Repeat("почва не вспахана ", 3000), "paths": strings.Repeat("../../etc/passwd src/absent.py:4 ", 5000),
	} {
		file := filepath.Join(t.TempDir(), "task")
		if err := os.WriteFile(file, []byte(task), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{2_000, 30_000} {
			var said bytes.Buffer
			p := job.Process{Args: []string{"context", "--task-file", file, "--budget-tokens", fmt.Sprint(limit), "--part-tokens", "0"}, Dir: r.Dir, Stdout: &said, Stderr: &said, Getenv: func(string) string { return "" }}
			err := (&Command{Process: p}).Run(t.Context())
			if name == "binary" {
				if err == nil || !strings.Contains(err.Error(), "input task-file: binary: a task is text") {
					t.Errorf("binary: %v", err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %d: %v\n%.400s", name, limit, err, said.String())
				continue
			}
			b, err := os.ReadFile(filepath.Join(r.Dir, ".stan", "output", "context.md"))
			if err != nil {
				t.Fatal(err)
			}
			if n := new(tokens.Counter).Count(b); n > limit {
				t.Errorf("%s: %d tokens of %d", name, n, limit)
			}
		}
	}
}

// runExtreme makes document and pack under limits, 0 for none but the defaults, and returns both.
func runExtreme(t testing.TB, r *repotest.Repo, limit int) (out [2]string) {
	t.Helper()
	args := []string{"--base", "none"}
	if limit > 0 {
		args = append(args, "--budget-tokens", fmt.Sprint(limit), "--max-content-bytes", fmt.Sprint(limit))
	}
	var said bytes.Buffer
	p := job.Process{Args: args, Dir: r.Dir, Stdout: &said, Stderr: &said, Getenv: func(string) string { return "" }}
	if err := (&Command{Process: p}).Run(t.Context()); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, said.String())
	}
	results := filepath.Join(r.Dir, ".stan", "output")
	parts, err := filepath.Glob(filepath.Join(results, "context*.md"))
	if err != nil || len(parts) == 0 {
		t.Fatalf("no document: %v", err)
	}
	spent := 0
	for _, name := range append([]string{filepath.Join(results, "context.md")}, parts...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if out[0] == "" {
			out[0] = string(b)
			continue
		}
		spent += new(tokens.Counter).Count(b)
	}
	b, err := os.ReadFile(filepath.Join(results, "pack.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := pack.Show(new(bytes.Buffer), bytes.NewReader(b)); err != nil {
		t.Errorf("limit %d: the pack is not valid: %v", limit, err)
	}
	if limit > 0 && (spent > limit || len(b) > limit) {
		t.Errorf("limit %d: the document has %d tokens, the pack %d bytes", limit, spent, len(b))
	}
	out[1] = string(b)
	return out
}

// byExtension are files of so many languages, each with a few lines that several of them could read.
func byExtension(list string) map[string]string {
	files := map[string]string{}
	for ext := range strings.FieldsSeq(list) {
		files["src/plough_"+ext+"."+ext] = "function turn(soil) {\n  return soil\n}\ndef turn(soil):\n    return soil\nfn turn() {}\nfunc Turn() {}\n"
	}
	return files
}
