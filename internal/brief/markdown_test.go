package brief

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestPartsCutLongPieces: a piece that is longer than a part is cut between its lines, each stretch in a fence like its own; no line is lost.
func TestPartsCutLongPieces(t *testing.T) {
	counter := new(tokens.Counter)
	content := strings.Repeat("variable \"a\" {\n```\n", 2000)
	list := PartsOf("# It\n", []Chapter{{"Files", []Section{{Heading: "### `v.tf`\n\n", Pieces: []string{"lines 1–4000\n\n" + Fence("tf", content) + "\n"}}}}}, counter, 3000)
	got := ""
	for i, part := range list {
		if n := counter.Count([]byte(part)); n > 3000 {
			t.Errorf("part %d has %d tokens", i+1, n)
		}
		_, inside, opened := strings.Cut(part, "````tf\n")
		inside, _, closed := strings.Cut(inside, "````\n")
		if !opened || !closed || !strings.Contains(part, "### `v.tf`") {
			t.Errorf("part %d: %.200s", i+1, part)
		}
		got += inside
	}
	if got != content {
		t.Errorf("%d bytes of %d", len(got), len(content))
	}
}

// TestPartsCutLongLines: a line that is longer than a part, as in a file without line ends, is cut behind a sign, and what it goes on with
// says so; no letter is lost.
func TestPartsCutLongLines(t *testing.T) {
	counter := new(tokens.Counter)
	for name, line := range map[string]string{
		"signs":   strings.Repeat("function a(b){return c(d,\"e\")};", 1500),
		"letters": strings.Repeat("äöüß", 8000),
	} {
		content := "first\n" + line + "\nlast\n"
		list := PartsOf("# It\n", []Chapter{{"Files", []Section{{Heading: "### `v.js`\n\n", Pieces: []string{"lines 1–3\n\n" + Fence("js", content) + "\n"}}}}}, counter, 3000)
		got := ""
		for i, part := range list {
			if n := counter.Count([]byte(part)); n > 3000 {
				t.Errorf("%s: part %d has %d tokens", name, i+1, n)
			}
			for rest := part; ; {
				said, after, there := strings.Cut(rest, "```js\n")
				if !there {
					break
				}
				if strings.HasSuffix(said, "… the line goes on\n\n") {
					got = strings.TrimSuffix(got, "\n")
				}
				inside, after, _ := strings.Cut(after, "```\n")
				got, rest = got+inside, after
			}
		}
		if got != content {
			t.Errorf("%s: %d bytes of %d in %d parts", name, len(got), len(content), len(list))
		}
	}
}

func TestWithoutEmptyEnd(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a", "a\n": "a\n", "a\n\n \n": "a\n", "a\n\nb\n\n": "a\n\nb\n", "\n\n": "\n"} {
		if got := withoutEmptyEnd(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWithoutEmptyStart(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\n": "a\n", "\n \na\n\nb\n": "a\n\nb\n", "\n": "\n", "\n\n": "\n"} {
		got, lines := withoutEmptyStart(text)
		if got != want || lines != strings.Count(text, "\n")-strings.Count(want, "\n") {
			t.Errorf("%q: %q, want %q; %d lines", text, got, want, lines)
		}
	}
}

func TestLanguage(t *testing.T) {
	for name, want := range map[string]string{"a.go": "go", "man/fzf.1": "", "a.7zip": "", "x.mp3": "mp3", "Makefile": "", "a.Rmd": ""} {
		if got := Language(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestShortRedacted: the empty lines that a key leaves behind its mark are counted, and no others.
func TestShortRedacted(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\n\n\nb\n": "a\n\n\n\nb\n",
		"key = \"\"\"[REDACTED:private-key]\n\n\n\n\"\"\"\n\n\nb\n": "key = \"\"\"[REDACTED:private-key]\n… 3 lines\n\"\"\"\n\n\nb\n",
		"[REDACTED:token]\n\nb\n":                                   "[REDACTED:token]\n\nb\n",
		"[REDACTED:private-key]\n\n\n":                              "[REDACTED:private-key]\n… 2 lines\n",
		"[REDACTED:private-key]":                                    "[REDACTED:private-key]",
	} {
		if got := shortRedacted(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestLineOfOne: a stretch of one line is a line, in the document and in the list of what is read first.
func TestLineOfOne(t *testing.T) {
	for want, c := range map[string][2]int{"line 5": {5, 5}, "lines 5–6": {5, 6}} {
		if got := linesSaid(c[0], c[1]); got != want {
			t.Errorf("lines %v: %q, want %q", c, got, want)
		}
	}
}

// TestShortGaps: what stands between two taken blocks and is as short as the words that it is left out is shown, and told nowhere else.
func TestShortGaps(t *testing.T) {
	text := "first()\n\nlet b = 1\n\nthird()\n\n" + strings.Repeat("a long line that nobody asks for\n", 4) + "\nlast()\n"
	e := &entry{Source: &Source{Path: "a.js", Text: text}, lines: strings.SplitAfter(text, "\n")}
	e.blocks = []Block{{From: 1, To: 2}, {From: 3, To: 4, Name: "b", Signature: [2]int{3, 3}}, {From: 5, To: 6}, {From: 7, To: 11}, {From: 12, To: 12}}
	for taken, want := range map[string]string{"10100": "1-6", "00100": "5-6", "10101": "1-6 12-12", "10000": "1-2", "01000": "3-4"} {
		e.taken = make([]bool, len(e.blocks))
		for n := range e.taken {
			e.taken[n] = taken[n] == '1'
		}
		d := &Document{counter: new(tokens.Counter)}
		var got []string
		for _, one := range d.stretches(e) {
			got = append(got, fmt.Sprintf("%d-%d", one.From, one.To))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", taken, got, want)
		}
		if list := d.signatures(e); (len(list) > 0) != (taken == "00100" || taken == "10000") {
			t.Errorf("%s: signatures %q", taken, list)
		}
	}
}

// TestOpeningAtEnd: a stretch does not end with the line that begins a group of which nothing is shown.
func TestOpeningAtEnd(t *testing.T) {
	for text, want := range map[string]int{"package a\n\nimport \"x\"\n\nconst (\n": 3, "a\nvar (\n\n": 1, "const (\n": 1, "a\nconst (\n\tb = 1\n": 3, "call(\n": 1, "a\n\n": 2} {
		e := &entry{Source: &Source{Path: "a.go", Text: text}, lines: strings.SplitAfter(text, "\n")}
		if got := e.withoutOpening(1, lineCount(e.lines)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
