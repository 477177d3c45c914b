package lookup

import (
	"bytes"
	"path"
	"slices"

	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// foldedName is a name of PHP, in which capitals mean nothing for classes, functions and methods.
type foldedName struct {
	name []byte
	// class: it is one's, which is named before :: and behind new; else it is called.
	class bool
}

// folds are the names among definitions that texts of PHP may write with other capitals.
func folds(list []Definition) (names []foldedName) {
	for _, d := range list {
		if path.Ext(d.Path) != ".php" {
			continue
		}
		f := foldedName{name: []byte(lastOf(d.Name))}
		switch d.Kind {
		case "class", "interface", "trait", "enum":
			f.class = true
		case "func", "method":
		default:
			continue
		}
		if !slices.ContainsFunc(names, func(o foldedName) bool { return o.class == f.class && bytes.Equal(o.name, f.name) }) {
			names = append(names, f)
		}
	}
	return names
}

// spelled are the other spellings of a subject's names in a text of PHP, by line, where they stand as such a name does.
func (q *inquiry) spelled(name string, content []byte) (lines map[int][]string) {
	if len(q.fold) == 0 || path.Ext(name) != ".php" {
		return nil
	}
	for _, f := range q.fold {
		if len(f.name) == 0 {
			continue
		}
		low, high := lower(f.name[0]), upper(f.name[0])
		for at := 0; at+len(f.name) <= len(content); at++ {
			end := at + len(f.name)
			if c := content[at]; c != low && c != high || !bytes.EqualFold(content[at:end], f.name) || bytes.Equal(content[at:end], f.name) || !f.standsAt(content, at, end) {
				continue
			}
			if lines == nil {
				lines = map[int][]string{}
			}
			n := 1 + bytes.Count(content[:at], []byte{'\n'})
			lines[n] = append(lines[n], string(content[at:end]))
		}
	}
	return lines
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c &^ 0x20
	}
	return c
}

// standsAt reports whether what stands between two places of a text is a word that names such a thing.
func (f *foldedName) standsAt(content []byte, at, end int) bool {
	if at > 0 && (text.InWord(content[at-1]) || content[at-1] == '$') || end < len(content) && text.InWord(content[end]) {
		return false
	}
	after := bytes.TrimLeft(content[end:min(len(content), end+8)], " ")
	if !f.class {
		return bytes.HasPrefix(after, []byte("("))
	}
	before := bytes.ToLower(bytes.TrimRight(content[max(0, at-16):at], "\\ "))
	return bytes.HasPrefix(after, []byte("::")) || slices.ContainsFunc([]string{"new", "instanceof", "extends", "implements"}, func(w string) bool {
		return bytes.HasSuffix(before, []byte(w))
	})
}

// tellSpelled adds the lines on which a text writes a name with other capitals, outside of comments and strings.
func (l *ledger) tellSpelled(m *source.Mentions, lines map[int][]string) {
	told := map[string]bool{}
	for _, list := range lines {
		for _, word := range list {
			if told[word] {
				continue
			}
			told[word] = true
			for _, w := range m.Words(word) {
				if w.As != source.Literal && w.As != source.Local && slices.Contains(lines[w.Line], word) {
					l.tell(w.Line, false)
				}
			}
		}
	}
}
