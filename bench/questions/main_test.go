//go:build linux

package main

import (
	"strings"
	"testing"
)

// Twelve questions are asked of each of three repositories and six of the others, and each has a place.
func TestQuestions(t *testing.T) {
	list, err := parse(questions)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 69 {
		t.Errorf("%d repositories, want 69", len(list))
	}
	for i, r := range list {
		want := 6
		if i >= 8 && i < 11 {
			want = 12
		}
		if len(r.places) != want {
			t.Errorf("%s has %d places, want %d", r.name, len(r.places), want)
		}
	}
}

// A place can be read below the name of its own file, however the document writes it, and nowhere else.
func TestScore(t *testing.T) {
	r := &repository{files: map[string]bool{"a/x.go": true, "b.go": true}, places: []place{{path: "a/x.go", text: "func F()"}}}
	for _, c := range []struct {
		document string
		want     int
	}{
		{"### `a/x.go`\n\n```go\n3\tfunc F() {\n", 1},
		{"### b.go\n1\tx\n### a/x.go\n3\tfunc F()\n", 1},
		{"a/x.go:\n⋮\n│func F() {\n", 1},
		{"<file path=\"a/x.go\">\nfunc F() {\n</file>\n", 1},
		{"./a/x.go\n---\nfunc F() {\n", 1},
		{`{"contents":[{"path":"a/x.go","content":"package a\n\nfunc F() {\n"}]}`, 1},
		{"func F()\n### a/x.go\n", 0},
		{"### a/x.go\n### b.go\nfunc F()\n", 0},
		{`{"file_index":[{"path":"a/x.go","size":1},{"path":"b.go","content":"func F()"}]}`, 0},
	} {
		if asked, _, missing := r.score(c.document, false); asked != c.want || len(missing) != 1-c.want {
			t.Errorf("%q: %d, want %d", c.document, asked, c.want)
		}
	}
}

// What names a place with its line says where it is; it counts where that is asked for alone.
func TestNamed(t *testing.T) {
	r := &repository{files: map[string]bool{"a/x.go": true}, places: []place{{path: "a/x.go", text: "func (q *Quay) Moor(", line: 51}}}
	for document, want := range map[string]int{
		"a/x.go\n12 Free, 51 Moor, …\n": 1,
		"a/x.go\n51 Moor\n":             1,
		"a/x.go\n12 Free, 51 Moored\n":  0,
		"a/x.go\n12 Moor, 51 Free\n":    0,
	} {
		if asked, _, _ := r.score(document, true); asked != want {
			t.Errorf("%q: %d, want %d", document, asked, want)
		}
		if asked, _, _ := r.score(document, false); asked != 0 {
			t.Errorf("%q: it holds no line", document)
		}
	}
}

// A repository of which nothing could be drawn has the places that were asked alone, and weighs as many.
func TestWeight(t *testing.T) {
	asked := []place{{path: "a"}, {path: "b"}}
	for _, c := range []struct {
		places []place
		drawn  int
		weight float64
	}{{asked, 0, 0.5}, {append(asked[:2:2], place{drawn: true}, place{drawn: true}), 2, 1}, {nil, 0, 0}} {
		if drawn, weight := (&repository{places: c.places}).weight(2); drawn != c.drawn || weight != c.weight {
			t.Errorf("%d places: %d, %v, want %d, %v", len(c.places), drawn, weight, c.drawn, c.weight)
		}
	}
}

// A document is cut between lines, before it has more tokens than it may.
func TestCut(t *testing.T) {
	text := strings.Repeat("one two three\n", 100)
	if got := cut(text, 40); !strings.HasPrefix(text, got) || !strings.HasSuffix(got, "\n") || len(got) == 0 || len(got) > 20*14 {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	if got := cut(text, 1000); got != text {
		t.Errorf("%d bytes of %d", len(got), len(text))
	}
}
