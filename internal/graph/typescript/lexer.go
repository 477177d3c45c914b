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
	f := &tsgo.File{Approximate: true}
	type reference struct {
		name string
		form tsgo.Form
		kind tsgo.Kind
	}
	seen := map[reference]bool{}
	add := func(name string, form tsgo.Form, kind tsgo.Kind) {
		k := reference{name, form, kind}
		if name != "" && !seen[k] && len(f.Refs) < maxGuesses {
			seen[k] = true
			f.Refs = append(f.Refs, tsgo.Ref{Name: name, Form: form, Kind: kind})
		}
	}
	// declaration is that of which a "from" may follow; called is the word before an
	// open parenthesis; last is the word or sign before.
	declaration, called, last := "", "", ""
	typeOnly := false
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
				last = ""
				break
			}
			name := text[i+1 : end]
			if strings.IndexByte(name, '\\') >= 0 {
				name = ""
			}
			kind := tsgo.Runtime
			if typeOnly {
				kind = tsgo.Type
			}
			switch {
			case last == "from" && declaration == "import", last == "import":
				add(name, tsgo.Import, kind)
				declaration = ""
			case last == "from" && declaration == "export":
				add(name, tsgo.Export, kind)
				declaration = ""
			case last == "(" && called == "import":
				add(name, tsgo.ImportCall, tsgo.Dynamic)
			case last == "(" && called == "require":
				add(name, tsgo.Require, tsgo.Runtime)
			}
			i, last = end+1, "string"
		case isWord(c) || c == '$':
			begin := i
			for i < len(text) && (isWord(text[i]) || text[i] == '$') {
				i++
			}
			word := text[begin:i]
			switch {
			case last == ".":
				word = "member"
			case word == "import" || word == "export":
				declaration, typeOnly = word, false
			case word == "type" && (last == "import" || last == "export"):
				typeOnly = true
			}
			last = word
		default:
			if c == '(' {
				called = last
			}
			if c == ';' {
				declaration = ""
			}
			i, last = i+1, text[i:i+1]
		}
	}
	return f
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
