package scan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Patterns decide on whole paths, relative to the root. A pattern is a glob in
// doublestar's syntax (`*` and `?` stay within one element, `**` spans any
// number, `[...]` and `{a,b}`), or, where it holds no special character, a
// plain name that stands for itself and everything below it.
type Patterns []Pattern

// Pattern is one of them, as Normalize leaves it.
type Pattern string

// Normalize turns a path as people write it into one of ours: backslashes
// become slashes, a drive letter, a leading "./" or "/" and a trailing "/" go.
func Normalize(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if len(p) >= 2 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z') {
		p = p[2:]
	}
	for {
		q := strings.TrimPrefix(strings.TrimPrefix(p, "./"), "/")
		if q == p {
			break
		}
		p = q
	}
	p = strings.TrimRight(p, "/")
	if p == "" {
		return "."
	}
	return p
}

// windows reports whether backslashes in a pattern are plainly those of a Windows path:
// after a drive letter, before what need not be escaped, before a star where no slash
// stands, or before one bracket of a pair. Else they escape: app/\[id\]/**.
func windows(p string) bool {
	if drive.MatchString(p) {
		return true
	}
	slash := strings.Contains(p, "/")
	open := 0
	for i := 0; i < len(p); i++ {
		escaped := p[i] == '\\'
		if escaped {
			if i++; i == len(p) || !strings.ContainsRune(`[]{}*?!,-^\ #`, rune(p[i])) || p[i] == '*' && !slash {
				return true
			}
		}
		switch {
		case p[i] == '[' && escaped:
			open++
		case p[i] == ']' && escaped:
			open--
		}
	}
	return open != 0
}

var drive = lazyregexp.New(`^[A-Za-z]:[\\/]`)

// normalizePattern turns a pattern into one for paths of ours; see Normalize.
func normalizePattern(p string) string {
	if !strings.Contains(p, `\`) || windows(p) {
		return Normalize(p)
	}
	// Nothing that a backslash escapes is a slash or a dot.
	return strings.ReplaceAll(Normalize(strings.ReplaceAll(p, `\`, "\x00")), "\x00", `\`)
}

// plain returns the name that a pattern stands for where every special character is
// escaped, or there is none.
func (p Pattern) plain() (name string, ok bool) {
	if !strings.Contains(string(p), `\`) {
		return string(p), !p.glob()
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch {
		case p[i] == '\\' && i+1 < len(p):
			i++
		case strings.IndexByte("*?[{", p[i]) >= 0:
			return "", false
		}
		b.WriteByte(p[i])
	}
	return b.String(), true
}

// ParsePatterns reads one pattern a line. Empty lines are skipped.
func ParsePatterns(lines []string) (Patterns, error) {
	var ps Patterns
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		p := Pattern(normalizePattern(l))
		if !doublestar.ValidatePattern(string(p)) {
			return nil, fmt.Errorf("pattern %q: syntax error in pattern", l)
		}
		ps = append(ps, p)
	}
	return ps, nil
}

func (p Pattern) glob() bool { return strings.ContainsAny(string(p), "*?[{") }

// Match returns the first pattern that matches the path, or "".
func (ps Patterns) Match(name string) Pattern {
	for _, p := range ps {
		if p.match(name) {
			return p
		}
	}
	return ""
}

func (p Pattern) match(name string) bool {
	if strings.Contains(string(p), `\`) {
		if own, ok := p.plain(); ok {
			return own == name || strings.HasPrefix(name, own+"/")
		}
	}
	// A plain name, or a name that only looks like a glob (app/[id]/page.tsx).
	if p == "." || string(p) == name || len(name) > len(p) && name[len(p)] == '/' && name[:len(p)] == string(p) {
		return true
	}
	if !p.glob() {
		return false
	}
	if doublestar.MatchUnvalidated(string(p), name) {
		return true
	}
	// Brackets of a path's own: app/[id]/** means what it looks like, too.
	return strings.Contains(name, "[") && strings.Contains(string(p), "[") && !strings.Contains(string(p), `\`) &&
		doublestar.MatchUnvalidated(brackets.Replace(string(p)), name)
}

var brackets = strings.NewReplacer("[", `\[`, "]", `\]`)

// plainBraces escapes the braces of a glob that are not escaped, so that they
// stand for themselves.
func plainBraces(glob string) string {
	if !strings.ContainsAny(glob, "{}") {
		return glob
	}
	b := make([]byte, 0, len(glob)+8)
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob):
			b = append(b, c)
			i++
		case c == '{' || c == '}':
			b = append(b, '\\')
		}
		b = append(b, glob[i])
	}
	return string(b)
}

// MatchPlain reports whether a glob matches a whole path. Braces stand for
// themselves. It is for globs of the repository's files: with alternatives a glob
// can be written that is never decided.
func MatchPlain(glob, name string) bool { return matchGlob(plainBraces(glob), name) }

// matchGlob reports whether a glob matches; one with a syntax error does not.
func matchGlob(glob, name string) bool {
	ok, err := doublestar.Match(glob, name)
	return ok && err == nil
}

// MatchAll returns the first pattern that matches the folder and everything
// that could be below it, or "".
func (ps Patterns) MatchAll(dir string) Pattern {
	for _, p := range ps {
		if _, ok := p.plain(); ok && p.match(dir) {
			return p
		}
		if stem, ok := strings.CutSuffix(string(p), "/**"); ok && Pattern(stem).match(dir) || p == "**" {
			return p
		}
	}
	return ""
}

// Reaches reports whether a pattern names the folder or something below it
// explicitly enough to enter it although a rule would skip it: element by
// element, what stands before the first "**" must lead to the folder. So
// `node_modules/zod/**` reaches into node_modules, `**/*.md` does not.
func (ps Patterns) Reaches(dir string) bool {
	want := strings.Split(dir, "/")
	for _, p := range ps {
		head, _, deep := strings.Cut(string(p), "**")
		head = strings.TrimSuffix(head, "/")
		if head == "" || head == "." {
			continue
		}
		have := strings.Split(head, "/")
		if len(have) < len(want) || !deep && len(have) == len(want) && p.glob() {
			continue
		}
		ok := true
		for i, w := range want {
			if have[i] != w && !matchGlob(have[i], w) {
				ok = false
				break
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// Unmatched returns those patterns that match no path which the search met, taken or
// left out, and none of tracked. Of a pattern for what lies in a folder that was not
// entered nothing can be told: it is not among them.
func (f *SearchResult) Unmatched(ps Patterns, tracked map[string]bool) Patterns {
	rest := slices.Clone(ps)
	drop := func(name string) {
		rest = slices.DeleteFunc(rest, func(p Pattern) bool { return p.match(name) })
	}
	for i := 0; i < len(f.Files) && len(rest) > 0; i++ {
		drop(f.Files[i].Path)
	}
	for i := 0; i < len(f.Omitted) && len(rest) > 0; i++ {
		name, folder := strings.CutSuffix(f.Omitted[i].Path, "/")
		drop(name)
		if folder {
			rest = slices.DeleteFunc(rest, func(p Pattern) bool { return p.below(name) })
		}
	}
	if len(rest) > 0 {
		for name := range tracked {
			drop(name)
		}
	}
	return rest
}

// below reports whether a pattern begins with a folder's name and goes on below it.
func (p Pattern) below(dir string) bool {
	want, have := strings.Split(dir, "/"), strings.Split(string(p), "/")
	if len(have) <= len(want) {
		return false
	}
	for i, w := range want {
		if have[i] == "**" || have[i] != w && !matchGlob(have[i], w) {
			return false
		}
	}
	return true
}
