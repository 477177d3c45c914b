package project

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// The first paragraph of a README that is prose, in three markups.
func TestFirstParagraph(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		line           int
	}{
		{"plain", "# x\n\nIt does things and more.\nTruly.\n\nNext.", "It does things and more. Truly.", 3},
		{"setext heading", "A heading of some length\n====\n\nIt does things, truly.\n", "It does things, truly.", 4},
		{"badges and HTML", "<p align=center>\n Not this text at all.\n</p>\n\n[![a](b)](c) ![d](e)\n\nIt does *things* with [links](u), `code`.\n", "It does things with links, code.", 7},
		{"sponsors first", "Supported by our generous sponsors.\n\nIt does things, truly.\n", "It does things, truly.", 3},
		{"motto", "> Does things for people, well\n\nLater text here.\n", "Does things for people, well", 1},
		{"alert", "> [!NOTE]\n> This is a note of ours.\n\nIt does things, truly.\n", "It does things, truly.", 4},
		{"code and list", "```\nnot this code line\n```\n- not this list item\n\nIt does things, truly.\n", "It does things, truly.", 6},
		{"comment", "<!-- not\nthis text either\n-->\nIt does things, truly.\n", "It does things, truly.", 4},
		{"table", "| not | this | at all |\n|---|---|---|\n\nIt does things, truly.\n", "It does things, truly.", 4},
		{"reStructuredText.rst", "=======\nA title\n=======\n\n.. image:: x.svg\n   :alt: y\n\nIt does things, truly.\n", "It does things, truly.", 8},
		{"under a tilde.rst", "A title of the thing\n~~~~~~~~~~~~~~~~~~~~\n\n.. _mill:\n\nIt mills `flour <https://flour.example>`_ and more.\n", "It mills flour and more.", 6},
		{"AsciiDoc.adoc", "= The mill of the village\n:toc: left\nimage::mill.png[the mill]\n\n// nobody reads this\n[source,sh]\n----\nmill --fast every day\n----\n\nIt mills flour, truly.\n", "It mills flour, truly.", 11},
		{"text.txt", "It mills flour for people.\n\n    mill --fast\n", "It mills flour for people.", 1},
		{"nothing", "# Title\n\n- list\n", "", 0},
		{"empty", "", "", 0},
		{"tags inside", "It <b>does</b> things, if a < b and c > d.\n", "It does things, if a < b and c > d.", 1},
	} {
		file := "README.md"
		if ext := path.Ext(c.name); ext != "" {
			file = "README" + ext
		}
		q := readmeOf(file, []byte(c.in), nil)
		if q.Text != c.want || q.Line != c.line {
			t.Errorf("%s: %q, line %d; want %q, line %d", c.name, q.Text, q.Line, c.want, c.line)
		}
	}
}

func TestMatchMember(t *testing.T) {
	for _, c := range []struct {
		glob, dir string
		want      bool
	}{
		{"packages/*", "packages/a", true}, {"packages/*", "packages/a/b", false}, {"packages/**", "packages/a/b", true}, {"./a/", "a", true},
		{"**/x", "a/b/x", true}, {"**/x", "x", true}, {"**/x/**/y", "a/x/b/x/c/y", true}, {"a", "b", false}, {"[", "a", false}, {".", "a", false},
		{"packages/**", "packages", true}, {"a/b/", "a/b", true}, {"p*/?", "pp/x", true}, {"p/[!a-c]", "p/d", true}, {"p/{a,b}", "p/a", false}, {"p/{a,b}", "p/{a,b}", true},
		{strings.Repeat("{a,a}", 60) + "c", strings.Repeat("a", 60) + "b", false}, {strings.Repeat("**/a/", 100) + "c", strings.Repeat("a/", 400) + "b", false},
	} {
		if got := matchMember(c.glob, c.dir); got != c.want {
			t.Errorf("%s matches %s: %t", c.glob, c.dir, got)
		}
	}
}

// The paragraph of a README that says what the project is.
func TestReadmeTells(t *testing.T) {
	for _, c := range []struct{ name, names, in, want string }{
		{"a pointer is no purpose", "vue", "# vue\n\n## Getting Started\n\nPlease follow the documentation at [vuejs.org](https://vuejs.org/)!\n\n## Sponsors\n\nVue is made possible by the support of these awesome people.\n", ""},
		{"the name and a verb", "vite", "# Vite ⚡\n\n> Next Generation Frontend Tooling\n\n- Instant\n\nVite (French word for \"quick\", like \"veet\") is a build tool that is fast. It has two parts:\n", "Vite (French word for \"quick\", like \"veet\") is a build tool that is fast."},
		{"platforms are no purpose", "repomix", "# Repomix\n\nAvailable for MacOS, Linux, & Windows\n\n📦 Repomix is a powerful tool that packs your repository into a single file.\n", "📦 Repomix is a powerful tool that packs your repository into a single file."},
		{"a motto", "got", "<div>\n<b>sponsor</b>\n</div>\n\n> Human-friendly HTTP request library\n\nSee the docs.\n\nGot v11 is no longer maintained.\n", "Human-friendly HTTP request library"},
		{"badges and code", "x", "# X\n\n[![build](a.svg)](b) ![c](d)\n\n```\nx is a thing in code\n```\n\n| a | b |\n|---|---|\n| x is | a table |\n\nDoes `things` with [links](u) & *care*, always.\n", "Does things with links & care, always."},
		{"an alert", "x", "> [!NOTE]\n> x is a note of ours.\n\nIt does things, truly.\n", "It does things, truly."},
		{"a question", "x", "# x\n\nEver wanted to do things by hand?\n\nx makes it easy to do them.\n", "x makes it easy to do them."},
	} {
		q := readmeOf("README.md", []byte(c.in), []string{c.names})
		if q.Text != c.want {
			t.Errorf("%s: %q, want %q", c.name, q.Text, c.want)
		}
		if q.Text != "" && !strings.Contains(strings.Split(c.in, "\n")[q.Line-1], strings.Fields(q.Text)[0]) {
			t.Errorf("%s: line %d", c.name, q.Line)
		}
	}
}

func TestReadmeOrder(t *testing.T) {
	want := []string{"readme.md", "README.markdown", "README.rst", "README.adoc", "README", "README.en.md", "README_EN-US.md", "README-zh.md", "README.zh",
		".github/README.md", "docs/README.md", "docs/readme.fr.md"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, func(a, b string) int { return ReadmeOrder(a) - ReadmeOrder(b) })
	for i := range want {
		if ReadmeOrder(got[i]) == 0 || ReadmeOrder(got[i]) != ReadmeOrder(want[i]) {
			t.Errorf("%d: %s, want %s", i, got[i], want[i])
		}
	}
	for _, name := range []string{"readme.go", "readme_test.js", "readmeparser.md", "src/README.md", "NEWS.md", "docs/a/README.md"} {
		if n := ReadmeOrder(name); n != 0 {
			t.Errorf("%s: %d", name, n)
		}
	}
}
