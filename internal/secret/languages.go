package secret

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads what notes and manuals say of a password in the languages that people write.

// copulas are the words with which a sentence tells what a password is.
var copulas = value.WordSet(`
	is was are be ist war lautet lautete heißt heisst est était sera es era será é foi será è era sarà är var blir er on oli ovat jest to je bude este era
	это есть был будет — – - → е беше је là adalah ialah yaitu yakni ay ni คือ เป็น ຄື គឺ هو هي هى היא הוא είναι ir yra er yw da არის է है हैं হল হলো
	olarak são eshte është nii bu 是 为 為 は が 는 은 이 가
`)

// particles stand behind a word without a space, and tell what it is.
var particles = []string{"是", "为", "為", "设为", "设置为", "改为", "は", "が", "는", "은", "이", "가", "คือ", "เป็น"}

// termLiterals are the terms as they are written: small, with a capital, in capitals, their parts with each sign between.
var termLiterals = func() []string {
	var list []string
	for _, terms := range value.PasswordTerms {
		for term := range strings.FieldsSeq(terms) {
			first, n := utf8.DecodeRuneInString(term)
			for _, t := range []string{term, string(unicode.ToUpper(first)) + term[n:], strings.ToUpper(term)} {
				list = append(list, strings.ToLower(strings.ReplaceAll(t, "_", " ")))
				if value.HasHigh(t) {
					list = append(list, value.ASCIILower(strings.ReplaceAll(t, "_", " ")))
				}
				if strings.Contains(t, "_") {
					list = append(list, value.ASCIILower(t), value.ASCIILower(strings.ReplaceAll(t, "_", "-")), value.ASCIILower(strings.ReplaceAll(t, "_", ".")), value.ASCIILower(strings.ReplaceAll(t, "_", "\u00a0")))
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}()

// nameLiterals are what the names hold that may be a secret's.
var nameLiterals = slices.Concat(assignmentWords, value.TermNouns())

const (
	maxEnding = 27 // bytes of what inflects a word, or stands behind it without a space
	maxWords  = 5  // words between the one for a password and the one that tells it
)

// signWords are the signs that part a password from what it is called, and what may stand before one.
var signWords = []string{":", "：", "=", "＝", "⇒", "→", "=>", "->", "﹕", "：", "»", "›"}

// openers stand before a value that is set off.
var openers = []string{"`", "**", "*", "\"", "'", "“", "„", "”", "«", "「", "『", "‘", "‚", "《", "<code>"}

// enders end a value in a sentence of any script.
var enders = []string{"。", "，", "、", "；", "“", "”", "«", "»", "」", "』", "’", "》", "）", "！", "។", "।", "؛", "،", "**", "</", "\u200f", "\u200e", "\u00a0", "\u3000"}

// readTold finds the password that a sentence tells behind a word for it, in the language of its term.
func readTold(r *run, start, end int) {
	text := r.text
	if first := text[start]; end <= r.toldDone || first < utf8.RuneSelf && start > 0 && (value.IsWord(text[start-1]) || value.IsBase64(text[start-1])) {
		return
	}
	r.toldDone = end
	at := pastEnding(text, end)
	if next := value.ByteAt(text, at); text[start] < utf8.RuneSelf && (value.IsWord(next) || value.IsBase64(next)) {
		return // a part of a value
	}
	at = value.Past(text, at, 2, value.Quotes+"*)")
	for range maxWords {
		at = value.PastBlanks(text, at)
		if n := prefixOf(text, at, signWords); n > 0 {
			r.toldValue(at+n, formSetOff)
			return
		}
		if n := prefixOf(text, at, []string{"(", "（"}); n > 0 { // the password (of the guests): …
			end := r.upTo(at+n, 60, "\n)", "）")
			if at = end + prefixOf(text, end, []string{")", "）"}); at == end {
				return
			}
			continue
		}
		to := r.upTo(at, 60, value.Spaces+value.Quotes+":=|<>;,*", "：", "。", "，")
		if to == at {
			if prefixOf(text, at, openers) > 0 {
				r.toldValue(at, formSetOff)
			}
			return
		}
		var buf [32]byte
		word := value.Lower(buf[:], text[at:to])
		switch {
		case copulas[string(word)]:
			r.toldValue(to, formSetOff)
			return
		case value.ShapeOf(word).Digit > 0 && r.toldValue(at, formTold):
			return
		case to-at > 24 || prefixOf(text, at, openers) > 0:
			return
		}
		at = to
	}
}

// pastEnding steps over what inflects the word that ends at at, and over particles.
func pastEnding(text []byte, at int) int {
	for most := min(len(text), at+maxEnding); at < most; {
		if n := prefixOf(text, at, particles); n > 0 {
			return at + n
		}
		if text[at] < utf8.RuneSelf {
			if !value.IsLetter(text[at]) {
				return at
			}
			at++
			continue
		}
		c, n := utf8.DecodeRune(text[at:])
		if !unicode.IsLetter(c) && !unicode.IsMark(c) && c != '\u200c' {
			return at
		}
		at += n
	}
	return at
}

// prefixOf returns the length of the one of the texts that stands at at, 0 if none does.
func prefixOf(text []byte, at int, texts []string) int {
	for _, t := range texts {
		if value.HasPrefixAt(text, at, t) {
			return len(t)
		}
	}
	return 0
}

// toldValue has the word at at, behind signs and marks, judged as a password; false if none stands there that may be one.
func (r *run) toldValue(at int, f form) bool {
	text := r.text
	for {
		next := value.PastBlanks(text, at)
		if n := prefixOf(text, next, signWords); n > 0 {
			next += n
		} else if n := prefixOf(text, next, openers); n > 0 {
			next += n
		}
		if next == at {
			break
		}
		at = next
	}
	end := r.upTo(at, 200, value.Spaces+value.Quotes+`<>|\`, enders...)
	end = value.Back(text, end, end-at, ".,:;)")
	v := text[at:end]
	if len(v) < 6 || !mixedWord(v) || value.ShapeOf(v).High > 0 || bytes.IndexByte(v, '=') > 0 && value.IdentifierOnly(v[:bytes.IndexByte(v, '=')]) {
		return false
	}
	r.given("password-assignment", f, value.PassNoun, at, end)
	return true
}
