package php

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph/names"
	"github.com/haversack-dev/haversack/internal/graph/views"
)

// file is what one source declares and names.
type file struct {
	path string
	// spaces are the parts of the file: namespaces, with what they import.
	spaces []space
	// types and functions are declared names, in full, with dots.
	types, functions []string
	refs             []ref
	// required are the files that it loads, as far as that is known; unknown counts the others.
	required []string
	unknown  int
	views    []views.Reference
}

// space is a namespace, with the names that it imports by what they are called: of types, and of functions, whose names end with ().
type space struct {
	name string
	uses map[string]string
}

// ref is a name that is used in a space; of a function where call is set.
type ref struct {
	name  string
	space int32
	call  bool
}

// Bounds of what is kept of one file; of more, the first count.
const (
	maxTypes    = 20_000
	maxRefs     = 20_000
	maxRequired = 5_000
	maxNested   = 100
)

// parser reads one file.
type parser struct {
	*names.Source
	file
	at, depth int
	// types are the depths of the blocks of types that are open; pending says that one comes next.
	types   []int
	pending bool
	// spaced is the depth at which what a namespace holds stands.
	spaced int
	seen   map[ref]bool
}

func parse(s *names.Source) *file {
	p := &parser{Source: s, file: file{path: s.Path, spaces: []space{{uses: map[string]string{}}}}, seen: map[ref]bool{}}
	for p.at < len(p.Tokens) {
		i := p.at
		p.at++
		switch p.Kind(i) {
		case '{':
			p.depth++
			if p.pending && len(p.types) < maxNested {
				p.types = append(p.types, p.depth)
			}
			p.pending = false
		case '}':
			if n := len(p.types); n > 0 && p.types[n-1] == p.depth {
				p.types = p.types[:n-1]
			}
			p.depth = max(p.depth-1, 0)
		case declaration.Word:
			p.word(i)
		}
	}
	f := p.file
	f.views = views.PHP(s)
	return &f
}

// inType reports whether members of a type stand here.
func (p *parser) inType() bool { n := len(p.types); return n > 0 && p.types[n-1] == p.depth }

// follows reports whether two signs stand before a token, as -> and :: do.
func (p *parser) follows(i int, a, b byte) bool {
	return p.Kind(i-1) == b && p.Kind(i-2) == a && p.Touch(i-2)
}

// double reports whether :: begins at a token.
func (p *parser) double(i int) bool {
	return p.Kind(i) == ':' && p.Kind(i+1) == ':' && p.Touch(i)
}

func (p *parser) word(i int) {
	w := p.Word(i)
	if w[0] == '$' || p.follows(i, '-', '>') || p.follows(i, ':', ':') {
		return
	}
	lower := string(bytes.ToLower(w))
	switch lower {
	case "namespace":
		if p.Kind(i+1) == declaration.Word && p.Word(i + 1)[0] != '\\' || p.Kind(i+1) == '{' {
			p.namespace(i)
			return
		}
	case "use":
		if p.Kind(i+1) == declaration.Word && !p.inType() && p.depth == p.spaced {
			p.use(i + 1)
		}
		return
	case "class", "interface", "trait", "enum":
		if p.Kind(i+1) != declaration.Word || lower == "enum" && p.Kind(i+2) != '{' && p.Kind(i+2) != ':' && !p.Is(i+2, "implements") {
			if lower == "class" && (p.Kind(i+1) == '(' || p.Kind(i+1) == '{') {
				p.pending = true
			}
			return
		}
		if p.Is(i+1, "extends") || p.Is(i+1, "implements") { // of no name
			p.pending = true
			return
		}
		p.pending = true
		if len(p.file.types) < maxTypes {
			p.file.types = append(p.file.types, names.Join(p.space().name, p.Keep(p.Word(i+1))))
		}
		p.at = i + 2
		return
	case "function", "fn":
		at := i + 1
		if p.Kind(at) == '&' {
			at++
		}
		if p.Kind(at) == declaration.Word && p.Kind(at+1) == '(' {
			if !p.inType() && lower == "function" && len(p.functions) < maxTypes {
				p.functions = append(p.functions, names.Join(p.space().name, p.Keep(p.Word(at))))
			}
			p.at = at + 1
		}
		return
	case "const":
		for n := i + 1; n < min(i+6, len(p.Tokens)); n++ {
			if p.Kind(n+1) == '=' { // behind a type, where one stands
				p.at = i + 1
				if n == i+1 {
					p.at = n + 1
				}
				return
			}
		}
		return
	case "case":
		if p.inType() && p.Kind(i+1) == declaration.Word {
			p.at = i + 2
		}
		return
	case "require", "require_once", "include", "include_once":
		p.require(i + 1)
		return
	}
	if !keywords[lower] {
		p.name(i, w)
	}
}

func (p *parser) space() *space { return &p.spaces[len(p.spaces)-1] }

// namespace reads the line that begins one.
func (p *parser) namespace(i int) {
	name := ""
	p.at = i + 1
	if p.Kind(i+1) == declaration.Word {
		name = dots(p.Word(i + 1))
		p.at++
	}
	p.spaced = p.depth
	if p.Kind(p.at) == '{' {
		p.spaced++
	}
	if len(p.spaces) < maxTypes {
		p.spaces = append(p.spaces, space{name, map[string]string{}})
	}
}

// dots is a name with dots in place of backslashes.
func dots(w []byte) string {
	return strings.ReplaceAll(string(bytes.Trim(w, `\`)), `\`, ".")
}

// use reads an import.
func (p *parser) use(i int) {
	function, constant := p.Is(i, "function"), p.Is(i, "const")
	if function || constant {
		i++
	}
	prefix, group := "", false
	for ; i < len(p.Tokens); i++ {
		if p.Kind(i) != declaration.Word {
			switch p.Kind(i) {
			case ',':
				continue
			case '}':
				group = false
				continue
			}
			break
		}
		if group && (p.Is(i, "function") || p.Is(i, "const")) && p.Kind(i+1) == declaration.Word {
			function, constant = p.Is(i, "function"), p.Is(i, "const")
			i++
		}
		if p.Kind(i+1) == '{' {
			prefix, group = dots(p.Word(i)), true
			i++
			continue
		}
		name := dots(p.Word(i))
		if group {
			name = names.Join(prefix, name)
		}
		as := name[strings.LastIndexByte(name, '.')+1:]
		if bytes.EqualFold(p.Word(i+1), []byte("as")) && p.Kind(i+2) == declaration.Word {
			as = string(p.Word(i + 2))
			i += 2
		}
		as = strings.ToLower(as)
		if function {
			as += "()"
			name += "()"
		}
		if uses := p.space().uses; !constant && len(uses) < maxRequired {
			uses[as] = name
		}
	}
	p.at = i
}

// keywords are words that are no names; among them names of types and values that the language has.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`abstract and array as break callable catch clone const continue declare default do echo else elseif empty enddeclare endfor
		endforeach endif endswitch endwhile eval exit die extends final finally fn for foreach function global goto if implements instanceof insteadof interface isset list
		match new or print private protected public readonly return static switch throw trait try unset use var while xor yield self parent true false null int float
		string bool void mixed never object iterable from __dir__ __file__ __line__ __class__ __function__ __method__ __namespace__`) {
		m[w] = true
	}
	return m
}()

// name reads a name that may be a type's or a function's.
func (p *parser) name(i int, w []byte) {
	if w[0] >= '0' && w[0] <= '9' {
		return
	}
	call := p.Kind(i+1) == '('
	definite := p.double(i + 1)
	if b := bytes.ToLower(p.Word(i - 1)); len(b) > 0 {
		switch string(b) {
		case "new", "extends", "implements", "instanceof", "insteadof":
			call, definite = false, true
		case "goto", "function":
			return
		}
	}
	if n := p.Word(i + 1); len(n) > 0 && n[0] == '$' {
		definite = true
	}
	if p.Kind(i-1) == '[' && p.Kind(i-2) == '#' || p.attribute(i) {
		call, definite = false, true
	}
	switch {
	case call:
	case definite:
	case p.Kind(i+1) == ':' && (p.Kind(i-1) == '(' || p.Kind(i-1) == ','): // the name of an argument
		return
	case bytes.Equal(w, bytes.ToUpper(w)) && len(w) > 1: // a constant
		return
	}
	space := int32(len(p.spaces) - 1)
	r := ref{name: string(w), space: space, call: call}
	if p.seen[r] || len(p.refs) >= maxRefs {
		return
	}
	r.name = p.Keep(w)
	p.seen[r] = true
	p.refs = append(p.refs, r)
}

// attribute reports whether a name stands behind the comma of a list of attributes.
func (p *parser) attribute(i int) bool {
	if p.Kind(i-1) != ',' || p.Kind(i+1) != '(' && p.Kind(i+1) != ']' && p.Kind(i+1) != ',' {
		return false
	}
	depth := 0
	for n := i - 1; n > max(0, i-60); n-- {
		switch p.Kind(n) {
		case ')', ']':
			depth++
		case '(':
			if depth--; depth < 0 {
				return false
			}
		case '[':
			if depth--; depth < 0 {
				return p.Kind(n-1) == '#'
			}
		case ';', '{', '}':
			return false
		}
	}
	return false
}

// require reads what is loaded: strings, the file's own folder, and those above it, joined by dots.
func (p *parser) require(i int) {
	whole := ""
	known := true
	started := false
	for n := i; n < min(i+40, len(p.Tokens)); n++ {
		switch k := p.Kind(n); {
		case k == ';' || k == ')' && started:
			if known && strings.Trim(whole, "/") != "" {
				if len(p.required) < maxRequired {
					p.required = append(p.required, whole)
				}
			} else {
				p.unknown++
			}
			return
		case k == '(' || k == '.':
		case p.Is(n, "__DIR__"):
			whole += "/" + path.Dir(p.path)
			started = true
		case p.Is(n, "dirname") && p.Kind(n+1) == '(':
			up := 1
			if p.Is(n+2, "__FILE__") {
				up = 0
			} else if !p.Is(n+2, "__DIR__") {
				known = false
				continue
			}
			n += 3
			if p.Kind(n) == ',' && p.Kind(n+1) == declaration.Number {
				levels, err := strconv.Atoi(string(p.Text[p.Tokens[n+1].Start:p.Tokens[n+1].End]))
				if err != nil || levels > maxNested {
					known = false
				}
				up += levels - 1
				n += 2
			}
			dir := path.Dir(p.path)
			for range min(up, maxNested) {
				if dir == "." {
					known = false // above the repository
				}
				dir = path.Dir(dir)
			}
			whole += "/" + dir
			started = true
			if p.Kind(n) != ')' {
				known = false
			}
		case k == declaration.Quoted:
			t := p.Tokens[n]
			text := p.Text[t.Start:t.End]
			if len(text) < 2 || bytes.ContainsAny(text, "$\n") {
				known = false
			} else {
				whole += string(text[1 : len(text)-1])
			}
			started = true
		default:
			known, started = false, true
		}
	}
}
