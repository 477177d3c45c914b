package secret

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// reader finds what no expression on a window can: what spans lines, or needs
// judgement. Its read is called for each literal found, with its bounds.
type reader struct {
	literals []string
	read     func(r *run, start, end int)
}

// readers are asked in this order where several have the same literal.
var readers = []reader{
	{assignmentWords, readAssignment},
	{[]string{"[redacted"}, readMark},
	{[]string{"://"}, readURL},
	{[]string{"@tcp(", "@unix(", "@udp(", "@ssl("}, readDSN},
	{[]string{"-begin ", "- begin ssh2"}, readArmour},
	{[]string{"putty-user-key-file-"}, readPuTTY},
	{[]string{"ls0tls1crudjtib"}, readEncodedArmour},
	{[]string{"mighageambmgbyqgsm49ageg", "mig2ageambagbyqgsm49ageg", "migtageambmgbyqgsm49ageg", "mihcagebbeia", "mc4caqawbqydk2vw", "mhccaqeei", "migkagebbd", "miievaibadanbgkqh", "miievqibadanbgkqh", "miievgibadanbgkqh", "miievwibadanbgkqh", "miijqgibadanbgkqh", "miijqwibadanbgkqh", "miijraibadanbgkqh", "miicdwibadanbgkqh", "miicdgibadanbgkqh", "miicdqibadanbgkqh", "miieowibaakcaqea", "miiepaibaakcaqea", "miiepqibaakcaqea", "miicxaibaakbgq", "miicxqibaakbgq", "miijkaibaakcageaa", "miijkqibaakcagea", "miijjwibaakcagea"}, readBareKey},
	{[]string{"aws4-hmac-sha256"}, readSignature},
	{[]string{"eyj"}, readJWT},
	{[]string{`"kty`}, readJWK},
	{[]string{"bearer ", "basic ", "ntlm ", "negotiate "}, readScheme},
	{[]string{"curl"}, readCurl},
	{[]string{"mysql ", "mysqldump ", "mysqladmin ", "mariadb ", "sshpass ", "docker login", "podman login", "helm registry login", "az login", "redis-cli ", "mongo ", "mongosh ", "mongodump ", "mongorestore ", "sqlcmd ", "bcp ", "wget ", "http ", "https ", "smbclient ", "net use ", "ldapsearch ", "rabbitmqctl ", "useradd ", "openssl ", "keytool ", "zip -", "unzip ", "ssh-keygen ", "7z ", "ftp ", "lftp ", "psexec", "cmdkey ", "runas ", "plink ", "pscp "}, readCommand},
	{[]string{"secret"}, readManifest},
	{[]string{"identified "}, readIdentified},
	{[]string{"insert into"}, readInsert},
	{[]string{`"random_password"`, `"random_string"`}, readGenerated},
	{[]string{"chpasswd"}, readChpasswd},
	{[]string{":*:*:", ":5432:", ":6432:", ":5433:", ":*:"}, readPgpass},
	{[]string{"client(", "client.new(", "clientv2(", ".init(", ".configure(", ".authenticate(", ".auth(", ":auth(", ">auth(", "sdk("}, readHanded},
	{[]string{".com\", \"", ".com', '", ".com\",\"", ".com','", ".io\", \"", ".io', '", ".net\", \"", ".net', '", ".org\", \"", ".org', '", ".de\", \"", ".de', '", ".edu\", \"", ".edu', '", ".co\", \"", ".dev\", \""}, readAddressed},
	{[]string{".send_keys(", ".sendkeys(", ".fill(", ".fill_in(", ".type("}, readTyped},
	{[]string{"plainauth(", "database(", "connection(", "authentication(", "wifi.begin(", "basicauth", "basic_auth", "credentials(", "credentials.basic(", "credentials::new(", "credentials.new(", "credential(", ".login(", ">login(", "_login(", "auth=(", "auth = (", "auth: (", "auth=[", "connect(", "mysqli(", "pdo("}, readPair},
}

// readURL finds scheme://user:password@host of any scheme.
func readURL(r *run, start, end int) {
	if start < r.urlDone {
		return
	}
	text := r.text
	lo := start
	for lo > 0 && start-lo < 40 && (isWord(text[lo-1]) || text[lo-1] == '+' || text[lo-1] == '-' || text[lo-1] == '.') {
		lo--
	}
	if lo == start {
		return
	}
	scheme := text[lo:start]
	web := len(scheme) >= 4 && bytes.EqualFold(scheme[len(scheme)-4:], []byte("http")) || len(scheme) >= 5 && bytes.EqualFold(scheme[len(scheme)-5:], []byte("https"))
	// The authority ends at the first / ? #, but a password not escaped as it
	// should be may hold them: then the last @ before the end of the text counts.
	most := min(len(text), end+1024)
	stop, at, colon := end, -1, -1
	tail := false
scan:
	for ; stop < most; stop++ {
		switch b := text[stop]; b {
		case '/', '?', '#':
			if at >= 0 || web || colon < 0 {
				break scan
			}
			if stop > colon+1 && allDigits(text[colon+1:stop]) {
				break scan // a port
			}
			tail = true
		case '@':
			at = stop
			if tail {
				break scan
			}
		case ':':
			if colon < 0 {
				colon = stop
			}
		case ' ', '\t', '\n', '\r', '"', '\'', '`', '<', '>', '|', ')', ',', ';':
			if (b == '<' || b == '>' || b == ')' || b == ',' || b == ';' || b == '\'' || b == '|') && colon >= 0 && at < 0 && !web && closeAt(text[stop:min(most, stop+64)]) {
				continue
			}
			break scan
		case '\\':
			if stop+1 < most && (text[stop+1] == 'n' || text[stop+1] == '"' || text[stop+1] == '\'' || text[stop+1] == 'r' || text[stop+1] == '\\') {
				break scan
			}
		case '$':
			// ${PASSWORD} and the like may hold anything.
			if stop+1 < most && text[stop+1] == '{' {
				if i := bytes.IndexByte(text[stop:most], '}'); i > 0 {
					stop += i
				}
			}
		}
	}
	r.spend(stop - lo)
	r.urlDone = max(r.urlDone, stop)
	if at < 0 {
		return
	}
	if at+1 >= len(text) || !isWord(text[at+1]) && strings.IndexByte("[${-/%", text[at+1]) < 0 {
		return
	}
	if colon < 0 || colon > at {
		// A token alone before the host.
		v := text[end:at]
		if len(v) >= 20 && random(v) && !bytes.Contains(text[at:min(len(text), at+64)], []byte("sentry")) && !sample(v) && !lookUp(v) {
			r.add("url-credentials", end, at, rankNamed)
		}
		return
	}
	from, to := r.besideMarks(colon+1, at)
	user, pass := text[end:colon], text[from:to]
	if colon+1 == at && len(user) >= 20 && random(user) && !sample(user) {
		r.add("url-credentials", end, colon, rankNamed)
	}
	if len(pass) < 3 || len(user) == 0 && bytes.IndexByte(pass, ':') >= 0 || !urlPassword(user, pass) {
		return
	}
	r.add("url-credentials", from, to, rankNamed)
	if len(user) >= 20 && random(user) && (string(pass) == "x-oauth-basic" || bytes.Equal(user, pass)) {
		r.add("url-credentials", end, colon, rankNamed)
	}
}

// closeAt reports whether text goes on to an @ before anything that ends a URL
// for sure.
func closeAt(text []byte) bool {
	for _, b := range text {
		switch b {
		case '@':
			return true
		case ' ', '\t', '\n', '\r', '"', '/', '`':
			return false
		}
	}
	return false
}

func allDigits(v []byte) bool {
	for _, b := range v {
		if !isDigit(b) {
			return false
		}
	}
	return len(v) > 0
}

// urlPassword judges the password of user:password@.
func urlPassword(user, pass []byte) bool {
	if pass[0] == '?' || pass[0] == '&' {
		if i := bytes.IndexByte(pass, '='); i > 1 && identifierOnly(pass[1:i]) {
			return false // of no password, but a query
		}
	}
	if bytes.IndexByte(pass, '%') >= 0 {
		// Judged as what it stands for: of another script, or of signs alone, it
		// is one of a text about URLs.
		if pass = unescapedURL(pass); len(pass) < 3 || len(bytes.Trim(pass, "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ \\")) == 0 || bytes.ContainsFunc(pass, func(r rune) bool { return r < ' ' || r == utf8.RuneError }) {
			return false
		}
	}
	if lookUp(pass) || pass[0] == '$' && identifierOnly(pass[1:]) || standIn(pass) || sample(pass) || bytes.EqualFold(user, pass) {
		return false
	}
	template := bytes.IndexByte(pass, '{') >= 0 && bytes.IndexByte(pass, '}') > 0 && wordy(pass)*2 > len(pass)
	if template || pass[0] == '*' || holds(pass, "%s", "%v") {
		return false
	}
	if random(pass) || phrase(pass, false) || madeUp(pass) {
		return true
	}
	s := shapeOf(pass)
	if s.space > 0 || s.n > 256 {
		return false
	}
	if s.digit == 0 && s.special == 0 {
		// PASSWORD, my-pass, userPass: words are stand-ins, long ones of mixed
		// letters are not.
		return s.n >= 10 && wordy(pass)*2 < s.n
	}
	if bytes.IndexByte(pass, '"') >= 0 || bytes.IndexByte(pass, '(') >= 0 || bytes.IndexByte(pass, '+') >= 0 && wordy(pass)*2 > s.n {
		return false
	}
	return s.n >= 5 && s.distinct >= 4 && !nameLike(pass) && (s.digit > 0 || s.special > 0)
}

// unescapedURL returns v with what is escaped by percent signs as what it is.
func unescapedURL(v []byte) []byte {
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		if v[i] == '%' && i+2 < len(v) && isHex(v[i+1]) && isHex(v[i+2]) {
			out = append(out, hexDigit(v[i+1])<<4|hexDigit(v[i+2]))
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
	lo := start
	for lo > 0 && start-lo < 200 && !isSpace(text[lo-1]) && !isQuote(text[lo-1]) {
		lo--
	}
	r.spend(start - lo)
	if i := bytes.IndexByte(text[lo:start], ':'); i > 0 {
		from, to := r.besideMarks(lo+i+1, start)
		if u, p := text[lo:lo+i], text[from:to]; len(p) >= 3 && !bytes.HasPrefix(p, []byte("//")) && urlPassword(u, p) {
			r.add("connection-string", from, to, rankNamed)
		}
	}
}

// readScheme finds what follows Bearer and Basic.
func readScheme(r *run, start, end int) {
	text := r.text
	if start > 0 && isWord(text[start-1]) || start < r.headerDone {
		return
	}
	i := end
	for i < len(text) && i-end < maxValue && (isWord(text[i]) || strings.IndexByte("-.~+/=:|", text[i]) >= 0) {
		i++
	}
	r.spend(i - end)
	r.headerDone = i
	for i > end && (text[i-1] == '.' || text[i-1] == ':' || text[i-1] == '|') {
		i--
	}
	v := text[end:i]
	if len(v) >= 8 {
		r.name = assigned{r: r, lo: start, hi: end - 1, kind: naming{noun: tokenNoun, authorization: true}, judged: true}
		r.judge(&r.name, formScheme, end, i)
	}
	if len(v) < 8 || lookUp(v) || sample(v) {
		return
	}
	if text[start]|0x20 == 'n' {
		return
	}
	if text[start]|0x20 == 'b' && text[start+2]|0x20 == 's' { // basic
		d := decoded(v)
		c := bytes.IndexByte(d, ':')
		if d == nil || c < 0 || c+1 >= len(d) {
			return
		}
		if p := d[c+1:]; len(p) < 3 || standIn(p) || bytes.EqualFold(d[:c], p) {
			return
		}
		r.add("authorization-header", end, i, rankNamed)
		return
	}
	if len(v) >= 16 && !standIn(v) && (random(v) || allHex(v) && shapeOf(v).distinct > 5 || isUUID(v) && headerBefore(text, start)) {
		r.add("authorization-header", end, i, rankNamed)
	}
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
	to := from
	for to < len(text) && to-from < 65 && isHex(text[to]) {
		to++
	}
	if to-from == 64 && shapeOf(text[from:to]).distinct > 5 {
		r.add("authorization-header", from, to, rankNamed)
	}
}

// headerBefore reports whether the line names the Authorization header.
func headerBefore(text []byte, at int) bool {
	lo := max(0, at-40)
	return hasFold(text[lo:at], "authorization")
}

// pair reads user:password at at, quoted or not, and adds the password.
func (r *run) pair(at int, sep byte) {
	text := r.text
	if at >= len(text) {
		return
	}
	var q byte
	if isQuote(text[at]) {
		q = text[at]
		at++
	}
	end, cut := at, -1
	for end < len(text) && end-at < 512 && text[end] != '\n' && text[end] != q {
		if q == 0 && (isSpace(text[end]) || isQuote(text[end]) || text[end] == '\\' || text[end] == ')' || text[end] == ';') {
			if text[end] == '\\' || !isQuote(text[end]) {
				break
			}
			if text[end-1] != sep {
				break
			}
			q, cut = text[end], end // user:"password"
		}
		if text[end] == '\\' && end+1 < len(text) && isQuote(text[end+1]) {
			break
		}
		if text[end] == sep && cut < 0 {
			cut = end
		}
		end++
	}
	if cut < 0 || end-cut < 4 {
		return
	}
	from, to := r.besideMarks(cut+1, end)
	u, p := text[at:cut], text[from:to]
	if commandValue(p) && !bytes.EqualFold(u, p) {
		r.add("curl-auth-user", from, to, rankNamed)
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
	from := min(max(end, r.generatedNone), most) // what was searched is not searched again
	i := bytes.Index(text[from:most], []byte(`"result"`))
	if i < 0 {
		r.spend(most - from)
		r.generatedNone = most - len(`"result"`)
		return
	}
	i += from + len(`"result"`)
	r.spend(i - from)
	r.generatedDone = i
	for i < most && (isSpace(text[i]) || text[i] == ':') {
		i++
	}
	if i >= most || text[i] != '"' {
		return
	}
	if j, ok := r.closing(i+1, '"', 0); ok && j-i > 8 && !lookUp(text[i+1:j]) && !standIn(text[i+1:j]) {
		r.add("terraform-random-password", i+1, j, rankNamed)
	}
}
