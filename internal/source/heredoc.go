package source

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Bounds of how the ends of strings are looked for that begin with the next line.
const (
	// maxHeredocWord is how long the word is at most that ends one, in bytes.
	maxHeredocWord = 80
	// heredocReads is how often a text is read at most for the ends of all.
	heredocReads = 4
)

var (
	// opensHeredoc is what a string begins with whose text begins with the next line and ends with one of group 2 alone: `<<-SQL`, `<<'EOF'`.
	opensHeredoc = lazyregexp.New(`^<<([-~]?)\\?["'` + "`" + `]?([A-Za-z_]\w*)`)
	// opensNowdoc is that of PHP, and spacedHeredoc that of the shell.
	opensNowdoc   = lazyregexp.New(`^<<<()[ \t]*["']?([A-Za-z_]\w*)`)
	spacedHeredoc = lazyregexp.New(`^<<(-?)[ \t]*\\?["']?([A-Za-z_]\w*)`)
)

// heredocs are the strings of a text that begin with the line below the one that announces them.
type heredocs struct {
	language *Language
	text     []byte
	read     int // bytes
	from, to int // of the one whose lines come next; to is 0 where there is none
}

// announced notes the string that text[i:] announces.
func (h *heredocs) announced(i int) {
	b := h.text
	rest := b[i:min(len(b), i+maxHeredocWord+8)]
	if len(rest) < 4 || rest[1] != '<' || h.read > heredocReads*len(b) {
		return
	}
	form := opensHeredoc
	switch h.language.Name {
	case "PHP":
		form = opensNowdoc
	case "Shell":
		form = spacedHeredoc
	}
	m := form.FindSubmatch(rest)
	if m == nil || len(m[2]) > maxHeredocWord {
		return
	}
	if h.language.Name == "Ruby" && len(m[1]) == 0 && (m[2][0] < 'A' || m[2][0] > 'Z' || i > 0 && (isName(b[i-1]) || b[i-1] == ')' || b[i-1] == ']')) { // it adds to a list
		return
	}
	from := max(lineEnd(b, i)+1, h.to) // what the line announced before comes first
	for at := from; at < len(b); {
		n := bytes.Index(b[at:], m[2])
		if n < 0 {
			h.read += len(b) - at
			return
		}
		h.read += n + len(m[2])
		start, end := at+n, at+n+len(m[2])
		for start > 0 && (b[start-1] == ' ' || b[start-1] == '\t') {
			start--
		}
		if (start == 0 || b[start-1] == '\n') && start >= from && (end == len(b) || !isName(b[end])) {
			if h.to <= i {
				h.from = from
			}
			h.to = end
			return
		}
		at = end
	}
}

// heredoc reports whether strings of the language may begin with the next line.
func (l *Language) heredoc() bool { return l.Raw&language.Heredoc != 0 }
