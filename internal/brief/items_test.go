package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestNarrowItems: of a long list of data a changed value stands with its item, below the keys that it stands in, but for the root of XML, and for
// YAML, which tells them above its lines.
func TestNarrowItems(t *testing.T) {
	many := func(format string) (s string) {
		for n := range 200 {
			s += fmt.Sprintf(format, n, n)
		}
		return s
	}
	for _, c := range []struct{ name, text, touched, want string }{
		{"entries of YAML", "version: 2\nservices:\n- name: first\n  with:\n" + many("    - id: s%d\n      # how much\n      size: %d\n") + "- name: last\n", "size: 77",
			"      size: 76\n    - id: s77\n      # how much\n      size: 77\n    - id: s78\n      # how much\n      size: 78\n"},
		{"objects of JSON", "{\n  \"meta\": 1,\n  \"items\": [\n" + many("    {\n      \"id\": %d,\n      \"size\": %d\n    },\n") + "    {}\n  ]\n}\n", `"size": 77`,
			"{\n  \"meta\": 1,\n  \"items\": [\n    },\n    {\n      \"id\": 77,\n      \"size\": 77\n    },\n    {\n      \"id\": 78,\n"},
		{"a section of TOML", "title = 1\n\n[rules]\n" + many("rule%d = %d # of many\n") + "\n[more]\nx = 1\n", "rule77 =",
			"[rules]\nrule74 = 74 # of many\nrule75 = 75 # of many\nrule76 = 76 # of many\nrule77 = 77 # of many\nrule78 = 78 # of many\nrule79 = 79 # of many\nrule80 = 80 # of many\n"},
		{"elements of XML", "<all>\n  <part name=\"a\">\n" + many("    <one id=\"%d\">\n      <size>%d</size>\n    </one>\n") + "  </part>\n</all>\n", "<size>77<",
			"  <part name=\"a\">\n      <size>76</size>\n    </one>\n    <one id=\"77\">\n      <size>77</size>\n    </one>\n    <one id=\"78\">\n      <size>78</size>\n"},
		{"words of XML", "<all>\n" + many("    <word id=\"%d\">What it says.\n\\nAnd more of %d</word>\n") + "</all>\n", "And more of 77<",
			"    <word id=\"76\">What it says.\n\\nAnd more of 76</word>\n    <word id=\"77\">What it says.\n\\nAnd more of 77</word>\n    <word id=\"78\">What it says.\n\\nAnd more of 78</word>\n    <word id=\"79\">What it says.\n"},
	} {
		name := map[string]string{"YAML": "x.yml", "JSON": "x.json", "TOML": "x.toml", "XML": "x.xml"}[c.name[strings.LastIndexByte(c.name, ' ')+1:]]
		s := Source{Path: name, Text: c.text, Changed: true}
		for i, line := range strings.Split(c.text, "\n") {
			if strings.Contains(line, c.touched) {
				s.Touched = []int{i + 1}
			}
		}
		s.Narrow()
		e, shown, next := entry{Source: &s, lines: strings.SplitAfter(c.text, "\n")}, "", 1
		for b, block := range s.blocks {
			if block.From != next || block.To < block.From {
				t.Fatalf("%s: block %d: lines %d to %d behind %d", c.name, b, block.From, block.To, next-1)
			}
			if next = block.To + 1; e.touches(b) {
				shown += e.text(b)
			}
		}
		if next != strings.Count(c.text, "\n")+1 || shown != c.want {
			t.Errorf("%s: shown to line %d:\n%s\nwant:\n%s", c.name, next, shown, c.want)
		}
	}
}

// TestNarrowItemsBadly: what is not indented as data is, ends at once, or is all new, does not break it.
func TestNarrowItemsBadly(t *testing.T) {
	deep := ""
	for n := range 400 {
		deep += strings.Repeat(" ", n%37) + "- }]k:\n"
	}
	for _, text := range []string{"", "x", deep, strings.Repeat("}\n", 2000), strings.Repeat("{\n", 2000), strings.Repeat("\n# x\n", 2000), strings.Repeat("[a]\n", 2000) + "x"} {
		for _, name := range []string{"x.yml", "x.json", "x.toml", "x.ini", "x.xml"} {
			for _, step := range []int{1, 7, 300} {
				s := Source{Path: name, Text: text, Changed: true}
				for n := 1; n <= strings.Count(text, "\n")+2; n += step {
					s.Touched = append(s.Touched, n)
				}
				s.Narrow()
				next := 1
				for _, b := range s.Blocks() {
					if b.From != next || b.To < b.From {
						t.Fatalf("%s %.20q: lines %d to %d behind %d", name, text, b.From, b.To, next-1)
					}
					next = b.To + 1
				}
			}
		}
	}
}

// TestKeysAbove: a stretch of YAML says which keys it stands in, once from the outermost on, and none that is shown.
func TestKeysAbove(t *testing.T) {
	text := "on: push\njobs:\n  test:\n    steps:\n"
	for n := range 200 {
		text += fmt.Sprintf("    - name: step %d\n      with:\n        size: %d\n", n, n)
	}
	s := Source{Path: ".github/workflows/ci.yml", Name: "ci.yml", Text: text, Changed: true, Touched: []int{4 + 3*50 + 3, 4 + 3*150 + 3}}
	s.Narrow()
	d := NewDocument([]Source{s}, new(tokens.Counter), 100, Budget{Tokens: 2_000, Least: 1})
	changed, _ := d.Sections()
	var said []string
	for _, piece := range changed[0].Pieces {
		for line := range strings.Lines(piece) {
			if strings.HasPrefix(line, "lines ") {
				said = append(said, strings.TrimSpace(line))
			}
		}
	}
	want := []string{"lines 154–160, in `jobs:` (2), `test:` (3), `steps:` (4), `- name: step 49` (152), `with:` (153)", "lines 454–460, in `steps:` (4), `- name: step 149` (452), `with:` (453)"}
	if !slices.Equal(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}
