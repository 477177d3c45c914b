package secret

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/haversack-dev/haversack/internal/secret/value"
	"github.com/haversack-dev/haversack/internal/tree"
)

// AllowFile is the name of the file that accepts findings, at the root.
const AllowFile = ".haversackallow"

// Limits of the allow file. A hostile one must not cost more than it says.
const (
	maxAllowBytes = 64 << 10
	maxAllowLines = 1000
	maxAllowLine  = 10_000 // a path may have 4096 bytes, each of them escaped
	maxGlob       = 9000
	// maxAlternatives bounds what globs come to with each alternative written out, in bytes, in one file.
	maxAlternatives = 256 << 10
	maxFaults       = 20 // that are told
)

// everyRule is the word for all rules in a line that says so of all files; "*"
// says it of files that the line names.
const everyRule = "all"

// Acceptance lets findings of one rule stay in the files that a glob matches.
type Acceptance struct {
	// Rule is a rule id, or "*" or "all" for every rule.
	Rule string
	// Glob is a doublestar pattern over paths.
	Glob string
	// Reason is why, in the author's words. Never empty.
	Reason string
	// Line in the allow file, counted from 1.
	Line int
}

// Allow is what an allow file accepts. The zero Allow accepts nothing.
type Allow struct {
	Acceptances []Acceptance
	// globs are those of the acceptances, each alternative by itself, and of says whose each is.
	globs *tree.Globs
	of    []int
	// Warnings name each line that lets through more than one file could need,
	// and say what.
	Warnings []string
}

// ParseAllow reads an allow file. Each line holds a rule, a glob and a reason,
// parted by spaces; empty lines and lines that begin with # are skipped. The
// error names every faulty line as name:line.
func ParseAllow(name string, content []byte) (Allow, error) {
	var a Allow
	if len(content) > maxAllowBytes {
		return a, fmt.Errorf("%s: %d bytes, allowed are %d; accept fewer findings, or exclude the files", name, len(content), maxAllowBytes)
	}
	var errs []error
	room := maxAlternatives
	a.globs = new(tree.Globs)
	content = bytes.TrimPrefix(content, []byte("\xEF\xBB\xBF"))
	n := 0
	for raw := range bytes.Lines(content) {
		n++
		if n > maxAllowLines {
			errs = append(errs, fmt.Errorf("%s:%d: more than %d lines", name, n, maxAllowLines))
			break
		}
		line := strings.TrimSpace(string(raw))
		if line == "" || line[0] == '#' {
			continue
		}
		acc, err := parseAcceptance(line)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, n, err))
			continue
		}
		acc.Line = n
		list, ok := alternatives(acc.Glob, room)
		if !ok {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s:%d: limit: the line is passed over: with each alternative written out the globs come to more than %d bytes; write fewer alternatives", name, n, maxAlternatives))
			continue
		}
		for _, glob := range list {
			room -= len(glob)
			a.globs.Add(glob)
			a.of = append(a.of, len(a.Acceptances))
		}
		a.Acceptances = append(a.Acceptances, acc)
		if w := acc.wide(); w != "" {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s:%d: %s", name, n, w))
		}
	}
	if len(errs) > 0 {
		return Allow{}, errors.Join(errs[:min(len(errs), maxFaults)]...)
	}
	return a, nil
}

// parseAcceptance reads one line.
func parseAcceptance(line string) (Acceptance, error) {
	var c Acceptance
	if len(line) > maxAllowLine {
		return c, fmt.Errorf("line of %d bytes, allowed are %d", len(line), maxAllowLine)
	}
	if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }) {
		return c, errors.New("control characters or no UTF-8")
	}
	f := strings.Fields(line)
	if len(f) < 3 {
		return c, errors.New("want a rule, a path glob and a reason, as in: password-assignment test/fixtures/*.yaml made-up values")
	}
	glob := strings.TrimPrefix(strings.TrimPrefix(f[1], "./"), "/")
	c = Acceptance{Rule: f[0], Glob: glob, Reason: strings.Join(f[2:], " ")}
	plain := unescaped(glob)
	switch {
	case c.Rule != "*" && (len(c.Rule) > 80 || !value.Only([]byte(c.Rule), value.WordSigns+"-.")):
		return c, fmt.Errorf("rule %q: want a rule id as in [REDACTED:id], * for every rule in a named file, or all", c.Rule)
	case len(f[1]) > maxGlob || strings.Count(plain, "{") > 4 || strings.Count(plain, "*") > 16:
		return c, fmt.Errorf("glob %q is too long or too intricate", clip(f[1]))
	case glob == "":
		return c, errors.New("the glob names no file")
	case !doublestar.ValidatePattern(glob):
		return c, fmt.Errorf("glob %q: syntax error in pattern", clip(glob))
	case c.Rule == "*" && c.everywhere():
		return c, fmt.Errorf("rule * with glob %q would let every finding through in every file; name the rule, "+
			"or write %s in place of * if that is meant", clip(glob), everyRule)
	}
	return c, nil
}

// any reports whether the acceptance is for every rule.
func (c Acceptance) any() bool { return c.Rule == "*" || c.Rule == everyRule }

// reach counts how many of three paths that nobody would name the glob matches.
func (c Acceptance) reach() int {
	n := 0
	for _, probe := range [...]string{"wz.qj", "kq/wz/vx.qj", "b/c/d/e/f.gh"} {
		g := new(tree.Globs)
		list, _ := alternatives(c.Glob, maxAlternatives)
		for _, glob := range list {
			g.Add(glob)
		}
		matched := false
		g.Match(probe, func(int) { matched = true })
		if matched {
			n++
		}
	}
	return n
}

// everywhere reports whether the glob names no file and no folder.
func (c Acceptance) everywhere() bool {
	return strings.Trim(strings.ReplaceAll(c.Glob, "/", ""), "*?.") == "" || c.reach() > 1
}

// Everything reports whether a line lets every finding of every rule through in
// every file. Whoever reads a run's result must be told so first.
func (a Allow) Everything() bool {
	return slices.ContainsFunc(a.Acceptances, func(c Acceptance) bool { return c.any() && c.everywhere() })
}

// wide says what an acceptance lets through beyond a file or two, "" if it is
// narrow.
func (c Acceptance) wide() string {
	what := "findings of " + c.Rule
	if c.any() {
		what = "findings of every rule"
	}
	glob := unescaped(c.Glob)
	base := glob[strings.LastIndexByte(glob, '/')+1:]
	first, _, deep := strings.Cut(glob, "/")
	by, in := "", ""
	switch {
	case c.everywhere():
		in = "in every file; name the files"
	case strings.HasPrefix(glob, "**/*"):
		in = "in every file named so, at any depth; name the folder"
	case strings.Contains(glob, "**") && strings.Trim(base, "*") == "":
		in = "in every file below a folder; name the files"
	case strings.Trim(base, "*?.") == "", c.reach() > 0:
		in = "in every file of a folder; name the files"
	case deep && strings.Contains(glob, "**") && strings.ContainsAny(first, "*?[{"):
		in = "in files of many folders; name the folder"
	case c.any() && strings.ContainsAny(glob, "*?[{"):
		by, in = "rule "+c.Rule+" with ", "in several files; name the rule"
	default:
		return ""
	}
	return fmt.Sprintf("%sglob %q lets %s through %s", by, c.Glob, what, in)
}

// matching are the numbers of the acceptances whose globs match a path, in the order of their lines.
func (a Allow) matching(path string) (list []int) {
	if a.globs != nil {
		a.globs.Match(path, func(glob int) { list = append(list, a.of[glob]) })
	}
	return slices.Compact(list)
}

// accepts returns the first of the acceptances with these numbers that is for a rule.
func (a Allow) accepts(rule string, numbers []int) (Acceptance, bool) {
	for _, i := range numbers {
		if c := a.Acceptances[i]; c.any() || c.Rule == rule {
			return c, true
		}
	}
	return Acceptance{}, false
}

// Accepts returns the acceptance that lets a rule's findings stay in a file.
func (a Allow) Accepts(rule, path string) (Acceptance, bool) {
	return a.accepts(rule, a.matching(path))
}

// alternatives writes out each alternative in the braces of a glob, in order. It reports whether they come
// to no more than room bytes.
func alternatives(glob string, room int) (list []string, ok bool) {
	for todo := []string{glob}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		from, to, parts := braces(next)
		if parts == nil {
			list = append(list, next)
			continue
		}
		for _, p := range slices.Backward(parts) {
			if room -= len(next) - (to - from) + len(p); room < 0 {
				return nil, false
			}
			todo = append(todo, next[:from]+p+next[to:])
		}
	}
	return list, room >= 0
}

// braces finds the first braces of a glob and what stands in them, parted by commas; nil where there are none.
func braces(glob string) (from, to int, parts []string) {
	depth, start := 0, 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\':
			i++
		case c == '[':
			for i++; i < len(glob) && glob[i] != ']'; i++ {
				if glob[i] == '\\' {
					i++
				}
			}
		case c == '{':
			if depth++; depth == 1 {
				from, start = i, i+1
			}
		case c == ',' && depth == 1:
			parts = append(parts, glob[start:i])
			start = i + 1
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				return from, i + 1, append(parts, glob[start:i])
			}
		}
	}
	return 0, 0, nil
}

// Split parts findings in a file into those that stay findings and those that
// are accepted. Both keep their order; the lists share no memory with findings.
func (a Allow) Split(path string, findings []value.Finding) (kept, accepted []value.Finding) {
	if len(a.Acceptances) == 0 {
		return findings, nil
	}
	numbers := a.matching(path)
	for _, f := range findings {
		if _, ok := a.accepts(f.Rule, numbers); ok {
			accepted = append(accepted, f)
		} else {
			kept = append(kept, f)
		}
	}
	return kept, accepted
}

// AllowLine returns the line of an allow file that accepts findings of a rule in
// the file at path and in no other, with a reason to be replaced. What a line
// cannot hold of a path, such as a space, stands as "?", any one character.
func AllowLine(rule, path string) string {
	var b strings.Builder
	for _, r := range path {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), r == utf8.RuneError:
			b.WriteByte('?')
			continue
		case strings.ContainsRune(`*?[]{}\`, r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return rule + " " + b.String() + " no credential: say why"
}

// escapedChar is a character of a glob that means itself.
var escapedChar = regexp.MustCompile(`\\.`)

// unescaped returns a glob with "x" for each escaped character.
func unescaped(glob string) string { return escapedChar.ReplaceAllString(glob, "x") }

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}
