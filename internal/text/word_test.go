package text_test

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/text"
)

// TestInWord: of the signs of ASCII those of names count, and nothing else does.
func TestInWord(t *testing.T) {
	in := ""
	for c := range 0x80 {
		if text.InWord(byte(c)) {
			in += string(rune(c))
		}
	}
	if want := "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"; in != want {
		t.Errorf("%s, want %s", in, want)
	}
	if !text.InWord(0x80) || !text.InWord(0xff) {
		t.Error("bytes of characters beyond ASCII are of no word")
	}
}
