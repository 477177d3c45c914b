package source

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// groupForm is how the routers of a language give the routes of a group one beginning.
type groupForm struct {
	// named is a group that a variable holds: groups 1 to 3 are the variable, what the group is of, and the beginning.
	named *lazyregexp.Regexp
	// block begins a group that stands in brackets, up to the one that opens it, group 1 or 2 is the beginning.
	block *lazyregexp.Regexp
}

// groupForms by language: gin, echo, fiber, gorilla's and chi's of Go; minimal APIs of ASP.NET; Laravel and Slim; Ktor.
var groupForms = map[string]groupForm{
	"Go": {
		named: lazyregexp.New(`(?m)^[ \t]*(\w+)[ \t]*:?=[ \t]*((?:\w+\.)*\w+)\.(?:Group|PathPrefix)\([ \t]*"([^"\n]{0,100})"`),
		block: lazyregexp.New(`\b\w+\.Route\(\s*"([^"\n]{0,100})"\s*,\s*func\([^()\n]*\)\s*\{`),
	},
	"C#": {named: lazyregexp.New(`(?m)^[ \t]*(?:[\w.]+[ \t]+)?(\w+)[ \t]*=[ \t]*(\w+)\s*\.MapGroup\(\s*"([^"\n]{0,100})"`)},
	"PHP": {
		block: lazyregexp.New(`\bprefix\((?:\s*["']([^"'$\n]{0,100})["']\s*\)|[^)\n]{1,100}\))[^;{}]{0,300}?->group\(\s*(?:static\s+)?function\s*\([^()]*\)[^{};]{0,100}\{|->group\(\s*["']([^"'$\n]{1,100})["']\s*,\s*(?:static\s+)?function\s*\([^()]*\)[^{};]{0,100}\{` +
			`|::group\(\s*\[[^\]{}]{0,300}?["']prefix["']\s*=>\s*["']([^"'$\n]{0,100})["'][^\]{}]{0,300}\]\s*,\s*(?:static\s+)?function\s*\([^()]*\)[^{};]{0,100}\{`),
	},
	"Kotlin": {block: lazyregexp.New(`\broute\(\s*"([^"$\n]{0,100})"\s*\)\s*\{`)},
}

// groupNames are the variables of a text, in lower case, that hold groups of routes.
func (l *Language) groupNames(b []byte) map[string]bool {
	form := groupForms[l.Name].named
	if form == nil || !bytes.Contains(b, []byte("Group(")) && !bytes.Contains(b, []byte(".PathPrefix(")) {
		return nil
	}
	names := map[string]bool{}
	for _, m := range form.FindAllSubmatch(b, maxMounts) {
		names[strings.ToLower(string(m[1]))] = true
	}
	return names
}

// namedGroup is a group that a variable holds from an offset on, as long as no line is indented less.
type namedGroup struct {
	name, prefix string
	at, indent   int
}

// grouped returns routes below the beginnings of the groups that they are registered on or stand in, and for each whether it is so.
func (l *Language) grouped(list []Route, b, parts []byte) []bool {
	if _, ok := groupForms[l.Name]; !ok || len(list) == 0 {
		return nil
	}
	starts := lineStarts(b)
	blocks, held := l.groupsOf(b, parts, starts)
	if len(blocks) == 0 && len(held) == 0 {
		return nil
	}
	below := make([]bool, len(list))
	for n, rt := range list {
		at := starts[min(max(rt.Line, 1), len(starts))-1]
		line, _, _ := bytes.Cut(b[at:], []byte("\n"))
		prefix := ""
		for _, one := range blocks.around(at) {
			prefix = joinPaths(prefix, one)
		}
		if m := calledOnRouter.FindSubmatch(line); m != nil {
			prefix = joinPaths(prefix, prefixOf(held, string(m[1]), b, at))
		}
		if below[n] = prefix != ""; below[n] {
			list[n].Path = claim.OneLine(joinPaths(prefix, rt.Path), 120)
		}
	}
	return below
}

// groupsOf are the groups of routes of a text: those that stand in brackets, and those that variables hold.
func (l *Language) groupsOf(b, parts []byte, starts []int) (blocks innerLists, held []namedGroup) {
	form := groupForms[l.Name]
	if form.block != nil {
		blocks = bracketed(b, parts, form.block.FindAllSubmatchIndex(b, maxMounts))
	}
	if len(l.groupNames(b)) == 0 {
		return blocks, nil
	}
	for _, m := range form.named.FindAllSubmatchIndex(b, maxMounts) {
		if parts[m[2]] != inCode {
			continue
		}
		line := b[starts[lineAt(starts, m[2])]:]
		one := namedGroup{name: string(b[m[2]:m[3]]), prefix: string(b[m[6]:m[7]]), at: m[2], indent: len(line) - len(bytes.TrimLeft(line, " \t"))}
		of := string(b[m[4]:m[5]])
		one.prefix = joinPaths(prefixOf(held, of, b, one.at), one.prefix)
		held = append(held, one)
	}
	return blocks, held
}

// prefixOf is the beginning of the group that a variable holds at an offset, "" if it holds none.
func prefixOf(held []namedGroup, name string, b []byte, at int) string {
	for _, one := range slices.Backward(held) {
		if one.name != name || one.at >= at {
			continue
		}
		_, between, _ := bytes.Cut(b[one.at:at], []byte("\n"))
		for line := range bytes.SplitSeq(between, []byte("\n")) {
			bare := bytes.TrimLeft(line, " \t")
			if len(bare) > 0 && bare[0] != '\r' && len(line)-len(bare) < one.indent {
				return "" // what held it has ended
			}
		}
		return one.prefix
	}
	return ""
}

// joinPaths puts a path below a beginning, with one slash between.
func joinPaths(prefix, path string) string {
	switch {
	case prefix == "":
		return path
	case strings.Trim(path, "/") == "":
		return "/" + strings.Trim(prefix, "/")
	case strings.Trim(prefix, "/") == "":
		return "/" + strings.TrimLeft(path, "/")
	}
	return "/" + strings.Trim(prefix, "/") + "/" + strings.TrimLeft(path, "/")
}

// bracketed are the stretches that matches begin whose last byte is an opening bracket, each up to the one that closes it, in one pass. The
// first group of a match that is there is the beginning of what stands in it.
func bracketed(b, parts []byte, begins [][]int) (list innerLists) {
	shuts := map[byte]byte{'{': '}', '[': ']', '(': ')'}
	var open []int // places in the list, -1 for other brackets
	if len(begins) == 0 {
		return nil
	}
	opener := b[begins[0][1]-1]
	shut := shuts[opener]
	for at := begins[0][1] - 1; at < len(b); at++ {
		if c := b[at]; c != opener && c != shut || parts[at] != inCode {
			continue
		}
		for len(begins) > 0 && begins[0][1]-1 < at {
			begins = begins[1:]
		}
		switch {
		case b[at] == shut:
			if n := len(open); n > 0 {
				if open[n-1] >= 0 {
					list[open[n-1]].to = at
				}
				open = open[:n-1]
			}
		case len(begins) > 0 && begins[0][1]-1 == at:
			m := begins[0]
			prefix := "…" // it is made there
			if slices.Max(m[2:]) >= 0 {
				prefix = ""
			}
			for i := 2; i+1 < len(m) && prefix == ""; i += 2 {
				if m[i] >= 0 {
					prefix = string(b[m[i]:m[i+1]])
				}
			}
			open = append(open, len(list))
			list = append(list, innerList{at, len(b), prefix})
		default:
			open = append(open, -1)
		}
	}
	return list
}

// lineStarts are the offsets at which lines begin.
func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt is the line, from 0, that an offset stands in.
func lineAt(starts []int, at int) int { return sort.SearchInts(starts, at+1) - 1 }
