package secret

import (
	"bytes"
	"strings"
)

// Learn reads a file that is left out by its name, such as .env, and teaches known
// the values in it that rules call a credential: a password or a key, not
// "production" or a port. They may be shorter than what is learned elsewhere, as
// the file is sure to hold values: 8 bytes. The text is the file's, in UTF-8. The
// errors are Scan's; with one, nothing is learned.
func (s *Scanner) Learn(path string, text []byte, known *Known) error {
	found, err := s.Scan(path, text, nil)
	if err != nil {
		return err
	}
	known.addFile(path, text, found, minGiven)
	return nil
}

// scripts are the extensions of programs that are otherwise read as settings.
var scripts = wordSet("sh bash zsh fish ksh ps1 psm1 bat cmd sql ipynb")

// CodeOrProse reports whether a file whose name is suspect is a program or a text
// for people in which credentials are the exception: it stays, and what is found
// in it is redacted. A file of settings or keys does not, nor one that is mainly a
// key, or where a finding begins on every fourth line. A template, which is there
// to be read and filled in elsewhere, is as a program is.
func CodeOrProse(path string, text []byte, found []Finding) bool {
	var buf [32]byte
	base := path[strings.LastIndexByte(path, '/')+1:]
	ext := lower(buf[:], base[strings.LastIndexByte(base, '.')+1:])
	plain := string(ext) == "txt" || len(ext) == len(base)
	switch st := styleOf(path); {
	case scripts[string(ext)], st == asCode, st == asProse && (!plain || sentences(text)):
	case st == asProse, !some(strings.HasSuffix, strings.ToLower(base), templates...):
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

// filledLines counts the lines with text.
func filledLines(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// sentences reports whether half of the lines with text have five words or more.
func sentences(text []byte) bool {
	long := 0
	for line := range bytes.Lines(text) {
		words := 0
		for w := range bytes.FieldsSeq(line) {
			if wordy(w)*2 > len(w) || len(w) < 4 && isLetter(w[0]) {
				words++
			}
		}
		if words >= 5 {
			long++
		}
	}
	return long > 0 && long*2 >= filledLines(text)
}
