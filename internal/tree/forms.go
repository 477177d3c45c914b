package tree

import (
	"slices"
	"strings"
)

// Form is how a simple pattern names paths.
type Form uint8

const (
	// Whole: the key is the path.
	Whole Form = iota
	// Base: the key is the path's last element.
	Base
	// Suffix and Prefix: the last element ends, or begins, with the key.
	Suffix
	Prefix
	// Below: the path lies below the folder that the key names.
	Below
	forms
)

// Forms finds the simple patterns that name a path, out of any number: what a path
// costs depends on its length, not on theirs. Lists that strangers write have to be
// asked for every path there is.
type Forms struct {
	ids  [forms]map[string]int
	lens [forms][]int // of the keys of Suffix and Prefix
	n    int
}

// Add returns the number of a pattern: they count from 0, and equal ones have the
// same.
func (f *Forms) Add(form Form, key string) int {
	if id, ok := f.ids[form][key]; ok {
		return id
	}
	if f.ids[form] == nil {
		f.ids[form] = map[string]int{}
	}
	if form == Suffix || form == Prefix {
		if i, ok := slices.BinarySearch(f.lens[form], len(key)); !ok {
			f.lens[form] = slices.Insert(f.lens[form], i, len(key))
		}
	}
	f.ids[form][key] = f.n
	f.n++
	return f.n - 1
}

// Each calls visit with the number of each pattern that names the path, in no
// order.
func (f *Forms) Each(path string, visit func(id int)) {
	if f.n == 0 {
		return
	}
	see := func(form Form, key string) {
		if id, ok := f.ids[form][key]; ok {
			visit(id)
		}
	}
	base := path[strings.LastIndexByte(path, '/')+1:]
	see(Whole, path)
	see(Base, base)
	for _, n := range f.lens[Suffix] {
		if n > len(base) {
			break
		}
		see(Suffix, base[len(base)-n:])
	}
	for _, n := range f.lens[Prefix] {
		if n > len(base) {
			break
		}
		see(Prefix, base[:n])
	}
	if len(f.ids[Below]) > 0 {
		for i := range len(path) {
			if path[i] == '/' && i > 0 {
				see(Below, path[:i])
			}
		}
	}
}
