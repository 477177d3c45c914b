package golang

import (
	"reflect"
	"testing"
)

// TestSameNeeds: what a text says to the graph is the same, or may not be.
func TestSameNeeds(t *testing.T) {
	const text = "package brew\n\nimport \"io\"\n\n// Malt is wet.\nfunc Malt(r io.Reader) error { return steep(r) }\n"
	for _, c := range []struct {
		after string
		same  bool
	}{
		{text + "\n", true},
		{"package brew\n\nimport \"io\"\n\n// Malt is dry: it was kilned.\nfunc Malt(grain io.Reader) error {\n\treturn steep(grain)\n}\n", true},
		{"package brew\n\nimport \"io\"\n\nfunc Malt(r io.Reader) error {\n\tif err := steep(r); err != nil {\n\t\treturn err\n\t}\n\treturn steep(io.Reader(r))\n}\n", false},
		{"package brew\n\nimport \"io\"\n\nfunc Malt(r io.Reader) error { steep(r); return steep(io.Reader(r)) }\n", true},
		{"package brew\n\nimport \"io\"\n\nfunc Malt(r io.Reader) error { return mash(r) }\n", false},
		{"package brew\n\nimport \"io\"\n\nfunc Malt(r io.Writer) error { return steep(r) }\n", false},
		{"package brew\n\nimport \"os\"\n\nfunc Malt(r os.File) error { return steep(r) }\n", false},
		{text + "\nfunc Kiln() {}\n", false},
		{"//go:build linux\n\n" + text, false},
		{"package ale" + text[len("package brew"):], false},
		{text[:len(text)-3], false},
		{"", false},
		{text + "\nvar t = template.ParseFiles(\"a.html\")\n", false},
	} {
		if got := sameNeeds("brew/malt.go", []byte(text), []byte(c.after)); got != c.same {
			t.Errorf("%q: %t", c.after, got)
		}
	}
	if n := reflect.TypeFor[file]().NumField(); n != 18 {
		t.Errorf("a file has %d fields: is the new one compared?", n)
	}
}
