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
	var now *block
	code = 1 << 30
	above := ""
	n := 0
	end := func() {
		if now != nil {
			out = append(out, *now)
			now = nil
		}
	}
	header := noHeader // of a Python definition that may have a docstring
	waiting := false   // the last block has no code behind it yet
	for off := 0; off < len(b); {
		stop := lineEnd(b, off)
		line := b[off:stop]
		at := off
		off = stop + 1
		n++
		trimmed := strings.TrimSpace(string(line[:min(len(line), MaxLineRead)]))
		for at < stop && (b[at] == ' ' || b[at] == '\t') {
			at++
		}
		indented := at > stop-len(line)
		what := inCode
		if at < len(b) && at < stop {
			what = parts[at]
		}
		docstring := l.Name == "Python" && what == inString && (now != nil || header == headerDone || above == "" && len(out) < 3)
		switch {
		case n == 1 && strings.HasPrefix(trimmed, "#!"):
		case trimmed == "":
			if now != nil && what == inCode && !inside(parts, at) {
				now.gap = true
				end()
				waiting = true
			} else if now != nil {
				now.lines = append(now.lines, "")
			}
		case what == inComment && (!indented || now != nil) || docstring:
			if now == nil {
				if len(out) > 0 && waiting {
					waiting = false
				}
				if len(out) > 200 {
					return out, code
				}
				now = &block{start: n, doc: docstring || strings.HasPrefix(trimmed, "/*") || strings.HasPrefix(trimmed, "///")}
				now.module = docstring && above == "" || strings.HasPrefix(trimmed, "//!")
				if docstring {
					now.next = above
				}
				header = noHeader
			}
			now.lines = append(now.lines, bare(trimmed))
			if docstring && endsDocstring(trimmed, len(now.lines) == 1) {
				now.gap = now.module
				end()
				above += " " // what follows has no docstring above it
			}
		default:
			if now != nil {
				if now.next == "" {
					now.next = trimmed
				}
				end()
			} else if waiting && len(out) > 0 {
				out[len(out)-1].next = trimmed
			}
			waiting = false
			if directive := strings.HasPrefix(trimmed, "'use ") || strings.HasPrefix(trimmed, `"use `); !directive {
				code = min(code, n)
			}
			switch done := strings.HasSuffix(trimmed, ":"); {
			case header == headerOpen && done:
				header = headerDone
			case !indented && l.defined(trimmed) == "":
				header = noHeader
			case !indented && done:
				header = headerDone
			case !indented:
				header = headerOpen
			case header == headerDone:
				header = noHeader
			}
			if !indented && !strings.HasPrefix(trimmed, ")") {
				above = trimmed
			}
		}
	}
	if now != nil {
		now.gap = true
	}
	end()
	return out, code
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

// EndsSentence reports whether the full stop at s[i] ends a sentence.
func EndsSentence(s string, i int) bool {
	if s[i] != '.' || s[i+1] != ' ' || i < 3 || s[i-1] == '.' {
		return false
	}
	for _, short := range []string{"e.g", "i.e", "etc", "vs", "cf", "approx", "Dr", "Mr", "No", "incl", "resp"} {
		if before, ok := strings.CutSuffix(s[:i], short); ok && (before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "(")) {
			return false
		}
	}
	return true
}
