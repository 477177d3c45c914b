package brief

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
)

// setting is a line that gives a name a plain value, and does nothing else: `private int port = 8080;`, `timeout: 25,`,
// `"retries" => 3`. A value is a number, also a product of them, a short text, a word for yes, no or nothing, a member of a type, or
// a call of one plain value, behind which others may be named: `Duration.seconds(30)`, `Option(4, type='int')`; or a chain of calls that
// ends with that of default: `Expect::int()->default(25)`, `z.string().default("a")`. Group 1 is the sign between them.
var setting = lazyregexp.New(`^\s+(?:[\w@$<>\[\],.?&*]+ +)*["'@:]?[A-Za-z_$][\w-]*["']?\??(?: *: *[\w<>\[\]|?.& ]+)? *(=>|:=|=|:) *` +
	`(?:[+-]?\d[\w.]*(?: *[*+<-]+ *[\w.]+)*|"[^"]{0,60}"|'[^']{0,60}'|:[a-z_]+|[Tt]rue|[Ff]alse|null|nil|None|undefined|\[\]|\{\}` +
	`|[A-Za-z_][\w$:.>()'"-]{0,100}[.>]default\((?:[+-]?\w[\w.]*|"[^"]{0,60}"|'[^']{0,60}')\)|[A-Z]\w*(?:(?:\.|::)[A-Za-z_]\w*)+|[\w.:]+\((?:[+-]?\d[\w.]*(?: *[*+<-]+ *[\w.]+)*|"[^"]{0,60}"|'[^']{0,60}')(?:, *(?:[+-]?\d[\w.]*|"[^"]{0,60}"|'[^']{0,60}'|true|false|null))?(?:, *\w+ *= *[\w."']+)*\))` +
	` *[,;]? *(?:(?://|#).*)?$`)

// attribute is a line of Elixir that gives an attribute of a module a plain value: `@recent_limit 9`. Group 1 is its name.
var attribute = lazyregexp.New(`^\s+@([a-z]\w*) +(?:[+-]?\d[\w.]*(?: *[*+-] *[\w.]+)*|"[^"]{0,60}"|:[a-z_]+|true|false|nil) *(?:#.*)?$`)

// reservedAttributes are the attributes of modules that mean something to Elixir itself.
var reservedAttributes = language.WordSet("moduledoc doc typedoc impl behaviour since deprecated derive dialyzer vsn on_load compile tag moduletag describetag")

const (
	// maxSettings bounds the settings of one definition: what has more is a table of data, of which none is told. In a file that is
	// named for settings it is a table of these, with maxTable at most.
	maxSettings = 40
	maxTable    = 400
	// maxSettingLine bounds the bytes of a line that is looked at.
	maxSettingLine = 200
)

// Settings returns the lines of a text, from 1, that give members and keys the values that they begin with: those of types, of what
// stands in a constant or a variable, of functions that are named for defaults, and of options. found are the definitions of the text, whose own
// lines are not among them.
func Settings(name string, content []byte, found []graph.Definition) []int {
	if !source.Runs(name) {
		return nil
	}
	lines := valueLines(name, content, found)
	defined := map[int]bool{}
	for _, d := range found {
		defined[d.Line] = true
	}
	for _, o := range optionsOf(name, string(content)) {
		if !defined[o.line] {
			lines = append(lines, o.line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// valueLines are those lines but for the options that are declared.
func valueLines(name string, content []byte, found []graph.Definition) (lines []int) {
	list, table := withReturned(name, content, found)
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b graph.Definition) int { return cmp.Or(a.Line-b.Line, b.End-a.End) })
	valued := make([]bool, len(list)) // whether what stands in it are values
	of := map[int][]int{}             // lines, by the definition that they stand in
	var around []int                  // definitions that the line stands in, the innermost last
	var inCode func(int) bool
	next, n, end := 0, 0, 0
	most, fills := maxSettings, false
	if slices.ContainsFunc(language.Words(path.Base(path.Dir(name))+" "+path.Base(name)), func(word string) bool { return tableWords[word] }) {
		l := language.Of(name)
		most, fills = maxTable, l != nil && l.Name == "Go"
	}
	passed := 0 // how many brackets are open of what is noted of a member
	for line := range bytes.Lines(content) {
		at := end
		n, end = n+1, end+len(line)
		if next < len(list) && list[next].Line <= n { // what was noted has ended, whatever its brackets say
			passed = 0
		} else if before := passed; before > 0 || noted(line) {
			if passed = max(0, passed+opened(line)); before > 0 || passed > 0 {
				continue
			}
		}
		defines := false
		for ; next < len(list) && list[next].Line <= n; next++ {
			if valued[next] = holdsValues(&list[next], line) || fills && makesValues(&list[next]); valued[next] && list[next].End == n {
				list[next].End += bracketed(line, content[end:])
			}
			around, defines = append(around, next), true
		}
		for len(around) > 0 && list[around[len(around)-1]].End < n {
			around = around[:len(around)-1]
		}
		if len(around) == 0 || defines || len(line) > maxSettingLine || !valued[around[len(around)-1]] {
			continue
		}
		line = bytes.TrimRight(line, "\r\n")
		d := around[len(around)-1]
		if list[d].Line == table {
			line, at = indented(line, at)
		}
		sign := signIn(line, name, &list[d], most == maxTable)
		if sign < 0 {
			continue
		}
		if inCode == nil {
			inCode = source.InCode(name, content)
		}
		if inCode(at + sign) { // else it stands in a comment, or in a text of many lines
			of[d] = append(of[d], n)
		}
	}
	for _, one := range of {
		if len(one) <= most {
			lines = append(lines, one...)
		}
	}
	slices.Sort(lines)
	return lines
}

// withReturned returns the definitions with the table that a file returns, if none of them holds that, and its line, 0 without.
func withReturned(name string, content []byte, found []graph.Definition) (list []graph.Definition, line int) {
	list = slices.Clone(found)
	table := returnedTable(name, content)
	if table.Line == 0 || slices.ContainsFunc(found, func(d graph.Definition) bool { return d.From <= table.Line && d.End >= table.Line }) {
		return list, 0
	}
	return append(list, table), table.Line
}

// indented returns a line that begins at an offset with a blank before it, as settings have: what is returned need not be set in.
func indented(line []byte, at int) ([]byte, int) {
	if len(line) == 0 || !isWordByte(line[0]) {
		return line, at
	}
	return append([]byte{' '}, line...), at - 1
}

// returnedTable is the table of values that a file returns, and is little else, as files of settings of PHP and Lua do; of line 0 where it
// returns none.
func returnedTable(name string, content []byte) (d graph.Definition) {
	if l := language.Of(name); l == nil || l.Name != "PHP" && l.Name != "Lua" {
		return d
	}
	n := 0
	for line := range bytes.Lines(content) {
		if n++; d.Line == 0 && returnsTable.Match(line) {
			d = graph.Definition{Kind: "var", From: n, Line: n}
		}
	}
	d.End = n
	return d
}

// returnsTable is the line that begins it.
var returnsTable = lazyregexp.New(`^return *(?:array *\(|[\[{])\s*$`)

// makesValues reports whether a function of Go makes what a file of settings is for, by its name: `Port: 80,` stands in it.
func makesValues(d *graph.Definition) bool {
	words := language.Words(d.Name[strings.LastIndexByte(d.Name, '.')+1:])
	return d.IsFunction() && len(words) > 0 && makingWords[words[0]]
}

// makingWords are words that names of such functions begin with.
var makingWords = language.WordSet("new get load init make initial")

// settingIn is where the sign stands by which a line that stands in d gives a value, -1 where it gives none.
func settingIn(line []byte, name string, d *graph.Definition) int {
	if bare := bytes.TrimLeft(line, " \t"); len(bare) > 0 && bare[0] == '@' && d.Kind == "module" {
		if m := attribute.FindAllSubmatchIndex(line, 1); m != nil && !reservedAttributes[string(line[m[0][2]:m[0][3]])] {
			return m[0][2]
		}
	}
	if !maySet(line) {
		return -1
	}
	found := setting.FindAllSubmatchIndex(line, 1)
	if found == nil || unsaid.Match(line) || !keeps(d, name, line[found[0][2]-1:found[0][3]], line) {
		return -1
	}
	return found[0][2]
}

// unsaid is a line that says of nobody knows whom that it is nothing, or so or not, by default.
var unsaid = lazyregexp.New(`^\s+["':]?default["']?:? *(?:=>|=|:)? *(?:[Tt]rue|[Ff]alse|nil|null|None|undefined|""|''|\[\]|\{\}) *[,;]?\s*$`)

// signIn is settingIn, and of a table of settings where a row of it gives a value.
func signIn(line []byte, name string, d *graph.Definition, table bool) int {
	if sign := settingIn(line, name, d); sign >= 0 || !table {
		return sign
	}
	return rowOfTable(line)
}

// rowOfTable is where the first bracket stands of a line that is a row of a table of settings, -1 where it is none.
func rowOfTable(line []byte) int {
	if !tableRow.Match(line) {
		return -1
	}
	return bytes.IndexAny(line, "({")
}

// tableRow is a line that describes a setting, in brackets that end with the value that it begins with, and may be with the name of a
// variable of the environment: `'port': Value((int, str), 8888, 'TIDE_PORT'),`, `{Key::Port, {"port", Local, 8888}},`.
var tableRow = lazyregexp.New(`^\s+(?:["']?[A-Za-z_][\w./-]*["']? *(?::|=>) *[A-Za-z_][\w.]*\(|\{ *[\w:.]*\(?"?[\w./:-]+"?\)? *, *).*[,(:] *` +
	`(?:[+-]?\d[\w.]*(?: *[*+-] *[\w.]+)*|"[^"]{0,60}"|'[^']{0,60}'|[Tt]rue|[Ff]alse)(?:, *["'][A-Z][A-Z0-9_]*["'])?(?: *[)}\]])+ *[,;]? *(?:(?://|#).*)?$`)

// tableWords are words in names of files that hold tables of settings.
var tableWords = language.WordSet("config configuration conf options option settings setting defaults default preferences")

// noted reports whether a line begins what is noted of the member below it, an attribute, an annotation or a decorator, with a bracket.
func noted(line []byte) bool {
	bare := bytes.TrimLeft(line, " \t")
	switch {
	case bytes.HasPrefix(bare, []byte("#[")):
		return true
	case bytes.HasPrefix(bare, []byte("[")): // C#
		return len(bare) > 1 && bare[1] >= 'A' && bare[1] <= 'Z' && bytes.IndexByte(bare, '(') > 0
	case bytes.HasPrefix(bare, []byte("@")):
		name := bytes.TrimLeftFunc(bare[1:], func(r rune) bool {
			return r == '.' || r == ':' || unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
		})
		return len(name) < len(bare)-1 && bytes.HasPrefix(name, []byte("("))
	}
	return false
}

// opened is how many more brackets a line opens than it closes, of those outside of short texts.
func opened(line []byte) (n int) {
	quote := byte(0)
	for i, c := range line {
		switch {
		case quote != 0:
			if c == quote && line[i-1] != '\\' {
				quote = 0
			}
		case c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			n++
		case c == ')' || c == ']' || c == '}':
			n--
		}
	}
	return n
}

// settingFirsts are the bytes, beside those of words, that a setting may begin with behind its indentation.
const settingFirsts = `@$<>[],.?&*"':`

// maySet reports whether a line can be what the expression setting finds, by what costs little: most lines of types are comments,
// or fields of Go with a tag, which it would read to their end.
func maySet(line []byte) bool {
	bare := bytes.TrimLeft(line, " \t\f\r\n")
	if len(bare) == 0 || len(bare) == len(line) || !isWordByte(bare[0]) && strings.IndexByte(settingFirsts, bare[0]) < 0 {
		return false
	}
	if bytes.IndexByte(bare, '=') < 0 && bytes.IndexByte(bare, ':') < 0 {
		return false
	}
	quote := bytes.IndexByte(bare, '`') // it may stand in a text or in a comment, and nowhere else
	return (quote < 0 || bytes.ContainsAny(bare[:quote], "#/\"'")) && givesValue(bare)
}

// givesValue reports whether a plain value may begin behind a sign of the line.
func givesValue(line []byte) bool {
	for i, c := range line {
		if (c == '=' || c == ':' || c == '>') && mayBeValue(bytes.TrimLeft(line[i+1:], " ")) {
			return true
		}
	}
	return false
}

// defaultCall begins the call that ends a chain of them: `Expect::int()->default(25)`.
var defaultCall = []byte("default(")

// mayBeValue reports whether a value of the expression setting, and nothing but the end of a line behind it, may begin a text.
func mayBeValue(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	if bytes.Contains(b, defaultCall) {
		return true
	}
	switch c := b[0]; {
	case c == '"' || c == '\'':
		end := bytes.IndexByte(b[1:], c)
		return end >= 0 && endsLine(b[end+2:])
	case c == '[' || c == '{':
		return len(b) > 1 && b[1] == c+2 && endsLine(b[2:])
	case '0' <= c && c <= '9' || c == '+' || c == '-':
		n := 1
		for n < len(b) && (isWordByte(b[n]) || strings.IndexByte(" .*+<-", b[n]) >= 0) {
			n++
		}
		return endsLine(b[n:]) || mayBeNamed(b)
	}
	return mayBeNamed(b)
}

// mayBeNamed is mayBeValue of a value that is a word, or begins with the name of what is called: 7f(1) too.
func mayBeNamed(b []byte) bool {
	n := 0
	for n < len(b) && (b[n] == ':' || b[n] == '.' || isWordByte(b[n])) {
		n++
	}
	if n > 0 && n < len(b) && b[n] == '(' {
		return mayBeArgument(b[n+1:])
	}
	return n > 0 && (b[0] == ':' || 'A' <= b[0] && b[0] <= 'Z' || plainWords[string(b[:n])]) && endsLine(b[n:])
}

// mayBeArgument reports whether a text begins with a plain value, and more of them or the end of a call and of the line.
func mayBeArgument(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	n := 1
	switch c := b[0]; {
	case c == '"' || c == '\'':
		end := bytes.IndexByte(b[1:], c)
		if end < 0 {
			return false
		}
		n = end + 2
	case '0' <= c && c <= '9' || c == '+' || c == '-':
		for n < len(b) && (isWordByte(b[n]) || strings.IndexByte(" .*+<-", b[n]) >= 0) {
			n++
		}
	default:
		return false
	}
	return n < len(b) && (b[n] == ',' || b[n] == ')' && endsLine(b[n+1:]))
}

// endsLine reports whether nothing but what may end a line stands there: blanks, a comma, a comment.
func endsLine(b []byte) bool {
	b = bytes.TrimLeft(b, " ")
	if len(b) > 0 && (b[0] == ',' || b[0] == ';') {
		b = bytes.TrimLeft(b[1:], " ")
	}
	return len(b) == 0 || b[0] == '#' || bytes.HasPrefix(b, []byte("//"))
}

// plainWords are the words that are values.
var plainWords = map[string]bool{"true": true, "false": true, "null": true, "nil": true, "undefined": true}

// isWordByte reports whether \w of an expression means b.
func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

// bracketed counts the lines behind a line that ends with an opening bracket, up to the one that closes it, which is indented as
// the line is; 0 where there is none. Providers tell of some languages' values the first line alone.
func bracketed(line, rest []byte) int {
	if line = bytes.TrimRight(line, " \t\r\n"); len(line) == 0 || !bytes.ContainsRune([]byte("([{"), rune(line[len(line)-1])) {
		return 0
	}
	indent := len(line) - len(bytes.TrimLeft(line, " \t"))
	n := 0
	for one := range bytes.Lines(rest) {
		n++
		bare := bytes.TrimLeft(one, " \t")
		if len(one)-len(bare) > indent || len(bytes.TrimSpace(one)) == 0 {
			continue
		}
		if len(one)-len(bare) == indent && bytes.ContainsRune([]byte(")]}"), rune(bare[0])) {
			return n
		}
		break
	}
	return 0
}

// keeps reports whether a line that gives a value, by a sign with the byte before it, gives it to what d itself holds: in a function
// a line with = gives it to a variable that ends with the function, if it is no argument, and so in what a property of C# or Swift does; in a type of Python a sign without a blank
// before it is that of an argument, of a call that the line does not show, and in TypeScript that of an attribute of an element.
func keeps(d *graph.Definition, name string, sign, line []byte) bool {
	l := language.Of(name)
	if !bytes.HasSuffix(sign, []byte("=")) {
		return l == nil || l.Name != "Ruby" || d.Kind != "class" && d.Kind != "module" // an argument of a call above it
	}
	if d.IsFunction() {
		return bytes.HasSuffix(line, []byte(","))
	}
	if l != nil && (l.Name == "C#" || l.Name == "Swift") {
		first := bytes.TrimLeft(line, " \t")[0]
		switch {
		case d.Kind == "property" && !bytes.HasSuffix(line, []byte(",")): // what stands between its braces is done when it is asked for or set
			return false
		case l.Name == "Swift" && 'A' <= first && first <= 'Z': // the type of a member that the line above names
			return false
		}
	}
	return sign[0] == ' ' || l == nil || !(d.Kind == "class" && l.Name == "Python" || l.Family == "script")
}

// holdsValues reports whether the lines of a definition, of which the first is head, hold values, and are not what it does.
func holdsValues(d *graph.Definition, head []byte) bool {
	if d.Default && d.Name == "default" || strings.HasPrefix(d.Name, "default.") { // a component is no set of values
		return false
	}
	if d.IsFunction() {
		return strings.Contains(strings.ToLower(d.Name[strings.LastIndexAny(d.Name, ".:#")+1:]), "default")
	}
	switch d.Kind {
	case "test":
		return false
	case "module":
		return !strings.HasSuffix(d.Name, "tests") // values that a test compares with
	case "var", "const", "field", "property":
		return !bytes.Contains(head, []byte("=>")) && !bytes.Contains(head, []byte("->")) && !bytes.Contains(head, []byte("func"))
	}
	return true
}
