package typescript

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"
)

// workspace knows the packages of the repository itself by name. It is asked
// for names that resolve to nothing: a package that is not installed, or whose
// exports lead to files that a build would make.
type workspace struct {
	b    *builder
	once sync.Once
	// byName are the folders' manifests; of two with one name, the first by path.
	byName map[string]*manifest
	memo   sync.Map // specifier -> path
}

// manifest is what a package.json, or Deno's deno.json, says of a package's files.
type manifest struct {
	dir     string
	Name    string          `json:"name"`
	Exports json.RawMessage `json:"exports"`
	Source  any             `json:"source"`
	Types   any             `json:"types"`
	Typings any             `json:"typings"`
	Module  any             `json:"module"`
	Main    any             `json:"main"`

	// subpaths and targets are the members of Exports, in their order, where they are
	// subpaths; at finds one by its name.
	subpaths []string
	targets  []json.RawMessage
	at       map[string]int
}

// index reads the exports once.
func (m *manifest) index() {
	if raw := json.RawMessage(strings.TrimSpace(string(m.Exports))); len(raw) > 0 && raw[0] == '{' {
		if keys, values := members(raw); len(keys) > 0 && strings.HasPrefix(keys[0], ".") {
			m.subpaths, m.targets, m.at = keys, values, make(map[string]int, len(keys))
			for i, k := range keys {
				if _, ok := m.at[k]; !ok {
					m.at[k] = i
				}
			}
		}
	}
}

func (w *workspace) load() {
	w.byName = map[string]*manifest{}
	for i := range w.b.sources {
		s := &w.b.sources[i]
		name := s.Path
		if base := path.Base(name); base != "package.json" && base != "deno.json" {
			continue
		}
		raw, err := w.b.files.readSource(s)
		content, ok := w.b.files.said(w.b.files.abs(name), raw, err)
		if !ok {
			continue
		}
		m := &manifest{dir: path.Dir(name)}
		if json.Unmarshal([]byte(content), m) != nil || m.Name == "" {
			continue
		}
		if old := w.byName[m.Name]; old == nil || m.dir < old.dir {
			m.index()
			w.byName[m.Name] = m
		}
	}
}

// source returns the path of the source that a module name means, or "".
func (w *workspace) source(name string) string {
	w.once.Do(w.load)
	if v, ok := w.memo.Load(name); ok {
		return v.(string)
	}
	file := w.find(name)
	w.memo.Store(name, file)
	return file
}

// linked is the path of a file of the repository where name leads to a package
// of the repository in the root's node_modules and none is installed there;
// else name.
func (w *workspace) linked(name string) string {
	dir := w.b.files.mounts[0].dir
	rest, ok := strings.CutPrefix(name, dir+"/node_modules")
	if !ok || rest != "" && rest[0] != '/' {
		return name
	}
	if rest = strings.TrimPrefix(rest, "/"); rest == "" || !strings.Contains(rest, "/") && rest[0] == '@' {
		// The folder that holds the packages, or a scope's.
		if !w.b.files.directoryExists(name) {
			return dir
		}
		return name
	}
	w.once.Do(w.load)
	m, sub := w.named(rest)
	if m == nil || w.b.files.directoryExists(dir+"/node_modules/"+m.Name) {
		return name
	}
	return path.Join(dir, m.dir, sub)
}

// named returns the package that a module name begins with, and the rest.
func (w *workspace) named(name string) (m *manifest, sub string) {
	parts := strings.SplitN(name, "/", 3)
	n := 1
	if strings.HasPrefix(name, "@") {
		n = 2
	}
	if len(parts) < n {
		return nil, ""
	}
	if m = w.byName[strings.Join(parts[:n], "/")]; m == nil {
		return nil, ""
	}
	return m, strings.TrimPrefix(name[len(m.Name):], "/")
}

func (w *workspace) find(name string) string {
	m, sub := w.named(name)
	if m == nil {
		return ""
	}
	var targets []string
	if len(m.Exports) > 0 && string(m.Exports) != "null" {
		key := "."
		if sub != "" {
			key = "./" + sub
		}
		var closed bool
		targets, closed = m.exported(key)
		if closed {
			return ""
		}
		if len(targets) == 0 {
			// Not offered, but there: a deep name that an alias serves.
			return w.sourceOf(m.dir, sub)
		}
	} else if sub == "" {
		for _, v := range []any{m.Source, m.Types, m.Typings, m.Module, m.Main} {
			if s, ok := v.(string); ok {
				targets = append(targets, s)
			}
		}
	}
	for _, t := range targets {
		if file := w.sourceOf(m.dir, t); file != "" {
			return file
		}
	}
	guesses := []string{"src/index", "index", "src/main"}
	if sub != "" {
		if file := w.sourceOf(m.dir, sub); file != "" {
			return file
		}
		guesses = []string{sub, "src/" + sub, sub + "/index", "src/" + sub + "/index"}
	}
	for _, g := range guesses {
		if file := w.known(path.Join(m.dir, g)); file != "" {
			return file
		}
	}
	return ""
}

// exported returns the files that a package's exports give for a subpath, in
// the order in which they are written. It is closed when they name it to say
// that there is none.
func (m *manifest) exported(key string) (targets []string, closed bool) {
	if m.subpaths != nil {
		best, bestLength, star := -1, -1, ""
		if i, ok := m.at[key]; ok {
			best = i
		} else {
			for i, k := range m.subpaths {
				head, tail, ok := strings.Cut(k, "*")
				if ok && len(key) >= len(head)+len(tail) && strings.HasPrefix(key, head) && strings.HasSuffix(key, tail) && len(head) > bestLength {
					best, bestLength, star = i, len(head), key[len(head):len(key)-len(tail)]
				}
			}
		}
		if best < 0 {
			return nil, false
		}
		targets = leaves(m.targets[best], star)
		return targets, len(targets) == 0
	}
	if key != "." {
		return nil, false
	}
	return leaves(m.Exports, ""), false
}

// leaves returns the strings in a target of exports, whatever their conditions.
func leaves(raw json.RawMessage, star string) []string {
	var list []string
	var walk func(raw json.RawMessage, depth int)
	walk = func(raw json.RawMessage, depth int) {
		raw = json.RawMessage(strings.TrimSpace(string(raw)))
		if len(raw) == 0 || depth > 20 {
			return
		}
		switch raw[0] {
		case '"':
			var s string
			if json.Unmarshal(raw, &s) == nil {
				list = append(list, strings.Replace(s, "*", star, 1))
			}
		case '[':
			var values []json.RawMessage
			if json.Unmarshal(raw, &values) == nil {
				for _, v := range values {
					walk(v, depth+1)
				}
			}
		case '{':
			_, values := members(raw)
			for _, v := range values {
				walk(v, depth+1)
			}
		}
	}
	walk(raw, 0)
	return list
}

// members returns an object's members in their order; nil when raw is none.
func members(raw json.RawMessage) (keys []string, values []json.RawMessage) {
	if !json.Valid(raw) {
		return nil, nil
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil
	}
	keys = []string{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, nil
		}
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return nil, nil
		}
		key, _ := k.(string)
		keys, values = append(keys, key), append(values, v)
	}
	return keys, values
}

// built are the folders that a build fills from src or from the package's root.
var built = []string{"dist", "build", "lib", "out", "output", "es", "esm", "cjs", "types", "typings", "bundle", "_esm", "_cjs", "_types"}

// sourceOf returns the source from which a build would make the file target of
// the package in dir: the file itself, or the same name with the extension of a
// source, with the build folder left out or replaced by src.
func (w *workspace) sourceOf(dir, target string) string {
	target = path.Clean(target)
	if target == "." || strings.HasPrefix(target, "../") || target == ".." || strings.HasPrefix(target, "/") {
		return ""
	}
	if _, ok := w.b.known[path.Join(dir, target)]; ok {
		return path.Join(dir, target)
	}
	stem := target
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".mjs", ".cjs", ".js", ".jsx", ".mts", ".cts", ".tsx", ".ts"} {
		if s, ok := strings.CutSuffix(target, ext); ok {
			stem = s
			break
		}
	}
	for rest := stem; ; {
		for _, at := range []string{path.Join("src", rest), rest} {
			if file := w.known(path.Join(dir, at)); file != "" {
				return file
			}
		}
		first, tail, ok := strings.Cut(rest, "/")
		if !ok || !slices.Contains(built, first) && first != "src" {
			return ""
		}
		rest = tail
	}
}

// known returns the source with this path but for its extension.
func (w *workspace) known(stem string) string {
	for _, ext := range []string{".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.tsx"} {
		if _, ok := w.b.known[stem+ext]; ok {
			return stem + ext
		}
	}
	return ""
}
