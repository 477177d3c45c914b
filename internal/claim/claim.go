// Package claim makes the sentences of packs, each with the places in the repository that it is made from. What stands in a file is a Quote
// and its author's; it enters a sentence of ours in quotation marks alone. The package reads no file, and never decides what is worth
// saying.
package claim

import (
	"fmt"
	"strings"
)

// Quote is a text found in a file. It is the author's, not ours. The zero Quote is none.
type Quote struct {
	Text string
	// Path and Line, counted from 1, are where it stands; Line is 0 where none is known.
	Path string
	Line int
}

// Claim is a sentence and what it was made from.
type Claim struct {
	// Text has no full stop at its end.
	Text  string
	Cites []Citation
}

// Own is text of ours, or text that stands in quotation marks already.
type Own string

// New makes a claim. A string among the arguments is somebody's words: it is put into
// quotation marks, and cannot be read as ours. A list of them is told one by one. Text of
// ours is Own.
func New(cites []Citation, format string, args ...any) Claim {
	said := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			said[i] = Quoted(a)
		case []string:
			said[i] = QuotedList(a)
		default:
			said[i] = a
		}
	}
	return Claim{fmt.Sprintf(format, said...), cites}
}

// QuotedList quotes somebody's words one by one.
func QuotedList(words []string) Own {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(Quoted(w))
	}
	return Own(strings.Join(list, ", "))
}

// maxCites is how many places a sentence names.
const maxCites = 3

// String is the sentence with its places in brackets behind it, maxCites of them at most.
func (c Claim) String() string {
	var list []string
	for i, at := range c.Cites {
		if i == maxCites {
			list = append(list, "...")
			break
		}
		list = append(list, string(at))
	}
	return c.Text + " (" + strings.Join(list, ", ") + ")"
}

// Sentences joins claims to one text, each with its places and a full stop.
func Sentences(claims []Claim) string {
	var out []string
	for _, c := range claims {
		out = append(out, c.String()+".")
	}
	return strings.Join(out, " ")
}

// Texts are the claims one by one, as String tells them; never nil.
func Texts(claims []Claim) []string {
	out := []string{}
	for _, c := range claims {
		out = append(out, c.String())
	}
	return out
}
