package known

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// escapeForms are ways to write one character of ASCII.
var escapeForms = map[string]func(m dice, b byte) string{
	"%":                 func(_ dice, b byte) string { return fmt.Sprintf("%%%02X", b) },
	"%u":                func(_ dice, b byte) string { return fmt.Sprintf("%%u%04x", b) },
	"\\u":               func(_ dice, b byte) string { return fmt.Sprintf(`\u%04x`, b) },
	"\\\\u":             func(_ dice, b byte) string { return fmt.Sprintf(`\\u%04X`, b) },
	"\\U":               func(_ dice, b byte) string { return fmt.Sprintf(`\U%08x`, b) },
	"\\u{}":             func(m dice, b byte) string { return fmt.Sprintf(`\u{%0*x}`, 1+m.IntN(8), b) },
	"\\x":               func(_ dice, b byte) string { return fmt.Sprintf(`\x%02x`, b) },
	"\\x{}":             func(m dice, b byte) string { return fmt.Sprintf(`\x{%0*x}`, 1+m.IntN(8), b) },
	"\\o{}":             func(m dice, b byte) string { return fmt.Sprintf(`\o{%0*o}`, 1+m.IntN(8), b) },
	"\\N{U+}":           func(m dice, b byte) string { return fmt.Sprintf(`\N{U+%0*X}`, 1+m.IntN(8), b) },
	"octal":             func(_ dice, b byte) string { return fmt.Sprintf(`\%03o`, b) },
	"octal of echo":     func(_ dice, b byte) string { return fmt.Sprintf(`\0%03o`, b) },
	"PowerShell":        func(_ dice, b byte) string { return fmt.Sprintf("`u{%x}", b) },
	"entity":            func(m dice, b byte) string { return fmt.Sprintf("&#%0*d;", 1+m.IntN(40), b) },
	"entity, hex":       func(m dice, b byte) string { return fmt.Sprintf("&#%s%0*x;", m.pick("x", "X"), 1+m.IntN(40), b) },
	"entity, open":      func(m dice, b byte) string { return fmt.Sprintf("&#%0*d", 1+m.IntN(9), b) },
	"entity, hex, open": func(m dice, b byte) string { return fmt.Sprintf("&#x%0*x", 1+m.IntN(9), b) },
	"style":             func(m dice, b byte) string { return fmt.Sprintf(`\%0*x%s`, 2+m.IntN(5), b, m.pick(" ", "\t", "\n")) },
	"style, six digits": func(_ dice, b byte) string { return fmt.Sprintf(`\%06x`, b) },
	"SQL":               func(_ dice, b byte) string { return fmt.Sprintf(`\+%06X`, b) },
	"LDAP":              func(_ dice, b byte) string { return fmt.Sprintf(`\%02x`, b) },
	"decimal":           func(_ dice, b byte) string { return fmt.Sprintf(`\%03d`, b) },
	"decimal, short":    func(_ dice, b byte) string { return fmt.Sprintf(`\%d`, b) },
	"mail":              func(_ dice, b byte) string { return fmt.Sprintf("=%02X", b) },
	"mail, lower":       func(_ dice, b byte) string { return fmt.Sprintf("=%02x", b) },
	"name": func(_ dice, b byte) string {
		switch {
		case value.IsDigit(b):
			for name, c := range characterNames {
				if c == b {
					return `\N{` + name + `}`
				}
			}
		case value.IsUpper(b):
			return fmt.Sprintf(`\N{LATIN CAPITAL LETTER %c}`, b)
		case value.IsLetter(b):
			return fmt.Sprintf(`\N{LATIN SMALL LETTER %c}`, b-0x20)
		}
		return string(b)
	},
	"no width": func(m dice, b byte) string { return string(b) + string(widthlessRune(m)) },
	"no width, escaped": func(m dice, b byte) string {
		return string(b) + m.pick(fmt.Sprintf("&#%d;", widthlessRune(m)), fmt.Sprintf(`\u{%x}`, widthlessRune(m)), "&shy;", "&ZeroWidthSpace;")
	},
}

// widthlessRune draws one of the characters that Unicode says are not seen.
func widthlessRune(m dice) rune {
	for {
		var r rune
		switch t := widthlessTables[m.IntN(len(widthlessTables))]; {
		case len(t.R16) > 0 && m.IntN(2) == 0:
			x := t.R16[m.IntN(len(t.R16))]
			r = rune(x.Lo) + rune(x.Stride)*rune(m.IntN(int(x.Hi-x.Lo)/int(x.Stride)+1))
		case len(t.R32) > 0:
			x := t.R32[m.IntN(len(t.R32))]
			r = rune(x.Lo) + rune(x.Stride)*rune(m.IntN(int(x.Hi-x.Lo)/int(x.Stride)+1))
		}
		if r > unicode.MaxASCII {
			return r
		}
	}
}

// stays reports whether twelve bytes of v in a row are in text.
func stays(text, v string) bool {
	for i := 0; i+12 <= len(v); i++ {
		if strings.Contains(text, v[i:i+12]) {
			return true
		}
	}
	return false
}

// draw makes a known value.
func draw(t *testing.T, m dice, alphabet string) (*Values, string) {
	t.Helper()
	for {
		k, v := new(Values), m.of(alphabet, 16+m.IntN(40))
		if m.IntN(2) == 0 && k.Add("r", []byte(v)) || k.Give("r", v) {
			return k, v
		}
	}
}

// TestEscapes draws values and writes them in each grammar, here and there or whole: they
// are found, nothing of them stays, and the words beside them do.
func TestEscapes(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for name, form := range escapeForms {
		m := dice{rand.New(rand.NewPCG(seed, uint64(len(name))))}
		for range 60 {
			k, v := draw(t, m, m.pick(alnum, smallHex, alnum, alnum+"+/-_.!$#@*"))
			every := 1 + m.IntN(5)
			var b strings.Builder
			longest := 0 // run that is not escaped
			for i := range len(v) {
				if i%every == every-1 || i == len(v)/2 {
					b.WriteString(form(m, v[i]))
					longest = 0
				} else {
					b.WriteByte(v[i])
					longest++
				}
			}
			text := "one two\n  before " + b.String() + m.pick(" ", "\n", `" `) + "after\nlast\n"
			left := string(without([]byte(text), k.Find([]byte(text), nil)))
			whole := strings.Contains(left, b.String())
			if tail := left[strings.Index(left, "before")+7:]; whole || stays(left, v) || !strings.HasPrefix(left, "one two\n  before ") || !strings.HasSuffix(left, "after\nlast\n") || strings.Count(tail, "\n") < 2 {
				t.Fatalf("seed %d: %s: %q leaves %q", seed, name, text, left)
			}
		}
	}
}

// TestLines wraps the base64 of values at each width from 4 to 100, as programs, settings and
// armour have it.
func TestLines(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	m := dice{rand.New(rand.NewPCG(seed, 64))}
	for name, joint := range map[string][2]string{
		"plain": {"", "\n"}, "CRLF": {"", "\r\n"}, "indented": {"|\n    ", "\n    "}, "tabs": {"", "\n\t\t"}, "quoted": {`"`, "\",\n  \""}, "joined": {`"`, "\" +\n    \""},
		"joined before": {"'", "'\n  + '"}, "dots": {"'", "'\n . '"}, "escaped ends": {`"`, "\\n\" +\n\""}, "comment": {"# ", "\n# "}, "slashes": {"// ", "\n// "},
		"slashes, close": {"//", "\n//"}, "stars": {"/*\n * ", "\n * "}, "dashes": {"-- ", "\n-- "}, "continued": {"", "\\\n"}, "patch": {"+", "\n+"}, "quoted mail": {"> ", "\n> "},
		"adjacent": {`"`, "\"\n    \""}, "list": {"- ", "\n- "}, "JSON": {`"`, "\\n"}, "JSON, CRLF": {`"`, "\\r\\n"}, "BASIC, comment": {"' ", "\n' "}, "BASIC": {`"`, "\" & _\n  \""},
	} {
		for width := 4; width <= 100; width++ {
			k, v := draw(t, m, alnum)
			enc := m.pick("std", "std", "url")
			plain := m.of("abc ", m.IntN(9)) + v + m.of("xyz ", m.IntN(9))
			text := base64.StdEncoding.EncodeToString([]byte(plain))
			if enc == "url" {
				text = base64.RawURLEncoding.EncodeToString([]byte(plain))
			}
			var b strings.Builder
			b.WriteString("one two:\n" + joint[0])
			for i := 0; i < len(text); i += width {
				if i > 0 {
					b.WriteString(joint[1])
				}
				b.WriteString(text[i:min(len(text), i+width)])
			}
			b.WriteString(m.pick("\"", "'", "") + "\n\nand more.\n")
			doc := b.String()
			left := string(without([]byte(doc), k.Find([]byte(doc), nil)))
			if left == doc || !strings.HasPrefix(left, "one two:\n") || !strings.HasSuffix(left, "\n\nand more.\n") {
				t.Fatalf("seed %d: %s, %d wide: %q leaves %q", seed, name, width, doc, left)
			}
			// Put together again, what is left tells nothing.
			rest := left
			for _, gap := range []string{joint[1], joint[0], "[REDACTED:r]", "\n"} {
				rest = strings.ReplaceAll(rest, gap, "")
			}
			for skip := range 4 {
				for i := skip; i+4 <= len(rest); i++ {
					if plain, err := base64.RawStdEncoding.DecodeString(rest[i : i+(len(rest)-i)/4*4]); err == nil && stays(string(plain), v) {
						t.Fatalf("seed %d: %s, %d wide: %q tells %q", seed, name, width, left, plain)
					}
				}
			}
		}
	}
}

// TestFindAllocates holds that a text which holds no value costs no memory, whatever is
// escaped in it.
func TestFindAllocates(t *testing.T) {
	m := dice{rand.New(rand.NewPCG(39, 5))}
	k, _ := draw(t, m, alnum)
	var b bytes.Buffer
	for range 2000 {
		for _, name := range []string{"%", "\\u", "entity", "style", "mail", "no width", "octal", "PowerShell"} {
			b.WriteString("x = " + m.of(alnum, 8) + escapeForms[name](m, 'k') + m.of(alnum, 3) + "\n" + base64.StdEncoding.EncodeToString(m.bytes(12)) + "\n")
		}
	}
	text := b.Bytes()
	k.Find(text, nil)
	if n := testing.AllocsPerRun(5, func() { k.Find(text, nil) }); n > 40 { // a pool may be emptied
		t.Errorf("%v allocations", n)
	}
}

// TestDecodedBytes holds that no text is decoded to much more than it is, whatever it is
// made of: the work stays in proportion to its bytes.
func TestDecodedBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	any := &alphabet{quote: true, signs: *value.ByteSetOf("+/-_=$&%#;")}
	for _, unit := range []string{
		`\u0041`, "%41", "&#65;", "&#0000000000065;", "A\u200b", `\41 `, "=41", "`u{41}", `\$`, "a%41 ", `\x{41}`, `\N{U+41}`, "QUJD\n", "// QUJD\n", "+QU\n", `QUJD\n`, "A\n", "end\n  ", `\\\\`, "&#", "%u", "\u00e9\u200d",
	} {
		text := []byte(strings.Repeat(unit, (1<<20)/len(unit)))
		var d decoder
		n := 0
		count := func() { n += len(d.out) }
		first, lineEnd := backslashed(text)
		for c := range codings {
			d.runs(text, first[c], c, any, count)
		}
		d.lines(text, 1, count)
		d.escapedLines(text, lineEnd, 1, count)
		if n > 5*len(text) {
			t.Errorf("%q: %d bytes of %d", unit, n, len(text))
		}
	}
}
