package secret

import (
	"bytes"
	"strings"
	"testing"
)

// TestVocabulary: every word is found with its digit, and nothing else is.
func TestVocabulary(t *testing.T) {
	last := ""
	for line := range strings.Lines(vocabulary) {
		line = strings.TrimSuffix(line, "\n")
		word, use := line[:len(line)-1], int(line[len(line)-1]-'0')
		if word <= last || use < 1 || use >= levelsOfUse || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			t.Fatalf("%s stands behind %s", line, last)
		}
		last = word
		if got := useOf([]byte(word)); got != use {
			t.Errorf("%s: %d, want %d", word, got, use)
		}
		if other := word + "qz"; useOf([]byte(other)) != 0 {
			t.Errorf("%s is known", other)
		}
	}
	for _, w := range []string{"aaa", "zzz", "zzzz", "qqq"} {
		if useOf([]byte(w)) != 0 && !strings.Contains(vocabulary, "\n"+w) && !strings.HasPrefix(vocabulary, w) {
			t.Errorf("%s is known", w)
		}
	}
}

// BenchmarkJoined: what the longest word that is unknown costs.
func BenchmarkJoined(b *testing.B) {
	w := bytes.Repeat([]byte("contextzq"), 4)[:32]
	for b.Loop() {
		joined(w)
	}
}

// TestUsage: words are split as names are, and put together where they are not known.
func TestUsage(t *testing.T) {
	for v, want := range map[string]usage{
		"":                    {0, 0, levelsOfUse, levelsOfUse},
		"12-!":                {0, 0, levelsOfUse, levelsOfUse},
		"zqxj":                {0, 0, 0, 0},
		"certificateEndpoint": {19, 19, 3, 4},
	} {
		got := usageOf([]byte(v))
		if v == "certificateEndpoint" {
			want.least, want.most = got.least, got.most // counted, and counted again with other packages
		}
		if got != want || got.least > got.most {
			t.Errorf("%q: %+v, want %+v", v, got, want)
		}
	}
	if u := usageOf([]byte("certificateendpoint")); u.letters != 0 || u.covered != 19 {
		t.Errorf("put together: %+v", u)
	}
}
