package golang

import "bytes"

// withoutBodies returns a Go text in which the bodies of functions hold nothing but their line breaks, so that each declaration
// keeps its lines. Most of a text are bodies, and the parser takes several times as long for them as this. A text that it cannot follow
// is returned as it is.
func withoutBodies(src []byte) []byte {
	l := lexer{src: src}
	var out []byte
	kept, depth := 0, 0
	inHead := false // between func and its body
	for l.advance(); l.tok.kind != tEnd && !l.bad; l.advance() {
		t := l.tok
		if depth == 0 && (l.prev == ';' || t.fresh && !continues[l.prev]) {
			inHead = t.kind == tKeyword && string(src[t.start:t.end]) == "func"
		}
		switch t.kind {
		case '(', '[':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return src
			}
		case '{':
			if depth > 0 || !inHead || l.prev == tKeyword { // struct{…} and interface{…} are types
				depth++
				continue
			}
			open := int(t.end)
			shut := closing(src, open)
			if shut < 0 {
				return src
			}
			if out == nil {
				out = make([]byte, 0, len(src))
			}
			out = append(out, src[kept:open]...)
			for range bytes.Count(src[open:shut], []byte{'\n'}) {
				out = append(out, '\n')
			}
			kept, l.at, inHead = shut, shut+1, false
			l.tok.kind = '}'
		}
	}
	if l.bad || depth != 0 || out == nil {
		return src
	}
	return append(out, src[kept:]...)
}

// closing is where the brace stands that closes the one before from, -1 where none does.
func closing(src []byte, from int) int {
	depth := 1
	for i := from; i < len(src); i++ {
		switch c := src[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			for i++; i < len(src) && src[i] != c; i++ {
				if src[i] == '\n' {
					return -1
				}
				if src[i] == '\\' {
					i++
				}
			}
		case '`':
			n := bytes.IndexByte(src[i+1:], '`')
			if n < 0 {
				return -1
			}
			i += n + 1
		case '/':
			if i+1 == len(src) {
				return -1
			}
			switch src[i+1] {
			case '/':
				n := bytes.IndexByte(src[i:], '\n')
				if n < 0 {
					return -1
				}
				i += n
			case '*':
				n := bytes.Index(src[i+2:], []byte("*/"))
				if n < 0 {
					return -1
				}
				i += n + 3
			}
		}
	}
	return -1
}
