package peertest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestWorstUnderAct runs the default workflow for pull requests that are made to hang it, to fill its memory or to
// crash it: each ends, with the patch and every file but those named, and says what was given up. On a machine with nothing else to
// do it takes less than a minute; others compute beside it here, so that the bar stands where only what hangs comes to. What the
// same texts may take stands in internal/hostile.
func TestWorstUnderAct(t *testing.T) {
	need(t, "docker", "act", "git", "npm")
	const most = 5 * time.Minute
	workflow, err := os.ReadFile("testdata/default.yml")
	if err != nil {
		t.Fatal(err)
	}
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name string
		// files of the pull request; says is in the log.
		files map[string]string
		says  string
	}{
		{"nested calls in 2.4 KB", map[string]string{
			"src/bomb0.ts": "import './b'\n" + strings.Repeat("async(", 100), "src/bomb1.ts": "import './b' // 1\n" + strings.Repeat("async(", 100),
			"src/bomb2.ts": "import './b' // 2\n" + strings.Repeat("async(x=", 75), "src/bomb3.ts": "import './b' // 3\n" + strings.Repeat("async<T>(", 66),
			"src/b.ts": "export const b = 1\n",
		}, "limit: the parser"},
		{"imports and paths", map[string]string{
			"tsconfig.json": `{"compilerOptions":{"paths":{` + strings.TrimSuffix(many(2000, `"p%d*z":["./*"],`), ",") + `}}}`,
			"src/a.ts":      many(250_000, "import \"x%d\"\n"),
		}, "limit: "},
		{"brackets", func() map[string]string {
			files := map[string]string{"src/b.ts": "export const b = 1\n"}
			for i := range 8 {
				files[fmt.Sprintf("src/bomb%d.ts", i)] = fmt.Sprintf("import './b' // %d\n", i) + strings.Repeat("[", 205<<10)
			}
			return files
		}(), "limit: "},
		{"16,000 names with credentials", func() map[string]string {
			files := map[string]string{"src/a.ts": "export const a = 1\n"}
			for i := range 16_000 {
				files[fmt.Sprintf("names/password=x9Kq%05dLm3vT7zR/a.txt", i)] = "x\n"
			}
			return files
		}(), "credential"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := ourselves(t)
			write(t, filepath.Join(dir, ".github", "workflows", "default.yml"), workflow, 0o644)
			commit(t, dir)
			git(t, dir, "checkout", "--quiet", "-b", "topic")
			for name, text := range c.files {
				write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644)
			}
			head := commit(t, dir)
			git(t, dir, "checkout", "--quiet", "main")
			write(t, filepath.Join(dir, "elsewhere.txt"), []byte("not of this change\n"), 0o644)
			base := commit(t, dir)
			git(t, dir, "checkout", "--quiet", "--detach")
			git(t, dir, "merge", "--quiet", "--no-ff", "--message", "Merge", "topic")
			log, artifacts := act(t, dir, request(head, base), append(images(), "--workflows", ".github/workflows/default.yml")...)
			took := duration(t, log)
			t.Logf("the step took %v", took)
			if took > most {
				t.Errorf("that is more than %v", most)
			}
			if !strings.Contains(log, c.says) {
				t.Errorf("the log does not say %q", c.says)
			}
			h := stored(t, artifacts, "context")
			patch := string(h.diff[".stan/context/changes.patch"])
			for _, name := range []string{"src/a.ts", "src/b.ts"} {
				text, changed := c.files[name]
				if !changed {
					continue
				}
				// What is larger than all of the budget stands in the patch alone, and is named.
				if got := string(h.diff[name]); len(text) > 400_000 && got == "" {
					if !strings.Contains(log, "do not fit whole into budget-tokens") {
						t.Errorf("%s is left out, and nothing says so", name)
					}
				} else if got != text {
					t.Errorf("the diff archive has %d bytes of %s, not %d", len(got), name, len(text))
				}
				if !strings.Contains(patch, name) {
					t.Errorf("the patch does not name %s", name)
				}
			}
			if t.Failed() {
				t.Logf("%.5000s", log)
			}
		})
	}
}

// took is how act says that the action's step ended.
var took = regexp.MustCompile(`Success - Main \./ \[([^\]]+)\]`)

// duration is how long the action's step took.
func duration(t *testing.T, log string) time.Duration {
	t.Helper()
	m := took.FindAllStringSubmatch(log, -1)
	if len(m) != 1 {
		t.Fatalf("the action's step ended well %d times:\n%.3000s", len(m), log)
	}
	d, err := time.ParseDuration(m[0][1])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// request is a pull request of a branch of this repository.
func request(head, base string) event {
	return event{"pull_request", map[string]any{
		"action": "synchronize", "number": 7, "repository": here,
		"pull_request": map[string]any{
			"number": 7, "state": "open", "merged": false, "title": "A change",
			"head": map[string]any{"sha": head, "ref": "topic", "repo": here},
			"base": map[string]any{"sha": base, "ref": "main", "repo": here},
		},
	}}
}
