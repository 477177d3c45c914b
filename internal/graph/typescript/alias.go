package typescript

import (
	"path"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
)

// Tools that bundle and test (Vite, webpack, Jest, Babel, SvelteKit, Deno) have files of their own that say what names stand for, and in
// which folders names are looked for. These files are programs: only literals in them are read, which are texts, and texts that are joined to the file's folder.

// stated is what a name, or the beginning of one, stands for.
type stated struct {
	from string
	// whole says that nothing may follow the name, searched that any name is looked for there.
	whole, searched bool
	to              []string
}

// Bounds of the files that say what names stand for.
const (
	// maxConfigured bounds the text of one, maxStated the names of one.
	maxConfigured, maxStated = 256 << 10, 500
)

// configured maps the files of tools, without their extensions, to the key that holds what names stand for.
var configured = map[string]string{
	"vite.config": "alias", "vitest.config": "alias", "webpack.config": "alias", "vue.config": "alias", "craco.config": "alias", "rollup.config": "alias",
	"astro.config": "alias", "nuxt.config": "alias", "svelte.config": "alias", "babel.config": "alias", ".babelrc": "alias",
	"jest.config": "moduleNameMapper", "package": "moduleNameMapper", "deno": "imports", "import_map": "imports", "importmap": "imports",
}

// searches maps them to the keys of the folders in which names are looked for.
var searches = map[string][]string{
	"webpack.config": {"modules"}, "vue.config": {"modules"}, "craco.config": {"modules"}, "babel.config": {"root"}, ".babelrc": {"root"},
	"jest.config": {"modulePaths", "moduleDirectories"}, "package": {"modulePaths", "moduleDirectories"},
}

// tool is the name of a file of a tool, as the tables have it, "" where it is none.
func tool(name string) string {
	base := path.Base(name)
	if base == ".babelrc" {
		return base
	}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	if strings.HasPrefix(stem, "webpack.") { // webpack.common.js, webpack.base.conf.js
		stem = "webpack.config"
	}
	data := ext == ".json" || ext == ".jsonc"
	switch stem {
	case "package", "deno", "import_map", "importmap":
		if !data {
			return ""
		}
	case "jest.config", "babel.config", ".babelrc":
	default:
		if data {
			return ""
		}
	}
	if configured[stem] == "" {
		return ""
	}
	return stem
}

// inward are the folders whose configurations are those of the folder around them.
var inward = language.WordSet("build config webpack .webpack internals")

// load finds the files that say what names stand for.
func (fs *frameworks) load() {
	fs.configs = map[string][]int{}
	for i := range fs.b.sources {
		if name := fs.b.sources[i].Path; tool(name) != "" {
			dir := path.Dir(fs.b.files.abs(name))
			fs.configs[dir] = append(fs.configs[dir], i)
			if inward[path.Base(dir)] && strings.HasPrefix(path.Base(name), "webpack.") {
				fs.configs[path.Dir(dir)] = append(fs.configs[path.Dir(dir)], i)
			}
		}
	}
}

// statedIn returns what the files of a folder say.
func (fs *frameworks) statedIn(dir string) (list []stated) {
	fs.once.Do(fs.load)
	for _, i := range fs.configs[dir] {
		s := &fs.b.sources[i]
		if s.Size > maxConfigured {
			continue
		}
		raw, err := fs.b.files.readSource(s)
		text, ok := fs.b.files.said(fs.b.files.abs(s.Path), raw, err)
		if !ok {
			continue
		}
		name := tool(s.Path)
		r := literals{tokens: literalTokens(text), dir: path.Dir(fs.b.files.abs(s.Path)), bare: strings.HasPrefix(name, "svelte.") || strings.Contains(name, "babel")}
		if key := configured[name]; strings.Contains(text, key) {
			list = append(list, r.under(key)...)
		}
		for _, key := range searches[name] {
			if strings.Contains(text, key) {
				list = append(list, r.searched(key)...)
			}
		}
	}
	return list
}

// searched returns the folders below a key in which names are looked for.
func (r *literals) searched(key string) (list []stated) {
	r.bare = true
	for i := 0; i < len(r.tokens) && len(list) < maxStated; i++ {
		if t := r.tokens[i]; t.kind != 'a' && t.kind != '"' || t.text != key || r.at(i+1) != ':' || r.at(i+2) != '[' {
			continue
		}
		end := r.value(i + 2)
		for from := i + 3; from < end-1; {
			to := r.value(from)
			for _, p := range r.path(from, min(to, end-1)) {
				if path.Base(p) != "node_modules" {
					list = append(list, stated{searched: true, to: []string{p}})
				}
			}
			from = to + 1
		}
	}
	return list
}

// literal is a name, a text or a sign of a configuration.
type literal struct {
	kind byte // 'a' for a name, '"' for a text, else the sign
	text string
}

// literalTokens reads a text of JavaScript or JSON as far as its literals need.
func literalTokens(text string) (list []literal) {
	for i := 0; i < len(text); {
		c := text[i]
		past, comment := commentEnd(text, i)
		switch {
		case comment:
			i = past
		case c == '"' || c == '\'' || c == '`':
			end := stringEnd(text, i)
			kind := byte('"')
			if c == '`' && strings.Contains(text[i:end], "${") {
				kind = '`'
			}
			list = append(list, literal{kind, strings.ReplaceAll(text[i+1:end], `\\`, `\`)})
			i = end + 1
		case wordByte(c):
			end := i
			for end < len(text) && wordByte(text[end]) {
				end++
			}
			list = append(list, literal{'a', text[i:end]})
			i = end
		case c <= ' ':
			i++
		default:
			list = append(list, literal{kind: c})
			i++
		}
	}
	return list
}

// wordByte reports whether a byte is one of a name.
func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}

// literals reads what names stand for in one file.
type literals struct {
	tokens []literal
	dir    string
	// bare says that a text without a dot before it is a path of the folder too.
	bare bool
}

// at is the sign at a place, 0 behind the end.
func (r *literals) at(i int) byte {
	if i < 0 || i >= len(r.tokens) {
		return 0
	}
	return r.tokens[i].kind
}

// under returns what stands below a key.
func (r *literals) under(key string) (list []stated) {
	for i := 0; i < len(r.tokens); i++ {
		t := r.tokens[i]
		if (t.kind == 'a' || t.kind == '"') && t.text == "rootDir" && r.at(i+1) == ':' && r.at(i+2) == '"' {
			r.dir = path.Join(r.dir, r.tokens[i+2].text)
		}
		if t.kind != 'a' && t.kind != '"' || t.text != key || r.at(i+1) != ':' && r.at(i+1) != '=' {
			continue
		}
		switch r.at(i + 2) {
		case '{':
			i = r.members(i+3, func(name string, from, to int) { list = r.add(list, key, name, from, to) })
		case '[': // { find: name, replacement: path }
			for i += 3; r.at(i) == '{'; i++ {
				find, a, b := "", 0, 0
				i = r.members(i+1, func(name string, from, to int) {
					switch {
					case name == "find" && to == from+1 && r.at(from) == '"':
						find = r.tokens[from].text
					case name == "replacement":
						a, b = from, to
					}
				})
				if find != "" {
					list = r.add(list, key, find, a, b)
				}
				if r.at(i+1) == ',' {
					i++
				}
			}
		}
		if len(list) > maxStated {
			return list[:maxStated]
		}
	}
	return list
}

// members calls for each member of an object its name and where its value stands, and returns where the object ends.
func (r *literals) members(i int, each func(name string, from, to int)) int {
	for r.at(i) != '}' && r.at(i) != 0 {
		name, from := "", i
		if k := r.at(i); (k == 'a' || k == '"') && r.at(i+1) == ':' {
			name, from = r.tokens[i].text, i+2
		}
		end := r.value(from)
		if name != "" {
			each(name, from, end)
		}
		if i = end; r.at(i) != '}' { // a comma, or what closes nothing
			i++
		}
	}
	return i
}

// value returns where the value that begins at a place ends.
func (r *literals) value(i int) int {
	for depth := 0; i < len(r.tokens); i++ {
		switch r.tokens[i].kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// joins are the names that may stand in a path that is known: they join what stands behind them to the folder.
var joins = language.WordSet("path resolve join new URL fileURLToPath import meta url dirname __dirname process cwd")

// add adds what a name stands for, where it is known.
func (r *literals) add(list []stated, key, name string, from, to int) []stated {
	s := stated{from: name}
	if key == "moduleNameMapper" {
		if s = mapped(name); s.from == "" {
			return list
		}
	}
	if cut, ok := strings.CutSuffix(s.from, "$"); ok {
		s.from, s.whole = cut, true
	}
	s.from = strings.TrimSuffix(s.from, "*")
	if rest, ok := strings.CutPrefix(s.from, "^"); ok { // a pattern of Babel's, of which the beginning is read
		if s = mapped("^" + rest); s.from == "" {
			return list
		}
	}
	if r.at(from) == '[' {
		for i := from + 1; i < to; i++ {
			if r.at(i) == '"' {
				s.to = append(s.to, r.path(i, i+1)...)
			}
		}
	} else {
		s.to = r.path(from, to)
	}
	if s.from == "" || len(s.to) == 0 {
		return list
	}
	return append(list, s)
}

// path returns the path that an expression is, or a package's name of Deno's registry, in a list of one; none where that is not known.
func (r *literals) path(from, to int) []string {
	var parts []string
	joined := false
	for i := from; i < to; i++ {
		switch t := r.tokens[i]; t.kind {
		case '"':
			parts = append(parts, t.text)
		case 'a':
			joined = true
			if !joins[t.text] {
				return nil
			}
		case '(', ')', '.', ',', '+':
		default:
			return nil
		}
	}
	if len(parts) == 0 {
		return nil
	}
	if name, ok := strings.CutPrefix(parts[0], "jsr:"); ok && !joined && strings.HasPrefix(name, "@") { // a package, which may be the repository's own
		scope, rest, _ := strings.Cut(name, "/")
		base, _, _ := strings.Cut(rest, "@")
		return []string{scope + "/" + base}
	}
	rooted := false
	parts[0], rooted = strings.CutPrefix(parts[0], "<rootDir>")
	if !joined && !rooted && !r.bare && !strings.HasPrefix(parts[0], ".") && !strings.HasPrefix(parts[0], "/") { // a package
		return nil
	}
	last := parts[len(parts)-1]
	p := path.Join(r.dir, path.Join(parts...))
	p = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(p, "$1"), `\1`), "*")
	if strings.HasSuffix(last, "/") {
		p += "/"
	}
	return []string{p}
}

// mapped is what a pattern of Jest maps: ^@/(.*)$ the beginning of names, ^name$ one name. Others are not read.
func mapped(pattern string) stated {
	s, ok := strings.CutPrefix(pattern, "^")
	if !ok {
		return stated{}
	}
	s, end := strings.CutSuffix(s, "$")
	s = strings.NewReplacer(`\/`, "/", `\.`, "\x00", `\-`, "-", `\$`, "\x01").Replace(s)
	begins := false
	for _, rest := range []string{"(.*)", "(.+)"} {
		if cut, ok := strings.CutSuffix(s, rest); ok {
			s, begins = cut, true
		}
	}
	if strings.ContainsAny(s, `.\^$*+?()[]{}|`) || !begins && !end {
		return stated{}
	}
	return stated{from: strings.NewReplacer("\x00", ".", "\x01", "$").Replace(s), whole: !begins}
}

// leads returns where a name may lead.
func (s *stated) leads(name string) (list []string) {
	if s.searched {
		return []string{path.Join(s.to[0], name)}
	}
	rest, ok := strings.CutPrefix(name, s.from)
	if !ok || s.whole && rest != "" || rest != "" && rest[0] != '/' && !strings.HasSuffix(s.from, "/") {
		return nil
	}
	for _, to := range s.to {
		if rest != "" && strings.HasSuffix(s.from, "/") && !strings.HasSuffix(to, "/") {
			to += "/"
		}
		list = append(list, to+rest)
	}
	return list
}
