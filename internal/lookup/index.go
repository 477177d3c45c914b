package lookup

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// Index knows the names that the files of a sealed repository define. It is made when it is first asked, and takes over what an
// earlier one knows of files of the same content. Its methods may be called at once.
type Index struct {
	sealed *snapshot.Contents
	files  map[string]*scan.File
	before *Index // until it is made

	once sync.Once
	// of are the names by the file's place in sealed.Files.
	of    []names
	fault error

	linked sync.Once
	// links say who imports whom.
	links *snapshot.Users
}

// names are what a file defines.
type names struct {
	sum  string
	list []string
	// broken: it does not parse.
	broken bool
}

// NewIndex returns the index of a repository. before is that of the same repository as it was; nil for none.
func NewIndex(s *snapshot.Contents, before *Index) *Index {
	x := &Index{sealed: s, files: make(map[string]*scan.File, len(s.Files)), before: before}
	for i := range s.Files {
		x.files[s.Files[i].Path] = &s.Files[i]
	}
	return x
}

// File is the file of a path, nil where none may be shown.
func (x *Index) File(name string) *scan.File { return x.files[name] }

// read reads what all files define.
func (x *Index) read() error {
	x.once.Do(func() {
		known := map[string]names{}
		if b := x.before; b != nil {
			for i := range b.of {
				known[b.sealed.Files[i].Path] = b.of[i]
			}
		}
		x.of = make([]names, len(x.sealed.Files))
		faults := make([]error, len(x.of))
		_ = graph.Each(context.Background(), len(x.of), func(i int) {
			f := &x.sealed.Files[i]
			if old, ok := known[f.Path]; ok && old.sum == f.SHA256 {
				x.of[i] = old
				return
			}
			x.of[i], faults[i] = namesIn(f)
		})
		for _, err := range faults {
			if err != nil {
				x.fault = err
				break
			}
		}
		x.before = nil
	})
	return x.fault
}

// namesIn are the names that a file defines.
func namesIn(f *scan.File) (n names, err error) {
	n.sum = f.SHA256
	if !provider.Defines(f.Path) || !f.Extractable() {
		return n, nil
	}
	raw, err := f.Read()
	if err != nil {
		return n, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	found, err := provider.DefineAll(f.Path, text.Decode(raw, f.Encoding))
	n.broken = err != nil
	for _, d := range found {
		n.list = append(n.list, strings.Clone(d.Name))
	}
	return n, nil
}

// Definitions are those that match accepts by file and name, file by file.
func (x *Index) Definitions(match func(file, name string) bool) ([]Definition, error) {
	if err := x.read(); err != nil {
		return nil, err
	}
	var list []Definition
	for i := range x.of {
		hit := false
		for _, name := range x.of[i].list {
			if hit = match(x.sealed.Files[i].Path, name); hit {
				break
			}
		}
		if !hit {
			continue
		}
		found, err := Define(&x.sealed.Files[i])
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			if match(d.Path, d.Name) {
				list = append(list, d)
			}
		}
	}
	return list, nil
}

// BrokenSaying are those of Broken that say a word.
func (x *Index) BrokenSaying(word string) ([]string, error) {
	list, err := x.Broken()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(name string) bool {
		raw, err := x.files[name].Read()
		return err == nil && !bytes.Contains(raw, []byte(word))
	}), nil
}

// Broken are the files of a language that is read whose text does not parse.
func (x *Index) Broken() ([]string, error) {
	if err := x.read(); err != nil {
		return nil, err
	}
	var list []string
	for i := range x.of {
		if x.of[i].broken {
			list = append(list, x.sealed.Files[i].Path)
		}
	}
	return list, nil
}
