package value

import "bytes"

// abbreviated reports whether w, in lower case, is password with letters left out, or ends so behind a word that says whose it is: pword, pwrd,
// psw, dbpword, userpw. What is left begins with p, keeps the w and the order, and ends as password does, or with what is before its o.
func abbreviated(w []byte) bool {
	if len(w) < 3 || bytes.IndexByte(w, 'w') < 0 {
		return false
	}
	for i, b := range w {
		if rest := w[i:]; b == 'p' && len(rest) <= len("password") && shortPassword(rest) && owned(w[:i], rest) {
			return true
		}
	}
	return false
}

// shortPassword reports whether v, which begins with p, is password with letters left out.
func shortPassword(v []byte) bool {
	const whole = "password"
	i := 0
	for _, b := range v {
		j := bytes.IndexByte([]byte(whole[i:]), b)
		if j < 0 {
			return false
		}
		i += j + 1
	}
	return bytes.IndexByte(v, 'w') > 0 && (v[len(v)-1] == 'd' || Ends(v, "sw", "swo", "swor") || len(v) == 2)
}

// shortOwners are words of two letters that say whose a password is, or what it is for.
var shortOwners = WordSet("db my pg ad ap sa wp vm os bt rw ro")

// owned reports whether owner, before an abbreviation, is a word, and the two are not parted elsewhere: stop word.
func owned(owner, short []byte) bool {
	switch n := len(owner); {
	case n == 0:
		return true
	case n < 3:
		return shortOwners[string(owner)]
	case n == 4 && shortOwners[string(owner[:2])] && shortOwners[string(owner[2:])]:
		return true // dbrwpw
	case string(short) == "pword":
		return useOf(append(bytes.Clone(owner), 'p')) == 0
	}
	return len(short) > 3 || useOf(owner) > 0
}
