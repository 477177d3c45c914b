package secret

import (
	"bytes"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file reads a value that a program writes as several texts in quotes, of which it makes one: "ab" + "cd", 'ab' 'cd', concat!("ab", "cd"),
// ["ab", "cd"].join("").

const (
	maxBetween = 160 // bytes between two texts of one value
	maxParts   = 16  // texts of one value
)

// joints are the operators that make one of two texts, of many languages.
var joints = value.WordSet("+ . .. & &_ ~ ^ ++ <> * || // && <<")

// joiners are functions that make one of the texts that they are given, or that a list of them has.
var joiners = value.WordSet("concat concatenate strcat paste0 str join sprint string_concat")

// adjacent are the ends of paths of languages that make one of texts with blanks between them.
var adjacent = [...]string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".m", ".mm", ".py", ".pyi", ".dart", ".rb", ".d", ".ino", ".sol"}

// nextPart returns where the text begins that goes on with the one that closes at at, of a value that begins at start; 0 if none does.
func (r *run) nextPart(start, at int) int {
	text := r.text
	q := text[at]
	if value.ByteAt(text, at+1) == q && q != '`' { // 'ab''cd': a quote within, or the next part of a shell's word
		return at + 2
	}
	var signs [3]byte
	n, i, lines := 0, at+1, 0
	for ; i < len(text) && i-at < maxBetween; i++ {
		b := text[i]
		if b == '\n' {
			lines++
		}
		if value.IsSpace(b) || b == '\\' {
			continue
		}
		if n == len(signs) || strings.IndexByte("+.&~^*|/<>_,", b) < 0 {
			break
		}
		signs[n] = b
		n++
	}
	r.spend(i - at)
	if i = pastPrefix(text, i); value.ByteAt(text, i) != q {
		return 0
	}
	sign := string(signs[:n])
	joins := joints[sign] || sign == "" && (lines > 0 || some(strings.HasSuffix, r.path, adjacent[:]...))
	if joins || sign == "" && r.handsJoiner(start) || sign == "," && (r.handsJoiner(start) || r.isJoined(i)) {
		return i + 1
	}
	return 0
}

// handsJoiner reports whether the text at start is the first that a function is given which makes one of its texts.
func (r *run) handsJoiner(start int) bool {
	head := bytes.TrimRight(r.before(value.Back(r.text, start, 4, value.Quotes+`\`), 64), " \n\t")
	head = bytes.TrimRight(bytes.TrimRight(head, "([ "), `"', `) // join("", ["ab", …
	head = bytes.TrimRight(head, "([ !")
	var buf [32]byte
	lo := value.Back(head, len(head), 24, value.WordSigns)
	return joiners[string(value.Lower(buf[:], head[lo:]))]
}

// isJoined reports whether what is made of the list whose text opens at at is one text: ["ab", "cd"].join("").
func (r *run) isJoined(at int) bool {
	end := r.upTo(at, maxBetween, ")]\n")
	return value.HasPrefixAt(r.text, value.Past(r.text, end, 1, ")]"), ".join")
}

// whole returns what the text from from to to and those that go on with it say together, and where the others stand; none if it stands alone.
func (r *run) whole(from, to int) (v []byte, more [][2]int) {
	text := r.text
	if from == 0 || to >= len(text) || !value.IsQuote(text[to]) || text[from-1] != text[to] {
		return nil, nil
	}
	v = append(r.joined[:0], text[from:min(to, from+value.MaxLook)]...)
	for at := to; len(more) < maxParts && len(v) < value.MaxLook; {
		next := r.nextPart(from, at)
		if next == 0 {
			break
		}
		end, ok := r.closing(next, text[to], 0)
		if !ok {
			break
		}
		v = append(v, text[next:min(end, next+value.MaxLook)]...)
		more = append(more, [2]int{next, end})
		at = end
	}
	r.joined = v
	return v[:min(len(v), value.MaxLook)], more
}

// pastJoin steps over what joins the texts of a list with nothing between them: "".join(["ab", "cd"]), join("", ["ab", "cd"]).
func pastJoin(text []byte, at int) int {
	for _, head := range [...]string{`"".join(`, `''.join(`, `join("", `, `join('', `} {
		if i := at + len(head); value.HasPrefixAt(text, at, head) && i < len(text) && strings.IndexByte("[(", text[i]) >= 0 {
			return i
		}
	}
	return at
}
