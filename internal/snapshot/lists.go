package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
)

// unmatched says which lines of the inputs that are lists of paths match nothing: what
// was to stay would leave, or the other way round, and nobody would know. A line that
// looks like another kind of list is an error that spells it right; of the others each
// is a warning, and under strict-patterns all are an error.
func unmatched(e *job.Setting, in *job.Scope, h *Head, f *scan.SearchResult) (warnings []string, err error) {
	tracked := make(map[string]bool, len(h.tracked))
	for _, t := range h.tracked {
		tracked[t.Path] = true
	}
	var wrong []error
	tell := func(input, format string, args ...any) {
		if !slices.Contains(in.Common, input) {
			wrong = append(wrong, &job.InputError{Name: input, Err: fmt.Errorf(format, args...)})
		}
	}
	for _, list := range []struct {
		name  string
		lines scan.Patterns
	}{{"include", in.Include}, {"exclude", in.Exclude}} {
		matches := func(line string) bool {
			ps, err := scan.ParsePatterns([]string{line})
			return err == nil && len(f.Unmatched(ps, tracked)) == 0
		}
		idle := f.Unmatched(list.lines, tracked)
		for _, p := range list.lines {
			// What is wholly a set of characters would be a name of one; no list is.
			if set.MatchString(string(p)) && !slices.Contains(idle, p) && !matches(`\[`+string(p[1:len(p)-1])+`\]`) {
				idle = append(idle, p)
			}
		}
		for _, p := range idle {
			err := misspelt(list.name, string(p), matches)
			if err != nil {
				return nil, &job.InputError{Name: list.name, Err: err}
			}
			tell(list.name, "%q matches no path%s", p, hint(string(p), matches))
		}
	}
	for _, p := range in.Only.Idle(f.Files) {
		tell("include-only", "%q matches no file that may be packed", p)
	}
	for _, p := range f.Unmatched(in.Levels.Patterns(), tracked) {
		tell("levels", "%q matches no path", p)
	}
	for _, line := range in.ExternalRoots {
		there := func(line string) bool {
			if !filepath.IsAbs(line) {
				line = filepath.Join(e.WorkspaceAbs(), line)
			}
			fi, err := os.Stat(line)
			return err == nil && fi.IsDir()
		}
		if there(line) {
			continue
		}
		if err := misspelt("external-roots", line, there); err != nil {
			return nil, &job.InputError{Name: "external-roots", Err: err}
		}
		tell("external-roots", "%q is no folder", line)
	}
	if in.Strict && len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	for _, w := range wrong {
		warnings = append(warnings, w.Error())
	}
	return warnings, nil
}

// set is a line in brackets that reads as a list of several names.
var set = lazyregexp.New(`^\[[^\]]*[,"' ][^\]]*\]$`)

// hint says what a pattern would match if it went on.
func hint(p string, matches func(string) bool) string {
	if strings.ContainsAny(p, "*?[{") && !strings.HasSuffix(p, "**") && matches(p+"/**") {
		return fmt.Sprintf(", but what is below: write %s/**", p)
	}
	if !strings.Contains(p, "/") && matches("**/"+p) {
		return fmt.Sprintf(" at the root, but further down: write **/%s", p)
	}
	return ""
}

// misspelt says how a line is spelt that is another syntax's list of patterns; nil where
// it looks like none. Where a path could well be called so, the parts must be there.
func misspelt(input, line string, matches func(string) bool) error {
	parts, sure := otherList(line)
	switch {
	case line[0] == '!':
		opposite := map[string]string{"exclude": "include", "include": "exclude"}[input]
		if opposite == "" {
			return fmt.Errorf("%q: a line cannot be negated; leave it out", line)
		}
		return fmt.Errorf("%q: a pattern cannot be negated; give %s by input %s", line, line[1:], opposite)
	case line[0] == '#':
		return fmt.Errorf("%q: there are no comments in a list of patterns; leave it out, or write \\%s where a path is called so", line, line)
	case len(parts) == 0, !sure && !slices.ContainsFunc(parts, matches):
		return nil
	case len(parts) == 1:
		return fmt.Errorf("%q is a pattern as it stands, and matches no path; write it bare: %s", line, parts[0])
	}
	for i, part := range parts {
		parts[i] = fmt.Sprintf("%s on line %d", part, i+1)
	}
	return fmt.Errorf("%q is one pattern, and matches no path; write one a line: %s", line, strings.Join(parts, ", "))
}

// otherList reads a line as other tools' lists: JSON, YAML, commas, semicolons, bars,
// colons, spaces, quotes. sure is true where no path is called so.
func otherList(line string) (parts []string, sure bool) {
	if err := json.Unmarshal([]byte(line), &parts); err == nil && len(parts) > 0 {
		return trimmed(parts), true
	}
	inner, bracketed := strings.CutPrefix(line, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if bracketed = bracketed && closed; !bracketed {
		inner = line
	}
	for _, mark := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(inner, mark); ok {
			return trimmed([]string{rest}), true
		}
	}
	for _, between := range []string{`\n`, ",", ";", "|", ":"} {
		if all := trimmed(strings.Split(inner, between)); len(all) > 1 || len(all) == 1 && strings.Contains(inner, between) {
			return all, bracketed
		}
	}
	if one := trimmed([]string{inner}); len(one) == 1 && (one[0] != inner || bracketed) {
		return one, one[0] != inner
	}
	if all := strings.Fields(inner); len(all) > 1 {
		return trimmed(all), bracketed
	}
	return nil, false
}

// trimmed takes spaces and quotes off the parts of a list, and drops empty ones.
func trimmed(parts []string) []string {
	var list []string
	for _, p := range parts {
		p = strings.TrimSpace(p)
		for _, quote := range []string{`"`, "'", "`"} {
			if len(p) > 2 && strings.HasPrefix(p, quote) && strings.HasSuffix(p, quote) {
				p = p[1 : len(p)-1]
			}
		}
		if p != "" {
			list = append(list, p)
		}
	}
	return list
}
