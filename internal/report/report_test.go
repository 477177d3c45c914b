package report

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
)

// TestSentences is what the first line of a comment says of a change: what is not known is never told as none.
func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		change *record.Impact
		want   string
	}{
		{nil, "Packed 7 files; there is no base, so no change is told."},
		{&record.Impact{}, "Nothing changed against `0123456789ab`."},
		{&record.Impact{Files: 1, Added: 2, Removed: 1}, "1 file changed (+2 −1)."},
		{&record.Impact{Files: 1, Unknown: 1}, "1 file changed (+0 −0); who uses it is not known."},
		{&record.Impact{Files: 2, Unknown: 1, Dependents: 1}, "2 files changed (+0 −0); 1 other file imports them; who uses 1 of them is not known."},
		{&record.Impact{Files: 1, Sources: 1, Functions: 1}, "1 file changed (+0 −0); no import that was read leads to it; a test reaches the changed function by name."},
		{&record.Impact{Files: 1, Sources: 1, Functions: 1, Unnamed: 1, Dependents: 3}, "1 file changed (+0 −0); 3 other files import it; no test reaches the changed function by name."},
		{&record.Impact{Files: 3, Sources: 2, Functions: 4}, "3 files changed (+0 −0); no import that was read leads to them; tests reach all 4 changed functions by name."},
		{&record.Impact{Files: 3, Sources: 3, Functions: 3, Unnamed: 2, FunctionsUnknown: 5, Dependents: 2}, "3 files changed (+0 −0); 2 other files import them; no test reaches 2 of 3 changed functions by name; of 5 more that is not known."},
		{&record.Impact{Files: 3, Size: "S", Kind: "docs", Functions: 3, Unnamed: 2, Unknown: 3}, "S: 3 files changed (+0 −0), documents alone."},
		{&record.Impact{Files: 3, Size: "XL", Kind: "feature", Unknown: 3}, "XL: 3 files changed (+0 −0), exports more than before; who uses them is not known."},
	} {
		p := &Report{Tally: record.Tally{Figures: record.Figures{Included: 7}, BaseCommit: "0123456789abcdef", Change: tt.change}}
		if got := p.sentence(); got != tt.want {
			t.Errorf("%+v:\n%s\nwant\n%s", tt.change, got, tt.want)
		}
	}
}

func TestLineEnds(t *testing.T) {
	const head, hunk = "diff --git a/f b/f\n", "@@ -1 +1 @@\n"
	for _, tt := range []struct{ name, patch, want string }{
		{"none", head + hunk + "-a\n+b\n", head + hunk + "-a\n+b\n"},
		{"everywhere", head + hunk + "-a\r\n+b\r\n", head + hunk + "-a\n+b\n"},
		{"in some lines", head + hunk + "-a\r\n+a\n", head + hunk + "-a␍\n+a\n"},
		{"each file by itself", head + hunk + "-a\r\n+a\n" + head + hunk + "+c\r\n", head + hunk + "-a␍\n+a\n" + head + hunk + "+c\n"},
		{"a last line without an end", head + hunk + "+c\r\n\\ No newline at end of file\n", head + hunk + "+c\n\\ No newline at end of file\n"},
	} {
		if got := LineEnds(tt.patch); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCounts(t *testing.T) {
	changes := []diff.Change{{Status: diff.Renamed}, {Status: diff.Added}, {Status: diff.Deleted}, {Status: diff.Added}}
	for _, tt := range []struct{ got, want string }{
		{changeCounts(nil), "nothing"},
		{changeCounts(changes), "2 added, 1 deleted, 1 renamed"},
		{freshCounts([]plan.FreshMember{{Why: "selected"}, {Why: "state"}, {Why: "map"}, {Why: "selected"}}), "2 selected, the map, the state"},
		{TokensText(3, 900), "3 tokens"},
		{TokensText(0, 900), "about 900 tokens"},
		{few([]string{"a", "b", "c"}, 2), "a, b, …"},
		{few([]string{"a", "b"}, 2), "a, b"},
		{escapePath("a b/ü(1).go"), "a%20b/%C3%BC%281%29.go"},
		{cut("äöü", 3), "ä\n[cut]"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
