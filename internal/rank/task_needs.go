package rank

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// Weights of what speaks for a passage of a task, in thousandths of a unit of the logarithm of the odds, of each signal's share;
// the logarithm of its tokens speaks against it. bench/task -documents measures them; ofTaskBest, ofTaskTest and ofTaskFurther
// were chosen by 120 commits of eight repositories, and hold on 60 of four others, ofTaskImports by 72 of six, and on 171 of thirteen
// others (bench/RESULTS-task.md).
const (
	ofTaskFile    = 5000 // of a unit of the file's score
	ofTaskText    = 3500
	ofTaskTitle   = 2000
	ofTaskBest    = 3000
	ofTaskIdents  = 2500
	ofTaskPhrases = 500
	ofTaskDefines = 2000
	ofTaskFrame   = 8000
	// ofTaskMember speaks for what the task names as a member of its type.
	ofTaskMember = 4000
	// ofTaskImports speaks against a passage of imports: it names what is elsewhere.
	ofTaskImports = 4000
	// ofTaskTest speaks against a passage of a test, of a step of a database's schema, of what tells all changes, of texts that are translated
	// from others, or of a script that a tool for building writes, that the task does not name: they say the task's words again and again, beside the sources that say them once.
	ofTaskTest = 3000
	// ofTaskFurther is what the logarithm of a passage's place among its file's speaks against it: a reader who has the best of
	// one file is told more by the best of another.
	ofTaskFurther = 900
)

// TaskNeeds returns how much each passage of files is needed for the order's task, by file and passage, in millionths.
func (o *Order) TaskNeeds(list []FilePassages) [][]int64 {
	r := o.passages()
	type found struct {
		passageWorth
		defines   string // what the task names of it
		frame     bool
		member    bool
		importing int16
	}
	all := make([][]found, len(list))
	definers := map[string]uint64{} // in how many files
	best := make([]uint64, len(list))
	var most passageWorth
	for n, file := range list {
		passages := file.Passages()
		frames := o.framesIn(file.Path, passages)
		for b, p := range passages {
			one := found{passageWorth: r.weigh(p.Text[:min(len(p.Text), maxText)])}
			name := p.Defines[strings.LastIndexByte(p.Defines, '.')+1:]
			if t := r.idents.find(hash(name)); len(name) > 2 && t >= 0 && r.words.code[t] {
				if one.defines = name; !slices.ContainsFunc(all[n], func(f found) bool { return f.defines == name }) {
					definers[name]++
				}
			}
			one.frame = frames[b]
			one.member = o.words.members[lastTwo(p.Defines)]
			one.importing = importing(p.Text)
			best[n] = max(best[n], one.words)
			most = most.largest(one.passageWorth)
			all[n] = append(all[n], one)
		}
	}
	out := make([][]int64, len(list))
	for n, file := range list {
		need := ofTaskFile*o.Need(file.Path) + ofTaskBest*rootShare(best[n], most.words)
		aside := language.IsTest(file.Path) || IsChronicle(file.Path) || language.IsWrapper(file.Path) || o.isTranslated(file.Path)
		if aside && !slices.ContainsFunc(o.Frames(), func(f Frame) bool { return f.Path == file.Path }) {
			need -= ofTaskTest * unit
		}
		i, known := o.node[file.Path]
		keyed := known && int(i) < len(o.files) && o.task.keyed[i]
		for _, one := range all[n] {
			sum := need + ofTaskText*rootShare(one.words, most.words) + ofTaskTitle*rootShare(one.title, most.title) +
				ofTaskIdents*rootShare(one.idents, most.idents) + ofTaskPhrases*rootShare(one.phrases, most.phrases)
			sum -= ofTaskImports * int64(one.importing) * unit / 1000
			if one.defines != "" {
				sum += ofTaskDefines * rootShare(1, min(definers[one.defines], mostDefiners))
			}
			if one.member {
				sum += ofTaskMember * unit
			}
			switch {
			case one.frame:
				sum += ofTaskFrame * unit
			case keyed:
				sum -= ofTaskFile * taskWeights[TaskNamed] * unit / 1000 // what names the file
			}
			out[n] = append(out[n], sum/1000)
		}
		turns := make([]int, len(out[n]))
		for b := range turns {
			turns[b] = b
		}
		slices.SortStableFunc(turns, func(a, b int) int { return cmp.Compare(out[n][b], out[n][a]) })
		for turn, b := range turns {
			out[n][b] -= ofTaskFurther * Log(turn+1) / 1000
		}
	}
	return out
}

// lastTwo are the last two of the names of a definition in others.
func lastTwo(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[strings.LastIndexByte(name[:i], '.')+1:]
	}
	return name
}

// mostDefiners bounds how much less a definition counts whose name several files define: that of more counts as that of so many.
const mostDefiners = 4

// maxWithin is how many passages are taken for the function that a frame names.
const maxWithin = 6

// framesIn tells which passages of a file the frames of a task are in: those that have their lines, or, where these are not of the functions
// that the frames name and such are defined elsewhere in the file, those that define these: the stack is of another version.
func (o *Order) framesIn(name string, passages []Passage) []bool {
	in := make([]bool, len(passages))
	for _, f := range o.Frames() {
		if f.Path != name || f.Line == 0 {
			continue
		}
		at, line := -1, 1
		var within []int
		for b, p := range passages {
			after := line + bytes.Count(p.Text, []byte{'\n'})
			if line <= f.Line && f.Line < max(after, line+1) {
				at = b
			}
			line = after
			if f.Within != "" && o.definesIn(name, p, f.Within) {
				within = append(within, b)
			}
		}
		if len(within) == 0 || slices.Contains(within, at) {
			within = []int{at}
		}
		for _, b := range within[:min(len(within), maxWithin)] {
			if b >= 0 {
				in[b] = true
			}
		}
	}
	return in
}

// definesIn reports whether a passage of a file is of a definition, or has one.
func (o *Order) definesIn(name string, p Passage, defined string) bool {
	if p.Defines[strings.LastIndexByte(p.Defines, '.')+1:] == defined {
		return true
	}
	if !bytes.Contains(p.Text, []byte(defined)) {
		return false
	}
	f := taskFamilyOf(name)
	for line := range bytes.Lines(p.Text) {
		if string(definedBy(f, line[:min(len(line), 256)])) == defined {
			return true
		}
	}
	return false
}

// OfTask reports whether the order is for a task.
func (o *Order) OfTask() bool { return o.task != nil }
