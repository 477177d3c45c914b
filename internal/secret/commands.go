package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads what is given to programs on a command line.

// readCurl finds -u user:password.
func readCurl(r *run, start, end int) {
	text := r.text
	if value.IsWord(value.ByteAt(text, end)) {
		end = pastOptions(text, end)
	}
	if start < r.commandDone || start > 0 && value.IsWord(text[start-1]) || value.IsWord(value.ByteAt(text, end)) {
		return
	}
	most := min(len(text), end+1024)
	// The command goes on over escaped line ends.
	i := end
	for ; i+1 < most; i++ {
		if text[i] == '\n' && text[i-1] != '\\' && !(text[i-1] == '\r' && text[i-2] == '\\') {
			break
		}
		if text[i] != '-' || !value.IsSpace(text[i-1]) && !value.IsQuote(text[i-1]) {
			continue
		}
		j := 0
		switch {
		case text[i+1]|0x20 == 'u': // also that of a proxy
			j = i + 2
		case shortFlags(text, i+1) > 0:
			j = shortFlags(text, i+1)
		case value.HasPrefixAt(text, i, "--user") && i+6 < most && !value.IsWord(text[i+6]) && text[i+6] != '-':
			j = i + 6
		case value.HasPrefixAt(text, i, "--proxy-user"):
			j = i + 12
		default:
			continue
		}
		r.pair(value.Past(text, j, most-j, " =\\"))
	}
	r.spend(i - start)
	r.commandDone = i
}

// options are what the name of a program goes on with where arguments are kept for it: curlOpts = "-u user:value".
var options = value.WordSet("opts options opt args arguments flags")

// pastOptions returns where the name of a program's arguments ends, from behind the program's on; at, if it is none.
func pastOptions(text []byte, at int) int {
	var buf [32]byte
	from := value.Past(text, at, 1, "_")
	end := value.Past(text, from, 16, value.LetterSigns)
	sign := value.SkipBlank(text, end)
	if b := value.ByteAt(text, sign); (b == '=' || b == ':') && options[string(value.Lower(buf[:], text[from:end]))] {
		return end
	}
	return at
}

// shortFlags returns where flags of one letter end whose last takes a user: -sSu; 0 if they do not.
func shortFlags(text []byte, at int) int {
	if end := value.Past(text, at, 8, value.LetterSigns); end-at < 8 && value.ByteAt(text, end) == ' ' && text[end-1] == 'u' {
		return end
	}
	return 0
}

// readCommand finds the passwords among the arguments of a program that commands knows.
func readCommand(r *run, start, end int) {
	text := r.text
	if start < r.commandDone || start > 0 && (value.IsWord(text[start-1]) || text[start-1] == '.') {
		return
	}
	var buf [32]byte
	flags := commands[string(value.Lower(buf[:], text[start:end]))]
	if value.HasPrefixAt(text, start, "net use") {
		r.netUse(end)
	}
	for _, f := range flags {
		if f[0] == '#' || f == "*=" {
			r.words(end, f)
		}
	}
	most := min(len(text), end+512)
	i, next := end-1, end+leastCommand
	for ; i+2 < most; i++ {
		if text[i] == '\n' && text[i-1] != '\\' && !value.Ends(text[:i], `\\"`, `\\'`) { // also printed by a script, a line each
			break
		}
		if text[i] == '$' && text[i+1] == '(' {
			next = min(next, i) // one whose output this is handed
		}
		for _, f := range flags {
			flag, rest, _ := strings.Cut(f, "*")
			if flag == "" || !value.HasPrefixAt(text, i, flag) || strings.IndexByte("-/+", f[0]) >= 0 && !value.IsSpace(text[i-1]) && !value.IsQuote(text[i-1]) {
				continue
			}
			switch at := i + len(flag); {
			case rest == "=":
				r.set(value.Past(text, at, 2, " ="))
			case rest != "": // the nth word behind the flag
				r.words(at, "#"+rest)
			default:
				r.password(at)
			}
			break
		}
	}
	r.spend((i - start) * (1 + len(flags)))
	r.commandDone = min(i, next) // another may stand on the line
}

// leastCommand is how far from a command the next one is, in bytes.
const leastCommand = 16

// words reads the words behind a command: the nth that is no flag where which is "#n", each name=value where it is "*=".
func (r *run) words(at int, which string) {
	text := r.text
	for n, words := 0, 0; n < 24; n++ {
		at = value.SkipBlank(text, at)
		if value.ByteAt(text, at) == '\\' { // the line goes on
			at = value.Past(text, at+1, 200, value.Spaces)
		}
		from, to := r.argument(at, value.Spaces+value.Quotes)
		bare := from == at
		if to <= from || bare && strings.IndexByte("|&;>", text[from]) >= 0 {
			return
		}
		switch {
		case which == "*=":
			r.set(at)
		case bare && text[from] == '/' && some(strings.HasSuffix, r.path, ".cmd", ".bat", ".ps1"): // a flag of Windows'
		case !bare || text[from] != '-':
			if words++; words == int(which[1]-'0') {
				r.password(at)
				return
			}
		}
		if at = to; !bare || value.IsQuote(value.ByteAt(text, at)) {
			at++
		}
	}
}

// set reads name=value as an argument that is kept as a secret whatever its name.
func (r *run) set(at int) {
	text := r.text
	from, to := r.argument(at, value.Spaces+value.Quotes+"`;|)>")
	i := bytes.IndexByte(text[from:to], '=')
	if i <= 0 {
		return
	}
	name, lo := text[from:from+i], from+i+1
	if lo == to && value.IsQuote(value.ByteAt(text, to)) { // name="value"
		lo, to = r.argument(to, "")
	}
	r.generatedValue("command-password", name, lo, to)
}

// netUse finds the password of net use DRIVE SHARE [PASSWORD] /user:NAME [PASSWORD]:
// the word after the share or the name that is neither.
func (r *run) netUse(at int) {
	text := r.text
	shared := false
	for n := 0; n < 10; n++ {
		at = value.SkipBlank(text, at)
		end := value.UpTo(text, at, 200, value.Spaces)
		if end == at {
			return
		}
		from, to := value.Trimmed(text, at, end, `"'`)
		switch {
		case value.HasPrefixAt(text, from, `\\`):
			shared = true
		case shared && from < to && text[from] != '/' && text[from] != '*':
			r.given("command-password", formGiven, value.PassNoun, from, to)
			return
		}
		at = end
	}
}

// argument returns the bounds of the word at at of a command, without its quotes. One without quotes ends before any of ends.
func (r *run) argument(at int, ends string) (from, to int) {
	text := r.text
	from = at
	if q := value.ByteAt(text, at); value.IsQuote(q) {
		from, ends = at+1, "\n"+string(q)
	}
	to = from
	for to < len(text) && to-from < 512 && strings.IndexByte(ends, text[to]) < 0 && !(text[to] == '\\' && value.IsQuote(value.ByteAt(text, to+1))) {
		to++
	}
	return from, to
}

// password reads a password, or user:password, as the argument of a flag.
func (r *run) password(at int) {
	text := r.text
	at = value.Past(text, at, len(text), " \\")
	from, to := r.argument(at, value.Spaces+value.Quotes)
	if i := bytes.Index(text[from:to], []byte(`\n`)); i >= 0 {
		to = from + i
	}
	if from < to && from == at && strings.IndexByte(",:", text[to-1]) >= 0 && value.IsQuote(value.ByteAt(text, to)) && value.IdentifierOnly(text[from:to-1]) {
		from, to = r.argument(to, "") // user,'password'
	}
	if i := bytes.IndexByte(text[from:to], ':'); i > 0 && (from == at && from+i+4 < to || value.ByteAt(text[:to], from+i+1) == '$') && value.IdentifierOnly(text[from:from+i]) {
		from += i + 1
	}
	r.given("command-password", formGiven, value.PassNoun, from, to)
}

// passwordOf is password of the bounds of an argument.
func (r *run) passwordOf(from, to int) {
	if i := bytes.IndexByte(r.text[from:to], ':'); i > 0 && from+i+4 < to && value.IdentifierOnly(r.text[from:from+i]) {
		from += i + 1
	}
	r.given("command-password", formGiven, value.PassNoun, from, to)
}

// pair reads user:password as an argument; either or both may be in quotes.
func (r *run) pair(at int) {
	text := r.text
	from, to := r.argument(at, value.Spaces+value.Quotes+`\);`)
	colon := from + bytes.IndexByte(text[from:to], ':')
	if colon < from {
		return
	}
	if from == at && text[to-1] == ':' && value.IsQuote(value.ByteAt(text, to)) { // user:"password"
		colon = to
		_, to = r.argument(colon, "")
	}
	if !bytes.EqualFold(text[from:colon], text[colon+1:to]) {
		r.given("curl-auth-user", formGiven, value.PassNoun, colon+1, to)
	}
}

// readSent finds what a script of expect's sends where a password is asked for.
func readSent(r *run, start, end int) {
	text := r.text
	head := text[max(0, start-160):start]
	asked := bytes.LastIndex(head, []byte("expect")) // what is asked last
	r.spend(3 * len(head))
	if asked < 0 || bytes.Count(head[asked:], value.Newline) > 2 && bytes.IndexByte(head[asked:], '{') < 0 {
		return
	}
	i := max(bytes.LastIndex(head[asked:], []byte("assw")), bytes.LastIndex(head[asked:], []byte("assphrase")), bytes.LastIndex(head[asked:], []byte("ass phrase")))
	if i < 0 || bytes.Count(head[asked+i:], value.Newline) > 2 {
		return
	}
	to := value.UpTo(text, end, 100, string(text[end-1])+"\\\n")
	if from := end; to-from >= 4 && text[from] != '$' {
		r.given("command-password", formGiven, value.PassNoun, from, to)
	}
}

// readChpasswd finds user:password in the list below chpasswd of cloud-init, and
// in what is piped to the command.
func readChpasswd(r *run, start, end int) {
	text := r.text
	if start < r.chpasswdDone {
		return
	}
	if value.ByteAt(text, end) == ':' {
		most := min(len(text), end+1024)
		line := value.UpTo(text, end, most-end, "\n") + 1
		for line < most {
			stop := value.UpTo(text, line, most-line, "\n")
			at := value.Past(text, line, stop-line, " \t-")
			if at == line && at < stop {
				break // the next key
			}
			if i := bytes.IndexByte(text[at:stop], ':'); i > 0 && at+i+1 < stop && text[at+i+1] != ' ' {
				r.pair(at)
			}
			line = stop + 1
		}
		r.spend(line - start)
		r.chpasswdDone = line
		return
	}
	head := r.before(start, 200)
	r.spend(len(head))
	i, word := bytes.LastIndex(head, []byte("echo ")), len("echo ")
	if j := bytes.LastIndex(head, []byte("printf ")); j > i {
		i, word = j, len("printf ")
	}
	if i < 0 || bytes.IndexByte(head[i:], '|') < 0 {
		return
	}
	at := value.SkipBlank(text, start-len(head)+i+word)
	from, to := r.argument(at, value.Spaces)
	if !bytes.Contains(text[from:to], []byte(`\n`)) {
		r.pair(at)
		return
	}
	for from < to { // a line each: 'user:value\nuser:value\n'
		end := to
		if i := bytes.Index(text[from:to], []byte(`\n`)); i >= 0 {
			end = from + i
		}
		r.drawnPair(from, end)
		from = end + len(`\n`)
	}
}

// drawnPair takes the password of user:value that a line within a text begins with.
func (r *run) drawnPair(from, to int) {
	text := r.text
	name := value.Past(text, from, min(to-from, value.MaxName), value.WordSigns+"-.")
	if name > from && value.ByteAt(text, name) == ':' {
		r.drawn(value.Naming{Noun: value.PassNoun}, name+1, to)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// readJAAS finds the passwords of the users that a module of Java's logins knows: user_NAME="value".
func readJAAS(r *run, start, end int) {
	text := r.text
	stop := r.upTo(end, 4<<10, ";}")
	for at := end; at < stop; {
		i := bytes.Index(text[at:stop], []byte("user_"))
		if i < 0 {
			return
		}
		lo := at + i
		at = value.Past(text, lo, value.MaxName, value.WordSigns+"-.@")
		if value.IsSpace(value.ByteAt(text, max(0, lo-1))) && value.ByteAt(text, at) == '=' {
			if from, to, ok := r.literal(at + 1); ok {
				r.given("login-module", formGiven, value.PassNoun, from, to)
			}
		}
	}
}

// userFlags say that the word behind -p is a password, and no port or path.
var userFlags = [...]string{" -u ", " -U ", " --user ", " --username ", " --user=", " --username=", " -l ", " login "}

// readUserFlag finds the password behind -p of any program that is told a user beside, if it was drawn by lot.
func readUserFlag(r *run, start, end int) {
	head := r.before(start+1, 160)
	r.spend(4 * len(head))
	if !value.Holds(head, userFlags[:]...) {
		return
	}
	at := value.SkipBlank(r.text, end)
	from, to := r.argument(at, value.Spaces+value.Quotes+`;|&)\`)
	r.drawn(value.Naming{Noun: value.PassNoun}, from, to)
}
