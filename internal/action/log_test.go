package action

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
)

// ownVoice are the programs that are no part of haversack, and packages for tests.
var ownVoice = []string{"internal/secret/train", "internal/secret/fit", "internal/secret/provided", "internal/tokens/vocabulary", "internal/bench", "tsgo"}

// TestLogAlone: log.go alone writes to the streams of the program, and alone speaks to
// the runner of a workflow.
func TestLogAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := "internal/" + filepath.ToSlash(strings.TrimPrefix(name, "../"))
		if d.IsDir() {
			b := d.Name()
			if slices.Contains(ownVoice, rel) || slices.Contains(ownVoice, b) || b == "testdata" || strings.HasSuffix(b, "test") || strings.HasSuffix(b, "peer") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || rel == "internal/job/log.go" {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, _ := s.X.(*ast.Ident)
			switch {
			case s.Sel.Name == "Stdout" || s.Sel.Name == "Stderr",
				of != nil && of.Name == "githubactions",
				of != nil && of.Name == "fmt" && strings.HasPrefix(s.Sel.Name, "Print"):
				t.Errorf("%s speaks past log.go: %s", set.Position(s.Pos()), s.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestResult: what was asked for stands on stdout byte for byte; where a runner reads it,
// between two lines with a word that is another each time.
func TestResult(t *testing.T) {
	workflow := func(name string) string { return map[string]string{"GITHUB_ACTIONS": "true"}[name] }
	desk := func(string) string { return "" }
	file := func() *os.File {
		f, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	words := map[string]bool{}
	for _, body := range []string{"", "a", "a\n", "::add-mask::x\n##[group]y\r\n", "\n\n", "\xff\x00"} {
		t.Run(fmt.Sprintf("%q", body), func(t *testing.T) {
			both, one, two := file(), file(), file()
			for _, c := range []struct {
				name     string
				getenv   func(string) string
				out, err io.Writer
				framed   bool
			}{
				{"desk", desk, new(bytes.Buffer), io.Discard, false},
				{"workflow", workflow, new(bytes.Buffer), io.Discard, true},
				{"a log in a file", workflow, both, both, true},
				{"a file of its own", workflow, one, two, false},
				{"a file, and the log elsewhere", workflow, file(), io.Discard, false},
			} {
				cmd := &Command{Process: job.Process{Getenv: c.getenv, Stdout: c.out, Stderr: c.err}}
				if err := cmd.Results([]byte(body)); err != nil {
					t.Fatal(err)
				}
				got := ""
				switch w := c.out.(type) {
				case *bytes.Buffer:
					got = w.String()
				case *os.File:
					b, err := os.ReadFile(w.Name())
					if err != nil {
						t.Fatal(err)
					}
					got = string(b)
				}
				if !c.framed {
					if got != body {
						t.Errorf("%s: got %q", c.name, got)
					}
					continue
				}
				rest, ok := strings.CutPrefix(got, "::stop-commands::")
				word, rest, _ := strings.Cut(rest, "\n")
				if !ok || len(word) != 32 || words[word] {
					t.Fatalf("%s: got %q", c.name, got)
				}
				words[word] = true
				end := "::" + word + "::\n"
				if body != "" && !strings.HasSuffix(body, "\n") {
					end = "\n" + end
				}
				if rest != body+end {
					t.Errorf("%s: got %q, want %q", c.name, rest, body+end)
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	a, b := errors.New("a\n::b"), errors.New("c")
	for _, test := range []struct {
		err  error
		want []string
	}{
		{a, []string{`a\n::b`}},
		{errors.Join(a, b), []string{`a\n::b`, "c"}},
		{fmt.Errorf("reading\r: %w; done", errors.Join(nil, errors.Join(a, b), b)), []string{`reading\r: a\n::b`, "c", "c; done"}},
		{fmt.Errorf("%w: %w", a, errors.Join(a, b)), []string{`a\n::b: a\n::b\nc`}},
		{job.WithCode(errors.Join(b, b), job.ExitInput), []string{"c", "c"}},
	} {
		if got := job.Faults(test.err); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.err, got, test.want)
		}
	}
}
