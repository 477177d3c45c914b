package secret

import (
	"bytes"
)

// This file says what passwords, their hashes and texts for people look like.

// seedBase32 reports whether v is base32, as seeds of one-time passwords and of
// some wallets are.
func seedBase32(v []byte) bool {
	return len(v) >= 16 && len(v) <= 64 && only(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") && shapeOf(v).digit > 0
}

// tells reports whether v, decoded from base64, is no secret: the head of a token
// of three parts, or a sentence.
func tells(v []byte) bool {
	return bytes.HasPrefix(v, []byte(`{"alg"`)) || bytes.HasPrefix(v, []byte(`{"typ"`)) || bytes.Count(v, []byte(" ")) >= 2 && wordy(v)*2 > len(v)
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
	if i := bytes.IndexByte(v[:min(len(v), 14)][min(1, len(v)):], '$'); i > 0 && v[0] == '$' && len(v) > 24 && len(bytes.Trim(v[1:1+i], "abcdefghijklmnopqrstuvwxyz0123456789-")) == 0 {
		return true // $8$rounds=…
	}
	return begins(v, "$2a$", "$2b$", "$2x$", "$2y$", "$1$", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "$scrypt", "$e0801$", "pbkdf2_sha", "pbkdf2:", "scrypt:", "bcrypt_sha256$")
}

// isPin reports whether a name ends in pin or pins.
func isPin(name []byte) bool {
	return endsFold(bytes.TrimRight(name, "sS"), "pin")
}

// passwordLike reports whether somebody may have made v up as a password:
// signs, digits and letters of both cases, at least two of these, and no name.
// Strictly, three of them.
func passwordLike(v []byte, s shape, strict bool) bool {
	if s.n < 6 || s.n > 128 {
		return false
	}
	letters := s.lower + s.upper
	if letters == 0 && s.special == 0 || nameLike(v) || regexLike(v) {
		return false
	}
	kinds := 0
	for _, c := range [...]int{s.lower, s.upper, s.digit, s.special} {
		if c > 0 {
			kinds++
		}
	}
	if s.special > 0 && s.special*2 >= s.n && s.n < 10 {
		return false // punctuation: code, not a password
	}
	if s.digit == 0 {
		// Words and signs: Sommer!Wind? but not Passwort: or *token.
		if s.special == 0 || s.n < 8 || kinds < 3 {
			return false
		}
		return !(s.special == 1 && (!isLetter(v[0]) || !isLetter(v[len(v)-1])) && s.upper <= 1)
	}
	if strict {
		return s.n >= 8 && (kinds >= 3 || kinds == 2 && s.special == 0 && s.digit >= 3 && s.n >= 8 && s.turns >= 3)
	}
	if s.joint > 0 && s.special == 0 && (s.digit <= 2 && wordy(v)*2 > s.n) {
		return false
	}
	return kinds >= 2
}

// words counts lower-case words in v, 0 if it holds anything else.
func words(v []byte) int {
	n, in := 0, false
	for _, b := range v {
		switch {
		case b >= 'a' && b <= 'z':
			if !in {
				n++
			}
			in = true
		case b == ' ', b == ',':
			in = false
		default:
			return 0
		}
	}
	if len(v) > 12*16*2 {
		return 0
	}
	return n
}

func regexLike(v []byte) bool {
	return holds(v, "\\w", "\\d", "\\s", "\\S", "[a-z", "[A-Z", "[0-9", "[a-f", "[A-F", "0-9]", "(?", ".*", ".+", "[^", "\\.") || v[0] == '^' || v[0] == '\\'
}
