package source

import (
	"bytes"
	"slices"
	"sync"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
)

// Surface is where a program meets what is around it: where it begins, the commands that it declares, the routes that it registers, the
// messages that it answers, the tables that it makes, the environment variables that it reads.
type Surface struct {
	Begins   Beginning
	Routes   []Route
	Commands []CommandLine
	// Messages are the events, calls, topics and queues that it answers by name.
	Messages          []NameLine
	Tables, Variables []NameLine
	// Readers are the functions that read the variable whose name they are given, and Asked what is given to a function that may be one of
	// another file.
	Readers []string
	Asked   []Asked
	// Procedures are what it answers by a name, and with values: methods of gRPC, queries and changes of GraphQL, procedures of tRPC.
	Procedures []NameLine
	// Dropped are the tables that SQL takes away, or gives another name, those of Tables.
	Dropped []NameLine
	// Mounts are the routers that it mounts, and RoutedOn is for each route the router that it is registered on, by the name that other texts
	// have for it: "" where it is all that the text gives, as an export of JavaScript is, "-" where they have none. It is nil of languages of which that is not known.
	Mounts   []Mount
	RoutedOn []string
}

// CommandLine is a command that a text declares, and its line, from 1.
type CommandLine struct {
	NameLine
	// Above is what may be the name of the command that it is one of, in words of lower case with blanks between, by what holds it:
	// "key" of newKeyAddCommand that makes add, and of @key.command. "" where nothing is said.
	Above string
}

// NameLine is a name that stands in a text, and its line, from 1.
type NameLine struct {
	Name string
	Line int
}

// maxNamed bounds the names of one kind that one file gives.
const maxNamed = 200

// SurfaceOf returns what a text of a program says of its surface; nothing of tests, examples and what a build makes. Comments
// say nothing; a table may stand in a string.
func SurfaceOf(f *scan.File, b []byte) (s Surface) {
	s.Begins = BeginningOf(f, b)
	l := LanguageOf(f.Path)
	if l == nil || !f.Extractable() || Aside(f.Path) || f.Category == scan.CategoryTest {
		return s
	}
	generated := language.IsGenerated(f.Path, b)
	if generated && !isSchema(f.Path) {
		return s
	}
	b = l.withoutTests(b)
	var held pairs
	held.note(b)
	partsOf := sync.OnceValue(func() []byte { return l.parts(b) })
	s.Tables = l.tablesOf(b, &held, partsOf)
	s.Procedures = l.proceduresOf(b, &held, partsOf)
	if l.Name == "SQL" {
		s.renameTables(b, partsOf)
	}
	if generated {
		return s
	}
	if l.programs() {
		s.Commands = l.commandsOf(b, &held, partsOf)
		s.Messages = l.messagesOf(b, &held, partsOf)
		s.Variables, s.Readers, s.Asked = l.variablesOf(b, &held, partsOf)
	}
	if l.Name == "Rust" {
		if IsProgram(f) {
			s.Routes, s.Mounts, s.RoutedOn = rustRoutes(b, partsOf)
		}
		return s
	}
	if IsProgram(f) && (mayRoute(b) || holdsAny(b, procedureHints) || l.mayAnnotate(b) || l.Name == "PHP" && bytes.Contains(b, []byte("Route::"))) {
		s.Routes = routesOf(f, b)
	}
	s.Routes = append(s.Routes, l.patternedRoutes(f.Path, b, partsOf)...)
	s.Mounts, s.RoutedOn = l.mountsOf(b, s.Routes, partsOf)
	return s
}

// What an expression finds around a hint begins at most beforeHint bytes before it, on its line or the one before, and ends at most
// behindHint bytes behind it.
const (
	beforeHint = 200
	behindHint = 400
)

// near returns what an expression finds around hints, maxNamed places at most: the rest of a text is not looked at.
func near(re *lazyregexp.Regexp, b []byte, hints [][]byte) (list [][]int) {
	for at, end := 0, 0; at < len(b) && len(list) < maxNamed; {
		hint := nextHint(b[at:], hints)
		if hint < 0 {
			return list
		}
		hint += at
		from := max(end, hint-beforeHint)
		if line := bytes.IndexByte(b[from:hint], '\n'); from > end && line >= 0 {
			from += line // no word is cut
		}
		to := min(len(b), hint+behindHint)
		at = max(hint+1, to-beforeHint)
		for _, m := range re.FindAllSubmatchIndex(b[from:to], maxNamed-len(list)) {
			if m[1] == to-from && to < len(b) && m[0] > hint-from { // it may be cut: it is looked for again
				at = min(at, m[0]+from)
				break
			}
			for i := range m {
				if m[i] >= 0 {
					m[i] += from
				}
			}
			list, end = append(list, m), m[1]
			at = max(at, end)
		}
	}
	return list
}

// nextHint is where the first of the hints stands, -1 where none does.
func nextHint(b []byte, hints [][]byte) int {
	first := -1
	for _, h := range hints {
		if i := bytes.Index(b, h); i >= 0 {
			first, b = i, b[:min(len(b), i+len(h))]
		}
	}
	return first
}

// pairs are the bytes that stand beside each other in a text. A word whose pairs it does not all have need not be looked for: most of the
// words that a text is searched for are told so, and to note the pairs takes as long as to look for five of them.
type pairs [1 << 16 / 64]uint64

// note adds the pairs of a text.
func (p *pairs) note(b []byte) {
	if len(b) == 0 {
		return
	}
	w := uint(b[0]) << 8
	for _, c := range b[1:] {
		w = w>>8 | uint(c)<<8
		p[w>>6&(1<<10-1)] |= 1 << (w & 63)
	}
}

// mayHold reports whether a word may stand in the text: each pair of it does.
func (p *pairs) mayHold(word []byte) bool {
	for i := 1; i < len(word); i++ {
		if w := uint(word[i-1]) | uint(word[i])<<8; p[w>>6]&(1<<(w&63)) == 0 {
			return false
		}
	}
	return true
}

// anyOf reports whether one of the words stands in the text whose pairs these are.
func (p *pairs) anyOf(b []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(w []byte) bool { return p.mayHold(w) && bytes.Contains(b, w) })
}

func holdsAny(b []byte, hints [][]byte) bool {
	return slices.ContainsFunc(hints, func(h []byte) bool { return bytes.Contains(b, h) })
}

// procedureHints are what a text holds whose routes may begin without a slash.
var procedureHints = [][]byte{[]byte("outer.post("), []byte("outer.get(")}

// mayRoute reports whether a string begins as that of a route does: "/users", "GET /users".
func mayRoute(b []byte) bool {
	for at := 1; at < len(b); at++ {
		i := bytes.IndexByte(b[at:], '/')
		if i < 0 {
			return false
		}
		at += i
		before := b[:at]
		if c := before[at-1]; c == ' ' || c == '\t' {
			before = bytes.TrimRight(before, " \t")
			word := before[max(0, len(before)-maxMethod):]
			from := len(word)
			for from > 0 && isName(word[from-1]) {
				from--
			}
			if httpMethods[string(word[from:])] == "" {
				continue
			}
			before = before[:len(before)-len(word)+from]
		}
		if n := len(before); n > 0 && (before[n-1] == '"' || before[n-1] == '\'' || before[n-1] == '`') {
			return true
		}
	}
	return false
}

// maxMethod is longer than the longest of httpMethods.
const maxMethod = 16

// submatch returns the first group of a match that matched anything.
func submatch(b []byte, m []int) string {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return string(b[m[i]:m[i+1]])
		}
	}
	return ""
}

// lineCounter tells the lines of places that are asked for in their order.
type lineCounter struct {
	text     []byte
	to, line int
}

func (c *lineCounter) at(off int) int {
	c.line += bytes.Count(c.text[c.to:off], []byte{'\n'})
	c.to = off
	return c.line + 1
}
