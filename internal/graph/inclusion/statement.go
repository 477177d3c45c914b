package inclusion

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/names"
)

// tokensOf splits a text.
func tokensOf(f *file, src []byte) *names.Source {
	return &names.Source{Path: f.path, Text: src, Tokens: declaration.Tokens(nil, f.as, src)}
}

// literal is what a string holds, without its quotes.
func literal(s *names.Source, i int) string {
	b := s.Text[s.Tokens[i].Start:s.Tokens[i].End]
	if len(b) > maxName+20 {
		return ""
	}
	text := string(b)
	if strings.HasPrefix(text, "[") {
		return strings.Trim(strings.Trim(text, "[]"), "=[]")
	}
	return strings.Trim(text, "\"'`")
}

// behindLines is the first token from i on that is no end of a line.
func behindLines(s *names.Source, i int) int {
	for s.Kind(i) == declaration.Newline {
		i++
	}
	return i
}

// readLua finds require, dofile and loadfile of literals; a rockspec says which file is which module.
func readLua(f *file, src []byte) {
	s := tokensOf(f, src)
	if strings.HasSuffix(f.path, ".rockspec") {
		f.rocks(s)
		return
	}
	for i := range s.Tokens {
		how := byte('r')
		switch string(s.Word(i)) {
		case "require":
		case "dofile", "loadfile":
			how = plain
		default:
			continue
		}
		if k := s.Kind(i - 1); k == '.' || k == ':' || s.Is(i-1, "function") {
			continue
		}
		// pcall(require, "x") calls it too.
		at := i + 1
		for at < i+10 && (s.Kind(at) == '(' || s.Kind(at) == declaration.Newline || at == i+1 && s.Kind(at) == ',') {
			at++
		}
		switch {
		case s.Kind(at) == declaration.Quoted && s.Kind(at+1) == '.' && s.Kind(at+2) == '.':
			f.refer(string(s.Word(i)), unknown)
		case s.Kind(at) == declaration.Quoted:
			f.refer(literal(s, at), how)
		case at > i+1 && s.Kind(at) != ')' && s.Kind(at) != 0:
			f.refer(string(s.Word(i)), unknown)
		}
	}
}

// rocks reads the modules that a rockspec names: each has a file, or a list of them.
func (f *file) rocks(s *names.Source) {
	for i := range s.Tokens {
		if !s.Is(i, "modules") || s.Kind(i+1) != '=' || s.Kind(behindLines(s, i+2)) != '{' {
			continue
		}
		module, depth := "", 0
		for k := behindLines(s, i+2); s.Kind(k) != 0; k++ {
			switch s.Kind(k) {
			case '{':
				depth++
			case '}':
				depth--
			case declaration.Word:
				if depth == 1 && s.Kind(k+1) == '=' {
					module = string(s.Word(k))
				}
			case declaration.Quoted:
				if s.Kind(k-1) == '[' && s.Kind(k+1) == ']' && depth == 1 {
					module = literal(s, k)
				} else if to := at(f.dir, literal(s, k)); module != "" && to != "" && len(f.provided) < maxReferences {
					f.provided = append(f.provided, moduleFile{strings.Clone(module), to})
				}
			}
			if depth == 0 {
				break
			}
		}
		return
	}
}

// resolveLua leads to the module of a dotted name: the file that a rockspec says, else the one of its path, or its folder's init.
func resolveLua(b *builder, f *file, r reference) answer {
	if r.how == plain {
		return b.fromEither(f, r.name)
	}
	if list := b.provided[r.name]; len(list) > 0 {
		return answer{paths: list, resolution: graph.Explicit}
	}
	if strings.HasPrefix(r.name, ".") || strings.HasPrefix(r.name, "@") {
		return b.luau(f, r.name)
	}
	name := strings.ReplaceAll(r.name, ".", "/")
	if strings.HasSuffix(r.name, ".lua") {
		name = strings.TrimSuffix(r.name, ".lua")
	}
	name = strings.Trim(name, "/")
	for _, end := range []string{".lua", "/init.lua", ".luau", "/init.luau"} {
		for _, root := range []string{"lua", ".", "src"} {
			if a, ok := b.beside(root, name+end); ok && a.paths[0] != f.path {
				return a
			}
		}
	}
	for _, end := range []string{".lua", "/init.lua"} {
		if a := b.end(f, name+end); !a.outside {
			return a
		}
	}
	return answer{outside: true}
}

// luau leads to a path from the file's folder: that of a folder's init stands for the folder, and has itself as @self.
func (b *builder) luau(f *file, name string) answer {
	dir := f.dir
	if rest, ok := strings.CutPrefix(name, "@self/"); ok {
		name = rest
	} else if path.Base(f.path) == "init.luau" {
		dir = path.Dir(dir)
	}
	for _, end := range []string{".luau", ".lua", "/init.luau", "/init.lua", ""} {
		if a, ok := b.beside(dir, name+end); ok && a.paths[0] != f.path {
			return a
		}
	}
	return answer{outside: true}
}

// readDart finds the directives, which are the first in a text: import and export with all files that conditions choose from, part,
// part of, and the library's name.
func readDart(f *file, src []byte) {
	s := tokensOf(f, src)
	i := 0
	if s.Kind(0) == '#' { // what runs it
		for i < len(s.Tokens) && s.Line(i) == 1 {
			i++
		}
	}
	for i < len(s.Tokens) {
		if s.Kind(i) == '@' {
			_, i = s.Chain(i+1, 12)
			if s.Kind(i) == '(' {
				i = closed(s, i)
			}
			continue
		}
		word := string(s.Word(i))
		switch word {
		case "import", "export", "part", "library":
		default:
			return
		}
		i++
		named := word == "library"
		if named = named || word == "part" && s.Is(i, "of"); named && word == "part" {
			i++
		}
		if named && s.Kind(i) == declaration.Word {
			parts, after := s.Chain(i, 12)
			name := make([]string, len(parts))
			for n, p := range parts {
				name[n] = string(p)
			}
			if i = after; word == "part" {
				f.refer(strings.Join(name, "."), 'l')
			} else {
				f.modules = append(f.modules, strings.Join(name, "."))
			}
		}
		for s.Kind(i) != ';' && s.Kind(i) != 0 {
			if s.Kind(i) == declaration.Quoted {
				if name := literal(s, i); strings.Contains(name, "$") {
					f.refer(name, unknown)
				} else {
					f.refer(name, plain)
				}
			} else if s.Kind(i) == '(' { // a condition
				i = closed(s, i)
				continue
			}
			i++
		}
		i++
	}
}

// closed is the token behind the parenthesis that shuts one.
func closed(s *names.Source, i int) int {
	for depth := 0; s.Kind(i) != 0; i++ {
		switch s.Kind(i) {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// resolveDart leads to a path beside the file, to the library of a name, or in the lib of a package of the repository: the one that
// the file belongs to, or the only one of its name.
func resolveDart(b *builder, f *file, r reference) answer {
	if r.how == 'l' {
		list := b.modules[r.name]
		switch {
		case len(list) == 1:
			return answer{paths: list, resolution: graph.Explicit}
		case len(list) > 1:
			return answer{undecided: true}
		}
		return answer{outside: true}
	}
	rest, ok := strings.CutPrefix(r.name, "package:")
	if !ok {
		if strings.Contains(r.name, ":") {
			return answer{}
		}
		return resolveBeside(b, f, r)
	}
	name, file, _ := strings.Cut(rest, "/")
	list := b.packages[name]
	dir := ""
	for _, d := range list {
		if (d == "." || strings.HasPrefix(f.path, d+"/")) && len(d) >= len(dir) {
			dir = d
		}
	}
	switch {
	case dir != "":
	case len(list) == 1:
		dir = list[0]
	case len(list) > 1:
		return answer{undecided: true}
	default:
		return answer{outside: true}
	}
	if a, ok := b.beside(path.Join(dir, "lib"), file); ok {
		return a
	}
	return answer{outside: true}
}

// readers are the functions of Terraform that read the file they are given.
var readers = map[string]bool{"file": true, "filebase64": true, "templatefile": true, "filemd5": true, "filesha1": true, "filesha256": true, "filesha512": true, "filebase64sha256": true, "filebase64sha512": true}

// readTerraform finds the sources of modules that are folders, the files that functions read, and names of what other files of the
// folder declare.
func readTerraform(f *file, src []byte) {
	s := tokensOf(f, src)
	depth, module, locals := 0, 0, false
	for i := range s.Tokens {
		switch s.Kind(i) {
		case declaration.Quoted:
			f.interpolated(s.Text[s.Tokens[i].Start:s.Tokens[i].End])
		case '{':
			if depth++; depth == 1 {
				locals = s.Is(i-1, "locals")
				f.declares(s, i)
			}
			if depth == 1 && (s.Is(i-2, "module") && s.Kind(i-1) == declaration.Quoted || s.Is(i-1, "module")) {
				module = depth
			}
		case '}':
			if depth == module {
				module = 0
			}
			depth = max(depth-1, 0)
		case declaration.Word:
			if k := s.Kind(i - 1); k == '.' {
				continue
			}
			if module == depth && depth > 0 && s.Is(i, "source") && s.Kind(i+1) == '=' && s.Kind(i+2) == declaration.Quoted {
				name := literal(s, i+2)
				if strings.Contains(name, "$") {
					f.refer(name, unknown)
				} else if name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
					f.refer(name, 'm')
				}
				continue
			}
			if locals && depth == 1 && s.Kind(i+1) == '=' && s.Kind(i-1) == declaration.Newline {
				f.declare("local." + string(s.Word(i)))
				continue
			}
			if s.Kind(i+1) == '.' {
				f.chained(s, i)
				continue
			}
			if !readers[string(s.Word(i))] || s.Kind(i+1) != '(' {
				continue
			}
			f.reads(s, i)
		}
	}
}

// chained notes a name of several words that begins at a token.
func (f *file) chained(s *names.Source, i int) {
	parts := [3]string{string(s.Word(i)), string(s.Word(i + 2))}
	if s.Kind(i+3) == '.' {
		parts[2] = string(s.Word(i + 4))
	}
	f.named(parts)
}

// reads notes the file that a function reads, whose name stands at a token.
func (f *file) reads(s *names.Source, i int) {
	at := behindLines(s, i+2)
	name := ""
	if s.Kind(at) == declaration.Quoted {
		name = strings.TrimPrefix(literal(s, at), "${path.module}/")
	}
	if k := s.Kind(behindLines(s, at+1)); name == "" || strings.Contains(name, "${") || k != ')' && k != ',' {
		f.refer(string(s.Word(i)), unknown)
	} else {
		f.refer(name, plain)
	}
}

// declares notes what a block declares that begins at a brace, as other files of the folder name it.
func (f *file) declares(s *names.Source, brace int) {
	first := brace - 1
	for s.Kind(first) == declaration.Quoted && first > brace-4 {
		first--
	}
	name := ""
	switch string(s.Word(first)) {
	case "variable":
		name = "var."
	case "module":
		name = "module."
	case "data":
		name = "data."
	case "resource":
	default:
		return
	}
	for at := first + 1; at < brace; at++ {
		name += literal(s, at)
		if at+1 < brace {
			name += "."
		}
	}
	f.declare(name)
}

func (f *file) declare(name string) {
	if len(f.modules) < maxReferences && len(name) <= maxName {
		f.modules = append(f.modules, f.dir+"\x00"+name)
	}
}

// declared is how a reference says that it is the name of what a file of the folder declares.
const declared = '.'

// named notes a name by its words: var.x, local.x, module.x, data.type.x, type.x.
func (f *file) named(parts [3]string) {
	n := 2
	switch {
	case parts[0] == "data":
		n = 3
	case parts[0] != "var" && parts[0] != "local" && parts[0] != "module" && !strings.Contains(parts[0], "_"):
		return
	}
	if parts[n-1] != "" {
		f.refer(strings.Join(parts[:n], "."), declared)
	}
}

// interpolated notes the names in the holes of a string: "${var.a}-${local.b}".
func (f *file) interpolated(text []byte) {
	for {
		i := bytes.IndexByte(text, '{')
		if i < 0 {
			return
		}
		hole := i > 0 && (text[i-1] == '$' || text[i-1] == '%')
		if text = text[i+1:]; !hole {
			continue
		}
		end := bytes.IndexByte(text, '}')
		if end < 0 {
			end = len(text)
		}
		for _, chain := range bytes.FieldsFunc(text[:end], func(c rune) bool {
			return c != '.' && c != '_' && c != '-' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
		}) {
			var parts [3]string
			for n, part := range bytes.SplitN(chain, []byte{'.'}, 4) {
				if n < 3 {
					parts[n] = string(part)
				}
			}
			f.named(parts)
		}
		text = text[end:]
	}
}

// resolveTerraform leads to all files of a module: it is its folder; to a file from the module's own folder; or to the file of the
// folder that declares a name.
func resolveTerraform(b *builder, f *file, r reference) answer {
	switch r.how {
	case plain:
		return resolveBeside(b, f, r)
	case declared:
		switch list := b.modules[f.dir+"\x00"+r.name]; {
		case len(list) == 1:
			return answer{paths: list, resolution: graph.Implicit}
		case len(list) > 1: // as a file that overrides another does
			return answer{undecided: true}
		}
		return answer{}
	}
	dir := at(f.dir, r.name)
	if dir == "" {
		return answer{outside: true}
	}
	var found []string
	for _, p := range b.dirs()[dir] {
		if (strings.HasSuffix(p, ".tf") || strings.HasSuffix(p, ".tofu")) && len(found) < maxFolder {
			found = append(found, p)
		}
	}
	return answer{paths: found, resolution: graph.Explicit, outside: len(found) == 0}
}
