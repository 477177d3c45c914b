// Package names is what providers have in common whose languages name types by namespaces, and leave it to the compiler in which
// file a name is declared: reading the sources as tokens, an index of what they declare by qualified name, which of several files
// that declare the same is meant, and the answer.
package names

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/declaration"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/text"
)

var errBinary = errors.New("no text")

// Source is a text that is parsed: its tokens, and after them more room than they need, so that who looks some tokens ahead need
// not look for the end.
type Source struct {
	Path string
	// As is the name by which the text is read.
	As     string
	Text   []byte
	Tokens []declaration.Token
	pool   *Pool
}

// Kind is the kind of a token, 0 where there is none.
func (s *Source) Kind(i int) byte {
	if i < 0 || i >= len(s.Tokens) {
		return 0
	}
	return s.Tokens[i].Kind
}

// Word is the text of a token that is a word, nil where there is none.
func (s *Source) Word(i int) []byte {
	if i < 0 || i >= len(s.Tokens) || s.Tokens[i].Kind != declaration.Word {
		return nil
	}
	return s.Text[s.Tokens[i].Start:s.Tokens[i].End]
}

// Is reports whether a token is this word.
func (s *Source) Is(i int, word string) bool { return string(s.Word(i)) == word }

// Touch reports whether nothing stands between a token and the next.
func (s *Source) Touch(i int) bool {
	return i >= 0 && i+1 < len(s.Tokens) && s.Tokens[i].End == s.Tokens[i+1].Start
}

// Line is the line of a token.
func (s *Source) Line(i int) int32 { return s.Tokens[min(i, len(s.Tokens)-1)].Line }

// Keep returns the text as a string that is kept once for all sources.
func (s *Source) Keep(b []byte) string { return s.pool.Keep(b) }

// Pool keeps strings, each once.
type Pool struct {
	seed   maphash.Seed
	shards [64]struct {
		mu   sync.Mutex
		kept map[string]string
	}
}

// NewPool is an empty one.
func NewPool() *Pool {
	p := &Pool{seed: maphash.MakeSeed()}
	for i := range p.shards {
		p.shards[i].kept = map[string]string{}
	}
	return p
}

// Keep returns the text as a string.
func (p *Pool) Keep(b []byte) string {
	shard := &p.shards[maphash.Bytes(p.seed, b)%uint64(len(p.shards))]
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if s, ok := shard.kept[string(b)]; ok {
		return s
	}
	s := string(b)
	shard.kept[s] = s
	return s
}

// rooms are tokens for the next source.
var rooms = sync.Pool{New: func() any { return new([]declaration.Token) }}

// maxRoom bounds how many tokens are kept for the next source.
const maxRoom = 1 << 17

// Read parses all sources of a request, on all processors. What cannot be read is nil, with a warning. The error is ctx's.
func Read[F any](ctx context.Context, q graph.Request, parse func(s *Source) *F) ([]*F, []graph.Warning, error) {
	files := make([]*F, len(q.Files))
	faults := make([]error, len(q.Files))
	pool := NewPool()
	err := graph.Each(ctx, len(files), func(i int) {
		faults[i] = graph.CopySource(&q.Files[i], q.Roots, func(content []byte) (err error) {
			files[i], err = read(&Source{Path: q.Files[i].Path, As: q.Files[i].As(), Text: content, pool: pool}, parse)
			return err
		})
	})
	var warnings []graph.Warning
	for i, fault := range faults {
		if fault != nil {
			warnings = append(warnings, graph.Warning{Path: q.Files[i].Path, Text: fmt.Sprintf("not parsed: %v", fault)})
		}
	}
	return files, warnings, err
}

// read parses a source whose text is as it was read.
func read[F any](s *Source, parse func(s *Source) *F) (*F, error) {
	switch e := text.Detect(s.Text); e {
	case text.Binary:
		return nil, errBinary
	case text.UTF8:
	default:
		s.Text = []byte(text.Decode(s.Text, e))
	}
	room := rooms.Get().(*[]declaration.Token)
	defer rooms.Put(room)
	s.Tokens = declaration.Tokens((*room)[:0], s.As, s.Text)
	f := parse(s)
	if cap(s.Tokens) <= maxRoom {
		*room = s.Tokens
	}
	return f, nil
}

// SameNeeds returns a provider's function of that name: what is kept of two texts has to be the same, in its order. It holds where
// nothing but what parse keeps decides on edges, and parse keeps no places.
func SameNeeds[F any](parse func(s *Source) *F) func(name string, a, b []byte) bool {
	return func(name string, a, b []byte) bool {
		pool := NewPool()
		was, err := read(&Source{Path: name, As: name, Text: a, pool: pool}, parse)
		if err != nil {
			return false
		}
		is, err := read(&Source{Path: name, As: name, Text: b, pool: pool}, parse)
		return err == nil && reflect.DeepEqual(was, is)
	}
}

// Place is where a name is declared: the file, and which of its types it is, -1 where it is no type.
type Place struct{ File, Type int32 }

// maxPlaces bounds in how many files the same name is declared; of more, the first count.
const maxPlaces = 64

// Index is what is declared by qualified name: namespace and name, with dots between.
type Index struct {
	places map[string][]Place
	spaces map[string]bool
	// simple are the last parts of the names.
	simple map[string]bool
	key    func(string) string
}

// NewIndex is an empty one. key, if it is not nil, makes names alike that are the same.
func NewIndex(key func(string) string) *Index {
	return &Index{places: map[string][]Place{}, spaces: map[string]bool{}, simple: map[string]bool{}, key: key}
}

// Space adds a namespace, and those that it lies in.
func (x *Index) Space(name string) {
	for name != "" && !x.spaces[name] {
		x.spaces[name] = true
		name = name[:max(0, strings.LastIndexByte(name, '.'))]
	}
}

// HasSpace reports whether a namespace of this name was added.
func (x *Index) HasSpace(name string) bool { return x.spaces[name] }

// Add adds a name that is declared in a namespace.
func (x *Index) Add(space, name string, p Place) {
	full := Join(space, name)
	if x.key != nil {
		full = x.key(full)
	}
	list := x.places[full]
	if len(list) >= maxPlaces || slices.Contains(list, p) {
		return
	}
	x.places[full] = append(list, p)
	x.simple[full[strings.LastIndexByte(full, '.')+1:]] = true
}

// Knows reports whether anything is called so, in whatever namespace.
func (x *Index) Knows(simple string) bool {
	if x.key != nil {
		simple = x.key(simple)
	}
	return x.simple[simple]
}

// Get returns where a name of a namespace is declared. The caller does not change it.
func (x *Index) Get(space, name string) []Place {
	if x.key != nil {
		return x.places[x.key(Join(space, name))]
	}
	var room [128]byte
	key := append(room[:0], space...)
	if space != "" {
		key = append(key, '.')
	}
	return x.places[string(append(key, name...))]
}

// Join is a name with its namespace.
func Join(space, name string) string {
	if space == "" || name == "" {
		return space + name
	}
	return space + "." + name
}

// Nearest returns which of the places a file means, of which path tells the files' paths: those in its folders before those
// in others', those that are no tests before tests where the file is none. It returns none where several are equally near.
func Nearest(from string, places []Place, path func(file int32) string) []Place {
	if len(places) < 2 {
		return places
	}
	test := language.IsTest(from)
	best, most := []Place(nil), -1
	for _, p := range places {
		to := path(p.File)
		near := 1 + common(from, to)
		if to == from {
			near = 1 << 20
		} else if !test && language.IsTest(to) {
			near = 0
		}
		if near > most {
			best, most = nil, near
		}
		if near == most {
			best = append(best, p)
		}
	}
	return best
}

// common counts the folders in which both paths lie.
func common(a, b string) (n int) {
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// Root is the folder in which the folders of a namespace begin: dir without those of its last elements that are the namespace's.
func Root(dir, space string) string {
	for dir != "." && space != "" {
		i := strings.LastIndexByte(space, '.')
		if path.Base(dir) != space[i+1:] {
			break
		}
		dir, space = path.Dir(dir), space[:max(i, 0)]
	}
	return dir
}

// FileNames is what was found in one file.
type FileNames struct {
	edges map[string]graph.Resolution
	users []use
	work  *graph.Work
	// Undecided counts the names that several files declare, LeftOut the imports of what is in no root.
	Undecided, LeftOut int
	Names              graph.Names
}

type use struct{ file, name string }

// NewFound is nothing yet; w is how much it may become.
func NewFound(w *graph.Work) FileNames {
	return FileNames{edges: map[string]graph.Resolution{}, work: w}
}

// Edge adds one to a file.
func (f *FileNames) Edge(to string, r graph.Resolution) {
	if old, ok := f.edges[to]; ok {
		f.edges[to] = old | r
	} else if f.work.Draw() {
		f.edges[to] = r
	}
}

// Use adds a use of what a file defines by a name.
func (f *FileNames) Use(file, name string) {
	if f.work.Take(1) && len(f.users) < maxUses {
		f.users = append(f.users, use{file, name})
	}
}

// maxUses bounds the names of changed files that one file uses.
const maxUses = 10_000

// Answer puts together what was found, by file.
func Answer(paths []string, found []FileNames, warnings []graph.Warning) *graph.Response {
	a := graph.Assemble("", len(paths))
	a.Warnings = warnings
	for i := range found {
		f := &found[i]
		if f.work == nil {
			continue
		}
		edges := make([]graph.Edge, 0, len(f.edges))
		for to, r := range f.edges {
			if r&graph.Explicit != 0 { // what is named is not told again for being used
				r = graph.Explicit
			}
			edges = append(edges, graph.Edge{Target: to, Uses: graph.Runtime, Resolution: r})
		}
		a.Add(paths[i], edges, nil, nil)
		a.LeftOut += f.LeftOut
		a.Undecided += f.Undecided
		slices.Sort(f.Names.Exports)
		slices.Sort(f.Names.Imports)
		f.Names.Exports, f.Names.Imports = slices.Compact(f.Names.Exports), slices.Compact(f.Names.Imports)
		a.Names[paths[i]] = f.Names
		if f.work.Cut {
			a.Warnings = append(a.Warnings, graph.Warning{Path: paths[i], Text: "limit: what it needs is not found out in full: it leads to too much"})
		}
		for _, u := range f.users {
			a.Use(u.file, u.name, paths[i])
		}
	}
	return a.End()
}

// Chain returns the words that begin at a token with dots between, and the token behind them.
func (s *Source) Chain(i int, most int) (parts [][]byte, next int) {
	for {
		parts = append(parts, bytes.Trim(s.Word(i), "`"))
		if len(parts) == most || s.Kind(i+1) != '.' || s.Kind(i+2) != declaration.Word {
			return parts, i + 1
		}
		i += 2
	}
}

// Upper reports whether a name begins as those of types do.
func Upper(b []byte) bool { return len(b) > 0 && (b[0] >= 'A' && b[0] <= 'Z' || b[0] >= 0x80) }

// Type is a type that a file declares: its name with those of the types around it, the type it is declared in (-1 for none), and
// what it extends, as written and as found.
type Type struct {
	Space, Name string
	Outer       int32
	Supers      []string
	Places      []Place
}

// Bounds of how far a type is looked for in what types extend: so many steps up, so many types.
const (
	MaxUp     = 12
	MaxLooked = 200
)

// Inherited returns the types of this name that are declared in a type, or in what it extends, up steps at most. left counts
// down; typeOf tells the type at a place, nil where there is none.
func (x *Index) Inherited(at Place, name string, up int, left *int, typeOf func(Place) *Type) []Place {
	t := typeOf(at)
	if *left--; *left < 0 || t == nil {
		return nil
	}
	if list := x.Get(Join(t.Space, t.Name), name); len(list) > 0 {
		return list
	}
	if up == 0 {
		return nil
	}
	for _, s := range t.Places {
		if s == at {
			continue
		}
		if list := x.Inherited(s, name, up-1, left, typeOf); len(list) > 0 {
			return list
		}
	}
	return nil
}
