package layout

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/language"
)

var (
	// verbatim are the elements of HTML in which white space, or something that looks like a tag, is content.
	verbatim = language.WordSet("script style pre textarea")
	// void are those that hold nothing: a slash at their end says nothing.
	void = language.WordSet("area base br col embed hr img input link meta source track wbr")
)

// tags is a page of HTML without what a formatter chooses: the case of its tags, white space beside other, quotes of attributes.
func tags(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch rest := text[i:]; {
		case bytes.HasPrefix(rest, []byte("<!--")):
			n := len(rest)
			if end := bytes.Index(rest, []byte("-->")); end >= 0 {
				n = end + len("-->")
			}
			out, i = append(out, rest[:n]...), i+n
		case rest[0] == '<' && len(rest) > 1 && (rest[1] == '/' || rest[1] == '!' || letter(rest[1])):
			n := 0
			out, n = tag(out, rest)
			i += n
		case white(rest[0]):
			for i < len(text) && white(text[i]) {
				i++
			}
			if len(out) > 0 && i < len(text) {
				out = append(out, ' ')
			}
		default:
			out, i = append(out, rest[0]), i+1
		}
	}
	return out
}

// tag writes the tag with which a text begins, and what it holds where that is verbatim, and returns how long both are.
func tag(out, text []byte) ([]byte, int) {
	n := 1
	for n < len(text) && !white(text[n]) && text[n] != '>' {
		n++
	}
	name := string(bytes.ToLower(text[1:n]))
	bare, _, _ := bytes.Cut([]byte(name), []byte("/")) // <br/>
	folds := name == "!doctype"
	if name != "" && name[0] != '/' && void[string(bare)] {
		name = string(bare)
	}
	out = append(append(out, '<'), name...)
	quote, space := byte(0), false
	for ; n < len(text); n++ {
		c := text[n]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case white(c):
			space = true
			continue
		case c == '"':
			quote = c
		case c == '\'':
			if end := bytes.IndexByte(text[n+1:], '\''); end >= 0 && !bytes.ContainsRune(text[n+1:n+1+end], '"') {
				if space {
					out, space = append(out, ' '), false
				}
				out = append(append(append(out, '"'), text[n+1:n+1+end]...), '"')
				n += end + 1
				continue
			}
			quote = c
		case c == '/' && void[name] && closing(text, n):
			continue
		case c == '>':
			out = append(out, c)
			return held(out, text, name, n+1)
		}
		if space {
			out = append(out, ' ')
		}
		if space = false; folds {
			c = lower(c)
		}
		out = append(out, c)
	}
	return out, n
}

// closing reports whether the slash at a place ends a tag, and no value.
func closing(text []byte, at int) bool {
	before := text[at-1]
	return at+1 < len(text) && text[at+1] == '>' && (white(before) || before == '"' || before == '\'')
}

// held writes what the element of a name holds as it is, where it is one of those, behind its tag, which ends at a place.
func held(out, text []byte, name string, from int) ([]byte, int) {
	if !verbatim[name] {
		return out, from
	}
	end := bytes.Index(bytes.ToLower(text[from:]), []byte("</"+name))
	if end < 0 {
		end = len(text) - from
	}
	return append(out, text[from:from+end]...), from + end
}

func white(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}
