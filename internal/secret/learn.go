package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/known"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

// Rest returns what there is to be found behind found, of which there may be so much that Scan stopped: else nothing.
func (s *Scanner) Rest(path string, text []byte, found []value.Finding) (rest []value.Finding) {
	last := found
	for len(last) > MaxFindings && len(rest) < known.MaxValues {
		end := last[len(last)-1].End
		at := end + bytes.IndexByte(text[end:], '\n') + 1
		if at == end {
			break
		}
		line := bytes.Count(text[:at], value.Newline)
		last, _ = s.Scan(path, text[at:], nil)
		for i := range last {
			f := &last[i]
			f.Line, f.Start, f.End = f.Line+line, f.Start+at, f.End+at
		}
		rest = append(rest, last...)
	}
	return rest
}

// maxBare is the most lines of a file that holds one credential and nothing else, as keys of encryption do.
const maxBare = 2

// Bare finds the credential that a text is from beginning to end, a line of one word drawn by lot. It is for files whose names say
// that they hold one: elsewhere such a line may be anything.
func Bare(text []byte) (list []value.Finding) {
	if len(text) > maxBare*known.MaxLength || filledLines(text) > maxBare {
		return nil
	}
	at, n := 0, 1
	for line := range bytes.Lines(text) {
		word := bytes.TrimSpace(line)
		if signs := bytes.TrimRight(word, "="); value.Only(signs, value.Base64Signs+"-_") && (value.Random(signs) || value.AllHex(signs)) {
			from := at + bytes.Index(line, word)
			list = append(list, value.Finding{Rule: "secret-assignment", Line: n, Start: from, End: from + len(word)})
		}
		at, n = at+len(line), n+1
	}
	return list
}

// maxSettingName is the longest name of a setting, in bytes; what is longer is prose.
const maxSettingName = 200

// Settings finds the values of lines of the form name=value that are no mere settings,
// such as a host or a port; in a text of one line or two, also the lines themselves. It
// is for files that are a secret as a whole: elsewhere the name would have to say so.
func Settings(text []byte) (list []value.Finding) {
	at, n := 0, 0
	few := len(text) <= maxBare*known.MaxLength && filledLines(text) <= maxBare
	for line := range bytes.Lines(text) {
		n++
		name, rest, named := bytes.Cut(line, []byte("="))
		if !named && few {
			name, rest, named = nil, line, true
		}
		name = bytes.TrimSpace(name)
		if v := bytes.Trim(rest, " \t\r\n\"'"); named && len(name) <= maxSettingName && len(v) >= 4 && manifestValue(name, v, true) {
			from := at + len(line) - len(rest) + bytes.Index(rest, v)
			list = append(list, value.Finding{Rule: "secret-assignment", Line: n, Start: from, End: from + len(v)})
		}
		at += len(line)
	}
	return list
}

// scripts are the extensions of programs that are otherwise read as settings.
var scripts = value.WordSet("sh bash zsh fish ksh ps1 psm1 bat cmd sql ipynb har")

// CodeOrProse reports whether a file whose name is suspect is a program or a text
// for people in which credentials are the exception: it stays, and what is found
// in it is redacted. A file of settings or keys does not, nor one that is mainly a
// key, or where a finding begins on every fourth line. A template, which is there
// to be read and filled in elsewhere, is as a program is.
func CodeOrProse(path string, text []byte, found []value.Finding) bool {
	var buf [32]byte
	base := path[strings.LastIndexByte(path, '/')+1:]
	ext := value.Lower(buf[:], base[strings.LastIndexByte(base, '.')+1:])
	plain := string(ext) == "txt" || len(ext) == len(base)
	switch st := styleOf(path); {
	case scripts[string(ext)], st == value.AsCode, st == value.AsProse && (!plain || sentences(text)):
	case st == value.AsProse, !some(strings.HasSuffix, strings.ToLower(base), templates...):
		return false
	}
	if MostlyKey(text, found) {
		return false
	}
	held, last := 0, 0
	for _, f := range found {
		if f.Line != last {
			held++
			last = f.Line
		}
	}
	return held*4 < filledLines(text)
}

// lineLength is how long lines are counted at most, in bytes, where a text is written without breaks.
const lineLength = 32

// filledLines counts the lines with text. One that was written without breaks, as programs write JSON, counts for as many as it would be.
func filledLines(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	if n > 0 && len(text)/n > 5*lineLength {
		return len(text) / lineLength
	}
	return n
}

// sentences reports whether half of the lines with text have five words or more.
func sentences(text []byte) bool {
	long := 0
	for line := range bytes.Lines(text) {
		words := 0
		for w := range bytes.FieldsSeq(line) {
			if value.Wordy(w)*2 > len(w) || len(w) < 4 && value.IsLetter(w[0]) {
				words++
			}
		}
		if words >= 5 {
			long++
		}
	}
	return long > 0 && long*2 >= filledLines(text)
}
