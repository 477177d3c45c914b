// Package lazyregexp holds regular expressions that are compiled when they are first used.
//
// A program that compiles a hundred of them before it does anything starts later and larger than one that compiles the
// three that a run needs. In tests all are compiled at once, so that a wrong one fails there.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
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

// New returns the expression of source, as regexp.MustCompile reads it: a wrong one panics at its first use.
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

func (r *Regexp) Match(b []byte) bool                  { return r.get().Match(b) }
func (r *Regexp) MatchString(s string) bool            { return r.get().MatchString(s) }
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
