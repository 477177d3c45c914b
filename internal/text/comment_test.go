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
		"a\n  <!-- never ends\nb":                                 "a\n  <!-- … -->\n",
		"- > <!-- never ends\nb":                                  "- > <!-- … -->\n",
		"a <!-- never ends\nb":                                    "a <!-- never ends\nb",
		"a <!-- never\n<!-- ends\nb":                              "a <!-- never\n<!-- … -->\n",
		"a <!-- b <!-- c":                                         "a <!-- b <!-- c",
		"a <!-- <!-- b\nc":                                        "a <!-- <!-- b\nc",
		// What only seems to be code, on a page that is read as CommonMark says.
		"- ```\n  ```\n<!-- hidden -->":    "- ```\n  ```\n<!-- … -->",
		"``` a`b\n<!-- hidden -->":         "``` a`b\n<!-- … -->",
		"a ` b <!-- hidden -->":            "a ` b <!-- … -->",
		"<div>\n```\n<!-- hidden -->\n```": "<div>\n```\n<!-- … -->\n```",
	} {
		if got := Shown(markdown); got != want {
			t.Errorf("%q: got %q, want %q", markdown, got, want)
		}
	}
	// Each byte is read a bounded number of times.
	for _, many := range []string{strings.Repeat("<!--", 1<<20), strings.Repeat("x<!--", 1<<20), strings.Repeat("x<!--\n", 1<<19), strings.Repeat("<!---->", 1<<19)} {
		Shown(many)
	}
}
