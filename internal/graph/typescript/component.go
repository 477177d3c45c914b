package typescript

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/microsoft/typescript-go/tsshim"
)

// A component is a file of markup whose script blocks are modules: those of Vue and Svelte, and Astro's
// frontmatter and the scripts that it bundles. What it imports is the component's; and whoever imports the
// file has the component itself by the name "default", which no block needs to export.

// isComponent reports whether files of this name hold their modules in script blocks.
func isComponent(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".vue", ".svelte", ".astro":
		return true
	}
	return false
}

// parseFile reads a source text; where the parser does not, the file is a guess beside the error. code is
// what of the text is program. found are its definitions, where they are asked for and this reading can tell them.
func parseFile(p *tsgo.Parser, name, text string, defining bool) (file *tsgo.File, found []tsgo.Definition, code string, err error) {
	if !isComponent(name) {
		if file, found, err = p.ParseDefining(name, text, defining); err != nil {
			file = approximate(text)
		}
		return file, found, text, err
	}
	c := readComponent(name, text)
	file = &tsgo.File{}
	if c.code != "" {
		if file, found, err = p.ParseDefining(name+c.language, c.code, defining); err != nil {
			file = approximate(c.code)
		}
	}
	for _, s := range c.sources {
		file.Refs = append(file.Refs, tsgo.Ref{Name: s, Form: tsgo.Import})
	}
	if !slices.Contains(file.Defines, "default") {
		file.Defines = append(file.Defines, "default")
	}
	if c.fault != "" {
		if file.Faults == 0 || c.line < file.Line {
			file.Fault, file.Line = c.fault, c.line
		}
		file.Faults++
	}
	return file, found, c.code, err
}

// component is what the blocks of one file say together.
type component struct {
	// language is the extension of a file that could hold the blocks.
	language string
	// code are the blocks, each on the lines where it stands. Of what is around them only line ends are left.
	code string
	// sources are the files that stand in place of blocks (src), as written.
	sources []string
	// fault is the first thing that cannot be read, and line is where; "" when all can.
	fault string
	line  int
}

// block is the text of a script block.
type block struct {
	begin, end int
	language   string
}

// readComponent finds the script blocks in one pass.
func readComponent(name, text string) component {
	s := blockScanner{kind: strings.ToLower(path.Ext(name)), text: text}
	s.frontmatter()
	for s.next() {
	}
	c := component{language: ".js", sources: s.sources}
	if s.fault != "" {
		c.fault, c.line = s.fault, 1+strings.Count(text[:s.faultAt], "\n")
	}
	var b strings.Builder
	at := 0
	for _, x := range s.blocks {
		if strings.TrimSpace(text[x.begin:x.end]) == "" {
			continue
		}
		// Blocks may differ; a parser that knows more reads the others, too.
		switch {
		case x.language == ".tsx", x.language == ".jsx" && c.language == ".ts", x.language == ".ts" && c.language == ".jsx":
			c.language = ".tsx"
		case x.language == ".ts" && c.language == ".js", x.language == ".jsx" && c.language == ".js":
			c.language = x.language
		}
		lines := strings.Count(text[at:x.begin], "\n")
		for range lines {
			b.WriteByte('\n')
		}
		if lines == 0 && at > 0 {
			b.WriteByte(';') // two blocks on one line are two statements
		}
		b.WriteString(text[x.begin:x.end])
		at = x.end
	}
	c.code = b.String()
	return c
}

// blockScanner goes through markup. It never goes back: what is not closed ends with the text.
type blockScanner struct {
	kind, text string
	at         int
	// within counts the open elements in which a script is none of the component's.
	within  int
	blocks  []block
	sources []string
	fault   string
	faultAt int
}

// frontmatter reads what stands between two lines of "---" where an Astro file begins.
func (s *blockScanner) frontmatter() {
	if s.kind != ".astro" {
		return
	}
	i := 0
	for {
		i += len(s.text[i:]) - len(strings.TrimLeft(s.text[i:], " \t\r\n\uFEFF"))
		if !strings.HasPrefix(s.text[i:], "<!--") {
			break
		}
		i = after(s.text, i+len("<!--"), "-->")
	}
	if !strings.HasPrefix(s.text[i:], "---") {
		return
	}
	begin := i + len("---")
	for i = begin; ; {
		n := strings.IndexByte(s.text[i:], '\n')
		if n < 0 {
			s.blocks = append(s.blocks, block{begin, len(s.text), ".ts"})
			s.unclosed(begin, "frontmatter")
			return
		}
		i += n + 1
		fence := i + len(s.text[i:]) - len(strings.TrimLeft(s.text[i:], " \t"))
		if strings.HasPrefix(s.text[fence:], "---") {
			s.blocks = append(s.blocks, block{begin, i, ".ts"})
			s.at = fence + len("---")
			return
		}
	}
}

// unclosed notes that what begins at i is not closed: whatever follows belongs to it.
func (s *blockScanner) unclosed(i int, what string) {
	s.note(i, "the "+what+" is not closed")
	s.at = len(s.text)
}

func (s *blockScanner) note(i int, fault string) {
	if s.fault == "" {
		s.fault, s.faultAt = fault, i
	}
}

// next goes on to behind the next tag or comment, and reports whether there is one.
func (s *blockScanner) next() bool {
	stops := "<"
	if s.kind != ".vue" {
		stops = "<{"
	}
	for {
		n := strings.IndexAny(s.text[s.at:], stops)
		if n < 0 {
			return false
		}
		s.at += n
		rest := s.text[s.at:]
		switch {
		case strings.HasPrefix(rest, "{/*"):
			s.at = after(s.text, s.at+len("{/*"), "*/")
			return true
		case strings.HasPrefix(rest, "<!--"):
			s.at = after(s.text, s.at+len("<!--"), "-->")
			return true
		case len(rest) > 1 && isLetter(rest[1]), len(rest) > 2 && rest[1] == '/' && isLetter(rest[2]):
			begin := s.at
			if t, ok := s.tag(); ok {
				s.element(begin, t)
			}
			return true
		}
		s.at++
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// tag is a start or end tag.
type tag struct {
	name string
	// closing is that of </a>, empty that of <a/>.
	closing, empty bool
	// lang, kind and src are the attributes lang, type and src; others counts those that are not src.
	lang, kind, src string
	others          int
}

// tag reads what may be a tag at s.at, and goes on to behind it.
func (s *blockScanner) tag() (t tag, ok bool) {
	text, i := s.text, s.at+1
	if t.closing = text[i] == '/'; t.closing {
		i++
	}
	begin := i
	for i < len(text) && (isWord(text[i]) || strings.IndexByte(":.-", text[i]) >= 0) {
		i++
	}
	t.name = text[begin:i]
	if s.at = i; i < len(text) && !isSpace(text[i]) && text[i] != '/' && text[i] != '>' {
		return t, false // a < b
	}
	for i < len(text) {
		switch c := text[i]; {
		case isSpace(c) || c == '/':
			i++
		case c == '>':
			t.empty = text[i-1] == '/'
			s.at = i + 1
			return t, true
		case c == '<':
			// Not a tag, or one that somebody is still writing.
			s.at = i
			return t, false
		case s.kind != ".vue" && strings.HasPrefix(text[i:], "{/*"):
			i = after(text, i+len("{/*"), "*/")
		default:
			var name, value string
			name, value, i = attribute(text, i)
			switch name {
			case "src":
				t.src = value
				continue
			case "lang":
				t.lang = value
			case "type":
				t.kind = value
			}
			t.others++
		}
	}
	s.at = len(text)
	return t, true
}

// attribute reads the attribute at i, which is no space, and returns where it ends.
func attribute(text string, i int) (name, value string, end int) {
	begin := i
	for i < len(text) && !isSpace(text[i]) && strings.IndexByte("/><=", text[i]) < 0 {
		i++
	}
	name = text[begin:i]
	if i = space(text, i); i == len(text) || text[i] != '=' {
		return name, "", i
	}
	i = space(text, i+1)
	if i < len(text) && (text[i] == '"' || text[i] == '\'') {
		n := strings.IndexByte(text[i+1:], text[i])
		if n < 0 {
			return name, "", len(text)
		}
		return name, text[i+1 : i+1+n], i + n + 2
	}
	begin = i
	for i < len(text) && !isSpace(text[i]) && text[i] != '>' && text[i] != '<' {
		i++
	}
	return name, text[begin:i], i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// space returns where the space at i ends.
func space(text string, i int) int {
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	return i
}

// element takes note of the tag that began at begin and ends at s.at.
func (s *blockScanner) element(begin int, t tag) {
	script := t.name == "script"
	switch s.kind {
	case ".vue":
		// The root holds blocks, each of them plain text but for a template in HTML, which may hold others.
		switch {
		case s.within > 0 && t.name == "template" && t.closing:
			s.within--
		case s.within > 0:
			if t.name == "template" && !t.empty {
				s.within++
			}
		case t.closing:
		case t.name == "template" && (t.lang == "" || t.lang == "html"):
			if s.source(t); !t.empty {
				s.within++
			}
		default:
			s.source(t)
			s.raw(begin, t, script)
		}
	case ".svelte":
		switch {
		case t.name == "svelte:head" || t.name == "template":
			if t.closing {
				s.within = max(s.within-1, 0)
			} else if !t.empty {
				s.within++
			}
		case t.closing:
		case script || t.name == "style":
			own := script && s.within == 0
			if own && relative(t.src) {
				s.source(t)
			}
			s.raw(begin, t, own)
		}
	case ".astro":
		if !t.closing && (script || t.name == "style") {
			// A script with any other attribute is handed to the browser as it is.
			own := script && t.others == 0
			if own {
				s.source(t)
			}
			s.raw(begin, t, own)
		}
	}
}

// source notes the file that a tag names, but no address: a server has that.
func (s *blockScanner) source(t tag) {
	if t.src != "" && t.src[0] != '/' && !strings.ContainsAny(t.src, ":{") {
		s.sources = append(s.sources, t.src)
	}
}

// raw goes on to behind the end tag of an element that holds plain text, which may be a script block. One that
// somebody is still writing ends with the file.
func (s *blockScanner) raw(begin int, t tag, own bool) {
	if t.empty {
		return
	}
	end, next := endTag(s.text, s.at, t.name)
	if own && t.src == "" {
		if language, ok := languageOf(t); ok {
			s.blocks = append(s.blocks, block{s.at, end, language})
		} else if t.lang != "" {
			s.note(begin, fmt.Sprintf("a script in %.20q is not read", t.lang))
		}
	}
	if s.at = next; end == len(s.text) {
		s.unclosed(begin, fmt.Sprintf("element %.20q", t.name))
	}
}

// endTag returns where the text of an element ends, and where its end tag does.
func endTag(text string, i int, name string) (end, next int) {
	for {
		n := strings.Index(text[i:], "</")
		if n < 0 {
			return len(text), len(text)
		}
		end = i + n
		i = end + len("</")
		if i+len(name) > len(text) || !strings.EqualFold(text[i:i+len(name)], name) {
			continue
		}
		if i += len(name); i == len(text) || isSpace(text[i]) || text[i] == '/' || text[i] == '>' {
			return end, after(text, i, ">")
		}
	}
}

// languageOf returns the extension of the language that a script tag says. Data has none.
func languageOf(t tag) (ext string, ok bool) {
	said := strings.ToLower(t.lang)
	if said == "" {
		said = strings.ToLower(t.kind)
		if _, sub, ok := strings.Cut(said, "/"); ok {
			said = sub
		}
	}
	switch said {
	case "", "js", "javascript", "ecmascript", "module", "babel", "mjs":
		return ".js", true
	case "jsx":
		return ".jsx", true
	case "ts", "typescript", "mts":
		return ".ts", true
	case "tsx":
		return ".tsx", true
	}
	return "", false
}
