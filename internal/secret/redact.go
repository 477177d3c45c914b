package secret

import (
	"bytes"
	"fmt"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// Redact returns text with every finding replaced by [REDACTED:rule]. The
// number of lines stays: the line ends of a value stand after its mark. Each
// finding lengthens the text by no more than its mark. The findings are Scan's
// or Find's of the same text: sorted, not overlapping.
//
// A mark is no finding, so scanning the result finds nothing new.
func Redact(text []byte, findings []value.Finding) []byte {
	if len(findings) == 0 {
		return text
	}
	out := make([]byte, 0, len(text)+32*len(findings))
	at := 0
	for _, f := range findings {
		if f.Start < at || f.End > len(text) {
			continue // of another text: nothing to be done but keep what is left safe
		}
		out = append(out, text[at:f.Start]...)
		out = fmt.Appendf(out, "%s%s]", markOpen, f.Rule)
		for range bytes.Count(text[f.Start:f.End], value.Newline) {
			out = append(out, '\n')
		}
		at = f.End
	}
	return append(out, text[at:]...)
}

// besideKey is what may stand beside a private key, in bytes, that is no text of
// its own: a name, a comment, a certificate's mark.
const besideKey = 160

// MostlyKey reports whether a text is mainly secrets, so that little but marks
// would be left of it: a private key with nothing beside it, a file of hashes.
// Such a file is out, as is one with more than MaxFindings.
func MostlyKey(text []byte, findings []value.Finding) bool {
	secret, key := 0, false
	for _, f := range findings {
		v := f.In(text)
		secret += len(v)
		key = key || len(v) > 0 && f.Rule == "private-key"
	}
	whole := len(bytes.TrimSpace(text))
	return secret*10 > whole*9 && (key || whole > 64) || key && secret*2 > whole && whole-secret < besideKey
}

// Merge joins two sorted lists of findings of one text into one without
// overlaps; where two overlap, the first list's rule names the union.
func Merge(a, b []value.Finding) []value.Finding {
	if len(b) == 0 {
		return a
	}
	out := make([]value.Finding, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var f value.Finding
		first := len(b) == 0 || len(a) > 0 && a[0].Start <= b[0].Start
		if first {
			f, a = a[0], a[1:]
		} else {
			f, b = b[0], b[1:]
		}
		if n := len(out); n > 0 && f.Start < out[n-1].End {
			last := &out[n-1]
			last.End = max(last.End, f.End)
			if first {
				last.Rule = f.Rule
			}
			continue
		}
		out = append(out, f)
	}
	return out
}
