package layout

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// values are the signs, words and strings of a text of JSON with comments, without what stands between them and commas at the ends
// of lists: ok is false where a comment or a string does not end.
func values(text []byte) (list []string, ok bool) {
	for i := 0; i < len(text); {
		n := 1
		switch rest := text[i:]; {
		case white(rest[0]):
			i++
			continue
		case rest[0] == '"':
			if n = stringLength(rest); n == 0 {
				return nil, false
			}
		case bytes.HasPrefix(rest, []byte("//")):
			if n = bytes.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest, []byte("*/"))
			if n = end + len("*/"); end < 0 {
				return nil, false
			}
		case rest[0] == '}' || rest[0] == ']':
			if last := len(list) - 1; last >= 0 && list[last] == "," {
				list = list[:last]
			}
		case letter(rest[0]) || rest[0] >= '0' && rest[0] <= '9':
			for n < len(rest) && (wordSign(rest[n]) || rest[n] == '.') {
				n++
			}
		}
		list, i = append(list, strings.TrimRight(string(text[i:i+n]), " \t\r")), i+n
	}
	return list, true
}

// stringLength is the length of the string that a text begins with, of one line; 0 where it does not end there.
func stringLength(text []byte) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 0
}

// styles is a style sheet without what a formatter chooses: white space beside other and beside braces, commas and semicolons, the
// quotes of strings, the last semicolon of a block. ok is false where a comment or a string does not end.
func styles(name string, text []byte) (out []byte, ok bool) {
	lines := path.Ext(name) != ".css" // comments that end with them
	space := false
	for i := 0; i < len(text); {
		n := 1
		part := text[i : i+1]
		switch rest := text[i:]; {
		case white(rest[0]):
			space = true
			i++
			continue
		case rest[0] == '"' || rest[0] == '\'':
			if n = stringLength(rest); n == 0 {
				return nil, false
			}
			part = []byte(unquoted(string(rest[:n])))
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest, []byte("*/"))
			if n = end + len("*/"); end < 0 {
				return nil, false
			}
			part = rest[:n]
		case lines && bytes.HasPrefix(rest, []byte("//")):
			if n = bytes.IndexByte(rest, '\n') + 1; n == 0 {
				n = len(rest)
			}
			part = rest[:n]
		case rest[0] == '}':
			out = bytes.TrimSuffix(out, []byte(";"))
		}
		if space && len(out) > 0 && !alone(out[len(out)-1]) && !alone(part[0]) {
			out = append(out, ' ')
		}
		out, space, i = append(out, part...), false, i+n
	}
	return out, true
}

// alone reports whether white space beside a sign of a style sheet says nothing.
func alone(c byte) bool { return strings.IndexByte("{};,", c) >= 0 }

// fence is code of a manual, behind the words of the line that begins it.
type fence struct{ info, code string }

// manual parts a text of Markdown into lines that are no code, and its fences.
func manual(text []byte) (prose []string, code []fence) {
	open := ""
	for line := range strings.Lines(string(text)) {
		bare := strings.TrimSpace(line)
		info := strings.TrimLeft(bare, "`")
		switch mark := bare[:len(bare)-len(info)]; {
		case open == "" && len(mark) >= 3:
			open = mark
			code = append(code, fence{info: info})
		case open != "" && bare == open:
			open = ""
		case open != "":
			code[len(code)-1].code += line
			continue
		}
		prose = append(prose, strings.TrimRight(line, " \t\r\n"))
	}
	return prose, code
}

// sameManual reports whether two texts of Markdown differ in the layout of their code alone.
func sameManual(a, b []byte) bool {
	prose, code := manual(a)
	other, theirs := manual(b)
	return slices.Equal(prose, other) && slices.EqualFunc(code, theirs, fence.same)
}

// same reports whether two fences hold the same but for its layout.
func (f fence) same(other fence) bool {
	if f.code == other.code {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(f.info), func(r rune) bool { return r == ' ' || r == '{' || r == ',' })
	if len(words) == 0 {
		return false
	}
	name := "a." + words[0]
	i := slices.IndexFunc(language.All, func(l language.Language) bool { return strings.EqualFold(l.Name, words[0]) })
	if language.Of(name) == nil && i >= 0 && language.All[i].Extensions != "" {
		name = "a." + strings.Fields(language.All[i].Extensions)[0]
	}
	return !language.Is(name, language.Prose) && Same(name, []byte(f.code), []byte(other.code))
}
