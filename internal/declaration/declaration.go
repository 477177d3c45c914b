// Package declaration reads what a text declares: types, functions, members, constants, with the lines of each, its signature
// and the first sentence of its comment. It knows languages of braces, some whose blocks end with words, and some by the indentation of their lines; a
// row of the table of package language tells it how a text is split into words, a grammar here which of them declare.
//
// It is no compiler: it reads heads of statements where declarations may stand, and passes over the bodies of functions. Of
// what is conditional it reads every branch between declarations, and the first within one. Macros are not expanded: what they
// hide is not seen. The work is linear in the text, and any text has an answer.
package declaration

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
)

// Bounds of what is read of one text. Files with more are data.
const (
	// maxDefinitions bounds the declarations of a text.
	maxDefinitions = 20_000
	// maxScopes bounds how deep types and namespaces lie in one another; what is deeper is passed over.
	maxScopes = 200
	// maxHead bounds the words of a declaration before its body; of longer ones the first count.
	maxHead = 200
	// maxSignature bounds the bytes of a signature.
	maxSignature = 2000
	// maxName bounds the bytes of a qualified name.
	maxName = 300
)

// Define is Read as a graph.Provider has it; it makes no errors.
func Define(name string, content []byte) ([]graph.Definition, error) { return Read(name, content), nil }

// Knows reports whether declarations are read of the language of this path.
func Knows(name string) bool { return grammarOf(name) != nil }

// Read lists the declarations of a text, in the order of their first lines; nil where the path's language is none that is read.
// It reads at most graph.MaxSource bytes.
func Read(name string, content []byte) []graph.Definition {
	if r := newReader(name, content); r != nil {
		return r.all()
	}
	return nil
}

// newReader is the reader of a text; nil where its language is none that is read.
func newReader(name string, content []byte) *reader {
	g := grammarOf(name)
	if g == nil {
		return nil
	}
	r := &reader{lexer: lexer{src: content[:min(len(content), graph.MaxSource)], line: 1, fresh: true, classes: g.classes, grammar: g}}
	if hasPrefix(r.src, "\ufeff") {
		r.at = 3
		r.begin = 3
	}
	if g.directives {
		r.preprocess = r.directive
	}
	r.scopes = []scope{{kind: inFile, def: -1, exported: true, access: true}}
	return r
}

// all reads the whole text.
func (r *reader) all() []graph.Definition {
	r.grammar.read(r)
	last := int32(1 + bytes.Count(r.src, []byte{'\n'}))
	if n := len(r.src); n > 0 && r.src[n-1] == '\n' && last > 1 {
		last--
	}
	for len(r.scopes) > 1 {
		r.leave(last)
	}
	list := settle(r.list, int(last))
	if r.grammar.language != nil && r.grammar.language.Name == "Scala" {
		list = indented(r.src, list)
	}
	return list
}

// settle puts declarations in the order of their first lines, those that hold others before them, and cuts what ends behind
// that in which it begins: as two that share a line do.
func settle(list []graph.Definition, last int) []graph.Definition {
	for i := range list {
		d := &list[i]
		d.Head = min(max(d.Head, d.Line), last)
		d.End = min(max(d.End, d.Head), last)
	}
	order := func(a, b graph.Definition) int {
		return cmp.Or(a.From-b.From, b.End-a.End, a.Line-b.Line)
	}
	if !slices.IsSortedFunc(list, order) {
		slices.SortStableFunc(list, order)
	}
	kept := list[:0]
	var open []graph.Definition
	for _, d := range list {
		for len(open) > 0 && (open[len(open)-1].End < d.From || open[len(open)-1].End == d.From && d.End > d.From) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			d.End = min(d.End, open[len(open)-1].End)
			if d.Head = min(d.Head, d.End); d.Line > d.End {
				continue
			}
		}
		open = append(open, d)
		kept = append(kept, d)
	}
	return kept
}

// grammar is what declares in a language.
type grammar struct {
	language *language.Language
	classes  *[256]byte
	// read reads all declarations of a text.
	read func(*reader)
	// classify looks at a statement's head, adds what it declares, and says what its body is.
	classify func(*reader, *head) body
	// letters are the bytes of words beside letters, digits and _.
	letters string
	// newlines says that ends of lines are tokens, directives that lines that begin with # are the preprocessor's.
	newlines, directives bool
	// ticks says that names may stand between ` and `, ask that they may end with ? or !, spaced that a comment begins behind
	// white space only, pages that the text is code between <? and ?>.
	ticks, ask, spaced, pages bool
	// signs are words behind which a name may be made of signs: func ||(…), object ~.
	signs map[string]bool
	// holes is what stands before the brace of an expression in a string.
	holes byte
	// prefixed says that strings hold expressions behind a letter alone: s"${a}".
	prefixed bool
	// apostrophe returns the length of what begins with ' and is one token that is no name.
	apostrophe func(rest []byte) int
	// before are words behind which an expression begins.
	before map[string]bool
	// at says that annotations begin with @, square that attributes stand in [ and ], hash in #[ and ].
	at, square, hash bool
	// angles says that types stand between < and >.
	angles bool
	// properties says that a type's parameters may be properties: val name.
	properties bool
	// arrow says that => begins a value.
	arrow bool
	// attributes are words that stand with what follows them in parentheses, and declare nothing.
	attributes map[string]bool
	// modifiers stand before what declares.
	modifiers map[string]bool
	// types are the words that declare a type, with its kind.
	types map[string]string
	// assigns says whether a = that stands in the head begins a value; nil where it always does.
	assigns func(r *reader, h *head) bool
	// transparent says that what stands in blocks that declare nothing is read too.
	transparent bool
	// declares are the words that declare, where a word stands before each name.
	declares map[string]declare
	// other takes a statement that no word declares.
	other func(r *reader, h *head, at int) body
	// expressions says that strings in double quotes hold expressions in $(…), whose strings may hold others.
	expressions bool
	// lines says that words that begin with @, and signs of methods, begin statements at the start of a line.
	lines bool
	// blocks are those of a language of words.
	blocks *wordBlocks
	// margin is how a language is read by its lines.
	margin *margin
	// suites are macros that begin a test.
	suites map[string]bool
}

// scopeKind is what declarations stand in.
type scopeKind uint8

const (
	inFile scopeKind = iota
	inNamespace
	inType
	inInterface // a type all members of which can be seen
	inBlock     // declares nothing itself
	inBody      // of a function
)

// scope is what has begun and not ended.
type scope struct {
	kind scopeKind
	// prefix qualifies the names in it, name is the last of it.
	prefix, name string
	// def is the declaration that ends with it, -1 where there is none.
	def int
	// from is the first line of a type without a name of its own: what is named behind its brace begins there.
	from     int32
	exported bool
	// access is what members can be seen where nothing is said: true for all.
	access bool
	// typedef says that names behind its brace are types, trailing that names may stand there.
	typedef, trailing bool
	// commas says that members end with commas.
	commas bool
}

// reader reads one text.
type reader struct {
	lexer
	list   []graph.Definition
	scopes []scope
	head   head
	// blocks is how many braces are open in what is passed over, groups how many parentheses.
	blocks, groups int
	conditions     []condition
	// hideNext says that the next method cannot be seen.
	hideNext bool
	// attributes are those that stand before what is read.
	attributes attributes
	// noAngle is up to where no < begins a group, noOldStyle up to where no types of parameters stand behind them.
	noAngle, noOldStyle int
}

// top is the innermost scope.
func (r *reader) top() *scope { return &r.scopes[len(r.scopes)-1] }

// enter begins a scope; where there are too many its block is passed over.
func (r *reader) enter(s scope) {
	if len(r.scopes) >= maxScopes {
		r.skip('{', '}')
		return
	}
	r.scopes = append(r.scopes, s)
}

// leave ends the innermost scope at a line.
func (r *reader) leave(line int32) scope {
	s := *r.top()
	if s.def >= 0 {
		r.list[s.def].End = int(line)
	}
	r.scopes = r.scopes[:len(r.scopes)-1]
	return s
}

// text is a token's.
func (r *reader) text(t token) []byte { return r.src[t.start:t.end] }

// is reports whether a token is this word.
func (r *reader) is(t token, w string) bool {
	return t.kind == word && string(r.src[t.start:t.end]) == w
}

// add adds a declaration of the head, whose name stands at a token, and returns its place in the list, -1 for one too many.
func (r *reader) add(h *head, kind, name string, at token, exported bool) int {
	s := r.top()
	if name == "" || name == "_" && kind != "constructor" || len(r.list) >= maxDefinitions || len(s.prefix)+len(name) > maxName {
		return -1
	}
	d := graph.Definition{Name: s.prefix + name, Kind: kind, Line: int(at.line), Exported: exported && s.exported}
	d.From, d.Head = int(at.line), int(max(at.line, h.lastLine))
	if h.first.line > 0 {
		d.From = int(min(h.from, at.line))
		d.Signature = r.signature(int(h.first.start), int(max(h.last.end, at.end)))
	}
	d.End = d.Head
	if h.doc.end > 0 {
		d.Doc = graph.FirstSentence(commentText(r.src[h.doc.start:h.doc.end]))
	}
	r.list = append(r.list, d)
	return len(r.list) - 1
}

// signature is the text from one place to another, as it stands.
func (r *reader) signature(from, to int) string {
	for i := from; i > 0 && from-i < 200; i-- { // with its indentation, if nothing else stands before it
		if c := r.src[i-1]; c == '\n' {
			from = i
			break
		} else if c != ' ' && c != '\t' {
			break
		}
	}
	text := r.src[from:to]
	if len(text) > maxSignature {
		text = text[:maxSignature]
	}
	text = bytes.TrimRight(text, " \t\r\n")
	if bytes.IndexByte(text, '\n') < 0 {
		text = bytes.TrimLeft(text, " \t")
	}
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// ends sets the last line of the declarations that were added since there were so many, but of those of a preprocessor, which end with their lines.
func (r *reader) ends(since int, line int32) {
	for i := since; i < len(r.list); i++ {
		if r.list[i].Kind == ofDefine && r.grammar.language.Family == "C" {
			continue
		}
		r.list[i].End = max(r.list[i].End, int(line))
	}
}

// qualified is the prefix of names in what is called so.
func (r *reader) qualified(name string) string {
	p := r.top().prefix
	if name == "" || len(p)+len(name) > maxName {
		return p
	}
	return p + name + "."
}

// commentText is what a comment says, without its signs.
func commentText(raw []byte) string {
	if len(raw) > 4000 {
		raw = raw[:4000]
	}
	var b strings.Builder
	said := false
	for line := range bytes.Lines(raw) {
		bare := string(bytes.TrimSpace(line))
		bare = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(bare, "*/"), "#>"), "*)")
		bare = strings.TrimLeft(bare, "/*#!-;<%\" \t")
		if bare != "" && bare[0] == '@' || strings.HasPrefix(bare, "\\param") {
			break // tags of a comment, behind what it says
		}
		if said && bare == "" && !boxed(b.String()) {
			break // the first sentence ends with its paragraph
		}
		said = said || bare != ""
		if b.Len() > 0 && bare == "" {
			b.WriteString("\n")
		}
		b.WriteString(withoutTags(strings.TrimRight(bare, "*#-\" \t")))
		b.WriteString("\n")
	}
	return b.String()
}

// boxed reports whether a comment begins with a box that MkDocs draws, behind whose paragraph its first sentence stands.
func boxed(said string) bool {
	said = strings.TrimSpace(said)
	return strings.HasPrefix(said, "!!! ") || strings.HasPrefix(said, "??? ")
}

// withoutTags leaves the elements of a comment's markup out.
func withoutTags(line string) string {
	if !strings.Contains(line, ">") {
		return line
	}
	var b strings.Builder
	for len(line) > 0 {
		i := strings.IndexByte(line, '<')
		if i < 0 || i+1 == len(line) || line[i+1] != '/' && (line[i+1] < 'a' || line[i+1] > 'z') {
			break
		}
		n := strings.IndexByte(line[i:], '>')
		if n < 0 {
			break
		}
		b.WriteString(line[:i])
		line = line[i+n+1:]
	}
	b.WriteString(line)
	text := b.String()
	for _, element := range []string{"summary>", "remarks>", "para>", "p>"} { // what trimming left of a first element
		text = strings.TrimPrefix(text, element)
	}
	return text
}

// kinds are words with the kind that each declares: "class=class record=class".
func kinds(list string) map[string]string {
	m := map[string]string{}
	for w := range strings.FieldsSeq(list) {
		name, kind, ok := strings.Cut(w, "=")
		if !ok {
			kind = name
		}
		m[name] = kind
	}
	return m
}
