package text

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// alphabet is an encoding of one byte a letter, and the languages that were written in it.
type alphabet struct {
	encoding Encoding
	codes    *charmap.Charmap
	// prior is what it costs to take a text for this encoding at all, in bits: the rarer it is in repositories, the more
	// its letters have to speak for it.
	prior     int
	languages []string
}

var (
	western  = strings.Fields("af ca da de es et eu fi fo fr ga gl is it nb nl pt-BR pt-PT sq sv")
	central  = strings.Fields("cs de hr hu pl ro sk sl sq sr-Latn")
	cyrillic = strings.Fields("be bg mk ru sr uk")
	baltic   = strings.Fields("et lt lv")
)

// alphabets are the encodings of one byte a letter, of those that read a text alike the first.
var alphabets = []alphabet{
	{Latin1, charmap.ISO8859_1, 0, western},
	{Windows1252, charmap.Windows1252, 0, western},
	{"windows-1251", charmap.Windows1251, 8, cyrillic},
	{"koi8-r", charmap.KOI8R, 9, cyrillic},
	{"koi8-u", charmap.KOI8U, 10, cyrillic},
	{"iso-8859-5", charmap.ISO8859_5, 11, cyrillic},
	{"ibm866", charmap.CodePage866, 12, cyrillic},
	{"mac-cyrillic", charmap.MacintoshCyrillic, 14, cyrillic},
	{"iso-8859-2", charmap.ISO8859_2, 8, central},
	{"windows-1250", charmap.Windows1250, 8, central},
	{"iso-8859-7", charmap.ISO8859_7, 8, []string{"el"}},
	{"windows-1253", charmap.Windows1253, 8, []string{"el"}},
	{"iso-8859-9", charmap.ISO8859_9, 8, []string{"tr", "de"}},
	{"windows-1254", charmap.Windows1254, 8, []string{"tr", "de"}},
	{"iso-8859-8", charmap.ISO8859_8, 9, []string{"he"}},
	{"windows-1255", charmap.Windows1255, 9, []string{"he"}},
	{"windows-1256", charmap.Windows1256, 9, []string{"ar", "fa", "ur"}},
	{"iso-8859-6", charmap.ISO8859_6, 9, []string{"ar", "fa"}},
	{"iso-8859-13", charmap.ISO8859_13, 10, baltic},
	{"windows-1257", charmap.Windows1257, 10, baltic},
	{"windows-874", charmap.Windows874, 9, []string{"th"}},
	{"iso-8859-15", charmap.ISO8859_15, 3, western},
	{"windows-1258", charmap.Windows1258, 12, []string{"vi"}},
	{"macintosh", charmap.Macintosh, 14, western},
}

// What a character costs, in bits, where its language does not say.
const (
	foreign   = 12 // a letter that is none of the language's
	usual     = 5  // a sign that texts are set with
	unusual   = 9  // any other sign
	inWord    = 14 // a sign between two letters
	noText    = 24 // a control character, or a byte that the encoding does not have
	camel     = 6  // more, for a capital behind a small letter
	mixed     = 6  // more, for a letter beside one of another script
	stray     = 16 // a byte that is not UTF-8, if the rest is
	wholeRune = 6  // a character of UTF-8 of several bytes
	// tooDear is what a character of a text in no encoding that is known costs on average, from fewestDear characters on.
	tooDear, fewestDear = 10, 8
)

// usualSigns are the signs that texts of every language are set with.
const usualSigns = "\u00a0«»“”‘’‚„‹›–—…•©®™°§±µ·€£¿¡№ªº×¹²³½¼¾´¨"

//go:embed letters.txt
var lettersText string

// letters returns what each letter of a language costs, in bits, by the table that internal/text/letters writes.
var letters = sync.OnceValue(func() map[string]map[rune]int {
	all := map[string]map[rune]int{}
	for line := range strings.Lines(lettersText) {
		fields := strings.Fields(line)
		costs := map[rune]int{}
		for _, group := range fields[1:] {
			n := strings.IndexFunc(group, func(r rune) bool { return r < '0' || r > '9' })
			cost, err := strconv.Atoi(group[:n])
			if err != nil {
				panic("internal/text/letters.txt: " + err.Error())
			}
			for _, r := range group[n:] {
				costs[r] = cost
			}
		}
		all[fields[0]] = costs
	}
	return all
})

// cost returns how many bits it costs to say that the sample is text in this encoding: the letters of the cheapest of its
// languages, and the signs as they stand. characters is how many were weighed.
func (a alphabet) cost(sample []byte, before byte) (bits, characters int) {
	found := map[rune]int{} // letters outside of ASCII, in lower case
	last := a.rune(before)
	for i := 0; i < len(sample); i++ {
		r := a.rune(sample[i])
		next := ' '
		if i+1 < len(sample) {
			next = a.rune(sample[i+1])
		}
		if sample[i] >= utf8.RuneSelf {
			characters++
			if isWord(r) {
				found[unicode.ToLower(r)]++
				bits += besides(last, r, next)
			} else {
				bits += sign(last, r, next)
			}
		}
		last = r
	}
	cheapest := -1
	for _, l := range a.languages {
		n, costs := 0, letters()[l]
		for r, count := range found {
			c, ok := costs[r]
			if !ok {
				c = foreign
			}
			n += count * c
		}
		if cheapest < 0 || n < cheapest {
			cheapest = n
		}
	}
	return bits + cheapest + a.prior, characters
}

// rune returns the character of a byte, U+FFFD where the encoding has none.
func (a alphabet) rune(c byte) rune {
	if c < utf8.RuneSelf {
		return rune(c)
	}
	return a.codes.DecodeByte(c)
}

// isWord reports whether a character is part of a word: a letter, or a mark on one. The signs of ordinals are letters
// for Unicode, and stand as signs do.
func isWord(r rune) bool {
	return r != 'ª' && r != 'º' && r != 'µ' && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// besides returns what a letter costs for where it stands.
func besides(last, r, next rune) int {
	bits := 0
	if unicode.IsLower(last) && unicode.IsUpper(r) {
		bits += camel
	}
	ascii := func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }
	if !unicode.Is(unicode.Latin, r) && !unicode.IsMark(r) && (ascii(last) || ascii(next)) {
		bits += mixed
	}
	return bits
}

// sign returns what a character costs that is no letter.
func sign(last, r, next rune) int {
	switch {
	case r == utf8.RuneError, unicode.IsControl(r):
		return noText
	case r == '’', r == '·':
		return usual
	case isWord(last) && isWord(next), strings.ContainsRune("¼½¾", r) && isWord(next):
		return inWord
	case strings.ContainsRune(usualSigns, r):
		return usual
	}
	return unusual
}

// asUTF8 returns what the sample costs as UTF-8 in which some bytes are wrong, and how many characters are whole.
func asUTF8(sample []byte) (bits, whole int) {
	for i := 0; i < len(sample); {
		if sample[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(sample[i:])
		if r == utf8.RuneError && size == 1 {
			bits += stray
		} else {
			bits += wholeRune
			whole++
		}
		i += size
	}
	return bits, whole
}
