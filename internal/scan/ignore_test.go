package scan

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/tree"
)

// TestIgnoreAgreesWithGit asks git itself which paths are ignored.
func TestIgnoreAgreesWithGit(t *testing.T) {
	r := repotest.New(t, "-- tracked --\nx\n")
	write := func(name, content string) {
		t.Helper()
		p := filepath.Join(r.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".gitignore", strings.Join([]string{
		"# comment", `\#literal`, `\!bang`, "*.o", "!keep.o", "/root-only", "dir-only/", "a/**/z", "deep/**", "**/any", "sp ace ", `trail\ `,
		"x[0-9].txt", "y[!0-9].txt", "{brace}", `\{esc\}`, `e\{a,b\}*`, "b/*.md", "[[:digit:]]n", "foo**bar", "?q", "nested/*", "!nested/kept/", "*~", "[", "a/b\\", "/s/t/", "pre*", "!pre-kept", "**/*.suf", "**/.dot", "low/**", "!low/kept",
	}, "\n")+"\r\nlast")
	write("sub/.gitignore", "!inner.o\n/anchored\nlocal\n")
	write(".git/info/exclude", "excluded-by-info\n")
	for _, name := range []string{
		"#literal", "!bang", "x.o", "keep.o", "root-only", "sub/root-only", "dir-only/f", "sub/dir-only/g", "f/dir-only", "a/z", "a/b/z", "a/b/c/z", "deep/x/y",
		"p/any", "any", "sp ace", "trail ", "x1.txt", "xa.txt", "y1.txt", "ya.txt", "{brace}", "{esc}", "e{a,b}", "ea", "b/m.md", "b/c/m.md", "5n", "an", "foobar", "fooXbar", "foo/x/bar",
		"aq", "nested/f", "nested/kept/f", "back~", "sub/inner.o", "sub/other.o", "sub/anchored", "sub/d/anchored", "sub/d/local", "last", "excluded-by-info", "s/t/u", "t/s/t", "p/prefix", "p/pre-kept", "q/r/a.suf", "q/.dot", "low/kept", "low/not", "q/low/not",
	} {
		write(name, "x")
	}
	var all []string
	filepath.WalkDir(r.Dir, func(p string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(r.Dir, p)
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	cmd := exec.Command("git", "check-ignore", "-z", "--stdin")
	cmd.Dir, cmd.Env = r.Dir, repotest.Env()
	cmd.Stdin = strings.NewReader(strings.Join(all, "\x00") + "\x00")
	b, _ := cmd.Output()
	want := strings.Split(strings.TrimRight(string(b), "\x00"), "\x00")

	root, err := tree.Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	exclude, _ := os.ReadFile(filepath.Join(r.Dir, ".git", "info", "exclude"))
	w := newWalker(root, Rules{Stan: ".stan", Under: ".", Untracked: true, Include: nil}, Git{Tracked: map[string]bool{"tracked": false}, Exclude: exclude})
	var pruned, got []string
	w.omit = func(o Omission) {
		if o.Reason == GitIgnored {
			pruned = append(pruned, o.Path)
		}
	}
	w.emit = func(candidate) error { return nil }
	w.warn = func(string) {}
	if err := w.walk(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if slices.ContainsFunc(pruned, func(o string) bool { return o == p || strings.HasSuffix(o, "/") && strings.HasPrefix(p, o) }) {
			got = append(got, p)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		for _, p := range all {
			if g, w := slices.Contains(got, p), slices.Contains(want, p); g != w {
				t.Errorf("%q: ignored %v, git says %v", p, g, w)
			}
		}
	}
	if len(want) < 15 {
		t.Errorf("git ignores %d paths only", len(want))
	}
}

// TestIgnoreHasNoAlternatives matches what would take 2^60 steps, were the braces
// alternatives: whoever opens a pull request writes its .gitignore.
func TestIgnoreHasNoAlternatives(t *testing.T) {
	for _, unit := range [][2]string{{"{a,a}", "a"}, {`\{a,a,x\}`, `\a`}} {
		f := parseIgnore(".gitignore", "", []byte(strings.Repeat(unit[0], 60)+"*c\n"), false)
		if _, hit := f.match(strings.Repeat(unit[1], 60)+"b", false); hit {
			t.Errorf("%s matches", unit[0])
		}
	}
}

func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		`src\main.go`: "src/main.go", `C:\Users\x`: "Users/x", "./a/": "a", "/a": "a", ".//a": "a", "": ".", "./": ".", "a/b": "a/b", `.\a\`: "a",
	} {
		if got := Normalize(in); got != want {
			t.Errorf("Normalize(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		match         bool
	}{
		{"docs", "docs/a.md", true}, {"docs", "docs", true}, {"docs", "docs2/a", false}, {"**/*.md", ".x/a.md", true}, {"*.md", "a.md", true},
		{"*.md", "d/a.md", false}, {"src/*", "src/a", true}, {"src/*", "src/a/b", false}, {"app/[id]/p.tsx", "app/[id]/p.tsx", true}, {"{a,b}/**", "b/x/y", true},
		{".", "anything", true}, {"a?c", "abc", true}, {"./x/", "x/y", true},
		// Brackets of a path's own, escaped or not.
		{`app/\[id\]/**`, "app/[id]/p.tsx", true}, {`app/\[id\]/**`, "app/i/p.tsx", false}, {`app/\[id\]`, "app/[id]/p.tsx", true}, {`app/\[id\]`, "app/i", false},
		{"app/[id]/**", "app/[id]/p.tsx", true}, {"app/[id]/**", "app/i/p.tsx", true}, {"app/[...slug]/*", "app/[...slug]/p.tsx", true}, {`\[id\]/\{x\}`, "[id]/{x}/y", true},
		{`\!x`, "!x", true}, {`src/\*.md`, "src/*.md", true}, {`src/\*.md`, "src/a.md", false},
		// Paths of Windows.
		{`src\app\p.tsx`, "src/app/p.tsx", true}, {`src\**\*.md`, "src/a/b.md", true}, {`app\[id]\p.tsx`, "app/[id]/p.tsx", true}, {`app\[id]`, "app/[id]/p.tsx", true}, {`docs\`, "docs/a", true},
	} {
		ps, err := ParsePatterns([]string{tt.pattern})
		if err != nil {
			t.Fatal(err)
		}
		if got := ps.Match(tt.path) != ""; got != tt.match {
			t.Errorf("%q matches %q: %v", tt.pattern, tt.path, got)
		}
	}
	for _, tt := range []struct {
		pattern, dir string
		reaches      bool
	}{
		{"node_modules/zod/**", "node_modules", true}, {"node_modules/zod/**", "node_modules/zod", true}, {"node_modules/zod/**", "node_modules/x", false},
		{"**/*.md", "node_modules", false}, {"*/dist/x.js", "a/dist", true}, {"dist/x.js", "dist", true}, {"dist/*.js", "dist", true}, {"*.js", "dist", false}, {"dist", "dist", true},
		{"{vendor,node_modules}/zod/**", "node_modules", true}, {"{vendor,node_modules}/zod/**", "dist", false}, {"[!d]ist/x", "list", true},
	} {
		ps, _ := ParsePatterns([]string{tt.pattern})
		if got := ps.Reaches(tt.dir); got != tt.reaches {
			t.Errorf("%q reaches %q: %v", tt.pattern, tt.dir, got)
		}
	}
}

// TestUnmatched: what no path matches is named, but what may lie in a folder that was
// not entered.
func TestUnmatched(t *testing.T) {
	f := &SearchResult{Files: []File{{File: tree.File{Path: "src/a.ts"}}, {File: tree.File{Path: "my dir/b"}}}, Omitted: []Omission{{Path: "node_modules/"}, {Path: "x.key"}}}
	for pattern, matched := range map[string]bool{
		"src": true, "src/**": true, "**/*.ts": true, "my dir": true, "x.key": true, "node_modules": true, "node_modules/zod/**": true, "*/zod": true, "sub/module": true,
		"scr": false, "src/b": false, "*.ts": false, "src,my dir": false, "!src": false, "**/*.go": false, "sr*": false,
	} {
		ps, err := ParsePatterns([]string{pattern})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(f.Unmatched(ps, map[string]bool{"sub/module": true})) == 0; got != matched {
			t.Errorf("%q: matched is %v", pattern, got)
		}
	}
}
