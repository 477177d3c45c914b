package scan

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Bounds of ignore files, which strangers write: what stands beyond them is passed
// over with a warning. Real ones are far smaller.
const (
	// ignoreFileLimit is the most that is read of one file, and ignoreTotal of all.
	ignoreFileLimit = 1 << 20
	ignoreTotal     = 4 << 20
	// ignoreFiles is how many may apply to one path.
	ignoreFiles = 64
	// ignoreGlobs and ignoreGlobBytes bound the patterns, of all that apply to one
	// path, that have to be tried one after another. The collections of rules for
	// every language and tool that people copy have some two hundred.
	ignoreGlobs     = 1000
	ignoreGlobBytes = 16 << 10
	// ignorePattern is the longest pattern, as long as the longest path.
	ignorePattern = 4096
)

// ignoreFile holds the rules of one file in gitignore syntax, which apply to
// what lies below dir.
type ignoreFile struct {
	// name as it stands in rules: ".gitignore", "web/.gitignore".
	name string
	// dir is "" for the root, else ends in "/".
	dir   string
	rules []ignoreRule
	// fold: capitals and small letters of ASCII are the same, as git folds them.
	fold bool

	// Most rules are of a simple form and are found, however many there are. Only
	// the globs are tried one after another.
	forms tree.Forms
	last  []lastRule // by the number of the form
	globs []int      // numbers of rules
	// names are the globs of last elements, and paths those of whole paths: all are tried at once.
	names, paths globSet
	bytes        int // of the globs
	// heads are the folders above what "!" rules name.
	heads map[string]bool
	// depth, allGlobs and allBytes count this file and those above it.
	depth, allGlobs, allBytes int
}

// lastRule holds the last rules of one pattern: that decides on files, and that
// decides on folders. -1 is none.
type lastRule struct{ file, dir int }

type ignoreRule struct {
	text    string // as written
	line    int
	negate  bool
	dirOnly bool
	// base: the pattern has no slash and is matched against the last element.
	base bool
	// The common forms are decided without a glob.
	form tree.Form
	key  string
	glob string
}

// parseIgnore reads gitignore syntax (gitignore(5)). A pattern that git could
// not match either is skipped.
func parseIgnore(name, dir string, content []byte, fold bool) *ignoreFile {
	f := &ignoreFile{name: name, dir: dir, fold: fold}
	content = bytes.TrimPrefix(content, []byte{0xEF, 0xBB, 0xBF})
	line := 0
	for raw := range bytes.Lines(content) {
		line++
		text := strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")
		pattern := text
		if fold {
			pattern = lower(text)
		}
		if r, ok := parseIgnoreRule(pattern); ok && len(text) <= ignorePattern {
			r.text, r.line = text, line
			f.rules = append(f.rules, r)
		}
	}
	f.compile()
	return f
}

// globSet are globs, and what each of them is of.
type globSet struct {
	globs tree.Globs
	of    []glob
}

// glob is of a rule: what it matches, or with stem set what it does not.
type glob struct {
	rule int
	stem bool
}

func (t *globSet) add(pattern string, g glob) {
	t.globs.Add(pattern)
	t.of = append(t.of, g)
}

// last returns the last rule, behind best, of which a glob matches and speaks.
func (t *globSet) last(name string, best int, speaks func(rule int) bool) int {
	var stems []int
	t.globs.Match(name, func(i int) {
		if t.of[i].stem {
			stems = append(stems, t.of[i].rule)
		}
	})
	t.globs.Match(name, func(i int) {
		if r := t.of[i].rule; r > best && !t.of[i].stem && speaks(r) && !slices.Contains(stems, r) {
			best = r
		}
	})
	return best
}

// compile makes the tables of the rules.
func (f *ignoreFile) compile() {
	for i := range f.rules {
		r := &f.rules[i]
		if r.glob != "" {
			f.globs = append(f.globs, i)
			f.bytes += len(r.glob)
			if r.base {
				f.names.add(r.glob, glob{rule: i})
				continue
			}
			f.paths.add(r.glob, glob{rule: i})
			// "dir/**" means what is below, not the folder itself.
			if stem, ok := strings.CutSuffix(r.glob, "/**"); ok {
				f.paths.add(stem, glob{rule: i, stem: true})
			}
			continue
		}
		id := f.forms.Add(r.form, r.key)
		if id == len(f.last) {
			f.last = append(f.last, lastRule{-1, -1})
		}
		f.last[id].dir = i
		if !r.dirOnly {
			f.last[id].file = i
		}
	}
}

// findHeads makes the table for reach.
func (f *ignoreFile) findHeads() {
	f.heads = map[string]bool{}
	for i := range f.rules {
		r := &f.rules[i]
		if !r.negate {
			continue
		}
		text := strings.TrimPrefix(r.text[1:], "/")
		for i := range len(text) {
			if text[i] == '/' {
				f.heads[text[:i]] = true
			}
		}
	}
}

// push returns the stack with f on top. Passed says what of f is passed over, "" if
// nothing is.
func (s ignores) push(f *ignoreFile) (on ignores, passed string) {
	above := &ignoreFile{}
	if len(s) > 0 {
		above = s[len(s)-1]
	}
	if above.depth >= ignoreFiles {
		return s, fmt.Sprintf("it is passed over: the limit for one path is %d ignore files", ignoreFiles)
	}
	f.depth = above.depth + 1
	f.allGlobs, f.allBytes = above.allGlobs+len(f.globs), above.allBytes+f.bytes
	if f.allGlobs > ignoreGlobs || f.allBytes > ignoreGlobBytes {
		passed = fmt.Sprintf("%d of its patterns are passed over: the limit for one path is %d that have to be tried one after another, of %d bytes together", len(f.globs), ignoreGlobs, ignoreGlobBytes)
		f.globs, f.allGlobs, f.allBytes = nil, above.allGlobs, above.allBytes
	}
	return append(s[:len(s):len(s)], f), passed
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
	plain := func(s string) bool { return !strings.ContainsAny(s, `*?[\`) }
	dir, below := strings.CutSuffix(s, "/**")
	if at, ok := strings.CutPrefix(s, "**/"); ok && !strings.Contains(at, "/") && at != "" && at != "**" {
		r.base, s = true, at // "**/a" says what "a" says
	}
	switch {
	case plain(s) && r.base:
		r.form, r.key = tree.Base, s
		return r, true
	case plain(s):
		r.form, r.key = tree.Whole, s
		return r, true
	case r.base && s[0] == '*' && plain(s[1:]):
		r.form, r.key = tree.Suffix, s[1:]
		return r, true
	case r.base && s[len(s)-1] == '*' && plain(s[:len(s)-1]):
		r.form, r.key = tree.Prefix, s[:len(s)-1]
		return r, true
	case below && dir != "" && plain(dir):
		r.form, r.key = tree.Below, dir
		return r, true
	}
	r.glob = gitGlob(s)
	return r, doublestar.ValidatePattern(r.glob)
}

// posix classes as ranges; globs know ranges only.
var posixClasses = strings.NewReplacer(
	"[:alnum:]", "0-9A-Za-z", "[:alpha:]", "A-Za-z", "[:digit:]", "0-9", "[:lower:]", "a-z", "[:upper:]", "A-Z",
	"[:xdigit:]", "0-9A-Fa-f", "[:space:]", " \t", "[:punct:]", `!-/:-@\[-`+"`"+`{-~`, "[:blank:]", " \t")

// gitGlob writes a gitignore pattern in doublestar's syntax, in which braces
// are special and in git's are not.
func gitGlob(s string) string { return plainBraces(posixClasses.Replace(s)) }

// lower makes small letters of the capitals of ASCII.
func lower(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

// match decides on one path below f.dir; ok is false when no rule speaks. Of the
// rules that speak, the last decides.
func (f *ignoreFile) match(name string, isDir bool) (rule *ignoreRule, ok bool) {
	rel := name[len(f.dir):]
	if f.fold {
		rel = lower(rel)
	}
	best := -1
	f.forms.Each(rel, func(id int) {
		last := f.last[id].file
		if isDir {
			last = f.last[id].dir
		}
		best = max(best, last)
	})
	if len(f.globs) > 0 {
		speaks := func(rule int) bool { return isDir || !f.rules[rule].dirOnly }
		best = f.names.last(rel[strings.LastIndexByte(rel, '/')+1:], best, speaks)
		best = f.paths.last(rel, best, speaks)
	}
	if best < 0 {
		return nil, false
	}
	return &f.rules[best], true
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
		if f.heads[dir] {
			return true
		}
	}
	return false
}
