package rank

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// maxEnvironment bounds the lines of one section of a task that says where it was seen.
const maxEnvironment = 80

// environments are words of the headings of forms under which people say on which machine and with which versions they saw
// something; words that may stand beside them are of headings, too.
var (
	environments = language.WordSet(`version versions environment platform system os sysinfo`)
	besideThose  = language.WordSet(`your my the and or of info information details operating system additional affected package packages python node go java rust
		runtime browser installed used using library installation output show which what do you use are with`)
)

// kindOfCommit is how a first line begins that says what kind of change it is, as fix(parser): or docs!:.
var kindOfCommit = lazyregexp.New(`^\s*(?:fix|feat|feature|docs?|chore|refactor|tests?|perf|build|ci|style|revert|bug)(?:\(([^()\n]*)\))?!?:`)

// withoutTemplate returns a task's text without what a form of a tracker put there or asked for beside the matter: comments of
// Markdown, and the sections that list versions and machines.
func withoutTemplate(text []byte) []byte {
	if m := kindOfCommit.FindSubmatch(text[:min(len(text), maxLine)]); m != nil {
		text = append(bytes.Clone(m[1]), text[len(m[0]):]...)
	}
	var said []byte
	for rest := text; len(rest) > 0; {
		from := bytes.Index(rest, []byte("<!--"))
		end := -1
		if from >= 0 {
			end = bytes.Index(rest[from:], []byte("-->"))
		}
		if end < 0 {
			said = append(said, rest...)
			break
		}
		said = append(append(said, rest[:from]...), ' ')
		rest = rest[from+end+len("-->"):]
	}
	var out []byte
	skipped := 0 // lines of the section that is passed over, 0 where none is
	fenced := false
	for line := range bytes.Lines(said) {
		bare := strings.TrimSpace(string(line))
		if strings.HasPrefix(bare, "```") {
			fenced = !fenced
		}
		head := !fenced && (strings.HasPrefix(bare, "#") || strings.HasPrefix(bare, "**") && strings.HasSuffix(strings.TrimRight(bare, ": "), "**"))
		switch {
		case head && isEnvironment(bare) && len(out) > 0:
			skipped = 1
		case head || skipped > maxEnvironment:
			skipped = 0
		case skipped > 0:
			skipped++
		}
		if skipped == 0 {
			out = append(out, line...)
		}
	}
	if len(bytes.TrimSpace(out)) == 0 {
		return text
	}
	return out
}

// isEnvironment reports whether a heading speaks of versions and machines, and of nothing else.
func isEnvironment(heading string) bool {
	found := false
	for _, w := range strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool { return (r < 'a' || r > 'z') && r < 0x80 }) {
		if environments[w] {
			found = true
		} else if !besideThose[w] {
			return false
		}
	}
	return found
}
