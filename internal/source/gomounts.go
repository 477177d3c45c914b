package source

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

var (
	// goFunction begins a function of Go; groups are the type that it is a method of, if it is one, and its name.
	goFunction = lazyregexp.New(`(?m)^func\s+(?:\(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]\n]*\])?\s*\)\s*)?(\w+)\s*[\[(]`)
	// goMount is how chi puts what a function gives below a path, groups are the path and what is put there.
	goMount = lazyregexp.New(`\b\w+\.Mount\(\s*"([^"\n]{0,100})"\s*,\s*([^\n]{1,200})\)`)
	// goCalled is a call of a function, a package's function or a method; groups are the type that stands there as a literal, else the name
	// before the dot, and the name of what is called.
	goCalled = lazyregexp.New(`^(?:\(?&?(\w+)\{[^{}]*\}\)?\.|(\w+)\.)?(\w+)\(`)
	// goPasses is a statement that calls something on one line, groups are the name before the dot, the function's, and the arguments.
	goPasses = lazyregexp.New(`(?m)^[ \t]+(?:\w+(?:\s*,\s*\w+)*\s*:?=\s*)?(?:(?:\w+\.)*(\w+)\.)?(\w+)\(([^\n"]*(?:\.Group\(\s*"[^"\n]{0,100}"[^\n"]*)?)\)[ \t]*\r?$`)
	// goGroup is a group that is made where it is passed.
	goGroup = lazyregexp.New(`^\w+\.Group\(\s*"([^"\n]{0,100})"`)
	// goMade gives a variable what a package makes, groups are the two.
	goMade = lazyregexp.New(`(?m)^[ \t]*(?:\w+\.)*(\w+)(?:\s*,\s*\w+)?\s*:?=\s*&?(\w+)\.\w+[({]`)
	// goImport is an import, groups are the name that it is given and its path.
	goImport = lazyregexp.New(`(?m)^[ \t]*(?:import[ \t]+)?(?:(\w+)[ \t]+)?"([\w.~/-]{1,200})"[ \t]*\r?$`)
)

// goGroupHints are what a text holds one of that puts routes of other functions below a path.
var goGroupHints = [][]byte{[]byte(".Group("), []byte(".Mount("), []byte(".PathPrefix("), []byte(".Route(\"")}

// goFunctions are the functions of a text of Go by where they begin, as other texts name them: Ships, Crew.Routes.
type goFunctions struct {
	begin []int
	names []string
}

func newGoFunctions(b []byte) *goFunctions {
	f := &goFunctions{}
	for _, m := range goFunction.FindAllSubmatchIndex(b, -1) {
		name := string(b[m[4]:m[5]])
		if m[2] >= 0 {
			name = string(b[m[2]:m[3]]) + "." + name
		}
		f.begin, f.names = append(f.begin, m[0]), append(f.names, name)
	}
	return f
}

// around is the function that an offset stands in, inward for none.
func (f *goFunctions) around(at int) string {
	n, here := slices.BinarySearch(f.begin, at)
	if !here {
		n--
	}
	if n < 0 {
		return inward
	}
	return f.names[n]
}

// goMounts returns what a text of Go puts below beginnings of paths: what functions register on a group that they are given (gin, echo, fiber),
// and what they give to chi's Mount; and for each of its routes the function that registers it.
func (l *Language) goMounts(b []byte, routes []Route, partsOf func() []byte) (list []Mount, on []string) {
	mounts := holdsAny(b, goGroupHints)
	if len(routes) == 0 && !mounts {
		return nil, nil
	}
	functions, starts := newGoFunctions(b), lineStarts(b)
	for _, rt := range routes {
		on = append(on, functions.around(starts[min(max(rt.Line, 1), len(starts))-1]))
	}
	if !mounts {
		return nil, on
	}
	parts := partsOf()
	blocks, held := l.groupsOf(b, parts, starts)
	imports := map[string]string{}
	for _, m := range goImport.FindAllSubmatch(b, maxMounts) {
		called := string(m[1])
		if called == "" {
			called = path.Base(string(m[2]))
		}
		imports[called] = string(m[2])
	}
	makers := map[string]string{}
	for _, m := range goMade.FindAllSubmatch(b, maxMounts) {
		makers[string(m[1])] = string(m[2])
	}
	add := func(at int, prefix, typed, before, name string) {
		for _, one := range slices.Backward(blocks.around(at)) {
			prefix = joinPaths(one, prefix)
		}
		one := Mount{Prefix: prefix, Router: name, On: functions.around(at)}
		switch {
		case typed != "":
			one.Router = typed + "." + name
		case before != "" && imports[before] != "":
			one.Module = imports[before]
		case before != "": // a method of something whose type is not told, but perhaps the package that made it
			one.Router, one.Said, one.Module = before+"."+name, true, imports[makers[before]]
		}
		list = append(list, one)
	}
	for _, m := range goMount.FindAllSubmatchIndex(b, maxMounts) {
		if c := goCalled.FindSubmatch(b[m[4]:m[5]]); c != nil && parts[m[0]] == inCode {
			add(m[0], string(b[m[2]:m[3]]), string(c[1]), string(c[2]), string(c[3]))
		}
	}
	for _, m := range goPasses.FindAllSubmatchIndex(b, maxMounts) {
		name := string(b[m[4]:m[5]])
		if parts[m[4]] != inCode || httpMethods[name] != "" || name == "Mount" {
			continue
		}
		if prefix, ok := goPassed(b[m[6]:m[7]], held, b, m[4], len(blocks.around(m[4])) > 0); ok {
			before := ""
			if m[2] >= 0 {
				before = string(b[m[2]:m[3]])
			}
			add(m[4], prefix, "", before, name)
		}
	}
	return list, on
}

// goPassed returns the beginning of the group of routes that arguments hold, as a variable or as it is made there; inBlock says that a router
// stands below a beginning already, so that the router itself is one.
func goPassed(args []byte, held []namedGroup, b []byte, at int, inBlock bool) (prefix string, ok bool) {
	for arg := range bytes.SplitSeq(args, []byte(",")) {
		arg = bytes.TrimSpace(arg)
		if m := goGroup.FindSubmatch(arg); m != nil {
			of, _, _ := bytes.Cut(arg, []byte("."))
			return joinPaths(prefixOf(held, string(of), b, at), string(m[1])), true
		}
		if prefix = prefixOf(held, string(arg), b, at); prefix != "" {
			return prefix, true
		}
		if inBlock && slices.Contains(routers, strings.ToLower(string(arg))) || inBlock && string(arg) == "r" {
			return "", true
		}
	}
	return "", false
}
