package rank

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/language"
)

// Part is what one signal adds to a score.
type Part struct {
	Signal Signal
	// Amount in millionths; that of Size is negative. The amounts of a file's
	// parts add up to its score.
	Amount int64
	// Reason says what was found, in words for a person: "imported by src/a.ts".
	// It holds paths and identifiers of the repository as they are.
	Reason string
	// Words are those that Text and Rare found in the repository, the weightiest first, a rare one with its line.
	Words string
	// Loose says that other files stand between: ones that import, or ones that define the names which tie it to the change; or that
	// all it has in common is that both are tests, that their folders are not far from each other, or a word that many paths have.
	Loose bool
}

// Why returns the parts of a file's score that are not 0, the largest first, the
// size last. It returns nil for a file that is not in the order.
func (o *Order) Why(path string) []Part {
	at, ok := o.node[path]
	if !ok || int(at) >= len(o.files) || o.changed[at] {
		return nil
	}
	i := int(at)
	if o.task != nil {
		return o.taskWhy(i)
	}
	var list []Part
	for s, amount := range o.amounts(i) {
		if amount != 0 {
			one := Part{Signal: Signal(s), Amount: amount}
			one.Reason, one.Words = o.reason(one.Signal, i)
			one.Loose = one.Signal == Imports && o.far.steps[i] > 1 || one.Reason == tiedByOthers || o.distant(one.Signal, i)
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b Part) int { return cmp.Compare(b.Amount, a.Amount) })
	return list
}

// reason says what a signal found, and the words of it.
func (e *evidence) reason(s Signal, i int) (reason, words string) {
	if s == Text {
		return e.wordsHeld(i)
	}
	if s == Rare {
		return e.rareShared(i)
	}
	return e.relation(s, i), ""
}

// wordsHeld says which words of the change a file holds.
func (e *evidence) wordsHeld(i int) (reason, words string) {
	t := &e.texts[i]
	type worth struct {
		word   string
		amount uint64
	}
	var best []worth
	for _, p := range t.terms {
		if e.idf[p.term] == 0 {
			continue // the definitions around the change say it, not the change
		}
		best = append(best, worth{e.query.parts[p.term].word, bm25(uint64(p.count), uint64(t.length), e.average, e.idf[p.term], one)})
	}
	slices.SortFunc(best, func(a, b worth) int {
		return cmp.Or(cmp.Compare(b.amount, a.amount), strings.Compare(a.word, b.word))
	})
	var said []string
	for _, telling := range []bool{true, false} { // "the" is told where there is nothing else
		for _, w := range best {
			if len(said) < 3 && chatter[w.word] != telling {
				said = append(said, w.word)
			}
		}
	}
	words = strings.Join(said, ", ")
	return fmt.Sprintf("holds %s of %s: %s", claim.Count(len(best), "word"), e.asks, words), words
}

// rareShared says which rare identifiers a file and the change hold.
func (e *evidence) rareShared(i int) (reason, words string) {
	t := &e.texts[i]
	shared := slices.DeleteFunc(slices.Clone(t.idents), func(h termHit) bool { return e.rare[h.ident] == 0 })
	slices.SortFunc(shared, func(a, b termHit) int {
		return cmp.Or(cmp.Compare(e.rare[b.ident], e.rare[a.ident]), cmp.Compare(a.line, b.line), cmp.Compare(a.ident, b.ident))
	})
	var said []string
	for _, h := range shared[:min(3, len(shared))] {
		said = append(said, e.query.idents[h.ident].word+" (line "+strconv.Itoa(int(h.line))+")")
	}
	words = strings.Join(said, ", ")
	return fmt.Sprintf("shares %s with %s: %s", claim.Count(len(shared), "rare identifier"), e.asks, words), words
}

// relation says how a file and the change hang together.
func (e *evidence) relation(s Signal, i int) string {
	switch s {
	case Imports:
		if e.says[e.paths[i]] != "" && e.far.steps[i] == 1 {
			return e.says[e.paths[i]]
		}
		steps, from := e.far.steps[i], e.far.from[i]
		if steps == 1 {
			if e.imports(i, int(from)) {
				for _, changed := range slices.Sorted(maps.Keys(e.users.by[e.paths[i]])) {
					u := e.users.by[e.paths[i]][changed]
					return fmt.Sprintf("uses %s, which the change touches (%s:%d)", u.Name, changed, u.Line)
				}
				if verb := e.gone[e.paths[from]]; verb != "" && int(from) >= len(e.files) {
					return "imports " + e.paths[from] + ", which the change " + verb
				}
				return "imports " + e.paths[from]
			}
			return "imported by " + e.paths[from]
		}
		start := from
		for e.far.from[start] >= 0 {
			start = e.far.from[start]
		}
		return fmt.Sprintf("%s from %s, by way of %s", claim.Count(int(steps), "import"), e.paths[start], e.paths[from])
	case Name:
		m := e.shown.name(e.paths[i])
		if e.distant(s, i) {
			return "a test, as " + m.path + " is"
		}
		return fmt.Sprintf("named like %s: %s", m.path, strings.Join(m.words, ", "))
	case Mirror:
		return e.placed(i)
	case Path:
		words := e.pathWords(i)
		return "its path has words of " + e.asks + ": " + strings.Join(words[:min(4, len(words))], ", ")
	case Symbols:
		return e.symbols(i)
	case Together:
		return fmt.Sprintf("changed with %s in %s", e.paths[e.past.partner[i]], claim.Count(int(e.past.nTogether[i]), "commit"))
	case Recent:
		return "changed in " + string(claim.Count(int(e.past.nRecent[i]), "recent commit"))
	case Size:
		return string(claim.Count(int(e.files[i].Size), "byte"))
	}
	return ""
}

// placed says how a test's place is like that of a changed source, or a source's like that of a changed test.
func (e *evidence) placed(i int) string {
	name := e.paths[i]
	m := e.shown.mirror(name)
	test := language.IsTest(name)
	where := place(m.path)
	for _, p := range e.twins(name, !test) {
		if slices.Equal(place(p), where) {
			if test {
				return "tests " + p
			}
			return "tested by " + p
		}
	}
	like := "placed like "
	switch {
	case path.Dir(name) == path.Dir(m.path):
		like = "beside "
	case e.distant(Mirror, i):
		like = "its folders named in part as those of "
	}
	switch l := language.Of(m.path); {
	case test && (l == nil || l.Kind == language.Data || l.Kind == language.Prose):
		return "a test" // where settings and manuals stand says nothing of it
	case test:
		return "a test, " + like + m.path
	}
	return like + "the test " + m.path
}

// distant reports whether names have nothing in common but that they are tests', places differ, or a path has no word of the question but such
// as many paths have.
func (e *evidence) distant(s Signal, i int) bool {
	switch s {
	case Name:
		return !slices.ContainsFunc(e.shown.name(e.paths[i]).words, func(word string) bool { return !testWords[word] })
	case Mirror:
		return !slices.Equal(place(e.paths[i]), place(e.shown.mirror(e.paths[i]).path))
	case Path:
		return !slices.ContainsFunc(parts(e.paths[i]), func(part string) bool {
			k := e.asked(part)
			return k >= 0 && !e.common[k]
		})
	default:
		return false
	}
}

// testWords are the parts of names that say no more than that a file is a test.
var testWords = map[string]bool{"test": true, "tests": true, "spec": true, "specs": true}

// pathWords are the parts of a file's path that the question adds, those that many paths have where there is no other.
func (e *evidence) pathWords(i int) (words []string) {
	var many []string
	for _, part := range parts(e.paths[i]) {
		switch k := e.asked(part); {
		case k < 0:
		case e.common[k]:
			many = append(many, part)
		default:
			words = append(words, part)
		}
	}
	if len(words) == 0 {
		return many
	}
	return words
}

// asked returns which word of the question, as added lines say them, a part of a path is; -1 where it is none.
func (e *evidence) asked(part string) int {
	return slices.IndexFunc(e.query.parts, func(t term) bool { return t.word == part && t.added > 0 })
}

// tiedByOthers is what is said of a file that shares no name with what changes.
const tiedByOthers = "tied to the change by names that other files define"

// symbols names what ties a file to the changed ones: what it uses of theirs, or
// they of its.
func (e *evidence) symbols(i int) string {
	t := &e.texts[i]
	// The file that says most comes first: the one with most names in common.
	best, most, uses, offers := -1, 0, []string(nil), []string(nil)
	for c, changed := range e.changed {
		if !changed || e.families[c] != e.families[i] && e.families[i] != prose {
			continue
		}
		o := &e.texts[c]
		u := e.both(t.names, o.defined, t.defined)
		d := e.both(o.names, t.defined, o.defined)
		if n := len(u) + len(d); n > most {
			best, most, uses, offers = c, n, u, d
		}
	}
	switch {
	case best < 0:
		return tiedByOthers
	case len(uses) >= len(offers) && (e.imports(i, best) || e.families[i] != prose && path.Dir(e.paths[i]) == path.Dir(e.paths[best])):
		return fmt.Sprintf("uses %s of %s", few(uses), e.paths[best])
	case len(uses) >= len(offers) || e.families[i] == prose:
		// Another file may define the same names: what is known is that they stand there.
		return fmt.Sprintf("names %s, defined in %s", few(uses), e.paths[best])
	}
	return fmt.Sprintf("defines %s, named in %s", few(offers), e.paths[best])
}

// both returns the names that stand in a and b, but not in without.
func (e *evidence) both(a, b, without []uint32) []string {
	var list []string
	for _, h := range b {
		if _, ok := slices.BinarySearch(a, h); !ok {
			continue
		}
		if _, ok := slices.BinarySearch(without, h); ok {
			continue
		}
		if name := e.names[h]; name != "" && e.linked[h] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func few(names []string) string {
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + fmt.Sprintf(" and %d more", len(names)-3)
	}
	return strings.Join(names, ", ")
}

// twins are the changed files, tests or not, whose base names are the same as one but for the word test, in the order of the files.
func (e *evidence) twins(name string, tests bool) []string {
	key := func(p string, test bool) string {
		list := slices.DeleteFunc(parts(stem(p)), func(part string) bool { return testWords[part] })
		if len(list) == 0 {
			return ""
		}
		return strconv.FormatBool(test) + " " + strings.Join(list, " ")
	}
	if e.shown.twins == nil { // asked of each file that is needed: a large change is not gone through for each
		e.shown.twins = map[string][]string{}
		for c, changed := range e.changed {
			if p := e.paths[c]; changed {
				if k := key(p, language.IsTest(p)); k != "" {
					e.shown.twins[k] = append(e.shown.twins[k], p)
				}
			}
		}
	}
	return e.shown.twins[key(name, tests)]
}
