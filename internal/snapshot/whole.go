package snapshot

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/source"
)

// Whole is a definition of TypeScript or JavaScript that is all that its file exports, or its default: who imports the file
// calls it by a name of his own.
type Whole struct {
	name string
	// paths are the file, and those that hand on its default as theirs: export { default } from './card'.
	paths     []string
	importers []string // of these, in order
	// entries are the packages whose entry one of paths is.
	entries []entry
	// handed are names by which importers hand it on: export { default as Card } from './card'.
	handed []string
}

// Whole returns the definition that what is wanted is, or is a member of, where that is a whole; nil elsewhere. It may be called
// at once.
func (u *Users) Whole(w source.WantedDefinition) *Whole {
	if len(u.importers[w.Path]) == 0 || !slices.Contains(u.defaultsOf(w.Path), source.First(w.Name)) {
		return nil
	}
	return u.WholeOnce(w)
}

// WholeOnce is Whole for what was the default of its file, whether or not it still is.
func (u *Users) WholeOnce(w source.WantedDefinition) *Whole {
	l := language.Of(w.Path)
	name := source.First(w.Name)
	if l == nil || l.Family != "script" || len(u.importers[w.Path]) == 0 {
		return nil
	}
	h := &Whole{name: name, paths: []string{w.Path}}
	for i := 0; i < len(h.paths); i++ {
		importers := u.importers[h.paths[i]]
		h.importers = append(h.importers, importers...)
		for _, from := range importers[:min(len(importers), MaxUserFiles)] {
			content := u.content(u.files[from])
			if !bytes.Contains(content, []byte("default")) {
				continue
			}
			for _, x := range h.handsOn(from, content) {
				switch {
				case x.as != "default":
					h.handed = append(h.handed, x.as)
				case len(h.paths) < maxBarrels && !slices.Contains(h.paths, from):
					h.paths = append(h.paths, from)
				}
			}
		}
	}
	for _, name := range h.paths {
		if e, ok := u.entryOf(name); ok {
			h.entries = append(h.entries, e)
		}
	}
	slices.Sort(h.importers)
	h.importers = slices.Compact(h.importers)
	slices.Sort(h.handed)
	h.handed = slices.DeleteFunc(slices.Compact(h.handed), func(as string) bool { return as == name })
	return h
}

// entry is a package by its folder and its name.
type entry struct{ folder, name string }

// entryOf is the package whose manifest names a file, or that has none but its index: requiring the package, or its folder, gives that file.
func (u *Users) entryOf(name string) (e entry, ok bool) {
	folder := path.Dir(name)
	for u.files[path.Join(folder, "package.json")] == nil {
		if folder == "." {
			return e, false
		}
		folder = path.Dir(folder)
	}
	manifest := u.content(u.files[path.Join(folder, "package.json")])
	within := strings.TrimPrefix(name, folder+"/")
	bare := strings.TrimSuffix(within, path.Ext(within))
	for _, said := range []string{`"` + bare, `"./` + bare} {
		for _, end := range []string{`"`, path.Ext(within) + `"`} {
			ok = ok || bytes.Contains(manifest, []byte(said+end))
		}
	}
	if !ok && bare != "index" && bare != "src/index" && bare != "lib/index" {
		return e, false
	}
	e.folder = folder
	if m := packageName.FindSubmatch(manifest); m != nil {
		e.name = string(m[1])
	}
	return e, true
}

// packageName is what a manifest says that its package is called; what it depends on is set in further.
var packageName = lazyregexp.New(`(?:^\s*\{|\n {0,4}|\n\t)\s{0,2}"name"\s*:\s*"([^"\n]+)"`)

// maxBarrels bounds the files that hand on a default as theirs.
const maxBarrels = 16

// handing is a place at which a text hands a default on.
type handing struct {
	as   string
	line int
}

// handsOn are the places at which a text hands the whole on.
func (h *Whole) handsOn(from string, content []byte) (list []handing) {
	for _, m := range handsDefault.FindAllSubmatchIndex(content, maxCalled) {
		as := "default"
		if m[2] >= 0 {
			as = string(content[m[2]:m[3]])
		}
		if h.is(from, string(content[m[4]:m[5]])) {
			list = append(list, handing{as, 1 + bytes.Count(content[:m[0]], []byte{'\n'})})
		}
	}
	return list
}

// nameless reports whether what is wanted is a default without a name, or a member of one: the word stands for any other's, too.
func nameless(w source.WantedDefinition) bool {
	l := language.Of(w.Path)
	return l != nil && l.Family == "script" && source.First(w.Name) == "default"
}

// Of are the lines on which a text names what is wanted by the name that it has where it is defined.
func Of(m *source.Mentions, w source.WantedDefinition) []source.Use {
	if nameless(w) {
		return nil
	}
	return m.Of(w)
}

// defaultsOf are the names of what a script exports as its default, or as all that it exports. A file is asked once.
func (u *Users) defaultsOf(name string) []string {
	u.mu.Lock()
	list, asked := u.asked.defaults[name]
	u.mu.Unlock()
	if asked {
		return list
	}
	if found, err := provider.Define(name, u.content(u.files[name])); err == nil {
		for i := range found {
			if found[i].Default {
				list = append(list, found[i].Name)
			}
		}
	}
	u.mu.Lock()
	u.asked.defaults[name] = list
	u.mu.Unlock()
	return list
}

// MayStandIn reports whether a file imports the one that the whole is of, or may say a name by which others hand it on.
func (h *Whole) MayStandIn(name string, mayHold func(word []byte) bool) bool {
	return h != nil && (h.importedBy(name) || slices.ContainsFunc(h.handed, func(as string) bool { return mayHold([]byte(as)) }))
}

func (h *Whole) importedBy(name string) bool {
	_, ok := slices.BinarySearch(h.importers, name)
	return ok
}

// maxCalled bounds the imports of one text that are looked at.
const maxCalled = 500

var (
	handsDefault = lazyregexp.New(`\bexport\s*\{(?:[^}'";]*,)?\s*default(?:\s+as\s+([A-Za-z_$][\w$]*)|\s*[,}])(?:[^}'";]*\})?\s*from\s*['"]([^'"\n]+)['"]`)
	// callsDefault are the ways to give a file's default, or all of it, a name.
	callsDefault = []*lazyregexp.Regexp{
		lazyregexp.New(`\bimport\s+(?:type\s+)?([A-Za-z_$][\w$]*)\s*(?:,[^'";]*)?(?:\bfrom\s*|=\s*require\(\s*)['"]([^'"\n]+)['"]`),
		lazyregexp.New(`\bimport\s*(?:[A-Za-z_$][\w$]*\s*,\s*)?\{[^}'";]*?\bdefault\s+as\s+([A-Za-z_$][\w$]*)[^}'";]*\}\s*from\s*['"]([^'"\n]+)['"]`),
		lazyregexp.New(`([A-Za-z_$][\w$]*)\s*=\s*require\(\s*['"]([^'"\n]+)['"]`),
		lazyregexp.New(`\{[^{}]*?\bdefault\s*:\s*([A-Za-z_$][\w$]*)[^{}]*\}\s*=\s*(?:await\s+import|require)\(\s*['"]([^'"\n]+)['"]`),
		lazyregexp.New(`([A-Za-z_$][\w$]*)\s*=\s*[\w$.]+\(\s*(?:async\s*)?\(\s*\)\s*=>\s*import\(\s*['"]([^'"\n]+)['"]`), // lazy(() => import('./card'))
	}
)

// is reports whether what a file imports by a path may be the whole: a path from where it stands leads there, any other ends like it.
func (h *Whole) is(from, module string) bool {
	bare := func(s string) string {
		s = strings.TrimSuffix(s, path.Ext(s))
		return strings.TrimSuffix(s, path.Ext(s)) // card.module.css is none, card.d.ts is one
	}
	relative := strings.HasPrefix(module, ".")
	to := path.Base(strings.TrimSuffix(module, "/"))
	if relative {
		to = path.Join(path.Dir(from), module)
	}
	if slices.ContainsFunc(h.entries, func(e entry) bool { return relative && e.folder == to || !relative && e.name == module }) {
		return true
	}
	return slices.ContainsFunc(h.paths, func(file string) bool {
		of := bare(file)
		if relative {
			return to == of || bare(to) == of || path.Join(to, "index") == of
		}
		of = path.Base(strings.TrimSuffix(of, "/index"))
		return to == of || bare(to) == of || bare(to) == "index"
	})
}

// As returns what is wanted by the name under which a text of this path imports the whole; ok is false where it does not import
// it, or under its own name.
func (h *Whole) As(w source.WantedDefinition, name string, content []byte) (as source.WantedDefinition, ok bool) {
	if h == nil || len(content) == 0 {
		return w, false
	}
	called := ""
	if h.importedBy(name) {
		called = h.calls(name, content)
	}
	for _, as := range h.handed {
		if called == "" && bytes.Contains(content, []byte(as)) {
			called = as
		}
	}
	if called == "" || called == h.name {
		return w, false
	}
	w.Name, w.Told = called+strings.TrimPrefix(w.Name, h.name), true
	return w, true
}

// calls is the name that a text gives to the whole, "" for none.
func (h *Whole) calls(name string, content []byte) string {
	for _, way := range callsDefault {
		for _, m := range way.FindAllSubmatch(content, maxCalled) {
			if h.is(name, string(m[2])) {
				return string(m[1])
			}
		}
	}
	return ""
}

// Uses are the lines on which a text names what As returned. Where the text binds it anew it is told as unsure.
func (h *Whole) Uses(m *source.Mentions, as source.WantedDefinition) []source.Use {
	list := m.Of(as)
	if len(list) == 0 && !as.Member() {
		for _, w := range m.Words(as.Name) {
			if w.As != source.Literal && w.As != source.Template {
				list = append(list, source.Use{Line: w.Line})
			}
		}
	}
	return list
}

// Hands are the lines on which a text of this path hands the whole on.
func (h *Whole) Hands(w source.WantedDefinition, name string, content []byte) (list []source.Use) {
	if h == nil || w.Member() || !h.importedBy(name) {
		return nil
	}
	for _, x := range h.handsOn(name, content) {
		list = append(list, source.Use{Line: x.line, Sure: true, Imports: true})
	}
	return list
}
