package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads values without a name of their own that what stands round them tells: keys handed to what signs, the users of a section,
// the fields of a form that is sent, and a user and a password with a slash between. All of them are taken only where they were drawn by lot.

// signers are calls that are handed a key, and which of their arguments, from 0 on, it is; anyArgument where calls of that name differ.
var signers = map[string]int{
	// What signs
	"hmac(": anyArgument, "hmac.new(": anyArgument, "hmac256(": anyArgument, "hmac384(": anyArgument, "hmac512(": anyArgument, "hmac.hexdigest(": 1, "hmac.digest(": anyArgument,
	"hmacsha1(": anyArgument, "hmacsha256(": anyArgument, "hmacsha384(": anyArgument, "hmacsha512(": anyArgument, "hmacmd5(": anyArgument,
	"createhmac(": 1, "hash_hmac(": 2, "crypto.mac(": 2, "crypto.hmac(": 1, "hmacshakeyfor(": 0, "new_from_slice(": 0, "new_varkey(": 0, "signedstring(": 0, "from_secret(": 0,
	"signwith(": eachArgument, "setsigningkey(": 0, "verifywith(": eachArgument, "cookiestore(": 0, "securecookie.new(": anyArgument, "csrf.protect(": anyArgument,
	"securitykey(": anyArgument, "jwt.sign(": 1, "jwt.verify(": 1, "jwt.encode(": 1, "jwt.decode(": 1, "jwt.encode ": 1, "jwt.decode ": 1, "jwtverify(": 1, "token.sign(": anyArgument, "token.verify(": anyArgument,
	"textencoder().encode(": anyArgument, "messageverifier.new(": 0, "plaintext(": anyArgument, "totp(": anyArgument, "blynk.begin(": anyArgument, "authenticator.generate(": 0, "authenticator.check(": anyArgument, "authenticator.verify(": anyArgument,
	// What seals and opens
	"fernet(": 0, "aesgcm(": 0, "aesccm(": 0, "aessiv(": 0, "chacha20poly1305(": 0, "aes.new(": 0, "des.new(": 0, "des3.new(": 0, "arc4.new(": 0, "blowfish.new(": 0, "newcipher(": 0, "newtripledescipher(": 0,
	"createcipheriv(": 1, "createdecipheriv(": 1, "createcipher(": 1, "createdecipher(": 1, "aes.encrypt(": 1, "aes.decrypt(": 1, "des.encrypt(": 1, "des.decrypt(": 1, "rabbit.encrypt(": 1, "rabbit.decrypt(": 1,
	"openssl_encrypt(": 2, "openssl_decrypt(": 2, "mcrypt_encrypt(": 1, "mcrypt_decrypt(": 1, "encrypter(": 0, "messageencryptor.new(": 0, "secretbox.new(": 0, "symmetrickey(data:": 0, "key.fromutf8(": 0, "key.frombase64(": 0, "key.frombase16(": 0,
	"open_encrypted_with_pass(": 2, "open_encrypted(": 2, "poly1305.new(": 0, "pgp_sym_encrypt(": 1, "pgp_sym_decrypt(": 1, "aes_encrypt(": 1, "aes_decrypt(": 1, "encryptbypassphrase(": 0, "decryptbypassphrase(": 0, "cryptr(": 0, "secretbox(": 0, "encryptors.text(": 0, "encryptors.delux(": 0,
	// What is called after either
	"signer(": 0, "verifier(": 0, "serializer(": 0, "newstore(": anyArgument, "crypto.sign(": anyArgument, "hmacutils(": anyArgument, "hmacsha256hex(": 0,
}

const (
	anyArgument  = -1
	eachArgument = -2  // the only text in quotes, wherever it stands
	maxCall      = 400 // bytes of a call that are looked at
	maxArguments = 6   // texts in quotes of one
)

// readSigner finds the key among the texts in quotes of a call, also one that is wrapped: []byte("value"), Buffer.from('value'). What
// stands in braces is what is signed. Hex and digits are a key in its place alone, and behind no other hex: else they are messages and digests of tests.
func readSigner(r *run, start, end int) {
	if start < r.signerDone {
		return
	}
	var buf [32]byte
	place := signers[string(value.Lower(buf[:], r.text[start:end]))]
	switch {
	case value.HasPrefixAt(r.text, start, "hmac.New("): // Go's
		place = 1
	case value.HasPrefixAt(r.text, start, "hmac.new("), value.HasPrefixAt(r.text, start, "HMAC") && value.Ends(r.before(start, 4), "new "), value.EndsFold(r.before(start, 16), "sign(new "): // Python's, .NET's, and what SignJWT is handed
		place = 0
	}
	r.keyAmong(end, place)
}

// readAlgorithm finds the key among the arguments of a call that is told to sign by a key that both sides have: encode(claims, "value", HS256).
func readAlgorithm(r *run, start, end int) {
	if start < r.signerDone || start > 0 && r.text[start-1] == '-' { // PBES2-HS256
		return
	}
	head := r.before(start, maxLead)
	r.spend(len(head))
	depth := 0
	for i := len(head) - 1; i > 0; i-- {
		switch head[i] {
		case ')', '}':
			depth++
		case '{':
			depth--
		case '(':
			if depth--; depth < 0 {
				if value.IsWord(head[i-1]) {
					r.keyAmong(start-len(head)+i+1, eachArgument)
				}
				return
			}
		}
	}
}

// keyAmong takes the key among the arguments of a call that begin at end, of which it is that of the place.
func (r *run) keyAmong(end, place int) {
	text, depth, braces, texts, argument, last := r.text, 1, 0, 0, 0, -1
	vector := false // what is sealed is of hex too, as in tests of what seals
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
		case c == ',' && depth == 1 && braces == 0:
			argument++
		case c == '\n' && text[end-1] == ' ': // a call without brackets
			depth = 0
		case value.IsQuote(c):
			to, ok := r.closing(at+1, c, 0)
			if !ok {
				most = at
				break
			}
			before := value.ByteAt(text, value.Back(text, at, 4, " ")-1)
			named := place == eachArgument && (before == '=' || before == ':')           // kid="x", which its name tells
			if texts++; braces == 0 && !named && !value.HasPrefixAt(text, at+1, "eyJ") { // a JWT has its own reader
				r.drawn(value.Naming{Noun: value.TokenNoun, Lot: vector || place != eachArgument && (argument != place || argument == last)}, at+1, to)
				last = argument
			}
			vector = vector || argument < place && to-at > lotLength && value.AllHex(text[at+1:to])
			at = to
		}
	}
	r.spend(at - end)
	r.signerDone = at
}

// readUsers finds the passwords of a section of users: [admins], and lines NAME = value below it, or NAME: value below [BasicAuth].
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
		sign := value.SkipBlank(text, name)
		if c := value.ByteAt(text, sign); c == '=' || c == ':' && value.EndsFold(text[:end-1], "auth]") {
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
	} else if from, to := r.argument(end, value.Spaces+value.Quotes); value.Ends(r.text[:end], "PASS ") && r.lineEnds(to) { // what a client of FTP, POP3 or IRC sends
		r.drawn(value.Naming{Noun: value.PassNoun, Lot: true}, from, to)
	}
}

// readSlashUser finds the password behind a user and a slash, as Oracle's tools take both: userid=user/value, CONNECT user/"value"@base.
func readSlashUser(r *run, start, end int) {
	user := value.Past(r.text, end, value.MaxName, value.WordSigns+"$#")
	if user == end || value.ByteAt(r.text, user) != '/' {
		return
	}
	from, to, quoted := r.literal(user + 1)
	behind := to + 1
	if !quoted || from != user+2 {
		from, to = user+1, r.upTo(user+1, maxAccount, value.Spaces+value.Quotes+"@/.;,)")
		behind = to
	}
	switch at := value.ByteAt(r.text, behind) == '@'; {
	case at && value.ShapeOf(r.text[from:to]).Digit > 0:
		r.given("command-password", formGiven, value.PassNoun, from, to)
	default:
		r.drawn(value.Naming{Noun: value.PassNoun, Lot: !at}, from, to)
	}
}

// readAsked finds what a client of SMTP sends where it is asked for a password, both in base64.
func readAsked(r *run, start, end int) {
	line := r.upTo(end, 8, "\n") + 1
	stop := r.upTo(line, maxAccount, "\r\n")
	if from := value.BackTo(r.text, stop, max(0, stop-line), value.Spaces); from >= line && from < stop {
		r.given("password-assignment", formGiven, value.PassNoun, from, stop)
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

// tsigLiterals are the names of what DNS servers sign with, before a sign that a key's name follows.
var tsigLiterals = []string{"hmac-md5:", "hmac-sha1:", "hmac-sha224:", "hmac-sha256:", "hmac-sha384:", "hmac-sha512:"}

// readTSIG finds the key that a DNS message is signed with, behind its name: hmac-sha256:name:value, hmac-sha256:name value.
func readTSIG(r *run, start, end int) {
	text := r.text
	name := value.Past(text, end, value.MaxName, value.WordSigns+"-.")
	if sign := value.ByteAt(text, name); name > end && (sign == ':' || sign == ' ') {
		r.drawn(value.Naming{Noun: value.TokenNoun}, name+1, r.upTo(name+1, maxAccount, value.Spaces+value.Quotes))
	}
}

// joinedSchemes are the schemes of Authorization as texts of their own.
func joinedSchemes() []string {
	var all []string
	for _, scheme := range [...]string{"bearer", "token", "basic", "apikey", "bot"} {
		for _, quote := range value.Quotes {
			all = append(all, string(quote)+scheme+" "+string(quote))
		}
	}
	return all
}

// readJoinedScheme finds what is joined to a scheme that is a text of its own: "Bearer " + "value", string("Bearer ", "value").
func readJoinedScheme(r *run, start, end int) {
	at := value.Past(r.text, end, 16, value.Spaces+"+.,&~<>^|*(")
	if at == end {
		return
	}
	if from, to, ok := r.literal(at); ok {
		r.drawn(value.Naming{Noun: value.TokenNoun}, from, to)
	}
}

// readWiFi finds the password of a network in what a square of dots says of it: WIFI:T:WPA;S:name;P:value;;
func readWiFi(r *run, start, end int) {
	text := r.text
	stop := r.upTo(end, 200, "\n", ";;")
	if value.ByteAt(text, stop) != ';' {
		return
	}
	for at := end; at < stop; at = value.UpTo(text, at, stop-at, ";") + 1 {
		if value.BeginsFold(text[at:], "P:") {
			r.given("password-assignment", formGiven, value.PassNoun, at+len("P:"), value.UpTo(text, at, stop-at, ";"))
			return
		}
	}
}

// readLogin finds the password in what a client of IMAP sends: a001 LOGIN user value.
func readLogin(r *run, start, end int) {
	text := r.text
	if !value.Ends(text[:end], " LOGIN ") {
		return
	}
	if from, to := r.argument(end, value.Spaces+value.Quotes); to > from && to-from < value.MaxName {
		r.drawnArgument(value.Past(text, to, 2, value.Quotes+" "))
	}
}

// readLogon finds the password behind a user and a comma, as Teradata's tools have it: .LOGON host/user,value;
func readLogon(r *run, start, end int) {
	if name := value.Past(r.text, end, value.MaxName, value.WordSigns+"-./"); name > end && value.ByteAt(r.text, name) == ',' {
		r.drawnArgument(name + 1)
	}
}

// readUsing finds the password that a statement of DB2's connects with: USER name USING value.
func readUsing(r *run, start, end int) {
	text := r.text
	user := value.Back(text, start, value.MaxName, value.WordSigns)
	if user < start && value.EndsFold(text[:user], "user ") {
		r.drawnArgument(end)
	}
}

// readHandle finds the password of a handle of kdb+'s: hopen `:host:port:user:value.
func readHandle(r *run, start, end int) {
	parts, from, to := 0, end, r.upTo(end, maxAccount, value.Spaces+value.Quotes+")];")
	for i, b := range r.text[end:to] {
		if b == ':' {
			parts, from = parts+1, end+i+1
		}
	}
	if parts == 3 {
		r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
	}
}

// readOpened finds the password behind what is opened and the user who opens it, each a text in quotes, with what is set beside them between:
// conn.Open "source", "user", "value", request.Open "GET", "address", False, "user", "value".
func readOpened(r *run, start, end int) {
	text, at := r.text, start+len(".open")
	at = value.Past(text, at, 1, "(")
	texts := 0
	for range maxArguments {
		from, to, ok := r.literal(at)
		switch {
		case ok && texts > 1 && value.ByteAt(text, value.SkipBlank(text, to+1)) != ',':
			r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
			return
		case ok:
			texts++
			at = to + 1
		default:
			if at = value.Past(text, value.SkipBlank(text, at), value.MaxName, value.NameSigns); texts == 0 {
				return
			}
		}
		if at = value.SkipBlank(text, at); value.ByteAt(text, at) != ',' {
			return
		}
		at++
	}
}

// drawnArgument takes the argument at at if it was drawn by lot, less the sign that ends a statement.
func (r *run) drawnArgument(at int) {
	from, to := r.argument(at, value.Spaces+value.Quotes)
	r.drawn(value.Naming{Noun: value.PassNoun}, from, value.Back(r.text, to, 1, ";"))
}

// readDeclared finds what a declaration of COBOL or ABAP begins with: 01 WS-PASSWORD PIC X(32) VALUE 'value', and of PL/I: DCL DB_PASSWORD CHAR(32) INIT('value').
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

// readCounted finds a password in a table whose keys and values stand below their lengths, as Subversion keeps it: K 8, password, V 16, value; and
// what Redis is sent: AUTH, $16, value.
func readCounted(r *run, start, end int) {
	text := r.text
	digits := value.Past(text, end, 4, value.DigitSigns)
	n := 0
	for _, b := range text[end:digits] {
		n = 10*n + int(b-'0')
	}
	digits = value.Past(text, digits, 1, "\r")
	if from := digits + 1; value.ByteAt(text, digits) == '\n' && n > 0 && from+n <= len(text) && bytes.IndexByte(text[from:from+n], '\n') < 0 {
		r.given("password-assignment", formGiven, value.PassNoun, from, from+n)
	}
}

// readSlashed finds a password behind its user and a slash, where the line says that one logs in: admin login: bob / value.
func readSlashed(r *run, start, end int) {
	head := r.before(start, 80)
	r.spend(8 * len(head))
	if !value.HasFold(head, "login", "log in", "credential", "creds ", "account", "zugang") && !value.EndsFold(head, " admin", " root", " administrator") {
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
	r.given("password-assignment", formGiven, value.PassNoun, from, to)
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

// readAlone finds the only argument of a call that lets a program in: client.login("value").
func readAlone(r *run, start, end int) {
	from, to, ok := r.literal(end - 1)
	if ok && value.ByteAt(r.text, value.SkipBlank(r.text, to+1)) == ')' {
		r.drawn(value.Naming{Noun: value.TokenNoun}, from, to)
	}
}

// readPrinted finds the password that a command prints which a program is told to ask: --password-command "echo value".
func readPrinted(r *run, start, end int) {
	head := r.before(start, 24)
	r.spend(2 * len(head))
	if value.EndsFold(head, "password-", "password_", "pass_", "pass", "passphrase-", "passphrase_", "secret-", "secret_", "token-", "token_", "password") {
		from, to := r.argument(value.SkipBlank(r.text, end), value.Spaces+value.Quotes)
		r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
	}
}

// admits are words in the name of what lets somebody in who is named beside his password.
var admits = value.WordSet("auth authenticate authenticated authenticator authentication login logon signin credential credentials creds")

// readAdmitted finds the user and the password as texts in quotes of a call whose name says that it lets somebody in: req_auth_basic("bob", "value").
func readAdmitted(r *run, start, end int) {
	text := r.text
	lo, hi := value.NameAround(text, start, end)
	if value.ByteAt(text, hi) != '(' || hi-lo > value.MaxName || !value.IsQuote(value.ByteAt(text, value.Past(text, hi+1, 24, value.Spaces+value.WordSigns+",."))) {
		return
	}
	r.spend(8 * (hi - lo))
	let, last := false, false
	var buf [32]byte
	for name := text[lo:hi]; len(name) > 0; {
		n := value.FirstWord(name)
		if n > 0 && n < len(buf) {
			w := value.Lower(buf[:], name[:n])
			if public[string(w)] {
				return
			}
			last = admits[string(w)] || let && string(w) == "basic"
			let = let || last && w[0] != 'c' // what is made of credentials by the name of its type is read where types are
		}
		name = name[max(n, 1):]
	}
	switch {
	case last:
		readPair(r, lo, hi+1)
	case let:
		r.drawnAmong(hi+1, hi)
	}
}
