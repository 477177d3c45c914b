package rank

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
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
	// IsManifest reports whether a file may say which versions of others the repository uses; nil where that is not known.
	IsManifest func(path string) bool
	// IsGuide reports whether a file may tell those who work on the repository how something is done; nil where that is not known.
	IsGuide func(path string) bool
}

// taskName stands for the task among the paths of an order; no file is called so.
const taskName = "\x00task"

// maxTask bounds the text of a task that is read, in bytes: three quarters from its beginning, and the rest, where logs say
// what went wrong, from its end.
const maxTask = 60 << 10

// Frame is a place that a task names.
type Frame struct {
	Path string
	// Line counts from 1; 0 where none is named.
	Line int
	// OneOf is how many files the name of a line's file fits; 0 where it is this one alone.
	OneOf int
	// Within is the function that a stack names there; "" where it names none. Where the line is of another version it is the function
	// that is meant.
	Within string
}

// ForTask orders the files by what a task needs: by its words, and by the paths, modules and definitions that it names, as
// TaskSignal says. The only error is that of the context.
func ForTask(ctx context.Context, t Task) (*Order, error) {
	text := heard(withoutStamps(t.Text))
	if len(text) > maxTask {
		text = append(append(slices.Clone(text[:maxTask/4*3]), '\n'), text[len(text)-maxTask/4:]...)
	}
	said, translations := translate(withoutMachine(withoutPackages(withoutFrames(withoutOwnPackages(withoutTemplate(text)), t.Files))), t.Files)
	said = withoutPieces(said)
	asked := withoutUpgrade(said)
	upgraded := len(asked) > 0 && &asked[0] != &said[0]
	said = asked
	o, err := Files(ctx, Input{Changes: []Change{{Path: taskName, Patch: asPatch(said)}}, Files: t.Files, Definitions: t.Definitions, Weights: new(Weights), task: said})
	if err != nil {
		return nil, err
	}
	o.asks = "the task"
	o.task = &taskOrder{why: make([]string, len(o.files)), defines: make([]string, len(o.files)), meant: make([]bool, len(o.files)), keyed: make([]bool, len(o.files)), translations: translations}
	o.task.likely = o.findLikely()
	o.weighWords()
	o.findNamed(text)
	o.nameKeys(text)
	if t.IsGuide != nil && t.IsManifest != nil {
		o.nameGuides(t.IsGuide, t.IsManifest)
	}
	if upgraded && t.IsManifest != nil {
		o.nameManifests(t.IsManifest)
	}
	o.nameDefinitions()
	o.scoreTask()
	if err := o.weighPassages(ctx); err != nil {
		return nil, err
	}
	o.scoreTask()
	o.follow()
	o.scoreTask()
	return o, nil
}

// asPatch makes a task the lines that a change adds.
func asPatch(text []byte) []byte {
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
	return patch
}

// taskOrder is what an order for a task knows beside what one for a change does.
type taskOrder struct {
	// raw are the signals, most the largest value of each among likely files, share √(raw/most) in millionths, by file.
	raw   [taskSignals][]uint64
	share [taskSignals][]int64
	// why says what the task names of a file, in words for people, defines which of its definitions, by file.
	why     []string
	defines []string
	frames  []Frame
	// unclear are lines of files whose names several have.
	unclear []Frame
	// meant are files that the task names as what it is about, whatever they are: a manual, a manifest.
	meant []bool
	// keyed are the files of which it names keys alone: no other part of them is meant.
	keyed []bool
	// translations are the words of the task that the repository's translations have in English.
	translations []Translation
	// likely are the files that a task is mostly about: code that is no test.
	likely []bool
}

// findLikely tells which files a task is mostly about; all, where none is likelier.
func (o *Order) findLikely() []bool {
	list, any := make([]bool, len(o.files)), false
	for i, f := range o.files {
		list[i] = isProgram(f) && !language.IsTest(f.Path) && !language.IsWrapper(f.Path)
		any = any || list[i]
	}
	if !any {
		for i := range list {
			list[i] = true
		}
	}
	return list
}

// isProgram reports whether a file is code: in a language of it, or a script that is called without one.
func isProgram(f tree.File) bool {
	script := language.Of(f.Path) == nil && path.Ext(f.Path) == "" && f.Mode&0o111 != 0
	return script || language.Is(f.Path, language.Code)
}

// Frames are the places that the task names, in its order, each once. There are none in an order for a change.
func (o *Order) Frames() []Frame {
	if o.task == nil {
		return nil
	}
	return o.task.frames
}

// Translations are the words of a task in another tongue that the repository's own translations have in English, in the task's order.
func (o *Order) Translations() []Translation {
	if o.task == nil {
		return nil
	}
	return o.task.translations
}

// Unclear are the lines that the task names of files whose names several have, by these names.
func (o *Order) Unclear() []Frame {
	if o.task == nil {
		return nil
	}
	return o.task.unclear
}

// namesModule begins the reason of a module that a task names.
const namesModule = "the task names the module "

// findNamed finds the paths and modules that a task names.
func (o *Order) findNamed(text []byte) {
	n := o.task
	told := map[string]bool{}
	add := func(i int32, s TaskSignal, amount uint64, why string) {
		if key := s.String() + o.files[i].Path; !told[key] {
			told[key] = true
			n.raw[s][i] += amount
		}
		if n.why[i] == "" || strings.HasPrefix(n.why[i], namesModule) && s != TaskModule { // a place tells more
			n.why[i] = why
		}
	}
	places := newPlaces(o.files)
	calls := callsIn(text)
	title := o.words.title()
	for _, at := range namingsIn(afterPanic(text)) {
		files, module := places.find(at.words)
		if at.method != "" && len(files) > 1 {
			files = places.inPackage(files, at.method)
		}
		if f := (Frame{Path: path.Base(at.words), Line: at.line, OneOf: len(files)}); at.line > 0 && len(files) > 1 && !module && len(n.unclear) < maxFrames && !slices.Contains(n.unclear, f) {
			n.unclear = append(n.unclear, f)
		}
		for _, i := range files {
			switch amount := one / uint64(len(files)); {
			case module:
				add(i, TaskModule, amount, namesModule+stem(o.files[i].Path))
			case at.line > 0 && len(files) <= 2: // a frame, below
				add(i, TaskNamed, 0, fmt.Sprintf("the task names %s:%d", path.Base(o.files[i].Path), at.line))
			case strings.Contains(title, at.words):
				add(i, TaskNamed, 2*amount, "the task names "+path.Base(o.files[i].Path))
			default:
				add(i, TaskNamed, amount, "the task names "+path.Base(o.files[i].Path))
			}
			n.meant[i] = n.meant[i] || len(files) == 1 && !module && at.isMeant(title)
			if !module && len(files) <= 2 && len(n.frames) < maxFrames {
				f := Frame{Path: o.files[i].Path, Line: at.line, Within: calls[placeOf(at.words, at.line)]}
				if at.line > 0 && len(files) > 1 {
					f.OneOf = len(files)
				}
				if !slices.Contains(n.frames, f) {
					n.frames = append(n.frames, f)
				}
			}
		}
	}
	// The innermost frame is the last one of Python's stacks, the first one of all others'.
	depth := uint64(0)
	stack := slices.DeleteFunc(slices.Clone(n.frames), func(f Frame) bool { return f.Line == 0 })
	if bytes.Contains(text, []byte("most recent call last")) {
		slices.Reverse(stack)
	}
	for _, f := range stack {
		i := o.node[f.Path]
		if n.raw[TaskFrame][i] == 0 {
			depth++
			n.raw[TaskFrame][i] = one / (depth * depth)
		}
	}
	o.nameBases()
}

// nameBases tells which files' base names the task says as words, and which parts of paths its title says.
func (o *Order) nameBases() {
	called := map[string]uint64{}
	stems := make([]string, len(o.files))
	for i, f := range o.files {
		stems[i] = strings.ToLower(stem(f.Path))
		if o.task.likely[i] {
			called[stems[i]]++
		}
	}
	said := map[string]uint64{}
	for _, t := range o.query.idents {
		said[strings.ToLower(t.word)] = 1
	}
	eachWord([]byte(o.words.title()), func(word []byte, _ int) { said[strings.ToLower(string(word))] = 2 })
	for i, s := range stems {
		if n := said[s]; n > 0 && len(s) >= 3 && called[s] > 0 {
			o.task.raw[TaskBase][i] = n * n * one / (called[s] * called[s])
		}
	}
	find := newStems(o.query.parts)
	lists := make([][]int32, len(o.files))
	df := make([]uint64, len(o.query.parts))
	for i, f := range o.files {
		eachPart([]byte(f.Path), func(part []byte) {
			if t := find.find(hashPart(part)); t >= 0 && o.words.titled[t] && !slices.Contains(lists[i], t) {
				lists[i] = append(lists[i], t)
				df[t]++
			}
		})
	}
	for i, list := range lists {
		for _, t := range list {
			o.task.raw[TaskTitlePath][i] += idf(uint64(len(o.files))+1, df[t])
		}
	}
}

// maxFrames bounds the places of one task.
const maxFrames = 100

// nameDefinitions adds what the names that a file defines, and the task says, speak for it: few files define them.
func (o *Order) nameDefinitions() {
	said := map[uint32]string{}
	for t := range o.query.idents {
		if one := &o.query.idents[t]; len(one.word) >= 4 && o.words.code[t] {
			said[nameHash(one.hash)] = one.word
		}
	}
	holders := map[uint32]uint64{}
	for i := range o.files {
		for _, h := range o.texts[i].defined {
			if said[h] != "" && o.task.likely[i] {
				holders[h]++
			}
		}
	}
	for i := range o.files {
		if language.IsAside(o.files[i].Path) {
			continue // what an example calls so is its own
		}
		for _, h := range o.texts[i].defined {
			if n := holders[h]; said[h] != "" && n < maxHolders {
				o.task.raw[TaskDefined][i] += one / max(1, n)
				if old := o.task.defines[i]; old == "" || holders[nameHash(hash(old))] > n {
					o.task.defines[i] = said[h]
				}
			}
		}
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
