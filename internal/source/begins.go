package source

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
)

// Beginning is where a file begins a program.
type Beginning struct {
	// Line from 1, 0 where the file begins none.
	Line int
	// By is what begins there, in words: "its main function"; of a script what runs it, such as python3, "" where that is not said.
	By string
	// Script says that an interpreter runs the file.
	Script bool
}

const (
	mainFunction = "its main function"
	mainType     = "its main type"
)

// maxBegins bounds the files that are read for where programs begin, in bytes.
const maxBegins = 1 << 20

// begins are, by language, how a program begins. What is found must stand in code.
var begins = map[string]*lazyregexp.Regexp{
	"Java":   lazyregexp.New(`(?m)^[ \t]*(?:(?:public|final|synchronized|strictfp)\s+)*static\s+(?:(?:public|final|synchronized|strictfp)\s+)*void\s+main\s*\(\s*(?:final\s+)?(?:java\.lang\.)?String\b`),
	"Kotlin": lazyregexp.New(`(?m)^(?:(?:public|internal|suspend)\s+)*fun\s+main\s*\(\s*(?:\)|(?:vararg\s+)?\w+\s*:\s*(?:Array\s*<|String))|^[ \t]*@JvmStatic\s+(?:public\s+)?fun\s+main\s*\(`),
	"C#":     lazyregexp.New(`(?m)^[ \t]*(?:(?:public|private|internal|unsafe)\s+)*static\s+(?:(?:public|private|internal|unsafe|async)\s+)*(?:void|int|(?:System\.Threading\.Tasks\.)?Task(?:<int>)?)\s+Main\s*\(`),
	"C":      cMain,
	"C++":    cMain,
	"Swift":  lazyregexp.New(`(?m)^@(?:main|UIApplicationMain|NSApplicationMain)\b`),
	"Scala": lazyregexp.New(`(?m)^(?:@main\s+def\s+\w+|[ \t]*(?:override\s+)?def\s+main\s*\(\s*\w+\s*:\s*Array\[` +
		`|(?:case\s+)?object\s+\w+\s+extends\s+(?:[\w.]+(?:\[[^\]\n]*\])?\s+with\s+){0,8}(?:App|IOApp(?:\.Simple)?|ZIOAppDefault|ZIOApp)\b)`),
}

var cMain = lazyregexp.New(`(?m)^(?:(?:extern|int|signed|void)[ \t]+)*main[ \t]*\([^();]*\)`)

// MayBegin reports whether a program may begin in a file, by its name and its mode.
func MayBegin(f *scan.File) bool {
	if f.Size > maxBegins {
		return false
	}
	l := LanguageOf(f.Path)
	return l != nil && (l.Name == "Go" || begins[l.Name] != nil) && IsProgram(f) || mayRun(f)
}

// maxMains bounds the places of one file that are looked at as its main function.
const maxMains = 20

// BeginningOf returns where a file begins a program: with the main function of its language, as an application of Spring Boot, with
// top-level statements in a Program.cs, as a script that names its interpreter. Tests, examples and what a build makes begin none.
func BeginningOf(f *scan.File, b []byte) Beginning {
	if !MayBegin(f) {
		return Beginning{}
	}
	l, script := LanguageOf(f.Path), bytes.HasPrefix(b, []byte("#!"))
	if !script && (l == nil || !namesBeginning(l.Name, b) && path.Base(f.Path) != topLevel) || language.IsGenerated(f.Path, b) {
		return Beginning{} // nearly all are told by the first of these
	}
	if script {
		if !mayRun(f) || copied(b) {
			return Beginning{}
		}
		return Beginning{1, interpreter(b), true}
	}
	if l.Name == "Go" {
		if !IsProgram(f) || !HasMain(b) {
			return Beginning{}
		}
		return Beginning{Line: 2 + bytes.Count(b[:bytes.Index(b, []byte("\nfunc main() {"))], []byte{'\n'}), By: mainFunction}
	}
	re := begins[l.Name]
	if re == nil || !IsProgram(f) {
		return Beginning{}
	}
	found := re.FindAllSubmatchIndex(b, maxMains)
	if len(found) == 0 && path.Base(f.Path) != topLevel {
		return Beginning{}
	}
	parts := l.parts(b)
	for _, m := range found {
		at := m[0] + max(bytes.Index(b[m[0]:m[1]], []byte("ain")), 0)
		if parts[at] != inCode || re == cMain && !definesMain(b[:m[0]], b[m[1]:]) {
			continue
		}
		by := mainFunction
		switch {
		case l.Name == "Swift":
			by, at = mainType, attributed(b, m[1])
		case l.Name == "Scala" && bytes.Contains(b[m[0]:m[1]], []byte("object ")):
			by = mainType
		}
		if i := bytes.Index(b, []byte("\n@SpringBootApplication")); i >= 0 && parts[i+1] == inCode {
			by = "the main function of an application of Spring Boot"
		}
		return Beginning{Line: 1 + bytes.Count(b[:at], []byte{'\n'}), By: by}
	}
	if path.Base(f.Path) == topLevel {
		return statements(b, parts)
	}
	return Beginning{}
}

// namesBeginning reports whether a file of a language may begin a program, by what costs little: most do not.
func namesBeginning(language string, b []byte) bool {
	switch language {
	case "Swift":
		return bytes.Contains(b, []byte("@main")) || bytes.Contains(b, []byte("ApplicationMain"))
	case "Scala":
		return bytes.Contains(b, []byte("main")) || bytes.Contains(b, []byte("App"))
	}
	return namesMain(b)
}

// attributed returns the place of what an attribute is of that ends at one: in its line, or the next that is neither empty nor an attribute.
func attributed(b []byte, at int) int {
	next := at
	for line := range bytes.Lines(b[at:]) {
		if bare := bytes.TrimSpace(line); len(bare) > 0 && bare[0] != '@' {
			return next
		}
		next += len(line)
	}
	return at
}

// namesMain reports whether main or Main stands before a bracket: an expression reads a text to its end, and most hold "contains".
func namesMain(b []byte) bool {
	for at := 0; ; at += len("ain") {
		i := bytes.Index(b[at:], []byte("ain"))
		if i < 0 {
			return false
		}
		if at += i; at > 0 && (b[at-1] == 'm' || b[at-1] == 'M') && (at < 2 || !isName(b[at-2])) &&
			bytes.HasPrefix(bytes.TrimLeft(b[at+len("ain"):], " \t\r\n\f\v"), []byte("(")) {
			return true
		}
	}
}

// mayRun reports whether a file may be run as it is: it is marked so, and is neither hidden nor of tests or examples.
func mayRun(f *scan.File) bool {
	if !f.Extractable() || Aside(f.Path) || f.Category == scan.CategoryTest || f.Category == scan.CategoryDependency {
		return false
	}
	base := path.Base(f.Path)
	return f.Mode.Perm()&0o111 != 0 && !strings.HasPrefix(base, ".")
}

// copied reports whether a script is one that Automake or libtool puts beside configure (install-sh, config.guess), which says so by
// its version: configure and make call it.
func copied(b []byte) bool {
	head := b[:min(len(b), 2000)]
	return bytes.Contains(head, []byte("\nscriptversion=2")) || bytes.Contains(head, []byte("\ntimestamp='2"))
}

// interpreter names what runs a script, by its first line: sh of "#!/bin/sh -e", python3 of "#!/usr/bin/env python3".
func interpreter(b []byte) string {
	line, _, _ := bytes.Cut(b[2:min(len(b), 200)], []byte{'\n'})
	words := strings.Fields(string(line))
	for n, word := range words {
		word = path.Base(word)
		if word == "env" && n == 0 || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		if interpreters.MatchString(word) {
			return word
		}
		break
	}
	return ""
}

var interpreters = lazyregexp.New(`^[A-Za-z][\w.+-]{0,30}$`)

// definesMain reports whether what looks like the head of C's main has its body behind it, and stands on no condition: a part that can be
// tried alone has one there.
func definesMain(before, behind []byte) bool {
	if next := bytes.TrimLeft(behind, " \t\r\n"); len(next) == 0 || next[0] == ';' || next[0] == ',' {
		return false
	}
	depth := 0
	for line := range bytes.Lines(before) {
		word := bytes.TrimLeft(line, " \t")
		if len(word) == 0 || word[0] != '#' {
			continue
		}
		word = bytes.TrimLeft(word[1:], " \t")
		switch {
		case bytes.HasPrefix(word, []byte("if")):
			depth++
		case bytes.HasPrefix(word, []byte("endif")):
			depth = max(0, depth-1)
		}
	}
	return depth == 0
}

// topLevel is the file whose statements C# runs where no class has a main function.
const topLevel = "Program.cs"

// declares are words that lines of C# begin with that declare, and run nothing.
var declares = []string{"namespace", "class", "public", "internal", "private", "protected", "static", "abstract", "sealed", "partial", "record", "struct", "interface", "enum", "unsafe", "delegate", "file"}

// statements returns the first statement of C# that stands in no type.
func statements(b, parts []byte) Beginning {
	at, number := 0, 0
	for line := range bytes.Lines(b) {
		number++
		start := at + len(line) - len(bytes.TrimLeft(line, " \t\ufeff"))
		at += len(line)
		bare := strings.TrimSpace(string(b[start:at]))
		word := bare
		if i := strings.IndexAny(word, " (.;<="); i >= 0 {
			word = word[:i]
		}
		switch {
		case bare == "" || parts[start] != inCode || bare[0] == '#' || bare[0] == '[':
		case word == "global" || word == "extern" || word == "using" && !strings.Contains(bare, "=") && !strings.Contains(bare, "("):
		case word == "using" && !strings.Contains(bare, "(") && !strings.HasPrefix(bare, "using var "):
		case slices.Contains(declares, word):
			return Beginning{}
		default:
			return Beginning{Line: number, By: "its first statement"}
		}
	}
	return Beginning{}
}
