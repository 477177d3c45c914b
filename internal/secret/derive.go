package secret

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// A regular expression is slow, a literal is fast. For each rule the expression itself tells which literals every match must
// hold, what may stand on either side of them and for how long. The automaton finds the literals; the expression then runs on a
// window round them only.

// addRange adds a class of runes to a set. Every byte of a multi-byte rune belongs to a class that holds any such rune.
func addRange(s *value.ByteSet, lo, hi rune) {
	for r := lo; r <= hi && r < 0x80; r++ {
		s.Add(byte(r))
	}
	if hi >= 0x80 {
		s[2], s[3] = ^uint64(0), ^uint64(0)
	}
}

// unbounded is the length of what has no longest match.
const unbounded = 1 << 20

// side is what may stand on one side of a literal.
type side struct {
	class value.ByteSet
	max   int // bytes, at most unbounded
}

// anchor is a literal that every match of one branch of an expression holds.
type anchor struct {
	literal       string // lower case
	exact         string // as the expression has it, "" where case is folded
	before, after side
	boundary      bool // the expression asks for \b right before the literal
	lineStart     bool // the expression begins where a line does
	// follow holds what each of the next bytes must be, as far as the expression
	// fixes it: cheap to check before the expression runs.
	follow []*value.ByteSet
	// needs are bytes that every match of the whole expression holds: where one is missing, it need not run.
	needs string
}

const (
	maxBranches = 24 // branches that alternations are multiplied out to
	maxCross    = 32 // literals that classes inside one are multiplied out to
	minLiteral  = 3  // shorter literals hit too often
	maxFollow   = 64 // bytes checked by hand after a literal
)

// anchors returns literals one of which every match of re holds, or nil when there are none worth searching for.
func anchors(re *syntax.Regexp) []anchor {
	var list []anchor
	for _, seq := range branches(re) {
		a := best(seq)
		if a == nil {
			return nil
		}
		list = append(list, a...)
	}
	all := held(re)
	for i := range list {
		list[i].needs = strings.Map(func(r rune) rune {
			if all.Has(byte(r)) && !strings.ContainsRune(list[i].literal, r) {
				return r
			}
			return -1
		}, rareSigns)
	}
	return list
}

// rareSigns are the bytes of which a window may well hold none.
const rareSigns = "@|<>$%&#!?;,~^*+=/\\()[]{}'\"`:"

// held returns the bytes of rareSigns that every match of re holds.
func held(re *syntax.Regexp) (all value.ByteSet) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if strings.ContainsRune(rareSigns, r) {
				all.Add(byte(r))
			}
		}
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, s := range re.Sub {
			for i, bits := range held(s) {
				all[i] |= bits
			}
		}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return held(re.Sub[0])
		}
	case syntax.OpAlternate:
		all = held(re.Sub[0])
		for _, s := range re.Sub[1:] {
			for i, bits := range held(s) {
				all[i] &= bits
			}
		}
	}
	return all
}

// crossed returns each of the heads with each of the tails behind it, nil if there
// are no tails or more than most would come of it.
func crossed[E any](heads, tails [][]E, most int) (all [][]E) {
	if len(heads)*len(tails) > most {
		return nil
	}
	for _, head := range heads {
		for _, tail := range tails {
			all = append(all, slices.Concat(head, tail))
		}
	}
	return all
}

// branches multiplies alternations out: re matches what one of the returned sequences matches. Where that would be too many, an
// alternation stays one node, and so does what is optional: it would hide the literals beside it.
func branches(re *syntax.Regexp) [][]*syntax.Regexp {
	var all [][]*syntax.Regexp
	switch re.Op {
	case syntax.OpCapture:
		return branches(re.Sub[0])
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			all = append(all, branches(s)...)
		}
	case syntax.OpConcat:
		all = append(all, nil)
		for _, s := range re.Sub {
			grown := crossed(all, branches(s), maxBranches)
			if grown == nil {
				grown = crossed(all, [][]*syntax.Regexp{{s}}, maxBranches)
			}
			all = grown
		}
	}
	if len(all) == 0 || len(all) > maxBranches {
		return [][]*syntax.Regexp{{re}}
	}
	return all
}

// best makes anchors of the run of nodes whose literals are the longest, nil if they are short.
func best(seq []*syntax.Regexp) []anchor {
	var chosen [][]rune
	var from, to, score int
	var folded bool
	// Each node is read once, however many runs hold it; long is of the node behind it.
	type spelling struct {
		words      [][]rune
		fold, long bool
	}
	spellings := make([]spelling, len(seq))
	for i, node := range seq {
		spellings[i].words, spellings[i].fold = spelled(node)
		if i > 0 && spellings[i-1].words != nil {
			next, _ := required(node)
			spellings[i-1].long = len(next) >= 16
		}
	}
	for i, first := range seq {
		if first.Op == syntax.OpEmptyMatch || first.Op == syntax.OpWordBoundary {
			continue // it stands before the literal, where it is looked at
		}
		words, fold := [][]rune{nil}, false
		for j := i; j < len(seq); j++ {
			s := &spellings[j]
			if words = crossed(words, s.words, maxCross); words == nil {
				break
			}
			fold = fold || s.fold
			least := minLiteral
			if s.long {
				least = 2 // a long run to check by hand makes up for it
			}
			short := len(slices.MinFunc(words, func(a, b []rune) int { return len(a) - len(b) }))
			if s := short*8 - len(words); short >= least && s > score {
				score, chosen, from, to, folded = s, words, i, j+1, fold
			}
		}
	}
	var a anchor
	a.boundary = from > 0 && seq[from-1].Op == syntax.OpWordBoundary
	a.lineStart = from > 0 && seq[0].Op == syntax.OpBeginLine
	after := &syntax.Regexp{Op: syntax.OpConcat, Sub: seq[to:]}
	a.before.max = longest(&syntax.Regexp{Op: syntax.OpConcat, Sub: seq[:from]}, &a.before.class)
	a.after.max = longest(after, &a.after.class)
	a.follow, _ = required(after)
	var list []anchor
	for _, w := range chosen {
		a.literal = strings.ToLower(string(w))
		if !folded {
			a.exact = string(w)
		}
		if !slices.ContainsFunc(list, func(b anchor) bool { return b.literal == a.literal && b.exact == a.exact }) {
			list = append(list, a)
		}
	}
	return list
}

// spelled returns what a node matches where that is a few fixed words, and whether in any case.
// A boundary inside a literal is left to the expression.
func spelled(re *syntax.Regexp) (words [][]rune, fold bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary:
		return [][]rune{nil}, false
	case syntax.OpLiteral:
		if len(string(re.Rune)) > len(re.Rune) {
			return nil, false // not of ASCII
		}
		return [][]rune{re.Rune}, re.Flags&syntax.FoldCase != 0
	case syntax.OpCharClass:
		return spelledClass(re.Rune), false
	case syntax.OpConcat, syntax.OpCapture, syntax.OpAlternate, syntax.OpQuest:
		if re.Op != syntax.OpAlternate {
			words = [][]rune{nil}
		}
		for _, s := range re.Sub {
			w, f := spelled(s)
			if re.Op == syntax.OpConcat || re.Op == syntax.OpCapture {
				words = crossed(words, w, maxCross)
			} else {
				words = append(words, w...)
			}
			if w == nil || words == nil || len(words) > maxCross {
				return nil, false
			}
			fold = fold || f
		}
	}
	return words, fold
}

// spelledClass returns the characters of a class, given as the bounds of ranges,
// where they are few. Those that letters fold to are left out.
func spelledClass(bounds []rune) (words [][]rune) {
	for i := 0; i < len(bounds); i += 2 {
		for r := bounds[i]; r <= bounds[i+1]; r++ {
			if r < 0x80 {
				words = append(words, []rune{r})
			}
			if len(words) > 6 || r >= 0x80 && !foldsToASCII(r) {
				return nil
			}
		}
	}
	return words
}

// foldsToASCII reports whether r is the long s or the Kelvin sign, which fold to s and k: no secret is spelled so.
func foldsToASCII(r rune) bool { return r == 0x17F || r == 0x212A }

// longest returns the length in bytes of re's longest match, at most unbounded, and adds the bytes it may hold to class.
func longest(re *syntax.Regexp, class *value.ByteSet) (n int) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			addRange(class, r, r)
			if re.Flags&syntax.FoldCase != 0 && r < 0x80 && value.IsLetter(byte(r)) {
				class.Add(byte(r) ^ 0x20)
			}
		}
		return len(string(re.Rune))
	case syntax.OpCharClass:
		n = 1
		for i := 0; i < len(re.Rune); i += 2 {
			lo, hi := re.Rune[i], re.Rune[i+1]
			if lo == hi && foldsToASCII(lo) {
				continue
			}
			addRange(class, lo, hi)
			if hi >= 0x80 {
				n = 4
			}
		}
		return n
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		addRange(class, 0, 0x10FFFF)
		return 4
	}
	for _, s := range re.Sub {
		if m := longest(s, class); re.Op == syntax.OpConcat {
			n += m
		} else {
			n = max(n, m)
		}
	}
	switch {
	case re.Op == syntax.OpStar, re.Op == syntax.OpPlus, re.Op == syntax.OpRepeat && re.Max < 0:
		n = unbounded
	case re.Op == syntax.OpRepeat:
		n *= re.Max
	}
	return min(n, unbounded)
}

// required returns what each of the first bytes of a match of re must be, as far as
// all matches agree, and whether these are all of it. Optional ends are not.
func required(re *syntax.Regexp) (list []*value.ByteSet, whole bool) {
	switch re.Op {
	case syntax.OpCapture, syntax.OpConcat, syntax.OpPlus:
		for _, s := range re.Sub {
			l, w := required(s)
			list = append(list, l...)
			if !w || len(list) > maxFollow {
				return list, false
			}
		}
		return list, re.Op != syntax.OpPlus
	case syntax.OpLiteral:
		for i := range re.Rune {
			var c value.ByteSet
			if longest(&syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: re.Rune[i : i+1]}, &c) > 1 {
				return list, false
			}
			list = append(list, &c)
		}
		return list, true
	case syntax.OpCharClass:
		var c value.ByteSet
		return []*value.ByteSet{&c}, longest(re, &c) == 1
	case syntax.OpRepeat:
		list, whole = required(re.Sub[0])
		times := min(re.Min, maxFollow)
		if !whole {
			times = min(times, 1)
		}
		return slices.Repeat(list, times), whole && times == re.Max
	}
	return nil, false
}
