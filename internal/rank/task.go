package rank

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Task is what is asked of a repository in words: an issue, a question, a stack trace.
type Task struct {
	Text  []byte
	Files []tree.File
	// Definitions are as in Input.
	Definitions map[string][]string
}

// taskWeights are those of an order for a task. They are the fusion that most folds chose on 274 issues of twelve
// repositories: the files that were to change stood among the first one, five and ten for .489, .792 and .850 of the issues,
// and for .328, .584 and .679 by the weights of a change.
var taskWeights = Weights{Text: 1000, Rare: 250, Path: 200}

// What else speaks for a file of a task, in millionths, and what speaks against one.
const (
	namedPath    = 400_000
	namedModule  = 200_000
	namedDefined = 200_000
	aTest        = -350_000
)

// maxTask bounds the text of a task that is read, in bytes: three quarters from its beginning, and the rest, where logs say
// what went wrong, from its end.
const maxTask = 60 << 10

// taskName stands for the task among the paths of an order; no file is called so.
const taskName = "\x00task"

// Frame is a place that a task names.
type Frame struct {
	Path string
	// Line counts from 1; 0 where none is named.
	Line int
}

// ForTask orders the files by what a task needs: by its words, as a change is, and by the paths, modules and definitions
// that it names. Imports and likeness to a changed file say nothing where there is none.
func ForTask(ctx context.Context, t Task) (*Order, error) {
	text := t.Text
	if len(text) > maxTask {
		text = append(append(slices.Clone(text[:maxTask/4*3]), '\n'), text[len(text)-maxTask/4:]...)
	}
	patch := []byte("@@ -0,0 +1 @@\n")
	for line := range bytes.Lines(text) {
		for len(line) > maxLine { // a line of prose may be a whole paragraph
			cut := maxLine - 1
			if i := bytes.LastIndexByte(line[:cut], ' '); i > 0 {
				cut = i
			}
			patch = append(append(append(patch, '+'), line[:cut]...), '\n')
			line = line[cut:]
		}
		patch = append(append(patch, '+'), line...)
	}
	o, err := Files(ctx, Input{Changes: []Change{{Path: taskName, Patch: patch}}, Files: t.Files, Definitions: t.Definitions, Weights: &taskWeights})
	if err != nil {
		return nil, err
	}
	o.asks = "the task"
	o.task = o.findNamed(text)
	for i := range o.Files {
		f := &o.Files[i]
		f.Score += o.task.amount[o.node[f.Path]]
	}
	slices.SortFunc(o.Files, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
	return o, nil
}

// named is what a task names of an order's files.
type named struct {
	// amount is what it adds to a file's score, and why are its words for people, both by file.
	amount []int64
	why    []string
	frames []Frame
}

// Frames are the places that the task names, in its order, each once. There are none in an order for a change.
func (o *Order) Frames() []Frame {
	if o.task == nil {
		return nil
	}
	return o.task.frames
}

// findNamed finds what a task names.
func (e *evidence) findNamed(text []byte) *named {
	n := &named{amount: make([]int64, len(e.files)), why: make([]string, len(e.files))}
	add := func(i int32, amount int64, why string) {
		if n.why[i] == "" {
			n.amount[i] += amount
			n.why[i] = why
		}
	}
	places := newPlaces(e.files)
	for _, at := range namingsIn(text) {
		files, module := places.find(at.words)
		for _, i := range files {
			if module {
				add(i, namedModule/int64(len(files)), "the task names the module "+at.words)
				continue
			}
			add(i, namedPath/int64(len(files)), "the task names "+at.words)
			if len(files) <= 2 && len(n.frames) < maxFrames {
				f := Frame{e.files[i].Path, at.line}
				if !slices.Contains(n.frames, f) {
					n.frames = append(n.frames, f)
				}
			}
		}
	}
	e.nameDefinitions(n)
	for i, f := range e.files {
		if language.IsTest(f.Path) {
			n.amount[i] += aTest
		}
	}
	return n
}

// maxFrames bounds the places of one task.
const maxFrames = 100

// nameDefinitions adds what the names that a file defines, and the task says, speak for it: few files define them.
func (e *evidence) nameDefinitions(n *named) {
	said := map[uint32]string{}
	for _, t := range e.query.idents {
		if len(t.word) >= 4 && codelike(t.word) {
			said[nameHash(t.hash)] = t.word
		}
	}
	holders := map[uint32]int{}
	for i := range e.files {
		for _, h := range e.texts[i].defined {
			if said[h] != "" {
				holders[h]++
			}
		}
	}
	count := make([]uint64, len(e.files))
	most := uint64(0)
	for i := range e.files {
		for _, h := range e.texts[i].defined {
			if said[h] != "" && holders[h] < maxHolders {
				count[i]++
				if n.why[i] == "" {
					n.why[i] = "defines " + said[h] + ", which the task names"
				}
			}
		}
		most = max(most, count[i])
	}
	for i, c := range count {
		n.amount[i] += namedDefined * rootShare(c, most) / unit
	}
}

// codelike reports whether a word is one of a program rather than of a language: it has a mark, or capitals behind small
// letters.
func codelike(word string) bool {
	small := false
	for i := range len(word) {
		switch class[word[i]] {
		case classMark, classDigit:
			return true
		case classUpper:
			if small {
				return true
			}
		case classLower:
			small = true
		}
	}
	return false
}

// naming is a path or a module that a text names, and a line of it.
type naming struct {
	words string
	line  int
}

// maxNamings bounds the words of a task that are looked up.
const maxNamings = 4000

// namingsIn finds what may be paths and dotted names: src/a.ts, src/a.ts:12:3, File "a/b.py", line 12, django.db.models.
func namingsIn(text []byte) []naming {
	var list []naming
	inWord := func(c byte) bool {
		return class[c] != classOther || c == '/' || c == '.' || c == '-' || c == '@' || c == '\\' || c == '+'
	}
	for i := 0; i < len(text) && len(list) < maxNamings; {
		if !inWord(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && inWord(text[i]) {
			i++
		}
		words := strings.Trim(strings.ReplaceAll(string(text[from:i]), `\`, "/"), "./-@+")
		if len(words) < 4 || len(words) > maxNaming || !strings.ContainsAny(words, "./") {
			continue
		}
		list = append(list, naming{words, lineBehind(text[i:min(len(text), i+24)])})
	}
	return list
}

// maxNaming is the longest path that is looked up, in bytes.
const maxNaming = 300

// lineBehind returns the number of a line that stands behind a path, as :12, (12 or ", line 12; 0 where there is none.
func lineBehind(text []byte) int {
	rest := ""
	for _, sign := range []string{":", "(", "#L", `", line `, `', line `, ", line ", " line "} {
		if after, ok := strings.CutPrefix(string(text), sign); ok {
			rest = after
			break
		}
	}
	end := 0
	for end < len(rest) && end < 7 && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	line, _ := strconv.Atoi(rest[:end])
	return line
}

// places looks files up by the ends of their paths.
type places struct {
	files []tree.File
	// base holds files by base name, stem by base name without its last extension.
	base, stem map[string][]int32
}

func newPlaces(files []tree.File) *places {
	p := &places{files, map[string][]int32{}, map[string][]int32{}}
	for i, f := range files {
		base := path.Base(f.Path)
		p.base[base] = append(p.base[base], int32(i))
		stem := strings.TrimSuffix(base, path.Ext(base))
		p.stem[stem] = append(p.stem[stem], int32(i))
		if dir := path.Dir(f.Path); stem == "__init__" || stem == "index" || stem == "mod" {
			p.stem[path.Base(dir)] = append(p.stem[path.Base(dir)], int32(i))
		}
	}
	return p
}

// maxSame is how many files may be meant by one name.
const maxSame = 8

// find returns the files that words name: as a path, by the longest end that it shares with theirs, or as a dotted name of
// a module, or of something in it.
func (p *places) find(words string) (files []int32, module bool) {
	if files = p.longest(p.base[path.Base(words)], words, false); len(files) > 0 {
		return files[:min(len(files), maxSame)], false
	}
	if strings.Contains(words, "/") {
		return nil, false
	}
	segments := strings.Split(words, ".")
	for n := len(segments); n >= 2; n-- { // the last names may be in the module
		name := strings.Join(segments[:n], "/")
		if files = p.longest(p.stem[segments[n-1]], name, true); len(files) > 0 {
			return files[:min(len(files), maxSame)], true
		}
	}
	return nil, false
}

// longest returns those of the files whose paths share the most segments with the end of a name, none where these are fewer
// than two, or for a path that has no other, than one.
func (p *places) longest(candidates []int32, name string, module bool) []int32 {
	want := strings.Split(name, "/")
	best := 1
	if module || len(want) > 1 {
		best = 2
	}
	var list []int32
	for _, i := range candidates {
		at := p.files[i].Path
		if module {
			at = strings.TrimSuffix(at, path.Ext(at))
			for _, index := range []string{"/__init__", "/index", "/mod"} {
				at = strings.TrimSuffix(at, index)
			}
		}
		have := strings.Split(at, "/")
		n := 0
		for n < min(len(have), len(want)) && have[len(have)-1-n] == want[len(want)-1-n] {
			n++
		}
		if n == len(have) && n >= 1 {
			n = max(n, best) // a file of the root is named by its name alone
		}
		switch {
		case n > best:
			best, list = n, []int32{i}
		case n == best:
			list = append(list, i)
		}
	}
	if len(list) > maxSame {
		return nil // it says nothing
	}
	return list
}

// Weights of what speaks for a passage of a task, in thousandths of what its file's need is counted in; a study's, of whose
// issues all files that were to change stood in 8,000, 32,000 and 128,000 tokens for .732, .857 and .964, where whole files
// by BM25 alone had .375, .536 and .768. taskScale brings them to the scale of a change's needs, in which the logarithm of a
// passage's tokens speaks against it.
const (
	ofTaskFile    = 1200
	ofTaskText    = 500
	ofTaskBest    = 250
	ofTaskRare    = 200
	ofTaskDefines = 200
	ofTaskFrame   = 1500
	taskScale     = 5833
)

// TaskNeeds returns how much each passage of files is needed for the order's task, by file and passage, in millionths.
func (o *Order) TaskNeeds(list []Divided) [][]int64 {
	parts, idents := newTable(hashes(o.query.parts)), newTable(hashes(o.query.idents))
	type amounts struct {
		text, rare uint64
		defines    bool
		frame      bool
	}
	found := make([][]amounts, len(list))
	best := make([]uint64, len(list))
	var mostText, mostRare uint64
	counts := make([]uint64, len(o.query.parts))
	for n, file := range list {
		line := 1
		for _, p := range file.Passages() {
			a := amounts{}
			length := uint64(0)
			var said []int32
			held := map[int32]bool{}
			eachWord(p.Text[:min(len(p.Text), maxText)], func(word []byte, _ int) {
				if t := idents.find(hash(word)); t >= 0 && !held[t] {
					held[t] = true
					a.rare += o.rare[t]
				}
				eachPart(word, func(part []byte) {
					length++
					if t := parts.find(hashPart(part)); t >= 0 {
						if counts[t] == 0 {
							said = append(said, t)
						}
						counts[t]++
					}
				})
			})
			for _, t := range said {
				a.text += bm25(counts[t], length, passageLength*one, o.idf[t], one)
				counts[t] = 0
			}
			name := p.Defines[strings.LastIndexByte(p.Defines, '.')+1:]
			a.defines = len(name) > 2 && idents.find(hash(name)) >= 0
			after := line + bytes.Count(p.Text, []byte{'\n'})
			for _, f := range o.Frames() {
				a.frame = a.frame || f.Path == file.Path && line <= f.Line && f.Line < max(after, line+1)
			}
			line = after
			best[n] = max(best[n], a.text)
			mostText, mostRare = max(mostText, a.text), max(mostRare, a.rare)
			found[n] = append(found[n], a)
		}
	}
	out := make([][]int64, len(list))
	for n, file := range list {
		need := ofTaskFile*o.Need(file.Path) + ofTaskBest*rootShare(best[n], mostText)
		for _, a := range found[n] {
			sum := need + ofTaskText*rootShare(a.text, mostText) + ofTaskRare*rootShare(a.rare, mostRare)
			if a.defines {
				sum += ofTaskDefines * unit
			}
			if a.frame {
				sum += ofTaskFrame * unit
			}
			out[n] = append(out[n], sum/1000*taskScale/1000)
		}
	}
	return out
}

// OfTask reports whether the order is for a task.
func (o *Order) OfTask() bool { return o.task != nil }
