package brief

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// importBegins is the beginning of a line that says what a file uses of others, or hands on of them, without a body.
var importBegins = lazyregexp.New(`^(?:(?:pub(?:\([^)]*\))? )?(?:use |mod \w+;|extern crate )|import[ {"'*]|from \S+ import\b|#\s*include\b|using [\w.]|require(?:_relative|_once)? ?\(?["'][^"']*["']\)?;?$|export (?:\*|\{|type \{)|package [\w.]+;?$)`)

// namesFile is a line that takes another file, or what it defines, into a module of Rust: that file says what it is; or one that says
// which namespace of PHP, C# or C++ what stands below it is in, which the folder says as well.
var namesFile = lazyregexp.New(`^(?:(?:pub(?:\([^)]*\))? )?(?:mod \w+;|use )|(?:inline )?namespace [\w.\\:]+ *[;{]?$)`)

// importsMost reports whether a text is a list of what it imports, or hands on, and little else: of its lines that hold anything,
// comments aside, more than three quarters. A list in brackets goes on until they are closed.
func importsMost(text string) bool {
	imports, others, open := 0, 0, 0
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case bare == "" || strings.HasPrefix(bare, "//") || strings.HasPrefix(bare, "#[") || strings.HasPrefix(bare, "*"):
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
