package text

import (
	"strings"
	"testing"
)

func TestAnswer(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"no such\n\tmill\x00 here", "no such mill here"},
		{"the key corn-flower is wrong", "the key *** is wrong"},
		{"broken \xff byte", "broken ? byte"},
		{"", ""},
		{strings.Repeat("ä", maxAnswer), strings.Repeat("ä", maxAnswer/2) + "…"},
	} {
		if got := Answer([]byte(c.in), "", "corn-flower"); got != c.want {
			t.Errorf("%.40q: %.80q, want %.80q", c.in, got, c.want)
		}
	}
	if got := QuotedAnswer([]byte(`say "no"`)); got != `"say 'no'"` {
		t.Error(got)
	}
	if got := QuotedAnswer([]byte(" \n")); got != "" {
		t.Error(got)
	}
}
