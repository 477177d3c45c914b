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
