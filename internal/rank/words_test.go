package rank

import (
	"slices"
	"strings"
	"testing"
)

// TestEachHashed: each word comes with its place and the hash of its bytes, a long one with those that tell it from others.
func TestEachHashed(t *testing.T) {
	long := strings.Repeat("abc", maxWord)
	text := "ab abc 12ab3_c $xy é" + long + "; " + long[:maxWord] + " end"
	want := []string{"abc", "ab3_c", "$xy", long[:maxWord], long[:maxWord], "end"}
	var got []string
	eachHashed([]byte(text), func(word []byte, at int, key uint64) {
		if key != hash(word) || !strings.HasPrefix(text[at:], string(word)) {
			t.Errorf("%q at %d: %x, want %x", word, at, key, hash(word))
		}
		got = append(got, string(word))
	})
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A word in quotes of code is a program's, the first folder of a path in them is not.
func TestQuoted(t *testing.T) {
	for text, want := range map[string]bool{"the `quay` is": true, "`quay/src/moor.ts`": false, "`quay\\src`": false, "call quay(ship)": true, "tide.quay": true, "the quay": false} {
		at := strings.Index(text, "quay")
		if got := quoted([]byte(text), at, at+len("quay")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
