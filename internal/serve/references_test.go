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
				last := of[strings.LastIndexByte(of, '.')+1:]
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
