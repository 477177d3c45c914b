package csharp

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// call returns what a function of paths gives that stands in the place of a property, [System.IO.Path]::Combine('a', 'b'), false where
// it is not one of those that the paths of the repository answer. What goes on behind it may be a folder above, and its name.
func (p *properties) call(text string, depth int) (string, bool) {
	of, rest, found := strings.Cut(strings.TrimPrefix(text, "["), "]::")
	name, rest, opened := strings.Cut(rest, "(")
	end := closing(rest)
	if !found || !opened || end < 0 {
		return "", false
	}
	args, ok := p.arguments(rest[:end], depth)
	if !ok {
		return "", false
	}
	value, ok := p.function(strings.ToLower(strings.TrimSpace(of)+"."+strings.TrimSpace(name)), args)
	for member := range strings.SplitSeq(strings.TrimSpace(strings.TrimPrefix(rest[end+1:], ".")), ".") {
		switch strings.ToLower(member) {
		case "", "fullname", "tostring()":
		case "parent":
			value = path.Dir(value)
		default:
			return "", false
		}
	}
	return value, ok && len(value) <= maxValue
}

// closing returns where the bracket closes that was opened before a text, -1 where it does not.
func closing(text string) int {
	open := 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

// arguments returns what is given to a function, with slashes as the repository has them.
func (p *properties) arguments(text string, depth int) (list []string, ok bool) {
	from, open := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (text[i] != ',' || open > 0) {
			switch text[i] {
			case '(':
				open++
			case ')':
				open--
			}
			continue
		}
		value, known := p.expand(strings.Trim(strings.TrimSpace(text[from:i]), "'`\""), depth-1)
		if !known {
			return nil, false
		}
		list = append(list, strings.ReplaceAll(value, `\`, "/"))
		from = i + 1
	}
	return list, true
}

// function is one of those of paths; its name is in lower case.
func (p *properties) function(name string, args []string) (string, bool) {
	switch {
	case name == "system.io.path.combine" && len(args) > 0:
		return combine(args), true
	case (name == "msbuild.normalizepath" || name == "system.io.path.getfullpath") && len(args) > 0:
		return p.rooted(combine(args)), true
	case name == "msbuild.normalizedirectory" && len(args) > 0:
		return strings.TrimSuffix(p.rooted(combine(args)), "/") + "/", true
	case name == "msbuild.ensuretrailingslash" && len(args) == 1:
		return strings.TrimSuffix(args[0], "/") + "/", true
	case name == "system.io.directory.getparent" && len(args) == 1:
		return path.Dir(p.rooted(args[0]) + args[0][len(strings.TrimRight(args[0], "/")):]), true // of a/b/ it is a/b
	case name == "system.io.path.getdirectoryname" && len(args) == 1:
		return path.Dir(args[0]), true
	case name == "msbuild.getdirectorynameoffileabove" && len(args) >= 2:
		return p.above(args[0], args[1])
	case name == "msbuild.getpathoffileabove" && len(args) == 1:
		dir, ok := p.above(p.dir, args[0])
		return path.Join(dir, args[0]), ok
	case name == "msbuild.getpathoffileabove" && len(args) == 2:
		dir, ok := p.above(args[1], args[0])
		return path.Join(dir, args[0]), ok
	}
	return "", false
}

// combine joins paths; one that is rooted begins anew.
func combine(args []string) string {
	for i := len(args) - 1; i > 0; i-- {
		if strings.HasPrefix(args[i], "/") {
			args = args[i:]
			break
		}
	}
	return path.Join(args...)
}

// rooted returns a path from the root of the repository on.
func (p *properties) rooted(name string) string {
	if strings.HasPrefix(name, "/") {
		return path.Clean(name)
	}
	return path.Join("/", p.dir, name)
}

// above returns the nearest folder, from one upwards, that holds a file.
func (p *properties) above(dir, name string) (string, bool) {
	for dir = p.rooted(dir); ; dir = path.Dir(dir) {
		if p.left--; p.left < 0 {
			return "", false
		}
		if p.has(strings.TrimPrefix(path.Join(dir, name), "/")) {
			return dir, true
		}
		if dir == "/" {
			return "", false
		}
	}
}

// has reports whether the repository has a source; both lists of them are sorted.
func (p *properties) has(name string) bool {
	for _, list := range [][]graph.SourceFile{p.files.Files, p.files.Others} {
		if _, ok := slices.BinarySearchFunc(list, name, func(s graph.SourceFile, name string) int { return strings.Compare(s.Path, name) }); ok {
			return true
		}
	}
	return false
}
