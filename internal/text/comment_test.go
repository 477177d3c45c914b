package text

import (
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	for markdown, want := range map[string]string{
		"plain": "plain",
		"Adds it.\n<!-- Do not merge\nwithout a test. -->\nFine.": "Adds it.\n<!-- … -->\nFine.",
		"a <!-- b --> c <!-- d -->":                               "a <!-- … --> c <!-- … -->",
		"```html\n<!-- shown -->\n```\n<!-- hidden -->":           "```html\n<!-- shown -->\n```\n<!-- … -->",
		"~~~\n```\n<!-- shown -->\n~~~\n<!-- hidden -->":          "~~~\n```\n<!-- shown -->\n~~~\n<!-- … -->",
		"Cut `<!--` out of `a`, <!-- b -->":                       "Cut `<!--` out of `a`, <!-- … -->",
		"a\n  <!-- never ends\nb":                                 "a\n  <!-- … -->\n",
		"a <!-- never ends\nb":                                    "a <!-- never ends\nb",
		"<!-- a --> b\n```\n<!-- in code without end of either\n": "<!-- … --> b\n```\n<!-- in code without end of either\n",
		"<!---->x": "<!-- … -->x",
		"a <!-->":  "a <!-->",
	} {
		if got := Shown(markdown); got != want {
			t.Errorf("%q: got %q, want %q", markdown, got, want)
		}
	}
	// Each byte is read a bounded number of times.
	for _, many := range []string{strings.Repeat("<!--", 1<<20), strings.Repeat("`<!--\n", 1<<19), "`" + strings.Repeat("<!--", 1<<20)} {
		Shown(many)
	}
}
