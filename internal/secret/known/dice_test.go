package known

import (
	"math/rand/v2"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// manyFindings are as many as a file may hold that stays.
const manyFindings = 500

const (
	alnum    = value.DigitSigns + value.LetterSigns
	smallHex = "0123456789abcdef"
	alnum64  = alnum + "+/"
)

// dice draw values by lot.
type dice struct{ *rand.Rand }

func (m dice) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

func (m dice) pick(list ...string) string { return list[m.IntN(len(list))] }

func (m dice) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.Uint32())
	}
	return b
}

// without returns a text with a mark in place of each value that was found, on the line where it ends.
func without(text []byte, found []value.Finding) []byte {
	var out []byte
	at := 0
	for _, f := range found {
		out = append(out, text[at:f.Start]...)
		out = append(append(append(out, value.MarkBegin...), ':'), f.Rule+"]"...)
		for _, b := range text[f.Start:f.End] {
			if b == '\n' {
				out = append(out, b)
			}
		}
		at = f.End
	}
	return append(out, text[at:]...)
}
