package brief

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// ofNear is how much more a block of a changed file is needed that is near to what the change touches in it: nobody can judge a function
// without what it calls and without who calls it, and those of changed files cost few tokens. Of 56 places that fifteen changes cannot be
// judged without, written down before any document was seen, 24 stand whole in 8,000 tokens in place of 18, and 38 in 32,000 in place of
// 32; of the places in other files of 70 commits of seven repositories as many as before. Half more does the same.
const ofNear = 2_000_000

// maxNear bounds the lines of a block that is near.
const maxNear = 60

// maxCallers bounds the blocks that call a definition which the change touches: what many call by its name is no help to judge it, or
// the name is one of many things.
const maxCallers = 8

// calling is what the files of a change call of one another.
type calling struct {
	called  map[string]bool // by what the change touches in code that is no test
	defined map[string]int  // how many blocks of the changed files define a name
}

// callingOf tells of changed files what is called between them.
func callingOf(entries []*entry) calling {
	c := calling{map[string]bool{}, map[string]int{}}
	for _, e := range entries {
		for b, block := range e.blocks {
			if block.Name != "" {
				c.defined[lastOf(block.Name)]++
			}
			if e.touches(b) && !language.IsTest(e.Path) {
				for name := range e.calls(block) {
					c.called[name] = true
				}
			}
		}
	}
	return c
}

// nearTouched tells of each block of a changed file whether what the change touches, in it or in another changed file, names its definition
// before a bracket, as a call does, or it so names a definition that the change touches in its file.
func (e *entry) nearTouched(c calling) []bool {
	near := make([]bool, len(e.blocks))
	called, callers, own := map[string]bool{}, map[string][]int{}, map[string]bool{}
	for b, block := range e.blocks {
		if !e.touches(b) {
			continue
		}
		if own[block.Name] = true; block.Name != "" {
			callers[lastOf(block.Name)] = nil
		}
		for name := range e.calls(block) {
			called[name] = true
		}
	}
	for b, block := range e.blocks {
		if own[block.Name] || block.Name == "" || block.To-block.From >= maxNear || e.touches(b) {
			continue // the rest of what is touched, too: where it begins it names itself
		}
		name := lastOf(block.Name)
		near[b] = called[name] || c.called[name] && c.defined[name] == 1
		for name := range e.calls(block) {
			if list, ok := callers[name]; ok && len(list) <= maxCallers && !slices.Contains(list, b) {
				callers[name] = append(list, b)
			}
		}
	}
	for _, list := range callers {
		if len(list) > maxCallers {
			continue
		}
		for _, b := range list {
			near[b] = true
		}
	}
	return near
}

// nearPart is the part of a budget that what is near to the change has. A quarter, and all, hold two and three places more in 8,000 tokens, and
// take half of a hundredth of the places in other files.
const nearPart = 8

// forNear is the room of what is near to the change, in bytes.
func (b Budget) forNear() int {
	if b.Tokens == 0 {
		return math.MaxInt
	}
	return b.Tokens * BytesOfToken / nearPart
}

// keepNear keeps of the blocks that are near those that are needed most, as far as there is room, and returns what is left of it.
func (e *entry) keepNear(near []bool, needs []int64, room int) int {
	var list []int
	for b := range near {
		if near[b] {
			list = append(list, b)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(needs[b], needs[a]) })
	for _, b := range list {
		size := 0
		for _, line := range e.linesOf(e.blocks[b]) {
			size += len(line)
		}
		if size <= room {
			room -= size
		} else {
			near[b] = false
		}
	}
	return room
}

// ofCaller is how much more a block of another file is needed that calls what a change touches: nobody can judge another signature without
// who calls it. Of 22 such places of ten changes, written down before any document was seen, 17 stand whole in 32,000 tokens in place of
// 14. Of the places that 60 changes of six other repositories need 32,000 tokens hold .706 in place of .679; 8,000 would hold .509 in place of
// .540, and have none of it.
const ofCaller = 3_500_000

// leastCalled is the least length, in bytes, of a name whose callers are looked for in other files: shorter ones are of many things.
const leastCalled = 4

// forCallers is the room of what calls the change from other files, in bytes.
func (b Budget) forCallers() int {
	if b.Tokens > 0 && b.Tokens < filesFrom {
		return 0
	}
	return b.forNear()
}

// touchedNames are the names of what a change touches in code that is no test: who calls it in other files is looked for.
func touchedNames(entries []*entry) map[string]bool {
	names := map[string]bool{}
	for _, e := range entries {
		if language.IsTest(e.Path) || !language.Is(e.Path, language.Code) {
			continue
		}
		for b, block := range e.blocks {
			if name := lastOf(block.Name); len(name) >= leastCalled && e.touches(b) {
				names[name] = true
			}
		}
	}
	return names
}

// callersOf are the names that blocks of a file of code that is no test call, by the block: what defines such a name calls another thing of it.
func (s *Source) callersOf(names map[string]bool) map[int][]string {
	if len(names) == 0 || !language.Is(s.Path, language.Code) || language.IsTest(s.Path) {
		return nil
	}
	e := &entry{Source: s, lines: strings.SplitAfter(s.Text, "\n")}
	found := map[int][]string{}
	for b, block := range s.Blocks() {
		for name := range e.calls(block) {
			if names[name] && lastOf(block.Name) != name && !slices.Contains(found[b], name) {
				found[b] = append(found[b], name)
			}
		}
	}
	return found
}

// raiseCallers raises the needs of blocks that call what the change touches, the most needed first, as far as there is room. What more than
// maxCallers blocks call is left as it is.
func raiseCallers(those []*Source, callers []map[int][]string, room int) {
	count := map[string]int{}
	for _, blocks := range callers {
		for _, names := range blocks {
			for _, name := range names {
				count[name]++
			}
		}
	}
	type caller struct{ source, block int }
	var list []caller
	for i, s := range those {
		for b := range s.Needs {
			if slices.ContainsFunc(callers[i][b], func(name string) bool { return count[name] <= maxCallers }) {
				list = append(list, caller{i, b})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b caller) int {
		return cmp.Compare(those[b.source].Needs[b.block], those[a.source].Needs[a.block])
	})
	for _, c := range list {
		s := those[c.source]
		if size := int(s.sizes[c.block]); size <= room {
			room -= size
			s.Needs[c.block] += ofCaller
		}
	}
}

// lastOf is the last part of a qualified name.
func lastOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// calls yields the names that stand before a bracket in the lines of a block, but for its own where it is defined: every constructor of a file
// is called so, and calls none of the others.
func (e *entry) calls(block Block) iter.Seq[string] {
	inName := func(r rune) bool { return r == '_' || isWordRune(r) }
	return func(yield func(string) bool) {
		own := lastOf(block.Name)
		for i, line := range e.linesOf(block) {
			signed := block.Signature[0] <= block.From+i && block.From+i <= block.Signature[1]
			for {
				before, after, ok := strings.Cut(line, "(")
				if !ok {
					break
				}
				if name := before[len(strings.TrimRightFunc(before, inName)):]; name != "" && !(signed && name == own) && !yield(name) {
					return
				}
				line = after
			}
		}
	}
}

// linesOf are the lines of a block.
func (e *entry) linesOf(block Block) []string {
	return e.lines[block.From-1 : min(block.To, len(e.lines))]
}
