package secret

import (
	"bytes"
)

// This file says what passwords, their hashes and texts for people look like.

// seedBase32 reports whether v is base32, as seeds of one-time passwords and of some wallets are.
func seedBase32(v []byte) bool {
	return len(v) >= 16 && len(v) <= 64 && only(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") && shapeOf(v).digit > 0
}

// tells reports whether v, decoded from base64, is no secret: the head of a token of three parts, or a sentence.
func tells(v []byte) bool {
	return bytes.HasPrefix(v, []byte(`{"alg"`)) || bytes.HasPrefix(v, []byte(`{"typ"`)) ||
		bytes.Count(v, []byte(" ")) >= 2 && wordy(v)*2 > len(v)
}

// passwordHash reports whether v is the hash of a password, marked as such.
func passwordHash(v []byte) bool {
	if i := bytes.IndexByte(v[:min(len(v), 48)], ':'); i > 0 && identifierOnly(v[:i]) {
		v = v[i+1:] // user:hash
	}
	if v = bytes.TrimLeft(v, "*/ "); len(v) > 0 && v[0] == '{' {
		if i := bytes.IndexByte(v, '}'); i > 0 && i < 40 && !begins(v, "{noop") && len(v)-i > 16 {
			return true // {bcrypt}..., {SSHA}...
		}
	}
	if i := bytes.IndexByte(v[:min(len(v), 14)][min(1, len(v)):], '$'); i > 0 && v[0] == '$' && len(v) > 24 &&
		len(bytes.Trim(v[1:1+i], "abcdefghijklmnopqrstuvwxyz0123456789-")) == 0 {
		return true // $8$rounds=…
	}
	return begins(v, "pbkdf2_sha", "pbkdf2:", "scrypt:", "bcrypt_sha256$")
}

// isPin reports whether a name ends in pin or pins.
func isPin(name []byte) bool {
	return endsFold(bytes.TrimRight(name, "sS"), "pin")
}

// passwordLike reports whether somebody may have made v up as a password: signs, digits and letters of both cases, at least two
// of these, and no name. Strictly, three of them.
func passwordLike(v []byte, s shape, strict bool) bool {
	// Signs for the most part are code.
	if s.n < 6 || s.n > 128 || s.n < 10 && s.special*2 >= s.n || nameLike(v) || regexLike(v) {
		return false
	}
	kinds := min(1, s.lower) + min(1, s.upper) + min(1, s.digit) + min(1, s.special)
	switch {
	case s.digit == 0:
		// Words and signs: Sommer!Wind? but not Passwort: or *token.
		return s.n >= 8 && kinds >= 3 && (s.special > 1 || s.upper > 1 || isLetter(v[0]) && isLetter(v[len(v)-1]))
	case strict:
		return s.n >= 8 && (kinds >= 3 || s.digit >= 3 && s.turns >= 3)
	}
	return kinds >= 2 && (s.joint == 0 || s.special > 0 || s.digit > 2 || wordy(v)*2 <= s.n)
}

// words counts lower-case words in v, 0 if it holds anything else.
func words(v []byte) int {
	if !only(v, "abcdefghijklmnopqrstuvwxyz ,") {
		return 0
	}
	return len(bytes.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == ',' }))
}

func regexLike(v []byte) bool {
	return holds(v, "\\w", "\\d", "\\s", "\\S", "[a-z", "[A-Z", "[0-9", "[a-f", "[A-F", "0-9]", "(?", ".*", ".+", "[^", "\\.") ||
		v[0] == '^' || v[0] == '\\'
}
