package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads what belongs to a name by its position: the name is one of the parameters of a function, the fields of a structure or
// the columns that a test names, and the value stands in the same place where these are called, made or listed.
//
//	data class Account(val login: String, val secret: String) … Account("bob", "value")
//	type cred struct { User, Token string } … []cred{{"bob", "value"}}
//	@pytest.mark.parametrize("user,password", [("bob", "value")])
//	[InlineData("bob", "value")] public void Login(string user, string password)

const (
	maxParameters = 600       // bytes between the bracket that opens parameters and the name
	maxUses       = 64        // places where what was declared is used, of a name
	maxDeclared   = 24        // names whose uses are looked for, of a file
	maxAbove      = 3 << 10   // bytes above a function that hold the rows of its test
	maxUsed       = 256 << 10 // bytes on either side of a declaration in which it is looked for
)

// position is where a name stands among others.
type position struct {
	at     int    // the bracket
	column int    // the name's place, from 0 on
	name   []byte // what the brackets belong to; empty where that has none
}

// positions takes the values in the name's place.
func (a *assignment) positions() {
	if a.style() != value.AsCode || a.insideComment() {
		return
	}
	if a.listedNames() {
		return
	}
	if a.closed != 0 {
		return
	}
	a.attributed()
	text := a.r.text
	if b := value.ByteAt(text, a.hi); b == '.' || b == '(' {
		return // what is used, no parameter
	}
	o, ok := a.parameters()
	if !ok {
		return
	}
	if text[o.at] == '{' {
		if len(o.name) == 0 { // of no name, which Go's and C's may have
			end := closes(text, a.hi, min(len(text), a.hi+maxHeader))
			if i := value.Past(text, end+1, 64, value.WordSigns+" []="); value.ByteAt(text, i) == '{' {
				a.rows(i, o.column)
			}
			return
		}
		a.uses(o, "{", "(")
		return
	}
	if !a.declares(o) {
		return
	}
	a.testRows(o)
	if end := value.UpTo(text, a.hi, maxHeader, "()[]{}=;"); len(o.name) == 0 && value.HasPrefixAt(text, end, ")] = [") { // a list of tuples
		a.rows(end+len(")] = "), o.column)
	}
	if len(o.name) > 1 && !notCalled[string(o.name)] {
		a.uses(o, "(", "{")
	}
}

// maxAttributeLines bounds the lines above a declaration in which its attributes are read.
const maxAttributeLines = 8

// attributed takes the default that an attribute on the lines above what is declared gives it: #[arg(default_value = "value")],
// [DefaultValue("value")], @Value("${name:value}") stands in quotes of its own.
func (a *assignment) attributed() {
	text := a.r.text
	sign := value.SkipBlank(text, a.hi)
	if sign >= len(text) || strings.IndexByte(":;={", text[sign]) < 0 && !value.BeginsFold(text[sign:], "as ") {
		return
	}
	at := value.BackTo(text, a.lo, maxLead, "\n")
	from, to := 0, 0
	for n := range maxAttributeLines {
		if at < 2 {
			return
		}
		line := value.BackTo(text, at-1, maxLead, "\n")
		l := bytes.TrimSpace(text[line : at-1])
		begins := value.Begins(l, "#[", "@", "[", "<")
		if len(l) == 0 || !begins && !value.Ends(l, "]", ")") && (n == 0 || !value.Ends(l, ",")) {
			return
		}
		a.r.spend(2 * len(l))
		if i := bytes.Index(text[line:at-1], []byte("efault")); i > 0 && to == 0 {
			sign := value.SkipBlank(text, value.Past(text, line+i, 24, value.WordSigns))
			if b := value.ByteAt(text, sign); b == '=' || b == '(' {
				from, to, _ = a.r.literal(sign + 1)
			}
		}
		if begins {
			if to > 0 {
				a.far(formDefault, from, to)
			}
			return
		}
		at = line
	}
}

// notCalled are words before a bracket that are no names of functions.
var notCalled = value.WordSet("if for while switch catch return function func fn def sub when match with using async await lambda and or not in elif new print println printf fmt len require import params param block constructor init")

// declaring are words of a line that declares a function, or a type with its fields.
var declaring = [...]string{"def ", "defp ", "fn ", "fun ", "func ", "function ", "sub ", "class ", "record ", "struct ", "object ", "type ", "constructor", "method ", "init(", "=> ", "procedure "}

// declares reports whether the names in the brackets are declared there: a word of the line says so, or a type stands beside the name.
func (a *assignment) declares(o position) bool {
	text := a.r.text
	if bytes.HasSuffix(bytes.TrimRight(text[o.at+1:a.lo], " *&"), []byte(",")) || o.column == 0 && len(bytes.TrimSpace(text[o.at+1:a.lo])) == 0 { // nothing before the name
		i := value.SkipBlank(text, a.hi)
		if value.IsWord(value.ByteAt(text, i)) && i > a.hi || value.ByteAt(text, a.hi) == ':' {
			return true // name Type, name: Type
		}
		line := text[value.BackTo(text, o.at, 160, "\n"):o.at]
		end := value.UpTo(text, a.hi, maxParameters, ")")
		return value.Holds(line, declaring[:]...) || value.HasPrefixAt(text, end, ") =>")
	}
	before := value.Back(text, a.lo, 2, " *&$")
	return before < a.lo && (value.IsWord(value.ByteAt(text, before-1)) || strings.IndexByte(">]?", value.ByteAt(text, before-1)) >= 0)
}

// parameters finds the bracket that the name stands behind, as one of the names in it.
func (a *assignment) parameters() (o position, ok bool) {
	text := a.r.text
	least := max(0, a.lo-maxParameters)
	depth, parts, first := 0, 0, a.lo
	for i := a.lo - 1; i >= least; i-- {
		switch b := text[i]; b {
		case ')', ']', '}':
			depth++
		case '>':
			if i > 0 && text[i-1] != '-' && text[i-1] != '=' {
				depth++
			}
		case '<':
			depth--
		case ',', ';':
			if depth == 0 {
				parts++
				first = i
			}
		case '\n':
			if depth == 0 && value.IsWord(lastSign(text[least:i])) && first != i { // a field a line
				parts++
				first = i
			}
		case '"', '\'', '`':
			return o, false
		case '(', '[', '{':
			if depth > 0 {
				depth--
				continue
			}
			a.r.spend(2 * (a.lo - i))
			if b == '[' || depth < 0 {
				return o, false
			}
			o = position{at: i, column: parts, name: declaredName(text, i)}
			if self := bytes.TrimLeft(text[i+1:min(len(text), i+16)], " &\n\t"); parts > 0 && value.Begins(self, "self,", "mut self,", "cls,", "this,") {
				o.column--
			}
			return o, b == '(' || b == '{' && isStructure(text[max(0, i-80):i])
		}
	}
	a.r.spend(2 * (a.lo - least))
	return o, false
}

func lastSign(text []byte) byte {
	text = bytes.TrimRight(text, " \t\r")
	if len(text) == 0 {
		return 0
	}
	return text[len(text)-1]
}

// declaredName returns the name before the bracket at at, less what stands between pointed brackets.
func declaredName(text []byte, at int) []byte {
	end := value.Back(text, at, 2, " ")
	if end > 0 && text[end-1] == '>' {
		if i := bytes.LastIndexByte(text[max(0, end-40):end], '<'); i >= 0 {
			end = max(0, end-40) + i
		}
	}
	name := text[value.Back(text, end, 64, value.WordSigns):end]
	if string(name) == "struct" { // type NAME struct
		end = value.Back(text, end-len(name), 8, " ")
		if name = text[value.Back(text, end, 64, value.WordSigns):end]; string(name) == "typedef" {
			name = nil
		}
	}
	return name
}

// isStructure reports whether what stands before a brace makes it that of a structure's fields.
func isStructure(head []byte) bool {
	line := head[bytes.LastIndexByte(head, '\n')+1:]
	return bytes.Contains(line, []byte("struct")) && !bytes.ContainsAny(line, ";\"")
}

// listedSigns are the bytes of a list of names.
var listedSigns = value.ByteSetOf(value.WordSigns + ", ")

// listedNames reads the rows of a test whose columns a text names, "user,password", or a list in a call that makes a structure.
func (a *assignment) listedNames() bool {
	text := a.r.text
	hi := listedSigns.Past(text, a.hi, maxCell)
	if !value.IsQuote(value.ByteAt(text, hi)) {
		return false
	}
	lo := value.Back(text, a.lo, maxCell, value.WordSigns+", ")
	if lo == 0 || text[lo-1] != text[hi] {
		return false
	}
	names := text[lo:hi]
	if bytes.IndexByte(names, ',') < 0 {
		return false
	}
	column := bytes.Count(text[lo:a.lo], []byte(","))
	at := value.Past(text, hi+1, 80, value.Spaces+",")
	if b := value.ByteAt(text, at); b != '[' && b != '(' || value.ByteAt(text, hi+1) != ',' {
		return false
	}
	a.rows(at, column)
	return true
}

// uses takes the value in the name's place wherever what it is declared for is used: behind its name and one of brackets.
func (a *assignment) uses(o position, brackets ...string) {
	r, text := a.r, a.r.text
	if r.declared++; r.declared > maxDeclared {
		return
	}
	least, most := max(0, o.at-maxUsed), min(len(text), o.at+maxUsed)
	r.spend((most - least) / 8)
	n := 0
	for at := least; at < most && n < maxUses; {
		i := bytes.Index(text[at:most], o.name)
		if i < 0 {
			return
		}
		i += at
		at = i + len(o.name)
		if i > 0 && value.IsWord(text[i-1]) || at == o.at || value.IsWord(value.ByteAt(text, at)) {
			continue
		}
		n++
		open := value.Past(text, at, 1, " ")
		if value.HasPrefixAt(text, open, "[") || value.IsLetter(value.ByteAt(text, open)) { // NAME list[] = {
			if j := bytes.IndexByte(text[open:min(len(text), open+64)], '='); j > 0 && bytes.IndexByte(text[open:open+j], '\n') < 0 {
				open = value.Past(text, open+j+1, 4, " ")
			}
		}
		for _, b := range brackets {
			if value.HasPrefixAt(text, open, b) && open != o.at {
				a.rows(open, o.column)
			}
		}
	}
}

// testRows takes the values of the rows above a function that a test is run with.
func (a *assignment) testRows(o position) {
	text := a.r.text
	start := value.BackTo(text, o.at, maxHeader, "\n")
	from := max(0, o.at-maxAbove)
	head := text[from:o.at]
	// That it stands nowhere, as in most texts, is told sooner from the front.
	if each := []byte(".each(["); bytes.Contains(head, each) {
		if i := bytes.LastIndex(head, each); bytes.IndexByte(head[i:], ';') < 0 {
			a.rows(from+i+len(".each("), o.column)
			return
		}
	}
	a.r.spend(len(head))
	for at, n := start, 0; at > from && n < 40; n++ {
		line := value.BackTo(text, at-1, maxHeader, "\n")
		l := bytes.TrimSpace(text[line : at-1])
		if len(l) == 0 || strings.IndexByte("[@#\"{})]/", l[0]) < 0 {
			break
		}
		a.testRow(line, at-1, l, o.column)
		at = line
	}
	if i := bytes.IndexByte(text[start:o.at], '['); i >= 0 { // in the function's own line
		a.testRow(start, o.at, bytes.TrimSpace(text[start:o.at]), o.column)
	}
}

// rowWords are what rows of a test begin with, of several languages.
var rowWords = [...]string{"InlineData(", "TestCase(", "DataRow(", "Arguments(", "case(", "Row("}

// testRow takes the value of the row in a line from lo to hi, whose text is l.
func (a *assignment) testRow(lo, hi int, l []byte, column int) {
	text := a.r.text
	for _, w := range rowWords {
		if i := bytes.Index(text[lo:hi], []byte(w)); i >= 0 && (l[0] == '[' || l[0] == '#' || l[0] == '@') {
			a.row(lo+i+len(w)-1, column)
			return
		}
	}
	if !value.Begins(l, "@CsvSource", "\"") {
		return
	}
	for at := lo; at < hi; { // rows that are texts: "bob, value"
		i := bytes.IndexByte(text[at:hi], '"')
		if i < 0 {
			return
		}
		from := at + i + 1
		to, ok := a.r.closing(from, '"', 0)
		if !ok || to > hi {
			return
		}
		cellsOf(text[from:to], ",", false, false, func(n, f, t int) {
			if n == column {
				a.far(formElement, from+f, from+t)
			}
		})
		at = to + 1
	}
}

// rows takes the column of each row of a list whose bracket opens at at, or of the one row that opens there.
func (a *assignment) rows(at, column int) {
	text := a.r.text
	i := value.Past(text, at+1, 200, value.Spaces)
	if b := value.ByteAt(text, i); closer(b) == 0 && b != '&' {
		a.row(at, column)
		return
	}
	for n := 0; n < maxRows && !a.r.full(); n++ {
		i = value.Past(text, i, 200, value.Spaces+",&")
		if closer(value.ByteAt(text, i)) == 0 {
			return
		}
		if i = a.row(i, column); i < 0 {
			return
		}
	}
}

// closer returns the bracket that closes what b opens, 0 where it opens none.
func closer(b byte) byte {
	switch b {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return 0
}

// row takes the text in quotes that stands in a column between the bracket at open and the one that closes it, and returns where it
// ends; -1 where it does not.
func (a *assignment) row(open, column int) (end int) {
	text := a.r.text
	most := min(len(text), open+maxHeader)
	depth, n := 0, 0
	i := open + 1
	defer func() { a.r.spend(2 * (i - open)) }()
	fresh := true // no sign of the cell was read
	for i < most {
		if from, q, escapes := a.r.quote(i); q != 0 {
			stop, ok := a.r.closing(from, q, escapes)
			if !ok {
				return -1
			}
			if fresh && depth == 0 && n == column && (a.naming().Noun == value.PassNoun || !value.AllHex(text[from:min(stop, from+value.MaxLook)])) {
				a.far(formItem, from, stop) // hexadecimal in the rows of a test is what keys and hashes of its vectors are
			}
			fresh, i = false, stop+1+escapes
			continue
		}
		switch b := text[i]; {
		case closer(b) != 0:
			depth++
			fresh = false
		case b == ')' || b == ']' || b == '}':
			if depth--; depth < 0 {
				return i + 1
			}
		case b == ',' && depth == 0:
			n++
			fresh = true
		case !value.IsSpace(b):
			fresh = false
		}
		i++
	}
	return -1
}
