package secret

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// reader finds what no expression on a window can: what spans lines, or needs
// judgement. Its read is called for each literal found, with its bounds.
type reader struct {
	literals []string
	read     func(r *run, start, end int)
}

// readers are asked in this order where several have the same literal.
var readers = []reader{
	{nameLiterals, readAssignment},
	{value.CodeNames(), readAssignment},
	{entries, readEntry},
	{termLiterals, readTold},
	{[]string{"[redacted"}, readMark},
	{colourLiterals, readColoured},
	{[]string{"\n@@ -"}, readHunk},
	{[]string{"://", `:\/\/`}, readURL},
	{[]string{"@tcp(", "@unix(", "@udp(", "@ssl("}, readDSN},
	{[]string{"-begin ", "- begin ssh2"}, readArmour},
	{[]string{"-end ", "- end ssh2"}, readTail},
	{[]string{"putty-user-key-file-"}, readPuTTY},
	{[]string{"ls0tls1crudjtib"}, readEncodedArmour},
	{[]string{"mighageambmgbyqgsm49ageg", "mig2ageambagbyqgsm49ageg", "migtageambmgbyqgsm49ageg", "mihcagebbeia", "mc4caqawbqydk2vw", "mhccaqeei", "migkagebbd", "miievaibadanbgkqh", "miievqibadanbgkqh", "miievgibadanbgkqh", "miievwibadanbgkqh", "miijqgibadanbgkqh", "miijqwibadanbgkqh", "miijraibadanbgkqh", "miicdwibadanbgkqh", "miicdgibadanbgkqh", "miicdqibadanbgkqh", "miieowibaakcaqea", "miiepaibaakcaqea", "miiepqibaakcaqea", "miicxaibaakbgq", "miicxqibaakbgq", "miijkaibaakcageaa", "miijkqibaakcagea", "miijjwibaakcagea"}, readBareKey},
	{[]string{"aws4-hmac-sha256"}, readSignature},
	{[]string{"eyj"}, readJWT},
	{[]string{"kty", "crv"}, readJWK},
	{[]string{"=="}, readPadded},
	{[]string{"hook", "/trigger", "/integration", "/deploy/", "/incoming", "/inbound", "/deliver/", "/invoke", "/heartbeat", "/ping/", "hc-ping.com/", "/alert", "/notify", "/ical/", "/calendar", "/caldav", "/published/", "/receiver", "/collector"}, readHook},
	{[]string{"signature=", "sig=", "hmac="}, readSigned},
	{[]string{"bearer ", "bearer, ", "basic ", "ntlm ", "negotiate "}, readScheme},
	{[]string{"curl"}, readCurl},
	{slices.Sorted(maps.Keys(commands)), readCommand},
	{listedLiterals(), readListed},
	{inputLiterals, readInput},
	{[]string{"secret"}, readManifest},
	{[]string{"secretgenerator"}, readGenerator},
	{[]string{"secret_id", "secret-id", "secretid", "role_id", "role-id", "roleid"}, readAppRole},
	{[]string{"identified "}, readIdentified},
	{[]string{"insert into"}, readInsert},
	{[]string{"create table"}, readCreate},
	{[]string{"loginmodule"}, readJAAS},
	{[]string{" -p "}, readUserFlag},
	{[]string{`"random_password"`, `"random_string"`}, readGenerated},
	{[]string{"chpasswd"}, readChpasswd},
	{[]string{`send "`, `send -- "`, `send '`, `send -- '`, `sendline("`, `sendline('`, `->send("`, `->send('`}, readSent},
	{[]string{":*:*:", ":5432:", ":6432:", ":5433:", ":*:"}, readPgpass},
	{[]string{"client(", "client.new(", "clientv2(", ".init(", ".configure(", ".authenticate(", ".auth(", ":auth(", ">auth(", "sdk(", "stripe(", "secretkeyspec(", "cookieparser("}, readHanded},
	{[]string{".com\", \"", ".com', '", ".com\",\"", ".com','", ".io\", \"", ".io', '", ".net\", \"", ".net', '", ".org\", \"", ".org', '", ".de\", \"", ".de', '", ".edu\", \"", ".edu', '", ".co\", \"", ".dev\", \""}, readAddressed},
	{slices.Sorted(maps.Keys(signers)), readSigner},
	{[]string{"hs256", "hs384", "hs512"}, readAlgorithm},
	{[]string{".login('", ".login(\"", ".run('", ".run(\""}, readAlone},
	{[]string{"command \"echo ", "command 'echo ", "command=\"echo ", "command='echo ", "command = \"echo ", "command: \"echo ", "command: echo ", "command=echo "}, readPrinted},
	{[]string{"[admins]\n", "[users]\n", "[basicauth]\n"}, readUsers},
	{[]string{".users."}, readUserSetting},
	{tsigLiterals, readTSIG},
	{joinedSchemes(), readJoinedScheme},
	{[]string{"wifi:"}, readWiFi},
	{[]string{" login "}, readLogin},
	{[]string{".logon "}, readLogon},
	{[]string{" using "}, readUsing},
	{[]string{"hopen `:"}, readHandle},
	{[]string{".open \"", ".open("}, readOpened},
	{[]string{"form-data; name=\""}, readFormData},
	{[]string{" / "}, readSlashed},
	{[]string{" pass ", "\npass ", " pw "}, readPassed},
	{[]string{"userid=", "connect "}, readSlashUser},
	{[]string{"334 ugfzc3dvcmq6"}, readAsked},
	{[]string{" password("}, readKeyword},
	{[]string{" value '", " init('", " inz('", " initial('"}, readDeclared},
	{[]string{"\npassword\nv ", "\npassphrase\nv ", "auth\n$", "auth\r\n$"}, readCounted},
	{[]string{"client_send"}, readClientSend},
	{[]string{`"jdbc:`, `'jdbc:`}, readJDBC},
	{[]string{"auth-user-pass>"}, readUserAbove},
	{[]string{"\nuser "}, readFTP},
	{[]string{"b64encode(", "base64encode(", "base64_encode(", "encode64(", "tobase64string(", "btoa("}, readEncoded},
	{[]string{"\".tochararray()"}, readCharacters},
	{[]string{".send_keys(", ".sendkeys(", ".fill(", ".fill_in(", ".type("}, readTyped},
	{[]string{"auth", "login", "logon", "signin", "cred"}, readAdmitted},
	{[]string{"plainauth(", "database(", "connection(", "authentication(", "wifi.begin(", "basicauth", "basic_auth", "credentials(", "credentials.basic(", "credentials::new(", "credentials.new(", "credential(", ".login(", ">login(", "_login(", ":login(", "basic-auth [", "digest-auth [", "ldap.bind(", "simple_bind(", "simplebind(", "auth=(", "auth = (", "auth: (", "auth=[", "userpassword(", "bind_s(", "ldap_bind(", "create_user(", "createuser(", "create_superuser(", "connect(", "mysqli(", "pdo(", "omniauth :", "provider :", "sp_addlogin ", "sp_password ", "sp_addlinkedsrvlogin "}, readPair},
}

// readURL finds scheme://user:password@host of any scheme.
func readURL(r *run, start, end int) {
	if start < r.urlDone {
		return
	}
	text := r.text
	lo := value.Back(text, start, 40, value.WordSigns+"+-.")
	if lo == start {
		return
	}
	if value.EndsFold(text[lo:start], "rtmp", "rtmps", "srt") {
		r.streamKey(end)
	}
	colon, at, stop := authority(text[:min(len(text), end+1024)], end, value.EndsFold(text[lo:start], "http", "https"))
	r.spend(stop - lo)
	r.urlDone = max(r.urlDone, stop)
	if next := value.ByteAt(text, at+1); at < 0 || !value.IsWord(next) && strings.IndexByte("[${-/%", next) < 0 {
		return
	}
	if colon >= 0 && colon < at {
		r.userPassword(end, colon, at)
		return
	}
	// A token alone before the host.
	if v := text[end:at]; !nodeSchemes[string(text[lo:start])] && userToken(v) && !value.Holds(text[at:min(len(text), at+64)], "sentry") && !value.LookUp(v) {
		r.add("url-credentials", end, at, rankNamed)
	}
}

// streamKey takes what a stream is sent under: the last part of the address, if it was drawn by lot.
func (r *run) streamKey(at int) {
	end := r.upTo(at, maxInput, value.Spaces+value.Quotes+"<>")
	if lo := value.BackTo(r.text, end, end-at, "/"); lo > at {
		r.drawn(value.Naming{Noun: value.TokenNoun}, lo, end)
	}
}

// nodeSchemes are those of networks of equals: what stands before a node's host is its public key, or the hash of this.
var nodeSchemes = value.WordSet("enode enrtree tcp udp quic")

// authority reads what may be user:password@host from from on: where the first
// colon and the last @ stand, -1 if nowhere, and where it ends. That is at the first
// / ? #, but a password not escaped as it should be may hold them, and brackets:
// then, on what is not the web's, the last @ before the end of the text counts.
func authority(text []byte, from int, web bool) (colon, at, stop int) {
	colon, at = -1, -1
	tail := false
	for stop = from; stop < len(text); stop++ {
		within := colon >= 0 && at < 0 && !web // what may be a password
		switch text[stop] {
		case '/', '?', '#':
			if !within || value.AllDigits(text[colon+1:stop]) { // a port
				return colon, at, stop
			}
			tail = true
		case '@':
			at = stop
			if tail {
				return colon, at, stop
			}
		case ':':
			if colon < 0 {
				colon = stop
			}
		case ' ', '\t', '\n', '\r', '"', '`':
			return colon, at, stop
		case '\'', '<', '>', '|', ')', ',', ';':
			if !within || !closeAt(text[stop:min(len(text), stop+64)]) {
				return colon, at, stop
			}
		case '\\':
			if strings.IndexByte(`n"'r\`, value.ByteAt(text, stop+1)) >= 0 {
				return colon, at, stop
			}
		case '$':
			// ${PASSWORD} and the like may hold anything.
			if value.HasPrefixAt(text, stop, "${") {
				stop += max(0, bytes.IndexByte(text[stop:], '}'))
			}
		}
	}
	return colon, at, stop
}

// userPassword adds what is secret of the user from from on and the password between
// colon and at.
func (r *run) userPassword(from, colon, at int) {
	lo, hi := r.besideMarks(colon+1, at)
	user, pass := r.text[from:colon], r.text[lo:hi]
	if colon+1 == at && userToken(user) {
		r.add("url-credentials", from, colon, rankNamed)
	}
	if len(user) == 0 && bytes.IndexByte(pass, ':') >= 0 || exampleHost(r.text[at+1:min(len(r.text), at+128)]) {
		return
	}
	if i := bytes.IndexByte(pass, '='); i > 1 && (pass[0] == '?' || pass[0] == '&') && value.IdentifierOnly(pass[1:i]) {
		return // of no password, but a query
	}
	if !bytes.EqualFold(user, pass) && !aboutURLs(pass) {
		r.given("url-credentials", formURL, value.PassNoun, lo, hi)
	}
	if len(user) >= 20 && value.Random(user) && (string(pass) == "x-oauth-basic" || bytes.Equal(user, pass)) {
		r.add("url-credentials", from, colon, rankNamed)
	}
}

// exampleHost reports whether text begins with the name of a host that can be no one's (RFC 2606).
func exampleHost(text []byte) bool {
	return value.EndsFold(text[:value.Past(text, 0, len(text), value.WordSigns+"-.")], "example.com", "example.org", "example.net", ".example", ".test", ".invalid")
}

// userToken reports whether a token stands in the place of a user.
func userToken(v []byte) bool {
	return len(v) >= 20 && value.Random(unescapedURL(v)) && !value.Sample(v)
}

// closeAt reports whether text goes on to an @ before anything that ends a URL
// for sure.
func closeAt(text []byte) bool {
	return value.ByteAt(text, value.UpTo(text, 0, len(text), "@ \t\n\r\"/`")) == '@'
}

// aboutURLs reports whether v, which percent signs stood for, is of another script
// or of signs alone, as in a text about URLs.
func aboutURLs(v []byte) bool {
	return len(bytes.Trim(v, "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ \\")) == 0 ||
		bytes.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == utf8.RuneError })
}

// unescapedURL returns v with what is escaped by percent signs as what it is.
func unescapedURL(v []byte) []byte {
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		if v[i] == '%' && i+2 < len(v) && value.IsHex(v[i+1]) && value.IsHex(v[i+2]) {
			out = append(out, value.HexDigit(v[i+1])<<4|value.HexDigit(v[i+2]))
			i += 2
		} else {
			out = append(out, v[i])
		}
	}
	return out
}

// readDSN finds user:password@tcp(host:port)/db.
func readDSN(r *run, start, end int) {
	text := r.text
	lo := value.BackTo(text, start, 200, value.Spaces+value.Quotes)
	r.spend(start - lo)
	if i := bytes.IndexByte(text[lo:start], ':'); i > 0 && !value.HasPrefixAt(text, lo+i+1, "//") {
		r.given("connection-string", formURL, value.PassNoun, lo+i+1, start)
	}
}

// readScheme finds what follows Bearer and Basic.
func readScheme(r *run, start, end int) {
	text := r.text
	if start > 0 && value.IsWord(text[start-1]) || start < r.headerDone || value.HasFold(r.before(start, 16), "authenticate:") {
		return // also what a server asks with
	}
	i := value.Past(text, end, maxValue, value.WordSigns+"-.~+/=:|")
	r.spend(i - end)
	r.headerDone = i
	i = end + len(bytes.TrimRight(text[end:i], ".:|"))
	if value.ByteAt(text, i) == ' ' && value.HasFold(r.before(start, 24), "authorization:") { // Basic user value, of files of requests
		if from, to := r.argument(i+1, value.Spaces+value.Quotes); r.lineEnds(to) {
			r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
		}
	}
	if i-end < 8 {
		return
	}
	r.name = assignment{r: r, lo: start, hi: end - 1, rule: "authorization-header", kind: value.Naming{Noun: value.TokenNoun, Authorization: true}, judged: true}
	r.submit(&r.name, formScheme, end, i)
}

// readSignature finds the signature in a header of AWS's: AWS4-HMAC-SHA256
// Credential=…, SignedHeaders=…, Signature=hex.
func readSignature(r *run, start, end int) {
	text := r.text
	if start < r.signatureDone {
		return
	}
	most := min(len(text), end+512)
	r.spend(most - end)
	r.signatureDone = most
	i := bytes.Index(text[end:most], []byte("Signature="))
	if i < 0 {
		return
	}
	from := end + i + len("Signature=")
	to := value.Past(text, from, 65, value.DigitSigns+"abcdefABCDEF")
	if to-from == 64 && value.ShapeOf(text[from:to]).Distinct > 5 {
		r.add("authorization-header", from, to, rankNamed)
	}
}

// readGenerated finds what Terraform drew by lot, in its state: the result of a
// random_password.
func readGenerated(r *run, start, end int) {
	text := r.text
	if start < r.generatedDone {
		return
	}
	most := min(len(text), end+2048)
	i := r.results.next(r, `"result"`, end, most)
	if i < 0 {
		return
	}
	i += len(`"result"`)
	r.generatedDone = i
	if i = value.Past(text, i, most-i, value.Spaces+":"); value.ByteAt(text[:most], i) != '"' {
		return
	}
	if j, ok := r.closing(i+1, '"', 0); ok && j-i > 8 && !value.LookUp(text[i+1:j]) && !value.StandIn(text[i+1:j]) {
		r.add("terraform-random-password", i+1, j, rankNamed)
	}
}
