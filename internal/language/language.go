// Package language is the table of the languages that repositories are written in: which files are a language's, how its
// comments and strings are told from its code, how its blocks and statements end, and which paths are of tests.
//
// It knows names alone and opens nothing. What else a package knows of a language it keeps itself, by the language's name.
package language

import (
	"path"
	"strings"
)

// Kind is what the files of a language are.
type Kind uint8

const (
	// Code is what programs are made of: it may define names.
	Code Kind = iota + 1
	// Markup is what pages, styles and forms are made of.
	Markup
	// Data is values and settings.
	Data
	// Prose is written for people.
	Prose
)

// Blocks is how a language holds together what belongs to one definition.
type Blocks uint8

const (
	NoBlocks Blocks = iota
	// Braces are { and }.
	Braces
	// EndWords are blocks that begin with a word of the language and end with another, such as end.
	EndWords
	// Indentation is what is indented further than the line above it.
	Indentation
)

// Ends is what ends a statement.
type Ends uint8

const (
	Semicolon Ends = iota
	// Newline ends a statement where it can be one.
	Newline
)

// Quote is one form of string: what begins and what ends it.
type Quote struct {
	Open, Shut string
	// Escape takes the next sign's meaning, 0 where nothing does; where it is the first sign of Shut, that sign twice is the
	// sign itself.
	Escape byte
	// Lines says that it may hold ends of lines. One that may not, and is not ended, ends with its line.
	Lines bool
}

// Raw is a set of forms of string whose end depends on their beginning.
type Raw uint16

const (
	// Hashes are r#"…"# with any number of #, none too, and #"…"# in Swift.
	Hashes Raw = 1 << iota
	// Delimited is R"word(…)word".
	Delimited
	// Heredoc is <<WORD, <<-WORD, <<~WORD or <<<WORD until the line that is WORD.
	Heredoc
	// Brackets are [[…]] and [==[…]==], of comments too.
	Brackets
	// Dollars are $$…$$ and $word$…$word$.
	Dollars
	// Percent is %q(…) and the like, and ~s(…).
	Percent
	// Verbatim is @"…" in which "" is a quote, and """…""" of three quotes or more.
	Verbatim
	// Regexp is /…/ where an expression may begin.
	Regexp
)

// Language is a row of the table.
type Language struct {
	// Name is what people call it.
	Name string
	// Extensions are those of its files, in lower case without dot; Names the base names, in lower case, that are its too.
	Extensions, Names string
	Kind              Kind
	// Family is the same for languages that can use one another's names.
	Family string
	// Comments are the signs that begin a comment which ends with the line, apart by spaces. Open and Shut enclose others,
	// which Nested says hold one another.
	Comments   string
	Open, Shut string
	Nested     bool
	Quotes     []Quote
	Raw        Raw
	Blocks     Blocks
	Ends       Ends
	// FoldsCase says that names differ by more than their case.
	FoldsCase bool
}

// MayImport reports whether a file of the language can use what one of the other defines, as a program does: not by its path alone.
func (l *Language) MayImport(other *Language) bool {
	if l == nil || other == nil {
		return false
	}
	return l.Family == other.Family || borrows[l.Name] == other.Family
}

// borrows are the families whose names a language can use that is of none of them.
var borrows = map[string]string{"Assembly": "C", "Clojure": "JVM", "CoffeeScript": "script"}

// Comment is the first sign that begins a comment which ends with the line, "" where there is none.
func (l *Language) Comment() string {
	sign, _, _ := strings.Cut(l.Comments, " ")
	return sign
}

var byExtension, byName = func() (extensions, names map[string]*Language) {
	extensions, names = map[string]*Language{}, map[string]*Language{}
	for i := range All {
		l := &All[i]
		if l.Family == "" {
			l.Family = l.Name
		}
		for e := range strings.FieldsSeq(l.Extensions) {
			extensions[e] = l
		}
		for n := range strings.FieldsSeq(l.Names) {
			names[n] = l
		}
	}
	return extensions, names
}()

// Named returns the language that people call so, nil for none.
func Named(name string) *Language {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// Of returns the language of a path by its name alone, nil where the name says none. Case does not matter.
func Of(name string) *Language {
	base := path.Base(name)
	var buffer [64]byte
	if len(base) > len(buffer) {
		base = base[len(base)-len(buffer):] // no base name of the table is longer
	}
	lower := buffer[:len(base)]
	dot := -1
	for i := range len(base) {
		c := base[i]
		if c == '.' {
			dot = i
		} else if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	if l := byName[string(lower)]; l != nil {
		return l
	}
	if dot >= 0 {
		if l := byExtension[string(lower[dot+1:])]; l != nil {
			return l // dockerfile.ex is a module of Elixir
		}
	}
	for _, stem := range dockerfiles {
		if len(lower) > len(stem) && string(lower[:len(stem)]) == stem && strings.IndexByte(".-_", lower[len(stem)]) >= 0 {
			return byName[stem]
		}
	}
	return nil
}

// dockerfiles are the names that are also written with what the image is for behind them: Dockerfile.dev.
var dockerfiles = []string{"dockerfile", "containerfile"}

// IsDockerfile reports whether a path is that of a file which makes an image.
func IsDockerfile(name string) bool {
	l := Of(name)
	return l != nil && l == byName[dockerfiles[0]]
}

// Is reports whether the path's language is of this kind.
func Is(name string, kind Kind) bool {
	l := Of(name)
	return l != nil && l.Kind == kind
}
