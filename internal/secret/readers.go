package secret

import "bytes"

// reader finds what no expression on a window can: what spans lines, or needs
// judgement. Its read is called for each literal found, with its bounds.
type reader struct {
	literals []string
	read     func(r *run, start, end int)
}

// readers are asked in this order where several have the same literal.
var readers = []reader{
	{assignmentWords, readAssignment},
	{[]string{"://"}, readURL},
	{[]string{"@tcp(", "@unix(", "@udp(", "@ssl("}, readDSN},
	{[]string{"-begin ", "- begin ssh2"}, readArmour},
	{[]string{"putty-user-key-file-"}, readPuTTY},
	{[]string{"ls0tls1crudjtib"}, readEncodedArmour},
	{[]string{"mighageambmgbyqgsm49ageg", "mig2ageambagbyqgsm49ageg", "migtageambmgbyqgsm49ageg", "mihcagebbeia", "mc4caqawbqydk2vw", "mhccaqeei", "migkagebbd", "miievaibadanbgkqh", "miievqibadanbgkqh", "miievgibadanbgkqh", "miievwibadanbgkqh", "miijqgibadanbgkqh", "miijqwibadanbgkqh", "miijraibadanbgkqh", "miicdwibadanbgkqh", "miicdgibadanbgkqh", "miicdqibadanbgkqh", "miieowibaakcaqea", "miiepaibaakcaqea", "miiepqibaakcaqea", "miicxaibaakbgq", "miicxqibaakbgq", "miijkaibaakcageaa", "miijkqibaakcagea", "miijjwibaakcagea"}, readBareKey},
	{[]string{"eyj"}, readJWT},
	{[]string{`"kty`}, readJWK},
	{[]string{"bearer ", "basic "}, readScheme},
	{[]string{"curl"}, readCurl},
	{[]string{"mysql ", "mysqldump ", "mysqladmin ", "mariadb ", "sshpass ", "docker login", "podman login", "helm registry login", "az login", "redis-cli ", "mongo ", "mongosh ", "mongodump ", "mongorestore ", "sqlcmd ", "bcp ", "wget ", "http ", "https ", "smbclient ", "net use ", "ldapsearch ", "rabbitmqctl ", "useradd ", "openssl ", "keytool ", "zip -", "7z ", "ftp ", "lftp ", "psexec", "cmdkey ", "runas ", "plink ", "pscp "}, readCommand},
	{[]string{"secret"}, readManifest},
	{[]string{"identified "}, readIdentified},
	{[]string{"insert into"}, readInsert},
	{[]string{`"random_password"`, `"random_string"`}, readDrawn},
	{[]string{"chpasswd"}, readChpasswd},
	{[]string{":*:*:", ":5432:", ":6432:", ":5433:", ":*:"}, readPgpass},
	{[]string{"client(", "clientv2(", ".init(", ".configure(", ".authenticate(", ".auth(", ":auth(", ">auth(", "sdk("}, readHanded},
	{[]string{".com\", \"", ".com', '", ".com\",\"", ".com','", ".io\", \"", ".io', '", ".net\", \"", ".net', '", ".org\", \"", ".org', '", ".de\", \"", ".de', '", ".edu\", \"", ".edu', '", ".co\", \"", ".dev\", \""}, readAddressed},
	{[]string{".send_keys(", ".sendkeys(", ".fill(", ".fill_in(", ".type("}, readTyped},
	{[]string{"database(", "connection(", "authentication(", "wifi.begin(", "basicauth", "basic_auth", "credentials(", "credentials.basic(", "credential(", ".login(", "auth=(", "auth = (", "auth: (", "auth=[", "connect(", "mysqli(", "pdo("}, readPair},
}

// marked reports whether a value is, or begins with, a mark that redaction
// left.
func (r *run) marked(start, end int) bool {
	v := r.text[start:end]
	if bytes.HasPrefix(v, markOpen) {
		return true
	}
	// [REDACTED:...] beside what else an unquoted value may hold, or round it.
	if bytes.Contains(v, markOpen) {
		return true
	}
	before := r.text[max(0, start-96):start]
	i := bytes.LastIndex(before, markOpen)
	return i >= 0 && bytes.IndexByte(before[i:], ']') < 0
}

var markOpen = []byte("[REDACTED:")

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
	if at+1 >= len(text) || !(isWord(text[at+1]) || text[at+1] == '[' || text[at+1] == '$' || text[at+1] == '{' || text[at+1] == '-' || text[at+1] == '/' || text[at+1] == '%') {
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
	user, pass := text[end:colon], text[colon+1:at]
	if len(pass) == 0 && len(user) >= 20 && random(user) && !sample(user) {
		r.add("url-credentials", end, colon, rankNamed)
	}
	if len(pass) < 3 || len(user) == 0 && bytes.IndexByte(pass, ':') >= 0 || !urlPassword(user, pass) {
		return
	}
	r.add("url-credentials", colon+1, at, rankNamed)
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
	if lookUp(pass) || pass[0] == '$' && identifierOnly(pass[1:]) || standIn(pass) || sample(pass) || bytes.EqualFold(user, pass) {
		return false
	}
	if pass[0] == '*' || bytes.Contains(pass, []byte("%s")) || bytes.Contains(pass, []byte("%v")) || bytes.IndexByte(pass, '{') >= 0 && bytes.IndexByte(pass, '}') > 0 && wordy(pass)*2 > len(pass) {
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

// readDSN finds user:password@tcp(host:port)/db.
func readDSN(r *run, start, end int) {
	text := r.text
	lo := start
	for lo > 0 && start-lo < 200 && !isSpace(text[lo-1]) && !isQuote(text[lo-1]) {
		lo--
	}
	r.spend(start - lo)
	if i := bytes.IndexByte(text[lo:start], ':'); i > 0 {
		if u, p := text[lo:lo+i], text[lo+i+1:start]; len(p) >= 3 && !bytes.HasPrefix(p, []byte("//")) && urlPassword(u, p) {
			r.add("connection-string", lo+i+1, start, rankNamed)
		}
	}
}

// maxKey bounds the look for the end of a private key.
const maxKey = 32 << 10

// readArmour finds private keys in PEM, OpenSSH, PGP and kin: from BEGIN to END,
// or as far as lines of the key go where END is missing.
func readArmour(r *run, start, end int) {
	if start < r.armourDone {
		return
	}
	text := r.text
	// The label, up to the dashes after it.
	i := end
	for i < len(text) && i < end+80 && text[i] != '\n' && text[i] != '-' {
		i++
	}
	label := bytes.ToUpper(text[end:i])
	if i >= len(text) || text[i] != '-' && text[i] != '\n' {
		return
	}
	if !bytes.Contains(label, []byte("PRIVATE KEY")) && !bytes.Contains(label, []byte("OPENVPN STATIC KEY")) && !bytes.Contains(label, []byte("SSH2 ENCRYPTED PRIVATE")) && !bytes.Contains(label, []byte("ED25519 SECRET")) {
		return
	}
	lo := start
	for lo > 0 && start-lo < 8 && text[lo-1] == '-' {
		lo--
	}
	most := min(len(text), end+maxKey)
	stop, body := 0, 0
	// To the closing mark.
	if j := r.nextEnd(i, most); j >= 0 && closes(text[i+j:most]) {
		stop = i + j
		for stop < most && text[stop] != '\n' && text[stop] != '"' && text[stop] != '\'' && text[stop] != '`' && text[stop] != '<' && text[stop] != '\\' {
			if text[stop] == '-' && (stop+1 >= most || text[stop+1] != '-') {
				stop++
				break
			}
			stop++
		}
		for k := i; k < i+j; k++ {
			if isBase64(text[k]) {
				body++
			}
		}
		r.spend(3 * (stop - i))
		if body < 48 || placeholderKey(text[i:i+j]) {
			r.armourDone = end
			return
		}
	} else {
		// Unterminated: as long as lines hold one word that could be of a key.
		stop = r.keyLines(i, most)
		for k := i; k < stop; k++ {
			if isBase64(text[k]) {
				body++
			}
		}
		r.spend(2 * (stop - i))
		if body < 64 {
			r.armourDone = end
			return
		}
	}
	r.armourDone = stop
	r.add("private-key", lo, stop, rankBlock)
}

// nextEnd returns the offset from at of the next "END " before most, -1 if there
// is none. What was searched is not searched again.
func (r *run) nextEnd(at, most int) int {
	if at >= r.endFrom && at < r.endTo {
		if r.endAt >= at {
			return r.endAt - at
		}
		if r.endAt < 0 {
			if most <= r.endTo {
				return -1
			}
			from := max(at, r.endTo-3)
			r.spend(most - from)
			r.endTo = most
			if j := bytes.Index(r.text[from:most], []byte("END ")); j >= 0 {
				r.endAt = from + j
				return r.endAt - at
			}
			return -1
		}
	}
	r.endFrom, r.endTo, r.endAt = at, most, -1
	j := bytes.Index(r.text[at:most], []byte("END "))
	if j >= 0 {
		r.endAt, r.endTo = at+j, at+j+1
		r.spend(j)
		return j
	}
	r.spend(most - at)
	return -1
}

// closes reports whether END is that of a private key.
func closes(text []byte) bool {
	line := text[:min(len(text), 80)]
	up := bytes.ToUpper(line)
	return bytes.Contains(up, []byte("KEY")) || bytes.Contains(up, []byte("PRIVATE"))
}

// placeholderKey reports whether the text between the marks is cut or stands in.
func placeholderKey(body []byte) bool {
	if len(body) > 4096 {
		return false
	}
	longest, n := 0, 0
	var seen [256]bool
	distinct := 0
	for _, b := range body {
		if isBase64(b) {
			n++
			longest = max(longest, n)
			if !seen[b] {
				seen[b] = true
				distinct++
			}
		} else {
			n = 0
		}
	}
	return longest < 16 || distinct < 12
}

// keyLines returns the end of the lines from at on that could be of a key.
func (r *run) keyLines(at, most int) int {
	text := r.text
	end := at
	defer func() { r.spend(12 * (end - at)) }()
	for i := at; i < most; {
		j := i
		for j < most && text[j] != '\n' {
			j++
		}
		line := text[i:j]
		// Armour headers are part of it.
		n, longest := 0, 0
		for _, b := range line {
			if isBase64(b) || b == '=' {
				n++
				longest = max(longest, n)
			} else {
				n = 0
			}
		}
		trimmed := bytes.Trim(line, " \t\r\"'+,;-\\n#*/>|")
		if i > at && bytes.Contains(line, []byte("-BEGIN ")) {
			break // the next block
		}
		if len(trimmed) > 0 && longest < 16 && longest*2 < len(trimmed) && i > at && bytes.IndexByte(trimmed, ':') < 0 {
			break
		}
		if bytes.IndexByte(trimmed, ' ') >= 0 && bytes.IndexByte(trimmed, ':') < 0 && i > at {
			break
		}
		end = j
		i = j + 1
	}
	return end
}

// readBareKey finds private keys in base64 without armour, in one text or in
// several that code joins.
func readBareKey(r *run, start, end int) {
	text := r.text
	if start < r.armourDone || start > 0 && isBase64(text[start-1]) {
		return
	}
	i, last := end, end
	for i < len(text) && i-start < maxKey {
		for i < len(text) && isBase64(text[i]) {
			i++
		}
		last = i
		// A break: the end of a line, or of a text that the next is joined to.
		j := i
		for j < len(text) && j-i < 40 && (isSpace(text[j]) || isQuote(text[j]) || text[j] == '+' && j+1 < len(text) && (isSpace(text[j+1]) || isQuote(text[j+1])) || text[j] == '\\' || text[j] == '.' || text[j] == '&') {
			if text[j] == '\\' && j+1 < len(text) && (text[j+1] == 'n' || text[j+1] == 'r') {
				j++
			}
			j++
		}
		k := j
		for k < len(text) && k-j < 100 && isBase64(text[k]) {
			k++
		}
		if j == i || k-j < 16 && !(k-j >= 4 && k < len(text) && (isQuote(text[k]) || text[k-1] == '=')) {
			break
		}
		i = k
	}
	r.spend(2 * (i - start))
	r.armourDone = max(r.armourDone, last)
	if last-start >= 60 && !sample(text[start:min(last, start+64)]) {
		r.add("private-key", start, last, rankBlock)
	}
}

// readPuTTY finds a PuTTY key file: the private lines and the MAC.
func readPuTTY(r *run, start, end int) {
	if start < r.armourDone {
		return
	}
	text := r.text
	most := min(len(text), end+maxKey)
	i := bytes.Index(text[end:most], []byte("Private-Lines:"))
	r.spend(most - end)
	if i < 0 {
		return
	}
	from := end + i
	if n := from + len("Private-Lines: "); n >= most || !isDigit(text[n]) {
		return
	}
	stop := r.keyLines(from, most)
	r.armourDone = stop
	r.add("private-key", from, stop, rankBlock)
}

// readEncodedArmour finds a PEM private key encoded in base64 once more.
func readEncodedArmour(r *run, start, end int) {
	text := r.text
	if start < r.armourDone || string(text[start:end]) != "LS0tLS1CRUdJTiB" {
		return
	}
	stop := end
	for stop < len(text) && stop-start < maxKey && (isBase64(text[stop]) || text[stop] == '=' || text[stop] == '-' || text[stop] == '_') {
		stop++
	}
	r.spend(2 * (stop - start))
	n := min((stop-start)/4*4, 96)
	if d := decoded(text[start : start+n]); d == nil || !bytes.Contains(d, []byte("PRIVATE KEY")) {
		return
	}
	r.armourDone = stop
	r.add("private-key", start, stop, rankBlock)
}

// readJWT finds JSON web tokens, signed or encrypted.
func readJWT(r *run, start, end int) {
	text := r.text
	if start < r.jwtDone || text[start] != 'e' || text[start+1] != 'y' || text[start+2] != 'J' || start > 0 && isWord(text[start-1]) {
		return
	}
	i, dots := end, 0
	var part [6]int
	for i < len(text) && i-start < maxValue {
		b := text[i]
		if isWord(b) || b == '-' || b == '=' || b == '/' || b == '+' {
			i++
			continue
		}
		if b == '.' && dots < 4 && i+1 < len(text) && (isWord(text[i+1]) || text[i+1] == '-' || text[i+1] == '.') {
			dots++
			part[dots] = i + 1
			i++
			continue
		}
		break
	}
	r.spend(i - start)
	r.jwtDone = i
	if dots < 2 {
		return
	}
	head := text[start : part[1]-1]
	d := decoded(head)
	if d == nil || !bytes.Contains(d, []byte(`"alg"`)) && !bytes.Contains(d, []byte(`"typ"`)) && !bytes.Contains(d, []byte(`"enc"`)) && !bytes.Contains(d, []byte(`"kid"`)) {
		return
	}
	if i-part[2] < 16 || sample(text[start:i]) {
		return
	}
	for i > start && text[i-1] == '.' {
		i--
	}
	r.add("jwt", start, i, rankFormed)
}

// readJWK finds the private member of a JSON web key: d, or k where the key is
// symmetric.
func readJWK(r *run, start, end int) {
	if start < r.jwkDone {
		return
	}
	text := r.text
	lo, hi := start, end
	for lo > 0 && start-lo < 4096 && text[lo-1] != '{' {
		lo--
	}
	for hi < len(text) && hi-end < 4096 && text[hi] != '}' {
		hi++
	}
	r.spend(3 * (hi - lo))
	r.jwkDone = hi
	for i := lo; i+8 < hi; i++ {
		if text[i] != '"' || text[i+1] != 'd' && text[i+1] != 'k' || text[i+2] != '"' && text[i+2] != '\\' {
			continue
		}
		j := i + 2
		for j < hi && (isQuote(text[j]) || text[j] == '\\' || isSpace(text[j]) || text[j] == ':') {
			j++
		}
		k := j
		for k < hi && (isWord(text[k]) || text[k] == '-') {
			k++
		}
		if k-j >= 40 && random(text[j:k]) {
			r.add("jwk-private", j, k, rankFormed)
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
	for i < len(text) && i-end < maxValue && (isWord(text[i]) || text[i] == '-' || text[i] == '.' || text[i] == '~' || text[i] == '+' || text[i] == '/' || text[i] == '=' || text[i] == ':' || text[i] == '|') {
		i++
	}
	r.spend(i - end)
	r.headerDone = i
	for i > end && (text[i-1] == '.' || text[i-1] == ':' || text[i-1] == '|') {
		i--
	}
	v := text[end:i]
	if len(v) < 8 || lookUp(v) || sample(v) {
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

// headerBefore reports whether the line names the Authorization header.
func headerBefore(text []byte, at int) bool {
	lo := max(0, at-40)
	return bytes.Contains(bytes.ToLower(text[lo:at]), []byte("authorization"))
}

// readCurl finds -u user:password.
func readCurl(r *run, start, end int) {
	if start < r.commandDone || start > 0 && isWord(r.text[start-1]) || end < len(r.text) && isWord(r.text[end]) {
		return
	}
	text := r.text
	most := min(len(text), end+1024)
	// The command goes on over escaped line ends.
	i := end
	for ; i+1 < most; i++ {
		if text[i] == '\n' && text[i-1] != '\\' && !(i >= 2 && text[i-1] == '\r' && text[i-2] == '\\') {
			break
		}
		if text[i] != '-' || !isSpace(text[i-1]) && !isQuote(text[i-1]) {
			continue
		}
		j := 0
		switch {
		case text[i+1] == 'u' && i+2 < most:
			j = i + 2
		case hasPrefixAt(text, i, "--user") && i+6 < most && !isWord(text[i+6]) && text[i+6] != '-':
			j = i + 6
		case hasPrefixAt(text, i, "--proxy-user"):
			j = i + 12
		default:
			continue
		}
		for j < most && (text[j] == ' ' || text[j] == '=' || text[j] == '\\') {
			j++
		}
		r.pair(j, ':')
	}
	r.spend(i - start)
	r.commandDone = i
}

func hasPrefixAt(text []byte, at int, s string) bool {
	return at+len(s) <= len(text) && string(text[at:at+len(s)]) == s
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
	u, p := text[at:cut], text[cut+1:end]
	if commandValue(p) && !bytes.EqualFold(u, p) {
		r.add("curl-auth-user", cut+1, end, rankNamed)
	}
}

// commandValue judges a password given on a command line.
func commandValue(v []byte) bool {
	if len(v) < 4 || lookUp(v) || v[0] == '$' && identifierOnly(v[1:]) || standIn(v) || sample(v) || v[0] == '-' {
		return false
	}
	if random(v) || phrase(v, false) {
		return true
	}
	s := shapeOf(v)
	if madeUp(v) && !fileName(v) {
		return true
	}
	if s.space > 0 || fileName(v) || nameLike(v) {
		return false
	}
	if s.digit == 0 && s.special == 0 {
		return s.n >= 12 && wordy(v)*2 < s.n
	}
	return passwordLike(v, s, false)
}

// commands says with which flags programs take a password.
var commands = []struct {
	program string
	flags   []string // "-p " takes the next word, "-p" the rest of the word
}{
	{"mysql", []string{"-p"}}, {"maria", []string{"-p"}}, {"sshpass", []string{"-p ", "-p"}}, {"docker", []string{"-p ", "--password "}}, {"podman", []string{"-p "}}, {"helm", []string{"-p "}},
	{"az", []string{"-p "}}, {"redis-cli", []string{"-a ", "--pass "}}, {"mongo", []string{"-p "}}, {"sqlcmd", []string{"-P ", "-P"}}, {"bcp", []string{"-P ", "-P"}}, {"http", []string{"-a ", "--auth "}}, {"ldapsearch", []string{"-w "}}, {"openssl", []string{"pass:"}}, {"keytool", []string{"-storepass ", "-keypass ", "-srcstorepass ", "-deststorepass "}},
	{"zip", []string{"-P ", "--password "}}, {"7z", []string{"-p"}}, {"smbclient", []string{"%"}}, {"cmdkey", []string{"/pass:"}}, {"net use", []string{"/user:"}}, {"plink", []string{"-pw "}}, {"pscp", []string{"-pw "}}, {"psexec", []string{"-p "}}, {"useradd", []string{"-p "}}, {"wget", nil}, {"rabbitmqctl", nil}, {"ftp", []string{"-u "}}, {"lftp", []string{"-u "}},
}

// readCommand finds passwords given to programs by a short flag.
func readCommand(r *run, start, end int) {
	text := r.text
	if start < r.commandDone || start > 0 && (isWord(text[start-1]) || text[start-1] == '.') {
		return
	}
	var flags []string
	for i := range commands {
		if n := len(commands[i].program); start+n <= len(text) && bytes.EqualFold(text[start:start+n], []byte(commands[i].program)) {
			flags = commands[i].flags
			break
		}
	}
	if flags == nil {
		return
	}
	if hasPrefixAt(text, start, "net use") {
		r.netUse(end)
	}
	most := min(len(text), end+512)
	i := end - 1
	for ; i+2 < most; i++ {
		if text[i] == '\n' && text[i-1] != '\\' {
			break
		}
		for _, f := range flags {
			if !hasPrefixAt(text, i, f) || f[0] == '-' && !isSpace(text[i-1]) && !isQuote(text[i-1]) || f[0] == '/' && !isSpace(text[i-1]) {
				continue
			}
			r.argument(i + len(f))
			break
		}
	}
	r.spend((i - start) * 2)
	r.commandDone = i
}

// netUse finds the password of net use DRIVE SHARE [PASSWORD] /user:NAME [PASSWORD]:
// the word after the share or the name that is neither.
func (r *run) netUse(at int) {
	text := r.text
	shared := false
	for n := 0; n < 10; n++ {
		at = skipBlank(text, at)
		end := at
		for end < len(text) && end-at < 200 && !isSpace(text[end]) {
			end++
		}
		if end == at || end >= len(text) && end-at >= 200 {
			return
		}
		v := bytes.Trim(text[at:end], `"'`)
		switch {
		case len(v) > 1 && v[0] == '\\' && v[1] == '\\':
			shared = true
		case shared && len(v) >= 6 && v[0] != '/' && v[0] != '*' && v[0] != '%' && commandValue(v):
			i := at + bytes.Index(text[at:end], v)
			r.add("command-password", i, i+len(v), rankNamed)
			return
		}
		at = end
	}
}

func (r *run) argument(at int) {
	text := r.text
	for at < len(text) && (text[at] == ' ' || text[at] == '\\') {
		at++
	}
	if at >= len(text) {
		return
	}
	var q byte
	if isQuote(text[at]) {
		q = text[at]
		at++
	}
	end := at
	for end < len(text) && end-at < 512 && text[end] != '\n' && text[end] != q && (q != 0 || !isSpace(text[end]) && !isQuote(text[end])) && !(text[end] == '\\' && end+1 < len(text) && (isQuote(text[end+1]) || text[end+1] == 'n')) {
		end++
	}
	v := text[at:end]
	if i := bytes.IndexByte(v, ':'); i > 0 && i+4 < len(v) && q == 0 && identifierOnly(v[:i]) {
		at += i + 1 // user:password
		v = v[i+1:]
	}
	if len(v) > 0 && commandValue(v) {
		r.add("command-password", at, end, rankNamed)
	}
}

// readIdentified finds SQL's IDENTIFIED BY 'password'.
func readIdentified(r *run, start, end int) {
	text := r.text
	most := min(len(text), end+80)
	for i := end; i+3 < most; i++ {
		if text[i]|0x20 == 'b' && text[i+1]|0x20 == 'y' && isSpace(text[i+2]) {
			i += 3
			for i < most && (isSpace(text[i]) || text[i] == '\\') {
				i++
			}
			if hi := min(len(text), i+9); i < hi && bytes.EqualFold(text[i:hi], []byte("password ")) {
				i = hi
			}
			if i < most && isQuote(text[i]) {
				j, ok := r.closing(i+1, text[i], boolInt(text[i-1] == '\\'))
				if v := text[i+1 : j]; ok && len(v) >= 4 && commandValue(v) {
					r.add("sql-password", i+1, j, rankNamed)
				}
			} else if i < most && isWord(text[i]) {
				j := i
				for j < len(text) && j-i < 128 && !isSpace(text[j]) && text[j] != ';' {
					j++
				}
				if v := text[i:j]; len(v) >= 8 && shapeOf(v).digit > 0 && commandValue(v) {
					r.add("sql-password", i, j, rankNamed)
				}
			}
			return
		}
		if text[i] == '\n' && i > end+40 {
			return
		}
	}
}

// readInsert finds passwords and tokens in the rows of INSERT INTO table (columns)
// VALUES (...), by the columns' names.
func readInsert(r *run, start, end int) {
	text := r.text
	if start < r.insertDone {
		return
	}
	r.insertDone = end
	// The table, and the columns in brackets.
	i := end
	for i < len(text) && i < end+100 && text[i] != '(' && text[i] != ';' {
		i++
	}
	if i >= len(text) || text[i] != '(' {
		return
	}
	closed := bytes.IndexByte(text[i:min(len(text), i+2048)], ')')
	if closed < 0 {
		return
	}
	var kinds [48]naming
	n, any := 0, false
	for _, c := range bytes.Split(text[i+1:i+closed], []byte{','}) {
		if n == len(kinds) {
			return
		}
		c = bytes.Trim(c, " \t\r\n\"`[]'")
		kinds[n] = classify(c[:min(len(c), maxName)])
		any = any || kinds[n].noun >= tokenNoun && !kinds[n].not
		n++
	}
	i += closed + 1
	r.spend(2*(i-start) + 100*n)
	values := bytes.Index(text[i:min(len(text), i+40)], []byte("alues"))
	if values < 0 {
		values = bytes.Index(text[i:min(len(text), i+40)], []byte("ALUES"))
	}
	if !any || values < 0 {
		return
	}
	from := i
	i += values + len("alues")
	for rows := 0; rows < 5000 && i < len(text); rows++ {
		for i < len(text) && (isSpace(text[i]) || text[i] == ',') {
			i++
		}
		if i >= len(text) || text[i] != '(' {
			break
		}
		i++
		for col := 0; i < len(text); col++ {
			for i < len(text) && isSpace(text[i]) {
				i++
			}
			at := i
			if i < len(text) && text[i] == '\'' {
				to, ok := r.closing(i+1, '\'', 0)
				if !ok {
					r.insertDone = i
					return
				}
				if col < n && kinds[col].noun >= tokenNoun && !kinds[col].not && to-at > 6 {
					a := assigned{r: r, kind: kinds[col], judged: true}
					a.judge(at+1, to, true)
				}
				i = to + 1
			}
			for i < len(text) && text[i] != ',' && text[i] != ')' && text[i] != '\'' {
				i++
			}
			if i >= len(text) || text[i] != ',' {
				break
			}
			i++
		}
		if i < len(text) && text[i] == ')' {
			i++
		}
		if len(r.found) > 4*MaxFindings {
			break
		}
	}
	r.spend(2 * (i - from))
	r.insertDone = max(r.insertDone, min(i, len(text)))
}

// readDrawn finds what Terraform drew by lot, in its state: the result of a
// random_password.
func readDrawn(r *run, start, end int) {
	text := r.text
	if start < r.drawnDone {
		return
	}
	most := min(len(text), end+2048)
	from := min(max(end, r.drawnNone), most) // what was searched is not searched again
	i := bytes.Index(text[from:most], []byte(`"result"`))
	if i < 0 {
		r.spend(most - from)
		r.drawnNone = most - len(`"result"`)
		return
	}
	i += from + len(`"result"`)
	r.spend(i - from)
	r.drawnDone = i
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

// readChpasswd finds user:password in the list below chpasswd of cloud-init, and
// in what is piped to the command.
func readChpasswd(r *run, start, end int) {
	text := r.text
	if start < r.chpasswdDone {
		return
	}
	if end < len(text) && text[end] == ':' {
		most := min(len(text), end+1024)
		for i := end; i < most; {
			j := i
			for j < most && text[j] != '\n' {
				j++
			}
			line := text[i:j]
			at := len(line) - len(bytes.TrimLeft(line, " \t-"))
			if i > end && len(line) > 0 && at == 0 {
				break // the next key
			}
			if c := bytes.IndexByte(line, ':'); i > end && c > at && c+1 < len(line) && line[c+1] != ' ' {
				r.pair(i+at, ':')
			}
			i = j + 1
			r.chpasswdDone = i
		}
		r.spend(r.chpasswdDone - start)
		return
	}
	lo := start
	for lo > 0 && start-lo < 200 && text[lo-1] != '\n' {
		lo--
	}
	r.spend(start - lo)
	if i := bytes.LastIndex(text[lo:start], []byte("echo ")); i >= 0 && bytes.IndexByte(text[lo+i:start], '|') > 0 {
		r.pair(skipBlank(text, lo+i+5), ':')
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// readPgpass finds host:port:database:user:password on a line.
func readPgpass(r *run, start, end int) {
	text := r.text
	lo := start
	for lo > 0 && start-lo < 120 && text[lo-1] != '\n' && text[lo-1] != '"' && text[lo-1] != '\'' {
		lo--
	}
	hi := end
	for hi < len(text) && hi-end < 256 && text[hi] != '\n' && text[hi] != '"' && text[hi] != '\'' && text[hi] != '\r' && !(text[hi] == '\\' && hi+1 < len(text) && text[hi+1] == 'n') {
		hi++
	}
	r.spend(3 * (hi - lo))
	for lo < start && (isSpace(text[lo]) || text[lo] == '+' || text[lo] == '-') {
		lo++
	}
	line := text[lo:hi]
	f := bytes.SplitN(line, []byte(":"), 5)
	if len(f) != 5 || bytes.IndexByte(line[:len(line)-len(f[4])], ' ') >= 0 && bytes.LastIndexByte(line, ' ') > len(line)-len(f[4]) {
		return
	}
	if !(allDigits(f[1]) || string(f[1]) == "*") || len(f[0]) == 0 || len(f[3]) == 0 {
		return
	}
	if i := bytes.LastIndexByte(f[0], ' '); i >= 0 {
		f[0] = f[0][i+1:] // echo host:...
	}
	v := f[4]
	if i := bytes.IndexByte(v, ' '); i >= 0 {
		v = v[:i]
	}
	if commandValue(v) {
		at := hi - len(f[4])
		r.add("pgpass", at, at+len(v), rankNamed)
	}
}

// literal returns the bounds of the text in quotes that begins at or after at on
// the same line, past spaces; ok is false where there is none.
func (r *run) literal(at int) (from, to int, ok bool) {
	at = skipBlank(r.text, at)
	n := 0
	if at < len(r.text) && r.text[at] == '\\' {
		at, n = at+1, 1
	}
	if at >= len(r.text) || !isQuote(r.text[at]) {
		return 0, 0, false
	}
	to, ok = r.closing(at+1, r.text[at], n)
	return at + 1, to, ok
}

// readHanded finds a key handed to a client among its first arguments.
func readHanded(r *run, start, end int) {
	auth := bytes.EqualFold(r.text[max(start, end-5):end], []byte("auth("))
	at := end
	for range 3 {
		from, to, ok := r.literal(at)
		if !ok {
			return
		}
		v := r.text[from:to]
		r.spend(100 + 8*len(v))
		if len(v) >= 24 && len(v) <= 128 && handedKey(v) && !sample(v) && !standIn(v) || auth && len(v) >= 10 && len(v) <= 128 && !fileName(v) && commandValue(v) && (random(v) || passwordLike(v, shapeOf(v), true)) {
			r.add("login-call", from, to, rankNamed)
		}
		if at = skipBlank(r.text, to+1); at >= len(r.text) || r.text[at] != ',' {
			return
		}
		at++
	}
}

// readAddressed finds a password beside a mail address: ("ann@acme.io", "value").
func readAddressed(r *run, start, end int) {
	text := r.text
	lo := start
	for lo > 0 && start-lo < 64 && !isQuote(text[lo-1]) && !isSpace(text[lo-1]) {
		lo--
	}
	if lo == 0 || !isQuote(text[lo-1]) || bytes.IndexByte(text[lo:start], '@') <= 0 {
		return
	}
	to, ok := r.closing(end, text[end-1], 0)
	r.spend(100 + 8*(to-lo))
	if !ok || to-end < 8 || to-end > 40 {
		return
	}
	v := text[end:to]
	s := shapeOf(v)
	if s.digit > 0 && s.space == 0 && !isHash(v) && !isUUID(v) && bytes.IndexByte(v, '@') <= 0 && !hasOrdinary(v) && commandValue(v) && !random(v) && (madeUp(v) || passwordLike(v, s, true)) {
		r.add("login-call", end, to, rankNamed)
	}
}

// readTyped finds a password typed into a field by a test or a script.
func readTyped(r *run, start, end int) {
	from, to, ok := r.literal(end)
	if !ok || to-from < 6 || to-from > 64 {
		return
	}
	lo := start
	for lo > 0 && start-lo < 160 && r.text[lo-1] != '\n' {
		lo--
	}
	r.spend(8 * (to - lo))
	line := r.text[lo:start]
	for _, w := range [...]string{"pass", "Pass", "PASS", "pwd", "Pwd", "PWD", "\"pw\"", "'pw'", "#pw", "kennwort", "senha", "contrase", "pin\"", "pin'"} {
		if bytes.Contains(line, []byte(w)) {
			if v := r.text[from:to]; commandValue(v) && shapeOf(v).digit > 0 {
				r.add("login-call", from, to, rankNamed)
			}
			return
		}
	}
}

// readPair finds a user and a password as the arguments of what takes both.
func readPair(r *run, start, end int) {
	text := r.text
	most := min(len(text), end+24)
	i := end - 1
	for i < most && text[i] != '(' && text[i] != '[' && text[i] != '\n' {
		i++
	}
	if i >= most || text[i] == '\n' {
		return
	}
	i++
	// Up to four arguments; a literal after another literal or a name.
	args := 0
	for args < 5 && i < len(text) {
		for i < len(text) && i < end+400 && (isSpace(text[i]) || text[i] == ',') {
			i++
		}
		// Named arguments are assignments.
		j := i
		for j < len(text) && j-i < 64 && (isWord(text[j]) || text[j] == '.' || text[j] == '$' || text[j] == '@') {
			j++
		}
		if j < len(text) && !isQuote(text[j]) {
			if text[j] != ',' {
				return
			}
			i = j
			args++
			continue
		}
		if j >= len(text) {
			return
		}
		n := 0
		if text[j] == '\\' {
			n = 1
		}
		e, ok := r.closing(j+1, text[j], n)
		if !ok {
			return
		}
		if v := text[j+1 : e]; args > 0 && args < 4 && len(v) >= 6 {
			s := shapeOf(v)
			if !lookUp(v) && !standIn(v) && !sample(v) && s.space == 0 && !fileName(v) && !email(v) && (random(v) || phrase(v, true) || passwordLike(v, s, true) || madeUp(v) && s.digit > 0) {
				r.add("login-call", j+1, e, rankNamed)
			}
		}
		args++
		i = e + 1
		if i < len(text) && text[i] != ',' {
			return
		}
	}
}
