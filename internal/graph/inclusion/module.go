package inclusion

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// blank overwrites comments with spaces, and leaves strings as they are: line are the signs of comments to the end of a line; open
// and shut those of others.
func blank(src []byte, line []string, open, shut string) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(out); {
		switch {
		case out[i] == '"' || out[i] == '\'':
			i = quotedEnd(out, i, out[i])
		case open != "" && bytes.HasPrefix(out[i:], []byte(open)):
			i = wipe(out, i, behind(out, i+len(open), shut))
		default:
			next := i + 1
			for _, l := range line {
				// In an address a colon stands before it.
				if bytes.HasPrefix(out[i:], []byte(l)) && (i == 0 || out[i-1] != ':') {
					n := bytes.IndexByte(out[i:], '\n')
					if n < 0 {
						n = len(out) - i
					}
					next = wipe(out, i, i+n)
					break
				}
			}
			i = next
		}
	}
	return out
}

// wipe overwrites with spaces, but for ends of lines.
func wipe(b []byte, from, to int) int {
	for i := from; i < to; i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
	return to
}

var protoImport = lazyregexp.New(`(?m)(?:^|;)[ \t]*import[ \t]+(?:public[ \t]+|weak[ \t]+|option[ \t]+)?["']([^"'\n]+)["']`)

func readProto(f *file, src []byte) {
	for _, m := range protoImport.FindAllSubmatch(blank(src, []string{"//"}, "/*", "*/"), maxReferences) {
		f.refer(string(m[1]), plain)
	}
}

// resolveProto leads to the path from a root, which is no part of it: that from the repository's folder, or the nearest that ends so.
func resolveProto(b *builder, f *file, r reference) answer {
	if a, ok := b.beside(".", r.name); ok {
		return a
	}
	return b.end(f, r.name, nil)
}

var graphqlImport = lazyregexp.New(`(?m)^[ \t]*#[ \t]*import[ \t]+(?:[\w*,. {}]+from[ \t]+)?["']([^"'\n]+)["']`)

func readGraphQL(f *file, src []byte) {
	for _, m := range graphqlImport.FindAllSubmatch(src, maxReferences) {
		f.refer(string(m[1]), plain)
	}
}

var (
	luaRequire = lazyregexp.New(`\brequire[ \t]*[(,]?[ \t]*(?:["'][^"'\n]*["'][ \t]*(\.\.)|["']([\w./-]+)["']|\[\[([\w./-]+)\]\]|([A-Za-z_][\w.]*[ \t]*(?:\)|\.\.)))`)
	luaFile    = lazyregexp.New(`\b(?:dofile|loadfile)[ \t]*\(?[ \t]*["']([^"'\n]+)["'][ \t]*\)?`)
)

// readLua finds require, dofile and loadfile of literals.
func readLua(f *file, src []byte) {
	src = luaBlank(src)
	for _, m := range luaRequire.FindAllSubmatch(src, maxReferences) {
		switch {
		case len(m[2])+len(m[3]) > 0:
			f.refer(string(m[2])+string(m[3]), 'r')
		default:
			f.refer("require", unknown)
		}
	}
	for _, m := range luaFile.FindAllSubmatch(src, maxReferences) {
		f.refer(string(m[1]), plain)
	}
}

// luaBlank overwrites comments of Lua.
func luaBlank(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(out); {
		switch {
		case out[i] == '"' || out[i] == '\'':
			i = quotedEnd(out, i, out[i])
		case bytes.HasPrefix(out[i:], []byte("--")):
			if level, ok := longBracket(out[i+2:]); ok {
				i = wipe(out, i, behind(out, i+4+level, "]"+strings.Repeat("=", level)+"]"))
				continue
			}
			n := bytes.IndexByte(out[i:], '\n')
			if n < 0 {
				n = len(out) - i
			}
			i = wipe(out, i, i+n)
		default:
			i++
		}
	}
	return out
}

// longBracket is the level of [[, [=[ and so on.
func longBracket(b []byte) (level int, ok bool) {
	if len(b) == 0 || b[0] != '[' {
		return 0, false
	}
	for level < 20 && level+1 < len(b) && b[level+1] == '=' {
		level++
	}
	return level, level+1 < len(b) && b[level+1] == '['
}

// resolveLua leads to the module of a dotted name: the file, or its folder's init.
func resolveLua(b *builder, f *file, r reference) answer {
	if r.how == plain {
		return b.fromEither(f, r.name)
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
		if a := b.end(f, name+end, nil); !a.outside {
			return a
		}
	}
	return answer{outside: true}
}

var dartDirective = lazyregexp.New(`(?m)^[ \t]*(?:import|export|part)[ \t]+(of[ \t]+)?(?:r?["']([^"'\n$]+)["'])([^;]*)`)

var dartCondition = lazyregexp.New(`\bif[ \t\n]*\([^()]*\)[ \t\n]*["']([^"'\n]+)["']`)

// readDart finds import, export, part and part of, with all files that conditions choose from.
func readDart(f *file, src []byte) {
	for _, m := range dartDirective.FindAllSubmatch(blank(src, []string{"//"}, "/*", "*/"), maxReferences) {
		f.refer(string(m[2]), plain)
		for _, c := range dartCondition.FindAllSubmatch(m[3], 20) {
			f.refer(string(c[1]), plain)
		}
	}
}

// resolveDart leads to a path beside the file, or in the lib of a package of the repository.
func resolveDart(b *builder, f *file, r reference) answer {
	rest, ok := strings.CutPrefix(r.name, "package:")
	if !ok {
		if strings.Contains(r.name, ":") {
			return answer{}
		}
		return resolveBeside(b, f, r)
	}
	name, file, _ := strings.Cut(rest, "/")
	dir, ok := b.packages[name]
	if !ok {
		return answer{outside: true}
	}
	if a, ok := b.beside(path.Join(dir, "lib"), file); ok {
		return a
	}
	return answer{outside: true}
}

func isPubspec(name string) bool { return path.Base(name) == "pubspec.yaml" }

var pubspecLine = lazyregexp.New(`(?m)^name:[ \t]*["']?([A-Za-z_]\w*)["']?[ \t\r]*(?:#.*)?$`)

func pubspecName(content []byte) string {
	if m := pubspecLine.FindSubmatch(content); m != nil {
		return string(m[1])
	}
	return ""
}

var (
	styleRule = lazyregexp.New(`(?m)(?:^|[;{}])[ \t]*@(import|use|forward)\b([^;{}]*)`)
	sassRule  = lazyregexp.New(`(?m)^[ \t]*@(import|use|forward)\b([^;{}\n]*)`)
	styleName = lazyregexp.New(`url\(\s*["']?([^"')\s]+)["']?\s*\)|["']([^"'\n]+)["']`)
)

// readStyle finds @import, @use and @forward.
func readStyle(f *file, src []byte) {
	line := []string{"//"}
	if strings.HasSuffix(f.path, ".css") {
		line = nil
	}
	rule := styleRule
	if strings.HasSuffix(f.path, ".sass") { // its statements end with their line
		rule = sassRule
	}
	for _, m := range rule.FindAllSubmatch(blank(src, line, "/*", "*/"), maxReferences) {
		rest := m[2]
		if string(m[1]) != "import" {
			// What follows the name, "with ( … )", holds no further names.
			rest, _, _ = bytes.Cut(rest, []byte(" with"))
		}
		for _, n := range styleName.FindAllSubmatch(rest, 100) {
			name := string(n[1]) + string(n[2])
			switch {
			case strings.Contains(name, "#{") || strings.Contains(name, "@{"):
				f.refer(name, unknown)
			case !strings.Contains(name, "://") && !strings.HasPrefix(name, "//") && !strings.HasPrefix(name, "data:") && !strings.HasPrefix(name, "sass:"):
				name, _, _ = strings.Cut(name, "?")
				f.refer(name, plain)
			}
		}
	}
}

// resolveStyle leads to the sheet, with the language's ending or a partial's underscore, or to a folder's index.
func resolveStyle(b *builder, f *file, r reference) answer {
	if strings.HasPrefix(r.name, "~") || strings.HasPrefix(r.name, "/") {
		return answer{outside: true}
	}
	ext := path.Ext(f.path)
	dir, base := path.Split(r.name)
	tries := []string{r.name}
	if ext != ".css" {
		tries = tries[:0]
		known := map[string]bool{".scss": true, ".sass": true, ".less": true, ".css": true}
		if known[path.Ext(base)] {
			tries = append(tries, r.name, dir+"_"+base)
		} else {
			for _, e := range []string{ext, ".scss", ".sass", ".less", ".css"} {
				tries = append(tries, r.name+e, dir+"_"+base+e)
			}
			for _, e := range []string{".scss", ".sass"} {
				tries = append(tries, r.name+"/_index"+e, r.name+"/index"+e)
			}
		}
	}
	for _, name := range tries {
		if a, ok := b.beside(f.dir, name); ok && a.paths[0] != f.path {
			return a
		}
	}
	if ext == ".css" || strings.HasPrefix(r.name, ".") {
		return answer{outside: true}
	}
	// Folders that builds search: the nearest above the sheet that has it.
	for d := f.dir; d != "."; {
		d = path.Dir(d)
		for _, name := range tries {
			if a, ok := b.beside(d, name); ok && a.paths[0] != f.path {
				a.resolution = graph.Implicit
				return a
			}
		}
	}
	return answer{outside: true}
}
