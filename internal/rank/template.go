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
// Markdown, boxes to be ticked, the sections that list versions and machines, and addresses of images.
func withoutTemplate(text []byte) []byte {
	if m := kindOfCommit.FindSubmatch(text[:min(len(text), maxLine)]); m != nil {
		text = append(bytes.Clone(m[1]), text[len(m[0]):]...)
	}
	said := withoutAddresses(withoutBoxes(withoutComments(text)))
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
		return withoutAddresses(text)
	}
	return out
}

var (
	// anyTicked finds a box that somebody ticked.
	anyTicked = lazyregexp.New(`(?m)^\s*(?:[-*+]|\d+[.)])\s+\[[xX]\]\s`)
	// box is a line of a form's list to be ticked; group 1 is the tick, and group 2 what the line says.
	box = lazyregexp.New(`^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*)`)
	// assures is how a line begins that says what its writer did before writing, or that the form asked for.
	assures = lazyregexp.New(`(?i)^\W*(?:yes,? )?(?:(?:i|i['’](?:m|ve|ll)|we|my)\b|this (?:issue|bug|is not|isn['’]t)\b)`)
)

// withoutBoxes leaves out of a task the boxes of a form that assure something ("I have searched the issues"), and those that nobody ticked
// where others are.
func withoutBoxes(text []byte) []byte {
	var out []byte
	ticked := anyTicked.Match(text)
	for line := range bytes.Lines(text) {
		m := box.FindSubmatch(line[:min(len(line), maxLine)])
		if m == nil || !assures.Match(m[2]) && (m[1][0] != ' ' || !ticked) {
			out = append(out, line...)
		}
	}
	return out
}

var (
	// image is an image of Markdown or HTML: its address is a store's, and its text mostly its file's name.
	image = lazyregexp.New(`!\[[^\]\n]{0,300}\]\([^)\s]{1,1000}[^)\n]{0,300}\)|<img\b[^>]{0,1000}>`)
	// attachment is the address of what a tracker keeps for its issues.
	attachment = lazyregexp.New(`https?://(?:github\.com/(?:[\w.-]+/[\w.-]+/|user-attachments/)(?:assets|files)|(?:private-)?user-images\.githubusercontent\.com)/[^\s)>"']+`)
	// project is the beginning of an address below a project of a forge, and of any other as far as it says nothing.
	project = lazyregexp.New(`https?://(?:(?:github|gitlab|codeberg|bitbucket)\.(?:com|org)/[\w.-]+/[\w.-]+(?:/(?:issues|pull|blob|tree|commit|discussions)\b)?|www\.)?`)
)

// withoutAddresses blanks what addresses say that people did not: of images nothing is left, of addresses of a forge neither project nor kind.
func withoutAddresses(text []byte) []byte {
	text = bytes.Clone(text)
	for _, form := range []*lazyregexp.Regexp{image, attachment, project} {
		for _, m := range form.FindAllSubmatchIndex(text, maxNamings) {
			for i := m[0]; i < m[1]; i++ {
				text[i] = ' '
			}
		}
	}
	return text
}

// withoutComments leaves out of a task what its page does not show: comments of Markdown, up to the end of the text where nothing ends one
// that begins a line. What stands in code is no comment.
func withoutComments(text []byte) []byte {
	said := make([]byte, 0, len(text))
	last := bytes.LastIndex(text, []byte("-->"))
	fenced, hidden, at := false, false, 0
	for line := range bytes.Lines(text) {
		if !hidden && bytes.HasPrefix(bytes.TrimSpace(line), []byte("```")) {
			fenced = !fenced
		}
		rest := line
		for !fenced && len(rest) > 0 {
			sign := []byte("<!--")
			if hidden {
				sign = []byte("-->")
			}
			n := bytes.Index(rest, sign)
			if n < 0 {
				break
			}
			begun := len(line) - len(rest) + n
			ends := hidden || at+begun < last || len(bytes.TrimSpace(line[:begun])) == 0
			if quoted := begun > 0 && line[begun-1] == '`'; !hidden && (quoted || !ends) {
				said, rest = append(said, rest[:n+len(sign)]...), rest[n+len(sign):]
				continue
			}
			if !hidden {
				said = append(append(said, rest[:n]...), ' ')
			}
			hidden, rest = !hidden, rest[n+len(sign):]
		}
		if !hidden {
			said = append(said, rest...)
		}
		at += len(line)
	}
	return said
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
