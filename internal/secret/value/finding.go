package value

import "math"

// Finding is one secret value in a text. It never holds the value.
type Finding struct {
	// Rule is the id of the rule that found it.
	Rule string
	// Line is where the value begins, counted from 1.
	Line int
	// Start and End bound the value in the scanned text, in bytes.
	Start, End int
}

// In returns the value in the text that the finding is of, nothing if it is of another.
func (f Finding) In(text []byte) []byte {
	if f.Start < 0 || f.End > len(text) || f.Start > f.End {
		return nil
	}
	return text[f.Start:f.End]
}

// HashRules are the ids of the rules that find hashes of passwords.
var HashRules = WordSet("bcrypt-hash crypt-hash argon2-hash pbkdf2-hash werkzeug-hash ldap-hash scram-hash mysql-native-hash")

// MarkBegin is what each mark begins with that stands in place of a value.
var MarkBegin = []byte("[REDACTED")

// Newline is the end of a line, for counting them.
var Newline = []byte{'\n'}

// Entropy is Shannon's, in bits per byte.
func Entropy(v []byte) float64 {
	var n [256]int
	for _, b := range v {
		n[b]++
	}
	var e float64
	for _, c := range n {
		if c > 0 {
			f := float64(c) / float64(len(v))
			e -= f * math.Log2(f)
		}
	}
	return e
}

// HexDigit returns what a hexadecimal digit stands for.
func HexDigit(b byte) byte {
	if IsDigit(b) {
		return b - '0'
	}
	return b | 0x20 - 'a' + 10
}
