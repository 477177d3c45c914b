package secret

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// sortsDrawn are what ‹U16› and its like stand for in a table: so many characters, drawn by lot.
var sortsDrawn = map[string]string{"U": uppers, "l": lowers, "L": uppers + lowers, "d": value.DigitSigns, "h": value.DigitSigns + "abcdef", "A": uppers + lowers + value.DigitSigns, "S": uppers + lowers + value.DigitSigns + "!#%^*-_+"}

var updateJudgements = flag.Bool("update-judgements", false, "write the verdicts of testdata/judgements.txt anew")

var drawnPlace = regexp.MustCompile(`‹([UlLdhAS])(\d+)›`)

// TestJudgements holds what the judge says of plain values: testdata/judgements.txt is a table to be checked by eye. -update-judgements writes the verdicts anew.
func TestJudgements(t *testing.T) {
	const golden = "testdata/judgements.txt"
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]form{}
	for i, n := range formNames {
		forms[n] = form(i)
	}
	j := judge{model: Committed(Balanced)}
	rng := rand.New(rand.NewPCG(19, 19))
	var out strings.Builder
	rows := 0
	for line := range strings.Lines(string(b)) {
		if line == "\n" || line[0] == '#' {
			out.WriteString(line)
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 5 {
			t.Fatalf("%q has %d columns, not five", line, len(f))
		}
		drawn := drawnPlace.ReplaceAllStringFunc(f[0], func(p string) string {
			m := drawnPlace.FindStringSubmatch(p)
			n, _ := strconv.Atoi(m[2])
			return drawValue(rng, sortsDrawn[m[1]], n, "")
		})
		kind, ok := forms[f[2]]
		if !ok {
			t.Fatalf("%q is no form", f[2])
		}
		bare := kind == formBare || kind == formTold
		c := candidate{text: []byte(drawn), name: []byte(f[1]), Naming: value.Classify([]byte(f[1])), form: kind, notation: notation{opens: '"', bare: bare, colon: true}, place: place{path: f[3], style: styleOf(f[3])}}
		if bare {
			c.notation.opens = ' '
		}
		v := j.decide(&c)
		verdict := "stays"
		switch {
		case v.excepted != "":
			verdict = "stays: " + v.excepted
		case v.certain:
			verdict = "taken: certain"
		case v.rule != "":
			verdict = "taken"
		}
		if verdict != f[4] && !*updateJudgements {
			t.Errorf("%s: %s", strings.Join(f, " | "), verdict)
		}
		fmt.Fprintf(&out, "%s\t%s\t%s\t%s\t%s\n", f[0], f[1], f[2], f[3], verdict)
		rows++
	}
	if rows < 200 {
		t.Errorf("%d rows, want 200 at least", rows)
	}
	if *updateJudgements {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
