package text

// InWord reports whether a byte belongs to a name in a program: an ASCII letter or digit, an underscore, or a byte of a character
// beyond ASCII. Other signs that a language allows in names ($, -, ') are the caller's to add.
func InWord(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
