// Package rank puts the files of a repository into the order in which a reader
// of one change needs them.
//
// The change is a set of files with their patches; deleted files, and the old
// paths of renamed ones, belong to it. Every other file gets a score:
//
//	score = Σ weight · √(signal / its largest value among the files)
//	        − weight of size · ln(300 + bytes)
//
// A signal whose largest value is 0 adds nothing; that of imports is 1. An identifier is
// [A-Za-z_$][A-Za-z0-9_$]{2,}; its parts are its camel humps and runs of
// letters, in lower case, of 3 letters or more.
//
//	text      BM25 (k1 1.2, b .75) of the identifier parts of the file, asked
//	          for by those of the patches' lines, whatever their mark
//	imports   1 next to a changed file, in either direction, less where that has many
//	          neighbours: √(8/n), n = those that it imports, or that import it, or, where a
//	          file is known to use what the change touches there, those that do; these add
//	          up to 1 at most. Three quarters where it is known that the file uses nothing
//	          of what the change touches. Farther off, up to 6 imports, a third of the
//	          strongest that is a step nearer, times √(8/n), n = that one's neighbours
//	name      equal parts in the base names up to the first dot, over all parts
//	mirror    where one of both is a test: equal folders, counted from the end,
//	          but for those that only say test or source
//	path      BM25 of the parts of the path, asked for by those of the added lines
//	rare      Σ 1/df over the identifiers of the patches' lines that the file
//	          holds, and that few files hold
//	symbols   where a walk is found that follows names from those who use them to
//	          those who define them and back, and starts again at the change with
//	          every other step; documents get the walk's last step, from what
//	          defines the names that they hold
//	together  commits that touched the file and a changed one, over all of its own
//	recent    commits of late that touched the file
//
// together and recent need history, which a caller hands in or not; with it,
// other weights rule. The signals of several changed files combine as follows:
// text, path and rare are one query out of all patches, of which each file has a
// bounded share, and locks, generated and minified files next to none; imports,
// name and mirror are those of the nearest changed file; the walk starts at all
// of them alike.
//
// Files are read once, on all cores, and work is linear in their bytes. What is
// kept of them is bounded by constants, each with its reason. Order depends on
// the input's content alone: not on its order, the machine, or the clock. All
// arithmetic is of integers.
package rank

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Change is one changed file.
type Change struct {
	// Path at head; of a deleted file, at base.
	Path string
	// OldPath is where a renamed file was, or "".
	OldPath string
	// Deleted says that head has no such file.
	Deleted bool
	// Patch is the unified diff of the file; nil where there is none.
	Patch []byte
	// Around is the text of the definitions that the change touches, as the head has them; nil where it is not known.
	Around []byte
}

// Input is what the order is made from. Nothing in it is changed.
type Input struct {
	Changes []Change
	// Files of the head, the changed ones among them. Each is read at most once.
	Files []tree.File
	// Edges lead from a file to those that it imports. Paths of deleted files,
	// and old ones, may stand in it; what is no file of head or change is passed over.
	Edges map[string][]string
	// Says is, by file, what ties it to the change where its edge is no import, such as
	// that of a manifest to those who import its packages.
	Says map[string]string
	// Users are, by changed file, the files that use what the change touches in it.
	Users map[string]Users
	// Definitions are the names that files define, by path. A file that is not
	// in it is asked by the patterns of its language.
	Definitions map[string][]string
	// History of the base, newest first.
	History []Commit
	// Weights in place of the package's own; nil otherwise.
	Weights *Weights
	// Words are what is asked beside the changes, such as the issue that they are for: each of them counts as one that stands in
	// the patches once, unmarked.
	Words []byte
	// task is the text of a task, where there is one in place of a change.
	task []byte
}

// RankedFile is a file and its score in millionths.
type RankedFile struct {
	Path  string
	Size  int64
	Score int64
}

// Order is the result: every file of the input but the changed ones.
type Order struct {
	// Files, the most needed first; files of one score by path.
	Files []RankedFile
	// Unread are files that could not be read, by path. They rank by what is
	// known without.
	Unread []Unread

	*evidence
	node map[string]int32
	// task is what a task names; nil in an order for a change.
	task *taskOrder
}

// Unread is a file that could not be read.
type Unread struct {
	Path string
	Err  error
}

// evidence is what scores and reasons are made from.
type evidence struct {
	weights  Weights
	asks     string // what the words are of: the change, or the task
	files    []tree.File
	families []family
	query    *query
	words    *taskWords // nil without a task
	beside   []byte     // what is asked beside the changes
	texts    []fileTerms
	changed  []bool
	paths    []string // of all nodes: the files, then deleted ones and old paths
	shown    *pathEvidence
	common   []bool // of the parts of the question: many paths have it
	far      distances
	past     past
	names    map[uint32]string // names in the changed files
	linked   map[uint32]bool   // those of them that tie files together
	edges    map[string][]string
	users    usage
	says     map[string]string
	gone     map[string]string // what the change does to paths that head has no more
	// gonePackages are the names of packages of which the change deletes the manifest.
	gonePackages []string
	idf          []uint64
	average      uint64 // length of a text, 16 bits behind the point
	rare         []uint64
	// plain is the idf of a part by itself, holders how many files hold an identifier.
	plain, holders []uint64
	heat           map[string]int16
	raw            [signals][]uint64
	most           [signals]uint64
}

// Files orders the files by what the change needs. The only error is that of the
// context.
func Files(ctx context.Context, in Input) (*Order, error) {
	e := &evidence{weights: without, asks: "the change", edges: in.Edges, users: usageOf(in.Users), says: in.Says, beside: in.Words[:min(len(in.Words), maxTask)]}
	if len(in.Words) > 0 {
		e.asks = "the change or its task"
	}
	if len(in.History) > 0 {
		e.weights = with
	}
	if in.Weights != nil {
		e.weights = *in.Weights
	}
	if in.task != nil {
		e.words = &taskWords{text: in.task}
	}
	changes := slices.Clone(in.Changes)
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	changes = slices.CompactFunc(changes, func(a, b Change) bool { return a.Path == b.Path })
	e.files = slices.Clone(in.Files)
	slices.SortFunc(e.files, func(a, b tree.File) int { return strings.Compare(a.Path, b.Path) })
	e.files = slices.CompactFunc(e.files, func(a, b tree.File) bool { return a.Path == b.Path })

	e.gone = map[string]string{}
	for _, c := range changes {
		if c.Deleted {
			e.gone[c.Path] = "deletes"
		}
		if c.OldPath != "" {
			e.gone[c.OldPath] = "moves"
		}
	}
	e.gonePackages = gonePackages(changes)
	node := e.nodes(changes)
	unread := make([]error, len(e.files))
	if err := e.read(ctx, changes, node, in.Definitions, unread); err != nil {
		return nil, err
	}
	var starts []int32
	for i, c := range e.changed {
		if c {
			starts = append(starts, int32(i))
		}
	}
	for s := range e.raw {
		e.raw[s] = make([]uint64, len(e.files))
	}
	e.scoreText()
	e.scorePaths(changes)
	e.far = connect(in.Edges, node).distances(starts)
	e.scoreImports(node)
	if in.task != nil {
		starts = nil // the walk for a task starts at what it is mostly about
	}
	links := tie(e.texts, e.families)
	e.linked = make(map[uint32]bool)
	for _, l := range links {
		if e.names[l.name] != "" {
			e.linked[l.name] = true
		}
	}
	at := walk(links, len(e.paths), starts)
	mention(links, e.texts, e.families, at)
	copy(e.raw[Symbols], at)
	if len(in.History) > 0 {
		e.past = remember(in.History, node, e.changed)
		copy(e.raw[Together], e.past.together)
		copy(e.raw[Recent], e.past.recent)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	o := &Order{evidence: e, node: node}
	for s := range e.raw {
		for i := range e.files {
			if !e.changed[i] {
				e.most[s] = max(e.most[s], e.raw[s][i])
			}
		}
	}
	for i, f := range e.files {
		if unread[i] != nil {
			o.Unread = append(o.Unread, Unread{f.Path, unread[i]})
		}
		if e.changed[i] {
			continue
		}
		r := RankedFile{Path: f.Path, Size: f.Size}
		for _, amount := range e.amounts(i) {
			r.Score += amount
		}
		o.Files = append(o.Files, r)
	}
	slices.SortFunc(o.Files, func(a, b RankedFile) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
	return o, nil
}

// nodes numbers the files, and what of the change is no file any more.
func (e *evidence) nodes(changes []Change) map[string]int32 {
	node := make(map[string]int32, len(e.files))
	for _, f := range e.files {
		node[f.Path] = int32(len(e.paths))
		e.paths = append(e.paths, f.Path)
	}
	e.changed = make([]bool, len(e.files))
	add := func(p string) {
		if p == "" {
			return
		}
		if i, ok := node[p]; ok {
			e.changed[i] = true
			return
		}
		node[p] = int32(len(e.paths))
		e.paths = append(e.paths, p)
		e.changed = append(e.changed, true)
	}
	for i := range changes {
		add(changes[i].Path)
	}
	for i := range changes {
		if old := changes[i].OldPath; old != "" {
			if at, ok := node[old]; !ok || int(at) >= len(e.files) {
				add(old)
			}
		}
	}
	e.families = make([]family, len(e.paths))
	for i, p := range e.paths {
		e.families[i] = familyOf(p)
		if e.words != nil {
			e.families[i] = taskFamilyOf(p)
		}
	}
	return node
}

// read passes over the texts: first those of the change, whose names are
// followed in the others.
func (e *evidence) read(ctx context.Context, changes []Change, node map[string]int32, defined map[string][]string, unread []error) error {
	e.query = ask(changes, e.beside, len(e.files))
	if e.words != nil {
		e.words.listen(e.query)
		e.query.dropChatter(e.words)
		e.words.listen(e.query)
	}
	s := &scanner{parts: newTable(hashes(e.query.parts)), idents: newTable(hashes(e.query.idents)), nParts: len(e.query.parts)}
	if e.words != nil {
		s.asked, s.parts = e.words, newStems(e.query.parts)
	}
	e.names = map[uint32]string{}
	e.texts = make([]fileTerms, len(e.paths))
	w := s.worker()
	for i := range changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := &changes[i]
		at := node[c.Path]
		// What the change takes away is the file's too: others may still use it.
		var text []byte
		lines(clip(c, len(changes)), func(mark byte, line []byte) {
			if mark == '-' {
				text = append(append(text, line...), '\n')
			}
		})
		if int(at) < len(e.files) && !c.Deleted {
			if f := e.files[at]; f.Size <= maxText && !language.IsLock(f.Path) && f.Mode.IsRegular() {
				head, err := f.Read()
				unread[at] = err
				if err == nil && !language.IsEndless(head) {
					text = append(text, head...)
				}
			}
		}
		e.texts[at] = w.read(e.families[at], text, defined[c.Path])
		eachWord(text[:min(len(text), maxText)], func(word []byte, _ int) {
			if len(word) >= 4 && len(e.names) < 4*maxWords {
				if h := nameHash(hash(word)); e.names[h] == "" {
					e.names[h] = string(word)
				}
			}
		})
	}
	others := make([]tree.File, 0, len(e.files))
	indices := make([]int, 0, len(e.files))
	var total int64
	for i, f := range e.files {
		if !e.changed[i] {
			others, indices = append(others, f), append(indices, i)
			total += min(f.Size, maxText)
		}
	}
	if s.sample = uint32(1 + total/wholeNames); s.sample > 1 {
		s.names = make(map[uint32]bool, len(e.names))
		for h := range e.names {
			s.names[h] = true
		}
	}
	errs := make([]error, len(others))
	texts, err := s.readAll(ctx, others, defined, errs)
	for j, i := range indices {
		e.texts[i], unread[i] = texts[j], errs[j]
	}
	return err
}

// bm25 adds up a BM25 score: k1 1.2, b .75, idf ln(1+(n−df+.5)/(df+.5)).
// Numbers have 16 bits behind the point.
func bm25(count, length, average, idf, weight uint64) uint64 {
	// count·(k1+1) / (count + k1·(1−b+b·length/average))
	norm := uint64(one * 3 / 10)
	if average > 0 {
		norm += mulDiv(length*one, one*9/10, average)
	}
	share := mulDiv(count*one, one*22/10, count*one+norm)
	return mulDiv(share, mulDiv(idf, weight, one), one)
}

func idf(n, df uint64) uint64 { return lnRatio(2*n+2, 2*df+1) }

// scoreText makes the signals of the text.
func (e *evidence) scoreText() {
	// The change counts as one file that holds all of its words.
	n, total := uint64(1), uint64(0)
	df := make([]uint64, len(e.query.parts))
	holds := make([]uint64, len(e.query.idents))
	for i := range e.files {
		if e.changed[i] {
			continue
		}
		t := &e.texts[i]
		n++
		total += uint64(t.length)
		for _, p := range t.terms {
			df[p.term]++
		}
		for _, h := range t.idents {
			holds[h.ident]++
		}
	}
	e.average = mulDiv(total, one, max(1, n-1))
	e.idf = make([]uint64, len(df))
	e.plain, e.holders = make([]uint64, len(df)), holds
	for t := range df {
		e.plain[t] = idf(n, df[t]+1)
		if count := e.query.parts[t].count; count > 0 {
			e.idf[t] = mulDiv(e.plain[t], one+ln(uint64(count))>>16, one)
		}
	}
	e.rare = make([]uint64, len(holds))
	for t := range holds {
		if holds[t] > 0 && holds[t] < maxHolders {
			e.rare[t] = one / (holds[t] + 1)
		}
	}
	for i := range e.files {
		if e.changed[i] {
			continue
		}
		t := &e.texts[i]
		for _, p := range t.terms {
			e.raw[Text][i] += bm25(uint64(p.count), uint64(t.length), e.average, e.idf[p.term], one)
		}
		for _, h := range t.idents {
			e.raw[Rare][i] += e.rare[h.ident]
		}
	}
}

// maxHolders is how many files may hold a rare identifier, the change counted as one.
const maxHolders = 17

// A word that one path in commonPart has, and more than fewPaths, is no reason for any of them: it names a folder in which nearly all lies.
const (
	commonPart = 4
	fewPaths   = 8
)

// scorePaths makes the signals of the path.
func (e *evidence) scorePaths(changes []Change) {
	var own []string
	for i := range changes {
		own = append(own, changes[i].Path)
		if changes[i].OldPath != "" {
			own = append(own, changes[i].OldPath)
		}
	}
	slices.Sort(own)
	e.shown = showPaths(slices.Compact(own))
	find := newTable(hashes(e.query.parts))
	if e.words != nil {
		find = newStems(e.query.parts)
	}
	type document struct {
		terms  []int32
		length uint64
	}
	documents := make([]document, len(e.files))
	df := make([]uint64, len(e.query.parts))
	n, total := uint64(0), uint64(0)
	for i, f := range e.files {
		if e.changed[i] {
			continue
		}
		e.raw[Name][i] = e.shown.name(f.Path).amount
		e.raw[Mirror][i] = e.shown.mirror(f.Path).amount
		d := &documents[i]
		eachPart([]byte(f.Path), func(part []byte) {
			d.length++
			if t := find.find(hashPart(part)); t >= 0 && e.query.parts[t].added > 0 {
				d.terms = append(d.terms, t)
			}
		})
		slices.Sort(d.terms)
		for j, t := range d.terms {
			if j == 0 || d.terms[j-1] != t {
				df[t]++
			}
		}
		n++
		total += d.length
	}
	e.common = make([]bool, len(df))
	for t, holders := range df {
		e.common[t] = holders > fewPaths && commonPart*holders > n
	}
	average := mulDiv(total, one, max(1, n))
	for i := range documents {
		d := &documents[i]
		for j := 0; j < len(d.terms); {
			t := d.terms[j]
			count := 0
			for ; j < len(d.terms) && d.terms[j] == t; j++ {
				count++
			}
			weight := one + ln(uint64(e.query.parts[t].added))>>16
			e.raw[Path][i] += bm25(uint64(count), d.length, average, idf(n, df[t]), weight)
		}
	}
}

// amounts returns what each signal adds to the score of file i.
func (e *evidence) amounts(i int) (list [signals]int64) {
	for s := range list {
		if Signal(s) == Size {
			continue
		}
		list[s] = e.weights[s] * rootShare(e.raw[s][i], e.most[s]) / 1000
	}
	bytes := uint64(max(0, e.files[i].Size))
	list[Size] = -e.weights[Size] * int64(mulDiv(ln(300+bytes), unit, 1<<32)) / 1000
	return list
}

// Signals returns √(signal / its largest value) of a file in millionths, by
// signal; of Size, ln(300 + bytes). Weights are trained on it.
func (o *Order) Signals(path string) (list [signals]int64) {
	i, ok := o.node[path]
	if !ok || int(i) >= len(o.files) || o.changed[i] {
		return list
	}
	for s := range list {
		list[s] = rootShare(o.raw[s][i], o.most[s])
	}
	list[Size] = int64(mulDiv(ln(300+uint64(max(0, o.files[i].Size))), unit, 1<<32))
	return list
}

// imports reports whether file i imports node j.
func (e *evidence) imports(i, j int) bool { return slices.Contains(e.edges[e.paths[i]], e.paths[j]) }
