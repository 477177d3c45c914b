package scan

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreFileLimit is the most that is read of one ignore file; git's own are
// far smaller, and a larger one is there to cost time.
const ignoreFileLimit = 1 << 20

// ignoreFile holds the rules of one file in gitignore syntax, which apply to
// what lies below dir.
type ignoreFile struct {
	// name as it stands in rules: ".gitignore", "web/.gitignore".
	name string
	// dir is "" for the root, else ends in "/".
	dir   string
	rules []ignoreRule
}

type ignoreRule struct {
	text    string // as written
	line    int
	negate  bool
	dirOnly bool
	// base: the pattern has no slash and is matched against the last element.
	base bool
	// The common forms are decided without a glob: exact, or "*" + suffix.
	exact, suffix string
	glob          string
}

// parseIgnore reads gitignore syntax (gitignore(5)). A pattern that git could
// not match either is skipped.
func parseIgnore(name, dir string, content []byte) *ignoreFile {
	f := &ignoreFile{name: name, dir: dir}
	content = bytes.TrimPrefix(content, []byte{0xEF, 0xBB, 0xBF})
	for i, raw := range strings.Split(string(content), "\n") {
		raw = strings.TrimSuffix(raw, "\r")
		if r, ok := parseIgnoreRule(raw); ok {
			r.line = i + 1
			f.rules = append(f.rules, r)
		}
	}
	return f
}

func parseIgnoreRule(s string) (ignoreRule, bool) {
	r := ignoreRule{text: s}
	if strings.HasPrefix(s, "#") {
		return r, false
	}
	// Trailing spaces go unless quoted with a backslash.
	for strings.HasSuffix(s, " ") && !strings.HasSuffix(s, `\ `) {
		s = s[:len(s)-1]
	}
	if strings.HasPrefix(s, "!") {
		r.negate, s = true, s[1:]
	}
	if strings.HasSuffix(s, "/") {
		r.dirOnly, s = true, s[:len(s)-1]
	}
	if s == "" {
		return r, false
	}
	r.base = !strings.Contains(s, "/")
	s = strings.TrimPrefix(s, "/")
	if s == "" {
		return r, false
	}
	if !strings.ContainsAny(s, `*?[\`) {
		r.exact = s
		return r, true
	}
	if r.base && strings.HasPrefix(s, "*") && !strings.ContainsAny(s[1:], `*?[\`) {
		r.suffix = s[1:]
		return r, true
	}
	r.glob = gitGlob(s)
	return r, doublestar.ValidatePattern(r.glob)
}

// posix classes as ranges; doublestar knows ranges only.
var posixClasses = strings.NewReplacer(
	"[:alnum:]", "0-9A-Za-z", "[:alpha:]", "A-Za-z", "[:digit:]", "0-9", "[:lower:]", "a-z", "[:upper:]", "A-Z",
	"[:xdigit:]", "0-9A-Fa-f", "[:space:]", " \t", "[:punct:]", `!-/:-@\[-`+"`"+`{-~`, "[:blank:]", " \t")

// gitGlob writes a gitignore pattern in doublestar's syntax, in which braces
// are special and in git's are not.
func gitGlob(s string) string {
	return strings.NewReplacer("{", `\{`, "}", `\}`).Replace(posixClasses.Replace(s))
}

// match decides on one path below f.dir; ok is false when no rule speaks.
func (f *ignoreFile) match(name string, isDir bool) (rule *ignoreRule, ok bool) {
	rel := name[len(f.dir):]
	last := rel[strings.LastIndexByte(rel, '/')+1:]
	for i := len(f.rules) - 1; i >= 0; i-- {
		r := &f.rules[i]
		if r.dirOnly && !isDir {
			continue
		}
		subject := rel
		if r.base {
			subject = last
		}
		var hit bool
		switch {
		case r.exact != "":
			hit = subject == r.exact
		case r.glob == "":
			hit = strings.HasSuffix(subject, r.suffix)
		default:
			hit = doublestar.MatchUnvalidated(r.glob, subject)
			// "dir/**" means what is below, not the folder itself.
			if hit && strings.HasSuffix(r.glob, "/**") && doublestar.MatchUnvalidated(strings.TrimSuffix(r.glob, "/**"), subject) {
				hit = false
			}
		}
		if hit {
			return r, true
		}
	}
	return nil, false
}

// ignores is the stack of ignore files that apply in one folder, the weakest
// first.
type ignores []*ignoreFile

// match returns the rule that decides on the path, and the file it stands in.
func (s ignores) match(name string, isDir bool) (*ignoreFile, *ignoreRule) {
	for i := len(s) - 1; i >= 0; i-- {
		if r, ok := s[i].match(name, isDir); ok {
			return s[i], r
		}
	}
	return nil, nil
}

// name is how a user finds the rule again.
func (r *ignoreRule) name(f *ignoreFile) string {
	return f.name + ":" + strconv.Itoa(r.line) + " " + r.text
}

// reach reports whether a "!" rule names something below the folder, so that
// it must be entered.
func (s ignores) reach(dir string) bool {
	for _, f := range s {
		for i := range f.rules {
			if r := &f.rules[i]; r.negate && strings.HasPrefix(strings.TrimPrefix(r.text[1:], "/"), dir+"/") {
				return true
			}
		}
	}
	return false
}
