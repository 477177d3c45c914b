package brief

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/source"
)

// maxMounted is how many routers may stand below one another.
const maxMounted = 8

// maxLoaded bounds the folders that are mounted whole: each is looked for in all paths.
const maxLoaded = 20

// routerOf is a router of a member, by the name that other files have for it.
type routerOf struct {
	member int
	name   string
}

// mounting is what puts a router below a beginning of paths.
type mounting struct {
	on      routerOf
	prefix  string
	unknown bool
}

// mounts are where routers of members are put below beginnings of paths.
type mounts map[routerOf][]mounting

// mount finds what the surfaces of members mount: routers of files that theirs import, as the graph knows it, or of the same file; in a
// list of Django, and in Rust, also of the one file that is called as a text says.
func (w *shelves) mount(members []int, found []source.Surface) mounts {
	if !slices.ContainsFunc(found, func(s source.Surface) bool { return len(s.Mounts) > 0 }) {
		return nil
	}
	of, imports, listed := mounts{}, w.importedBy(members), modules{}
	folders := 0
	for n, i := range members {
		if ext := path.Ext(w.Members[i].Path); (ext == ".py" || ext == ".rs") && len(found[n].Routes)+len(found[n].Mounts) > 0 {
			listed.add(w.Members[i].Path, i)
		}
	}
	packages := w.packagesOf(members, found)
	for n, s := range found {
		if len(s.Mounts) == 0 {
			continue
		}
		from, imported := w.Members[members[n]].Path, modules{}
		for _, i := range imports[from] {
			imported.add(w.Members[i].Path, i)
		}
		for _, m := range s.Mounts {
			if m.Folder != "" {
				if folders++; folders > maxLoaded {
					continue
				}
				w.mountFolder(of, members, found, path.Join(path.Dir(from), m.Folder), routerOf{members[n], m.On})
				continue
			}
			to, ok := members[n], true
			switch {
			case path.Ext(from) == ".go":
				to, m.Router, ok = packages.mounts(path.Dir(from), m)
			case m.Module != "" && m.Said:
				to, ok = listed.only(strings.ReplaceAll(m.Module, ".", "/"))
			case m.Module != "":
				to, ok = imported.only(moduleIn(from, m.Module))
			}
			if ok {
				at := routerOf{to, m.Router}
				of[at] = append(of[at], mounting{routerOf{packages.first(w.Members[members[n]].Path, members[n]), m.On}, m.Prefix, m.Unknown})
			}
		}
	}
	return of
}

// mountFolder mounts what the texts of a folder give, each below the folders that it stands in there; one that is called _id stands for a
// value.
func (w *shelves) mountFolder(of mounts, members []int, found []source.Surface, folder string, on routerOf) {
	for n, i := range members {
		below, within := strings.CutPrefix(w.Members[i].Path, folder+"/")
		if !within || len(found[n].Routes) == 0 {
			continue
		}
		prefix := ""
		for part := range strings.SplitSeq(path.Dir(below), "/") {
			if part != "." {
				prefix += "/" + strings.Replace(part, "_", ":", 1)
			}
		}
		of[routerOf{i, ""}] = append(of[routerOf{i, ""}], mounting{on, prefix, false})
	}
}

// importedBy returns for each path the members that it imports.
func (w *shelves) importedBy(members []int) map[string][]int {
	by := map[string][]int{}
	for _, i := range members {
		for _, user := range w.Members[i].Users {
			by[user] = append(by[user], i)
		}
	}
	return by
}

// modules are files by what they are called as: by their path without the extension, behind a /, and by its last parts, without what
// stands for a folder.
type modules map[string][]int

// maxEndings bounds the parts of a path by the last of which a file is looked for.
const maxEndings = 8

func (m modules) add(name string, member int) {
	note := func(called string) {
		if list := m[called]; len(list) == 0 || list[len(list)-1] != member {
			m[called] = append(list, member)
		}
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	for _, called := range [...]string{name, strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "/index"), "/__init__"), "/mod")} {
		note("/" + called)
		for range maxEndings {
			note(called)
			_, rest, more := strings.Cut(called, "/")
			if called = rest; !more {
				break
			}
		}
	}
}

// only is the one file that is called so.
func (m modules) only(called string) (member int, ok bool) {
	if list := m[called]; called != "" && len(list) == 1 {
		return list[0], true
	}
	return 0, false
}

// moduleIn is what the file is called as that another one means by a module; "" where that is not known.
func moduleIn(from, module string) string {
	dir := path.Dir(from)
	if strings.HasSuffix(from, ".py") {
		name := strings.TrimLeft(module, ".")
		for range len(module) - len(name) - 1 {
			dir = path.Dir(dir)
		}
		if name = strings.ReplaceAll(name, ".", "/"); strings.HasPrefix(module, ".") {
			return "/" + path.Join(dir, name)
		}
		return name
	}
	if !strings.HasPrefix(module, ".") {
		return ""
	}
	if ext := path.Ext(module); ext != "" && language.Of("a"+ext) != nil { // else it is users.routes
		module = strings.TrimSuffix(module, ext)
	}
	return "/" + path.Join(dir, module)
}

// prefix is what the routes of a router begin with by what it is mounted on, "" where that is nothing, or cannot be decided: where it is
// mounted at two places, or below what is no plain text.
func (of mounts) prefix(r routerOf) string {
	said := ""
	for range maxMounted {
		places := of[r]
		if len(places) == 0 {
			return said
		}
		if len(slices.Compact(slices.Clone(places))) != 1 || places[0].unknown {
			return said
		}
		said, r = beneath(places[0].prefix, said), places[0].on
	}
	return "" // around in a ring
}

// beneath is a path below a beginning of it.
func beneath(prefix, said string) string {
	if prefix == "" {
		return said
	}
	said = strings.TrimPrefix(said, "^")
	if strings.HasSuffix(prefix, "/") && strings.HasPrefix(said, "/") {
		said = said[1:]
	}
	if said == "/" {
		return prefix
	}
	return prefix + said
}

// mounted puts the beginnings before the paths of routes whose routers other files, or this one, mount.
func (w *shelves) mounted(members []int, found []source.Surface) {
	of := w.mount(members, found)
	if len(of) == 0 {
		return
	}
	packages := w.packagesOf(members, found)
	for n, s := range found {
		if len(s.RoutedOn) != len(s.Routes) {
			continue
		}
		routes := slices.Clone(s.Routes)
		for i := range routes {
			if prefix := of.prefix(routerOf{packages.first(w.Members[members[n]].Path, members[n]), s.RoutedOn[i]}); prefix != "" {
				routes[i].Path = beneath(prefix, routes[i].Path)
			}
		}
		found[n].Routes = routes
	}
}
