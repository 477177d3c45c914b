package secret

import (
	"bytes"
	"math/bits"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file says what a candidate looks like. A feature is a number; what it means stands in FeatureName, what it weighs in
// weights.go. All of it is counting: no floating point, which machines round differently.

// kind is what a value looks like; of several, the first.
type kind uint8

const (
	kindLookUp   kind = iota // a reference, a template: ${X}, <key>, env.X
	kindCode                 // an expression
	kindPlace                // a path, a URL, the name of a file or a host
	kindConstant             // true, null, a number with a unit
	kindElided               // xxxx, ****, …
	kindSame                 // one character, counted or repeated
	kindHash                 // the hash of a password, an algorithm's name before it
	kindPublic               // a public key, a certificate
	kindUUID
	kindJWT
	kindComposite // JSON in a text, with a part drawn by lot
	kindPhrase    // words with blanks that no program and no label has
	kindSentence  // three words and more
	kindHex       // 16 digits and more
	kindHexShort
	kindDrawn      // letters and digits by lot, 20 and more
	kindDrawnShort // 12 to 19
	kindDigits
	kindExpression // a regular one
	kindSetWord    // a word that is set where no secret is meant: password, changeme
	kindSample     // a value that holds such a word
	kindNameLike   // words joined: user-token
	kindCamel      // userToken
	kindUpper      // USER_TOKEN
	kindWord       // one lower-case word that programs are named with
	kindOwnWord    // one lower-case word, or what reads like one
	kindWordDigits // letters, then digits
	kindMixed      // letters with digits or signs, 8 and more
	kindMixedShort
	kindOther
	kinds
)

var kindNames = [kinds]string{"look-up", "code", "place", "constant", "elided", "same", "hash", "public", "uuid", "jwt", "composite", "phrase", "sentence", "hex", "hex-short", "drawn", "drawn-short",
	"digits", "expression", "set-word", "sample", "name-like", "camel", "upper", "word", "own-word", "word-digits", "mixed", "mixed-short", "other"}

// level is how much chance there is in a value, as its kind tells.
type level uint8

const (
	levelNone   level = iota // it stands for something else
	levelKnown               // hashed, or meant for all
	levelWords               // words that programs are named with
	levelOwn                 // other words
	levelDigits              // digits, or one character again and again
	levelShort               // mixed, short
	levelMixed               // mixed
	levelDrawn               // drawn by lot
	levels
)

var levelNames = [levels]string{"none", "known", "words", "own", "digits", "short", "mixed", "drawn"}

// levelOf are the levels of kinds.
var levelOf = [kinds]level{
	kindHash: levelKnown, kindPublic: levelKnown,
	kindSetWord: levelWords, kindSample: levelWords, kindNameLike: levelWords, kindWord: levelWords,
	kindCamel: levelOwn, kindUpper: levelOwn, kindOwnWord: levelOwn,
	kindSame: levelDigits, kindDigits: levelDigits,
	kindHexShort: levelShort, kindMixedShort: levelShort,
	kindWordDigits: levelMixed, kindPhrase: levelMixed, kindMixed: levelMixed, kindDrawnShort: levelMixed,
	kindUUID: levelDrawn, kindJWT: levelDrawn, kindComposite: levelDrawn, kindHex: levelDrawn, kindDrawn: levelDrawn,
}

// class is what a name says of its value.
type class uint8

const (
	classNone class = iota
	classNot
	classWeak
	classWeakTail
	classToken
	classTokenTail
	classPass
	classPassTail
	classes
)

var classNames = [classes]string{"none", "not", "weak", "weak-tail", "token", "token-tail", "pass", "pass-tail"}

var styleNames = [...]string{"config", "code", "prose"}

// classOf is the class of a name that may be a secret's.
func classOf(k value.Naming) class {
	c := classToken
	switch k.Noun {
	case value.WeakNoun:
		c = classWeak
	case value.PassNoun:
		c = classPass
	}
	if k.Strict {
		c++
	}
	return c
}

// The flags.
const (
	flagStandIn = iota
	flagSample
	flagComment
	flagTestPath
	flagExamplePath
	flagDocPath
	flagTranslated
	flagLock
	flagEqualsName
	flagSharesWord
	flagHoldsNoun
	flagUpperFirst
	flagSpecial
	flagSpecialTwo
	flagJoint
	flagSpace
	flagHigh
	flagDigitsLast
	flagAuthorization
	flagEnvName
	flagDotted
	flagLongName
	flagPadded
	flagPair
	flagMadeUp
	flagPhrase
	flagPlainWords
	flagSpacedPhrase
	flagLikely
	flagStrictlyLikely
	flagDrawnPart
	flagKeyBase64
	flagOrdinary
	flags
)

var flagNames = [flags]string{"stand-in", "sample", "comment", "test-path", "example-path", "doc-path", "translated", "lock", "equals-name", "shares-word", "holds-noun", "upper-first", "special", "special-two",
	"joint", "space", "high", "digits-last", "authorization", "env-name", "dotted-name", "long-name", "padded", "pair in base64", "made up", "phrase", "plain words", "spaced phrase",
	"like a password", "strictly like a password", "drawn in part", "key in base64", "ordinary word"}

// families are the words that end names, by what they have in common.
var families = [...]string{"password", "pass", "secret", "token", "key", "apikey", "auth", "credential", "session", "salt", "code", "jwt"}

var familyOf = value.WordMap(map[int]string{
	0:  "password passwords passphrase passwort kennwort senha contrasena wachtwoord haslo passwd",
	1:  "pass pwd psw pw psk mdp userpass dbpass",
	2:  "secret secrets clientsecret appsecret",
	3:  "token tokens accesstoken authtoken refreshtoken apitoken",
	4:  "key keys",
	5:  "apikey apikeys secretkey accesskey authkey privatekey masterkey appkey sharedkey accountkey",
	6:  "auth authorization access",
	7:  "credential credentials creds",
	8:  "session sessionid sid cookie cookies phpsessid jsessionid",
	9:  "salt pepper",
	10: "pin otp totp passcode",
	11: "jwt bearer",
})

const (
	buckets      = 8
	atKind       = 0
	atKindGroup  = atKind + int(kinds)
	atClassLevel = atKindGroup + 3*int(kinds)
	atLevelStyle = atClassLevel + int(classes)*int(levels)
	atClassForm  = atLevelStyle + int(levels)*6
	atFormStyle  = atClassForm + int(classes)*int(forms)
	atClassStyle = atFormStyle + int(forms)*3
	atLength     = atClassStyle + int(classes)*3
	atEntropy    = atLength + 3*buckets
	atSorts      = atEntropy + 3*buckets
	atWordy      = atSorts + 8
	atDistinct   = atWordy + 6
	atSpaces     = atDistinct + buckets
	atFlags      = atSpaces + 5
	atMadeClass  = atFlags + flags
	atLastWord   = atMadeClass + int(classes)
	atNear       = atLastWord + len(families)
	atUsual      = atNear + 2*int(nears)
	atLeast      = atUsual + 3*6
	atMost       = atLeast + 3*(value.LevelsOfUse+1)
	atCovered    = atMost + 3*(value.LevelsOfUse+1)
	// Features is the number of features.
	Features = atCovered + 3*6
)

// What features stand for that count something.
var (
	groupNames  = []string{"other", "token", "pass"}
	placeNames  = []string{"config quoted", "config bare", "code quoted", "code bare", "prose quoted", "prose bare"}
	countNames  = []string{"0", "1", "2", "3", "4", "5", "6", "7"}
	lengthNames = []string{"3", "5", "6", "8", "12", "16", "24", "48"}
	useNames    = []string{"0", "1", "2", "3", "4", "5", "6", "no word"}
	bitNames    = []string{"1.5", "2", "2.5", "3", "3.5", "4", "4.5", "5"}
)

// featureNames are the names of all features in their order: of those from at on, each of one list with each of another.
var featureNames = [...]struct {
	at    int
	first string
	names []string
	then  string
	with  []string
}{
	{atKind, "value ", kindNames[:], "", nil},
	{atKindGroup, "name ", groupNames, ", value ", kindNames[:]},
	{atClassLevel, "name ", classNames[:], ", chance ", levelNames[:]},
	{atLevelStyle, "chance ", levelNames[:], ", in ", placeNames},
	{atClassForm, "name ", classNames[:], ", form ", formNames[:]},
	{atFormStyle, "form ", formNames[:], ", in ", styleNames[:]},
	{atClassStyle, "name ", classNames[:], ", in ", styleNames[:]},
	{atLength, "name ", groupNames, ", length from ", lengthNames},
	{atEntropy, "name ", groupNames, ", entropy ", bitNames},
	{atSorts, "sorts of characters ", countNames, "", nil},
	{atWordy, "fifths like words ", countNames, "", nil},
	{atDistinct, "distinct characters from ", []string{"1", "3", "4", "6", "8", "10", "14", "20"}, "", nil},
	{atSpaces, "spaces from ", []string{"0", "1", "2", "4", "7"}, "", nil},
	{atFlags, "", flagNames[:], "", nil},
	{atMadeClass, "made by somebody, name ", classNames[:], "", nil},
	{atLastWord, "last word ", families[:], "", nil},
	{atNear, "name ", groupNames[1:], ", near ", nearNames[:]},
	{atUsual, "name ", groupNames, ", fifths in known words ", countNames[:6]},
	{atLeast, "name ", groupNames, ", least usual word ", useNames},
	{atMost, "name ", groupNames, ", most usual word ", useNames},
	{atCovered, "name ", groupNames, ", fifths put together of known words ", countNames[:6]},
}

// FeatureName says what a feature is.
func FeatureName(f uint16) string {
	if int(f) >= Features {
		return "none"
	}
	i := len(featureNames) - 1
	for int(f) < featureNames[i].at {
		i--
	}
	g := &featureNames[i]
	n := int(f) - g.at
	if g.with == nil {
		return g.first + g.names[n]
	}
	return g.first + g.names[n/len(g.with)] + g.then + g.with[n%len(g.with)]
}

// look is what a candidate's value looks like.
type look struct {
	value []byte // of JSON in a text, the part drawn by lot
	shape value.Shape
	kind  kind
	style value.Style
	bare  bool // without quotes
}

func (c *candidate) look() look {
	l := look{value: c.text, style: c.place.style, bare: c.notation.bare}
	st := l.style
	if l.bare && st == value.AsCode && c.place.words {
		st = value.AsConfig // no name of the program's
	}
	l.shape = value.ShapeOf(l.value)
	l.kind = kindOf(l.value, l.shape, l.bare, st)
	if l.kind == kindComposite {
		l.value = composite(l.value)
		l.shape = value.ShapeOf(l.value)
		l.kind = kindOf(l.value, l.shape, false, l.style)
	}
	return l
}

// features appends what the value looks like, under a name, in a form.
func (j *judgement) features(dst []uint16) []uint16 {
	l, k, f := &j.look, &j.Naming, j.form
	name := j.name
	c := classOf(*k)
	v, s, st := l.value, l.shape, l.style
	bare := boolInt(l.bare)
	group := 0
	switch c {
	case classToken, classTokenTail:
		group = 1
	case classPass, classPassTail:
		group = 2
	}
	add := func(at int) { dst = append(dst, uint16(at)) }
	chance := int(levelOf[l.kind])
	add(atKind + int(l.kind))
	add(atKindGroup + group*int(kinds) + int(l.kind))
	add(atClassLevel + int(c)*int(levels) + chance)
	add(atLevelStyle + chance*6 + int(st)*2 + bare)
	add(atClassForm + int(c)*int(forms) + int(f))
	add(atFormStyle + int(f)*3 + int(st))
	add(atClassStyle + int(c)*3 + int(st))
	add(atLength + group*buckets + bucket(len(v), 5, 6, 8, 12, 16, 24, 48))
	if levelOf[l.kind] >= levelOwn { // of a hash or a text it says nothing
		add(atEntropy + group*buckets + bucket(entropy64(v), 96+32, 128+32, 160+32, 192+32, 224+32, 256+32, 288+32))
	}
	sorts := 0
	for i, n := range [...]int{s.Lower, s.Upper, s.Digit} {
		if n > 0 {
			sorts |= 1 << i
		}
	}
	add(atSorts + sorts)
	letters := s.Lower + s.Upper
	add(atWordy + fifths(value.Wordy(v), letters))
	use := value.UsageOf(v)
	add(atUsual + group*6 + fifths(use.Letters, letters))
	add(atCovered + group*6 + fifths(use.Covered, letters))
	add(atLeast + group*(value.LevelsOfUse+1) + use.Least)
	add(atMost + group*(value.LevelsOfUse+1) + use.Most)
	add(atDistinct + bucket(s.Distinct, 3, 4, 6, 8, 10, 14, 20))

	add(atSpaces + bucket(s.Space, 1, 2, 4, 7))

	flag := func(n int, is bool) {
		if is {
			add(atFlags + n)
		}
	}
	random := value.Drawn(v) // whatever word stands beside
	env := len(name) > 0 && envName(name)
	pass := k.Noun == value.PassNoun
	made := pass && value.MadeUp(v)
	flag(flagMadeUp, made)
	words := pass && value.Phrase(v)
	flag(flagPhrase, words)
	plain := pass && value.PlainWords(v, env)
	flag(flagPlainWords, plain)
	spaced := pass && s.Space > 0 && (value.AppPassword(v) || value.SpacedPhrase(v, s, env || bare == 0))
	flag(flagSpacedPhrase, spaced)
	if made || words || plain || spaced {
		add(atMadeClass + int(c))
	}
	if value.PasswordLike(v, s, false) {
		flag(flagLikely, true)
		flag(flagStrictlyLikely, value.PasswordLike(v, s, true))
	}
	flag(flagDrawnPart, random)
	flag(flagKeyBase64, value.KeyBase64(v))
	flag(flagOrdinary, value.HasOrdinary(v))
	flag(flagStandIn, !random && value.StandIn(v))
	flag(flagSample, !random && value.Sample(v))
	flag(flagComment, j.place.comment)
	p := &j.place.traits
	flag(flagTestPath, p.test)
	flag(flagExamplePath, p.example)
	flag(flagDocPath, p.doc)
	flag(flagTranslated, j.place.translated)
	flag(flagLock, p.lock)
	flag(flagEqualsName, bytes.EqualFold(v, name))
	flag(flagSharesWord, sharesWord(name, v))
	flag(flagHoldsNoun, holdsNoun(v))
	flag(flagUpperFirst, value.IsUpper(v[0]))
	flag(flagSpecial, s.Special > 0)
	flag(flagSpecialTwo, s.Special > 1)
	flag(flagJoint, s.Joint > 0)
	flag(flagSpace, s.Space > 0)
	flag(flagHigh, s.High > 0)
	flag(flagDigitsLast, value.IsDigit(v[len(v)-1]) && letters > 0)
	flag(flagAuthorization, k.Authorization)
	flag(flagEnvName, env)
	flag(flagDotted, bytes.IndexByte(name, '.') >= 0)
	flag(flagLongName, len(name) > 24)
	flag(flagPadded, v[len(v)-1] == '=')
	flag(flagPair, f == formScheme && bytes.IndexByte(value.DecodedIn(j.buf, v), ':') > 0)
	var buf [32]byte
	if i, ok := familyOf[string(value.LastWord(&buf, value.TrimDigits(name)))]; ok {
		add(atLastWord + i)
	}
	if group > 0 && f != formURL { // which has a user and a host in itself
		set := j.candidate.near.set()
		for n := range nears {
			if set.has(n) {
				add(atNear + (group-1)*int(nears) + int(n))
			}
		}
	}
	return dst
}

// bucket is the number of limits that n reaches.
func bucket(n int, limits ...int) int {
	for i, limit := range limits {
		if n < limit {
			return i
		}
	}
	return len(limits)
}

func fifths(n, of int) int {
	if of == 0 {
		return 0
	}
	return min(5, n*5/of)
}

// log64 is 64 times the binary logarithm of n, cut, from 1 to 1023.
func log64(n int) int {
	whole := bits.Len(uint(n)) - 1
	// The part behind the point by squaring, on 16 bits.
	x := uint64(n) << 16 >> whole
	part := 0
	for i := 5; i >= 0; i-- {
		x = x * x >> 16
		if x >= 2<<16 {
			x >>= 1
			part |= 1 << i
		}
	}
	return whole*64 + part
}

// entropy64 is 64 times the entropy in bits a byte, cut.
func entropy64(v []byte) int {
	var count [256]uint16
	for _, b := range v {
		count[b]++
	}
	sum := 0
	for _, n := range count {
		if n > 0 {
			sum += int(n) * log64(int(n))
		}
	}
	return log64(len(v)) - sum/len(v)
}

// sharesWord reports whether name and value have a word of four letters in common.
func sharesWord(name, v []byte) bool {
	var buf [32]byte
	v = v[:min(len(v), 64)]
	for len(name) > 0 {
		i := value.FirstWord(name)
		if i >= 4 && i <= len(buf) && value.HasFold(v, string(value.Lower(buf[:], name[:i]))) {
			return true
		}
		name = name[max(i, 1):]
	}
	return false
}

// holdsNoun reports whether v, as a name, says what a secret is called.
func holdsNoun(v []byte) bool {
	return len(v) <= 64 && value.Classify(v).Noun != value.NoNoun
}

// kindOf says what a value looks like; of several, the first.
func kindOf(v []byte, s value.Shape, bare bool, st value.Style) kind {
	k := kindOfOther(v, &s, bare, st)
	if k == kinds {
		k = kindOfFormed(v, &s)
	}
	if k == kinds {
		k = kindOfText(v, &s)
	}
	if k == kinds {
		k = kindOfDrawn(v, &s, bare)
	}
	if k == kinds {
		k = kindOfWords(v, &s)
	}
	return k
}

// kindOfOther tells values that stand for another.
func kindOfOther(v []byte, s *value.Shape, bare bool, st value.Style) kind {
	switch {
	case value.PasswordHash(v):
		return kindHash
	case v[0] < ' ': // a terminal's colour
		return kindCode
	case (v[0] == '{' || v[0] == '[') && len(v) > 16 && composite(v) != nil:
		return kindComposite
	case bare && st == value.AsCode && value.IdentifierOnly(v) && s.Digit*4 < s.Length:
		return kindCode
	case value.LookUp(v):
		return kindLookUp
	case bare && (v[0] == '{' || v[0] == '[' || v[0] == '(' || value.Expression(v) || st == value.AsCode && bytes.IndexByte(v, '{') > 0), together(v):
		return kindCode
	case version(v), bytes.Contains(v, []byte("://")), value.Begins(v, "/", "./", "../", "~/"), value.FileName(v), value.Email(v), isAddress(v), value.HostPath(v):
		return kindPlace
	}
	return kinds
}

// together reports whether v, between two quotes, is what puts texts together: ' + name + '.
func together(v []byte) bool {
	last := v[len(v)-1]
	return v[0] == '+' && last == '+' || v[0] == '.' && last == '.' || value.Holds(v, "\"+", "'+", "\" +", "' +", "+\"", "+'", "`+", "+`", "` +", "+ `", "+ \"", "+ '")
}

// kindOfFormed tells values that have the form of a known thing.
func kindOfFormed(v []byte, s *value.Shape) kind {
	switch {
	case s.Length < 400 && value.IsUUID(v):
		if s.Distinct <= 6 {
			return kindSame
		}
		return kindUUID
	case value.Begins(v, "eyJ") && bytes.IndexByte(v, '.') > 0:
		return kindJWT
	case value.Begins(v, "ssh-", "ecdsa-", "AAAAB3NzaC1", "AAAAE2VjZHNhLXNoYTI", "AAAAC3NzaC1lZDI1NTE5", "-----BEGIN PUB", "-----BEGIN CERT", "-----BEGIN RSA PUB", "openpgp4fpr:", "keybase:"),
		value.Begins(v, "0024000004800000"), // .NET's
		value.PublicPoint(v), value.PublicDER(v), value.PublicNKey(v), value.PublicPGP(v),
		len(v) == 42 && value.Begins(v, "0x", "0X") && value.AllHex(v[2:]):
		return kindPublic
	case value.ElisionWords().Holds(v), s.Distinct <= 2 && s.Special+s.Joint == s.Length:
		return kindElided
	case s.Distinct <= 2, value.Monotonous(v):
		return kindSame
	case isConstant(v), value.IsTime(v):
		return kindConstant
	case value.RegexLike(v):
		return kindExpression
	}
	return kinds
}

// kindOfText tells words with blanks.
func kindOfText(v []byte, s *value.Shape) kind {
	switch {
	case s.Space > 1 && (value.AppPassword(v) || value.SpacedPhrase(v, *s, true)):
		return kindPhrase
	case (s.Space >= 2 || s.Space > 0 && s.Digit == 0) && !value.Random(v):
		return kindSentence
	}
	return kinds
}

// kindOfDrawn tells values that were drawn by lot.
func kindOfDrawn(v []byte, s *value.Shape, bare bool) kind {
	letters := s.Lower + s.Upper
	switch {
	case value.AllHex(v) && s.Digit > 0 && letters > 0 && s.Length >= 16:
		return kindHex
	case value.AllHex(v) && s.Digit > 1 && letters > 1 && s.Length >= 8:
		return kindHexShort
	case value.Random(v) && value.OrdinaryLetters(v, len(v))*2 >= letters: // onMaxParamLength
	case value.Random(v) && s.Length >= 20:
		return kindDrawn
	case value.Random(v):
		return kindDrawnShort
	case letters == 0 && s.Special+s.Joint == 0:
		return kindDigits
	case bare && value.Holds(v, "(", "{"):
		return kindCode
	}
	return kinds
}

// kindOfWords tells values that are words, or made of them.
func kindOfWords(v []byte, s *value.Shape) kind {
	var buf [32]byte
	letters := s.Lower + s.Upper
	switch {
	case s.Length <= 32 && value.WeakWords[string(value.Lower(buf[:], v))]:
		return kindSetWord
	case value.StandIn(v) && !value.Drawn(v):
		return kindSample
	case s.Lower == s.Length && value.OrdinaryLetters(v, s.Length) == s.Length:
		return kindWord
	case s.Lower == s.Length:
		return kindOwnWord
	case s.Lower == 0 && s.Special == 0 && s.Upper > 0 && s.Digit <= 1:
		return kindUpper
	case value.NameLike(v) || value.Namespaced(v):
		return kindNameLike
	case s.Special+s.Joint+s.Digit == 0:
		return kindCamel
	case s.Special+s.Joint == 0 && s.Digit > 0 && len(value.TrimDigits(v))+s.Digit == s.Length:
		return kindWordDigits
	case letters > 0 && s.Length >= 8:
		return kindMixed
	case letters > 0:
		return kindMixedShort
	}
	return kindOther
}

// composite returns the first part of v that was drawn by lot; nil if none was.
func composite(v []byte) []byte {
	for len(v) > 0 {
		i := value.Past(v, 0, len(v), value.WordSigns)
		if p := v[:i]; i >= 16 && (value.AllHex(p) && value.ShapeOf(p).Digit > 0 || value.Random(p)) {
			return p
		}
		v = v[max(i, 1):]
	}
	return nil
}

// isConstant reports whether v is a truth, nothing, or a number with a unit.
func isConstant(v []byte) bool {
	if len(v) > 12 {
		return false
	}
	var buf [32]byte
	switch string(value.Lower(buf[:], v)) {
	case "true", "false", "null", "nil", "none", "undefined", "yes", "no", "on", "off", "string", "number", "boolean", "required", "optional", "enabled", "disabled", "auto", "default", "confirmed", "nullable", "hashed", "always", "never", "prompt", "inherit", "unset", "unchanged", "on_create":
		return true
	}
	rest := bytes.TrimLeft(v, "0123456789.-+")
	if len(rest) < len(v) && units[string(value.Lower(buf[:], bytes.TrimSpace(rest)))] {
		return true
	}
	return len(rest) < len(v) && len(rest) <= 2 && len(rest) > 0 && !bytes.ContainsAny(rest, "!@#$%^&*")
}

// units are what numbers of settings are counted in.
var units = value.WordSet("second seconds sec secs minute minutes min mins hour hours day days week weeks month months year years byte bytes kib mib gib char chars times percent")

// isAddress reports whether v is an address of the Internet, perhaps with the length of its net.
func isAddress(v []byte) bool {
	if i := bytes.IndexByte(v, '/'); i > 0 && value.AllDigits(v[i+1:]) {
		v = v[:i]
	}
	dots, colons := bytes.Count(v, []byte(".")), bytes.Count(v, []byte(":"))
	return len(v) < 46 && len(bytes.Trim(v, "0123456789abcdefABCDEF.:")) == 0 && (dots == 3 && colons == 0 || dots == 0 && colons >= 2 && bytes.Contains(v, []byte("::")) || colons == 7)
}

// version reports whether v begins as the versions of packages do: 4.18.7_x.
func version(v []byte) bool {
	return value.IsDigit(v[0]) && bytes.Count(v[:value.Past(v, 0, len(v), value.DigitSigns+".")], []byte(".")) == 2
}
