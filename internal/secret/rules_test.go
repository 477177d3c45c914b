package secret

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// standsIn are places in which a value of a rule may stand.
var standsIn = []string{"%s", "x %s\n", "a = \"%s\"\n", "`%s`", "<b>%s</b>", "f(%s)", "u?q=%s&z=1", "[%s,", "%s.", "%s%%", `%s\n`, "%s-", "%s_x", "x%s", "-%s", "/%s/", "%s="}

// duplicates are own rules that a provided rule stands for, and why they stay.
var duplicates = map[string]string{"gcp-api-key": "the provided row lets keys pass that documents show, wherever they stand"}

// TestOwnRules holds that each own rule does something: without own rules, a value of its form that is drawn by lot is found
// otherwise in some place. What the provided rules find just so needs no row here.
// TestExpressions compiles what runs compile when it is first used.
func TestExpressions(t *testing.T) {
	table, err := newTable(ownRules)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table.rules {
		for _, re := range append([]lazy{r.re, r.exact}, r.allow...) {
			if re != nil {
				re() // or it panics
			}
		}
	}
}

func TestOwnRules(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	full, err := New()
	if err != nil {
		t.Fatal(err)
	}
	less, err := scannerOf(Committed(Balanced), nil)
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, o := range ownRules {
		needed, tried := tellsApart(t, full, less, o)
		if tried == 0 {
			continue // its check asks for what no lot draws
		}
		drawn++
		if reason := duplicates[o.id]; needed == (reason != "") {
			t.Errorf("%s (%s): found otherwise without it: %t; of values that were drawn %d", o.id, o.regex, needed, tried)
		}
	}
	if drawn < len(ownRules)*3/4 {
		t.Errorf("values of %d of %d rules could be drawn", drawn, len(ownRules))
	}
}

// tellsApart draws values of a rule until one is found otherwise by less than by full, and reports whether one was, and how many
// were drawn that are of the rule.
func tellsApart(t *testing.T, full, less *Scanner, o ownRule) (needed bool, tried int) {
	tree, err := syntax.Parse(o.regex, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	re, rng := regexp.MustCompile(o.regex), rand.New(rand.NewPCG(41, uint64(len(o.regex))))
	for k := range 60 {
		var b strings.Builder
		draw(&b, rng, tree, []int{94, 3, 6, 12}[k%4])
		for _, place := range standsIn {
			text := []byte(fmt.Sprintf(place, b.String()))
			m := re.FindSubmatch(text)
			if m == nil {
				continue
			}
			v := m[0]
			if len(m) > 1 && len(m[1]) > 0 {
				v = m[1]
			}
			if value.Entropy(v) <= o.entropy || o.check != nil && !o.check(v) {
				continue
			}
			tried++
			with, err := full.Scan("a.txt", text, nil)
			if err != nil {
				t.Fatal(err)
			}
			without, err := less.Scan("a.txt", text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(with, without) {
				return true, tried
			}
		}
	}
	return false, tried
}

// draw writes a text that an expression matches, of few different characters.
func draw(b *strings.Builder, rng *rand.Rand, re *syntax.Regexp, few int) {
	least, most := re.Min, re.Max
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
		return
	case syntax.OpCharClass:
		var signs []rune
		for i := 0; i < len(re.Rune); i += 2 {
			for r := max(re.Rune[i], '!'); r <= min(re.Rune[i+1], '~'); r++ {
				if !strings.ContainsRune("\"'`", r) || len(re.Rune) == 2 {
					signs = append(signs, r)
				}
			}
		}
		if len(signs) > 0 {
			b.WriteRune(signs[rng.IntN(min(few, len(signs)))])
		}
		return
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(value.DigitSigns[rng.IntN(len(value.DigitSigns))])
		return
	case syntax.OpCapture, syntax.OpConcat:
		for _, s := range re.Sub {
			draw(b, rng, s, few)
		}
		return
	case syntax.OpAlternate:
		draw(b, rng, re.Sub[rng.IntN(len(re.Sub))], few)
		return
	case syntax.OpQuest:
		least, most = 0, 1
	case syntax.OpStar:
		least, most = 0, 8
	case syntax.OpPlus:
		least, most = 1, 24
	case syntax.OpRepeat:
		if most < 0 {
			most = least + 40
		}
	default:
		return
	}
	for range least + rng.IntN(min(most-least, 100)+1) {
		draw(b, rng, re.Sub[0], few)
	}
}
