package snapshot

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// Users finds the files that name a definition of another file.
type Users struct {
	files map[string]*scan.File
	// importers and imports are the edges between files, both ways.
	importers, imports map[string][]string
	// told are the files that import a definition by name, where the graph says so.
	told map[string]map[string][]string
	kept splitTexts
	// beside are the Go files of a folder, which see each other without imports.
	beside map[string][]string
	// passed are files that are not looked through.
	passed map[string]int
	// reached are the files that reaching found last, and of whom: definitions of one file are asked for in a row.
	reached struct {
		of   string
		list []string
	}
	most  int        // MaxUserFiles, or all
	mu    sync.Mutex // guards asked
	asked askedFiles
}

// askedFiles is what is remembered of files that were asked once.
type askedFiles struct {
	// defaults are the names of what files of scripts export as their default, or as all that they export.
	defaults map[string][]string
	// barrels says of files that were asked whether they hand on what they import.
	barrels map[string]bool
	// heirs are, of types that were asked, those that extend them.
	heirs map[typePlace][]heir
	// types are the files that declare what a file means by the name of a type, "" for none that is sure.
	types map[namedIn]typeAsked
	// members are what files say of the members of their types.
	members map[memberOf]memberAsked
	// packages are, of files of Go, the path by which their package is imported, and its name.
	packages map[string][2]string
	// chains is how many files were looked through for chains of calls, looked what for them, of maxAllLooked.
	chains int
	looked int64
}

// FileUse is where a file names a definition.
type FileUse struct {
	Path string
	// Uses are lines in their order; none where the graph says that the file imports the name, and no line is found.
	Uses []source.Use
}

// Bounds of the search for users.
const (
	// MaxUserFiles bounds the files that are looked through for one definition; of one that more files may use it is not known
	// who does.
	MaxUserFiles = 400
)

// NewUsers looks among files by path, but for the paths that are passed over; meta says who imports whom, told who imports
// what by name.
func NewUsers(files map[string]*scan.File, meta *graph.Meta, told map[string]map[string][]string, passed map[string]int) *Users {
	u := &Users{files: files, importers: map[string][]string{}, imports: map[string][]string{}, told: told, beside: map[string][]string{}, passed: passed, most: MaxUserFiles,
		asked: askedFiles{barrels: map[string]bool{}, defaults: map[string][]string{}, heirs: map[typePlace][]heir{}, types: map[namedIn]typeAsked{}, members: map[memberOf]memberAsked{}, packages: map[string][2]string{}}}
	if meta != nil {
		for from, n := range meta.Nodes {
			for _, e := range n.Edges {
				if e.Target != from && files[from] != nil && files[e.Target] != nil {
					u.importers[e.Target] = append(u.importers[e.Target], from)
					u.imports[from] = append(u.imports[from], e.Target)
				}
			}
		}
	}
	for _, list := range u.importers {
		slices.Sort(list)
	}
	for name := range files {
		if path.Ext(name) == ".go" {
			u.beside[path.Dir(name)] = append(u.beside[path.Dir(name)], name)
		}
	}
	return u
}

// All lets Of, Importing and Heirs look through as many files as there are: for who asks about one definition, and not about a change.
func (u *Users) All() { u.most = len(u.files) }

// Of lists the files that name what is wanted, by path; known is false where too many files may.
func (u *Users) Of(w source.WantedDefinition) (list []FileUse, known bool) {
	candidates := map[string]bool{} // true where the graph says that the name is imported
	byName, named := u.told[w.Path]
	if named {
		for _, name := range byName[source.First(w.Name)] {
			candidates[name] = true
		}
		for _, all := range []string{"*", "default"} {
			for _, name := range byName[all] {
				if !candidates[name] {
					candidates[name] = false
				}
			}
		}
	} else {
		for _, name := range u.near(w) {
			candidates[name] = false
		}
	}
	if list, known = u.among(candidates, w); known {
		list = joined(slices.Concat(list, u.inherited(w), u.chained(w)))
	}
	return list, known
}

// joined are the files by path, each once.
func joined(list []FileUse) []FileUse {
	slices.SortStableFunc(list, func(a, b FileUse) int { return strings.Compare(a.Path, b.Path) })
	var all []FileUse
	for _, x := range list {
		if n := len(all) - 1; n >= 0 && all[n].Path == x.Path {
			all[n].Uses = slices.Concat(all[n].Uses, x.Uses)
		} else {
			all = append(all, x)
		}
	}
	return all
}

// Importing is Of for what is defined no longer: of the files that import the one which defined it.
func (u *Users) Importing(w source.WantedDefinition) (list []FileUse, known bool) {
	candidates := map[string]bool{}
	for _, name := range u.near(w) {
		candidates[name] = false
	}
	return u.among(candidates, w)
}

// among lists which of the files name what is wanted; true are those that are known to import it by name.
func (u *Users) among(candidates map[string]bool, w source.WantedDefinition) (list []FileUse, known bool) {
	whole := u.Whole(w)
	w.Returned = u.Returned(w)
	w.Import, w.Package = u.Package(w.Path)
	if whole != nil {
		for _, name := range whole.importers {
			if _, ok := candidates[name]; !ok { // it may name it otherwise
				candidates[name] = false
			}
		}
	}
	maps.DeleteFunc(candidates, func(name string, _ bool) bool { _, passed := u.passed[name]; return passed })
	if len(candidates) > u.most {
		return nil, false
	}
	for name, told := range candidates {
		asked := w
		asked.Told = told
		f := u.files[name]
		if f == nil || name == w.Path {
			continue
		}
		var found []source.Use
		if m := u.mentions(f, asked); m != nil {
			found = Of(m, asked)
			if !told && slices.ContainsFunc(found, func(x source.Use) bool { return !x.Sure }) && u.handed(m, name, w) {
				asked.Told = true
				found = Of(m, asked)
			}
		}
		if whole != nil {
			content := u.content(f)
			found = append(found, whole.Hands(w, name, content)...)
			if as, ok := whole.As(w, name, content); ok {
				if m := u.mentions(f, as); m != nil {
					found = append(found, whole.Uses(m, as)...)
				}
			}
		}
		if len(found) > 0 || told && !asked.Member() {
			list = append(list, FileUse{name, found})
		}
	}
	slices.SortFunc(list, func(a, b FileUse) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	return list, true
}

// Reaching are all files that import the one which defines what is wanted, or that import what hands it on. It may be called at once.
func (u *Users) Reaching(w source.WantedDefinition) []string { return u.reaching(w, len(u.files)) }

// Importers are the files that import a file.
func (u *Users) Importers(name string) []string { return u.importers[name] }

// near is reaching for the files that are looked through, and remembers its last answer.
func (u *Users) near(w source.WantedDefinition) []string {
	of := w.Path
	if declaresApart(w.Path) {
		of += "\x00" + w.Name // headers that declare this one
	}
	if u.reached.of != of {
		u.reached.of, u.reached.list = of, u.reaching(w, u.most)
	}
	return u.reached.list
}

// reaching is Reaching for the first files, a few more than most.
func (u *Users) reaching(w source.WantedDefinition, most int) (list []string) {
	seen := map[string]bool{w.Path: true}
	queue := []string{w.Path}
	if declaresApart(w.Path) { // what a header declares for it
		for _, header := range u.imports[w.Path] {
			if u.defines(header, w.Name) {
				seen[header] = true
				queue = append(queue, header)
			}
		}
	}
	for i := 0; i < len(queue) && len(list) <= most; i++ {
		next := u.importers[queue[i]]
		if path.Ext(queue[i]) == ".go" {
			next = slices.Concat(next, u.beside[path.Dir(queue[i])])
		}
		for _, name := range next {
			if seen[name] {
				continue
			}
			seen[name] = true
			if _, passed := u.passed[name]; !passed {
				list = append(list, name)
			}
			if u.handsOn(name) {
				queue = append(queue, name)
			}
		}
	}
	return list
}

// declaresApart reports whether what a file of this name defines is declared in another for those who use it.
func declaresApart(name string) bool {
	l := language.Of(name)
	return l != nil && l.Family == "C"
}

// handsOn reports whether who imports a file has what that imports, too. A file is asked once.
func (u *Users) handsOn(name string) bool {
	u.mu.Lock()
	hands, asked := u.asked.barrels[name]
	u.mu.Unlock()
	if !asked {
		hands = u.exports(name)
		u.mu.Lock()
		u.asked.barrels[name] = hands
		u.mu.Unlock()
	}
	return hands
}

// Barrels says of the files that were asked whether who imports them has what they import. It may be called at once.
func (u *Users) Barrels() map[string]bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return maps.Clone(u.asked.barrels)
}

// TakeBarrels takes over what Barrels said of files of the same content.
func (u *Users) TakeBarrels(known map[string]bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.Copy(u.asked.barrels, known)
}

// exports is handsOn by the file's language, name and text.
func (u *Users) exports(name string) bool {
	as := name
	if f := u.files[name]; f != nil {
		as = f.As()
	}
	l := language.Of(as)
	switch {
	case l == nil:
		return false
	case l.Family == "C", l.Name == "Shell":
		return true
	case l.Name == "Dart":
		content := u.content(u.files[name])
		return bytes.Contains(content, []byte("export '")) || bytes.Contains(content, []byte(`export "`))
	case l.Name == "Protocol Buffers":
		return bytes.Contains(u.content(u.files[name]), []byte("import public"))
	case l.Family == "script" && u.requiresAndExports(name):
		return true
	case l.Family == "script", l.Name == "Python", l.Name == "Rust":
		return path.Base(name) == "__init__.py" || path.Base(name) == "lib.rs" || path.Base(name) == "mod.rs" || bytes.Contains(u.content(u.files[name]), []byte("export "))
	}
	return false
}

// requiresAndExports reports whether a script exports what it requires: exports.a = require('./a').
func (u *Users) requiresAndExports(name string) bool {
	content := u.content(u.files[name])
	if !bytes.Contains(content, []byte("exports")) || !bytes.Contains(content, []byte("require(")) {
		return false
	}
	if exportsRequired.Match(content) {
		return true
	}
	found, err := provider.Define(name, content)
	return err == nil && slices.ContainsFunc(found, func(d graph.Definition) bool { return d.Kind == "alias" })
}

var exportsRequired = lazyregexp.New(`\bexports\s*=\s*require\(`)

// defines reports whether a file defines a name.
func (u *Users) defines(name, wanted string) bool {
	found, err := provider.DefineAll(name, u.content(u.files[name]))
	return err == nil && slices.ContainsFunc(found, func(d graph.Definition) bool { return d.Name == wanted })
}

// handed reports whether the name that a text imports is what is wanted, which others hand on to it: it imports it from the package of
// that, the graph follows it there, and to no other file that defines one of the name.
func (u *Users) handed(m *source.Mentions, from string, w source.WantedDefinition) bool {
	first := source.First(w.Name)
	if !slices.Contains(u.imports[from], w.Path) || !m.ImportsWithin(first, w.Path) {
		return false
	}
	return !slices.ContainsFunc(u.imports[from], func(to string) bool {
		return to != w.Path && bytes.Contains(u.content(u.files[to]), []byte(first)) && u.defines(to, first)
	})
}

// content is a file's screened text; nil where it cannot be read.
func (u *Users) content(f *scan.File) []byte {
	if f == nil || !f.Extractable() || f.Size > source.MaxMentioned {
		return nil
	}
	raw, err := f.Read()
	if err != nil {
		return nil
	}
	return text.Decode(raw, f.Encoding)
}

// Returned reports whether what is wanted belongs to the table that its file of Lua returns.
func (u *Users) Returned(w source.WantedDefinition) bool {
	l := language.Of(w.Path)
	return l != nil && l.Name == "Lua" && w.Member() && source.Returns(u.content(u.files[w.Path])) == source.First(w.Name)
}

// Package is the path by which files of Go import the package of a file, and the name that the package gives itself; both are "" where no
// go.mod above says which module it is of, and of other languages.
func (u *Users) Package(name string) (imported, called string) {
	if path.Ext(name) != ".go" {
		return "", ""
	}
	u.mu.Lock()
	known, ok := u.asked.packages[name]
	u.mu.Unlock()
	if !ok {
		known[0], known[1] = u.packageOf(name)
		u.mu.Lock()
		u.asked.packages[name] = known
		u.mu.Unlock()
	}
	return known[0], known[1]
}

// packageOf is Package, asked of the texts.
func (u *Users) packageOf(name string) (imported, called string) {
	dir := path.Dir(name)
	for top, n := dir, 0; n < maxFolders; top, n = path.Dir(top), n+1 {
		if f := u.files[path.Join(top, "go.mod")]; f != nil {
			module := modfile.ModulePath(u.content(f))
			called := source.PackageOf(u.content(u.files[name]))
			if module == "" || called == "" {
				return "", ""
			}
			rest := dir
			if top != "." {
				rest = strings.TrimPrefix(strings.TrimPrefix(dir, top), "/")
			}
			return path.Join(module, rest), called
		}
		if top == "." || top == "/" {
			break
		}
	}
	return "", ""
}

// maxFolders bounds the folders above a file of Go in which its go.mod is looked for.
const maxFolders = 64

// mentions splits a file's text, or has it from before; nil where it has not the words for what is wanted.
func (u *Users) mentions(f *scan.File, w source.WantedDefinition) *source.Mentions {
	if m := u.kept.of[f.Path]; m != nil {
		return m
	}
	content := u.content(f)
	if content == nil || !w.MayStandIn(content) {
		return nil
	}
	return u.split(f, content)
}
