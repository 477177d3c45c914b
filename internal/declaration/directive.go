package declaration

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/language"
)

// condition is an #if that has not ended.
type condition struct{ at place }

// place is where a reader is among what is open.
type place struct {
	scopes, blocks, groups int
	within                 bool // a statement
}

func (r *reader) place() place {
	p := place{len(r.scopes), r.blocks, r.groups, len(r.head.tokens) > 0}
	switch {
	case !p.within:
	case r.grammar.newlines: // branches hold whole declarations: what stands before one has ended with its line
		p.within = false
	case r.grammar.lines && objectiveTypes[string(r.text(r.head.tokens[0]))]: // what it holds has begun, where its head has no brace
		p.within = false
		p.scopes++
	}
	return p
}

// objectiveTypes begin what lasts up to its @end.
var objectiveTypes = language.WordSet("@interface @implementation @protocol")

// maxConditions bounds how deep conditions lie in one another.
const maxConditions = 500

// directive reads a line of the preprocessor, that begins here with #. Of conditions every branch is read that begins where
// the first did, between declarations; of others the first.
func (r *reader) directive() {
	if h := &r.head; r.groups == 0 && r.blocks == 0 && r.macros(h) {
		*h = head{tokens: h.tokens[:0], more: h.more[:0]} // a use of a macro ends with its line
	}
	at := r.at + 1
	for at < len(r.src) && (r.src[at] == ' ' || r.src[at] == '\t') {
		at++
	}
	start := at
	for at < len(r.src) && r.classes[r.src[at]] == cWord {
		at++
	}
	name := string(r.src[start:at])
	rest := r.src[at:min(len(r.src), at+200)]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	switch name {
	case "define":
		r.macro(at)
	case "if", "ifdef", "ifndef":
		if len(r.conditions) < maxConditions {
			r.conditions = append(r.conditions, condition{r.place()})
		}
		if bare := bytes.TrimSpace(rest); name == "if" && (len(bare) == 1 && bare[0] == '0' || hasPrefix(bare, "0 ") || hasPrefix(bare, "false")) {
			r.passLine()
			r.passBranch(true)
			return
		}
	case "else", "elif", "elifdef", "elifndef":
		if n := len(r.conditions); n > 0 {
			was := r.conditions[n-1].at
			if now := r.place(); was.within || was.blocks > 0 || was.groups > 0 || now != was {
				r.passLine()
				r.passBranch(false)
				return
			}
		}
	case "endif":
		if n := len(r.conditions); n > 0 {
			r.conditions = r.conditions[:n-1]
		}
	}
	r.passLine()
}

// passLine passes the rest of a directive, and the lines that go on with it. A comment that does not end with it is left.
func (r *reader) passLine() {
	for r.at < len(r.src) {
		switch c := r.src[r.at]; {
		case c == '\n':
			return
		case c == '\\':
			r.at++
			for r.at < len(r.src) && r.src[r.at] == '\r' {
				r.at++
			}
			if r.at < len(r.src) && r.src[r.at] == '\n' {
				r.at++
				r.startLine()
				r.fresh = false
			}
		case c == '/' && hasPrefix(r.src[r.at:], "/*"):
			r.lastLine = r.line // it is no comment of what follows
			r.comment()
		case c == '/' && hasPrefix(r.src[r.at:], "//"):
			if n := bytes.IndexByte(r.src[r.at:], '\n'); n >= 0 {
				r.at += n
			} else {
				r.at = len(r.src)
			}
			return
		case c == '"':
			if n := bytes.IndexAny(r.src[r.at+1:min(len(r.src), r.at+1000)], "\"\n\\"); n >= 0 && r.src[r.at+1+n] == '"' {
				r.at += n + 1
			}
			r.at++
		default:
			r.at++
		}
	}
}

// passBranch passes lines up to the #endif of the condition, or, where others may follow that are read, to its #else.
func (r *reader) passBranch(orElse bool) {
	for depth := 0; r.at < len(r.src); {
		n := bytes.IndexByte(r.src[r.at:], '\n')
		if n < 0 {
			r.at = len(r.src)
			return
		}
		next := r.at + n + 1
		line := bytes.TrimLeft(r.src[next:min(len(r.src), next+80)], " \t")
		if !hasPrefix(line, "#") {
			r.at = next
			r.startLine()
			continue
		}
		line = bytes.TrimLeft(line[1:], " \t")
		switch {
		case hasPrefix(line, "if"):
			depth++
		case hasPrefix(line, "endif"):
			if depth == 0 {
				r.at = next - 1
				return
			}
			depth--
		case orElse && depth == 0 && hasPrefix(line, "el"):
			// The branch that follows is the first that is read.
			r.at = next
			r.startLine()
			r.passLine()
			return
		}
		r.at = next
		r.startLine()
	}
}

// guards reports whether the name between two places is defined by a #define that only says that a header was read already: without a
// value, on the line below its #ifndef, and not alone up to the #endif.
func (r *reader) guards(start, end int) bool {
	value, rest, _ := bytes.Cut(r.src[end:], []byte("\n"))
	if len(bytes.TrimSpace(value)) > 0 {
		return false
	}
	before := r.src[max(0, start-maxGuard):start]
	line := bytes.LastIndexByte(before, '\n')
	if line < 0 {
		return false
	}
	above := before[bytes.LastIndexByte(before[:line], '\n')+1 : line]
	words := bytes.Fields(bytes.Replace(above, []byte("#"), []byte("# "), 1))
	if len(words) != 3 || string(words[0])+string(words[1]) != "#ifndef" || !bytes.Equal(words[2], r.src[start:end]) {
		return false
	}
	rest = bytes.TrimLeft(rest[:min(len(rest), maxGuard)], " \t\r\n#")
	return !bytes.HasPrefix(rest, []byte("endif"))
}

// maxGuard bounds, in bytes, the two lines of a guard, and what stands between them and the next.
const maxGuard = 400

// ofDefine is the kind of what a #define defines.
const ofDefine = "macro"

// macro adds what a #define defines, whose name stands behind a place.
func (r *reader) macro(at int) {
	for at < len(r.src) && (r.src[at] == ' ' || r.src[at] == '\t') {
		at++
	}
	start := at
	for at < len(r.src) && (r.classes[r.src[at]] == cWord || r.classes[r.src[at]] == cDigit) {
		at++
	}
	if at == start || r.grammar.language.Family != "C" {
		return
	}
	visible := !r.guards(start, at)
	t := token{start: int32(start), end: int32(at), line: r.line, kind: word}
	h := head{first: token{start: int32(r.at), line: r.line}, from: r.line, lastLine: r.line}
	if at < len(r.src) && r.src[at] == '(' {
		if n := bytes.IndexAny(r.src[at:min(len(r.src), at+500)], ")\n"); n >= 0 && r.src[at+n] == ')' {
			at += n + 1
		}
	}
	h.last = token{end: int32(at)}
	if p := r.pending; p.end > 0 && p.to+1 >= r.line {
		h.from, h.doc = p.from, p
	}
	r.pending = comment{}
	prefix := r.top().prefix
	r.top().prefix = "" // macros belong to no scope
	since := len(r.list)
	r.add(&h, ofDefine, string(r.src[start:at:at])[:int(t.end)-start], t, visible)
	r.top().prefix = prefix
	r.at = int(t.end)
	r.passLine()
	for i := since; i < len(r.list); i++ {
		r.list[i].End = max(r.list[i].End, int(r.line))
	}
}
