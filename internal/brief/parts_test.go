package brief

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestPartsCount: the tokens of a document that is written in parts are those of its texts, wherever its pieces meet.
func TestPartsCount(t *testing.T) {
	ends := []string{"", "\n", "\n\n", ";\n", " \n", "x", "\r\n", "//", " "}
	begins := []string{"", "\n", "/", "// a", " b", "```go\n", "\tc", "word", "'s", "1", "é", "#"}
	counter := new(tokens.Counter)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := func() string {
			return begins[r.IntN(len(begins))] + strings.Repeat("quay berth(ship);\n", r.IntN(6)) + ends[r.IntN(len(ends))]
		}
		sections := func() (list []Section) {
			for range r.IntN(5) {
				s := Section{Heading: "### `a.go`\n\n"}
				for range 1 + r.IntN(4) {
					s.Pieces = append(s.Pieces, text())
				}
				list = append(list, s)
			}
			return list
		}
		list, told := Parts("# Head"+text(), sections(), sections(), counter, []int{0, 40, 100, 1000}[r.IntN(4)])
		written := 0
		for _, p := range list {
			written += counter.Count([]byte(p))
		}
		if told != written {
			t.Fatalf("seed %d: %d tokens told, %d written: %q", seed, told, written, list)
		}
	}
}
