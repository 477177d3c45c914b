package rank

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// A task may be a log: thousands of lines that say the same with other times and numbers, and one that says what went wrong.

// Bounds of what is taken for a log.
const (
	// leastLog is how many lines a log has at least, leastRepeated how many of them say what others do.
	leastLog      = 100
	leastRepeated = 50
	// maxAlike is how many lines of a log stay that say the same, maxShape how much of a line, in bytes, is compared.
	maxAlike = 2
	maxShape = 400
)

// Folded returns a log without the lines that only say again what others above them do, with other numbers, and how many these are; of a text
// that is none, the text.
func Folded(text []byte) ([]byte, int) {
	if bytes.Count(text, []byte("\n")) < leastLog {
		return text, 0
	}
	seen := map[uint64]int{}
	folded := make([]byte, 0, len(text)/2)
	left := 0
	var shape []byte
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			shape = appendShape(shape[:0], line[:min(len(line), maxShape)])
			key := hash(shape)
			if seen[key]++; seen[key] > maxAlike {
				left++
				continue
			}
		}
		folded = append(folded, line...)
	}
	if left < leastRepeated {
		return text, 0
	}
	return folded, left
}

// appendShape appends a line of which each run of letters and digits with a digit in it is one sign.
func appendShape(shape, line []byte) []byte {
	for i := 0; i < len(line); {
		from, digits := i, false
		for i < len(line) && class[line[i]] != classOther {
			digits = digits || class[line[i]] == classDigit
			i++
		}
		switch {
		case i == from:
			shape = append(shape, line[i])
			i++
		case digits:
			shape = append(shape, '0')
		default:
			shape = append(shape, line[from:i]...)
		}
	}
	return shape
}

var (
	// goesWrong is a line of a log that says what went wrong.
	goesWrong = lazyregexp.New(`(?i)\b(?:error|fatal|panic|exception|critical|severe|traceback|failed|failure)\b`)
	// logWord is what a line of a log says of itself: when, how grave it is, who wrote it.
	logWord = lazyregexp.New(`(?i)(?:\b(?:level|lvl|severity)\b"?[=:]\s*"?(?:trace|debug|info|information|warn|warning|error|err|fatal|critical)\b"?|"?\b(?:time|ts|timestamp|level|lvl|severity|msg|message|caller|logger|thread)\b"?[=:]|\b(?:TRACE|DEBUG|INFO|WARN|WARNING)\b)`)
)

// calm is a line of a log that says that all is well.
var calm = lazyregexp.New(`(?:\b(?i:level|lvl|severity)\b"?[=:]\s*"?(?i:trace|debug|info|information)\b|\b(?:TRACE|DEBUG|INFO)\b|^[IVD]\d{4} \d\d:)`)

// heard returns what is heard of a task that is a log: what it says of itself is left out, and where a line says what went wrong, those that
// say that all is well. The first that does comes first, unless somebody wrote a title above it.
func heard(text []byte) []byte {
	folded, left := Folded(text)
	if left == 0 {
		return text
	}
	var wrong, others []byte
	for line := range bytes.Lines(folded) {
		head := line[:min(len(line), maxLine)]
		if len(wrong) == 0 && goesWrong.Match(head) && !calm.Match(head) {
			wrong = line
		}
	}
	for line := range bytes.Lines(folded) {
		if head := line[:min(len(line), maxLine)]; len(wrong) == 0 || !calm.Match(head) {
			others = append(others, line...)
		}
	}
	first, _, _ := bytes.Cut(bytes.TrimLeft(folded, " \t\r\n"), []byte("\n"))
	if titled := !logWord.Match(first[:min(len(first), maxLine)]) && !calm.Match(first[:min(len(first), maxLine)]); titled {
		wrong = nil
	}
	return []byte(logWord.ReplaceAllString(string(wrong)+string(others), " "))
}

// stamp is when a line was written, as what runs workflows puts it before each: 2026-11-29T10:44:01.1234567Z
var stamp = lazyregexp.New(`(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z `)

// withoutStamps leaves out when the lines of a log were written, where that stands before all that they say: a frame of a stack begins its line.
func withoutStamps(text []byte) []byte {
	if stamp.Match(text) {
		text = []byte(stamp.ReplaceAllString(string(text), ""))
	}
	if runnerMark.Match(text) {
		text = []byte(runnerMark.ReplaceAllString(string(ranWith.ReplaceAllString(string(text), "")), ""))
	}
	return text
}

var (
	// runnerMark is how what runs workflows begins a line that folds others, or says that the step failed.
	runnerMark = lazyregexp.New(`(?m)^##\[(?:group|endgroup|error|warning|debug|command)\](?:Run )?`)
	// ranWith is what it says of each step: with which shell, and which variables.
	ranWith = lazyregexp.New(`(?m)^shell: .*\n(?:env:\r?\n(?:[ \t]+.*\n)*)?`)
)

// goStack is a stack of Go that was caught: its first frames are of what caught it, and those behind the panic of what went wrong.
var goStack = lazyregexp.New(`goroutine \d+ \[[^\]\n]{0,100}\]:\n((?:[^\n]+\n)+?)panic\(`)

// afterPanic returns a text whose stack of Go begins with what went wrong: the frames of what caught it come last.
func afterPanic(text []byte) []byte {
	list := goStack.FindAllSubmatchIndex(text, 1)
	if len(list) == 0 {
		return text
	}
	m := list[0]
	moved := append(make([]byte, 0, len(text)+1), text[:m[2]]...)
	moved = append(append(moved, text[m[3]:]...), '\n')
	return append(moved, text[m[2]:m[3]]...)
}
