package secret

import (
	"regexp/syntax"
	"strings"
)

// A regular expression is slow, a literal is fast. For each rule the
// expression itself tells which literals every match must hold, what may stand
// on either side of them and for how long. The automaton finds the literals;
// the expression then runs on a window round them only.

// addRange adds a class of runes. Every byte of a multi-byte rune belongs to a class that holds any such rune.
func (s *bytesIn) addRange(lo, hi rune) {
	for r := lo; r <= hi && r < 0x80; r++ {
		s.add(byte(r))
	}
	if hi >= 0x80 {
		s[2], s[3] = ^uint64(0), ^uint64(0)
	}
}

// unbounded is the length of what has no longest match.
const unbounded = 1 << 20

// side is what may stand on one side of a literal.
type side struct {
	class bytesIn
	max   int // bytes, at most unbounded
}

// anchor is a literal that every match of one branch of an expression holds.
type anchor struct {
	literal string // lower case
	exact   string // as the expression has it, "" where case is folded
	last    byte   // of exact, 0 if it is no letter
	before  side
	after   side
	// boundary: the expression asks for \b right before the literal.
	boundary bool
	// lineStart: the expression begins where a line does.
	lineStart bool
	// follow holds what each of the next bytes must be, as far as the expression
	// fixes it: cheap to check before the expression runs.
	follow []*bytesIn
}

const (
	maxBranches = 24 // branches that alternations are multiplied out to
	maxCross    = 32 // literals that classes inside one are multiplied out to
	minLiteral  = 3  // shorter literals hit too often
)

// anchors returns literals one of which every match of re holds, or nil when
// there are none worth searching for.
func anchors(re *syntax.Regexp) []anchor {
	var list []anchor
	for _, seq := range branches(re) {
		a := best(seq)
		if a == nil {
			return nil
		}
		list = append(list, a...)
	}
	return list
}

// branches multiplies alternations out: re matches what one of the returned
// sequences matches. Where that would be too many, an alternation stays one node.
func branches(re *syntax.Regexp) [][]*syntax.Regexp {
	switch re.Op {
	case syntax.OpCapture:
		return branches(re.Sub[0])
	case syntax.OpAlternate:
		var all [][]*syntax.Regexp
		for _, s := range re.Sub {
			all = append(all, branches(s)...)
		}
		if len(all) > maxBranches {
			return [][]*syntax.Regexp{{re}}
		}
		return all
	case syntax.OpConcat:
		all := [][]*syntax.Regexp{nil}
		for _, s := range re.Sub {
			bs := branches(s)
			if len(all)*len(bs) > maxBranches {
				bs = [][]*syntax.Regexp{{s}}
			}
			var grown [][]*syntax.Regexp
			for _, head := range all {
				for _, b := range bs {
					grown = append(grown, append(append([]*syntax.Regexp(nil), head...), b...))
				}
			}
			all = grown
		}
		return all
	}
	return [][]*syntax.Regexp{{re}} // also what is optional: it would hide the literals beside it
}

// best chooses the run of nodes whose literals are the longest.
func best(seq []*syntax.Regexp) []anchor {
	var chosen []string
	var from, to int
	var exact bool
	score := 0
	for i := range seq {
		if isEmpty(seq[i]) {
			continue // it stands before the literal, where it is looked at
		}
		words, fold := []string{""}, false
		for j := i; j < len(seq); j++ {
			w, f := spelled(seq[j])
			if words = crossed(words, w); words == nil {
				break
			}
			fold = fold || f
			short := len(words[0])
			for _, w := range words {
				short = min(short, len(w))
			}
			least := minLiteral
			if j+1 < len(seq) {
				if f, _ := required(seq[j+1]); len(f) >= 16 {
					least = 2 // a long run to check by hand makes up for it
				}
			}
			if s := short*8 - len(words); short >= least && s > score {
				score, chosen, from, to, exact = s, words, i, j+1, !fold
			}
		}
	}
	if chosen == nil {
		return nil
	}
	return anchorsAt(seq, from, to, chosen, exact)
}

// crossed returns each of the heads with each of the tails behind it, nil if there
// are no tails or too many.
func crossed(heads, tails []string) []string {
	if len(heads)*len(tails) > maxCross {
		return nil
	}
	var all []string
	for _, a := range heads {
		for _, b := range tails {
			all = append(all, a+b)
		}
	}
	return all
}

// anchorsAt makes anchors of the words that the nodes [from, to) match.
func anchorsAt(seq []*syntax.Regexp, from, to int, words []string, exact bool) []anchor {
	var a anchor
	for _, n := range seq[:from] {
		extend(&a.before, n)
	}
	for _, n := range seq[to:] {
		extend(&a.after, n)
	}
	a.boundary = from > 0 && seq[from-1].Op == syntax.OpWordBoundary
	a.lineStart = from > 0 && seq[0].Op == syntax.OpBeginLine
	for _, n := range seq[to:] {
		list, whole := required(n)
		a.follow = append(a.follow, list...)
		if !whole || len(a.follow) > maxFollow {
			break
		}
	}
	var list []anchor
	seen := map[string]bool{}
	for _, w := range words {
		a.literal = strings.ToLower(w)
		a.exact, a.last = "", 0
		if exact {
			a.exact = w
			if b := w[len(w)-1]; isLetter(b) {
				a.last = b
			}
		}
		if !seen[a.literal+a.exact] {
			seen[a.literal+a.exact] = true
			list = append(list, a)
		}
	}
	return list
}

// isEmpty reports whether a node takes no text.
func isEmpty(re *syntax.Regexp) bool {
	return re.Op == syntax.OpEmptyMatch || re.Op == syntax.OpWordBoundary
}

// spelled returns what a node matches where that is a few fixed words.
func spelled(re *syntax.Regexp) (words []string, fold bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary:
		// A boundary inside a literal is left to the expression.
		return []string{""}, false
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r >= 0x80 {
				return nil, false
			}
		}
		return []string{string(re.Rune)}, re.Flags&syntax.FoldCase != 0
	case syntax.OpCharClass:
		return spelledClass(re.Rune), false
	case syntax.OpQuest:
		if words, fold = spelled(re.Sub[0]); words == nil {
			return nil, false
		}
		return append([]string{""}, words...), fold
	case syntax.OpCapture:
		return spelled(re.Sub[0])
	case syntax.OpConcat:
		words = []string{""}
		for _, s := range re.Sub {
			w, f := spelled(s)
			if words = crossed(words, w); words == nil {
				return nil, false
			}
			fold = fold || f
		}
		return words, fold
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			w, f := spelled(s)
			if w == nil {
				return nil, false
			}
			words, fold = append(words, w...), fold || f
		}
		if len(words) > maxCross {
			return nil, false
		}
		return words, fold
	}
	return nil, false
}

// spelledClass returns the characters of a class, given as the bounds of ranges,
// where they are few. Those that letters fold to are left out.
func spelledClass(bounds []rune) (words []string) {
	n := 0
	for i := 0; i < len(bounds); i += 2 {
		lo, hi := bounds[i], bounds[i+1]
		if hi >= 0x80 && hi != 0x17F && hi != 0x212A {
			return nil
		}
		n += int(hi-lo) + 1
	}
	if n > 6 {
		return nil
	}
	for i := 0; i < len(bounds); i += 2 {
		for r := bounds[i]; r <= bounds[i+1] && r < 0x80; r++ {
			words = append(words, string(r))
		}
	}
	return words
}

// extend grows s by what re may match.
func extend(s *side, re *syntax.Regexp) {
	n := longest(re, &s.class)
	s.max = min(s.max+n, unbounded)
}

// longest returns the length in bytes of re's longest match and adds the bytes
// it may hold to class.
func longest(re *syntax.Regexp, class *bytesIn) int {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			class.addRange(r, r)
			if re.Flags&syntax.FoldCase != 0 {
				l := strings.ToLower(string(r))
				u := strings.ToUpper(string(r))
				class.add(l[0])
				class.add(u[0])
			}
		}
		return len(string(re.Rune))
	case syntax.OpCharClass:
		wide := 1
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i] == re.Rune[i+1] && (re.Rune[i] == 0x17F || re.Rune[i] == 0x212A) {
				continue // the long s and the Kelvin sign fold to s and k: no secret is spelled so
			}
			class.addRange(re.Rune[i], re.Rune[i+1])
			if re.Rune[i+1] >= 0x80 {
				wide = 4
			}
		}
		return wide
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		class.addRange(0, 0x10FFFF)
		return 4
	case syntax.OpCapture:
		return longest(re.Sub[0], class)
	case syntax.OpConcat:
		n := 0
		for _, s := range re.Sub {
			n = min(n+longest(s, class), unbounded)
		}
		return n
	case syntax.OpAlternate:
		n := 0
		for _, s := range re.Sub {
			n = max(n, longest(s, class))
		}
		return n
	case syntax.OpStar, syntax.OpPlus:
		longest(re.Sub[0], class)
		return unbounded
	case syntax.OpQuest:
		return longest(re.Sub[0], class)
	case syntax.OpRepeat:
		n := longest(re.Sub[0], class)
		if re.Max < 0 {
			return unbounded
		}
		return min(n*re.Max, unbounded)
	}
	return 0
}

// maxFollow bounds the bytes checked by hand after a literal.
const maxFollow = 64

// required returns what each of the first bytes of a match of re must be, and
// whether these are all of it. Optional ends are not.
func required(re *syntax.Regexp) (list []*bytesIn, whole bool) {
	switch re.Op {
	case syntax.OpCapture:
		return required(re.Sub[0])
	case syntax.OpConcat:
		for _, s := range re.Sub {
			l, w := required(s)
			list = append(list, l...)
			if !w || len(list) > maxFollow {
				return list, false
			}
		}
		return list, true
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r >= 0x80 {
				return list, false
			}
			var c bytesIn
			one := &syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: []rune{r}}
			longest(one, &c)
			list = append(list, &c)
		}
		return list, true
	case syntax.OpCharClass:
		var c bytesIn
		return []*bytesIn{&c}, longest(re, &c) == 1
	case syntax.OpPlus, syntax.OpRepeat:
		var c bytesIn
		if re.Sub[0].Op != syntax.OpCharClass || longest(re.Sub[0], &c) != 1 {
			return nil, false
		}
		n := re.Min
		if re.Op == syntax.OpPlus {
			n = 1
		}
		for range min(n, maxFollow) {
			list = append(list, &c)
		}
		return list, re.Op == syntax.OpRepeat && re.Min == re.Max && n <= maxFollow
	}
	return nil, false
}
