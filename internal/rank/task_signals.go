package rank

import (
	"bytes"
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/language"
)

// TaskSignal is one of the things that speak for a file of a task.
type TaskSignal uint8

// The signals of a task. Words are those of the task, and parts those of its identifiers.
const (
	// TaskText is BM25 of the parts, TaskTitle the same of those of its first line.
	TaskText TaskSignal = iota
	TaskTitle
	// TaskPath is BM25 of the parts of the path, TaskTitlePath the same of those of the first line, and TaskBase tells that the task
	// says the base name as a word, the more the fewer files are called so.
	TaskPath
	TaskTitlePath
	TaskBase
	// TaskRare is what few files hold of the identifiers: Σ 1/df. TaskIdents adds up the idf of all that are a program's.
	TaskRare
	TaskIdents
	// TaskPairs and TaskPhrases are two and three words that stand side by side in the task and in few files.
	TaskPairs
	TaskPhrases
	// TaskHeads is BM25 of the parts of the names that the file defines.
	TaskHeads
	// TaskDefined counts the definitions that the task names, each the more the fewer files define it.
	TaskDefined
	// TaskNamed is a path that the task names, TaskModule a dotted name, TaskFrame a frame of a stack: the innermost says most.
	TaskNamed
	TaskModule
	TaskFrame
	// TaskPassage is BM25 of the best passage of the file, TaskTitlePassage the same for the first line.
	TaskPassage
	TaskTitlePassage
	// TaskNear is where a walk is found that starts at the files for which the others speak most, and follows names from those
	// who use them to those who define them, and back.
	TaskNear
	// TaskTest, TaskProse and TaskAside speak against tests, documents, and examples, what programs write and the like.
	TaskTest
	TaskProse
	TaskAside
	taskSignals
)

var taskSignalNames = [taskSignals]string{"text", "title", "path", "title path", "base", "rare", "idents", "pairs", "phrases", "heads", "defined", "named", "module", "frame", "passage", "title passage", "near", "test", "prose", "aside"}

func (s TaskSignal) String() string {
	if s < taskSignals {
		return taskSignalNames[s]
	}
	return "unknown"
}

// TaskWeights say what each signal counts for, in thousandths.
type TaskWeights [taskSignals]int64

// taskWeights are those under which the files that were to change are likeliest on 243 issues of five repositories and 100 commits
// of ten others that close an issue, the chance of a file being as e to 5.8 times its score (bench/task -fit, rounded).
var taskWeights = TaskWeights{TaskText: 130, TaskTitle: 280, TaskPath: 200, TaskTitlePath: 80, TaskBase: 110, TaskRare: 110, TaskIdents: 240, TaskPairs: 160, TaskPhrases: 60,
	TaskHeads: 160, TaskDefined: 120, TaskNamed: 420, TaskModule: 80, TaskFrame: 230, TaskPassage: 120, TaskTitlePassage: 230, TaskNear: 270,
	TaskTest: -570, TaskProse: -390, TaskAside: -170}

// TaskSignals returns √(signal / its largest value among likely files) of a file in millionths, by signal; nil in an order for
// a change.
func (o *Order) TaskSignals(path string) []int64 {
	i, ok := o.node[path]
	if !ok || int(i) >= len(o.files) || o.task == nil {
		return nil
	}
	list := make([]int64, taskSignals)
	for s := range list {
		list[s] = o.task.share[s][i]
	}
	return list
}

// taskWords are the words of a task, beside those that a change has.
type taskWords struct {
	text []byte
	// members are what the text calls members of a type, as "Till.count".
	members map[string]bool
	// titled are the parts of its first line, code the identifiers that are a program's.
	titled, code    []bool
	pairs, phrases  *table
	nPairs, nPhrase int
	// The words of the pairs and phrases.
	pairWords, phraseWords []string
}

// listen finds the words of a task that its query does not have.
func (a *taskWords) listen(q *query) {
	a.titled, a.code, a.pairWords, a.phraseWords = make([]bool, len(q.parts)), make([]bool, len(q.idents)), nil, nil
	find, idents := newStems(q.parts), newTable(hashes(q.idents))
	eachPart([]byte(a.title()), func(part []byte) {
		if t := find.find(hashPart(part)); t >= 0 {
			a.titled[t] = true
		}
	})
	var pairs, phrases []uint64
	seen := map[uint64]bool{}
	var run phrase
	last, before := "", ""
	a.members = map[string]bool{}
	end := 0  // of the last word
	talk := 0 // how many of the words up to here say nothing, one behind the other
	eachWord(a.text, func(word []byte, at int) {
		h := hash(word)
		if talk++; !chatter[lower(word)] {
			talk = 0
		}
		if t := idents.find(h); t >= 0 && !a.code[t] {
			a.code[t] = codelike(q.idents[t].word) || quoted(a.text, at, at+len(word))
		}
		two, three := run.next(h)
		if two != 0 && talk < 2 && !seen[two] && len(pairs) < maxPairs {
			seen[two] = true
			pairs, a.pairWords = append(pairs, two), append(a.pairWords, last+" "+string(word))
		}
		if three != 0 && talk < 3 && !seen[three] && len(phrases) < maxPairs {
			seen[three] = true
			phrases, a.phraseWords = append(phrases, three), append(a.phraseWords, before+" "+last+" "+string(word))
		}
		if n := memberMark(a.text, at); n > 0 && end == at-n && len(a.members) < maxPairs {
			a.members[last+"."+string(word)] = true
		}
		before, last, end = last, string(word), at+len(word)
	})
	a.pairs, a.phrases, a.nPairs, a.nPhrase = newTable(pairs), newTable(phrases), len(pairs), len(phrases)
}

// title is the first line of the task.
func (a *taskWords) title() string {
	title, _, _ := strings.Cut(strings.TrimSpace(string(a.text)), "\n")
	return title[:min(len(title), maxLine)]
}

// quoted reports whether a word of a text stands as a program's: it is called, a member, or in quotes of code. A folder of a path does not.
func quoted(text []byte, from, to int) bool {
	before, after := byte(' '), byte(' ')
	if from > 0 {
		before = text[from-1]
	}
	if to < len(text) {
		after = text[to]
	}
	if after == '/' || after == '\\' {
		return false
	}
	return after == '(' || before == '`' || after == '`' || before == '.' || before == '@' || before == '"' && after == '"' || before == '\'' && after == '\'' ||
		memberMark(text, from) > 0
}

// memberMark returns the length of what stands between the name of a type and that of its member, which begins at from: Till::count,
// Till->count, Till#count; 0 where nothing such does.
func memberMark(text []byte, from int) int {
	for _, mark := range []string{"::", "->", "#", "."} {
		if n := from - len(mark); n > 0 && string(text[n:from]) == mark && class[text[n-1]] != classOther {
			return len(mark)
		}
	}
	return 0
}

// phrase follows the words of a text.
type phrase struct{ last, before uint64 }

// next returns the hashes of the last two and the last three words, 0 where there are not so many.
func (p *phrase) next(h uint64) (two, three uint64) {
	if p.last != 0 {
		two = pair(p.last, h)
	}
	if p.before != 0 {
		three = pair(pair(p.before, p.last), h) | 1
	}
	p.before, p.last = p.last, h
	return two, three
}

// weighWords makes the signals that the words of the task make by themselves.
func (o *Order) weighWords() {
	t := o.task
	for s := range t.raw {
		if t.raw[s] == nil {
			t.raw[s] = make([]uint64, len(o.files))
		}
	}
	t.raw[TaskText], t.raw[TaskPath], t.raw[TaskRare] = o.raw[Text], o.raw[Path], o.raw[Rare]
	n := uint64(len(o.files)) + 1
	pairs, phrases := make([]uint64, o.words.nPairs), make([]uint64, o.words.nPhrase)
	heads := make([]uint64, len(o.query.parts))
	total := uint64(0)
	for i := range o.texts[:len(o.files)] {
		k := &o.texts[i]
		for _, p := range k.pairs {
			pairs[p]++
		}
		for _, p := range k.phrases {
			phrases[p]++
		}
		for _, p := range k.heads {
			heads[p.term]++
		}
		total += uint64(k.headLength)
	}
	average := mulDiv(total, one, max(1, n-1))
	share := func(df uint64) uint64 {
		if df >= maxHolders {
			return 0
		}
		return one / df
	}
	for i := range o.files {
		k := &o.texts[i]
		for _, p := range k.pairs {
			t.raw[TaskPairs][i] += share(pairs[p])
		}
		for _, p := range k.phrases {
			t.raw[TaskPhrases][i] += share(phrases[p])
		}
		for _, p := range k.heads {
			t.raw[TaskHeads][i] += bm25(uint64(p.count), uint64(k.headLength), average, mulDiv(idf(n, heads[p.term]), o.times(p.term), one), one)
		}
		for _, p := range k.terms {
			if o.words.titled[p.term] {
				t.raw[TaskTitle][i] += bm25(uint64(p.count), uint64(k.length), o.average, o.plain[p.term], one)
			}
		}
		for _, h := range k.idents {
			if o.words.code[h.ident] {
				t.raw[TaskIdents][i] += o.identIDF(h.ident)
			}
		}
		if language.IsTest(o.files[i].Path) {
			t.raw[TaskTest][i] = 1
		}
		if language.IsAside(o.files[i].Path) || IsChronicle(o.files[i].Path) || k.generated {
			t.raw[TaskAside][i] = 1
		}
		if !isProgram(o.files[i]) {
			t.raw[TaskProse][i] = 1
		}
	}
}

// IsChronicle reports whether a file tells what ever changed, of all or of a database's schema: whatever a task says stands there.
func IsChronicle(name string) bool {
	return chronicles[strings.ToLower(stem(name))] || language.IsSchemaStep(name)
}

// chronicles are base names of what tells all that ever changed.
var chronicles = language.WordSet(`changelog changelogs changes history news releases release_notes release-notes whatsnew whats_new`)

// times is what a part counts for by how often the task says it: 1 + ln(n).
func (e *evidence) times(term uint16) uint64 {
	return one + ln(uint64(max(1, e.query.parts[term].count)))>>16
}

// identIDF is the idf of an identifier.
func (e *evidence) identIDF(ident uint32) uint64 {
	return idf(uint64(len(e.files))+1, e.holders[ident])
}

// scoreTask orders the files by the signals that are known.
func (o *Order) scoreTask() {
	t := o.task
	for s := range t.raw {
		most := uint64(0)
		for i, n := range t.raw[s] {
			if t.likely[i] || TaskSignal(s) >= TaskTest || TaskSignal(s) == TaskNamed { // a manual that is named is meant
				most = max(most, n)
			}
		}
		t.share[s] = make([]int64, len(o.files))
		for i, n := range t.raw[s] {
			t.share[s][i] = rootShare(min(n, most), most)
		}
	}
	for n := range o.Files {
		f := &o.Files[n]
		f.Score = o.taskScore(int(o.node[f.Path]))
	}
	slices.SortFunc(o.Files, func(a, b RankedFile) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
}

// taskScore is what speaks for a file, in millionths.
func (o *Order) taskScore(i int) int64 {
	sum := int64(0)
	for s, w := range taskWeights {
		if o.forgives(TaskSignal(s), i) {
			continue
		}
		sum += w * o.task.share[s][i] / 1000
	}
	return sum
}

// forgives reports whether a signal does not speak against a file: the task names it as what it is about.
func (o *Order) forgives(s TaskSignal, i int) bool {
	return o.task.meant[i] && (s == TaskProse || s == TaskAside)
}

// maxReread is how many of the first files are read again, passage by passage.
const maxReread = 250

// weighPassages makes the signals of the best passages.
func (o *Order) weighPassages(ctx context.Context) error {
	list := o.Files[:min(len(o.Files), maxReread)]
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		wait.Go(func() {
			r := o.passages()
			for n := int(next.Add(1)) - 1; n < len(list) && ctx.Err() == nil; n = int(next.Add(1)) - 1 {
				i := o.node[list[n].Path]
				if len(o.texts[i].terms) == 0 {
					continue
				}
				text, err := o.files[i].Read()
				if err != nil {
					continue // it is told as unread already
				}
				best := r.best(o.families[i], text[:min(len(text), maxText)])
				o.task.raw[TaskPassage][i], o.task.raw[TaskTitlePassage][i] = best.words, best.title
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// passages returns a reader of passages.
func (o *Order) passages() *passageReader {
	return &passageReader{Order: o, parts: newStems(o.query.parts), idents: newTable(hashes(o.query.idents)), counts: make([]uint64, len(o.query.parts)),
		seen: make([]uint32, len(o.query.idents)), heard: make([]uint32, o.words.nPhrase)}
}

// passageReader holds the buffers that one passage after the other is read into.
type passageReader struct {
	*Order
	parts, idents *table
	counts        []uint64
	said          []int32
	seen, heard   []uint32 // of identifiers and phrases: the passage that said them last
	age           uint32
}

// Of a text a passage begins where a definition does, once it has leastPassage bytes, and ends at the latest behind mostPassage.
const (
	leastPassage = 300
	mostPassage  = 5000
)

// passageWorth is what the task's words are worth in a passage: BM25 of parts, the same of the title's, the idf of identifiers, the
// count of phrases.
type passageWorth struct{ words, title, idents, phrases uint64 }

// largest returns the larger of each.
func (w passageWorth) largest(v passageWorth) passageWorth {
	return passageWorth{max(w.words, v.words), max(w.title, v.title), max(w.idents, v.idents), max(w.phrases, v.phrases)}
}

// best returns the largest worths of a text's passages.
func (r *passageReader) best(f family, text []byte) (best passageWorth) {
	from, at := 0, 0
	end := func() {
		best = best.largest(r.weigh(text[from:at]))
		from = at
	}
	for at < len(text) {
		line := text[at:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		if at-from > mostPassage || at-from > leastPassage && len(definedBy(f, line[:min(len(line), 256)])) > 0 {
			end()
		}
		at += len(line)
	}
	end()
	return best
}

func (r *passageReader) weigh(text []byte) (w passageWorth) {
	r.age++
	length := uint64(0)
	var run phrase
	eachWord(text, func(word []byte, _ int) {
		h := hash(word)
		if _, three := run.next(h); three != 0 {
			if i := r.words.phrases.find(three); i >= 0 && r.heard[i] != r.age {
				r.heard[i] = r.age
				w.phrases += one
			}
		}
		if t := r.idents.find(h); t >= 0 && r.seen[t] != r.age && r.words.code[t] {
			r.seen[t] = r.age
			w.idents += r.identIDF(uint32(t))
		}
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
		w.words += bm25(r.counts[t], length, 2*passageLength*one, r.idf[t], one)
		if r.words.titled[t] {
			w.title += bm25(r.counts[t], length, 2*passageLength*one, r.plain[t], one)
		}
		r.counts[t] = 0
	}
	r.said = r.said[:0]
	return w
}

// maxStarts is how many of the first files the walk starts at.
const maxStarts = 20

// follow makes the signal of the walk.
func (o *Order) follow() {
	links := tie(o.texts, o.families)
	restart := make([]uint64, len(o.paths))
	sum := uint64(0)
	starts := o.Files[:min(len(o.Files), maxStarts)]
	// Tests and documents count here as much as others do: they use what they are about.
	weigh := func(f RankedFile) uint64 {
		i := o.node[f.Path]
		n := f.Score - (taskWeights[TaskTest]*o.task.share[TaskTest][i]+taskWeights[TaskProse]*o.task.share[TaskProse][i]+taskWeights[TaskAside]*o.task.share[TaskAside][i])/1000
		return uint64(max(0, n)) >> 10
	}
	for _, f := range starts {
		sum += weigh(f) * weigh(f)
	}
	if sum == 0 {
		return
	}
	for _, f := range starts {
		restart[o.node[f.Path]] = mulDiv(mass/2, weigh(f)*weigh(f), sum)
	}
	at := walkFrom(links, restart)
	mention(links, o.texts, o.families, at)
	for i := range o.files {
		o.task.raw[TaskNear][i] = at[i] - min(at[i], restart[i])
	}
}
