package source

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// Docs are what a file's author says of it.
type Docs struct {
	// About is about the whole: a module's docstring, a package comment, a comment at the top.
	About claim.Quote
	// Symbol is about what it offers, or the most telling of it, called SymbolName.
	Symbol     claim.Quote
	SymbolName string
	// passing: the symbol is one of several, and not what the file is named for.
	passing bool
}

// block is a comment or docstring, its lines without the signs.
type block struct {
	lines []string
	start int
	// doc comments belong to what follows, those of a module to the file.
	doc, module bool
	// gap: an empty line or nothing follows; next is the code behind it.
	gap  bool
	next string
}

// maxDocRead is as much of a file as is looked at for comments.
const maxDocRead = 256 << 10

// docsOf finds what a file says of itself and of what it exports.
func (l *Language) docsOf(name string, b, parts []byte) Docs {
	var d Docs
	if !l.programs() {
		return d
	}
	b = b[:min(len(b), maxDocRead)]
	blocks, code := l.blocks(b, parts)
	for _, c := range blocks {
		if c.start > code && !c.module {
			break // code stands above it
		}
		tagged := strings.Contains(strings.Join(c.lines, " "), "@file") || strings.Contains(strings.Join(c.lines, " "), "@module") || strings.Contains(strings.Join(c.lines, " "), "@packageDocumentation")
		if !tagged && !c.gap && !c.module && !ofFile.MatchString(c.next) {
			continue // about the statement below it
		}
		if q := c.prose(); q != "" {
			d.About = claim.Quote{Text: q, Path: name, Line: c.start}
			break
		}
	}
	stem := plainName(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	best := 0
	for _, c := range blocks {
		if !c.doc || c.gap {
			continue
		}
		symbol := l.defined(c.next)
		if symbol == "" {
			continue
		}
		rank := 1
		switch {
		case strings.HasSuffix(symbol, "Error"), strings.HasSuffix(symbol, "Exception"):
			continue // what goes wrong is not what the file is for
		case plainName(symbol) == stem:
			rank = 3
		case strings.Contains(c.next, "default") || strings.Contains(c.next, "class "):
			rank = 2
		}
		if rank <= best {
			continue
		}
		if q := c.prose(); q != "" && q != d.About.Text {
			d.Symbol, d.SymbolName, d.passing, best = claim.Quote{Text: q, Path: name, Line: c.start}, symbol, rank == 1, rank
		}
	}
	return d
}

// ofFile is code behind a comment that is about the file, not about that code.
var ofFile = lazyregexp.New(`^(?:import|from|use|using|package|require|#include|export \*|export \{.*\} from|module|namespace|'use|"use)\b|^const .*require\(|^$`)

// separators are what parts the words of a name; it is made once, as its table costs more than what it reads.
var separators = strings.NewReplacer("-", "", "_", "", ".", "", " ", "")

func plainName(s string) string { return strings.ToLower(separators.Replace(s)) }

// defined is the name that a line of code exports, or "".
func (l *Language) defined(line string) string {
	for _, p := range l.exports {
		if m := pattern(p).FindStringSubmatch(line); m != nil && !strings.Contains(m[1], ",") {
			return claim.OneLine(m[1], 60)
		}
	}
	return ""
}

// blocks are the comments that stand alone on their lines, without indent. code is the line of the
// first code that is no directive.
func (l *Language) blocks(b, parts []byte) (out []block, code int) {
	c := &comments{l: l, code: 1 << 30}
	for off, n := 0, 1; off < len(b) && !c.full; n++ {
		stop := lineEnd(b, off)
		line := b[off:stop]
		at := off
		off = stop + 1
		one := commentLine{n: n, text: strings.TrimSpace(string(line[:min(len(line), MaxLineRead)]))}
		for at < stop && (b[at] == ' ' || b[at] == '\t') {
			at++
		}
		one.indented = at > stop-len(line)
		what := inCode
		if at < stop {
			what = parts[at]
		}
		one.docstring = l.Name == "Python" && what == inString && c.mayDocument()
		switch {
		case n == 1 && strings.HasPrefix(one.text, "#!"):
		case one.text == "":
			c.empty(what != inCode || inside(parts, at))
		case what == inComment && (!one.indented || c.now != nil) || one.docstring:
			c.comment(one)
		default:
			c.program(one)
		}
	}
	if c.now != nil {
		c.now.gap = true
	}
	c.end()
	return c.out, c.code
}

// commentLine is a line of a text that comments are looked for in.
type commentLine struct {
	n                   int
	text                string // without the space around it
	indented, docstring bool
}

// comments are what blocks has found up to a line.
type comments struct {
	l    *Language
	out  []block
	now  *block // the one that goes on
	code int
	full bool
	// above is the last line of code without indent, and header how far a definition of it is read that may have a docstring.
	above  string
	header int
	// waiting: the last block has no code behind it yet.
	waiting bool
}

func (c *comments) end() {
	if c.now != nil {
		c.out, c.now = append(c.out, *c.now), nil
	}
}

// mayDocument reports whether a string that stands alone is a docstring: at the head of the text, or of a definition.
func (c *comments) mayDocument() bool {
	return c.now != nil || c.header == headerDone || c.above == "" && len(c.out) < 3
}

func (c *comments) empty(within bool) {
	switch {
	case c.now == nil:
	case within:
		c.now.lines = append(c.now.lines, "")
	default:
		c.now.gap = true
		c.end()
		c.waiting = true
	}
}

func (c *comments) comment(line commentLine) {
	if c.now == nil {
		if len(c.out) > 0 {
			c.waiting = false
		}
		if c.full = len(c.out) > 200; c.full {
			return
		}
		c.now = &block{start: line.n, doc: line.docstring || strings.HasPrefix(line.text, "/*") || strings.HasPrefix(line.text, "///")}
		c.now.module = line.docstring && c.above == "" || strings.HasPrefix(line.text, "//!")
		if line.docstring {
			c.now.next = c.above
		}
		c.header = noHeader
	}
	c.now.lines = append(c.now.lines, bare(line.text))
	if line.docstring && endsDocstring(line.text, len(c.now.lines) == 1) {
		c.now.gap = c.now.module
		c.end()
		c.above += " " // what follows has no docstring above it
	}
}

// program takes a line of code.
func (c *comments) program(line commentLine) {
	if c.now != nil {
		if c.now.next == "" {
			c.now.next = line.text
		}
		c.end()
	} else if c.waiting && len(c.out) > 0 {
		c.out[len(c.out)-1].next = line.text
	}
	c.waiting = false
	if directive := strings.HasPrefix(line.text, "'use ") || strings.HasPrefix(line.text, `"use `); !directive {
		c.code = min(c.code, line.n)
	}
	switch done := strings.HasSuffix(line.text, ":"); {
	case c.header == headerOpen && done:
		c.header = headerDone
	case !line.indented && c.l.defined(line.text) == "":
		c.header = noHeader
	case !line.indented && done:
		c.header = headerDone
	case !line.indented:
		c.header = headerOpen
	case c.header == headerDone:
		c.header = noHeader
	}
	if !line.indented && !strings.HasPrefix(line.text, ")") {
		c.above = line.text
	}
}

// How far a definition in Python is read: a docstring stands right below it.
const (
	noHeader = iota
	headerOpen
	headerDone
)

// inside reports whether an empty line at off stands inside of a comment or string.
func inside(parts []byte, off int) bool {
	return off > 0 && off < len(parts) && parts[off] != inCode
}

func endsDocstring(line string, first bool) bool {
	for _, q := range []string{`"""`, `'''`} {
		if n := strings.Count(line, q); n > 1 || n == 1 && !first {
			return true
		}
	}
	return false
}

// bare is a line of a comment without the signs of one.
func bare(s string) string {
	s = strings.TrimSuffix(strings.TrimSpace(s), "*/")
	s = strings.TrimLeft(s, "/*#!;")
	for _, q := range []string{`r"""`, `"""`, `'''`} {
		s = strings.TrimSuffix(strings.TrimPrefix(s, q), q)
	}
	return strings.TrimSpace(strings.TrimPrefix(s, "-- "))
}

var (
	docLink = lazyregexp.New(`\{@link(?:code|plain)?\s+([^}|]+)(?:\|[^}]*)?\}`)
	docTag  = lazyregexp.New(`^(?:@\w+|:\w+|\.\. |Args:|Returns:|Usage:|Example|>>>|\x60\x60\x60|<[a-z]+>)`)
	// What notes down instead of saying what the thing does.
	remark = lazyregexp.New(`(?i)^(?:todo|fixme|hack|xxx|note|warning|deprecated|@deprecated|see|https?:|#?region|types?\b|constants?\b|imports?\b|helpers?\b|internal\b|eslint|region|we |this is needed|needed|ignore|copied|adapted|based on|ported|generated|inlined|there (?:is|are)\b|use this\b|this (?:is|works|should)\b|similar\b|same as\b|like\b|not to be\b)|[=~*-]{4,}|;\s*$`)
)

// modeline is a line that sets up Emacs or Vim.
var modeline = lazyregexp.New(`-\*-.*-\*-|^(?:vim?|ex):\s*(?:set?\b|\w+=)`)

// prose is the first sentence of the block, unless it is a licence, a directive or
// no prose.
func (c block) prose() string {
	lines := c.lines
	var para []string
	flush := func() string {
		s := docLink.ReplaceAllString(strings.Join(para, " "), "$1")
		para = nil
		if s = sentenceOf(s); s == "" || remark.MatchString(s) || strings.Count(s, " ") < 2 || strings.HasSuffix(s, ":") || !inWords(s) {
			return ""
		}
		return s
	}
	for i := 0; i <= len(lines); i++ {
		switch {
		case i == len(lines) || lines[i] == "" || docTag.MatchString(lines[i]):
			if s := flush(); s != "" {
				return s
			}
			if i < len(lines) && docTag.MatchString(lines[i]) {
				if rest, ok := fileTag(lines[i]); ok {
					para = append(para, rest)
					continue
				}
				return ""
			}
		case modeline.MatchString(lines[i]): // it tells an editor
		case underline(lines[i]) || strings.Trim(lines[i], "~=-") == "": // the line above is a title
			para = nil
		default:
			if notProse.MatchString(lines[i]) && len(para) == 0 && strings.Contains(strings.ToLower(strings.Join(lines, " ")), "copyright") {
				return ""
			}
			para = append(para, lines[i])
		}
	}
	return ""
}

// inWords reports whether a sentence is made of words: no art, no table, no code.
func inWords(s string) bool {
	words, signs := 0, 0
	for _, r := range s {
		if !unicode.IsLetter(r) && r != ' ' {
			signs++
		}
	}
	for w := range strings.FieldsSeq(s) {
		if letters := strings.IndexFunc(w, unicode.IsLetter) >= 0; letters && len(w) > 1 {
			words++
		}
	}
	return words >= 3 && signs*3 < len(s)
}

// fileTag is the text of a tag that describes a file.
func fileTag(line string) (string, bool) {
	for _, t := range []string{"@fileoverview ", "@file ", "@description ", "@module "} {
		if rest, ok := strings.CutPrefix(line, t); ok && bytes.ContainsRune([]byte(rest), ' ') {
			return rest, true
		}
	}
	return "", false
}

// underline reports whether a line only underlines the one above, which is a title.
func underline(t string) bool {
	return len(t) >= 2 && (strings.Trim(t, "=") == "" || strings.Trim(t, "-") == "" || strings.Trim(t, "~") == "")
}
