package value

import (
	"bytes"
	"slices"
)

// This file says what passwords, their hashes and texts for people look like.

// SeedBase32 reports whether v is base32, as seeds of one-time passwords and of some wallets are.
func SeedBase32(v []byte) bool {
	return len(v) >= 16 && len(v) <= 64 && Only(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") && ShapeOf(v).Digit > 0
}

// Tells reports whether v, decoded from base64, is no secret: the head of a token of three parts, or a sentence.
func Tells(v []byte) bool {
	return bytes.HasPrefix(v, []byte(`{"alg"`)) || bytes.HasPrefix(v, []byte(`{"typ"`)) ||
		bytes.Count(v, []byte(" ")) >= 2 && Wordy(v)*2 > len(v)
}

// PasswordHash reports whether v is the hash of a password, marked as such.
func PasswordHash(v []byte) bool {
	if i := bytes.IndexByte(v[:min(len(v), 48)], ':'); i > 0 && IdentifierOnly(v[:i]) {
		v = v[i+1:] // user:hash
	}
	if v = bytes.TrimLeft(v, "*/ "); len(v) > 0 && v[0] == '{' {
		if i := bytes.IndexByte(v, '}'); i > 0 && i < 40 && !Begins(v, "{noop") && len(v)-i > 16 {
			return true // {bcrypt}..., {SSHA}...
		}
	}
	if i := bytes.IndexByte(v[:min(len(v), 14)][min(1, len(v)):], '$'); i > 0 && v[0] == '$' && len(v) > 24 &&
		len(bytes.Trim(v[1:1+i], "abcdefghijklmnopqrstuvwxyz0123456789-")) == 0 {
		return true // $8$rounds=…
	}
	return Begins(v, "pbkdf2_sha", "pbkdf2:", "scrypt:", "bcrypt_sha256$")
}

// IsPin reports whether a name ends in pin or pins.
func IsPin(name []byte) bool {
	return EndsFold(bytes.TrimRight(name, "sS"), "pin")
}

// PasswordLike reports whether somebody may have made v up as a password: signs, digits and letters of both cases, at least two
// of these, and no name. Strictly, three of them.
func PasswordLike(v []byte, s Shape, strict bool) bool {
	// Signs for the most part are code.
	if s.Length < 6 || s.Length > 128 || s.Length < 10 && s.Special*2 >= s.Length || NameLike(v) || RegexLike(v) {
		return false
	}
	kinds := min(1, s.Lower) + min(1, s.Upper) + min(1, s.Digit) + min(1, s.Special)
	switch {
	case s.Digit == 0:
		// Words and signs: Sommer!Wind? but not Passwort: or *token.
		return s.Length >= 8 && kinds >= 3 && (s.Special > 1 || s.Upper > 1 || IsLetter(v[0]) && IsLetter(v[len(v)-1]))
	case strict:
		return s.Length >= 8 && (kinds >= 3 || s.Digit >= 3 && s.Turns >= 3)
	}
	return kinds >= 2 && (s.Joint == 0 || s.Special > 0 || s.Digit > 2 || Wordy(v)*2 <= s.Length)
}

// Words counts lower-case words in v, 0 if it holds anything else, or a word of less than three letters, as sentences have and lists that
// phrases are drawn from have not.
func Words(v []byte) int {
	if !Only(v, LetterSigns[:26]+" ,") {
		return 0
	}
	words := bytes.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == ',' })
	// The last may be a part of one: of a long value its beginning is looked at.
	if slices.ContainsFunc(words[:max(0, len(words)-1)], func(w []byte) bool { return len(w) < 3 }) {
		return 0
	}
	return len(words)
}

// RegexLike reports whether v, which is not empty, is written as a regular expression.
func RegexLike(v []byte) bool {
	return Holds(v, "\\w", "\\d", "\\s", "\\S", "[a-z", "[A-Z", "[0-9", "[a-f", "[A-F", "0-9]", "(?", ".*", ".+", "[^", "\\.") ||
		v[0] == '^' || v[0] == '\\'
}
