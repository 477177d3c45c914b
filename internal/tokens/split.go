package tokens

import (
	"unicode"
	"unicode/utf8"
)

// The classes of characters in the vocabulary's expression. Each character is of one.
const (
	upper  uint8 = iota // \p{Lu} and \p{Lt}: begin a word
	lower               // \p{Ll}: go on with one
	both                // \p{Lm}, \p{Lo} and \p{M}: either; marks are no letters
	mark                // \p{M}: as both, but a word may also have one before it
	number              // \p{N}
	line                // \r and \n
	blank               // other white space
	other               // signs
)

var ascii = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		switch {
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case '0' <= c && c <= '9':
			t[c] = number
		case c == '\r' || c == '\n':
			t[c] = line
		case c == ' ' || '\t' <= c && c <= '\r':
			t[c] = blank
		default:
			t[c] = other
		}
	}
	return t
}()

// class returns the class of the character at i and the bytes that it takes.
func class(s []byte, i int) (uint8, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return ascii[c], 1
	}
	r, n := utf8.DecodeRune(s[i:])
	switch {
	case unicode.Is(unicode.Lo, r):
		return both, n
	case unicode.Is(unicode.Ll, r):
		return lower, n
	case unicode.Is(unicode.Lu, r), unicode.Is(unicode.Lt, r):
		return upper, n
	case unicode.Is(unicode.Lm, r):
		return both, n
	case unicode.Is(unicode.M, r):
		return mark, n
	case unicode.Is(unicode.N, r):
		return number, n
	case unicode.IsSpace(r):
		return blank, n
	}
	return other, n
}

// next returns where the piece of s that begins at i ends: what the expression of o200k_base matches there,
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// the first of them that matches. It looks at no character more than a few times.
func next(s []byte, i int) int {
	c, n := class(s, i)
	switch c {
	case upper, lower, both:
		end, _ := word(s, i)
		return end
	case number:
		end := i + n
		for range 2 {
			if end == len(s) {
				break
			}
			if c, n = class(s, end); c != number {
				break
			}
			end += n
		}
		return end
	case mark:
		// Before a word, else the word itself.
		if end, ok := word(s, i+n); ok {
			return end
		}
		end, _ := word(s, i)
		return end
	case line:
		return space(s, i)
	case blank:
		if end, ok := word(s, i+n); ok {
			return end
		}
		if s[i] == ' ' && i+1 < len(s) {
			if c, _ := class(s, i+1); c == other || c == mark {
				return signs(s, i+1)
			}
		}
		return space(s, i)
	}
	if end, ok := word(s, i+n); ok {
		return end
	}
	return signs(s, i)
}

// word returns where the word that begins at i ends, if one begins there.
func word(s []byte, i int) (int, bool) {
	end, last := i, -1 // last is behind the last character that both begins and goes on
	for end < len(s) {
		c, n := class(s, end)
		if c == lower {
			for end < len(s) {
				if c, n = class(s, end); c != lower && c != both && c != mark {
					break
				}
				end += n
			}
			return short(s, end), true
		}
		if c != upper && c != both && c != mark {
			break
		}
		if end += n; c != upper {
			last = end
		}
	}
	switch {
	case end == i:
		return i, false
	case last >= 0:
		return short(s, last), true
	}
	return short(s, end), true
}

// short returns where the short form behind a word ends: 's, 't, 're, 've, 'm, 'll or 'd.
func short(s []byte, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	switch s[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if i+2 < len(s) && s[i+2]|0x20 == 'e' {
			return i + 3
		}
	case 'l':
		if i+2 < len(s) && s[i+2]|0x20 == 'l' {
			return i + 3
		}
	}
	return i
}

// signs returns where the signs that begin at i end, with the lines' ends and slashes behind them.
func signs(s []byte, i int) int {
	for i < len(s) {
		c, n := class(s, i)
		if c != other && c != mark {
			break
		}
		i += n
	}
	for i < len(s) && (s[i] == '\r' || s[i] == '\n' || s[i] == '/') {
		i++
	}
	return i
}

// space returns where the white space that begins at i ends: behind its last line's end, else before its last
// character, which belongs to what follows.
func space(s []byte, i int) int {
	end, last, lines := i, i, -1
	for end < len(s) {
		c, n := class(s, end)
		if c != line && c != blank {
			break
		}
		last = end
		if end += n; c == line {
			lines = end
		}
	}
	switch {
	case lines >= 0:
		return lines
	case end == len(s) || last == i:
		return end
	}
	return last
}
