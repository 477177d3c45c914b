package secret

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// AllowFile is the name of the file that accepts findings, at the root.
const AllowFile = ".haversackallow"

// Limits of the allow file. A hostile one must not cost more than it says.
const (
	maxAllowBytes = 64 << 10
	maxAllowLines = 1000
	maxAllowLine  = 1000
	maxGlob       = 300
)

// Acceptance lets findings of one rule stay in the files that a glob matches.
type Acceptance struct {
	// Rule is a rule id, or "*" for every rule.
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
			fault(n, "rule %q: want a rule id as in [REDACTED:id], or *", rule)
			continue
		}
		if len(glob) > maxGlob || strings.Count(glob, "{") > 4 || strings.Count(glob, "*") > 16 {
			fault(n, "glob %q is too long or too intricate", clip(glob))
			continue
		}
		glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
		if !doublestar.ValidatePattern(glob) {
			fault(n, "glob %q: syntax error in pattern", clip(glob))
			continue
		}
		acc := Acceptance{Rule: rule, Glob: glob, Reason: strings.Join(f[2:], " "), Line: n}
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

// wide says what an acceptance lets through beyond a file or two, "" if it is
// narrow.
func (c Acceptance) wide() string {
	what := "findings of " + c.Rule
	if c.Rule == "*" {
		what = "findings of every rule"
	}
	base := c.Glob[strings.LastIndexByte(c.Glob, '/')+1:]
	open := strings.Trim(strings.ReplaceAll(c.Glob, "/", ""), "*?.") == ""
	anywhere := 0
	for _, probe := range [...]string{"wz.qj", "kq/wz/vx.qj", "b/c/d/e/f.gh"} {
		if ok, _ := doublestar.Match(c.Glob, probe); ok {
			anywhere++
		}
	}
	first, _, deep := strings.Cut(c.Glob, "/")
	switch {
	case open, anywhere > 1:
		return fmt.Sprintf("glob %q lets %s through in every file; name the files", c.Glob, what)
	case strings.HasPrefix(c.Glob, "**/*"):
		return fmt.Sprintf("glob %q lets %s through in every file named so, at any depth; name the folder", c.Glob, what)
	case strings.Contains(c.Glob, "**") && strings.Trim(base, "*") == "":
		return fmt.Sprintf("glob %q lets %s through in every file below a folder; name the files", c.Glob, what)
	case strings.Trim(base, "*?.") == "", anywhere > 0:
		return fmt.Sprintf("glob %q lets %s through in every file of a folder; name the files", c.Glob, what)
	case deep && strings.Contains(c.Glob, "**") && strings.ContainsAny(first, "*?[{"):
		return fmt.Sprintf("glob %q lets %s through in files of many folders; name the folder", c.Glob, what)
	case c.Rule == "*" && strings.ContainsAny(c.Glob, "*?[{"):
		return fmt.Sprintf("rule * with glob %q lets %s through in several files; name the rule", c.Glob, what)
	}
	return ""
}

// Accepts returns the acceptance that lets a rule's findings stay in a file.
func (a Allow) Accepts(rule, path string) (Acceptance, bool) {
	for _, c := range a.Acceptances {
		if c.Rule != "*" && c.Rule != rule {
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
