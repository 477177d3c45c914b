package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads files whose own name says what stands in them: lines of accounts in the form of the program that reads them, one word
// in a file called password.txt, and settings without telling names in a file called secrets.yml.

// accountFiles are files of accounts, by the ends of their paths as in exactNames. The first group of line that takes part is a password.
var accountFiles = [...]struct {
	names []string
	line  string
}{
	// rsync, and strongSwan and Libreswan
	{[]string{"*.secrets", "*-secrets"}, `^[\w.@-]{1,64}:([^\s:][^\s]{5,127})$`},
	{[]string{"ipsec.secrets", "*.secrets"}, `(?i):[ \t]{0,8}(?:PSK|EAP|XAUTH|NTLM|PIN|PPK|PPKS[ \t]{1,8}"[^"\n]{1,80}"|PKCS12 \S{1,80}|(?:RSA|ECDSA|PKCS8) \S{1,80})[ \t]{1,8}"([^"\n]{6,128})"`},
	{[]string{"ipsec.secrets", "*.secrets"}, `(?im):[ \t]{0,8}(?:PSK|EAP|XAUTH|NTLM)[ \t]{1,8}([^"'\s%][^"\s]{5,127})[ \t]*\r?$`},
	// PPP
	{[]string{"chap-secrets", "pap-secrets", "srp-secrets", "eaptls-client", "chap-secrets.*", "pap-secrets.*"}, `^(?:"[^"\n]{0,80}"|[^\s"#]{1,80})[ \t]{1,20}(?:"[^"\n]{0,80}"|[^\s"]{1,80})[ \t]{1,20}(?:"([^"\n]{6,128})"|([^\s"]{6,128}))`},
	// Exim, Postfix, davfs2, Dovecot, and what else has a user and a password in a line
	{[]string{"passwd.client", "exim*/passwd*"}, `^[^\s:#]{1,80}:[^\s:]{1,80}:(\S{6,128})$`},
	{[]string{"*sasl*pass*", "smtp_auth*", "*relay*pass*"}, `^\S{1,80}[ \t]{1,20}[^\s:]{1,80}:(\S{6,128})$`},
	{[]string{"davfs2/secrets", "davfs2.secrets", ".davfs2/secrets"}, `^(?:"[^"\n]{0,160}"|[^\s"#]{1,160})[ \t]{1,20}(?:"[^"\n]{0,80}"|[^\s"]{1,80})[ \t]{1,20}"?([^\s"]{6,128})`},
	{[]string{"dovecot/users", "dovecot/passwd", "passwd-file", "*.passwd", "userdb", "*/userlist.txt"}, `^[^\s:#]{1,80}:(?:\{\w{4,12}\})?([^\s:{][^\s:]{5,127})(?::|$)`},
	{[]string{"auth", "*.auth"}, `^[\w.@-]{1,64}:([^\s:$]{6,128})(?::\d{1,3})?$`}, // Deluge's, with a level
	// Telephones, chats, proxies, watchers
	{[]string{"voicemail.conf"}, `^\d{2,10}[ \t]{0,8}=>[ \t]{0,8}([^\s,]{6,64}),`},
	{[]string{"sip.conf", "iax.conf", "asterisk/*.conf"}, `(?i)^register[ \t]{0,8}=>?[ \t]{0,8}[^\s:@]{1,80}(?:@[^\s:@]{1,80})?:([^\s:@]{6,64})(?::[^\s@]{1,80})?@`},
	{[]string{"znc.conf"}, `(?i)^server[ \t]{0,8}=[ \t]{0,8}\S{3,80} \+?\d{2,5} (\S{6,128})`},
	{[]string{"3proxy.cfg", "3proxy*.cfg"}, `(?i)^parent \d{1,6} \w{3,12} \S{3,80} \d{1,5} \S{1,80} (\S{6,64})`},
	{[]string{"monitrc", "monit.conf", "monit/*", "monit.d/*", "conf.d/monit*"}, `(?i)^allow ["']?[\w.-]{1,64}["']?:["']?([^\s"':]{6,64})`},
	{[]string{"upsmon.conf"}, `^MONITOR \S{1,80} \d{1,3} \S{1,64} "?([^\s"]{6,64})`},
	{[]string{"weechat/sec.conf"}, `^[\w.-]{1,64} = "([^"\n]{6,200})"`},
	{[]string{"users.properties", "*-users.properties"}, `^[\w.@-]{1,64}[ \t]{0,4}=[ \t]{0,4}([^\s,]{6,128})$`},
	{[]string{"realm.properties", "*-realm.properties"}, `^[\w.@-]{1,64}[ \t]{0,4}[:=][ \t]{0,4}([^\s,:]{6,128})(?:,|$)`},
	// Clocks, and sendmail
	{[]string{"ntp.keys", "chrony.keys", "ntp/keys", "ntp/*.keys", "chrony/*.keys"}, `^\d{1,10}[ \t]{1,20}(?:[A-Za-z][\w-]{0,15}[ \t]{1,20})?(?:ASCII:|HEX:)?([^\s#]{6,256})(?:[ \t]{1,20}[^\n]{1,120})?$`},
	{[]string{"authinfo*", "auth-info*", "client-info*", "default-auth-info", "*/access"}, `(?i)^AuthInfo:[^\n]{0,300}"P[:=]([^"\n]{6,128})"`},
	{[]string{"*.htdigest", "*.users"}, `^[\w.@-]{1,64}:([^\s:$*!{x][^\s:]{15,127})$`},
}

// accountLines are the expressions of accountFiles.
var accountLines = func() (list [len(accountFiles)]lazy) {
	for i := range accountFiles {
		list[i] = lazily(accountFiles[i].line)
	}
	return list
}()

const (
	maxAccounts = 1 << 20 // bytes that are read of a file of accounts
	maxAccount  = 400     // bytes of a line
	workLine    = 30      // of a byte of a line
)

// accountHints are what the paths of accountFiles hold; others are not looked at.
var accountHints = [...]string{"auth", "secrets", "passwd", "sasl", "smtp_auth", "relay", "dovecot", "userdb", "userlist", "voicemail", "sip.conf", "iax.conf", "asterisk", "znc", "3proxy", "monit", "upsmon", "weechat", "htdigest", ".users", "users.properties", "realm.properties", "eaptls", "ntp", "chrony", "auth", "client-info", "access"}

// accounts finds what the name of the file says that its lines hold.
func (r *run) accounts() {
	var buf [256]byte
	low := value.Lower(buf[:], r.path[max(0, len(r.path)-len(buf)):])
	base := low[bytes.LastIndexByte(low, '/')+1:]
	text := r.text[:min(len(r.text), maxAccounts)]
	if r.style != value.AsCode && value.Holds(low, accountHints[:]...) {
		r.accountLines(string(low), text)
	}
	r.named(base, text)
}

// accountLines takes the passwords of the lines that a file of such a path has.
func (r *run) accountLines(path string, text []byte) {
	for i := range accountFiles {
		if _, ok := matchName(path, accountFiles[i].names); !ok {
			continue
		}
		at := 0
		for line := range bytes.Lines(text) {
			lo, hi := value.Trimmed(text, at, at+len(line), value.Spaces)
			if at += len(line); hi-lo > maxAccount || lo == hi || r.full() {
				continue
			}
			r.spend(workLine * (hi - lo))
			m := accountLines[i]().FindSubmatchIndex(text[lo:hi])
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 {
					r.given("account-file", formGiven, value.PassNoun, lo+m[g], lo+m[g+1])
				}
			}
		}
	}
}

// otherSecrets are words of a file's name that say that what it holds is sealed, a hash, or made to be read.
var otherSecrets = [...]string{"sealed", "encrypted", "enc.", "external", "sops", "baseline", "example", "sample", "template", "lock", "hash", "public", "policy", "test", "schema"}

const (
	maxSingle      = 600 // bytes of a file that holds one word, or a user and a word
	maxSingleLines = 3   // lines of such a file
)

// named reads a file whose name says that it holds a secret: all that it has is one word, or a user and one below; or it has settings,
// whose own names tell nothing. Either is taken only where it was drawn by lot.
func (r *run) named(base, text []byte) {
	stem, _, _ := bytes.Cut(bytes.TrimLeft(base, "."), []byte("."))
	if len(stem) > value.MaxName || value.Holds(base, otherSecrets[:]...) || r.style != value.AsConfig && r.style != value.AsProse {
		return
	}
	k := value.Classify(stem)
	if end := base[bytes.LastIndexByte(base, '.')+1:]; k.Noun < value.TokenNoun && secretEnds[string(end)] { // server.psk
		k = value.Classify(end)
	}
	login := value.Holds(stem, "auth", "login", "userpass", "user-pass", "creds", "account")
	if k.Not || k.Noun < value.TokenNoun && !login || k.Noun == value.Mnemonic {
		return
	}
	k.Noun, k.Authorization, k.Strict = max(k.Noun, value.TokenNoun), false, false
	if len(text) <= maxSingle && r.single(k, text) || login && k.Noun < value.PassNoun {
		return
	}
	var buf [32]byte
	dot := bytes.LastIndexByte(base, '.') + 1
	if dot > 0 && settingsOf[string(base[dot:])] && secretsOf[string(value.LastWord(&buf, stem))] {
		r.namelessSettings(k, text)
	}
}

// settingsOf are the ends of the names of files with a setting a line, and secretsOf what such files are called.
var (
	settingsOf = value.WordSet("yml yaml json toml ini conf cfg properties env plist txt sls")
	secretsOf  = value.WordSet("secret secrets credential credentials creds passwords tokens")
)

// secretEnds are the ends of the names of files that hold a secret alone.
var secretEnds = value.WordSet("psk token secret passwd password pass")

// single takes the only word of a file, or the second of two that stand on a line each; false if it has more.
func (r *run) single(k value.Naming, text []byte) bool {
	at, from, to, lines := 0, 0, 0, 0
	for line := range bytes.Lines(text) {
		lo, hi := value.Trimmed(text, at, at+len(line), value.Spaces)
		if at += len(line); lo == hi {
			continue
		}
		if lines++; lines > maxSingleLines || bytes.ContainsAny(text[lo:hi], " \t=:{}<>") {
			return false
		}
		from, to = lo, hi
	}
	if lines > 0 {
		r.drawn(k, from, to)
	}
	return true
}

// namelessSettings takes the values of lines that give a name a value.
func (r *run) namelessSettings(k value.Naming, text []byte) {
	at := 0
	for line := range bytes.Lines(text) {
		start := at
		at += len(line)
		lo, hi := value.Trimmed(text, start, at, value.Spaces+",")
		if lo >= hi || strings.IndexByte("#;/<", text[lo]) >= 0 {
			continue
		}
		from := value.Past(text, lo, 1, `"'`)
		end := value.Past(text, from, value.MaxName, value.WordSigns+"-.")
		own := value.Classify(text[from:end])
		sign := value.SkipBlank(text, value.Past(text, end, 1, `"'`))
		if end == from || sign >= hi || strings.IndexByte("=:", text[sign]) < 0 || own.Not || own.Noun != value.NoNoun {
			continue // what has a telling name is judged by that
		}
		var buf [32]byte
		if hashed[string(value.LastWord(&buf, value.TrimDigits(text[from:end])))] {
			continue
		}
		lo, hi = value.Trimmed(text, sign+1, hi, value.Spaces+value.Quotes+"=:")
		r.spend(hi - lo)
		r.drawn(k, lo, hi)
	}
}

// drawn takes a value of such a kind if it was drawn by lot.
func (r *run) drawn(k value.Naming, from, to int) {
	r.name = assignment{r: r, lo: from, hi: from, kind: k, judged: true}
	r.name.far(formGiven, from, to)
}
