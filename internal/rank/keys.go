package rank

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// What a task may ask of keys: so many chains of them, in so many files of YAML or properties with so many bytes in all. Of a chain that more than mostKeyed
// files have none is meant, and so many are told.
const (
	maxChains    = 200
	maxKeyFiles  = 2000
	maxKeyBytes  = 16 << 20
	mostKeyed    = 4
	maxKeyPlaces = 3
)

// leastChain is how many keys a chain has at least that tells one place from others, plainChain one that may be a member of anything.
const (
	leastChain = 2
	plainChain = 3
)

// leastQuoted: of the keys that a task quotes one in so many stand in a file that it quotes from; others have a key or two of the kind.
const leastQuoted = 3

// keyLine is a line of YAML that has a key: group 1 is what stands before it, marks of a list too, group 2 the key.
var keyLine = lazyregexp.New(`^([ \t]*(?:- +)*)["']?([\w./-]+)["']?:(?:[ \t]|$)`)

// dottedKeys is a chain of keys with dots between them, as templates and people write it.
var dottedKeys = lazyregexp.New(`(?:\b[A-Za-z_][\w-]*|\.Values)(?:\.[A-Za-z_][\w-]*){2,12}`)

// eachKey calls do for the keys of a text of YAML, each behind those that it stands in, and with its line.
func eachKey(text []byte, do func(chain []string, line int)) {
	var chain []string
	var indents []int
	line := 0
	for l := range bytes.Lines(text) {
		line++
		l = bytes.TrimRight(l[:min(len(l), maxLine)], "\r\n")
		bare := bytes.TrimLeft(l, " \t")
		if len(bare) == 0 || bare[0] == '#' {
			continue
		}
		m := keyLine.FindSubmatch(l)
		indent := len(l) - len(bare)
		if m != nil {
			indent = len(m[1])
		}
		if m == nil && len(indents) > 0 && indent > indents[len(indents)-1] {
			continue // of a text that goes over lines
		}
		for len(indents) > 0 && indents[len(indents)-1] >= indent {
			indents, chain = indents[:len(indents)-1], chain[:len(chain)-1]
		}
		if m == nil {
			if bare[0] != '-' {
				indents, chain = indents[:0], chain[:0]
			}
			continue
		}
		indents, chain = append(indents, indent), append(chain, string(m[2]))
		do(chain, line)
	}
}

// keysIn returns the chains of keys that a task names: what it writes with dots and names no file, of which there are so many, and what it
// quotes of YAML, without those that others go on from.
func keysIn(text []byte, at *places) (list [][]string, dotted int) {
	add := func(chain []string, least int) {
		if len(chain) >= least && len(list) < maxChains && !slices.ContainsFunc(list, func(one []string) bool { return slices.Equal(one, chain) }) {
			list = append(list, slices.Clone(chain))
		}
	}
	for _, m := range dottedKeys.FindAllSubmatchIndex(text, maxChains) {
		words := string(text[m[0]:m[1]])
		if values, ok := strings.CutPrefix(words, ".Values."); ok {
			add(strings.Split(values, "."), leastChain)
			continue
		}
		if found, _ := at.find(words); len(found) == 0 {
			add(strings.Split(words, "."), plainChain)
		}
	}
	dotted = len(list)
	var last []string
	eachKey(text, func(chain []string, _ int) {
		if len(chain) <= len(last) {
			add(last, leastChain)
		}
		last = slices.Clone(chain)
	})
	add(last, leastChain)
	return list, dotted
}

// isKeyed reports whether keys are looked for in a file.
func isKeyed(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", properties:
		return !language.IsLock(name)
	}
	return false
}

// properties is the extension of files with whole chains of keys, one a line.
const properties = ".properties"

// propertyLine is a line of such a file, one that is left out too: group 1 is the chain.
var propertyLine = lazyregexp.New(`^[ \t#!]*((?:[\w-]+\.)+[\w-]+)[ \t]*[=:]`)

// eachKeyOf is eachKey of a file, which may be one of properties.
func eachKeyOf(name string, text []byte, do func(chain []string, line int)) {
	if path.Ext(name) != properties {
		eachKey(text, do)
		return
	}
	line := 0
	for l := range bytes.Lines(text) {
		line++
		if m := propertyLine.FindSubmatch(l[:min(len(l), maxLine)]); m != nil {
			do(strings.Split(string(m[1]), "."), line)
		}
	}
}

// keyPlace is where a chain of a task ends in a file.
type keyPlace struct {
	file        int
	chain, line int
}

// findKeys finds the places of chains, each where most of its last keys stand one in the other: what a task quotes may stand deeper, and the
// first key that it writes may be none.
func (o *Order) findKeys(chains [][]string) (list []keyPlace) {
	ending := map[string][]int{}
	for c, chain := range chains {
		ending[chain[len(chain)-1]] = append(ending[chain[len(chain)-1]], c)
	}
	best, found := make([]int, len(chains)), make([][]keyPlace, len(chains))
	files, room := 0, int64(maxKeyBytes)
	for i, f := range o.files {
		if !isKeyed(f.Path) || len(o.texts[i].terms) == 0 || f.Size > maxText || f.Size > room || files == maxKeyFiles {
			continue
		}
		text, err := f.Read()
		if err != nil {
			continue // it is told as unread already
		}
		files, room = files+1, room-f.Size
		eachKeyOf(f.Path, text, func(chain []string, line int) {
			for _, c := range ending[chain[len(chain)-1]] {
				n := sameEnd(chain, chains[c])
				if n < max(leastChain, len(chains[c])-1) || n < best[c] {
					continue
				}
				if n > best[c] {
					best[c], found[c] = n, nil
				}
				if !slices.ContainsFunc(found[c], func(p keyPlace) bool { return p.file == i }) {
					found[c] = append(found[c], keyPlace{i, c, line})
				}
			}
		})
	}
	for c := range found {
		if those := o.nearestKeys(found[c]); len(those) <= mostKeyed {
			list = append(list, those...)
		}
	}
	return list
}

// sameEnd counts the last keys that two chains share.
func sameEnd(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// nearestKeys leaves of the places of one chain those that are of no test or example, and of these the nearest to a file that the task names.
func (o *Order) nearestKeys(list []keyPlace) []keyPlace {
	aside := func(p keyPlace) bool {
		return language.IsTest(o.files[p.file].Path) || language.IsAside(o.files[p.file].Path)
	}
	if !slices.ContainsFunc(list, func(p keyPlace) bool { return !aside(p) }) {
		return list
	}
	list = slices.DeleteFunc(list, aside)
	most := 0
	var nearest []keyPlace
	for _, p := range list {
		n := 0
		for _, f := range o.task.frames {
			n = max(n, sameFolders(o.files[p.file].Path, f.Path))
		}
		switch {
		case n > most:
			most, nearest = n, []keyPlace{p}
		case n == most:
			nearest = append(nearest, p)
		}
	}
	return nearest
}

// sameFolders counts the folders, from the root, that two paths share.
func sameFolders(a, b string) int {
	as, bs := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] && as[n] != "." {
		n++
	}
	return n
}

// nameKeys names the places of the keys that a task quotes or writes.
func (o *Order) nameKeys(text []byte) {
	chains, dotted := keysIn(text, newPlaces(o.files))
	if len(chains) == 0 {
		return
	}
	list := o.findKeys(chains)
	count, quoted := map[int]int{}, map[int]int{}
	most := 0
	for _, p := range list {
		if count[p.file]++; p.chain >= dotted {
			quoted[p.file]++
		}
		most = max(most, count[p.file])
	}
	list = slices.DeleteFunc(list, func(p keyPlace) bool {
		foreign := p.chain >= dotted && leastQuoted*quoted[p.file] < len(chains)-dotted
		return foreign || 2*count[p.file] < most
	})
	slices.SortStableFunc(list, func(a, b keyPlace) int {
		return cmp.Or(cmp.Compare(count[b.file], count[a.file]), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	told := map[int]int{}
	for _, p := range list {
		if told[p.file] == 0 && len(told) == mostKeyed || told[p.file] == maxKeyPlaces {
			continue
		}
		told[p.file]++
		f := Frame{Path: o.files[p.file].Path, Line: p.line}
		if o.task.raw[TaskNamed][p.file] == 0 {
			o.task.raw[TaskNamed][p.file], o.task.keyed[p.file] = one, true
		}
		if o.task.why[p.file] == "" {
			o.task.why[p.file] = fmt.Sprintf("the task names its key %s (line %d)", strings.Join(chains[p.chain], "."), p.line)
		}
		if len(o.task.frames) < maxFrames && !slices.Contains(o.task.frames, f) {
			o.task.frames = append(o.task.frames, f)
		}
	}
}
