package lookup

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// Index knows the names that the files of a sealed repository define. A file is read when it is first asked for them; of one that has the
// same content in an earlier index they are taken over. Its methods may be called at once.
type Index struct {
	sealed *snapshot.Contents
	files  map[string]*scan.File

	// of are the names by the file's place in sealed.Files, nil until they are read.
	of []atomic.Pointer[names]
	// runs are those of the files' texts, by the same places, nil until one is looked through.
	runs  []atomic.Pointer[grams]
	once  sync.Once
	fault error

	linked sync.Once
	// links say who imports whom; nil until that is asked.
	links atomic.Pointer[snapshot.Users]
	// barrels are what an earlier index knows of files of the same content, as snapshot.Users has it.
	barrels map[string]bool
	splits  *splits
}

// names are what a file defines.
type names struct {
	// said has each name behind a mark, public where others see it, and before a NUL: a large repository has as many as it has lines of
	// headers, and a list of them takes thrice as much.
	said string
	// broken: it does not parse.
	broken bool
}

// public and hidden mark names.
const (
	public = '+'
	hidden = '-'
)

// all are the names, and whether others see them.
func (n *names) all() iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for rest := n.said; rest != ""; {
			at := strings.IndexByte(rest, 0)
			if !yield(rest[1:at], rest[0] == public) {
				return
			}
			rest = rest[at+1:]
		}
	}
}

// says reports whether one of the names is such.
func (n *names) says(is func(name string) bool) bool {
	for name := range n.all() {
		if is(name) {
			return true
		}
	}
	return false
}

// NewIndex returns the index of a repository. before is that of the same repository as it was; nil for none.
func NewIndex(s *snapshot.Contents, before *Index) *Index {
	x := &Index{sealed: s, files: make(map[string]*scan.File, len(s.Files)), of: make([]atomic.Pointer[names], len(s.Files)), runs: make([]atomic.Pointer[grams], len(s.Files))}
	for i := range s.Files {
		f := &s.Files[i]
		x.files[f.Path] = f
		if before == nil {
			continue
		}
		if k, ok := before.place(f.Path); ok && before.sealed.Files[k].SHA256 == f.SHA256 {
			x.of[i].Store(before.of[k].Load())
			x.runs[i].Store(before.runs[k].Load())
		}
	}
	x.splits = newSplits()
	if before != nil {
		x.splits = before.splits
		x.barrels = before.barrelsNow()
		maps.DeleteFunc(x.barrels, func(name string, _ bool) bool {
			is, was := x.files[name], before.files[name]
			return is == nil || was == nil || is.SHA256 != was.SHA256
		})
	}
	return x
}

// barrelsNow are the barrels that are known by now.
func (x *Index) barrelsNow() map[string]bool {
	if l := x.links.Load(); l != nil {
		return l.Barrels()
	}
	return maps.Clone(x.barrels)
}

// users say who imports whom.
func (x *Index) users() *snapshot.Users {
	x.linked.Do(func() {
		l := snapshot.NewUsers(x.files, x.sealed.Meta, nil, nil)
		l.TakeBarrels(x.barrels)
		x.links.Store(l)
	})
	return x.links.Load()
}

// place is that of a path in the sealed files.
func (x *Index) place(name string) (int, bool) {
	return slices.BinarySearchFunc(x.sealed.Files, name, func(f scan.File, name string) int { return strings.Compare(f.Path, name) })
}

// File is the file of a path, nil where none may be shown.
func (x *Index) File(name string) *scan.File { return x.files[name] }

// Language is the one that a file's text is read in, nil where that is not known.
func (x *Index) Language(name string) *language.Language {
	if f := x.files[name]; f != nil {
		name = f.As()
	}
	return language.Of(name)
}

// read reads what all files define.
func (x *Index) read() error {
	x.once.Do(func() {
		faults := make([]error, len(x.of))
		_ = graph.Each(context.Background(), len(x.of), func(i int) { _, faults[i] = x.names(i) })
		for _, err := range faults {
			if err != nil {
				x.fault = err
				break
			}
		}
	})
	return x.fault
}

// names are what the file of a place defines.
func (x *Index) names(i int) (*names, error) {
	if n := x.of[i].Load(); n != nil {
		return n, nil
	}
	n, err := namesIn(&x.sealed.Files[i])
	if err == nil {
		x.of[i].Store(n)
	}
	return n, err
}

// namesIn are the names that a file defines.
func namesIn(f *scan.File) (*names, error) {
	n := &names{}
	if !provider.Defines(f.As()) || !f.Extractable() {
		return n, nil
	}
	raw, err := f.Read()
	if err != nil {
		return n, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	found, err := provider.DefineAll(f.Path, text.Decode(raw, f.Encoding))
	n.broken = err != nil
	var b strings.Builder
	size := 0
	for _, d := range found {
		size += len(d.Name) + 2
	}
	b.Grow(size)
	for _, d := range found {
		mark := byte(hidden)
		if d.Exported {
			mark = public
		}
		b.WriteByte(mark)
		b.WriteString(d.Name)
		b.WriteByte(0)
	}
	n.said = b.String()
	return n, nil
}

// Offered are the names that a file defines for others, without those of members; known is false where it is of a language that is
// read, and its text is not, or does not parse. The error is of reading it.
func (x *Index) Offered(name string) (list []string, known bool, err error) {
	i, ok := x.place(name)
	if !ok {
		return nil, false, nil
	}
	n, err := x.names(i)
	if err != nil || n.broken {
		return nil, false, err
	}
	for name, seen := range n.all() {
		if seen && !strings.Contains(name, ".") {
			list = append(list, name)
		}
	}
	return list, !provider.Defines(x.sealed.Files[i].As()) || x.sealed.Files[i].Extractable(), nil
}

// Definitions are those that match accepts by file and name, file by file.
func (x *Index) Definitions(match func(file, name string) bool) ([]Definition, error) {
	if err := x.read(); err != nil {
		return nil, err
	}
	var list []Definition
	for i := range x.of {
		if !x.of[i].Load().says(func(name string) bool { return match(x.sealed.Files[i].Path, name) }) {
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
		if x.of[i].Load().broken {
			list = append(list, x.sealed.Files[i].Path)
		}
	}
	return list, nil
}
