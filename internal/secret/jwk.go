package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads JSON web keys: objects whose members say by their names which are private, in whatever order and notation.

const (
	maxJWK    = 8 << 10 // bytes on either side of the member that tells a key: one of RSA with 8192 bits has 6,000
	leastJWK  = 40      // characters of a private member: 30 bytes
	leastOct  = 20      // characters of k: 15 bytes
	maxMember = 4 << 10 // characters of a member, with what joins its parts
)

// jwkMembers are the private members of a key, in lower case, and how long each is at least. "r" and "t" are those of a further
// prime in "oth".
var jwkMembers = map[string]int{"d": leastJWK, "k": leastOct, "p": leastJWK, "q": leastJWK, "dp": leastJWK, "dq": leastJWK, "qi": leastJWK}

// primeMembers are private members where a key has further primes.
var primeMembers = map[string]int{"r": leastJWK, "t": leastJWK}

// readJWK finds the private members of the key one of whose members, kty or crv, stands at start.
func readJWK(r *run, start, end int) {
	text := r.text
	if start < r.jwkDone || start > 0 && value.IsWord(text[start-1]) || value.IsWord(value.ByteAt(text, end)) {
		return
	}
	if from, _ := memberValue(text, end); from < 0 {
		return
	}
	lo, hi := bracketed(text, start, end, max(0, start-maxJWK, r.jwkDone), min(len(text), end+maxJWK))
	r.spend(4 * (hi - lo))
	r.jwkDone = max(end, hi)
	if hi == end+maxJWK {
		r.jwkDone = end + maxJWK/2 // no end was seen: what stands behind may be the beginning of the next key
	}
	primes := bytes.Contains(text[lo:hi], []byte("oth"))
	for i := lo; i < hi; {
		j := value.Past(text, i, hi-i, value.LetterSigns)
		if j == i {
			i++
			continue
		}
		var buf [2]byte
		if j-i <= len(buf) && (i == 0 || !value.IsWord(text[i-1]) && text[i-1] != '-') && !value.IsWord(value.ByteAt(text, j)) {
			name := value.Lower(buf[:], text[i:j])
			least := jwkMembers[string(name)]
			if least == 0 && primes {
				least = primeMembers[string(name)]
			}
			if least > 0 {
				j = max(j, r.jwkMember(j, least))
			}
		}
		i = j
	}
}

// jwkMember adds the value of the private member whose name ends at at, of at least so many characters, and returns where it ends.
func (r *run) jwkMember(at, least int) int {
	text := r.text
	from, written := memberValue(text, at)
	if from < 0 {
		return at
	}
	to, n := from, 0
	for i := from; i-from < maxMember; {
		k := value.Past(text, i, maxMember, value.WordSigns+"-+/")
		if i > from && !goesOnWith(text, from, i, k, written) {
			break
		}
		n += k - i
		to = k
		if i = pastJoint(text, k); i == k {
			break
		}
	}
	r.spend(4 * (to - from))
	if n >= least && drawnMember(text[from:to]) {
		r.add("jwk-private", from, value.Past(text, to, 2, "="), rankFormed)
	}
	return to
}

// goesOnWith reports whether the member that begins at from goes on with what stands from i to k, behind what joins texts or lines.
func goesOnWith(text []byte, from, i, k int, w notationKind) bool {
	switch {
	case k-i >= 16:
		return w != writtenBare
	case w == writtenQuoted:
		return k-i >= 2 && value.IsQuote(value.ByteAt(text, k))
	}
	column := func(at int) int { return at - bytes.LastIndexByte(text[:at], '\n') }
	return w == writtenBlock && k > i && strings.IndexByte("\r\n\x00=", value.ByteAt(text, k)) >= 0 && column(i) == column(from)
}

// ofJWK reports whether what stands from from to to is a key or a part of one, rather than a member of it.
func (r *run) ofJWK(from, to int) bool {
	if !bytes.Contains(r.text[from:min(to, from+value.MaxLook)], []byte(`":`)) {
		return false
	}
	at := value.Past(r.text, from, 1, "{")
	lo, hi := bracketed(r.text, at, at, max(0, at-maxJWK), min(len(r.text), at+maxJWK))
	r.spend(4 * (hi - lo))
	return bytes.Contains(r.text[lo:hi], []byte("kty")) || bytes.Contains(r.text[lo:hi], []byte("crv"))
}

// drawnMember reports whether v may be bytes in base64, rather than a name or what stands for a value.
func drawnMember(v []byte) bool {
	s := value.ShapeOf(v[:min(len(v), value.MaxLook)])
	return s.Distinct >= 12 && s.Lower > 0 && s.Upper+s.Digit > 1 && value.Wordy(v)*2 < len(v)
}

// notationKind says how a value is written.
type notationKind uint8

const (
	writtenBare   notationKind = iota
	writtenQuoted              // in quotes, perhaps in several texts that are joined
	writtenBlock               // on the lines below, as YAML writes them
)

// memberValue returns where the value begins of a member whose name ends at at, -1 if none is given there, and how it is written:
// "d": "…", d: '…', :d => "…", d = "…", "d", "…", <<"d">> => <<"…">>, D: decode("…"), d: >-
func memberValue(text []byte, at int) (from int, w notationKind) {
	name := at
	at = pastName(text, at)
	named := at > name // a name in quotes
	at = value.Past(text, value.Past(text, at, 3, "]>)"), 60, value.Spaces)
	sign := at
	switch {
	case value.HasPrefixAt(text, at, "to "): // of Kotlin
		at += len("to ")
	case named && value.ByteAt(text, at) == ',':
		at++
	default:
		at = value.Past(text, at, 3, ":=>")
	}
	if at == sign {
		return -1, writtenBare
	}
	at = value.Past(text, at, 120, value.Spaces)
	if c := value.ByteAt(text, at); c == '|' || c == '>' {
		at = value.Past(text, at+1, 3, value.DigitSigns+"-+")
		return value.Past(text, at, 200, value.Spaces), writtenBlock
	}
	if i := value.Past(text, at, 60, value.NameSigns+": "); i > at && value.ByteAt(text, i) == '(' { // what reads it
		at = value.Past(text, i+1, 40, value.Spaces)
	}
	at = pastPrefix(text, at)
	i := value.Past(text, at, maxEscapes, `\`)
	if q := value.Past(text, i, 3, value.Quotes); q > i {
		return value.Past(text, q, 60, value.Spaces), writtenQuoted
	}
	return at, writtenBare
}

// pastName steps over the quote, perhaps escaped, that ends the name at at.
func pastName(text []byte, at int) int {
	return value.Past(text, value.Past(text, at, maxEscapes, `\`), 1, value.Quotes)
}

// bracketed returns the bounds of the innermost brackets round the name from start to end, or lo and hi where none is seen. A bracket
// in a text of one line is none.
func bracketed(text []byte, start, end, lo, hi int) (from, to int) {
	depth := 0
	from = value.Back(text, value.Back(text, start, 1, value.Quotes), maxEscapes, `\`)
	for ; from > lo; from-- {
		switch b := text[from-1]; b {
		case '}', ')', ']':
			depth++
		case '{', '(', '[':
			depth--
		case '"', '\'', '`':
			if i := value.BackTo(text, from-1, from-1-lo, "\n"+string(b)); i > lo && text[i-1] == b {
				from = i
			}
		}
		if depth < 0 {
			break
		}
	}
	depth = 0
	for to = pastName(text, end); to < hi; to++ {
		switch b := text[to]; b {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		case '"', '\'', '`':
			if i := value.UpTo(text, to+1, hi-to-1, "\n"+string(b)); i < hi && text[i] == b {
				to = i
			}
		}
		if depth < 0 {
			break
		}
	}
	return max(from, lo), to
}
