package value

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// This file judges values: does this text keep a secret, or stand for one?

// MaxLook bounds how much of a value is judged, in bytes.
const MaxLook = 768

// Shape counts the kinds of bytes in a value.
type Shape struct {
	Length              int // in bytes
	Lower, Upper, Digit int // of ASCII
	Joint               int // - _ . / : joins of words
	Special             int // all other printable ASCII
	Space               int // blanks and ends of lines
	High                int // bytes of characters beyond ASCII
	Turns               int // changes between lower, upper and digit
	Distinct            int // different bytes
}

// ShapeOf counts the bytes of v.
func ShapeOf(v []byte) Shape {
	s := Shape{Length: len(v)}
	var seen ByteSet
	last := 0
	for _, b := range v {
		seen.Add(b)
		kind := 0
		switch {
		case b >= 'a' && b <= 'z':
			s.Lower++
			kind = 1
		case b >= 'A' && b <= 'Z':
			s.Upper++
			kind = 2
		case b >= '0' && b <= '9':
			s.Digit++
			kind = 3
		case b == '-' || b == '_' || b == '.' || b == '/' || b == ':':
			s.Joint++
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			s.Space++
		case b >= 0x80:
			s.High++
		default:
			s.Special++
		}
		if kind != 0 && last != 0 && kind != last {
			s.Turns++
		}
		last = kind
	}
	s.Distinct = seen.Count()
	return s
}

// letterPairs are the pairs of letters usual in the words that programs are written with: of each letter, those that may
// follow.
var letterPairs = func() (t [26]uint32) {
	for i, s := range [26]string{
		"abcdefgiklmnprstuvy", "abcdeilorsuy", "abcdefghiklmoprstuy", "abcdefilmorsuv", "abcdefgilmnopqrstuvwxy",
		"acdefilorstuy", "aceghilnorsu", "aeimortu", "abcdefglmnoprstvxz", "e", "eisu", "acdefilopstuvy", "abeilmopsuy",
		"abcdefgiklmnoprstuv", "abcdefgiklmnoprstuvwx", "acdehiloprstu", "u", "abcdefgiklmnoprstuvy",
		"aceghiklmnoprstuvwy", "acdefhilmoprstuwy", "abcdefgilmnoprst", "aeio", "aehinors", "acefipt", "cimnpst", "aez",
	} {
		for _, c := range s {
			t[i] |= 1 << (c - 'a')
		}
	}
	return t
}()

// Wordy returns how many bytes of v lie in what reads like words of four letters or more.
func Wordy(v []byte) int {
	n := 0
	for i := 0; i < len(v); {
		if !IsLetter(v[i]) {
			i++
			continue
		}
		j, usual := i+1, 0
		for j < len(v) && IsLetter(v[j]) && !(IsUpper(v[j]) && !IsUpper(v[j-1])) {
			if letterPairs[(v[j-1]|0x20)-'a']&(1<<((v[j]|0x20)-'a')) != 0 {
				usual++
			}
			j++
		}
		if j-i >= 4 && usual*20 >= (j-i-1)*17 {
			n += j - i
		}
		i = j
	}
	return n
}

// Random reports whether v looks drawn by lot from an alphabet of letters and digits, rather than named by someone. It asks for
// twelve bytes.
func Random(v []byte) bool {
	v = bytes.TrimRight(v, "=")
	v = v[:min(len(v), 512)]
	s := ShapeOf(v)
	if s.Space > 0 && (s.Length < 32 || s.Special*4 < s.Length || s.Space*8 > s.Length || s.Upper < 6 || s.Lower < 6 || s.Digit < 3 || Wordy(v)*4 > s.Length) {
		return false // only what has all kinds of signs may have blanks among them
	}
	if s.Length < 12 || s.High > 0 || s.Distinct < 6 || s.Distinct < 7 && s.Length < 30 || s.Lower+s.Upper == 0 {
		return false
	}
	w := Wordy(v)
	switch {
	case w*10 >= len(TrimDigits(v))*7: // a name and a number: ExpiresAt4687177990
		return false
	case s.Digit == 0: // Letters alone: case that turns where no word would, or no words at all.
		return s.Length >= 16 && w*3 < s.Length && (s.Turns*4 >= s.Length || w == 0)
	case s.Digit*100 < s.Length*4 && s.Turns*100 < s.Length*28:
		return false
	}
	return w*100 < s.Length*45 && s.Turns*100 >= s.Length*12
}

// OfAllSigns reports whether v looks drawn by lot from all signs of a keyboard, as the salts of a blog are: a bracket or an equals
// sign in it says nothing.
func OfAllSigns(v []byte, s *Shape) bool {
	return s.Length >= 32 && s.Special*6 >= s.Length && s.Upper >= 6 && s.Lower >= 6 && s.Digit >= 3 && s.High == 0 &&
		s.Distinct*2 >= min(s.Length, 64) && Wordy(v)*4 < s.Length
}

// Drawn reports whether a part of v, between spaces and joints, was drawn by lot.
func Drawn(v []byte) bool {
	for len(v) > 0 {
		i := UpTo(v, 0, len(v), "-_./: \t,;=&")
		if i >= 8 && drawnPart(v[:i]) {
			return true
		}
		v = v[min(i+1, len(v)):]
	}
	return false
}

// drawnPart asks for letters of both cases and digits in no order, or for twelve bytes of one case.
func drawnPart(v []byte) bool {
	s := ShapeOf(v)
	if s.Digit < 2 || s.Distinct < 6 || Wordy(v)*3 >= s.Length || Monotonous(v) {
		return false
	}
	return s.Upper > 0 && s.Lower > 0 && s.Turns*5 >= s.Length*2 || s.Length >= 12 && s.Digit >= 3 && s.Lower+s.Upper >= 3 && s.Turns*4 >= s.Length
}

// AllHex reports whether v is of hexadecimal digits alone, and not empty.
func AllHex(v []byte) bool { return len(v) > 0 && Only(v, DigitSigns+"abcdefABCDEF") }

// AllDigits reports whether v is of decimal digits alone, and not empty.
func AllDigits(v []byte) bool { return len(v) > 0 && Only(v, DigitSigns) }

// IsHash reports whether v has the form of a digest or an object id.
func IsHash(v []byte) bool {
	switch len(v) {
	case 32, 40, 56, 64, 96, 128:
		return AllHex(v)
	}
	return false
}

// IsUUID reports whether v is 8-4-4-4-12 hex digits.
func IsUUID(v []byte) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-' &&
		AllHex(v[:8]) && AllHex(v[9:13]) && AllHex(v[14:18]) && AllHex(v[19:23]) && AllHex(v[24:])
}

// StandIn reports whether v stands where a secret will be.
func StandIn(v []byte) bool {
	v = v[:min(len(v), 512)]
	var buf [512]byte
	low := Lower(buf[:], v)
	if ElisionWords().Holds(v) || standInWords().clear(v) || Begins(low, "your", "insert") && !Drawn(v) {
		return true
	}
	// Less digits and signs: admin123, test-1, P@ssw... keeps too little to be one.
	var bare [64]byte
	n := 0
	for _, b := range low {
		if b >= 'a' && b <= 'z' && n < len(bare) {
			bare[n] = b
			n++
		}
	}
	if WeakWords[string(bare[:n])] {
		if allSorts(v) {
			return false // Pass!12345: made for rules of passwords
		}
		// A strong tail saves it: admin#8Kx!92 is one.
		digits := low[UpTo(low, 0, len(low), DigitSigns):]
		return len(low)-n <= 4 || bytes.HasPrefix([]byte("1234567890"), digits) && bytes.HasPrefix(low, bare[:n])
	}
	// newRootPassword123, old_user_password
	return len(low)-n <= 6 && Begins(low, "new", "old", "some") && Ends(bare[:n], "password") || Monotonous(v)
}

// allSorts reports whether v has letters of both cases, a digit and a sign, as rules of passwords ask for.
func allSorts(v []byte) bool {
	s := ShapeOf(v)
	return s.Lower > 0 && s.Upper > 0 && s.Digit > 0 && s.Special > 0
}

// IsTime reports whether v is a date with a time of day: 2006-01-02T15:04:05Z.
func IsTime(v []byte) bool {
	return len(v) >= 16 && len(v) <= 35 && AllDigits(v[:4]) && v[4] == '-' && strings.IndexByte("T_ ", v[10]) >= 0 &&
		len(bytes.Trim(v, "0123456789-:TZ+. _")) == 0
}

// Monotonous reports whether v repeats or counts: aaaa, abababab, 12345678.
func Monotonous(v []byte) bool {
	if len(v) < 4 {
		return true
	}
	steps, same, alike := 0, 0, 0
	for i := 1; i < len(v); i++ {
		switch d := int(v[i]) - int(v[i-1]); d {
		case 0:
			same++
		case 1, -1:
			steps++
		}
		if i >= 2 && v[i] == v[i-2] {
			alike++
		}
	}
	n := len(v) - 1
	return same*2 > n || steps*3 >= n*2 || alike*10 >= n*8
}

// Sample reports whether a value that has the form of a secret is known to be none: from a manual, or with a placeholder in it.
func Sample(v []byte) bool {
	v = v[:min(len(v), 4096)]
	// A long random text may hold a short word.
	if SampleValues().Holds(v) || doubleBraced(v) || len(v) <= 64 && (ElisionWords().Holds(v) || sampleWords().clear(v)) {
		return true
	}
	run, longest := 0, 0
	for i, b := range v {
		if i > 0 && b|0x20 != v[i-1]|0x20 {
			run = 0
		}
		run++
		longest = max(longest, run)
	}
	return longest >= 8 && longest*3 >= len(v)
}

// NoValue reports whether v says where a secret is kept, stands where one will be, or is known to be none.
func NoValue(v []byte) bool { return LookUp(v) || StandIn(v) || Sample(v) }

// LookUp reports whether v says where a secret is kept.
func LookUp(v []byte) bool {
	switch v[0] {
	case '$':
		return variable(v)
	case '<', '[', '(', '{', '|':
		const pairs = "<>[](){}||"
		end := pairs[strings.IndexByte(pairs, v[0])+1]
		if v[len(v)-1] == end || len(v) > 1 && v[1] == v[0] || v[0] == '[' && bytes.Contains(v, []byte("](")) { // also [text](#place)
			return true
		}
	case '%':
		if setOff(v) {
			return true
		}
	case '@':
		return setOff(v) || Begins(v, "@Microsoft", "@env:") || wordsBehind(v) || packageName(v)
	case '.':
		if templatePath(v) {
			return true
		}
	case ':':
		// A variable of psql's, a parameter of SQL's, a symbol of Ruby's.
		name := bytes.Trim(v[1:], Quotes)
		if len(v) > 3 && IdentifierOnly(name) && (len(name) < len(v)-1 || ShapeOf(v).Digit == 0) {
			return true
		}
	case '!', '&', '*', '#':
		if is, sure := markup(v); sure {
			return is
		}
	}
	return holdsVariable(v) || template(v) || BeginsFold(v, LookUpsBy()[v[0]]...)
}

// StandsFor reports whether v says where a secret is kept by what it begins with, or stands between two signs as a template's
// variables do.
func StandsFor(v []byte) bool {
	const pairs = "<>[](){}||%%@@"
	i := strings.IndexByte(pairs, v[0])
	return i >= 0 && i%2 == 0 && v[len(v)-1] == pairs[i+1] || BeginsFold(v, LookUpsBy()[v[0]]...)
}

// markup reports whether v, which begins with a sign, is an entity of a page or a tag or alias of YAML's, where that is sure.
func markup(v []byte) (is, sure bool) {
	if v[0] == '&' && v[len(v)-1] == ';' && IdentifierOnly(v[1:len(v)-1]) {
		return true, true
	}
	is = len(v) == 1 || v[1] == '{' || v[1] == '*' || IsLetter(v[1]) && wordsBehind(v)
	return is, ShapeOf(v).Digit <= 1
}

// variable reports whether v, which begins with a dollar sign, is a variable or goes on after one.
func variable(v []byte) bool {
	i := Past(v, 1, len(v), NameSigns)
	if i == len(v) {
		return true
	}
	var buf [32]byte
	name, rest := v[1:i], v[i+1:]
	switch v[i] {
	case '{': // ${NAME}, $ENV{NAME}
		return i == 1 || v[len(v)-1] == '}' && IdentifierOnly(bytes.Trim(rest[:len(rest)-1], Quotes))
	case '(', '$':
		return i == 1
	case '[': // $ARGV[2]
		return v[len(v)-1] == ']'
	case '/': // $HOME/.token
		return constantName(name)
	case ':': // $DB_PORT:3306, $env:TOKEN, $Id: what a version control fills in $
		return constantName(name) || Ends(v, " $") || IdentifierOnly(rest) && variableScopes[string(Lower(buf[:], name))]
	}
	return false
}

// variableScopes are PowerShell's.
var variableScopes = WordSet("env script global local using private")

// constantName reports whether v is a name of three letters and more, none of them small.
func constantName(v []byte) bool { return len(v) > 2 && IdentifierOnly(v) && ShapeOf(v).Lower == 0 }

// wordsBehind reports whether a name made of words stands behind the first sign of v.
func wordsBehind(v []byte) bool { return IdentifierOnly(v[1:]) && Wordy(v)*2 > len(v) }

// setOff reports whether v is a name between two signs like its first, or a bracket opens behind this.
func setOff(v []byte) bool {
	n := len(v) - 1
	if n > 4 && v[0] == v[1] && v[n] == v[n-1] {
		return setOff(v[1:n])
	}
	return n > 1 && (v[n] == v[0] && IdentifierOnly(v[1:n]) || v[1] == '(' || v[1] == '{')
}

// templatePath reports whether v is what a template looks up: .Values.auth.password.
func templatePath(v []byte) bool {
	return bytes.Count(v, []byte(".")) > 1 && IdentifierOnly(v) && !Drawn(v)
}

// packageName reports whether v is @scope/name.
func packageName(v []byte) bool {
	return bytes.Count(v, []byte("/")) == 1 && Only(v[1:], "abcdefghijklmnopqrstuvwxyz0123456789-./") && !Drawn(v)
}

// holdsVariable reports whether a variable stands within v: key=$NAME, a${b}, #{b}, %{b}, or $(b) to its end.
func holdsVariable(v []byte) bool {
	if i := bytes.Index(v, []byte("=$")); i > 0 && IdentifierOnly(v[:i]) && IdentifierOnly(v[i+2:]) {
		return true
	}
	for _, p := range [...]string{"${", "#{", "%{", "{$", "$("} {
		i := bytes.Index(v, []byte(p)) + 2
		if i > 1 && i < len(v) && (IsLetter(v[i]) || strings.IndexByte("{_[", v[i]) >= 0) && (p != "$(" || v[len(v)-1] == ')') {
			return true
		}
	}
	return false
}

// template reports whether something is to be filled in within v.
func template(v []byte) bool {
	if i := bytes.IndexByte(v, '{'); i >= 0 && i+3 < len(v) && (IsLetter(v[i+1]) || v[i+1] == '_') {
		j := i + bytes.IndexByte(v[i:], '}')
		if i == 0 && j > 4 && constantName(v[1:j]) {
			return true // {NAME}/token
		}
		if i > 0 && j > i+2 && IdentifierOnly(v[i+1:j]) && (j+1 == len(v) || v[i-1] == '.' || v[i-1] == '/') {
			return true // hub.{name}.token
		}
	}
	if i := bytes.IndexByte(v, '<'); i > 0 && i+3 < len(v) && IsLetter(v[i+1]) {
		j := i + bytes.IndexByte(v[i:], '>')
		if j > i+2 && IdentifierOnly(v[i+1:j]) && (v[i-1] == ':' || v[i-1] == '/') {
			return true // system:serviceaccount:<NAMESPACE>
		}
	}
	if len(v) < 40 {
		return Holds(v, "{{", "<%", "%s", "{}", "{0}") && !Random(v)
	}
	return doubleBraced(v)
}

func doubleBraced(v []byte) bool { return Holds(v, "{{") && Holds(v, "}}") }

// NameSigns are the signs of ASCII that names of programs are of.
const NameSigns = WordSigns + ".-"

// IdentifierOnly reports whether v is of NameSigns alone.
func IdentifierOnly(v []byte) bool { return Only(v, NameSigns) }

// NameLike reports whether v is a name put together from words and numbers: db-password-2, user.token, MyService_v1.
func NameLike(v []byte) bool {
	parts, words := 0, 0
	for len(v) > 0 {
		i := UpTo(v, 0, len(v), "-_./:")
		p, s := v[:i], ShapeOf(v[:i])
		v = v[min(i+1, len(v)):]
		letters := s.Lower + s.Upper
		switch {
		case i == 0:
			continue
		case s.Special > 0:
			return false
		case s.Digit == 0 && (i < 4 || Wordy(p)*10 >= i*7):
			words++
		case letters == 0 && i <= 8, letters <= 2 && i <= 5: // v1, 10s
		case s.Turns <= 1 && s.Digit <= 3 && i < 14: // node2, s3, x86
			words++
		default:
			return false
		}
		parts++
	}
	return parts > 1 && words > 0
}

// Namespaced reports whether v is the name of a class or a package with the names that it stands in: Acme\Security\Token,
// org.acme.TokenService.
func Namespaced(v []byte) bool {
	v = bytes.TrimLeft(v, `\`)
	parts, last := 0, v
	for p := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r == '\\' || r == '.' || r == ':' }) {
		if s := ShapeOf(p); s.Turns*2 > s.Length || IsDigit(p[0]) || !Only(p, WordSigns) {
			return false
		}
		parts++
		last = p
	}
	s := ShapeOf(v)
	if parts < 2 || s.Digit > parts || Wordy(v)*10 < (s.Lower+s.Upper)*6 {
		return false
	}
	return bytes.IndexByte(v, '\\') > 0 || parts > 4 || parts > 2 && IsUpper(last[0]) && HasOrdinary(last)
}

// PublicPoint reports whether v is an uncompressed point of P-256 in base64, as public keys for pushing are handed out.
func PublicPoint(v []byte) bool {
	v = bytes.TrimRight(v, "=")
	return len(v) == 87 && v[0] == 'B' && v[1] >= 'A' && v[1] <= 'P'
}

// PublicNKey reports whether v is the public key of a user, an account, a server or another of NATS'.
func PublicNKey(v []byte) bool {
	return len(v) == 56 && strings.IndexByte("UANCOX", v[0]) >= 0 && Only(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}

// derOf returns what stands in the sequence that v begins, in DER, in base64 or in hex; ok is false if it begins none.
func derOf(v []byte) (b [28]byte, ok bool) {
	var der [30]byte
	var err error
	switch {
	case len(v) >= 40 && v[0] == 'M':
		_, err = base64.StdEncoding.Decode(der[:], v[:40])
	case len(v) >= 60 && v[0] == '3':
		_, err = hex.Decode(der[:], v[:60])
	}
	if err != nil || der[0] != 0x30 || der[1] > 0x83 { // no value is longer than three bytes can tell
		return b, false
	}
	at := 2
	if der[1] > 0x80 {
		at += int(der[1] & 3)
	}
	copy(b[:], der[at:])
	return b, true
}

// PublicDER reports whether v is a public key or a certificate in DER: where a private key has its version, they have another
// sequence, or a large number.
func PublicDER(v []byte) bool {
	switch b, ok := derOf(v); {
	case !ok:
		return false
	case b[0] == 0x30:
		return !Holds(b[:], "\x86\xf7\x0d\x01\x05", "\x86\xf7\x0d\x01\x0c") // PKCS #5 and #12
	default:
		return b[0] == 0x02 && b[1] > 0x10
	}
}

// PrivateDER reports whether v is a private key in DER: a version, then a number, an algorithm or bytes.
func PrivateDER(v []byte) bool {
	b, ok := derOf(v)
	return ok && b[0] == 0x02 && b[1] == 1 && b[2] <= 1 && strings.IndexByte("\x02\x30\x04", b[3]) >= 0
}

// PublicPGP reports whether v is a public key of OpenPGP in base64: a packet of that kind, of version 4.
func PublicPGP(v []byte) bool {
	var b [6]byte
	if len(v) < 60 {
		return false
	}
	if _, err := base64.StdEncoding.Decode(b[:], v[:8]); err != nil {
		return false
	}
	return b[0] == 0x98 && b[2] == 4 || b[0] == 0x99 && b[3] == 4
}

// KeyBase64 reports whether v is 16, 32 or 64 bytes in base64, as keys are handed out.
func KeyBase64(v []byte) bool {
	if len(v) != 24 && len(v) != 44 && len(v) != 88 {
		return false
	}
	var out [66]byte
	n, err := base64.StdEncoding.Decode(out[:], v)
	return err == nil && (n == 16 || n == 32 || n == 64) && Random(v)
}

// FileName reports whether v ends like the name of a file or a host.
func FileName(v []byte) bool {
	var buf [32]byte
	i := bytes.LastIndexByte(v, '.')
	return i > 0 && extensions[string(Lower(buf[:], v[i+1:]))]
}

// HostPath reports whether v is a path below the name of a host: github.com/a/b.
func HostPath(v []byte) bool {
	i := bytes.IndexByte(v, '/')
	return i > 0 && FileName(v[:i]) && Only(v, NameSigns+"/") && !Random(v)
}

// Email reports whether v has the form of an address of mail.
func Email(v []byte) bool {
	return bytes.IndexByte(v, '@') > 0 && bytes.Count(v, []byte("@")) == 1 && FileName(v)
}

// Holds reports whether one of the texts stands in v.
func Holds(v []byte, texts ...string) bool {
	for _, t := range texts {
		if bytes.Contains(v, []byte(t)) {
			return true
		}
	}
	return false
}

// Begins reports whether v begins with one of the texts.
func Begins(v []byte, texts ...string) bool {
	for _, t := range texts {
		if len(v) >= len(t) && string(v[:len(t)]) == t {
			return true
		}
	}
	return false
}

// Ends reports whether v ends with one of the texts.
func Ends(v []byte, texts ...string) bool {
	for _, t := range texts {
		if len(v) >= len(t) && string(v[len(v)-len(t):]) == t {
			return true
		}
	}
	return false
}

// BeginsFold reports whether v begins with one of the texts, in any case.
func BeginsFold(v []byte, texts ...string) bool {
	for _, t := range texts {
		if len(v) >= len(t) && equalFold(v[:len(t)], t) {
			return true
		}
	}
	return false
}

// EndsFold reports whether v ends with one of the texts, in any case.
func EndsFold(v []byte, texts ...string) bool {
	for _, t := range texts {
		if len(v) >= len(t) && equalFold(v[len(v)-len(t):], t) {
			return true
		}
	}
	return false
}

// equalFold is bytes.EqualFold of two texts of one length. Most differ in the last byte, which is looked at first.
func equalFold(v []byte, t string) bool {
	if n := len(t) - 1; n >= 0 && t[n] < 0x80 && t[n]|0x20 != v[n]|0x20 {
		return false
	}
	return bytes.EqualFold(v, []byte(t))
}

// Expression reports whether v, unquoted, is code: a call, a path of fields, a generic type.
func Expression(v []byte) bool {
	v = v[:min(len(v), 4*MaxLook)]
	if Holds(v, "(", "->", "::", "=>", "[]", "?.", "vec![") {
		return true
	}
	i, j := bytes.IndexByte(v, '['), bytes.IndexByte(v, '<')
	// A generic type may have its arguments on the lines below.
	return i > 0 && IsWord(v[i-1]) || j > 0 && IsWord(v[j-1]) && (j == len(v)-1 || v[len(v)-1] == '>' && IsLetter(v[j+1]))
}

// Decoded returns what v is in base64, nil if it is not base64 of ASCII text.
func Decoded(v []byte) []byte { return DecodedIn(nil, v) }

// DecodedIn is decoded with the result in buf, where it is long enough.
func DecodedIn(buf, v []byte) []byte {
	v = bytes.TrimRight(v, "=")
	if len(v) < 4 || len(v) > 8<<10 {
		return nil
	}
	enc := base64.RawStdEncoding
	if bytes.IndexByte(v, '-') >= 0 || bytes.IndexByte(v, '_') >= 0 {
		enc = base64.RawURLEncoding
	}
	// Most values are no text in base64, and their beginning tells.
	var first [6]byte
	n, err := enc.Decode(first[:], v[:min(len(v)&^3, 8)])
	if err != nil || !printable(first[:n]) || bytes.ContainsAny(v, "\r\n") { // which the decoder skips
		return nil
	}
	out := buf
	if n := enc.DecodedLen(len(v)); n > len(out) {
		out = make([]byte, n)
	}
	if n, err = enc.Decode(out, v); err != nil || !printable(out[:n]) {
		return nil
	}
	return out[:n]
}

func printable(text []byte) bool {
	for _, b := range text {
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' || b >= 0x7F {
			return false
		}
	}
	return true
}
