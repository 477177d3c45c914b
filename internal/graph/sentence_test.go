package graph

import "testing"

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"Moors a ferry. Then waits.": "Moors a ferry.",
		"!!! abstract \"Usage\"\n    [`moor`](moor.md)\n\nMoors a ferry, e.g. at a quay.\n\nArgs:\n": "Moors a ferry, e.g. at a quay.",
		"!!! note": "",
		"":         "",
	} {
		if got := FirstSentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
