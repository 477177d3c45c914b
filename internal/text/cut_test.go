package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	numbered := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(string(rune('a'+i)) + "\n")
		}
		return b.String()
	}
	for _, c := range []struct {
		name string
		l    Limits
		in   string
		want string
	}{
		{"fits", Limits{Bytes: 4, Head: 1, Tail: 1, Marker: "~"}, "a\nb\n", "a\nb\n"},
		{"empty", Limits{Bytes: 0}, "", ""},
		{"head and tail", Limits{Bytes: 19, Head: 3, Tail: 2, Marker: "~\n"}, numbered(10), "a\nb\nc\n~\ni\nj\n"},
		{"head alone", Limits{Bytes: 19, Head: 2, Marker: "~"}, numbered(10), "a\nb\n~"},
		{"tail alone", Limits{Bytes: 19, Tail: 2, Marker: "~"}, numbered(10), "~i\nj\n"},
		{"no final line feed", Limits{Bytes: 5, Head: 1, Tail: 1, Marker: "~"}, "a\nb\nc\nd", "a\n~d"},
		{"clamped by bytes", Limits{Bytes: 9, Head: 4, Tail: 4, Marker: "~"}, numbered(10), "a\nb\n~i\nj\n"},
		{"lines overlap", Limits{Bytes: 13, Head: 100, Tail: 50, Marker: "~"}, numbered(10), "a\nb\nc\nd\n~i\nj\n"},
		{"a line of many bytes", Limits{Bytes: 7, Head: 2, Tail: 1, Marker: "~"}, strings.Repeat("x", 100), "xxxx~xx"},
		{"between runes", Limits{Bytes: 8, Head: 2, Marker: "~"}, strings.Repeat("é", 10), "ééé~"},
		{"marker alone", Limits{Bytes: 1, Head: 2, Tail: 1, Marker: "~"}, "long text", "~"},
		{"not even the marker", Limits{Bytes: 1, Head: 2, Tail: 1, Marker: "~~"}, "long text", ""},
		{"no lines", Limits{Bytes: 5, Marker: "~"}, "long text", "~"},
	} {
		got := c.l.Cut([]byte(c.in))
		if got.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.String(), c.want)
		}
	}
	c := Limits{Bytes: 19, Head: 3, Tail: 2, Marker: "~\n"}.Cut([]byte(numbered(10)))
	if c.HeadLines != 3 || c.TailLines != 2 || c.Bytes() != 10 || !c.Truncated {
		t.Errorf("counted %d and %d lines, %d bytes, truncated %t", c.HeadLines, c.TailLines, c.Bytes(), c.Truncated)
	}
}

func FuzzCut(f *testing.F) {
	f.Add([]byte("a\nb\nc\nd\ne\n"), 5, 2, 1, "~")
	f.Add([]byte(strings.Repeat("héllo wörld\n", 30)), 77, 5, 3, "\n… [truncated] …\n")
	f.Add([]byte(strings.Repeat("語", 100)), 40, 1, 1, "…")
	f.Fuzz(func(t *testing.T, s []byte, n, head, tail int, marker string) {
		if !utf8.Valid(s) || !utf8.ValidString(marker) || n < 0 || head < 0 || tail < 0 {
			t.Skip()
		}
		c := Limits{n, head, tail, marker}.Cut(s)
		out := c.String()
		if len(out) > n {
			t.Errorf("%d bytes, limit %d", len(out), n)
		}
		if !utf8.ValidString(out) {
			t.Errorf("cut inside a rune: %q", out)
		}
		if !strings.HasPrefix(string(s), string(c.Head)) || !strings.HasSuffix(string(s), string(c.Tail)) || c.Bytes() > len(s) {
			t.Errorf("%q and %q are not the ends of %q", c.Head, c.Tail, s)
		}
		if !c.Truncated && out != string(s) {
			t.Errorf("not truncated, but %q", out)
		}
		if c.Truncated && (c.HeadLines > head || c.TailLines > tail) {
			t.Errorf("%d and %d lines", c.HeadLines, c.TailLines)
		}
		if n > 0 {
			less := Limits{n - 1, head, tail, marker}.Cut(s)
			if less.Bytes() > c.Bytes() {
				t.Errorf("%d bytes kept of a limit of %d, %d of one more", less.Bytes(), n-1, c.Bytes())
			}
		}
	})
}
