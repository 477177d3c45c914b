package text

import (
	"strings"
	"testing"
)

func TestEndsSentence(t *testing.T) {
	for s, want := range map[string]string{
		"Moors a ferry. Then waits.":       "Moors a ferry.",
		"A small (i.e. partial) quay. End": "A small (i.e. partial) quay.",
		"Quays, piers, etc. are held. End": "Quays, piers, etc. are held.",
		"e.g. this. End":                   "e.g. this.",
		"And so on... and so on":           "",
		"Version 1.2 of it":                "",
		"Ends":                             "",
		".":                                "",
	} {
		got := ""
		for i := range s {
			if EndsSentence(s, i) {
				got = s[:i+1]
				break
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	if EndsSentence(strings.Repeat(".", 9), 8) {
		t.Error("the last full stop of a text ends a sentence")
	}
}
