package secret

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads texts that stand in base64: files that a machine writes when it starts, settings, commands. What a credential is in such a text
// makes its lines of base64 one. Texts within texts are not read.

const (
	leastEncoded = 24      // signs of a text in base64
	maxEncoded   = 8 << 10 // of those that are read
	leastWrapped = 60      // of a line that goes on in the next
	maxIndent    = 24      // bytes before the next line
)

// base64Bytes are the signs of base64, less those at its end, and isBase64 tells of each byte whether it is one.
var (
	base64Bytes = value.ByteSetOf(value.Base64Signs)
	isBase64    = func() (is [256]bool) {
		for _, sign := range []byte(value.Base64Signs) {
			is[sign] = true
		}
		return is
	}()
)

// encoded finds texts in base64 that hold a credential.
func (r *run) encoded() {
	if r.within {
		return
	}
	text := r.text
	r.spend(len(text) / 4)
	for at := 0; at+leastEncoded <= len(text) && !r.full() && r.spent < r.limit; {
		last := at + leastEncoded - 1 // most runs end before: they are looked for from there back
		for last >= at && isBase64[text[last]] {
			last--
		}
		if last >= at {
			at = last + 1
			continue
		}
		to := base64Bytes.Past(text, at+leastEncoded, len(text))
		at = r.encodedText(at, to)
	}
}

// encodedText reads the text in base64 whose first line stands from at to to, and returns where it ends.
func (r *run) encodedText(at, to int) int {
	text := r.text
	part := at > 0 && strings.IndexByte(".-_", text[at-1]) >= 0 || value.ByteAt(text, to) == '.' // of a token
	if part || !tellsText(text[at:min(to, at+12)]) || r.pathTraits().lock {
		return to + 1
	}
	last := [2]int{at, to}
	r.lines = append(r.lines[:0], last)
	r.coded = append(r.coded[:0], text[at:min(to, at+maxEncoded)]...)
	for last[1]-last[0] >= leastWrapped && value.ByteAt(text, last[1]) == '\n' && len(r.coded) < maxEncoded {
		from := value.Past(text, last[1]+1, maxIndent, " \t")
		end := base64Bytes.Past(text, from, len(text))
		if end == from || end < len(text) && strings.IndexByte("\n\r=", text[end]) < 0 {
			break
		}
		last = [2]int{from, end}
		r.lines = append(r.lines, last)
		r.coded = append(r.coded, text[from:min(end, from+maxEncoded)]...)
	}
	to = last[1]
	if len(r.coded)%4 == 1 {
		r.coded = r.coded[:len(r.coded)-1] // a part of a byte
	}
	r.spend(4 * len(r.coded))
	if most := base64.RawStdEncoding.DecodedLen(len(r.coded)); cap(r.plain) < most {
		r.plain = make([]byte, 2*most)
	}
	plain := r.plain[:cap(r.plain)]
	n, err := base64.RawStdEncoding.Decode(plain, r.coded)
	if err != nil {
		return to + 1
	}
	plain = narrowed(plain[:n])
	if plain == nil {
		return to + 1
	}
	if r.inner == nil {
		r.inner = &run{table: r.table, judge: judge{model: r.judge.model}, marks: make([]int, len(r.marks)), within: true}
	}
	found, err := r.inner.read("", plain, nil)
	if r.spend(int(r.inner.spent)); err != nil {
		r.spent = r.limit + 1 // it was not read to its end
	}
	if len(found) > 0 {
		for _, l := range r.lines {
			r.add(found[0].Rule, l[0], value.Past(text, l[1], 2, "="), rankKeyed)
		}
	}
	return to + 1
}

// tellsText reports whether what begins with these signs of base64 may be a text, of one byte or two a letter.
func tellsText(v []byte) bool {
	var first [9]byte
	n, err := base64.RawStdEncoding.Decode(first[:], v[:len(v)&^3])
	return err == nil && narrowed(first[:n:n]) != nil
}

// narrowed returns v if it is a text of ASCII, or what it is if each second byte is none, as Windows writes texts; nil if it is neither.
func narrowed(v []byte) []byte {
	if len(v) > 3 && v[1] == 0 && v[3] == 0 {
		n := 0
		for i := 0; i < len(v); i += 2 {
			if i+1 < len(v) && v[i+1] != 0 {
				return nil
			}
			v[n] = v[i]
			n++
		}
		v = v[:n]
	}
	for _, b := range v {
		if b >= 0x7F || b < ' ' && bytes.IndexByte([]byte("\n\r\t\x1b"), b) < 0 {
			return nil
		}
	}
	return v
}
