// Package lazyregexp holds regular expressions that are compiled when they are first used.
//
// A program that compiles a hundred of them before it does anything starts later and larger than one that compiles the
// three that a run needs. In tests all are compiled at once, so that a wrong one fails there.
package lazyregexp

import (
	"os"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// inTest is set in a test's program, by its name: package testing is no part of this one.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// Regexp is an expression that is compiled when it is first used. It is safe for concurrent use, as regexp.Regexp is,
// and its methods are those of the same name there.
type Regexp struct {
	source string
	once   sync.Once
	re     *regexp.Regexp
}

// New returns the expression of source, as regexp.MustCompile reads it: a wrong one panics at its first use. Written out at each of hundreds
// of places it would take a tenth of a megabyte of the program.
//
//go:noinline
func New(source string) *Regexp {
	r := &Regexp{source: source}
	if inTest {
		r.get()
	}
	return r
}

func (r *Regexp) get() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.source) })
	return r.re
}

// First returns the bytes that may begin what an expression matches which begins with ^; all where that is not known.
func (r *Regexp) First() (set [256]bool) {
	parsed, err := syntax.Parse(r.source, syntax.Perl)
	if err != nil || firstOf(parsed.Simplify(), &set) {
		for i := range set {
			set[i] = true
		}
	}
	return set
}

// firstOf adds the bytes that may begin a match, and reports whether it may be empty, or begin anyhow.
func firstOf(re *syntax.Regexp, set *[256]bool) bool {
	switch re.Op {
	case syntax.OpLiteral:
		addRunes(set, re.Rune[0], re.Rune[0])
		for c := unicode.SimpleFold(re.Rune[0]); re.Flags&syntax.FoldCase != 0 && c != re.Rune[0]; c = unicode.SimpleFold(c) {
			addRunes(set, c, c)
		}
		return false
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			addRunes(set, re.Rune[i], re.Rune[i+1])
		}
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return firstOf(re.Sub[0], set)
	case syntax.OpStar, syntax.OpQuest:
		firstOf(re.Sub[0], set)
		return true
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !firstOf(sub, set) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		empty := false
		for _, sub := range re.Sub {
			empty = firstOf(sub, set) || empty
		}
		return empty
	case syntax.OpBeginText, syntax.OpBeginLine, syntax.OpEmptyMatch, syntax.OpWordBoundary:
		return true
	default:
		for i := range set {
			set[i] = true
		}
		return false
	}
}

// addRunes adds the first bytes of the runes from lo to hi. Of those that take several bytes all are added: few patterns tell them apart.
func addRunes(set *[256]bool, lo, hi rune) {
	for c := lo; c <= hi && c < utf8.RuneSelf; c++ {
		set[c] = true
	}
	for c := utf8.RuneSelf; hi >= utf8.RuneSelf && c < len(set); c++ {
		set[c] = true
	}
}

func (r *Regexp) Match(b []byte) bool                  { return r.get().Match(b) }
func (r *Regexp) MatchString(s string) bool            { return r.get().MatchString(s) }
func (r *Regexp) SubexpNames() []string                { return r.get().SubexpNames() }
func (r *Regexp) FindIndex(b []byte) []int             { return r.get().FindIndex(b) }
func (r *Regexp) FindSubmatch(b []byte) [][]byte       { return r.get().FindSubmatch(b) }
func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }
func (r *Regexp) FindStringIndex(s string) []int       { return r.get().FindStringIndex(s) }
func (r *Regexp) ReplaceAllString(s, with string) string {
	return r.get().ReplaceAllString(s, with)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllString(s string, n int) []string { return r.get().FindAllString(s, n) }

func (r *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return r.get().FindAllSubmatchIndex(b, n)
}

func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte { return r.get().FindAllSubmatch(b, n) }

func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return r.get().ReplaceAllStringFunc(s, with)
}
