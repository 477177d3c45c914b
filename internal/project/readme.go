package project

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
	prose "github.com/haversack-dev/haversack/internal/text"
)

// paragraph is prose of a README.
type paragraph struct {
	text string
	line int
	// section is the number of headings of the second level above it, and title
	// the last one's text.
	section int
	title   string
	// motto: it stands in a quote.
	motto bool
}

// Bounds of what is looked for in a README.
const (
	maxParagraphs = 40
	maxReadme     = 64 << 10 // what it is stands at the beginning
	maxNested     = 200      // brackets and quotes, one in another
)

// readmeFolders are where a README introduces a repository, the root first.
var readmeFolders = []string{".", ".github", "docs"}

// readmeForms are the endings of a README that is prose, the usual first.
var readmeForms = []string{".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".rdoc", ".textile", ".txt", ""}

// english is what names of READMEs in that language end in, where others are beside it.
var english = lazyregexp.New(`^[._-]en(?:[-_](?:us|gb))?$`)

// ReadmeOrder tells which of the READMEs of a repository says first what it is, from 1 on: that of the root before those that
// GitHub looks for elsewhere, that without a language in its name before one in English, and that before its translations.
// Of any other file it is 0.
func ReadmeOrder(name string) int {
	folder := slices.Index(readmeFolders, path.Dir(name))
	rest, ok := strings.CutPrefix(strings.ToLower(path.Base(name)), "readme")
	if folder < 0 || !ok {
		return 0
	}
	ext := path.Ext(rest)
	form := slices.Index(readmeForms, ext)
	if form < 0 {
		if language.Of(name) != nil {
			return 0
		}
		form, ext = len(readmeForms)-1, "" // README.zh
	}
	tongue := 0
	switch of := strings.TrimSuffix(rest, ext); {
	case of == "":
	case english.MatchString(of):
		tongue = 1
	case strings.IndexByte("._-", of[0]) < 0: // readmeparser.md
		return 0
	default:
		tongue = 2
	}
	return 1 + (folder*3+tongue)*len(readmeForms) + form
}

// Readmes returns which of the files say first what the repository is, by path, as ReadmeOrder counts; a link that is called a README
// gives its order to the file of the repository that it leads to.
func Readmes(files []scan.File) map[string]int {
	orders := map[string]int{}
	add := func(name string, order int) {
		if had := orders[name]; had == 0 || order < had {
			orders[name] = order
		}
	}
	for i := range files {
		f := &files[i]
		order := ReadmeOrder(f.Path)
		switch {
		case order == 0:
		case f.Mode.IsRegular():
			add(f.Path, order)
		case f.Mode&fs.ModeSymlink != 0:
			if target, err := f.Read(); err == nil && !path.IsAbs(string(target)) {
				add(path.Join(path.Dir(f.Path), string(target)), order)
			}
		}
	}
	return orders
}

// readmeOf finds the prose of a README that says what the project is. names are those
// the project goes by.
func readmeOf(name string, b []byte, names []string) claim.Quote {
	b = b[:min(len(b), maxReadme)]
	switch strings.ToLower(path.Ext(name)) {
	case ".rst":
		b = fromRST(b)
	case ".adoc", ".asciidoc":
		b = fromAsciiDoc(b)
	}
	if p := telling(paragraphs(b), names); p.text != "" {
		return claim.Quote{Text: whole(claim.OneLine(p.text, 1000), 300), Path: name, Line: p.line}
	}
	return claim.Quote{}
}

var (
	// What speaks to the reader, or of something else than the project.
	aimless    = lazyregexp.New(`(?i)^(?:please|see|for|read|visit|check|available|join|follow|welcome|want|looking|click|if|you|we|our|documentation|docs|notes?|warning|important|thanks?|support|contribut\w*|install\w*|translations?|english|to|when|before|after|there|here|learn|get|how|why|download|built with|made with|powered by|copyright|licen[cs]ed?|maintained|help|questions?|come|try|run|use|using|don't|do not|it's now|version|latest|full)\b|^[^\p{L}]*$`)
	verbs      = `(?:is|are|provides?|lets|makes|helps|gives|allows|enables|implements|contains|turns|converts|supports|brings|adds|generates|manages)`
	definition = lazyregexp.New(`(?i)^(?:this (?:\w+ )?(?:repository|repo|project|package|library|tool|module|program|app)|an? |the )|\bis (?:an?|the)\b`)
)

var gone = lazyregexp.New(`(?i)\b(?:no longer|not (?:actively )?maintained|deprecated|archived|unmaintained|superseded|end.of.life|moved to)\b`)

// telling is the paragraph that says most plainly what the project is: one that has its name
// and a verb, else one in the form of a definition, else the first before any section.
func telling(paras []paragraph, names []string) paragraph {
	var own *regexp.Regexp
	var quoted []string
	for _, n := range names {
		if n = path.Base(n); len(n) > 1 {
			quoted = append(quoted, regexp.QuoteMeta(n))
		}
	}
	if len(quoted) > 0 {
		own = regexp.MustCompile(`(?i)^[^.!?]{0,40}\b(?:` + strings.Join(quoted, "|") + `)(?:\.js)?\b(?:\s*\([^)]*\)|[^.!?]{0,60}?)\s` + verbs + `\b`)
	}
	var defined, first paragraph
	for _, p := range paras {
		switch {
		case gone.MatchString(p.text) || aimless.MatchString(p.text) || thanks.MatchString(p.text) || strings.HasSuffix(p.text, ":") && len(p.text) < 60 || strings.HasSuffix(p.text, "?"):
		case own != nil && own.MatchString(p.text) && (p.section < 2 || about.MatchString(p.title)):
			return p
		case defined.text == "" && p.section == 0 && definition.MatchString(p.text):
			defined = p
		case first.text == "" && (p.section == 0 || p.motto && p.section < 3 || about.MatchString(p.title)):
			first = p
		}
	}
	if defined.text != "" {
		return defined
	}
	return first
}

var about = lazyregexp.New(`(?i)^(?:introduction|about|overview|description|summary|what is .*)\W*$`)

// What speaks of those who pay for the project.
var thanks = lazyregexp.New(`(?i)\bsponsor|special thanks|supported by|looking for (?:a )?maintainer|made possible|become a backer|^\s*note:|^\s*warning:|crowdin|patreon|opencollective`)

// What of other markups would be read as prose, or as something else, by a reader of Markdown.
var (
	rstDirective  = lazyregexp.New(`^\s*\.\. `)
	rstReference  = lazyregexp.New("`([^`<]+?)\\s*<[^`>]*>`__?")
	adocAside     = lazyregexp.New(`^(?::[\w-]+!?:.*|//.*|\[[^\]]*\]|\w+::\S*\[.*\])\s*$`)
	adocHeading   = lazyregexp.New(`^(={1,6})\s`)
	adocDelimiter = lazyregexp.New(`^(?:-{4,}|\.{4,})\s*$`)
)

// fromRST turns what of reStructuredText looks different in Markdown into that, each line in its place: titles by whatever
// they are underlined with, links; directives and what is indented below them go.
func fromRST(b []byte) []byte {
	var out []byte
	directive := false
	for line := range bytes.Lines(b) {
		trimmed := bytes.TrimSpace(line)
		switch {
		case rstDirective.Match(line):
			directive = true
			line = newline
		case directive && (len(trimmed) == 0 || line[0] == ' ' || line[0] == '\t'):
			line = newline
		case len(trimmed) > 1 && ruled(trimmed):
			directive = false
			line = append(bytes.Repeat([]byte{'='}, len(trimmed)), '\n')
		default:
			directive = false
			line = []byte(rstReference.ReplaceAllString(string(line), "$1"))
		}
		out = append(out, line...)
	}
	return out
}

// ruled reports whether a line is one punctuation character again and again.
func ruled(line []byte) bool {
	return bytes.IndexByte([]byte("=-~^\"'#*+`:._"), line[0]) >= 0 && len(bytes.Trim(line, string(line[:1]))) == 0
}

// fromAsciiDoc turns what of AsciiDoc looks different in Markdown into that, each line in its place: titles and blocks of
// code; attributes, comments and images go.
func fromAsciiDoc(b []byte) []byte {
	var out []byte
	for line := range bytes.Lines(b) {
		switch {
		case adocDelimiter.Match(line):
			line = []byte("```\n")
		case adocAside.Match(line):
			line = newline
		default:
			if m := adocHeading.FindSubmatch(line); m != nil {
				line = append(bytes.Repeat([]byte{'#'}, len(m[1])), line[len(m[1]):]...)
			}
		}
		out = append(out, line...)
	}
	return out
}

// parseMarkdown parses CommonMark. Tables come out as paragraphs; see tabular.
func parseMarkdown(b []byte) ast.Node {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	).Parse(text.NewReader(b))
}

// tabular reports whether a paragraph is a table of GitHub's Markdown: its second line
// is of dashes, bars and colons alone.
func tabular(n *ast.Paragraph, b []byte) bool {
	if n.Lines().Len() < 2 {
		return false
	}
	line := n.Lines().At(1)
	second := line.Value(b)
	return bytes.ContainsRune(second, '-') && bytes.ContainsRune(second, '|') && len(bytes.Trim(second, "|:- \t\r\n")) == 0
}

// paragraphs are the first ones of a Markdown text: no headings, lists, tables, code
// or HTML, and of quotes only mottos.
func paragraphs(b []byte) []paragraph {
	b = b[:min(len(b), maxReadme)]
	if tooNested(b) {
		return nil
	}
	doc := parseMarkdown(b)
	var out []paragraph
	section, title := 0, ""
	var add func(n ast.Node)
	add = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level > 1 {
				section++
				title = inlines(n, b)
			}
		case *ast.Blockquote:
			if first, ok := n.FirstChild().(*ast.Paragraph); ok && !strings.HasPrefix(inlines(first, b), "[!") {
				n := len(out)
				if add(first); len(out) > n {
					out[n].motto = true
				}
			}
		case *ast.Paragraph:
			if tabular(n, b) {
				return
			}
			t := inlines(n, b)
			letters := 0
			for _, r := range t {
				if r > ' ' {
					letters++
				}
			}
			if letters < 12 || n.Lines().Len() == 0 {
				return
			}
			start := n.Lines().At(0).Start
			out = append(out, paragraph{t, 1 + bytes.Count(b[:start], newline), section, title, false})
		}
	}
	for n := doc.FirstChild(); n != nil && len(out) < maxParagraphs; n = n.NextSibling() {
		add(n)
	}
	return out
}

// tooNested reports whether a parser would have to go deeper than any text needs.
func tooNested(b []byte) bool {
	for line := range bytes.Lines(b) {
		if bytes.Count(line, []byte(">"))+bytes.Count(line, []byte("[")) > maxNested && nesting(line) > maxNested {
			return true
		}
		if lead := len(line) - len(bytes.TrimLeft(line, "> \t-*+")); lead > maxNested {
			return true
		}
	}
	return false
}

// inlines is the text of a block, without images and tags.
func inlines(n ast.Node, b []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image, *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			out.Write(n.Segment.Value(b))
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(n.Value)
		case *ast.AutoLink:
			out.Write(n.Label(b))
		}
		return ast.WalkContinue, nil
	})
	return claim.OneLine(out.String(), 2000)
}

// Sections are the titles of a Markdown text's sections.
func Sections(b []byte) []string {
	b = b[:min(len(b), maxReadme)]
	if tooNested(b) {
		return nil
	}
	doc := parseMarkdown(b)
	var out []string
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			if t := inlines(h, b); t != "" {
				out = append(out, claim.OneLine(t, 60))
			}
		}
	}
	return out
}

// whole keeps the sentences of s that fit in n runes, at least a part of the first.
// A last sentence that leads over to what is not quoted goes.
func whole(s string, n int) string {
	if len([]rune(s)) <= n && !strings.HasSuffix(s, ":") {
		return s
	}
	kept := ""
	for rest := s; rest != ""; {
		one := rest
		for i := 0; i+1 < len(rest); i++ {
			if prose.EndsSentence(rest, i) {
				one = rest[:i+1]
				break
			}
		}
		if len([]rune(kept+one)) > n || strings.HasSuffix(one, ":") {
			break
		}
		kept += one
		rest = rest[len(one):]
	}
	if kept = strings.TrimSpace(kept); kept != "" {
		return kept
	}
	return claim.OneLine(strings.TrimSuffix(s, ":"), n)
}
