package forge

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCode(t *testing.T) {
	for name, want := range map[string]string{
		"src/main.go":      "src/main.go",
		"a|b":              "a&#124;b",
		"`x`":              "&#96;x&#96;",
		"@octo/team":       "<!-- -->&#64;octo/team",
		"<!-- x -->":       "&#60;&#33;-- x --&#62;",
		"<img src=x>":      "&#60;img src&#61;x&#62;",
		"[a](https://b)":   "&#91;a&#93;&#40;https&#58;//b&#41;",
		"www.evil.example": "www&#46;evil.example",
		"__init__.py":      "&#95;&#95;init&#95;&#95;.py",
		"a\n::error::b":    "a&#92;n&#58;&#58;error&#58;&#58;b",
		"a\x1b[31m":        "a&#92;x1b&#91;31m",
		"a\u202eb":         "a&#92;u202eb",
		"\xff":             "&#92;xff",
		"日本 é":             "日本 é",
		" a  b ":           "&#32;a&#32; b&#32;",
		"- x":              "&#45; x",
		"1. x":             "&#49;. x",
		"</details>":       "&#60;/details&#62;",
		"#12 GH-1":         "&#35;12 GH-1",
		"a@b.com.ts":       "a<!-- -->&#64;b.com.ts",
		"a\u3164b\ufe0f":   "a&#92;u3164b&#92;ufe0f",
	} {
		if got := Code(name); got != "<code>"+want+"</code>" {
			t.Errorf("%q:\n got %s\nwant <code>%s</code>", name, got, want)
		}
	}
	if got, want := Text("@octo #12 a|b"), "&#64;&#8203;octo &#35;&#8203;12 a&#124;b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Label("a\"]; click x \"b`<c>#é\n"), `"a#34;]#59; click x #34;b#96;#60;c#62;#35;é#92;n"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Fence("diff", "a\n````\nb"), "`````diff\na\n````\nb\n`````\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Fence("", ""), "```\n```\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

var entity = regexp.MustCompile(`&#(\d+);`)

func FuzzText(f *testing.F) {
	for _, s := range []string{"a|b", "`", "@x", "<!--", "\xff\n", "www.x", "&#60;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		bare := entity.ReplaceAllString(got, "")
		if !utf8.ValidString(got) || strings.ContainsAny(bare, "\\`*_{}[]<>()#+!|&~$:\"'=^@\n\r\t") {
			t.Errorf("Text(%q) = %q", s, got)
		}
		if l := Label(s); strings.Count(l, `"`) != 2 || strings.ContainsAny(l, "\n`<>") {
			t.Errorf("Label(%q) = %q", s, l)
		}
	})
}

func TestTruncate(t *testing.T) {
	note := cutNote
	long := strings.Repeat("- a line of words\n", 20)
	for _, test := range []struct {
		name, body string
		limit      int
		want       string
	}{
		{"short", "a\nb\n", 100, "a\nb\n"},
		{"lines", long, 100, strings.Repeat("- a line of words\n", 2) + note},
		{"fence", "```diff\n" + long + "```\n", 100, "```diff\n" + strings.Repeat("- a line of words\n", 2) + "```\n" + note},
		{"longer fence", "~~~~\n~~~\n```\n" + long, 90, "~~~~\n~~~\n```\n- a line of words\n~~~~\n" + note},
		{"closed fence", "```\nx\n```\n" + long, 84, "```\nx\n```\n- a line of words\n" + note},
		{"details", "<details><summary>x</summary>\n\n" + long, 115, "<details><summary>x</summary>\n\n- a line of words\n\n</details>\n" + note},
		{"details in a fence", "```\n<details>\n```\n" + long, 90, "```\n<details>\n```\n- a line of words\n" + note},
		{"nested", "<details>\n<details open>\n</details>\n<DETAILS>\n```\n" + long, 150, "<details>\n<details open>\n</details>\n<DETAILS>\n```\n- a line of words\n```\n\n</details>\n</details>\n" + note},
		{"one line", strings.Repeat("x", 200), 100, note},
		{"wide", strings.Repeat("𝄞𝄞𝄞𝄞\n", 20), 67, "𝄞𝄞𝄞𝄞\n" + note},
		{"nothing fits", long, 10, ""},
	} {
		got := Truncate(test.body, test.limit)
		if got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
		if units(got) > test.limit {
			t.Errorf("%s: %d units", test.name, units(got))
		}
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add("```\nx\n<details>\n```\n", 60)
	f.Add("<details>\n\n````a\n```\nx", 70)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Truncate(s, limit)
		if limit < 0 {
			return
		}
		if units(got) > limit {
			t.Errorf("%d units of %d: %q", units(got), limit, got)
		}
		if units(s) <= limit && got != s {
			t.Errorf("short and changed: %q", got)
		}
		if Truncate(got, limit) != got {
			t.Errorf("cut twice: %q", got)
		}
	})
}
