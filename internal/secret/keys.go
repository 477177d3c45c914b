package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/known"
	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads private keys and signed tokens.

// maxKey bounds the look for the end of a private key.
const maxKey = 32 << 10

// readArmour finds private keys in PEM, OpenSSH, PGP and kin: from BEGIN to END, or as far as lines of the key go where END is
// missing.
func readArmour(r *run, start, end int) {
	if start < r.armourDone {
		return
	}
	text := r.text
	// The label, up to the dashes after it.
	i := value.UpTo(text, end, 80, "\n-")
	if i >= len(text) || text[i] != '-' && text[i] != '\n' {
		return
	}
	if !secretArmour(text[end:i]) {
		return
	}
	lo := value.Back(text, start, 8, "-")
	most := min(len(text), end+maxKey)
	stop, kept := 0, false
	if j := r.ends.next(r, "END ", i, most); j >= 0 && value.HasFold(text[j:min(most, j+80)], "key", "private") {
		body := text[i:j]
		stop = markEnd(text[:most], j)
		r.spend(3 * (stop - i))
		if elided(body) {
			r.armourDone = stop
			return
		}
		kept = countBase64(body) >= 48 && !placeholderKey(body) && !isProgram(body)
	} else {
		// Unterminated: as long as lines hold one word that could be of a key.
		stop = r.keyLines(i, most)
		r.spend(2 * (stop - i))
		kept = countBase64(text[i:stop]) >= 64 && !isProgram(text[i:stop])
	}
	if !kept {
		r.armourDone = end
		return
	}
	r.armourDone = stop
	r.add(known.KeyRule, lo, stop, rankBlock)
}

// secretArmour reports whether armour of this label holds a secret.
func secretArmour(label []byte) bool {
	return value.Holds(bytes.ToUpper(label), "PRIVATE KEY", "OPENVPN STATIC KEY", "SSH2 ENCRYPTED PRIVATE", "ED25519 SECRET")
}

// readTail finds a private key without its BEGIN line: the lines of base64 above END.
func readTail(r *run, start, end int) {
	text := r.text
	i := value.UpTo(text, end, 80, "\n-")
	if start < r.armourDone || value.ByteAt(text, i) != '-' || !secretArmour(text[end:i]) {
		return
	}
	lo := value.Back(text, start, 8, "-")
	least := max(r.armourDone, lo-maxKey)
	from, to := least+keyBody(text[least:lo]), markEnd(text, end)
	r.spend(4 * (to - least))
	r.armourDone = to
	if body := text[from:lo]; countBase64(body) >= 64 && !elided(body) && !placeholderKey(body) && !isProgram(body) {
		r.add(known.KeyRule, from, to, rankBlock)
	}
}

// keyBody returns where the lines of a key begin that end a text: runs of base64, of which the last may be short, with nothing
// between but the ends of lines, quotes and marks of comments.
func keyBody(text []byte) int {
	from := len(text)
	for last := true; ; last = false {
		to := backOverJoint(text, from)
		at := value.Back(text, to, to, value.Base64Signs)
		if n := to - at; n == 0 || n < 16 && !last || n >= 16 && value.Wordy(text[at:to])*2 > n {
			return from
		}
		from = at
	}
}

// backOverJoint returns where what joins two lines of a key begins that ends at at.
func backOverJoint(text []byte, at int) int {
	for least := at - 40; at > least; {
		to := value.Back(text, at, at-least, value.Spaces+value.Quotes+`\+,.#*/>|;=`)
		if value.Ends(text[:to], `\n`, `\r`) {
			to -= 2
		}
		if to == at {
			break
		}
		at = to
	}
	return at
}

// markEnd returns where the closing mark ends whose words begin at at.
func markEnd(text []byte, at int) int {
	at = value.UpTo(text, at, len(text), "\n<\\-"+value.Quotes)
	return value.Past(text, at, len(text), "-")
}

func countBase64(text []byte) int {
	n := 0
	for _, b := range text {
		if value.IsBase64(b) {
			n++
		}
	}
	return n
}

// elided reports whether the middle of a key was left out: at most five of its lines and a line of dots, which no key holds.
func elided(body []byte) bool {
	if len(body) > 440 {
		return false
	}
	for line := range bytes.SplitSeq(body, value.Newline) {
		line = bytes.TrimSpace(line)
		if dots := bytes.Trim(line, "[]()"); len(dots) >= 3 && len(bytes.Trim(dots, ".")) == 0 {
			return true
		}
	}
	return false
}

// isProgram reports whether what stands between the marks puts a key together: of its base64 less than half lies in runs that
// are no names.
func isProgram(body []byte) bool {
	all, drawn := 0, 0
	for i := 0; i < len(body); {
		j := value.Past(body, i, len(body), value.Base64Signs+"=")
		if j == i {
			i++
			continue
		}
		all += j - i
		if n := j - i; n >= 20 && value.Wordy(body[i:j])*2 < n || n >= 40 && value.Wordy(body[i:j])*4 < n*3 {
			drawn += n
		}
		i = j
	}
	return drawn*2 < all
}

// placeholderKey reports whether the text between the marks is cut or stands in.
func placeholderKey(body []byte) bool {
	s := value.ShapeOf(known.LongestRun(body[:min(len(body), 4096)]))
	return s.Length < 16 || s.Distinct < 8
}

// keyLines returns the end of the lines from at on that could be of a key.
func (r *run) keyLines(at, most int) int {
	text := r.text
	end := at
	for i := at; i < most; {
		j := value.UpTo(text, i, most-i, "\n")
		line := text[i:j]
		trimmed := bytes.Trim(line, " \t\r\"'+,;-\\n#*/>|")
		longest, header := len(known.LongestRun(line)), bytes.IndexByte(trimmed, ':') >= 0 // of armour, which is part of it
		if bytes.Contains(line, []byte("-BEGIN ")) {                                       // the next block
			break
		}
		if i > at && !header && (longest < 16 && longest*2 < len(trimmed) || bytes.IndexByte(trimmed, ' ') >= 0) {
			break
		}
		end, i = j, j+1
	}
	r.spend(12 * (end - at))
	return end
}

// readBareKey finds private keys in base64 without armour, in one text or in several that code joins.
func readBareKey(r *run, start, end int) {
	text := r.text
	if start < r.armourDone || start > 0 && value.IsBase64(text[start-1]) {
		return
	}
	i, last := end, end
	for i < len(text) && i-start < maxKey {
		i = value.Past(text, i, len(text), value.Base64Signs)
		last = i
		j := pastJoint(text, i)
		k := value.Past(text, j, 100, value.Base64Signs)
		if j == i || k-j < 16 && !(k-j >= 4 && k < len(text) && value.IsQuote(text[k])) {
			break
		}
		i = k
	}
	r.spend(2 * (i - start))
	r.armourDone = max(r.armourDone, last)
	if last-start >= 60 && !value.Sample(text[start:min(last, start+64)]) {
		r.add(known.KeyRule, start, last, rankBlock)
	}
}

// pastJoint returns where a key goes on behind the end of a line, or of a text that the next is joined to.
func pastJoint(text []byte, at int) int {
	quoted := func(i int) bool { return i < len(text) && (value.IsSpace(text[i]) || value.IsQuote(text[i])) }
	i := at
	for ; i < len(text) && i-at < 40; i++ {
		switch b := text[i]; {
		case quoted(i), b == '.', b == '&', b == '+' && quoted(i+1):
		case b == '\\': // \n
			i++
		default:
			return i
		}
	}
	return i
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
	if n := from + len("Private-Lines: "); n >= most || !value.IsDigit(text[n]) {
		return
	}
	stop := r.keyLines(from, most)
	r.armourDone = stop
	r.add(known.KeyRule, from, stop, rankBlock)
}

// leastArmour is how long a key in base64 is that has more than its first line.
const leastArmour = 60

// readEncodedArmour finds a PEM private key encoded in base64 once more.
func readEncodedArmour(r *run, start, end int) {
	text := r.text
	if start < r.armourDone || string(text[start:end]) != "LS0tLS1CRUdJTiB" {
		return
	}
	stop := value.Past(text, end, start+maxKey-end, value.Base64Signs+"=-_")
	r.spend(2 * (stop - start))
	n := min((stop-start)/4*4, 480)
	head := value.Decoded(text[start : start+n])
	if stop-start < leastArmour || !value.Holds(head[:min(len(head), 72)], "PRIVATE KEY") || isProgram(head[min(len(head), 72):]) {
		return // also a program's text, in a map of its sources
	}
	r.armourDone = stop
	r.add(known.KeyRule, start, stop, rankBlock)
}

// readJWT finds JSON web tokens, signed or encrypted.
func readJWT(r *run, start, end int) {
	text := r.text
	if start < r.jwtDone || string(text[start:end]) != "eyJ" || start > 0 && value.IsWord(text[start-1]) {
		return
	}
	i, dots := end, 0
	var part [6]int
	for ; i < len(text) && i-start < maxValue; i++ {
		b := text[i]
		if b == '.' && dots < 4 && i+1 < len(text) && (value.IsWord(text[i+1]) || text[i+1] == '-' || text[i+1] == '.') {
			dots++
			part[dots] = i + 1
		} else if !value.IsWord(b) && strings.IndexByte("-=/+", b) < 0 {
			break
		}
	}
	r.spend(i - start)
	r.jwtDone = i
	if dots < 2 {
		return
	}
	if string(text[part[1]:part[2]-1]) == "e30" {
		return // {}: it speaks for nobody
	}
	if !value.Holds(value.Decoded(text[start:part[1]-1]), `"alg"`, `"typ"`, `"enc"`, `"kid"`) || i-part[2] < 16 || value.Sample(text[start:i]) {
		return
	}
	r.add("jwt", start, start+len(bytes.TrimRight(text[start:i], ".")), rankFormed)
}

// What opens the bytes of a key, and what stands between that and the first of them.
var (
	bytesOpen = value.ByteSetOf("{[(\n\"'`;")
	bytesLead = value.ByteSetOf(value.Spaces + "{[(]123456789")
)

// bytesOf reads a key written as numbers: aes_key[16] = {0x17, 0xc5, ...}. At
// least sixteen.
func (a *assignment) bytesOf(at int) bool {
	text := a.r.text
	i := at
	for most := min(len(text), at+40); i < most && !bytesOpen.Has(text[i]); {
		i++
	}
	i = bytesLead.Past(text, i, at+60-i)
	if !value.BeginsFold(text[i:], "0x") || !a.ofBytes() {
		return false
	}
	from, end, n := i, i, 0
	var seen value.ByteSet
	for ; n < 256; n++ {
		b, to := hexByte(text, i)
		if to < 0 {
			break
		}
		seen.Add(b)
		i, end = value.Past(text, to, len(text), value.Spaces+",uU"), to
	}
	a.r.spend(2 * (i - at))
	if n < 16 || seen.Count()*2 < n || seen[0]&0x3F == 0x3F {
		return false // few, or counted
	}
	a.r.add("secret-assignment", from, end, rankKeyed)
	return true
}

// ofBytes reports whether the name is that of a key made of bytes: no token of a language, and not just key, as tests call it.
func (a *assignment) ofBytes() bool {
	var buf [32]byte
	k, w := a.naming(), value.LastWord(&buf, a.name())
	return !k.Strict && k.Noun != value.Mnemonic && (string(w) == "key" || string(w) == "secret") && (len(w) < len(a.name()) || k.Noun != value.WeakNoun)
}

// hexByte reads 0x and one or two digits, and returns where it ends; -1 if none stands at at.
func hexByte(text []byte, at int) (byte, int) {
	if at+3 >= len(text) || text[at] != '0' || text[at+1]|0x20 != 'x' || !value.IsHex(text[at+2]) {
		return 0, -1
	}
	b := value.HexDigit(text[at+2])
	if !value.IsHex(text[at+3]) {
		return b, at + 3
	}
	return b<<4 | value.HexDigit(text[at+3]), at + 4
}
