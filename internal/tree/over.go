package tree

import (
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Over returns the root that reads the files of names from upper, and everything else
// from lower. A name that is no file in upper is absent. Closing it closes neither.
func Over(lower, upper *Root, names []string) *Root {
	o := &over{lower: lower, upper: upper, file: make(map[string]bool, len(names)), folders: map[string]map[string]bool{}}
	for _, name := range names {
		in, err := upper.Lstat(name)
		o.file[name] = err == nil && !in.Mode.IsDir()
		for p := name; p != "."; p = path.Dir(p) {
			dir := path.Dir(p)
			if o.folders[dir] == nil {
				o.folders[dir] = map[string]bool{}
			}
			// A folder is there where a file in it is.
			o.folders[dir][path.Base(p)] = o.folders[dir][path.Base(p)] || o.file[name]
		}
	}
	return New(o)
}

// over is a Source.
type over struct {
	lower, upper *Root
	// file holds the names that upper decides on, and whether it has such a file.
	file map[string]bool
	// folders are those that lead to such names: what they hold of that kind, and whether
	// anything there is in upper.
	folders map[string]map[string]bool
}

func (o *over) absent(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// from returns the root that a name is read from; nil where it is absent.
func (o *over) from(name string) *Root {
	there, decided := o.file[name]
	switch {
	case !decided:
		return o.lower
	case there:
		return o.upper
	}
	return nil
}

func (o *over) Lstat(name string) (Info, error) {
	in, err := Info{}, o.absent("lstat", name)
	if root := o.from(name); root != nil {
		in, err = root.Lstat(name)
	}
	if err != nil || !in.Mode.IsDir() {
		for _, there := range o.folders[name] {
			if there {
				return Info{Mode: fs.ModeDir}, nil
			}
		}
	}
	return in, err
}

func (o *over) List(name string) ([]Entry, error) {
	kids := o.folders[name]
	if kids == nil {
		return o.lower.List(name)
	}
	list, err := o.lower.List(name) // none where lower has a file
	if in, failed := o.Lstat(name); err != nil && (failed != nil || !in.Mode.IsDir()) {
		return nil, err
	}
	entries := map[string]Entry{}
	for _, e := range list {
		entries[e.Name] = e
	}
	for kid, there := range kids {
		at := kid
		if name != "." {
			at = name + "/" + kid
		}
		if _, isFile := o.file[at]; !isFile {
			if old, ok := entries[kid]; there && (!ok || !old.Mode.IsDir()) {
				entries[kid] = Entry{Name: kid, Mode: fs.ModeDir}
			}
			continue
		}
		delete(entries, kid)
		if in, err := o.Lstat(at); err == nil {
			entries[kid] = Entry{Name: kid, Mode: in.Mode.Type(), ID: in.ID}
		}
	}
	out := slices.Collect(maps.Values(entries))
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.key(), b.key()) })
	return out, nil
}

func (o *over) Open(name string) (io.ReadCloser, Info, error) {
	root := o.from(name)
	if root == nil {
		return nil, Info{}, o.absent("open", name)
	}
	return root.Open(name)
}

func (o *over) Readlink(name string) (string, error) {
	root := o.from(name)
	if root == nil {
		return "", o.absent("readlink", name)
	}
	return root.Readlink(name)
}

func (o *over) Close() error { return nil }
