package brief

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// textsOf is a file of texts, some of a page between many others.
func textsOf(title string) string {
	var b strings.Builder
	b.WriteString("{\n  \"404\": {\n    \"title\": \"x\"\n  },\n  \"page\": {\n    \"title\": \"" + title + "\",\n    \"save\": \"x\"\n  }")
	for n := range 60 {
		fmt.Fprintf(&b, ",\n  \"other%d\": {\n    \"title\": \"words that nobody asks for\",\n    \"save\": \"more words\"\n  }", n)
	}
	return b.String() + "\n}\n"
}

// TestWantedTexts: the text that a translation is of is found by its name, with those that it stands below.
func TestWantedTexts(t *testing.T) {
	changed := []Source{{Name: "i18n/de.json", Path: "i18n/de.json", Text: textsOf("Seite"), Changed: true, Touched: []int{6}, Original: "i18n/en.json"}}
	changed[0].Narrow()
	wanted := wantedTexts(changed)
	if got := fmt.Sprint(wanted); got != "map[i18n/en.json:map[page\ntitle:true]]" {
		t.Fatal(got)
	}
	read := askedLines(func(name string, _ bool) (*Source, error) {
		return &Source{Name: name, Path: name, Text: textsOf("Page")}, nil
	}, wanted, nil)
	for name, want := range map[string]string{"i18n/en.json": "\"page\": {", "other/en.json": ""} {
		s, err := read(name, false)
		if err != nil {
			t.Fatal(err)
		}
		touched, got := s.touchedBlocks(), ""
		lines := strings.SplitAfter(s.Text, "\n")
		for b, block := range s.Blocks() {
			if touched != nil && touched[b] {
				got += strings.Join(lines[block.From-1:block.To], "")
			}
		}
		if !strings.Contains(got, want) || (got == "") != (want == "") || len(got) > 400 || strings.Contains(got, "404") {
			t.Errorf("%s: %s", name, got)
		}
	}
	english := Source{Name: "i18n/en.json", Path: "i18n/en.json", Text: textsOf("Page"), Changed: true, Touched: []int{6}}
	if wanted := wantedTexts(append(changed, english)); len(wanted) != 0 {
		t.Errorf("of a changed one: %v", wanted)
	}
}

// TestTextNames: texts that stand below the name of their language are those of others.
func TestTextNames(t *testing.T) {
	for name, text := range map[string]string{"de.yml": "de:\n  page:\n    title: Seite\n", "values-de/strings.xml": "<resources>\n  <string name=\"page\">Seite</string>\n</resources>\n",
		"i18n/de.json": "{\n  \"page\": {\n    \"title\": \"Seite\"\n  }\n}\n"} {
		got := slices.DeleteFunc(textNames(&Source{Path: name, Text: text}), func(s string) bool { return s == "" })
		if strings.TrimSuffix(strings.Join(got, ", "), ", page\ntitle") != "page" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOriginalOf: texts in another language are translated from those in English, or in no language that their name tells.
func TestOriginalOf(t *testing.T) {
	names := []string{"i18n/en.json", "i18n/de.json", "values/strings.xml", "values-de/strings.xml", "is/it.json", "x/de.json"}
	for name, want := range map[string]string{"i18n/de.json": "i18n/en.json", "values-de/strings.xml": "values/strings.xml", "i18n/en.json": "", "is/it.json": "", "x/de.json": ""} {
		if got := OriginalOf(name, func(other string) bool { return slices.Contains(names, other) }); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
