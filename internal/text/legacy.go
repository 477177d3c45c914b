package text

import (
	"bytes"
	"unicode/utf8"
)

// Detecting a legacy encoding looks at this many bytes outside of ASCII, and
// at this many bytes after the first of them.
const (
	sampleChars = 8192
	sampleBytes = 1 << 20
)

// isUTF16 reports whether b, after its byte order mark, reads as UTF-16 text.
// high is the index of the high byte in a unit: 1 for little endian. A NUL unit
// means binary, as a NUL byte does elsewhere; a unit in 50 may be malformed.
func isUTF16(b []byte, high int) bool {
	if len(b)%2 != 0 {
		return false
	}
	bad, open := 0, false
	for i := 2; i < len(b); i += 2 {
		h, l := b[i+high], b[i+1-high]
		switch {
		case h == 0 && l == 0:
			return false
		case h >= 0xDC && h <= 0xDF: // low surrogate
			if !open {
				bad++
			}
			open = false
			continue
		case open:
			bad++
		}
		open = h >= 0xD8 && h <= 0xDB
	}
	if open {
		bad++
	}
	return bad*50 <= len(b)/2-1
}

// detectLegacy tells the encoding of bytes that hold no NUL and are not UTF-8.
//
// An East Asian candidate must fit the structure of the bytes (one malformed character in 50 is forgiven) and must show at
// least two characters, half of them or more from the part of its repertoire that real text is written in. Latin letters
// with accents also pair up into East Asian characters, but mostly into rare ones, or they stand between ASCII letters:
// DESCRI<C7><C3>O. The best of them, the encodings of one byte a letter, and UTF-8 with bytes that are wrong are then
// compared by what it costs to say the sample in each, in bits. Where all are too dear it is no text that is known: it is
// read as UTF-8, and what is replaced is counted.
func detectLegacy(b []byte) Encoding {
	start := 0
	for start < len(b) && b[start] < utf8.RuneSelf {
		start++
	}
	sample, before := b[start:], byte(' ')
	if start > 0 {
		before = b[start-1]
	}
	sample = sampleOf(sample)
	best, points, bits, characters := Latin1, 0, -1, 0
	for _, c := range candidates {
		if p, n := c.score(sample, isLetter(before)); p > points {
			best, points, bits = c.encoding, p, n
		}
	}
	if fourBytes(sample) && validIn(sample, GB18030) {
		return GB18030
	}
	for _, a := range alphabets {
		if n, chars := a.cost(sample, before); bits < 0 || n < bits {
			best, bits, characters = a.encoding, n, chars
		}
	}
	if n, whole := asUTF8(sample); whole > 0 && n < bits {
		return unicodeOf(b)
	}
	switch {
	case characters == 0: // an East Asian one, by its structure
		return best
	case manyControls(b):
		return Binary
	case characters >= fewestDear && bits > characters*tooDear:
		return unicodeOf(b)
	}
	return best
}

// unicodeOf returns which of the two forms of UTF-8 bytes are in that are no other encoding.
func unicodeOf(b []byte) Encoding {
	if bytes.HasPrefix(b, bomUTF8) {
		return UTF8BOM
	}
	return UTF8
}

// sampleOf returns what is looked at of b: its first sampleBytes, or as far as sampleChars bytes outside of ASCII, and of what
// stands between these the first and the last byte, as only neighbours say anything.
func sampleOf(b []byte) []byte {
	b = b[:min(len(b), sampleBytes)]
	sample := make([]byte, 0, min(len(b), 3*sampleChars))
	n, ascii := 0, 0 // ascii: how long the run of ASCII is that the sample ends with
	for _, c := range b {
		if c >= utf8.RuneSelf {
			if n++; n > sampleChars {
				break
			}
			sample, ascii = append(sample, c), 0
			continue
		}
		if ascii++; ascii > 2 {
			sample[len(sample)-1] = c
			continue
		}
		sample = append(sample, c)
	}
	return sample
}

// fourBytes reports whether a sample holds GB18030's characters of four bytes, which look like nothing else: two of them.
func fourBytes(sample []byte) bool {
	n := 0
	for i := 0; i+3 < len(sample); i++ {
		if sample[i] >= 0x81 && isDigit(sample[i+1]) && sample[i+2] >= 0x81 && isDigit(sample[i+3]) {
			n++
		}
	}
	return n > 1
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// validIn reports whether all bytes of a sample, but for a last character that may be cut, are of an encoding.
func validIn(sample []byte, e Encoding) bool {
	n := bytes.Count(Decode(sample, e), replacement)
	return n == 0 || n == 1 && bytes.HasSuffix(Decode(sample, e), replacement)
}

// perBadByte: a text of so many bytes may hold one that is not UTF-8.
const perBadByte = 1000

// perBadByteMarked: a text that says by a mark that it is UTF-8 may hold more.
const perBadByteMarked = 10

// damaged reports whether bytes that are not UTF-8 are it but for at most one byte in
// perBadByte: a character cut in half, a stray byte. Characters outside ASCII
// that are whole prove it. Where there are fewer of these than bad bytes, a long
// ASCII file with one comment in a legacy encoding looks the same; it is
// that when the bad bytes form East Asian characters, or when half of them stand as
// latin-1's letters and windows-1252's quotes do, beside a letter (Jos<E9>,
// it<92>s), or are signs that stand alone in English texts: <A9> 2005.
func damaged(b []byte) bool {
	bad, whole, latin := 0, 0, 0
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r != utf8.RuneError || size > 1 {
			whole++
		} else {
			bad++
			if latinAt(b, i) {
				latin++
			}
		}
		i += size
	}
	switch {
	case bad*perBadByte > len(b), manyControls(b):
		return false
	case whole >= bad:
		return true
	}
	return latin*2 < bad && oneByte(detectLegacy(b))
}

// latinAt reports whether the byte at b[i] reads as latin-1 or windows-1252.
func latinAt(b []byte, i int) bool {
	letter := func(j int) bool {
		return j >= 0 && j < len(b) && (isLetter(b[j]) || latinLetter(b[j]))
	}
	c := b[i]
	if latinLetter(c) || 0x91 <= c && c <= 0x94 {
		return letter(i-1) || letter(i+1)
	}
	return bytes.IndexByte(latinSigns, c) >= 0
}

// latinSigns: ellipsis, dashes, pound, section, copyright, registered, degree, plus-minus, micro, guillemets.
var latinSigns = []byte{0x85, 0x96, 0x97, 0xA3, 0xA7, 0xA9, 0xAE, 0xB0, 0xB1, 0xB5, 0xAB, 0xBB}

// latinLetter: all of latin-1's letters but y with diaeresis, whose byte stands in no UTF-8.
func latinLetter(c byte) bool { return c >= 0xC0 && c != 0xD7 && c != 0xF7 && c != 0xFF }

// manyControls reports whether more than a byte in 50 among the first
// sampleBytes is a control character that text does not use. Random bytes have
// one in ten.
func manyControls(b []byte) bool {
	if len(b) > sampleBytes {
		b = b[:sampleBytes]
	}
	n := 0
	for _, c := range b {
		if c < 0x20 && (c < '\b' || c > '\r') && c != 0x1B {
			n++
		}
	}
	return n*50 > len(b)
}

// candidate is an encoding of one and two bytes a character.
type candidate struct {
	encoding Encoding
	// weigh tells what the pair lead, trail says for the encoding: malformed
	// when it cannot stand there, single when lead is a character by itself,
	// else points: 2 for a frequent character, 1 for a common one, 0 or less
	// for one that text in this encoding rarely holds.
	weigh func(lead, trail byte) int
}

const (
	malformed = -100
	single    = -101
)

var candidates = []candidate{
	{ShiftJIS, weighShiftJIS},
	{EUCKR, weighEUCKR},
	{GBK, weighGBK},
	{Big5, weighBig5},
	{EUCJP, weighEUCJP}, // after GBK: without kana the two cannot be told apart
}

// pairBits is what a pair costs, in bits, by its points; one that is malformed costs as much as two bytes that are no text.
func pairBits(points int) int {
	switch {
	case points >= 2:
		return 8
	case points == 1:
		return 10
	case points == 0:
		return 13
	}
	return 16
}

// score returns the points of the sample, 0 when it is not in this encoding, and what it costs to say it, in bits.
// after tells whether an ASCII letter stands before the sample.
func (c candidate) score(sample []byte, after bool) (points, bits int) {
	chars, common, bad := 0, 0, 0
	runs, between := 0, 0 // runs of characters; those between two ASCII letters
	run := false          // the previous character was outside ASCII
	before := after       // an ASCII letter stands before the current run
	for i := 0; i < len(sample); {
		lead := sample[i]
		if lead < utf8.RuneSelf {
			letter := isLetter(lead)
			if run && before && letter {
				between++
			}
			run, before = false, letter
			i++
			continue
		}
		if !run {
			run = true
			runs++
		}
		if i+1 == len(sample) {
			// The sample may have been cut here; the character's other half says nothing.
			break
		}
		switch w := c.weigh(lead, sample[i+1]); w {
		case malformed:
			bad++
			chars++
			bits += noText
			i++
		case single:
			bits += unusual
			i++
		default:
			chars++
			points += w
			bits += pairBits(w)
			if w > 0 {
				common++
			}
			i += 2
		}
	}
	if common < 2 || bad*50 > chars || common*2 < chars || between*2 > runs {
		return 0, 0
	}
	return points, bits
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func weighShiftJIS(lead, trail byte) int {
	switch {
	case lead >= 0xA1 && lead <= 0xDF: // half-width katakana
		return single
	case lead == 0x80 || lead == 0xA0 || lead > 0xFC,
		trail < 0x40 || trail == 0x7F || trail > 0xFC:
		return malformed
	case lead == 0x82 && trail >= 0x9F && trail <= 0xF1, // hiragana
		lead == 0x83 && trail <= 0x96, // katakana
		lead == 0x81 && (trail == 0x41 || trail == 0x42 || trail == 0x5B):
		return 2
	case lead >= 0x88 && lead <= 0x97 && trail >= 0x80: // kanji, first level
		// A trail that is an ASCII letter is no evidence: in windows-1252
		// "it\x92s" looks like one.
		return 1
	}
	return 0
}

func weighEUCJP(lead, trail byte) int {
	switch {
	case lead == 0x8E && trail >= 0xA1 && trail <= 0xDF: // half-width katakana
		return 0
	case lead < 0xA1 || lead == 0xFF || trail < 0xA1 || trail == 0xFF:
		return malformed
	case lead == 0xA4 && trail <= 0xF3, lead == 0xA5 && trail <= 0xF6: // kana
		return 3
	case lead >= 0xB0 && lead <= 0xCF: // kanji, first level
		return 1
	case lead > 0xCF: // second level
		return -1
	}
	return 0
}

func weighEUCKR(lead, trail byte) int {
	switch {
	case lead < 0x81 || lead == 0xFF || trail < 0x41 || trail == 0xFF:
		return malformed
	case trail < 0xA1 && (lead > 0xC6 || trail > 0x5A && trail < 0x61 || trail > 0x7A && trail < 0x81):
		return malformed
	case lead < 0xA1 || trail < 0xA1: // hangul added by windows-949
		return -1
	case lead >= 0xB0 && lead <= 0xC8: // hangul
		if frequentKorean[[2]byte{lead, trail}] {
			return 2
		}
		return 1
	case lead >= 0xCA && lead <= 0xFD: // hanja
		return -2
	}
	return 0
}

func weighGBK(lead, trail byte) int {
	switch {
	case lead < 0x81 || lead == 0xFF || trail < 0x40 || trail == 0x7F || trail == 0xFF:
		return malformed
	case lead < 0xA1 || trail < 0xA1: // hanzi outside GB 2312
		return -1
	case lead == 0xA1 && (trail == 0xA2 || trail == 0xA3), lead == 0xA3 && (trail == 0xAC || trail == 0xBA || trail == 0xBB):
		return 2
	case lead >= 0xB0 && lead <= 0xD7: // hanzi, first level
		if frequentChinese[[2]byte{lead, trail}] {
			return 2
		}
		return 1
	case lead > 0xD7 && lead <= 0xF7: // second level
		return -1
	}
	return 0
}

func weighBig5(lead, trail byte) int {
	switch {
	case lead < 0x81 || lead == 0xFF || trail < 0x40 || trail > 0x7E && trail < 0xA1 || trail == 0xFF:
		return malformed
	case lead == 0xA1 && (trail == 0x41 || trail == 0x43 || trail == 0x47):
		return 2
	case lead >= 0xA4 && lead <= 0xC6: // hanzi, first level
		if frequentTraditional[[2]byte{lead, trail}] {
			return 2
		}
		return 1
	case lead > 0xC6 && lead <= 0xF9: // second level
		return -1
	case lead < 0xA1: // added by vendors
		return -2
	}
	return 0
}

// The syllables and characters that are most frequent in prose and comments.
var (
	frequentKorean      = pairs(EUCKR, "이다는을의에고하지로가기를은한서도사인자리나어시수대정과해일있그라으게들아만니전면부제보여것중된입용스안조성장원상주동력파트설값요")
	frequentTraditional = pairs(Big5, "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產新資料庫表字數值檔案類型參返回函設置請選擇預設檢視編輯關閉儲存開啟目錄")
	frequentChinese     = pairs(GBK, "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产新据库表字数值文件类型参返回函数设置")
)

func pairs(e Encoding, s string) map[[2]byte]bool {
	m := map[[2]byte]bool{}
	for b := Encode([]byte(s), e); len(b) >= 2; b = b[2:] {
		m[[2]byte{b[0], b[1]}] = true
	}
	return m
}
