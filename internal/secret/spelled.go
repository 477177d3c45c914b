package secret

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/secret/known"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads what a value says whose characters a program wrote as escapes: JSON has & as \u0026, markup as &amp;.

// spelledOut returns what v says where it has escapes of characters, \u0026, \x26, \046 and &#38;; else v. It keeps v where another backslash is a
// part of it, as in paths and expressions, where bytes of no text come of it, or more signs of other alphabets than of ASCII.
func (r *run) spelledOut(v []byte) []byte {
	if bytes.IndexByte(v, '\\') < 0 && bytes.IndexByte(v, '&') < 0 {
		return v
	}
	r.spend(8 * len(v))
	out, high, escapes := r.spelled[:0], 0, 0
	for at := 0; at < len(v); {
		n := 0
		before := len(out)
		switch b, next := v[at], value.ByteAt(v, at+1); {
		case b == '&', b == '\\' && strings.IndexByte("uUx0123", next) >= 0:
			out, n = known.Unescape(out, v[at:], known.Escaped)
			if n == 0 && b == '\\' || n > 0 && len(out) == before || n > 0 && out[before] < ' ' {
				return v
			}
		case b == '\\' && value.IsLetter(next):
			return v
		}
		if n == 0 {
			out, n = append(out, v[at]), 1
		} else {
			escapes++
			high += boolInt(out[before] >= utf8.RuneSelf)
		}
		at += n
	}
	r.spelled = out
	if escapes == 0 || high*2 > utf8.RuneCount(out) || !utf8.Valid(out) {
		return v
	}
	return out
}
