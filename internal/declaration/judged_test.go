package declaration

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJudged runs the tables of testdata/judged, which were written by the languages' grammars before the code was asked: behind a line
// stands what it declares, "¦ kind name; kind name". A kind behind ? may be told or not: what no other file sees. They are the languages
// that Universal Ctags does not read, and, in others, those that are read by their lines and were not before.
func TestJudged(t *testing.T) {
	tables, err := filepath.Glob("testdata/judged/*.txt")
	if err != nil || len(tables) != 6 {
		t.Fatalf("%d tables: %v", len(tables), err)
	}
	for _, table := range tables {
		t.Run(strings.TrimSuffix(filepath.Base(table), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(table)
			if err != nil {
				t.Fatal(err)
			}
			rows, right, more := 0, 0, 0
			for section := range strings.SplitSeq(strings.TrimPrefix(string(text), "== "), "\n== ") {
				name, body, _ := strings.Cut(section, "\n")
				source, want := judged(body)
				rows += len(want)
				for _, d := range Read(name, []byte(source)) {
					row := fmt.Sprintf("%d %s %s", d.Line, d.Kind, d.Name)
					if may, ok := want[row]; ok {
						if right++; may < 0 {
							right, rows = right-1, rows-1
						}
						delete(want, row)
						continue
					}
					more++
					t.Errorf("%s: + %s", name, row)
				}
				for row, may := range want {
					if may < 0 {
						rows--
					} else {
						t.Errorf("%s: - %s", name, row)
					}
				}
			}
			t.Logf("%d rows, recall %.3f, precision %.3f", rows, float64(right)/float64(rows), float64(right)/float64(right+more))
			if least := map[bool]int{true: 90, false: 200}[strings.Contains(table, "others")]; rows < least {
				t.Errorf("%d rows", rows)
			}
		})
	}
}

// judged parts a table into the source and what it declares: 1 for what is wanted, -1 for what may be told.
func judged(table string) (source string, want map[string]int) {
	want = map[string]int{}
	var b strings.Builder
	line := 0
	for text := range strings.Lines(table) {
		line++
		text, rows, _ := strings.Cut(strings.TrimSuffix(text, "\n"), " ¦ ")
		b.WriteString(text + "\n")
		for row := range strings.SplitSeq(rows, "; ") {
			is := 1
			if rest, ok := strings.CutPrefix(row, "? "); ok {
				row, is = rest, -1
			}
			if row != "" {
				want[fmt.Sprintf("%d %s", line, row)] = is
			}
		}
	}
	return b.String(), want
}
