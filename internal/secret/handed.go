package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads values without a name of their own that what stands round them tells: keys handed to what signs, the users of a section,
// the fields of a form that is sent, and a user and a password with a slash between. All of them are taken only where they were drawn by lot.

// signers are calls that are handed a key, as an argument of any place.
var signers = []string{
	"hmac(", "hmac.new(", "hmac256(", "hmac384(", "hmac512(", "hmac.hexdigest(", "hmac.digest(", "createhmac(", "signwith(", "setsigningkey(", "verifywith(", "cookiestore(", "csrf.protect(",
	"securitykey(", "jwt.sign(", "jwt.verify(", "jwt.encode(", "jwt.decode(", "plaintext(", "totp(", "blynk.begin(",
}

const (
	maxCall      = 400 // bytes of a call that are looked at
	maxArguments = 6   // texts in quotes of one
)

// readSigner finds the key among the texts in quotes of a call, also one that is wrapped: []byte("value"), Buffer.from('value'). What
// stands in braces is what is signed. Hex and digits are messages and digests of tests.
func readSigner(r *run, start, end int) {
	if start < r.signerDone {
		return
	}
	text, depth, braces, texts := r.text, 1, 0, 0
	at, most := end, min(len(text), end+maxCall)
	for ; at < most && depth > 0 && texts < maxArguments; at++ {
		switch c := text[at]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '{':
			braces++
		case c == '}':
			braces--
		case value.IsQuote(c):
			to, ok := r.closing(at+1, c, 0)
			if !ok {
				most = at
				break
			}
			if texts++; braces == 0 {
				r.drawn(value.Naming{Noun: value.TokenNoun, Lot: true}, at+1, to)
			}
			at = to
		}
	}
	r.spend(at - end)
	r.signerDone = at
}

// readUsers finds the passwords of a section of users: [admins], and lines NAME = value below it.
func readUsers(r *run, start, end int) {
	text := r.text
	if r.style == value.AsCode || start > 0 && text[start-1] != '\n' {
		return
	}
	at := end + 1
	for n := 0; n < maxItems && at < len(text) && text[at] != '['; n++ {
		line := at
		at = r.upTo(line, maxAccount, "\n") + 1
		name := value.Past(text, value.SkipBlank(text, line), value.MaxName, value.WordSigns+"-.@")
		if sign := value.SkipBlank(text, name); value.ByteAt(text, sign) == '=' {
			from, to := value.Trimmed(text, sign+1, min(at, len(text)), value.Spaces+value.Quotes)
			from, to = value.Trimmed(text, from, value.UpTo(text, from, to-from, ","), value.Spaces+value.Quotes) // roles follow
			r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
		}
	}
}

// readUserSetting finds the password of a user whose name ends a setting's: security.users.NAME=value.
func readUserSetting(r *run, start, end int) {
	text := r.text
	name := value.Past(text, end, value.MaxName, value.WordSigns+"-@")
	sign := value.SkipBlank(text, name)
	if r.style == value.AsCode || name == end || strings.IndexByte("=:", value.ByteAt(text, sign)) < 0 {
		return
	}
	from, to := value.Trimmed(text, sign+1, r.upTo(sign+1, maxAccount, ",\n"), value.Spaces+value.Quotes)
	r.drawn(value.Naming{Noun: value.PassNoun, Lot: true}, from, to)
}

// readFormData finds the value of a field of a form, as HTTP sends it in parts: name="password", an empty line, and the value.
func readFormData(r *run, start, end int) {
	text := r.text
	to := r.upTo(end, value.MaxName, "\"\n")
	k := value.Classify(text[end:to])
	if value.ByteAt(text, to) != '"' || k.Not || k.Noun < value.TokenNoun || k.Noun == value.Mnemonic {
		return
	}
	for _, sign := range [...]string{"\r\n\r\n", "\n\n"} {
		if value.HasPrefixAt(text, to+1, sign) {
			from := to + 1 + len(sign)
			r.given("password-assignment", formGiven, k.Noun, from, r.upTo(from, maxAccount, "\r\n"))
		}
	}
}

// readPassed finds what stands behind "pass" in a text that says whose it is: same user, pass value.
func readPassed(r *run, start, end int) {
	head := r.before(start, 60)
	r.spend(4 * len(head))
	if value.HasFold(head, "user", "login", "account") {
		from, to := r.argument(end, value.Spaces+value.Quotes+"<>()[],;")
		r.drawn(value.Naming{Noun: value.PassNoun, Lot: true}, from, value.Back(r.text, to, 1, ".:!?"))
	}
}

// readKeyword finds the value of a keyword of a mainframe's commands: PASSWORD(value).
func readKeyword(r *run, start, end int) {
	if to := r.upTo(end, value.MaxLook, ")\n"); value.ByteAt(r.text, to) == ')' && value.Ends(r.text[:end], "PASSWORD(") {
		r.drawn(value.Naming{Noun: value.PassNoun, Lot: true}, end, to)
	}
}

// readClientSend finds the password that Exim's sends behind the user: client_send = : user : value, client_send = ^user^value.
func readClientSend(r *run, start, end int) {
	text := r.text
	at := value.SkipBlank(text, end)
	if value.ByteAt(text, at) != '=' {
		return
	}
	at = value.SkipBlank(text, at+1)
	sign := value.ByteAt(text, value.Past(text, at, 1, `"`))
	if sign != ':' && sign != '^' {
		return
	}
	stop := r.upTo(at, maxAccount, "\n\"")
	if i := bytes.LastIndexByte(text[at:stop], sign); i > 1 {
		from, to := value.Trimmed(text, at+i+1, stop, value.Spaces)
		r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
	}
}

// readDeclared finds what a declaration of COBOL or ABAP begins with: 01 WS-PASSWORD PIC X(32) VALUE 'value'.
func readDeclared(r *run, start, end int) {
	head := r.before(start, 100)
	r.spend(20 * len(head))
	for word := range bytes.FieldsSeq(head) {
		if k := value.Classify(word[:min(len(word), value.MaxName)]); k.Noun >= value.TokenNoun && k.Noun != value.Mnemonic && !k.Not && !k.Strict {
			if from, to, ok := r.literal(end - 1); ok {
				r.given("password-assignment", formGiven, k.Noun, from, to)
			}
			return
		}
	}
}

// readSlashed finds a password behind its user and a slash, where the line says that one logs in: admin login: bob / value.
func readSlashed(r *run, start, end int) {
	head := r.before(start, 80)
	r.spend(8 * len(head))
	if !value.HasFold(head, "login", "log in", "credential", "account", "zugang") && !value.EndsFold(head, " admin", " root", " administrator") {
		return
	}
	from, to := r.argument(end, value.Spaces+value.Quotes+"<>()[],;")
	if bytes.IndexByte(r.text[from:to], '/') < 0 {
		r.drawn(value.Naming{Noun: value.PassNoun, Lot: true}, from, to)
	}
}

// readUserAbove finds the password on the line below the user's: <auth-user-pass>, user, value.
func readUserAbove(r *run, start, end int) {
	text := r.text
	if start == 0 || text[start-1] != '<' {
		return
	}
	user := value.Past(text, end, 2, value.Spaces)
	line := r.upTo(user, maxAccount, "\n")
	from, to := value.Trimmed(text, line, r.upTo(line+1, maxAccount, "\n"), value.Spaces)
	r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
}

// readFTP finds what a script of ftp's logs in with: user NAME value, alone in a line.
func readFTP(r *run, start, end int) {
	text := r.text
	head := r.before(start, 200)
	r.spend(2 * len(head))
	if !value.HasFold(head, "ftp") {
		return
	}
	name := value.UpTo(text, end, value.MaxName, value.Spaces)
	if value.ByteAt(text, name) != ' ' {
		return
	}
	from, to := value.Trimmed(text, name, r.upTo(name, maxAccount, "\n"), value.Spaces+value.Quotes)
	r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
}

// readEncoded finds the password of user:value in a text in quotes that is made base64 of, as a header of HTTP has it; what turns the text to bytes may
// stand between.
func readEncoded(r *run, start, end int) {
	text := r.text
	open := r.upTo(end, 40, value.Quotes+"\n;")
	from, to, ok := r.literal(open)
	if !ok {
		return
	}
	r.spend(to - start)
	if i := bytes.IndexByte(text[from:to], ':'); i > 0 && value.Only(text[from:from+i], value.WordSigns+".@-") {
		r.drawn(value.Naming{Noun: value.PassNoun}, from+i+1, to)
	}
}

// readCharacters finds the text that Java takes apart into characters, as passwords alone are: "value".toCharArray(). One of hexadecimal is
// more often decoded, but where a store of keys is opened.
func readCharacters(r *run, start, end int) {
	from := value.BackTo(r.text, start, maxAccount, "\"\n")
	head := r.before(from, 80)
	r.spend(start - from + 2*len(head))
	if from > 0 && r.text[from-1] == '"' {
		r.drawn(value.Naming{Noun: value.PassNoun, Lot: !value.HasFold(head, "store", ".load(", "password", "pbekeyspec(")}, from, start)
	}
}

// readJDBC finds the password behind an address of a database and a user among the arguments of a call, whatever is called:
// ("jdbc:…", "user", "value").
func readJDBC(r *run, start, end int) {
	text := r.text
	to, ok := r.closing(start+1, text[start], 0)
	if !ok {
		return
	}
	r.spend(to - start)
	for n := range 2 {
		sign := value.Past(text, to+1, 20, value.Spaces)
		if value.ByteAt(text, sign) != ',' {
			return
		}
		from, behind, ok := r.literal(value.Past(text, sign+1, 40, value.Spaces))
		if !ok {
			return
		}
		if to = behind; n == 1 {
			r.given("login-call", formGiven, value.PassNoun, from, to)
		}
	}
}
