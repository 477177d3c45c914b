package secret

import (
	"bytes"
	"slices"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads the marks that redaction leaves. What stands in a mark is no
// finding; what stands before, after or round it is searched as if the mark were
// not there. For that a text with a mark is read again as a copy in which its bytes
// are hidden: no name, no value and no rule holds what stands in their place.

var markOpen = []byte("[REDACTED:")

// hidden stands in place of each byte of a mark.
const (
	hidden     = 0x1A
	hiddenSign = string(rune(hidden))
)

// maxMark bounds the id in a mark, in bytes.
const maxMark = 80

// otherRules are the ids that readers give to what they find, and those of values that
// are secrets by decree.
var otherRules = value.WordSet(`
	account-file login-module authorization-header aws-secret-access-key bitwarden-access-token tableau-access-token command-password connection-string curl-auth-user
	generic-api-key jwk-private jwt kubernetes-secret-yaml login-call mnemonic password-assignment pgpass
	private-key secret-assignment sql-password terraform-random-password url-credentials vault-approle-id
	signed-address webhook-address
	token masked-value
`)

// knows reports whether id is that of a rule, so that a mark with it is one of
// redaction's.
func (t *table) knows(id []byte) bool {
	return t.ids[string(id)] || otherRules[string(id)]
}

// hideMarks returns text with its marks hidden; text itself where it has none.
// Of a mark with the id of no rule, and of one that is not closed, only the signs
// are hidden: the id may be a value.
func (t *table) hideMarks(text []byte) []byte {
	if !bytes.Contains(text, value.MarkBegin) {
		return text
	}
	out := bytes.Clone(text)
	for at := 0; ; {
		i := bytes.Index(text[at:], value.MarkBegin)
		if i < 0 {
			return out
		}
		from := at + i
		at = value.Past(text, from+len(value.MarkBegin), 1, ":")
		end := at // of what is hidden
		if to := value.Past(text, at, maxMark, value.WordSigns+"-."); to < len(text) && text[to] == ']' {
			out[to] = hidden
			if t.knows(text[at:to]) {
				end = to
			}
		}
		for ; from < end; from++ {
			out[from] = hidden
		}
	}
}

// BesideMarks returns the findings that do not lie within a mark of redaction.
func (s *Scanner) BesideMarks(text []byte, findings []value.Finding) []value.Finding {
	rest := s.table.hideMarks(text)
	return slices.DeleteFunc(findings, func(f value.Finding) bool {
		v := f.In(rest)
		return len(v) > 0 && len(bytes.Trim(v, hiddenSign)) == 0
	})
}

// readMark notes that the text holds a mark.
func readMark(r *run, start, end int) {
	r.holdsMarks = r.holdsMarks || bytes.Equal(r.text[start:end], value.MarkBegin)
}

// pieces calls piece for each part of [from, to) between marks, without the
// blanks round it, where there is a mark in it; it reports whether there is.
func (r *run) pieces(from, to int, piece func(from, to int)) bool {
	text := r.text
	if bytes.IndexByte(text[from:to], hidden) < 0 {
		return false
	}
	r.spend(2 * (to - from))
	for {
		from = value.Past(text, from, to-from, hiddenSign+" \t")
		if from == to {
			return true
		}
		end := value.UpTo(text, from, to-from, hiddenSign)
		piece(from, value.Back(text, end, end-from, " \t"))
		from = end
	}
}

// besideMarks returns the longest part of [from, to) that is no mark.
func (r *run) besideMarks(from, to int) (lo, hi int) {
	lo, hi = from, from
	marked := r.pieces(from, to, func(a, b int) {
		if b-a > hi-lo {
			lo, hi = a, b
		}
	})
	if !marked {
		hi = to
	}
	return lo, hi
}

// pastMark returns where the value after a mark at at begins, or -1 if none does:
// beside the mark, or as the last word of the line where only a password looks so.
func (a *assignment) pastMark(at int) int {
	text := a.r.text
	at = value.Past(text, at, len(text), hiddenSign)
	if at >= len(text) || value.IsQuote(text[at]) || endsWord(text[at]) {
		return -1
	}
	if !value.IsSpace(text[at]) {
		return at
	}
	at = value.SkipBlank(text, at)
	end := value.UpTo(text, at, value.MaxLook, value.Spaces)
	v := bytes.TrimRight(text[at:end], `"',;`)
	if len(v) < 8 || !a.r.lineEnds(end) || value.Expression(v) || !value.Drawn(v) {
		return -1
	}
	return at
}
