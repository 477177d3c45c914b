package scan

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
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

// ParsePatterns reads one pattern a line. Empty lines are skipped.
func ParsePatterns(lines []string) (Patterns, error) {
	var ps Patterns
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		p := Pattern(Normalize(l))
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
	// A plain name, or a name that only looks like a glob (app/[id]/page.tsx).
	if p == "." || string(p) == name || len(name) > len(p) && name[len(p)] == '/' && name[:len(p)] == string(p) {
		return true
	}
	return p.glob() && doublestar.MatchUnvalidated(string(p), name)
}

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
		if !p.glob() && p.match(dir) {
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
