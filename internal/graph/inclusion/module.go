package inclusion

import (
	"bytes"
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/declaration"
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

// readProto finds imports, which are statements of the file.
func readProto(f *file, src []byte) {
	s := tokensOf(f, src)
	for i := range s.Tokens {
		if !s.Is(i, "import") || s.Kind(i-1) != 0 && s.Kind(i-1) != ';' && s.Kind(i-1) != '}' {
			continue
		}
		at := i + 1
		if s.Kind(at) == declaration.Word { // public, weak, option
			at++
		}
		if s.Kind(at) == declaration.Quoted {
			f.refer(literal(s, at), plain)
		}
	}
}

// resolveProto leads to the path from a root, which is no part of it: that from the repository's folder, or the nearest that ends so.
func resolveProto(b *builder, f *file, r reference) answer {
	if a, ok := b.beside(".", r.name); ok {
		return a
	}
	return b.end(f, r.name)
}

var graphqlImport = lazyregexp.New(`(?m)^[ \t]*#[ \t]*import[ \t]+(?:[\w*,. {}]+from[ \t]+)?["']([^"'\n]+)["']`)

func readGraphQL(f *file, src []byte) {
	for _, m := range graphqlImport.FindAllSubmatch(src, maxReferences) {
		f.refer(string(m[1]), plain)
	}
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
	styleRule = lazyregexp.New(`(?m)(?:^|[;{}])[ \t]*@(import|use|forward|reference)\b([^;{}]*)`)
	sassRule  = lazyregexp.New(`(?m)^[ \t]*@(import|use|forward)\b([^;{}\n]*)`)
	// styleFrom is what a module of CSS takes from another: composes: a from "./b.css"; @value x from "./b.css".
	styleFrom = lazyregexp.New(`(?:\bcomposes[ \t]*:|@value\b)[^;{}]*?\bfrom\s+["'](\.[^"'\n]+)["']`)
	styleName = lazyregexp.New(`url\(\s*["']?([^"')\s]+)["']?\s*\)|["']([^"'\n]+)["']`)
)

// readStyle finds @import, @use and @forward, Tailwind's @reference, and what modules take from one another.
func readStyle(f *file, src []byte) {
	line := []string{"//"}
	if strings.HasSuffix(f.path, ".css") {
		line = nil
	}
	rule := styleRule
	if strings.HasSuffix(f.path, ".sass") { // its statements end with their line
		rule = sassRule
	}
	text := blank(src, line, "/*", "*/")
	for _, m := range styleFrom.FindAllSubmatch(text, maxReferences) {
		f.refer(string(m[1]), plain)
	}
	for _, m := range rule.FindAllSubmatch(text, maxReferences) {
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
	for d := f.dir; ; d = path.Dir(d) {
		for _, folder := range b.loads[d] {
			for _, name := range tries {
				if a, ok := b.beside(folder, name); ok && a.paths[0] != f.path {
					a.resolution = graph.Implicit
					return a
				}
			}
		}
		if d == "." {
			return answer{outside: true}
		}
	}
}

// configuresStyle reports whether a file of this name may say in which folders sheets are looked for.
func configuresStyle(name string) bool {
	base := path.Base(name)
	return base == "angular.json" || base == "project.json" || strings.HasPrefix(base, "vite.config.") || strings.HasPrefix(base, "next.config.") || strings.HasPrefix(base, "nuxt.config.") || strings.HasPrefix(base, "vue.config.") || strings.HasPrefix(base, "webpack.")
}

var (
	loadPaths = lazyregexp.New(`["']?\b(?:includePaths|loadPaths)["']?\s*:\s*\[([^\]]*)\]`)
	loadPath  = lazyregexp.New(`["']([^"'\n]+)["']`)
)

// loadsOf returns the folders, relative to the file's, in which a configuration has sheets looked for.
func loadsOf(content []byte) (dirs []string) {
	for _, m := range loadPaths.FindAllSubmatch(content, maxFolder) {
		for _, n := range loadPath.FindAllSubmatch(m[1], maxFolder) {
			dirs = append(dirs, string(n[1]))
		}
	}
	return dirs
}
