package serve

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestEveryUse checks that what names a member without a receiver or parentheses, or hands it on, is told: lines that end with use and its
// last name are those of an answer, and no others.
func TestEveryUse(t *testing.T) {
	tables, err := filepath.Glob("testdata/references/*.txtar")
	if err != nil || len(tables) == 0 {
		t.Fatal(len(tables), err)
	}
	for _, table := range tables {
		t.Run(strings.TrimSuffix(filepath.Base(table), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(table)
			if err != nil {
				t.Fatal(err)
			}
			asked := strings.Fields(strings.ReplaceAll(string(a.Comment), "of ", ""))
			a.Comment = []byte("a village\n")
			dir := repotest.New(t, string(txtar.Format(a))).Dir
			c, _ := started(t, dir)
			for _, of := range asked {
				last := of[strings.LastIndexAny(of, `.\`)+1:]
				var want, got []string
				for _, f := range a.Files {
					n := 0
					for line := range strings.Lines(string(f.Data)) {
						n++
						if _, uses, ok := strings.Cut(line, " use "); ok && slices.Contains(strings.Fields(uses), last) {
							want = append(want, fmt.Sprintf("%s:%d", f.Name, n))
						}
					}
				}
				answer, said := ask(t, c, "references", map[string]any{"of": of, "max_tokens": 20000})
				for _, r := range answer.Rows {
					for _, u := range r.Uses {
						got = append(got, fmt.Sprintf("%s:%d", r.Path, u.Line))
					}
				}
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(got, want) || !answer.Complete && of != "halt" {
					t.Errorf("%s: got %v\nwant %v\n%s", of, got, want, said)
				}
			}
		})
	}
}

// TestUnlooked checks that an answer is not called complete where a text of no known language, or one that is not looked through, says the name.
func TestUnlooked(t *testing.T) {
	r := repotest.New(t, `a press
-- press.c --
int press_open(int n) { return n; }
int press_shut(int n) { return press_open(n); }
-- grammar.y --
line: WORD { press_open(1); }
-- said.txt --
press_shut is spoken of
-- notes.md --
press_shut is spoken of
-- web/press.rb --
def roll; end
def turn; end
-- web/dist/press.min.rb --
roll
`)
	c, _ := started(t, r.Dir)
	for _, x := range []struct {
		tool, argument, name, unknown string
	}{
		{"find", "query", "press_open", "[.y]"},
		{"find", "query", "press_shut", "[]"},
		{"references", "of", "press_open", "[]"}, // its line is told
		{"references", "of", "roll", "[web/dist/press.min.rb]"},
		{"references", "of", "turn", "[]"},
	} {
		a, said := ask(t, c, x.tool, map[string]any{x.argument: x.name})
		if got := fmt.Sprint(a.Unknown); got != x.unknown || a.Complete != (x.unknown == "[]") {
			t.Errorf("%s %s: got %s, complete %v; want %s\n%s", x.tool, x.name, got, a.Complete, x.unknown, said)
		}
	}
}

// TestSpelledPaths asks who uses a file: settings and scripts name its path, and what cannot import it is nothing that is not known.
func TestSpelledPaths(t *testing.T) {
	r := repotest.New(t, `a mill
-- app/src/cli.ts --
export const run = 1
-- app/src/main.ts --
export const main = 2
-- app/bundle.config.js --
export default { input: path.resolve('src/cli.ts'), other: 'src/cli.tsx', third: 'lib/src/cli.ts' }
-- app/index.html --
<script type="module" src="/src/main.ts"></script>
-- app/loader.config.js --
export default { setup: ['./src/main'] }
-- ci/build.yml --
run: node app/src/cli.ts --all
-- src/cli.ts --
export const elsewhere = 3
-- wheel/wheel.go --
package wheel

func Turn() {}
-- main.go --
package main

import "mill/wheel"

func main() { wheel.Turn() }
-- go.mod --
module mill
-- set.ps1 --
Write-Output "turn"
-- old.coffee --
turn = -> 1
`)
	c, _ := started(t, r.Dir)
	for of, want := range map[string]struct {
		paths    string
		complete bool
	}{
		"app/src/cli.ts":  {"app/bundle.config.js ci/build.yml", false}, // CoffeeScript may import it
		"app/src/main.ts": {"app/index.html app/loader.config.js", false},
		"wheel/wheel.go":  {"main.go", true},
	} {
		a, said := ask(t, c, "references", map[string]any{"of": of})
		var paths []string
		for _, row := range a.Rows {
			paths = append(paths, row.Path)
			imports := row.Path == "main.go" || row.Path == "app/index.html"
			if !imports && (!row.Unsure || len(row.Uses) != 1) {
				t.Errorf("%s: %+v", of, row)
			}
		}
		slices.Sort(paths)
		if strings.Join(paths, " ") != want.paths || a.Complete != want.complete || strings.Contains(said, "PowerShell") {
			t.Errorf("users of %s are %v:\n%s", of, paths, said)
		}
	}
	r.Write("wheel/wheel.go", "package wheel\n\nfunc Turn() int { return 1 }\n")
	if _, said := ask(t, c, "impact", map[string]any{}); strings.Contains(said, "Nothing is known of") {
		t.Errorf("what cannot use the change is not known: %s", said)
	}
}
