package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestFewTokens asks for the document of a task in a few tokens: what is handed over first holds code, whatever it is of, and tells where
// the rest is; all of it together holds each line once.
func TestFewTokens(t *testing.T) {
	dir := t.TempDir()
	for n := range 8 {
		var b strings.Builder
		fmt.Fprintf(&b, "package harbour\n\nimport (\n%s)\n", strings.Repeat("\t\"fmt\"\n", 30))
		for k := range 6 {
			fmt.Fprintf(&b, "\n// Moor%d%d ties a ferry to berth %d of the harbour.\nfunc Moor%d%d(ferry string) string {\n%s\treturn ferry\n}\n", n, k, k, n, k, strings.Repeat("\tferry = fmt.Sprint(ferry, \"ties\")\n", 4+9*k))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("ferry%d.go", n)), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, _ := started(t, dir)
	counter := new(tokens.Counter)
	for _, most := range []int{500, 600, 1000, 2500} {
		a, said := ask(t, c, "context", map[string]any{"task": "a ferry ties up at the wrong berth", "max_tokens": most})
		if spent := counter.Count([]byte(said)); len(a.Rows) == 0 || spent > most {
			t.Fatalf("in %d tokens %d rows of %d tokens:\n%s", most, len(a.Rows), spent, said)
		}
		first := a.Rows[0].Text
		for _, want := range []string{"return ferry", "## In the other parts\n\n- `ferry"} {
			if !strings.Contains(first, want) {
				t.Errorf("in %d tokens the first part lacks %q:\n%s", most, want, first)
			}
		}
		rows := a.Rows
		for a.More != "" {
			a, _ = ask(t, c, "more", map[string]any{"handle": a.More})
			rows = append(rows, a.Rows...)
		}
		seen, file := map[string]bool{}, ""
		for _, r := range rows {
			for line := range strings.Lines(r.Text) {
				if name, ok := strings.CutPrefix(line, "### "); ok {
					file = name
				}
				number, _, ok := strings.Cut(line, "\t")
				if ok && seen[file+number] {
					t.Errorf("in %d tokens line %s of %s is told twice", most, number, file)
				}
				seen[file+number] = true
			}
		}
	}
}

// TestFewTokensOfChange asks for the document of a change that is longer than the answer: it comes in short, and the whole of it behind.
func TestFewTokensOfChange(t *testing.T) {
	r := repotest.New(t, "a quay\n-- quay.go --\npackage quay\n")
	var b strings.Builder
	b.WriteString("package quay\n")
	for n := range 60 {
		fmt.Fprintf(&b, "\n// Load%d loads crate %d.\nfunc Load%d(crate string) string { return crate + \"loaded\" }\n", n, n, n)
	}
	r.Write("quay.go", b.String())
	r.Write("mole.go", b.String())
	c, _ := started(t, r.Dir)
	a, said := ask(t, c, "context", map[string]any{"max_tokens": 600})
	if len(a.Rows) != 1 || !strings.Contains(said, "func Load") {
		t.Fatalf("a change in few tokens: %s", said)
	}
	if a, said = ask(t, c, "more", map[string]any{"handle": a.More}); !strings.HasPrefix(a.Rows[0].Text, "# The context of a change") {
		t.Errorf("the whole document does not follow: %s", said)
	}
}

// TestLongPatch asks for the document of a change that does not fit: there is no archive that has the rest, and it names none.
func TestLongPatch(t *testing.T) {
	r := repotest.New(t, "a quay\n-- quay.go --\npackage quay\n")
	for n := range 4 {
		r.Write(fmt.Sprintf("mole%d.go", n), "package quay\n\nvar Crates = \""+strings.Repeat("x y ", 460)+"\"\n")
	}
	c, _ := started(t, r.Dir)
	_, said := ask(t, c, "context", map[string]any{"budget_tokens": 1500})
	if !strings.Contains(said, "4 more changes are too long to be shown here.\n") || !strings.Contains(said, "impact lists all that is changed") {
		t.Errorf("what is too long is not named: %s", said)
	}
	if strings.Contains(said, "archive") {
		t.Errorf("the server has no archive: %s", said)
	}
}
