package typescript

import (
	"strings"

	"github.com/microsoft/typescript-go/tsshim"
)

// maxGuesses bounds the references that are guessed in one text.
const maxGuesses = 5000

// approximate reads of a text what it refers to, without its syntax: words and
// strings, in one pass. It is for what the parser could not read within its limits.
// What stands in a regular expression or within JSX may be taken for code.
func approximate(text string) *tsgo.File {
	g := guesses{file: &tsgo.File{Approximate: true}, seen: map[guess]bool{}}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case strings.HasPrefix(text[i:], "//"):
			i = after(text, i, "\n")
		case strings.HasPrefix(text[i:], "/*"):
			i = after(text, i+2, "*/")
		case c == '"' || c == '\'':
			end, ok := closing(text, i)
			if !ok {
				i++ // an apostrophe
				g.last = ""
				break
			}
			g.quoted(text[i+1 : end])
			i = end + 1
		case isWord(c) || c == '$':
			begin := i
			for i < len(text) && (isWord(text[i]) || text[i] == '$') {
				i++
			}
			g.word(text[begin:i])
		default:
			g.sign(text[i : i+1])
			i++
		}
	}
	return g.file
}

// guess is one thing that a text seems to refer to.
type guess struct {
	name string
	form tsgo.Form
	kind tsgo.Kind
}

// guesses are what approximate has found, and the words before where it is.
type guesses struct {
	file *tsgo.File
	seen map[guess]bool
	// declaration is that of which a "from" may follow; called is the word before an
	// open parenthesis; last is the word or sign before.
	declaration, called, last string
	typeOnly                  bool
}

// add notes what is referred to, once.
func (g *guesses) add(name string, form tsgo.Form, kind tsgo.Kind) {
	one := guess{name, form, kind}
	if name != "" && !g.seen[one] && len(g.file.Refs) < maxGuesses {
		g.seen[one] = true
		g.file.Refs = append(g.file.Refs, tsgo.Ref{Name: name, Form: form, Kind: kind})
	}
}

// quoted takes a string, which the words before it may make the name of a module.
func (g *guesses) quoted(name string) {
	if strings.IndexByte(name, '\\') >= 0 {
		name = ""
	}
	kind := tsgo.Runtime
	if g.typeOnly {
		kind = tsgo.Type
	}
	switch {
	case g.last == "from" && g.declaration == "import", g.last == "import":
		g.add(name, tsgo.Import, kind)
		g.declaration = ""
	case g.last == "from" && g.declaration == "export":
		g.add(name, tsgo.Export, kind)
		g.declaration = ""
	case g.last == "(" && g.called == "import":
		g.add(name, tsgo.ImportCall, tsgo.Dynamic)
	case g.last == "(" && g.called == "require":
		g.add(name, tsgo.Require, tsgo.Runtime)
	}
	g.last = "string"
}

// word takes a word, which may begin a declaration.
func (g *guesses) word(word string) {
	switch {
	case g.last == ".":
		word = "member"
	case word == "import" || word == "export":
		g.declaration, g.typeOnly = word, false
	case word == "type" && (g.last == "import" || g.last == "export"):
		g.typeOnly = true
	}
	g.last = word
}

// sign takes a byte that is of no word.
func (g *guesses) sign(sign string) {
	switch sign {
	case "(":
		g.called = g.last
	case ";":
		g.declaration = ""
	}
	g.last = sign
}

// after returns where the text goes on behind the next end.
func after(text string, i int, end string) int {
	n := strings.Index(text[i:], end)
	if n < 0 {
		return len(text)
	}
	return i + n + len(end)
}

// maxName is longer than any path.
const maxName = 8 << 10

// closing returns where the string that begins at i ends: on the same line.
func closing(text string, i int) (int, bool) {
	for j := i + 1; j < min(len(text), i+maxName); j++ {
		switch text[j] {
		case text[i]:
			return j, true
		case '\\':
			j++
		case '\n':
			return 0, false
		}
	}
	return 0, false
}
