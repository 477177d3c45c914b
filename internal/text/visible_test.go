package text

import "testing"

func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"src/main.go":              "src/main.go",
		"a\u202egpj.exe":           `a\u202egpj.exe`,
		"a\u2066b\u2069":           `a\u2066b\u2069`,
		"zero\u200bwidth\ufeff":    `zero\u200bwidth\ufeff`,
		"line\nbreak\r\ttab":       `line\nbreak\r\ttab`,
		"\x1b[31mred\x7f":          `\x1b[31mred\x7f`,
		"next\u2028line\u0085":     `next\u2028line\u0085`,
		"filler\u3164\u2800\ufe0f": `filler\u3164\u2800\ufe0f`,
		"no\u00a0break":            `no\u00a0break`,
		"tag\U000e0041":            `tag\U000e0041`,
		"\xff\xfe":                 `\xff\xfe`,
		"日本 é 🙂":                   "日本 é 🙂",
	} {
		if got := Visible(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for s, want := range map[string]string{
		"src/main.go:12":               "src/main.go:12",
		"::add-mask::x":                `:\x3aadd-mask::x`,
		"  ::add-mask::x":              `  :\x3aadd-mask::x`,
		"a ::add-mask::x":              "a ::add-mask::x",
		": :a::":                       ": :a::",
		":a::b":                        ":a::b",
		"x##[stop-commands]y##[b]":     `x##\x5bstop-commands]y##\x5bb]`,
		"###[a]":                       `###\x5ba]`,
		"#[a] # #[b] [c]":              "#[a] # #[b] [c]",
		"#\u0300#\u0301[a]":            "#\u0300#\u0301" + `\x5ba]`,
		"\u0300:\u0300:a::":            "\u0300:\u0300" + `\x3aa::`,
		"\u200b::a::":                  `\u200b::a::`,
		"#\u200b#[a]":                  `#\u200b#[a]`,
		"one\n::error::two\r##[three]": `one\n::error::two\r##\x5bthree]`,
		"":                             "",
	} {
		if got := Line(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
	for s, want := range map[string]string{"": "", "a": "a", "\n": "\n", "a\n::b\n": "a\n" + `:\x3ab` + "\n", "a\r\n::b": `a\r` + "\n" + `:\x3ab`} {
		if got := Lines(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func TestName(t *testing.T) {
	for s, want := range map[string]string{
		"src/app/[id]/(shop)/page.tsx": "src/app/[id]/(shop)/page.tsx",
		"@acme/a#1~2":                  "@acme/a#1~2",
		".":                            ".",
		"日本":                           "日本",
		"":                             `""`,
		"a b":                          `"a b"`,
		"a\u00a0b":                     `"a\u00a0b"`,
		"a.":                           "a.",
		"done.":                        `"done."`,
		`say "it"`:                     `"say 'it'"`,
		"a\nb":                         `"a\nb"`,
		"a`b":                          "\"a`b\"",
		"node:fs":                      "node:fs",
		"https://x":                    `"https://x"`,
		"a:":                           `"a:"`,
		`a b\`:                         `"a b\x5c"`,
		"a\xff":                        `"a\xff"`,
	} {
		if got := Name(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}
