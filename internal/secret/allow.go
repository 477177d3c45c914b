package secret

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// AllowFile is the name of the file that accepts findings, at the root.
const AllowFile = ".haversackallow"

// Limits of the allow file. A hostile one must not cost more than it says.
const (
	maxAllowBytes = 64 << 10
	maxAllowLines = 1000
	maxAllowLine  = 10_000 // a path may have 4096 bytes, each of them escaped
	maxGlob       = 9000
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
	fault := func(line int, format string, args ...any) {
		if len(errs) < 20 {
			errs = append(errs, fmt.Errorf("%s:%d: "+format, append([]any{name, line}, args...)...))
		}
	}
	content = bytes.TrimPrefix(content, []byte("\xEF\xBB\xBF"))
	n := 0
	for raw := range bytes.Lines(content) {
		n++
		if n > maxAllowLines {
			fault(n, "more than %d lines", maxAllowLines)
			break
		}
		line := strings.TrimSpace(string(raw))
		if line == "" || line[0] == '#' {
			continue
		}
		if len(line) > maxAllowLine {
			fault(n, "line of %d bytes, allowed are %d", len(line), maxAllowLine)
			continue
		}
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }) {
			fault(n, "control characters or no UTF-8")
			continue
		}
		f := strings.Fields(line)
		if len(f) < 3 {
			fault(n, "want a rule, a path glob and a reason, as in: password-assignment test/fixtures/*.yaml made-up values")
			continue
		}
		rule, glob := f[0], f[1]
		if !ruleName(rule) {
			fault(n, "rule %q: want a rule id as in [REDACTED:id], * for every rule in a named file, or all", rule)
			continue
		}
		if plain := unescaped(glob); len(glob) > maxGlob || strings.Count(plain, "{") > 4 || strings.Count(plain, "*") > 16 {
			fault(n, "glob %q is too long or too intricate", clip(glob))
			continue
		}
		glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
		if glob == "" {
			fault(n, "the glob names no file")
			continue
		}
		if !doublestar.ValidatePattern(glob) {
			fault(n, "glob %q: syntax error in pattern", clip(glob))
			continue
		}
		acc := Acceptance{Rule: rule, Glob: glob, Reason: strings.Join(f[2:], " "), Line: n}
		if rule == "*" && acc.everywhere() {
			fault(n, "rule * with glob %q would let every finding through in every file; name the rule, or write %s in place of * if that is meant", clip(glob), everyRule)
			continue
		}
		a.Acceptances = append(a.Acceptances, acc)
		if w := acc.wide(); w != "" {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s:%d: %s", name, n, w))
		}
	}
	if len(errs) > 0 {
		return Allow{}, errors.Join(errs...)
	}
	return a, nil
}

// any reports whether the acceptance is for every rule.
func (c Acceptance) any() bool { return c.Rule == "*" || c.Rule == everyRule }

// reach counts how many of three paths that nobody would name the glob matches.
func (c Acceptance) reach() int {
	n := 0
	for _, probe := range [...]string{"wz.qj", "kq/wz/vx.qj", "b/c/d/e/f.gh"} {
		if ok, _ := doublestar.Match(c.Glob, probe); ok {
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
	for _, c := range a.Acceptances {
		if c.any() && c.everywhere() {
			return true
		}
	}
	return false
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
	anywhere := c.reach()
	first, _, deep := strings.Cut(glob, "/")
	switch {
	case c.everywhere():
		return fmt.Sprintf("glob %q lets %s through in every file; name the files", c.Glob, what)
	case strings.HasPrefix(glob, "**/*"):
		return fmt.Sprintf("glob %q lets %s through in every file named so, at any depth; name the folder", c.Glob, what)
	case strings.Contains(glob, "**") && strings.Trim(base, "*") == "":
		return fmt.Sprintf("glob %q lets %s through in every file below a folder; name the files", c.Glob, what)
	case strings.Trim(base, "*?.") == "", anywhere > 0:
		return fmt.Sprintf("glob %q lets %s through in every file of a folder; name the files", c.Glob, what)
	case deep && strings.Contains(glob, "**") && strings.ContainsAny(first, "*?[{"):
		return fmt.Sprintf("glob %q lets %s through in files of many folders; name the folder", c.Glob, what)
	case c.any() && strings.ContainsAny(glob, "*?[{"):
		return fmt.Sprintf("rule %s with glob %q lets %s through in several files; name the rule", c.Rule, c.Glob, what)
	}
	return ""
}

// Accepts returns the acceptance that lets a rule's findings stay in a file.
func (a Allow) Accepts(rule, path string) (Acceptance, bool) {
	for _, c := range a.Acceptances {
		if !c.any() && c.Rule != rule {
			continue
		}
		if ok, err := doublestar.Match(c.Glob, path); ok && err == nil {
			return c, true
		}
	}
	return Acceptance{}, false
}

// Split parts findings in a file into those that stay findings and those that
// are accepted. Both keep their order; the lists share no memory with findings.
func (a Allow) Split(path string, findings []Finding) (kept, accepted []Finding) {
	if len(a.Acceptances) == 0 {
		return findings, nil
	}
	for _, f := range findings {
		if _, ok := a.Accepts(f.Rule, path); ok {
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

// unescaped returns a glob with "x" for each escaped character.
func unescaped(glob string) string {
	if !strings.Contains(glob, `\`) {
		return glob
	}
	var b strings.Builder
	escaped := false
	for _, r := range glob {
		switch {
		case escaped:
			b.WriteByte('x')
			escaped = false
		case r == '\\':
			escaped = true
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func ruleName(s string) bool {
	if s == "*" {
		return true
	}
	for i := range len(s) {
		if !isWord(s[i]) && s[i] != '-' && s[i] != '.' {
			return false
		}
	}
	return len(s) <= 80
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}
