//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/serve"
)

// Seventeen questions are asked of each of four repositories, five of each kind and two of impact, and each has its places.
func TestQuestions(t *testing.T) {
	list, err := parse(questions)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 4 {
		t.Errorf("%d repositories, want 4", len(list))
	}
	needs := map[string]string{defined: "def", users: "use", change: "def", touched: "edit"}
	for _, r := range list {
		kinds := map[string]int{}
		for _, q := range r.questions {
			kinds[q.kind]++
			if len(q.places) == 0 || q.places[0].role != needs[q.kind] {
				t.Errorf("%s: %s: %v", r.name, q, q.places)
			}
		}
		if kinds[defined] != 5 || kinds[users] != 5 || kinds[change] != 5 || kinds[touched] != 2 {
			t.Errorf("%s: %v", r.name, kinds)
		}
	}
	for _, wrong := range []string{"? defined x", "= a b\n? defind x", "= a b\ndef a:1", "= a b\n? users x\nuse a:0", "= a b\n? users x\nuse a:3-2", "= a b\n? users x\nsee a:3", "= a"} {
		if _, err := parse(wrong); err == nil {
			t.Errorf("%q is read", wrong)
		}
	}
}

// Rows with a text show all their lines, others their first; uses show theirs.
func TestMissing(t *testing.T) {
	l := lines{}
	l.rows([]serve.Row{{Path: "a", Line: 3, To: 5, Text: "x"}, {Path: "b", Line: 3, To: 5}, {Path: "c", Uses: []serve.Use{{Line: 7}}}})
	for p, want := range map[place]bool{{path: "a", from: 3, to: 5}: true, {path: "a", from: 3, to: 6}: false, {path: "b", from: 3, to: 3}: true, {path: "b", from: 3, to: 4}: false, {path: "c", from: 7, to: 7}: true, {path: "c", from: 1, to: 1}: false, {path: "d", from: 1, to: 1}: false} {
		if got := len(l.missing([]place{p})) == 0; got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
}

// The script prints every hit, reads around the first five, and nothing twice.
func TestSearch(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a"} {
		text := strings.Repeat("x\n", 100) + "the till\n" + strings.Repeat("till it\n", 3) + strings.Repeat("x tiller\n", 100)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := search(dir, question{users, "shop.till", nil})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[place]bool{{path: "a", from: 61, to: 144}: true, {path: "a", from: 60, to: 60}: false, {path: "a", from: 145, to: 145}: false, {path: "b", from: 61, to: 141}: true, {path: "b", from: 142, to: 142}: false} {
		if got := len(r.read.missing([]place{p})) == 0; got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
	if r.calls != 6 {
		t.Errorf("%d calls", r.calls)
	}
	if got, err := search(dir, question{users, "none", nil}); err != nil || got.calls != 1 || got.tokens != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Of a peer's symbols the body counts, or the first line; of those that refer to one the quoted lines too; a whole file has none of its own.
func TestSymbols(t *testing.T) {
	text := `{"z.py": {"File": [{"name_path": "z", "body_location": {"start_line": 0, "end_line": 90}, "content_around_reference": "...   4:a\n  >   5:import till\n...   6:"}],
"Method": [{"name_path": "Shop/open", "body_location": {"start_line": 20, "end_line": 29}, "content_around_reference": "...  24:\n  >  25:\ttill(\"7: no\")\n...  26:"}]},
"a.py": {"Function": [{"name_path": "f", "body_location": {"start_line": 2, "end_line": 4}, "body": "x"}]}}`
	list := referring([]byte(text))
	var names []string
	l := lines{}
	for i := range list {
		names = append(names, list[i].RelativePath+":"+list[i].NamePath)
		l.symbol(&list[i])
	}
	if got := strings.Join(names, " "); got != "z.py:z z.py:Shop/open a.py:f" {
		t.Errorf("%s", got)
	}
	for p, want := range map[place]bool{{path: "z.py", from: 5, to: 7}: true, {path: "z.py", from: 1, to: 1}: false, {path: "z.py", from: 8, to: 8}: false, {path: "z.py", from: 21, to: 21}: true, {path: "z.py", from: 22, to: 22}: false, {path: "z.py", from: 25, to: 27}: true, {path: "z.py", from: 28, to: 28}: false, {path: "a.py", from: 3, to: 5}: true, {path: "a.py", from: 6, to: 6}: false} {
		if got := len(l.missing([]place{p})) == 0; got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
	for _, none := range []string{"", "[]", "Error: x", `{"a.py": []}`, `{"a.py": {"Function": {}}}`, `{"a.py": {"Function": [`} {
		if got := referring([]byte(none)); len(got) != 0 {
			t.Errorf("%q: %v", none, got)
		}
	}
}
