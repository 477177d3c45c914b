package rank

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/tree"
)

// stackForm is how a kind of program writes a frame of a stack, on a line of its own.
type stackForm struct {
	// line matches a frame. Its group path says in which file it is, type of which type, where no file is told, name which function.
	line *lazyregexp.Regexp
	// above matches the line above that names the function, where the frame does not; below says that deeper lines below are its code.
	above *lazyregexp.Regexp
	below bool
	// calling says that a frame names what its line calls: the line is of what the frame below names.
	calling bool
}

var stackForms = []stackForm{
	// Python
	{line: lazyregexp.New(`^File "(?P<path>[^"]+)", line \d+(?:, in (?P<name>.+))?$`), below: true},
	// .NET
	{line: lazyregexp.New(`^at (?P<name>.+) in (?P<path>.+):line \d+$`)},
	// The Java machine
	{line: lazyregexp.New(`^at (?:[\w.@-]*/)*(?P<name>[\w.$<>-]+)\((?P<path>[\w$-]+\.(?:java|kt|scala|groovy|clj))(?::\d+)?\)`)},
	{line: lazyregexp.New(`^at [\w.$/@<>-]+\((?:Native Method|Unknown Source|<generated>)\)`)},
	// JavaScript, and Rust, whose functions stand above
	{line: lazyregexp.New(`^at (?:async |new )*(?:(?P<name>[^()]*?) )?\(?(?P<path>[^()]+?):\d+(?::\d+)?\)?$`), above: lazyregexp.New(`^\d+: +`)},
	{line: lazyregexp.New(`^at (?:async |new )*(?:[^()]* )?\(?(?:<anonymous>|native)\)?$`)},
	{line: lazyregexp.New(`^(?P<name>[^@ ]*)@(?P<path>(?:https?|file|webpack|resource)://?[^ ]+?):\d+:\d+$`)},
	// .NET without files
	{line: lazyregexp.New("^at (?P<name>(?:[\\w`]+\\.)*(?P<type>[\\w`]+)(?:\\[.*?\\])?\\.[\\w.<>`]+(?:\\[.*?\\])?)\\(.*\\)$")},
	// Go
	{line: lazyregexp.New(`^(?P<path>[^ ]+\.(?:go|s)):\d+(?: \+0x[0-9a-f]+)?$`), above: lazyregexp.New(`^(?:created by .+|[^ ]+\(.*\))$`)},
	// Ruby, PHP, Elixir
	{line: lazyregexp.New("^(?:from )?(?P<path>[^ ]+\\.rb):\\d+:in [`'](?P<name>.+)'$")},
	{line: lazyregexp.New(`^#\d+ (?P<path>.+\.php)\(\d+\): (?P<name>[^(]+)(?:\(.*)?$`), calling: true},
	{line: lazyregexp.New(`^#\d+ \[internal function\]: .+$`)},
	{line: lazyregexp.New(`^(?:\(\w[\w.]* [\w.-]+\) )?(?P<path>[^ ]+\.(?:[eh]rl|exs?)):\d+: (?P<name>.+)$`)},
	// What C is debugged with
	{line: lazyregexp.New(`^#\d+ +(?:0x[0-9a-f]+ in )?(?P<name>[^(]+?) ?\(.*\) at (?P<path>[^ ()]+):\d+$`)},
	{line: lazyregexp.New(`^#\d+ +0x[0-9a-f]+ in (?P<name>.+) (?P<path>[^ ()]+):\d+(?::\d+)?$`)},
	{line: lazyregexp.New(`^#\d+ +0x[0-9a-f]+ (?:in .+ )?(?:from [^ ]+|\([^ ]+\))$`)},
}

// stackWords are the lines that a stack has beside its frames.
var stackWords = lazyregexp.New(`^(?:Traceback \(most recent call last\):|During handling of the above exception, another exception occurred:` +
	`|The above exception was the direct cause of the following exception:|goroutine \d+ \[[^\]]*\]:|created by .* in goroutine \d+|exit status \d+|\[signal SIG.*\]` +
	`|stack backtrace:|Stack trace:|note: run with .*RUST_BACKTRACE.*|note: Some details are omitted, run with .*|\.\.\. \d+ (?:more|common frames omitted)|#\d+ \{main\}` +
	`|--- End of .*stack trace.* ---|[\^~ ]*\^[\^~ ]*)$`)

// maxFrameLine is the longest line that is taken for a frame, in bytes.
const maxFrameLine = 1000

// withoutFrames returns a task's text without the lines of stacks: the words of their forms, and paths and names of what is not in the
// repository, are nobody's. Of frames in its files the function's name and the code stand at the end, so that the first line of the
// text is one that someone wrote, or that tells the error.
func withoutFrames(text []byte, files []tree.File) []byte {
	var lines, kept [][]byte
	var at *places
	known := func(name string) bool {
		if at == nil {
			at = newPlaces(files)
		}
		return at.holds(name)
	}
	depth, keep := -1, false // of the frame whose code stands below
	var above []byte         // the line above, where it is no part of a stack
	for line := range bytes.Lines(text) {
		bare := bytes.TrimLeft(line, " \t>|")
		indent := len(line) - len(bare)
		bare = bytes.TrimRight(bare, " \t\r\n")
		form, name, file := readFrame(bare)
		if form == nil && depth >= 0 && indent > depth && len(bare) > 0 {
			if keep {
				kept = append(kept, line)
			}
			continue
		}
		depth = -1
		if form == nil {
			if above = nil; len(bare) > maxFrameLine || !stackWords.Match(bare) {
				above = bare
				lines = append(lines, line)
			}
			continue
		}
		keep = file != "" && known(file)
		if name == "" && form.above != nil && above != nil && len(above) <= maxFrameLine && form.above.Match(above) {
			name = string(above)
			lines = lines[:len(lines)-1]
		}
		if above = nil; form.below {
			depth = indent
		}
		if keep && name != "" {
			kept = append(kept, []byte(ownName(name)+"\n"))
		}
	}
	out := bytes.Join(lines, nil)
	switch {
	case len(kept) > 0:
		return append(append(out, '\n'), bytes.Join(kept, nil)...)
	case len(bytes.TrimSpace(out)) == 0 && at == nil:
		return text // some of its words may be meant
	}
	return out
}

// readFrame reads a line, which has no space around it, as a frame: form is nil if it is none. A type stands for its file.
func readFrame(line []byte) (form *stackForm, name, file string) {
	if len(line) > maxFrameLine || len(line) < 5 || line[0] < ' ' {
		return nil, "", ""
	}
	for i := range stackForms {
		form := &stackForms[i]
		m := form.line.FindSubmatch(line)
		if m == nil {
			continue
		}
		for n, group := range form.line.SubexpNames() {
			switch group {
			case "name":
				name = string(m[n])
			case "path", "type":
				file = string(m[n])
			}
		}
		return form, name, file
	}
	return nil, "", ""
}

// callsIn returns the functions that the frames of a text name, by placeOf.
func callsIn(text []byte) map[string]string {
	calls := map[string]string{}
	var above []byte
	caller := "" // the place that the frame above is called at, where the next one names the function
	for line := range bytes.Lines(text) {
		bare := bytes.TrimRight(bytes.TrimLeft(line, " \t>|"), " \t\r\n")
		form, name, file := readFrame(bare)
		if form == nil {
			above, caller = bare[:min(len(bare), maxFrameLine)], ""
			continue
		}
		if name == "" && form.above != nil && form.above.Match(above) {
			name = string(above)
		}
		above = nil
		_, behind, _ := bytes.Cut(bare, []byte(file))
		at, name := lineBehind(behind), functionOf(name)
		if form.calling {
			if caller != "" && name != "" {
				calls[caller] = name
			}
			caller = placeOf(file, at)
			continue
		}
		if at > 0 && name != "" && file != "" {
			calls[placeOf(file, at)] = name
		}
	}
	return calls
}

// placeOf names a line of a file by the file's own name.
func placeOf(file string, line int) string {
	return file[strings.LastIndexAny(file, `/\`)+1:] + ":" + strconv.Itoa(line)
}

// functionOf is the last name of a function that the name of a frame's has: what is made of it when it is compiled stands behind that, as
// func1 of serve.func1, or around it, as lambda$serve$0.
func functionOf(name string) string {
	if i := strings.LastIndexByte(name, '/'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i] // how many arguments it takes
	}
	list := strings.FieldsFunc(ownName(name), func(r rune) bool { return strings.ContainsRune(".:()*<>[]{}$#- `", r) })
	for n := len(list) - 1; n >= 0; n-- {
		one := list[n]
		if made := strings.TrimRight(one, "0123456789"); made != "" && made != "func" && made != "lambda" && made != "init" && made != "closure" && made != "anonymous" {
			return one
		}
	}
	return ""
}

// ownName is the name of a function, with that of its type, without packages and what it is called with.
func ownName(name string) string {
	if strings.HasSuffix(name, ")") {
		name = name[:max(1, strings.LastIndexByte(name, '('))]
	}
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	list := strings.Split(name, ".")
	return strings.Join(list[max(0, len(list)-2):], ".")
}

// holds reports whether a file is at a path that another machine names, as far as its end tells, or is called as a type.
func (p *places) holds(name string) bool {
	if !strings.ContainsAny(name, `./\`) {
		return len(p.stem[name]) > 0
	}
	name = strings.Trim(strings.ReplaceAll(name, `\`, "/"), "./")
	return len(p.longest(p.base[name[strings.LastIndexByte(name, '/')+1:]], name, false)) > 0
}
