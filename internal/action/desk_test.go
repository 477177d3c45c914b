package action

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/job"
)

// onDesk is what a person sees of a run at a terminal that can do what p says.
func onDesk(t *testing.T, p job.Process) (string, error) {
	t.Helper()
	if p.Dir == "" {
		p.Dir = t.TempDir()
		for name, content := range map[string]string{
			"README.md": "# Words\n", "src/a.ts": strings.Repeat("export const a = 1;\n", 400), "src/deep/b.ts": strings.Repeat("// b\n", 90),
			"test/a.test.ts": strings.Repeat("// test\n", 30), "docs/\x1b[31mred.md": "words\n",
		} {
			at := filepath.Join(p.Dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var seen bytes.Buffer
	p.Terminal, p.Stdout, p.Stderr = true, &seen, &seen
	if p.Getenv == nil {
		p.Getenv = func(string) string { return "" }
	}
	cmd := Command{Process: p}
	err := cmd.Run(t.Context())
	return seen.String(), err
}

// TestDesk: at a terminal the result comes first, then the warnings, one of each kind; no
// line is wider than the terminal, and no colour is there that was not asked for.
func TestDesk(t *testing.T) {
	args := []string{"--exclude", "nothing1", "--exclude", "nothing2", "--exclude", "nothing3"}
	for _, width := range []int{20, 60, 80, 120} {
		text, err := onDesk(t, job.Process{Args: args, Width: width, Cursor: true})
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > width {
				t.Errorf("on %d columns a line has %d: %s", width, n, l)
			}
		}
		if strings.ContainsAny(text, "\x1b\u2588") {
			t.Errorf("escapes or blocks on a terminal that has neither: %q", text)
		}
		if width < 60 {
			continue
		}
		packed, folders, warned := strings.Index(text, "Packed 5 files of the folder, "), strings.Index(text, "\nHeaviest folders:\n  src/"), strings.Index(text, "\n3 warnings:\n")
		if packed != 0 || folders < packed || warned < folders {
			t.Errorf("on %d columns the result is at %d, its folders at %d, the warnings at %d:\n%s", width, packed, folders, warned, text)
		}
		if !strings.Contains(text, "context.md") || !strings.Contains(text, " tokens") || !strings.Contains(text, "##########") {
			t.Errorf("no tokens, or no bars:\n%s", text)
		}
		if flat := strings.Join(strings.Fields(text), " "); strings.Count(text, "nothing") != 1 || !strings.Contains(flat, "(and 2 more of this kind)") || !strings.Contains(flat, "--verbose lists all of them.") {
			t.Errorf("the warnings are not one:\n%s", text)
		}
	}
	text, err := onDesk(t, job.Process{Args: append(args, "--verbose"), Width: 80, Cursor: true, Colour: true, Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[1mPacked", "\x1b[33m3 warnings:\n\x1b[0m", "nothing1", "nothing2", "nothing3", "\u2588"} {
		if !strings.Contains(text, want) {
			t.Errorf("with --verbose and colours there is no %q:\n%q", want, text)
		}
	}
	// A run that fails says what it was warned of, and then why it failed.
	text, err = onDesk(t, job.Process{Args: append(args, "--strict-patterns"), Width: 80})
	if err == nil || !strings.HasSuffix(text, "\n") || strings.Contains(text, "Packed") {
		t.Errorf("%v: %q", err, text)
	}
	// What goes elsewhere is plain, as in a log.
	text, err = onDesk(t, job.Process{Args: args, Width: 0, Cursor: true, Colour: true})
	if err != nil || !strings.HasPrefix(text, "Packed the folder: 5 files, ") {
		t.Errorf("%v: %q", err, text)
	}
}

// TestDeskInWorkflow: a runner's log has plain lines, whatever its streams are.
func TestDeskInWorkflow(t *testing.T) {
	env := map[string]string{"GITHUB_ACTIONS": "true"}
	text, err := onDesk(t, job.Process{Args: []string{"--upload", "never"}, Width: 80, Cursor: true, Colour: true, Getenv: func(k string) string { return env[k] }})
	if err != nil || !strings.Contains(text, "Packed the folder: 5 files, ") || strings.Contains(text, "\x1b") {
		t.Errorf("%v: %q", err, text)
	}
}

// TestDeskOfClosedPipe: a reader that is gone ends no run.
func TestDeskOfClosedPipe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("words\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := job.Process{Dir: dir, Terminal: true, Width: 80, Stdout: gone{}, Stderr: gone{}, Getenv: func(string) string { return "" }}
	if err := (&Command{Process: p}).Run(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".stan/output/record.json")); err != nil {
		t.Error(err)
	}
}

// gone is a stream that nobody reads any more.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, fmt.Errorf("broken pipe") }

var documentSizes = regexp.MustCompile(`(?:context\.md|pack\.json) +[0-9.]+|[0-9,]+ tokens`)

// toNines makes each digit a nine.
func toNines(r rune) rune {
	if '0' <= r && r <= '9' {
		return '9'
	}
	return r
}

// TestTerminalsAsText holds what a person reads at terminals of four widths, and at one that has blocks: go test ./internal/action
// -update writes it anew.
func TestTerminalsAsText(t *testing.T) {
	var shown strings.Builder
	for _, width := range []int{20, 60, 80, 120} {
		text, err := onDesk(t, job.Process{Args: []string{"--exclude", "nothing1", "--exclude", "nothing2"}, Width: width, Cursor: true, Blocks: width == 120})
		if err != nil {
			t.Fatal(err)
		}
		// How large documents are, other tests hold.
		text = documentSizes.ReplaceAllStringFunc(text, func(s string) string { return strings.Map(toNines, s) })
		fmt.Fprintf(&shown, "-- a run at %d columns --\n%s-- help why at %d columns --\n%s", width, text, width, printed(t, width, "help", "why"))
	}
	compareFile(t, "testdata/terminals.txtar", func(string) string { return shown.String() })
}
