package secret

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// match draws a text that re matches; of what may be repeated without end, little. Where words is set, what is drawn by lot are words.
func (m maker) match(re *syntax.Regexp, words bool) string {
	var b strings.Builder
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		var of []rune
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= min(re.Rune[i+1], 0x7E); r++ {
				if value.IsLetter(byte(r)) || value.IsDigit(byte(r)) || len(re.Rune) < 8 {
					of = append(of, r)
				}
			}
		}
		if len(of) == 0 {
			return "" // what ends it
		}
		return string(of[m.IntN(len(of))])
	case syntax.OpAlternate:
		return m.match(re.Sub[m.IntN(len(re.Sub))], words)
	case syntax.OpRepeat, syntax.OpQuest, syntax.OpStar, syntax.OpPlus:
		low, high := re.Min, re.Max
		switch re.Op {
		case syntax.OpQuest:
			low, high = 0, 1
		case syntax.OpStar, syntax.OpPlus:
			low, high = 1, 1
		}
		if high < 0 || high > low+40 {
			high = low + 40
		}
		n := low + m.IntN(high-low+1)
		if words && n >= 12 {
			return strings.Repeat("settings_registered_for_", n/24+1)[:n]
		}
		for range n {
			b.WriteString(m.match(re.Sub[0], words))
		}
	default:
		for _, s := range re.Sub {
			b.WriteString(m.match(s, words))
		}
	}
	return b.String()
}

// TestPrefixes: what each row of prefixRules is for is found in a sentence and alone on a line, to its end; words behind the same
// prefix are not.
func TestPrefixes(t *testing.T) {
	s := newScanner(t)
	m := maker{rand.New(rand.NewPCG(31, 5))}
	for _, o := range prefixRules {
		re, err := syntax.Parse(o.regex, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			token := m.match(re, false)
			for _, text := range []string{"To log in use " + token + " here.\n", token + "\n"} {
				found, err := s.Scan("a.md", []byte(text), nil)
				if err != nil || len(found) == 0 || text[found[len(found)-1].End-1] != token[len(token)-1] {
					t.Errorf("%s: %s: %v, %v", o.id, text, found, err)
				}
			}
		}
		text := "To log in use " + m.match(re, true) + " here.\n"
		if found, err := s.Scan("a.md", []byte(text), nil); err != nil || len(found) > 0 && found[0].Rule == o.id {
			t.Errorf("%s: %s: of words, and found: %v, %v", o.id, text, found, err)
		}
	}
}
