package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// importBegins is the beginning of a line that says what a file uses of others, or hands on of them, without a body.
var importBegins = lazyregexp.New(`^(?:(?:pub(?:\([^)]*\))? )?(?:use |mod \w+;|extern crate )|import[ {"'*]|from \S+ import\b|#\s*include\b|using [\w.]|require(?:_relative|_once)? ?\(?["'][^"']*["']\)?;?$|export (?:\*|\{|type \{)|package [\w.]+;?$)`)

// namesFile is a line that takes another file, or what it defines, into a module of Rust: that file says what it is; or one that says
// which namespace of PHP, C# or C++ what stands below it is in, which the folder says as well.
var namesFile = lazyregexp.New(`^(?:(?:pub(?:\([^)]*\))? )?(?:mod \w+;|use )|(?:inline )?namespace [\w.\\:]+ *[;{]?$)`)

// annotation is a line that says something of what follows, and nothing else.
var annotation = lazyregexp.New(`^@[\w.]+(?:\([^()]*\))?$`)

// importsMost reports whether a text is a list of what it imports, or hands on, and little else: of its lines that hold anything,
// comments aside, more than three quarters. A list in brackets goes on until they are closed.
func importsMost(text string) bool {
	imports, others, open := 0, 0, 0
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case bare == "" || strings.HasPrefix(bare, "//") || strings.HasPrefix(bare, "#[") || strings.HasPrefix(bare, "*") || strings.HasPrefix(bare, "/*") || annotation.MatchString(bare):
			continue
		case open == 0 && !importBegins.MatchString(bare):
			others++
			continue
		}
		imports++
		open = max(0, open+brackets(bare))
	}
	return imports > 3*others
}

// addsNothing reports whether a file has no line that its outline lacks, besides comments, what it imports, where it stands, and brackets:
// an exception of its own name.
func addsNothing(name, text string, definitions []Definition) bool {
	l := language.Of(name)
	if l == nil || len(definitions) == 0 || len(definitions) > fewDefined {
		return false
	}
	open, n, began := 0, 0, ""
	for line := range strings.Lines(text) {
		n++
		bare := strings.TrimSpace(line)
		if mark := commentMark(l, bare, began); mark != "" {
			if began = ""; mark == l.Open && !strings.Contains(bare, l.Shut) {
				began = mark
			}
			continue
		}
		switch {
		case closesOnly(bare), opens.MatchString(bare):
			continue
		case outlinedWhole(bare) && slices.ContainsFunc(definitions, func(d Definition) bool { return d.Line == n && (d.End > n || strings.HasSuffix(bare, "}")) }):
			continue
		case open == 0 && !importBegins.MatchString(bare) && !namesFile.MatchString(bare):
			return false
		}
		open = max(0, open+brackets(bare))
	}
	return true
}

// fewDefined bounds the definitions of a file that is asked whether it adds anything to its outline.
const fewDefined = 4

// outlinedWhole reports whether an outline has all of a line, besides the bracket that a body begins with, or the two of an empty one.
func outlinedWhole(bare string) bool {
	return strings.Trim(strings.TrimPrefix(bare, bodiless(bare)), " {};:") == ""
}

// closesOnly reports whether a line has nothing but brackets and the signs behind them, or a word that closes what it stands in.
func closesOnly(bare string) bool {
	return strings.Trim(bare, "()[]{};,") == "" || bare == "end" || bare == "pass"
}

// brackets is how many more brackets a line opens than it closes.
func brackets(line string) (n int) {
	for i := range len(line) {
		switch line[i] {
		case '{', '(':
			n++
		case '}', ')':
			n--
		}
	}
	return n
}
