package plan

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Basket is an archive in the making: claims come in their order, and one that does
// not fit into what is left of the budget is passed over.
type Basket struct {
	counter *tokens.Counter
	// limit is the budget in tokens, 0 without one; spent is what is in the basket.
	limit, spent int
	members      map[string]*scan.File
	left         map[string]scan.Exclusion
	why          map[string][]string
	// base, closure and ranked are the members by who claimed them first.
	base, closure, ranked []string
	// costs are the tokens of the members, where there is a budget.
	costs map[string]int
	// excerpted are parts of files that do not fit whole, by the names under which they stand.
	excerpted map[string][]byte
	// ways counts the bytes that the record spends on the ways to files, of at most maxWays.
	ways int
}

// rest is how many tokens are left.
func (b *Basket) rest() int { return b.limit - b.limit/int(ReservePart) - b.spent }

// BytesOfToken is about the most bytes that a token of text stands for. A file that
// would have to have longer ones to fit is passed over without being counted.
const BytesOfToken = 8

// fits reports whether a file fits into so many tokens, and how many it has. Without a
// budget everything does, and nothing is counted.
func (b *Basket) fits(f *scan.File, room int) (int, bool) {
	if b.limit == 0 {
		return 0, true
	}
	if f.Size/BytesOfToken > int64(room) {
		return 0, false
	}
	n, err := b.cost(f)
	return n, err == nil && n <= room
}

// cost counts the tokens of a file.
func (b *Basket) cost(f *scan.File) (int, error) {
	var sum [32]byte
	if raw, err := hex.DecodeString(f.SHA256); err != nil || copy(sum[:], raw) != len(sum) {
		return 0, fmt.Errorf("%s has no sha256", f.Path)
	}
	var failed error
	n := b.counter.CountSum(sum, func() []byte {
		text, err := f.Read()
		failed = err
		return text
	})
	return n, failed
}

// lookedAt is how many files of the order are tried before any is taken; each one taken adds
// four. What ranks lower are small files that little speaks for: they would fill the last
// corner of a budget and cost a reader more than they tell.
const lookedAt = 50

// pass leaves out what ranks too low to be tried.
func (b *Basket) pass(files []rank.RankedFile) {
	for _, f := range files {
		if b.members[f.Path] == nil && b.left[f.Path].Reason == "" {
			b.left[f.Path] = leftBelowRank
		}
	}
}

// ahead is how many files are counted at once, before it is known whether all of them
// are asked about.
const ahead = 16

// countAhead counts files that may be taken soon into a room, on all cores: which are
// taken does not depend on it.
func (b *Basket) countAhead(files map[string]*scan.File, next []rank.RankedFile, room int) {
	if b.limit == 0 {
		return
	}
	var wait sync.WaitGroup
	for _, n := range next {
		if f := files[n.Path]; b.members[f.Path] == nil && f.Size/BytesOfToken <= int64(room) {
			wait.Go(func() { _, _ = b.cost(f) }) // an error comes again when it is asked for
		}
	}
	wait.Wait()
}

// take takes a file if it fits into room, a part of what is left. What cannot be had
// is left out with its reason.
func (b *Basket) take(f *scan.File, room int, list *[]string, why ...string) bool {
	if b.members[f.Path] != nil {
		for _, w := range why {
			if !slices.Contains(b.why[f.Path], w) {
				b.why[f.Path] = append(b.why[f.Path], w)
			}
		}
		return true
	}
	n, ok := b.fits(f, min(room, b.rest()))
	if !ok {
		b.left[f.Path] = leftNoRoom
		return false
	}
	b.spent += n
	b.members[f.Path] = f
	b.costs[f.Path] = n
	delete(b.left, f.Path)
	*list = append(*list, f.Path)
	if len(why) > 0 {
		b.why[f.Path] = append(b.why[f.Path], why...)
	}
	return true
}

// fill takes what a context archive holds, in the order of claims: what the state asks
// for, what include names, the project's system documents; then, where rank fills, the
// change itself and the files that it needs; else the files of the root.
func fill(o Options, v *snapshot.View, docs *Documents, r *Ranking) *Basket {
	s, a, limit := v.Sealed, v.Asked, o.budget()
	b := &Basket{counter: docs.Counter, limit: limit, spent: docs.tokens, members: map[string]*scan.File{}, left: map[string]scan.Exclusion{}, why: map[string][]string{}, costs: map[string]int{}, excerpted: map[string][]byte{}}
	files := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		files[s.Files[i].Path] = &s.Files[i]
	}
	file := func(id string) *scan.File {
		if f := files[id]; f != nil {
			return f
		}
		return s.Asked[id]
	}
	size := func(id string) int64 {
		if f := file(id); f != nil {
			return f.Size
		}
		return 0
	}
	for _, id := range a.Selection.Nearest(size) {
		f := file(id)
		if docs.texts[id] != nil {
			b.closure = append(b.closure, id)
			b.why[id] = append(b.why[id], b.Steps(a.Selection, id)...)
			continue
		}
		if f != nil && !b.take(f, b.rest(), &b.closure, b.Steps(a.Selection, id)...) {
			b.left[id] = leftOfSelection(a.Selection, f)
		}
	}
	claim := func(wanted func(f *scan.File) bool, room func() int) {
		for i := range s.Files {
			if f := &s.Files[i]; docs.texts[f.Path] == nil && wanted(f) {
				b.take(f, room(), &b.base)
			}
		}
	}
	lean := func(f *scan.File) bool { return f.LowValue == "" || o.Include.Match(f.Path) != "" }
	claim(func(f *scan.File) bool { return o.Include.Match(f.Path) != "" }, b.rest)
	// The project's system documents are for who steers by the state: where the change
	// fills the archive, they share a sixteenth.
	before, shared := b.spent, b.rest()
	if o.ranks() {
		shared = systemPart.of(limit)
	}
	claim(func(f *scan.File) bool { return system(o.Stan, f.Path) && lean(f) }, func() int { return shared - (b.spent - before) })
	if !o.ranks() {
		claim(func(f *scan.File) bool { return root(f.Path) && lean(f) }, b.rest)
		for i := range s.Files {
			// A lock file costs more than all other files of the root and says less.
			if f := &s.Files[i]; root(f.Path) && !lean(f) && b.members[f.Path] == nil {
				b.left[f.Path] = leftAsLowValue(f)
			}
		}
		return b
	}
	guided := guides(r.Changed)
	claim(func(f *scan.File) bool { return guided(f.Path) }, func() int { return guidePart.of(limit) })
	claim(func(f *scan.File) bool { return introduces(f.Path) }, func() int { return introductionPart.of(limit) })
	b.fillByRank(o, s, files, docs, r)
	return b
}

// fillByRank takes the change itself, the small files first, and the files that it needs,
// in their order, with parts of those that do not fit whole.
func (b *Basket) fillByRank(o Options, s *snapshot.Contents, files map[string]*scan.File, docs *Documents, r *Ranking) {
	b.takeChanged(files, docs, r, wholePart.of(b.limit))
	if b.limit > 0 {
		b.takeRanked(o.Stan, files, docs, r, excerptPart.of(b.limit))
		b.excerpts(o.Stan, s, r, files, excerptPart.of(b.limit))
	}
	b.takeRanked(o.Stan, files, docs, r, 0)
	// What is left over when all that ranks is taken, the change has.
	b.takeChanged(files, docs, r, b.rest())
}

// takeChanged takes changed files into a room that they share.
func (b *Basket) takeChanged(files map[string]*scan.File, docs *Documents, r *Ranking, room int) {
	for _, name := range r.Changed {
		before := b.spent
		if f := files[name]; docs.texts[name] == nil && f.Extractable() && b.take(f, room, &b.ranked, "changed") {
			room -= b.spent - before
		}
	}
}

// takeRanked takes files in their order, and leaves so many tokens.
func (b *Basket) takeRanked(stan string, files map[string]*scan.File, docs *Documents, r *Ranking, kept int) {
	order := r.Order.Files
	for i, ranked := range order {
		if b.limit > 0 && i > lookedAt+4*len(b.ranked) {
			b.pass(order[i:])
			return
		}
		if i%ahead == 0 {
			b.countAhead(files, order[i:min(i+ahead, len(order))], b.rest()-kept)
		}
		f := files[ranked.Path]
		there := b.members[f.Path] != nil || docs.texts[f.Path] != nil || b.excerpted[excerptName(stan, f.Path)] != nil
		if !there && b.take(f, b.rest()-kept, &b.ranked) {
			b.why[f.Path] = append(b.why[f.Path], r.Because(f.Path)...)
		}
	}
}

// bounded reports whether a budget was asked for.
func bounded(budget *int) bool { return budget != nil && *budget > 0 }

// fillFull takes of all files what fits a budget: what include names, what the change
// touched and what it needs, most needed first; then key files by their importance,
// and the rest by how near it is to the root, small files first.
func fillFull(o Options, s *snapshot.Contents, counter *tokens.Counter, r *Ranking) *Basket {
	b := &Basket{counter: counter, limit: o.budget(), members: map[string]*scan.File{}, left: map[string]scan.Exclusion{}, why: map[string][]string{}, costs: map[string]int{}}
	place := map[string]int{}
	for i, name := range r.Changed {
		place[name] = i - len(r.Changed)
	}
	for name, n := range r.Place {
		if _, ok := place[name]; !ok {
			place[name] = n
		}
	}
	order := make([]*scan.File, len(s.Files))
	for i := range s.Files {
		order[i] = &s.Files[i]
	}
	side := func(yes bool) int {
		if yes {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(x, y *scan.File) int {
		px, rankedX := place[x.Path]
		py, rankedY := place[y.Path]
		c := cmp.Or(
			cmp.Compare(side(o.Include.Match(x.Path) != ""), side(o.Include.Match(y.Path) != "")),
			cmp.Compare(side(rankedX), side(rankedY)),
			cmp.Compare(px, py),
			cmp.Compare(side(x.Key != nil), side(y.Key != nil)),
		)
		if c == 0 && x.Key != nil && y.Key != nil {
			c = scan.CompareKeys(x, y)
		}
		return cmp.Or(c,
			cmp.Compare(side(x.LowValue == ""), side(y.LowValue == "")),
			cmp.Compare(strings.Count(x.Path, "/"), strings.Count(y.Path, "/")),
			cmp.Compare(x.Size, y.Size),
			tree.Compare(x.Path, y.Path))
	})
	for _, f := range order {
		if b.take(f, b.rest(), &b.ranked) {
			if r.Place[f.Path] > 0 {
				b.why[f.Path] = r.Because(f.Path)
			}
			continue
		}
		b.left[f.Path] = leftByRank
	}
	return b
}

const (
	// maxSteps is how many steps of the way to a file are told, and maxStepBytes how long they may be: names are
	// hardly longer than 100 bytes. What comes between the seed and the last of them is counted.
	maxSteps     = 20
	maxStepBytes = 4 << 10
	// maxWays bounds the ways to all files, in bytes. Beyond it a file's is told by its ends.
	maxWays = 16 << 20
)

// Steps are the edges that brought a file into the selection.
func (b *Basket) Steps(sel *graph.Selection, id string) []string {
	room := min(maxStepBytes, maxWays-b.ways)
	chain, passed := sel.Why(id, maxSteps)
	if len(chain) == 0 {
		return nil
	}
	// The seed and the file itself stay; the steps nearest to the file come next.
	keep, size := 1, len(chain[0].ID)+len(chain[len(chain)-1].ID)
	for keep < len(chain)-1 && size+len(chain[len(chain)-1-keep].ID) <= room {
		size += len(chain[len(chain)-1-keep].ID)
		keep++
	}
	list := []string{chain[0].String()}
	if rest := chain[1:]; len(rest) > 0 {
		if passed += len(rest) - min(keep, len(rest)); passed > 0 {
			list = append(list, fmt.Sprintf("… %d more", passed))
		}
		for _, s := range rest[len(rest)-min(keep, len(rest)):] {
			list = append(list, s.String())
		}
	}
	b.ways += size
	return list
}

// system reports whether a file is one of the project's system documents, which every
// context archive holds.
func system(stan, name string) bool {
	if name == stan+"/"+record.GuideName || name == stan+"/system/.docs.meta.json" {
		return false
	}
	return strings.HasPrefix(name, stan+"/system/")
}

// root reports whether a file stands in the root.
func root(name string) bool { return !strings.Contains(name, "/") }

// guides returns whether a file tells agents how to work in a folder of the change.
func guides(changed []string) func(name string) bool {
	folders := map[string]bool{".": true}
	for _, name := range changed {
		for dir := path.Dir(name); !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	return func(name string) bool {
		switch path.Base(name) {
		case "AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md":
			return folders[path.Dir(name)]
		}
		dir, _, ok := strings.Cut("/"+name, "/.cursor/rules/")
		return ok && folders[path.Clean(strings.TrimPrefix(dir, "/")+"/.")]
	}
}

// introduces reports whether a file of the root says what the project is.
func introduces(name string) bool {
	switch strings.ToLower(name) {
	case "readme.md", "readme", "readme.rst", "package.json", "go.mod", "pyproject.toml", "cargo.toml":
		return true
	}
	return false
}
