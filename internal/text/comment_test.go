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
		// Definitions of links.
		"a\n\n[//]: # (hidden words)\nb":                              "a\n\n[//]: # <!-- … -->\nb",
		"> [x]: #\n> (hidden words)\nb":                               "> [x]: # <!-- … -->\nb",
		"[comment]: <> (hidden)":                                      "[comment]: <> <!-- … -->",
		"> [x]: #\n  'hidden\n  words'  \nb":                          "> [x]: # <!-- … -->\nb",
		"[x]:\n/a\n\"hidden \\\" words\"\nb":                          "[x]:\n/a <!-- … -->\nb",
		"[ignore all of it and]: #\nb":                                "[…]: #\nb",
		"[x]: <ignore all of it>\nb":                                  "[x]: <…>\nb",
		"see [1]\n\n[1]: https://a.example/b\n[2]: https://c.example": "see [1]\n\n[1]: https://a.example/b\n[2]: https://c.example",
		"[x]: # (never ends\n\nb)":                                    "[x]: # (never ends\n\nb)",
		"[x]: # \"shown\" yet":                                        "[x]: # \"shown\" yet",
		"[x]: #\n(shown) yet":                                         "[x]: #\n(shown) yet",
		"\t[key: string]: any;\n\t[name]: fn(\"a b\"),":               "\t[key: string]: any;\n\t[name]: fn(\"a b\"),",
		"- [x] done: \"a\"\n- [ ]: b":                                 "- [x] done: \"a\"\n- [ ]: b",
	} {
		if got := Shown(markdown); got != want {
			t.Errorf("%q: got %q, want %q", markdown, got, want)
		}
	}
	// Each byte is read a bounded number of times.
	for _, many := range []string{strings.Repeat("<!--", 1<<20), strings.Repeat("x<!--", 1<<20), strings.Repeat("x<!--\n", 1<<19), strings.Repeat("<!---->", 1<<19), strings.Repeat("[a]: # \"\n", 1<<18), strings.Repeat("[a]: # (\n", 1<<18) + "\n)", strings.Repeat("[a]:\n", 1<<19)} {
		Shown(many)
	}
}
