package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInPieces asks for what is longer than the room, in several answers: each line, and each use, comes once and in its order.
func TestInPieces(t *testing.T) {
	dir := t.TempDir()
	var long, users strings.Builder
	long.WriteString("package quay\n\n// Haul hauls.\nfunc Haul(n int) int {\n")
	for n := range 120 {
		fmt.Fprintf(&long, "\tn += %d // crate %d is hauled\n", n, n)
	}
	long.WriteString("\treturn n\n}\n")
	users.WriteString("package quay\n\nfunc all() {\n")
	for n := range 90 {
		fmt.Fprintf(&users, "\tHaul(%d)\n", n)
	}
	users.WriteString("}\n")
	for name, content := range map[string]string{"haul.go": long.String(), "all.go": users.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, _ := started(t, dir)
	all := func(tool string, arguments map[string]any) (rows []Row) {
		arguments["max_tokens"] = 400
		a, said := ask(t, c, tool, arguments)
		for {
			if len(a.Rows) == 0 {
				t.Fatalf("%s: nothing in 400 tokens: %s", tool, said)
			}
			if strings.Count(said, "A part of an answer") > 1 {
				t.Errorf("%s: a note is told again: %s", tool, said)
			}
			if rows = append(rows, a.Rows...); a.More == "" {
				return rows
			}
			a, said = ask(t, c, "more", map[string]any{"handle": a.More, "max_tokens": 400})
		}
	}
	line := 3
	var got strings.Builder
	for _, r := range all("read", map[string]any{"symbol": "Haul"}) {
		if r.Line != line || r.To != line+strings.Count(r.Text, "\n")-1 {
			t.Errorf("a piece of lines %d to %d with %d lines, behind line %d", r.Line, r.To, strings.Count(r.Text, "\n"), line-1)
		}
		line = r.To + 1
		got.WriteString(r.Text)
	}
	if _, want, _ := strings.Cut(long.String(), "\n\n"); got.String() != want {
		t.Errorf("the pieces are not the definition:\n%s", got.String())
	}
	next := 4
	for _, r := range all("references", map[string]any{"of": "Haul"}) {
		for _, u := range r.Uses {
			if u.Line != next {
				t.Errorf("a use in line %d, want %d", u.Line, next)
			}
			next++
		}
	}
	if next != 94 {
		t.Errorf("the last use is in line %d", next-1)
	}
}

// TestPieceBehindShort: where a short row leaves most of the room empty, the long one behind it begins there.
func TestPieceBehindShort(t *testing.T) {
	dir := t.TempDir()
	long := "package fore\n\nfunc Heave() {\n" + strings.Repeat("\tprintln(\"heave ho\")\n", 100) + "}\n"
	for name, content := range map[string]string{"aft/aft.go": "package aft\n\nfunc Heave() {}\n", "fore/fore.go": long} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, _ := started(t, dir)
	if a, said := ask(t, c, "read", map[string]any{"symbol": "Heave", "max_tokens": 500}); len(a.Rows) != 2 || a.Rows[1].To < 20 {
		t.Errorf("read in 500 tokens: %s", said)
	}
}

// TestDivideDocument cuts a part of a document within a fence, which is closed and opened again.
func TestDivideDocument(t *testing.T) {
	r := Row{Kind: document, Text: "# A\n\n````go\na\n```\nb\nc\n````\n"}
	for n, want := range map[int]string{4: "# A\n\n````go\na\n````\n|````go\n```\nb\nc\n````\n", 2: "# A\n\n|````go\na\n```\nb\nc\n````\n"} {
		first, rest, ok := r.divide(func(one *Row) bool {
			return strings.Count(strings.TrimSuffix(one.Text, "````\n"), "\n") <= n
		})
		if got := first.Text + "|" + rest.Text; !ok || got != want {
			t.Errorf("%d lines: %q, want %q", n, got, want)
		}
	}
}

// TestMapOfFolders: where two folders deep is more than the room, a map tells folders by what they hold, and tests last.
func TestMapOfFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"main.go", "main_test.go", "docks/wharf.go", "docks/wharf_test.go", "docks/pier/pier.go", "tests/a_test.go"} {
		for n := range 9 {
			place := filepath.Join(dir, strings.Replace(name, ".go", fmt.Sprintf("%d.go", n), 1))
			place = strings.Replace(place, fmt.Sprintf("_test%d", n), fmt.Sprintf("%d_test", n), 1)
			if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(place, []byte("package x\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, _ := started(t, dir)
	a, said := ask(t, c, "map", map[string]any{"max_tokens": 300})
	var got []string
	for _, r := range a.Rows {
		got = append(got, r.Path)
	}
	if len(got) < 11 || got[0] != "docks/" || got[1] != "main0.go" || got[10] != "main0_test.go" {
		t.Errorf("the map of 300 tokens: %s", said)
	}
	if want := "docks/  folder  27 files: pier, wharf0, wharf1, wharf2, wharf3, wharf4, wharf5, wharf6, …\n"; !strings.HasPrefix(said, want) {
		t.Errorf("a folder is told otherwise than %q: %s", want, said)
	}
	if a, said = ask(t, c, "map", map[string]any{"max_tokens": 3000}); len(a.Rows) != 18+18+1+9 {
		t.Errorf("the map of two folders deep has %d rows: %s", len(a.Rows), said)
	}
}

// TestAlikeIsPointedTo: what nothing is called is told with what is called so in other capitals.
func TestAlikeIsPointedTo(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "quay.go"), []byte("package quay\n\nfunc unload() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, _ := started(t, dir)
	for tool, arguments := range map[string]map[string]any{"read": {"symbol": "Unload"}, "references": {"of": "Unload"}} {
		if _, said := ask(t, c, tool, arguments); !strings.Contains(said, "in other capitals: unload (quay.go:3)") {
			t.Errorf("%s: %s", tool, said)
		}
	}
}
