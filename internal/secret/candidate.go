package secret

import (
	"bytes"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// This file is what stands between the readers of forms and the judge: a reader makes a candidate, the judge decides of it and of
// nothing else.

// candidate is a value that may be a credential, with all that the judge is told of it. Its texts are parts of the text that is
// read, or of the run's room; nobody writes to them.
type candidate struct {
	// text is the value, as far as it is judged: maxLook bytes. What escapes in it stand for is spelled out.
	text []byte
	// name is what the value is called; empty where nothing names it.
	name []byte
	value.Naming
	form     form
	notation notation
	place    place
	near     neighbours
}

// notation is how a value is written.
type notation struct {
	opens byte // the byte before the value, a quote for example; 0 where the text begins with it
	bare  bool // without quotes
	colon bool // a colon parts it from its name
}

// place is where a value stands.
type place struct {
	path       string
	style      value.Style
	traits     pathTraits
	translated bool // the file holds texts for people, in a language
	comment    bool // the name's line is a comment
	words      bool // the name stands in a text or a comment, where words are no names of the program's; asked of bare values in code
	printed    bool // the name stands in a text in quotes; asked of what stands in accents in code
	ofJWK      bool // the value is a JSON web key, whose members are read
	tested     bool // the name is PASS, and says what came of a test
}

// neighbours are the texts near a value.
type neighbours struct {
	lead   []byte // what stands before the name on its line, at most maxLead bytes
	before []byte // what stands before the value, from line nearLines above on; at most maxNear bytes
	behind []byte // what stands behind the value, to line nearLines below; at most maxNear bytes
	line   int    // where the value's own line begins in before
	end    int    // where it ends in behind
}

// maxLead is how much before a name on its line the judge is told, in bytes.
const maxLead = 256

// candidate returns what the judge is told of the value from from to to.
func (r *run) candidate(a *assignment, f form, from, to int) candidate {
	c := candidate{text: r.spelledOut(r.text[from:min(to, from+value.MaxLook)]), name: a.name(), Naming: a.naming(), form: f}
	if from > 0 {
		c.notation.opens = r.text[from-1]
	}
	c.notation.colon = a.colon
	c.notation.bare = f == formBare || f == formTold ||
		(f == formSpaced || f == formBelow || f == formItem || f == formGiven || f == formCompared) && from > 0 && !value.IsQuote(c.notation.opens)
	c.place = place{path: r.path, style: a.style(), traits: r.pathTraits(), translated: r.translated}
	if c.place.style > value.AsProse {
		c.place.style = value.AsConfig
	}
	c.near.lead = r.before(a.lo, maxLead)
	c.place.comment = insideComment(c.near.lead)
	if code := c.place.style == value.AsCode; code && c.notation.bare {
		c.place.words = c.place.comment || a.inText()
	} else if code && c.notation.opens == '`' {
		c.place.printed = r.insideString(a.lo)
	}
	c.place.tested = string(c.name) == "PASS" && r.reports(a.lo)
	c.place.ofJWK = r.ofJWK(from, to)
	lo, line := r.linesBefore(from)
	hi, end := r.linesBehind(to)
	c.near.before, c.near.line = r.text[lo:from], line-lo
	c.near.behind, c.near.end = r.text[to:hi], end-to
	r.spend(hi - lo)
	return c
}

// told returns the last n bytes of what stands before the name on its line.
func (n *neighbours) told(most int) []byte { return n.lead[max(0, len(n.lead)-most):] }

// insideComment reports whether a line that begins so is a comment so far.
func insideComment(lead []byte) bool {
	head := bytes.TrimLeft(lead, " \t+-")
	return value.Begins(head, "//", "#", "*", "/*", "<!--") || value.Holds(head, " // ")
}

// reports reports whether PASS at lo begins its line, and the line above or the one below begins with what else comes of a test.
// Two passwords never stand so: what else an account has is between them.
func (r *run) reports(lo int) bool {
	start := bytes.LastIndexByte(r.text[:lo], '\n') + 1
	above := bytes.LastIndexByte(r.text[:max(0, start-1)], '\n') + 1
	below := value.UpTo(r.text, lo, min(maxNear, len(r.text)-lo), "\n") + 1
	tested := func(l []byte) bool {
		return some(strings.HasPrefix, string(l[:min(len(l), 6)]), "PASS ", "PASS:", "FAIL ", "FAIL:", "SKIP ", "SKIP:", "XFAIL ", "XFAIL:")
	}
	return start == lo && (tested(r.text[above:max(above, start)]) && above < start || below < len(r.text) && tested(r.text[below:]))
}

// submit has a value judged, and adds it if it is a credential. Its name is not useless.
func (r *run) submit(a *assignment, f form, from, to int) {
	if r.sure || a.ownedByAnother(from, to) {
		return
	}
	c := r.candidate(a, f, from, to)
	v := r.judge.decide(&c)
	var more [][2]int
	if v.rule == "" {
		if whole, rest := r.whole(from, to); len(rest) > 0 {
			c.text, more = whole, rest
			v = r.judge.decide(&c)
		}
	}
	if r.witness != nil && c.Noun != value.Mnemonic {
		r.witness(Candidate{Start: from, End: to, Features: slices.Clone(v.features), Score: v.score, Certain: v.certain, Excepted: v.excepted})
	}
	if v.excepted != "" && len(r.cleared) < maxWeighed {
		r.cleared = append(r.cleared, [2]int{from, to})
	}
	if v.rule == "" {
		return
	}
	if a.rule != "" && c.Noun != value.Mnemonic {
		v.rule = a.rule
	}
	r.add(v.rule, from, to, v.rank)
	for _, m := range more {
		r.add(v.rule, m[0], m[1], v.rank)
	}
}

// given has a value judged that no name is before: a command, a call, a statement or a URL takes it as such a secret.
func (r *run) given(rule string, f form, n value.Noun, from, to int) {
	r.name = assignment{r: r, lo: from, hi: from, rule: rule, kind: value.Naming{Noun: n}, judged: true}
	r.name.take(f, from, to)
}
