package rank

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/language"
)

// Passage is a stretch of a file that is judged by itself.
type Passage struct {
	Text []byte
	// Defines is the name that it defines, qualified or not; "" where it defines none.
	Defines string
}

// FilePassages is a file and its passages, in their order: they are asked for once, and not kept.
type FilePassages struct {
	Path     string
	Passages func() []Passage
	// Changed says that the file is of the change: its passages are judged as if it were the nearest of the others.
	Changed bool
}

// Feature is one of the things that a passage's chance of being needed is told by.
type Feature uint8

// The features. A share is √(value / the largest of the passages, or files) in thousandths, a logarithm a hundred times the
// natural one of 1 + the value.
const (
	// Of a passage: BM25 of the parts of its identifiers, asked for by those of the patches' lines, of their changed lines, of
	// the removed ones, and of the definitions that the change touches (shares; textLog is the first as a logarithm).
	ofText Feature = iota
	ofChanged
	ofRemoved
	ofAround
	textLog
	// The rare identifiers that it shares with the patches, those that the patches take away and do not write again, those that
	// the changed lines define; pairs of neighbouring identifiers of changed lines that stand in it side by side (shares).
	ofRare
	rareLog
	ofLeft
	ofUses
	ofPairs
	// Whether it defines a name of the changed lines, and how much its name is like those that they define (thousandths).
	ofDefines
	ofLikeName
	// Whether it defines a name that the definitions say which the change touches: a thousandth part of one for each other that does.
	ofNamed
	// Lines that import, of all (thousandths); where in its file it begins (thousandths); its bytes (logarithm), and of its
	// file's (thousandths).
	ofImporting
	ofPlace
	ofBytes
	ofPart
	// Its text over that of the file's best passage (thousandths), its place among them by text and rare identifiers, the text
	// of the better of its neighbours, and of the file's best (shares).
	ofBest
	ofTurn
	ofNeighbour
	bestText
	bestRare
	// Of its file: the signals (thousandths), the size (logarithm), the place among all files by need (logarithm).
	fileText
	fileImports
	fileName
	fileMirror
	filePath
	fileRare
	fileSymbols
	fileBytes
	filePlace
	// What kind of file it is beside the changed ones, whether it, and a changed file, is a test, how near in the folders it
	// lies (thousandths), and how much its folder's files have of the text in the mean (thousandths).
	fileKind
	fileTests
	fileNear
	folderText
	// Of the change: changed lines (logarithm), those of them in languages that define names (thousandths), rare identifiers and
	// changed files (logarithms); of the repository: files (logarithm).
	changeLines
	ChangeCode
	changeRare
	changeFiles
	allFiles
	features
)

var featureNames = [features]string{"ofText", "ofChanged", "ofRemoved", "ofAround", "textLog", "ofRare", "rareLog", "ofLeft", "ofUses", "ofPairs", "ofDefines", "ofLikeName", "ofNamed", "ofImporting", "ofPlace", "ofBytes", "ofPart", "ofBest", "ofTurn", "ofNeighbour", "bestText", "bestRare", "fileText", "fileImports", "fileName", "fileMirror", "filePath", "fileRare", "fileSymbols", "fileBytes", "filePlace", "fileKind", "fileTests", "fileNear", "folderText", "changeLines", "ChangeCode", "changeRare", "changeFiles", "allFiles"}

// String is the constant's name.
func (f Feature) String() string {
	if f < features {
		return featureNames[f]
	}
	return "unknown"
}

// Row is what speaks for one passage, by feature.
type Row [features]int16

// Need returns what speaks for a file whatever its size, in millionths.
func (o *Order) Need(path string) int64 {
	i, ok := o.node[path]
	if !ok || int(i) >= len(o.files) || o.changed[i] {
		return 0
	}
	return o.need(int(i))
}

func (o *Order) need(i int) int64 {
	if o.task != nil {
		return o.taskScore(i)
	}
	n := int64(0)
	for s, amount := range o.amounts(i) {
		if Signal(s) != Size {
			n += amount
		}
	}
	return n
}

// Gone is a path that a change leaves no file of: a file, or a folder and all that was in it.
type Gone struct {
	Path string
	// Files are how many went, were they deleted or moved.
	Files int
}

// Gone are the paths that head has no more, those of the most files first. What lies in a folder that is gone is told by that.
func (o *Order) Gone() []Gone {
	alive := map[string]bool{".": true}
	for _, f := range o.files {
		for dir := path.Dir(f.Path); !alive[dir]; dir = path.Dir(dir) {
			alive[dir] = true
		}
	}
	found := map[string]Gone{}
	for name := range o.gone {
		for dir := path.Dir(name); !alive[dir]; dir = path.Dir(dir) {
			name = dir
		}
		one := found[name]
		found[name] = Gone{name, one.Files + 1}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Gone) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Path, b.Path))
	})
}

// ByNeed returns the paths of the order by what speaks for them whatever their size.
func (o *Order) ByNeed() []string {
	list := slices.Clone(o.Files)
	for i := range list {
		list[i].Score = o.need(int(o.node[list[i].Path]))
	}
	slices.SortStableFunc(list, func(a, b RankedFile) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Path
	}
	return out
}

// passageLength is the length, in parts of identifiers, that a passage has in the mean.
const passageLength = 40

// sums of a passage, before they are shares.
const (
	sumText = iota
	sumChanged
	sumRemoved
	sumAround
	sumRare
	sumLeft
	sumUses
	sumPairs
	sums
)

// passageWeight is one passage as it was read.
type passageWeight struct {
	sum       [sums]uint64
	defines   bool
	named     uint64 // the hash of the name that it defines, where the definitions say it that the change touches
	likeName  int16
	importing int16
	bytes     int
}

// judge reads passages. It is only read itself.
type judge struct {
	*Order
	parts, idents, pairs *table
	idf                  [4][]uint64 // by sum, sumText to sumAround
	left, used           []uint64    // by identifier
	names                [][]string  // parts of the names that changed lines define
}

func (o *Order) judge() *judge {
	j := &judge{Order: o, parts: newTable(hashes(o.query.parts)), idents: newTable(hashes(o.query.idents)), pairs: newTable(o.query.pairs)}
	for k := range j.idf {
		j.idf[k] = make([]uint64, len(o.query.parts))
		for t, term := range o.query.parts {
			n := [...]int{term.count, term.added + term.removed, term.removed, term.around}[k]
			if n > 0 {
				j.idf[k][t] = mulDiv(o.plain[t], one+ln(uint64(n))>>16, one)
			}
		}
	}
	j.left, j.used = make([]uint64, len(o.query.idents)), make([]uint64, len(o.query.idents))
	for t, term := range o.query.idents {
		worth := one / (o.holders[t] + 1)
		if term.removed > 0 && term.added == 0 {
			j.left[t] = worth
		}
		if term.defined {
			j.used[t] = worth
			j.names = append(j.names, parts(term.word))
		}
	}
	j.names = j.names[:min(len(j.names), maxShown)]
	return j
}

// reader holds the buffers that one passage after the other is read into.
type reader struct {
	*judge
	counts []uint64
	said   []int32
	seen   []uint32 // of identifiers: the passage that said them last
	paired []uint32
	age    uint32
}

// read reads one passage.
func (r *reader) read(p Passage) passageWeight {
	w := passageWeight{bytes: len(p.Text)}
	r.age++
	length, before := uint64(0), uint64(0)
	r.said = r.said[:0]
	eachHashed(p.Text[:min(len(p.Text), maxText)], func(word []byte, _ int, key uint64) {
		if n := r.idents.find(key); n >= 0 && r.seen[n] != r.age {
			r.seen[n] = r.age
			w.sum[sumRare] += r.rare[n]
			w.sum[sumLeft] += r.left[n]
			w.sum[sumUses] += r.used[n]
		}
		if n := r.pairs.find(pair(before, key)); n >= 0 && r.paired[n] != r.age {
			r.paired[n] = r.age
			w.sum[sumPairs]++
		}
		before = key
		eachPart(word, func(part []byte) {
			length++
			if t := r.parts.find(hashPart(part)); t >= 0 {
				if r.counts[t] == 0 {
					r.said = append(r.said, t)
				}
				r.counts[t]++
			}
		})
	})
	for _, t := range r.said {
		for k := range r.idf {
			if r.idf[k][t] > 0 {
				w.sum[k] += bm25(r.counts[t], length, passageLength*one, r.idf[k][t], one)
			}
		}
		r.counts[t] = 0
	}
	w.importing = importing(p.Text)
	name := p.Defines[strings.LastIndexByte(p.Defines, '.')+1:]
	if len(name) > 2 {
		n := r.idents.find(hash(name))
		w.defines = n >= 0 && (r.query.idents[n].added > 0 || r.query.idents[n].removed > 0)
		if key := hash(name); r.query.around[key] {
			w.named = key
		}
		own := parts(name)
		for _, other := range r.names {
			same := 0
			for _, part := range own {
				if slices.Contains(other, part) {
					same++
				}
			}
			if all := len(own) + len(other) - same; all > 0 {
				w.likeName = max(w.likeName, int16(1000*same/all))
			}
		}
	}
	return w
}

// pair is the hash of two identifiers that stand side by side.
func pair(a, b uint64) uint64 { return mix(a*hashPrime ^ b) }

// importing tells how many of the lines that are not empty import something, in thousandths, as far as their beginnings tell.
func importing(text []byte) int16 {
	all, imports := 0, 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		all++
		if Importing(line) {
			imports++
		}
	}
	return int16(1000 * imports / max(1, all))
}

// Importing reports whether a line imports something, as far as its beginning tells.
func Importing(line []byte) bool {
	return slices.ContainsFunc(importWords, func(begin []byte) bool { return bytes.HasPrefix(line, begin) })
}

var importWords = [][]byte{[]byte("import "), []byte("from "), []byte("use "), []byte("#include"), []byte("using "), []byte("require"),
	[]byte("package "), []byte("pub use "), []byte("mod "), []byte("export * from"), []byte("const {"), []byte("\"")}

// Rows returns what speaks for each passage of each file, by file and passage.
func (o *Order) Rows(list []FilePassages) [][]Row {
	j := o.judge()
	all := make([][]passageWeight, len(list))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		wait.Go(func() {
			r := &reader{judge: j, counts: make([]uint64, len(o.query.parts)), seen: make([]uint32, len(o.query.idents)), paired: make([]uint32, len(o.query.pairs))}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					return
				}
				for _, p := range list[i].Passages() {
					all[i] = append(all[i], r.read(p))
				}
			}
		})
	}
	wait.Wait()
	var most, own [sums]uint64
	for f, file := range all {
		measure := &most
		if list[f].Changed {
			measure = &own // what is shown already sets no measure, but where nothing else does
		}
		for i := range file {
			for s, n := range file[i].sum {
				measure[s] = max(measure[s], n)
			}
		}
	}
	for s, n := range most {
		if n == 0 {
			most[s] = own[s]
		}
	}
	named := map[uint64]int{} // how many define it
	for f := range all {
		for i := range all[f] {
			if n := all[f][i].named; n != 0 {
				named[n]++
			}
		}
	}
	shared := o.shared()
	place := map[string]int{}
	for i, name := range o.ByNeed() {
		place[name] = i
	}
	rows := make([][]Row, len(list))
	changed := o.changedPlaces()
	for i, d := range list {
		row := shared
		if o.describe(&row, d.Path, place[d.Path], changed); d.Changed {
			for f, v := range map[Feature]int16{fileText: 1000, fileImports: 1000, fileRare: 1000, fileSymbols: 1000, filePlace: 0, fileKind: 4, fileNear: 1000} {
				row[f] = v
			}
		}
		rows[i] = passageRows(row, all[i], &most, named)
	}
	return rows
}

func thousandths(n, most uint64) int16 { return int16(min(1000, rootShare(n, most)/1000)) }

// logOf is the logarithm as features have it.
func logOf(n uint64) int16 { return int16(mulDiv(ln(1+n), 100, 1<<32)) }

// passageRows returns a row a passage: the features of the file as they are, and those of the passage.
func passageRows(file Row, list []passageWeight, most *[sums]uint64, named map[uint64]int) []Row {
	rows := make([]Row, len(list))
	total, best, bestOf := 0, uint64(0), uint64(0)
	turns := make([]int, len(list))
	for i := range list {
		total += list[i].bytes
		best, bestOf = max(best, list[i].sum[sumText]), max(bestOf, list[i].sum[sumRare])
		turns[i] = i
	}
	worth := func(i int) int64 {
		return rootShare(list[i].sum[sumText], most[sumText]) + rootShare(list[i].sum[sumRare], most[sumRare])
	}
	slices.SortStableFunc(turns, func(a, b int) int { return int(worth(b) - worth(a)) })
	turn := make([]int16, len(list))
	for n, i := range turns {
		turn[i] = int16(min(n, 1000))
	}
	at := 0
	for i := range list {
		w, row := &list[i], file
		for s, f := range [sums]Feature{ofText, ofChanged, ofRemoved, ofAround, ofRare, ofLeft, ofUses, ofPairs} {
			row[f] = thousandths(w.sum[s], most[s])
		}
		row[textLog], row[rareLog] = logOf(w.sum[sumText]*16/one), logOf(w.sum[sumRare]*64/one)
		if w.defines {
			row[ofDefines] = 1000
		}
		if w.named != 0 {
			row[ofNamed] = int16(1000 / named[w.named])
		}
		row[ofLikeName], row[ofImporting] = w.likeName, w.importing
		row[ofPlace], row[ofPart] = int16(1000*at/max(1, total)), int16(1000*w.bytes/max(1, total))
		row[ofBytes] = logOf(uint64(w.bytes))
		row[ofBest], row[ofTurn] = int16(mulDiv(w.sum[sumText], 1000, max(1, best))), turn[i]
		near := uint64(0)
		if i > 0 {
			near = list[i-1].sum[sumText]
		}
		if i+1 < len(list) {
			near = max(near, list[i+1].sum[sumText])
		}
		row[ofNeighbour], row[bestText], row[bestRare] = thousandths(near, most[sumText]), thousandths(best, most[sumText]), thousandths(bestOf, most[sumRare])
		at += w.bytes
		rows[i] = row
	}
	return rows
}

// shared are the features of the change and of the repository.
func (o *Order) shared() (row Row) {
	rare := uint64(0)
	for _, n := range o.rare {
		if n > 0 {
			rare++
		}
	}
	row[changeLines], row[changeRare] = logOf(uint64(o.query.changed)), logOf(rare)
	row[ChangeCode] = int16(1000 * o.query.code / max(1, o.query.changed))
	changed := uint64(0)
	for _, c := range o.changed {
		if c {
			changed++
		}
	}
	row[changeFiles], row[allFiles] = logOf(changed), logOf(uint64(len(o.files)))
	return row
}

// changedPlace is a changed file as those beside it are compared with it.
type changedPlace struct {
	node    int
	folders []string
	test    bool
}

// changedPlaces are those of all changed files: they are many, and each shown file is compared with them.
func (o *Order) changedPlaces() (list []changedPlace) {
	for c, changed := range o.changed {
		if changed {
			list = append(list, changedPlace{c, strings.Split(path.Dir(o.paths[c]), "/"), language.IsTest(o.paths[c])})
		}
	}
	return list
}

// describe fills in the features that all passages of a file have; changed are the changed files.
func (o *Order) describe(row *Row, name string, place int, changed []changedPlace) {
	i, ok := o.node[name]
	if !ok || int(i) >= len(o.files) {
		return
	}
	for s, f := range map[Signal]Feature{Text: fileText, Imports: fileImports, Name: fileName, Mirror: fileMirror, Path: filePath, Rare: fileRare, Symbols: fileSymbols} {
		row[f] = thousandths(o.raw[s][i], o.most[s])
	}
	row[fileBytes], row[filePlace] = logOf(uint64(max(0, o.files[i].Size))), logOf(uint64(place))
	kind, tests, near := int16(0), int16(0), 0
	if language.IsTest(name) {
		tests = 2
	}
	dir := strings.Split(path.Dir(name), "/")
	for n := range changed {
		c := &changed[n]
		if o.families[c.node] == o.families[i] {
			kind = 3
		}
		if c.test {
			tests |= 1
		}
		same := 0
		for same < min(len(dir), len(c.folders)) && dir[same] == c.folders[same] {
			same++
		}
		near = max(near, 1000*(1+same)/(1+max(len(dir), len(c.folders))))
		if c.node > maxShown && kind > 0 {
			break
		}
	}
	switch f := o.families[i]; {
	case kind == 3 && f != prose && f != noFamily:
		kind = 4
	case kind == 3:
	case f == prose:
		kind = 1
	case f == noFamily:
		kind = 0
	default:
		kind = 2
	}
	row[fileKind], row[fileTests], row[fileNear] = kind, tests, int16(near)
	row[folderText] = o.folderHeat()[path.Dir(name)]
}

// folderHeat is the mean share of the text that the files of a folder have, in thousandths.
func (o *Order) folderHeat() map[string]int16 {
	if o.heat == nil {
		sum, n := map[string]int64{}, map[string]int64{}
		for i, f := range o.files {
			dir := path.Dir(f.Path)
			sum[dir] += rootShare(o.raw[Text][i], o.most[Text]) / 1000
			n[dir]++
		}
		o.heat = make(map[string]int16, len(n))
		for dir := range n {
			o.heat[dir] = int16(sum[dir] / n[dir])
		}
	}
	return o.heat
}

// Log returns the natural logarithm of n in millionths, n at least 1.
func Log(n int) int64 { return int64(mulDiv(ln(uint64(max(1, n))), unit, 1<<32)) }
