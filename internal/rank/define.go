package rank

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// family is a group of languages whose files can use one another's names.
type family uint8

const (
	noFamily family = iota
	script          // JavaScript, TypeScript and what holds script blocks
	golang
	python
	jvm
	clang
	dotnet
	rust
	ruby
	php
	swift
	prose      // documents, which name what code defines
	firstOther // the first of those that only an order for a task knows
)

// families are those of the table of languages.
var families = map[string]family{"script": script, "Go": golang, "Python": python, "JVM": jvm, "C": clang, ".NET": dotnet, "Rust": rust, "Ruby": ruby, "PHP": php, "Swift": swift,
	"prose": prose, "HTML": prose}

func familyOf(name string) family {
	if l := language.Of(name); l != nil {
		return families[l.Family]
	}
	return noFamily
}

// otherFamilies are those of the languages of code that are in none of families, each by itself. Only an order for a task knows them: what a
// file counts for beside a change was measured without.
var otherFamilies = func() map[string]family {
	others := map[string]family{}
	for i := range language.All {
		l := &language.All[i]
		if _, known := others[l.Family]; l.Kind == language.Code && families[l.Family] == noFamily && !known {
			others[l.Family] = firstOther + family(len(others))
		}
	}
	return others
}()

// taskFamilyOf is familyOf for a task.
func taskFamilyOf(name string) family {
	f := familyOf(name)
	if l := language.Of(name); l != nil && f == noFamily {
		f = otherFamilies[l.Family]
	}
	return f
}

var (
	// defining words stand before the name that they define.
	scriptDefining  = language.WordSet(`function class type interface enum const let var namespace module`)
	genericDefining = language.WordSet(`class interface enum record struct trait union type typealias fn fun func function def mod module object protocol
		extension namespace macro_rules static const #define define typedef val var let protocol actor`)
	// otherDefining do so in languages of no family, and otherModifiers stand before those; otherForms are what stands there behind the name
	// of a function at the beginning of a line.
	otherDefining = language.WordSet(`function fn fun func def defp defmodule defmacro defprotocol defdelegate class module struct enum record interface trait mixin extension
		typedef message service rpc sub proc macro type data newtype object table view index trigger procedure task role model input union resource variable output`)
	otherModifiers = language.WordSet(`local pub export inline public private abstract final sealed base static async extern create or replace unique temporary if not exists`)
	otherForms     = []string{"() {", "(){", ":: ", "<- function("}
	// modifiers stand before a defining word.
	modifiers = language.WordSet(`export default declare async abstract public private protected internal static readonly final override sealed open
		data inline virtual extern unsafe pub partial suspend lateinit companion implicit lazy case mutating fileprivate native synchronized
		get set accessor volatile const`)
	// statements begin lines that define nothing.
	statements = language.WordSet(`if for while switch catch return else do try throw new function await yield typeof delete case default import from
		assert with defer go select range super this elif except using lock foreach match loop`)
)

// maxDefined bounds the names that one file may define; more are data.
const maxDefined = 4096

// define calls add for the names that a text defines, as far as the beginnings
// of its lines tell. It looks at no more than the first 256 bytes of a line, and
// may name one twice. A style sheet within a script or a component defines none:
// its properties look like members.
func define(f family, text []byte, add func(name []byte)) {
	if f == noFamily || f == prose {
		return
	}
	for count := 0; len(text) > 0 && count < maxDefined; {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		if f == script && bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("<style")) && !bytes.Contains(line, []byte("</style>")) {
			if i := bytes.Index(text, []byte("</style>")); i >= 0 {
				text = text[i:]
			} else {
				return // it is a style sheet to its end
			}
			continue
		}
		if name := definedBy(f, line[:min(len(line), 256)]); len(name) > 0 {
			add(name)
			count++
		}
	}
}

func definedBy(f family, line []byte) []byte {
	rest := bytes.TrimLeft(line, " \t")
	indent := len(line) - len(rest)
	if len(rest) < 4 || indent > 16 {
		return nil
	}
	switch f {
	case golang:
		return definedGo(rest, indent)
	case python:
		return definedPython(rest, indent)
	case script:
		return definedScript(rest, indent)
	}
	if f >= firstOther {
		return definedOther(rest, indent)
	}
	return definedGeneric(f, rest, indent)
}

// definedOther is definedBy in languages of no family: a word that defines, in whatever case, stands before the name, of which the last part
// counts (Till of defmodule Shop.Till, count of function Till:count); or the line is the head of a function by its form.
func definedOther(b []byte, indent int) []byte {
	w, rest := word(b)
	for range 6 {
		if !otherModifiers[lower(w)] {
			break
		}
		w, rest = word(rest)
	}
	if otherDefining[lower(w)] {
		name, after := word(bytes.TrimLeft(rest, "\"`["))
		for len(after) > 1 && (after[0] == '.' || after[0] == ':') && class[after[1]] != classOther {
			name, after = word(after[1:])
		}
		return name
	}
	tail := bytes.TrimRight(b, " \t\r")
	if indent <= maxMember && !statements[string(w)] && tail[len(tail)-1] == '{' {
		if name := calledAt(b); name != nil {
			return name
		}
	}
	if indent > 0 {
		return nil
	}
	if string(w) == "const" {
		name, _ := word(rest)
		return name
	}
	for _, form := range otherForms {
		if bytes.HasPrefix(rest, []byte(form)) {
			return w
		}
	}
	return nil
}

// word cuts the leading identifier off, and the white space behind it.
func word(b []byte) (w, rest []byte) {
	i := 0
	for i < len(b) && class[b[i]] != classOther {
		i++
	}
	if i > 0 && class[b[0]] == classDigit {
		return nil, b
	}
	return b[:i], bytes.TrimLeft(b[i:], " \t")
}

func definedGo(b []byte, indent int) []byte {
	w, rest := word(b)
	switch string(w) {
	case "func":
		if indent > 0 {
			return nil
		}
		if len(rest) > 0 && rest[0] == '(' { // the receiver
			i := bytes.IndexByte(rest, ')')
			if i < 0 {
				return nil
			}
			rest = bytes.TrimLeft(rest[i+1:], " ")
		}
		name, _ := word(rest)
		return name
	case "type", "var", "const":
		if indent > 0 {
			return nil
		}
		name, _ := word(rest)
		return name
	}
	// Fields, methods of interfaces, members of groups.
	if indent != 1 || len(w) == 0 || len(rest) == 0 || statements[string(w)] {
		return nil
	}
	spaced := len(b) > len(w) && b[len(w)] == ' '
	exported := class[w[0]] == classUpper
	switch c := rest[0]; {
	case class[c] == classLower || class[c] == classUpper || c == '*' || c == '[':
		if spaced {
			return w
		}
	case c == '(' || c == '=':
		if exported {
			return w
		}
	}
	return nil
}

func definedPython(b []byte, indent int) []byte {
	w, rest := word(b)
	if string(w) == "async" {
		w, rest = word(rest)
	}
	switch string(w) {
	case "def", "class":
		name, _ := word(rest)
		return name
	}
	if indent > 0 && indent != 4 || len(w) == 0 || len(rest) == 0 || statements[string(w)] {
		return nil
	}
	switch {
	case rest[0] == ':' && len(bytes.TrimSpace(rest)) > 1: // a typed field, or a typed variable
		return w
	case indent == 0 && rest[0] == '=' && !bytes.HasPrefix(rest, []byte("==")):
		return w
	}
	return nil
}

func definedScript(b []byte, indent int) []byte {
	w, rest := word(b)
	for modifiers[string(w)] && len(rest) > 0 && class[rest[0]] != classOther {
		if next, _ := word(rest); string(w) == "const" && string(next) != "enum" {
			break
		}
		w, rest = word(rest)
	}
	if scriptDefining[string(w)] && indent == 0 {
		name, _ := word(bytes.TrimLeft(rest, "* "))
		return name
	}
	if indent == 0 || indent > 8 || len(w) == 0 || len(rest) == 0 || statements[string(w)] || scriptDefining[string(w)] {
		return nil
	}
	tail := bytes.TrimRight(b, " \t\r")
	last := tail[len(tail)-1]
	switch {
	case (rest[0] == '(' || rest[0] == '<') && last == '{': // a method
		return w
	case rest[0] == ':' || len(rest) > 1 && (rest[0] == '?' || rest[0] == '!') && rest[1] == ':':
		if last != ',' && last != '{' && last != '(' && last != ':' { // a typed field, not a property of a literal
			return w
		}
	}
	return nil
}

func definedGeneric(f family, b []byte, indent int) []byte {
	if f == dotnet || f == clang {
		if b = unattributed(b); len(b) == 0 {
			return nil
		}
	}
	whole := b
	if b[0] == '/' || b[0] == '*' || b[0] == '#' && f != clang && f != dotnet {
		return nil // a comment
	}
	if b[0] == '#' { // #define, # define
		b = bytes.TrimLeft(b[1:], " \t")
	}
	w, rest := word(b)
	for range 6 {
		if !modifiers[string(w)] || len(rest) == 0 {
			break
		}
		if rest[0] == '(' { // pub(crate)
			i := bytes.IndexByte(rest, ')')
			if i < 0 {
				return nil
			}
			rest = bytes.TrimLeft(rest[i+1:], " \t")
		}
		next, after := word(rest)
		if len(next) == 0 {
			break
		}
		if genericDefining[string(w)] && !genericDefining[string(next)] && !modifiers[string(next)] {
			break // static NAME, const NAME
		}
		w, rest = next, after
	}
	if isLocal(f, string(w), indent) {
		return nil
	}
	typed := f == jvm || f == dotnet || f == clang // a type stands before a name
	if name := namedBy(w, rest, typed); len(name) > 0 {
		return name
	}
	if !typed || statements[string(w)] || whole[0] == '#' || indent > 0 && f == clang {
		return nil
	}
	return calledAt(whole)
}

// unattributed cuts the attributes off that a line begins with: [Fact(Timeout = 3000)] names what is applied, not what is defined.
func unattributed(b []byte) []byte {
	for len(b) > 0 && b[0] == '[' {
		end := bytes.IndexByte(b, ']')
		if end < 0 {
			return nil
		}
		b = bytes.TrimLeft(b[end+1:], "] \t")
	}
	return b
}

// maxMember is how far, in bytes, a member may stand from the beginning of its line where it may as well be a variable of a function.
const maxMember = 4

// isLocal reports whether a word begins a variable of a function: C#'s var and Rust's let always do, those of Kotlin, Scala and Swift where
// they stand farther in than members do.
func isLocal(f family, w string, indent int) bool {
	switch w {
	case "let", "var", "val":
		return indent > maxMember || indent > 0 && (f == dotnet || f == rust)
	}
	return false
}

// namedBy is the name behind a word that defines; nil where the word does not, or a type follows it.
func namedBy(w, rest []byte, typed bool) []byte {
	if !genericDefining[string(w)] || typed && (string(w) == "static" || string(w) == "const") {
		return nil
	}
	name, after := word(rest)
	if string(name) == "class" || string(name) == "struct" || string(name) == "mut" {
		name, _ = word(after)
	}
	if string(w) == "namespace" && len(after) > 0 && strings.IndexByte(`\.:;`, after[0]) >= 0 {
		return nil // a space within one, or that of a whole file, that is no file's own
	}
	return name
}

// calledAt is the name in type name(…), at the beginning of a line that does not end in a semicolon.
func calledAt(whole []byte) []byte {
	open := bytes.IndexByte(whole, '(')
	if open < 2 || bytes.IndexByte(whole[:open], '=') >= 0 || bytes.HasSuffix(bytes.TrimRight(whole, " \t\r"), []byte{';'}) {
		return nil
	}
	start := open
	for start > 0 && class[whole[start-1]] != classOther {
		start--
	}
	name := whole[start:open]
	if start == 0 || start == open || statements[string(name)] || whole[start-1] == '.' || whole[start-1] == '@' {
		return nil
	}
	return name
}
