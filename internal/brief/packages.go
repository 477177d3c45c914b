package brief

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/source"
)

// goPackages are the packages of Go, by their folders, that register routes or mount what does.
type goPackages map[string]*goPackage

// goPackage is a package: its first member stands for all of them, as what one file names is the package's.
type goPackage struct {
	member int
	// registers are the functions and methods that register routes, or mount such as do.
	registers []string
}

// packagesOf are those of the members with these surfaces.
func (w *shelves) packagesOf(members []int, found []source.Surface) goPackages {
	all := goPackages{}
	for n, i := range members {
		name := w.Members[i].Path
		if path.Ext(name) != ".go" || len(found[n].Routes)+len(found[n].Mounts) == 0 {
			continue
		}
		dir := path.Dir(name)
		if all[dir] == nil {
			all[dir] = &goPackage{member: i}
		}
		p := all[dir]
		p.registers = append(p.registers, found[n].RoutedOn...)
		for _, m := range found[n].Mounts {
			p.registers = append(p.registers, m.On)
		}
	}
	for _, p := range all {
		slices.Sort(p.registers)
		p.registers = slices.Compact(p.registers)
	}
	return all
}

// first is the member that stands for the package of a file, the file's own in other languages.
func (all goPackages) first(name string, member int) int {
	if p := all[path.Dir(name)]; p != nil && path.Ext(name) == ".go" {
		return p.member
	}
	return member
}

// mounts returns the router that a file in a folder mounts, by the member that stands for its package and the name that it has there; ok is
// false where that is not sure.
func (all goPackages) mounts(dir string, m source.Mount) (member int, router string, ok bool) {
	in := []*goPackage{all[dir]}
	switch {
	case m.Module != "":
		in[0] = all.imported(m.Module)
	case m.Said:
		in = slices.Collect(maps.Values(all))
	}
	of, name, _ := strings.Cut(m.Router, ".")
	found, called := 0, 0 // by what is called, and of a type that is called as the variable, too
	for _, p := range in {
		if p == nil {
			continue
		}
		for _, one := range p.registers {
			typed, method, _ := strings.Cut(one, ".")
			switch {
			case one == m.Router && !m.Said, m.Said && method == name && strings.EqualFold(typed, of):
				member, router = p.member, one
				called++
			case m.Said && method == name:
				if found++; called == 0 {
					member, router = p.member, one
				}
			}
		}
	}
	return member, router, called == 1 || called == 0 && found == 1
}

// imported is the package of the longest folder that an import path ends with, nil for none.
func (all goPackages) imported(module string) *goPackage {
	for dir := module; ; {
		if p := all[dir]; p != nil {
			return p
		}
		_, rest, more := strings.Cut(dir, "/")
		if dir = rest; !more {
			return nil
		}
	}
}
