package secret

import (
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// What derive.go finds in the rules' expressions is committed, as every start needs all of it: to parse them takes four times as
// long as to read this. TestDerived writes it, and holds that nothing is missing.

//go:embed derived.txt
var derivedText string

// derivation is what an expression is looked for by.
type derivation struct {
	anchors []anchor
	// spelled: of a service's name, the literals are all that it matches.
	spelled bool
}

// derive reads an expression.
func derive(source string) (d derivation, err error) {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return d, err
	}
	if d.anchors = anchors(tree); d.anchors == nil {
		return d, errors.New("no literal in its expression")
	}
	return d, nil
}

// deriveName reads the expression of a service's name.
func deriveName(source string) (d derivation, err error) {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return d, err
	}
	words, _ := spelled(tree)
	if words == nil {
		if d.anchors = anchors(tree); d.anchors == nil {
			return d, errors.New("no literal in its name")
		}
		return d, nil
	}
	d.spelled = true
	for _, w := range words {
		d.anchors = append(d.anchors, anchor{literal: string(w)})
	}
	return d, nil
}

// derivationKey is by what the derivation of an expression is found; those of names are others.
func derivationKey(source string, name bool) uint64 {
	h := fnv.New64a()
	if name {
		h.Write([]byte("name\x00"))
	}
	h.Write([]byte(source))
	return h.Sum64()
}

// derived returns what is committed of an expression, or of a name's, and derives what is not. A table takes from it what it
// keeps, so that the rest need not be held.
func derived() (of func(source string, name bool) (derivation, error), err error) {
	all, err := readDerivations(derivedText)
	return func(source string, name bool) (derivation, error) {
		if d, ok := all[derivationKey(source, name)]; ok {
			return d, nil
		}
		if name {
			return deriveName(source)
		}
		return derive(source)
	}, err
}

// A line of the text is a set of bytes, or an anchor, with tabs between its fields. Literals are hexadecimal: as they are, each would
// be looked at where the file itself is screened, which is more work than its size allows.
const (
	setFields    = 1
	anchorFields = 10
	// Marks of an anchor.
	markSpelled, markBoundary, markLineStart = "s", "b", "l"
)

// readDerivations reads what writeDerivations wrote.
func readDerivations(text string) (map[uint64]derivation, error) {
	all := map[uint64]derivation{}
	var sets []*value.ByteSet
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var err error
		switch len(f) {
		case setFields:
			var set *value.ByteSet
			set, err = readSet(f[0])
			sets = append(sets, set)
		case anchorFields:
			var key uint64
			if key, err = strconv.ParseUint(f[0], 16, 64); err == nil {
				d := all[key]
				var a anchor
				a, err = readAnchor(f, sets)
				d.anchors, d.spelled = append(d.anchors, a), strings.Contains(f[1], markSpelled)
				all[key] = d
			}
		default:
			err = errors.New("neither a set nor an anchor")
		}
		if err != nil {
			return nil, fmt.Errorf("reading derived.txt: %q: %w", line, err)
		}
	}
	return all, nil
}

func readSet(text string) (*value.ByteSet, error) {
	raw, err := hex.DecodeString(text)
	var s value.ByteSet
	if err != nil || len(raw) != 8*len(s) {
		return nil, errors.New("not a set of bytes")
	}
	for b := range 256 {
		if raw[b/8]>>(b%8)&1 != 0 {
			s.Add(byte(b))
		}
	}
	return &s, nil
}

func readAnchor(f []string, sets []*value.ByteSet) (a anchor, err error) {
	a.boundary, a.lineStart = strings.Contains(f[1], markBoundary), strings.Contains(f[1], markLineStart)
	literal, err := hex.DecodeString(f[2])
	if err != nil {
		return a, err
	}
	exact, err := hex.DecodeString(f[3])
	if err != nil {
		return a, err
	}
	needs, err := hex.DecodeString(f[9])
	if err != nil {
		return a, err
	}
	a.literal, a.exact, a.needs = string(literal), string(exact), string(needs)
	set := func(text string) *value.ByteSet {
		n, e := strconv.Atoi(text)
		if e != nil || n < 0 || n >= len(sets) {
			err = errors.New("no such set")
			return new(value.ByteSet)
		}
		return sets[n]
	}
	number := func(text string) int {
		n, e := strconv.Atoi(text)
		if e != nil || n < 0 || n > unbounded {
			err = errors.New("no such length")
		}
		return n
	}
	a.before = side{*set(f[4]), number(f[5])}
	a.after = side{*set(f[6]), number(f[7])}
	for run := range strings.FieldsSeq(f[8]) { // set, times
		of, times, _ := strings.Cut(run, "*")
		a.follow = append(a.follow, slices.Repeat([]*value.ByteSet{set(of)}, min(number(times), 2*maxFollow))...)
	}
	return a, err
}
