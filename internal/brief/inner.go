package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Lines at which a function begins that has a name in another: in any language, and what only scripts, or other languages, write so.
var (
	declaredWithin = lazyregexp.New(`^(?:(?:pub(?:\([^)]*\))?|async|unsafe|const|extern|export|static|local|private|inline|suspend) +)*` +
		`(?:function|func|fun|fn|def)(?: +| *\* *)(?:[\pL_$][\pL\pN_$.]*[.:])?([\pL_$][\pL\pN_$]*)`)
	boundWithin  = lazyregexp.New(`^(?:(?:var|local|let(?: +mut)?) +|\$)?([\pL_][\pL\pN_]*) *:?= *(?:func *\(|(?:move *)?\||function\b|static +function\b)`)
	scriptWithin = []*lazyregexp.Regexp{
		lazyregexp.New(`^(?:(?:const|let|var) +|[\w$.]+\.)([\pL_$][\pL\pN_$]*)(?: *: *[^=]+)? *= *(?:[\w$.]+(?:<[^()]*>)?\( *)*` + anonymous),
		lazyregexp.New(`^["']?([\pL_$][\pL\pN_$]*)["']? *: *` + anonymous),
		lazyregexp.New(`^(?:(?:async|get|set|static) +|\* *)*(#?[\pL_$][\pL\pN_$]*) *(?:<[^()]*>)?` + parameters + `(?: *: *[^={]+)? *\{$`),
	}
)

const (
	parameters = `\([^()]*(?:\([^()]*\)[^()]*)*\)`
	// What ends with a bracket is a function if an arrow follows where it is closed.
	anonymous = `(?:async *)?(?:function\b|(?:<[^()]*>)?` + parameters + `(?: *: *[^=]+)? *=>|[\w$]+ *=>|(?:<[^()]*>)?(\()$)`
)

// notNames are words before brackets and a brace that name no function.
var notNames = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "catch": true, "with": true, "function": true}

// maxHeader bounds the bytes of a line at which a function begins.
const maxHeader = 400

// begunWithin is the name of the function that begins with a line, "" where none does; maybe says that it is one if an arrow follows.
func begunWithin(bare string, script bool) (name string, maybe bool) {
	if len(bare) > maxHeader {
		return "", false
	}
	for _, one := range []*lazyregexp.Regexp{declaredWithin, boundWithin} {
		if m := one.FindStringSubmatch(bare); m != nil {
			return m[1], false
		}
	}
	if !script {
		return "", false
	}
	for _, one := range scriptWithin {
		if m := one.FindStringSubmatch(bare); m != nil && !notNames[m[1]] {
			return m[1], len(m) > 2 && m[2] != ""
		}
	}
	return "", false
}

// findInner finds the functions of several lines that have a name in the long definitions which the change touches, and which hold no
// definitions of their own: by how their lines begin, and are indented. Others, who ask what a file defines, do not hear of them.
func (s *Source) findInner(lines []string) {
	l := language.Of(s.Path)
	if l == nil || l.Kind != language.Code {
		return
	}
	for _, one := range s.touchedLong(lines, maxBlock, s.Definitions) {
		if !holdsFunctions([2]int{one.From, one.End}, s.Definitions) {
			s.inner = append(s.inner, functionsWithin(lines, one, l)...)
		}
	}
}

// touchedLong are those of definitions of more than so many bytes that are the innermost ones of touched lines, the short ones first.
func (s *Source) touchedLong(lines []string, bytes int, definitions []graph.Definition) (list []graph.Definition) {
	e := entry{Source: s, lines: lines}
	known := make(map[[2]int]graph.Definition, len(definitions))
	for _, one := range ordered(definitions, len(lines)) {
		known[[2]int{one.From, one.End}] = one
	}
	for _, held := range touchedDefinitions(definitions, e.touchedWords(), len(lines)) {
		size := 0
		for _, line := range lines[held[0]-1 : held[1]] {
			size += len(line)
		}
		if size > bytes {
			list = append(list, known[held])
		}
	}
	return list
}

// begun is a function that has begun: how deep its line is indented, and whether it is one is still to be seen.
type begun struct {
	at, deep int
	maybe    bool
}

// functionsWithin are those that have a name in a definition.
func functionsWithin(lines []string, outer graph.Definition, l *language.Language) (list []graph.Definition) {
	var open []begun
	above, last := 0, 0 // the first line of the comment that stands right above, and the last line that is not empty
	for n := outer.Line + 1; n < outer.End; n++ {
		bare := strings.TrimSpace(lines[n-1])
		if bare == "" {
			above = 0
			continue
		}
		deep, ended := indentOf(lines[n-1]), false
		for len(open) > 0 && !ended {
			top := &open[len(open)-1]
			if deep > top.deep {
				break
			}
			closes := deep == top.deep && strings.IndexByte("})]", bare[0]) >= 0
			if closes && strings.Contains(bare, "=>") {
				top.maybe = false
			}
			if deep == top.deep && (bare == "{" || closes && goesOn(bare)) {
				ended = true // what it began goes on
				break
			}
			if ended = closes; ended {
				last = n
			}
			list[top.at].End = last
			if top.maybe {
				list[top.at].End = 0
			}
			open = open[:len(open)-1]
		}
		last = n
		if commentMark(l, bare, "") != "" || bare[0] == '*' || bare[0] == '@' {
			if above == 0 {
				above = n
			}
			continue
		}
		if name, maybe := begunWithin(bare, l.Family == "script"); name != "" && !ended {
			one := graph.Definition{Name: outer.Name + "." + name, Kind: "func", From: n, Line: n, Head: n}
			if above > 0 {
				one.From = above
			}
			open = append(open, begun{len(list), deep, maybe})
			list = append(list, one)
		}
		above = 0
	}
	for _, one := range open {
		if list[one.at].End = last; one.maybe {
			list[one.at].End = 0
		}
	}
	return slices.DeleteFunc(list, func(d graph.Definition) bool { return d.End < d.Line+leastInner-1 })
}

// leastInner is how many lines a function within another has at least to be a part of it.
const leastInner = 3

// goesOn reports whether a line that closes brackets opens others.
func goesOn(bare string) bool {
	return strings.IndexByte("{([:", bare[len(bare)-1]) >= 0 || strings.HasSuffix(bare, "=>")
}

// indentOf is how deep a line is indented, in blanks, of which a tab is four.
func indentOf(line string) int {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return len(indent) + 3*strings.Count(indent, "\t")
}
