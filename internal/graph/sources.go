package graph

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// ErrSourceSize says that a source is larger than MaxSource.
var ErrSourceSize = fmt.Errorf("larger than %d bytes", MaxSource)

// ReadSource returns the content of a source, at most MaxSource bytes of it: more are
// an error. A link is followed within the roots.
func ReadSource(s *SourceFile, roots Roots) ([]byte, error) { return readSource(nil, s, roots) }

// contents is room for what is read, maxRoom bounds what is kept of it for the next source.
var contents = sync.Pool{New: func() any { return new([]byte) }}

// maxRoom is in bytes.
const maxRoom = 1 << 20

// CopySource hands the content of a source, as ReadSource reads it, to copied, which keeps nothing of it but copies: the room is
// the next source's. Where copied panics, that is its error: it costs the file, not the run.
func CopySource(s *SourceFile, roots Roots, copied func(content []byte) error) error {
	room := contents.Get().(*[]byte)
	defer contents.Put(room)
	content, err := readSource(*room, s, roots)
	if err != nil {
		return err
	}
	if cap(content) <= maxRoom {
		*room = content
	}
	return Guarded(func() error { return copied(content) })
}

// Guarded returns what read does, and the panic of it as an error: a reader of one text has faults that no test has found.
func Guarded(read func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reader: %v", r)
		}
	}()
	return read()
}

// readSource puts the content where b has room, as far as it has.
func readSource(b []byte, s *SourceFile, roots Roots) ([]byte, error) {
	if s.Size > MaxSource {
		return nil, ErrSourceSize
	}
	if s.Mode&fs.ModeSymlink != 0 {
		return roots.ReadFile(s.Path, MaxSource)
	}
	r, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b = slices.Grow(b[:0], int(s.Size+1))
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case len(b) > MaxSource:
			return nil, ErrSourceSize
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, err
		case len(b) == cap(b):
			b = append(b, 0)[:len(b)]
		}
	}
}

// Each calls do for 0 to n-1, on all processors. The error is ctx's.
func Each(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// PassedOver reports whether a path is none of the repository's own: in .git, in node_modules, or where the program, whose folder
// stan is, keeps what it makes.
func PassedOver(name, stan string) bool {
	for elem := range strings.SplitSeq(name, "/") {
		if elem == ".git" || elem == "node_modules" {
			return true
		}
	}
	if rel, ok := Below(stan, name); ok {
		switch first, _, _ := strings.Cut(rel, "/"); first {
		case "context", "output", "diff", "patch", "session":
			return true
		}
	}
	return false
}

// Assembly puts together what a reader of one language found, file by file.
type Assembly struct {
	*Response
	builtin    string
	unresolved map[string][]string
}

// Assemble begins the answer about n files; builtin comes before the names of the language's own packages, as "go:".
func Assemble(builtin string, n int) *Assembly {
	return &Assembly{&Response{Edges: make(map[string][]Edge, n), Nodes: map[string]Node{}, Names: map[string]Names{}}, builtin, map[string][]string{}}
}

// Add adds a file: its edges, to which it adds those to builtin packages and to names that lead nowhere.
func (a *Assembly) Add(file string, edges []Edge, builtins, missing []string) {
	for _, name := range builtins {
		id := a.builtin + name
		a.Nodes[id] = Node{Kind: Builtin, Language: "other"}
		edges = append(edges, Edge{Target: id, Uses: Runtime, Resolution: Explicit})
	}
	for _, name := range missing {
		a.Nodes[name] = Node{Kind: Missing, Language: "other"}
		edges = append(edges, Edge{Target: name, Uses: Runtime, Resolution: Explicit})
		a.unresolved[name] = append(a.unresolved[name], file)
	}
	if len(edges) > 0 {
		a.Edges[file] = SortEdges(edges)
	}
}

// Use adds that user uses the name which file defines.
func (a *Assembly) Use(file, name, user string) {
	if a.Users == nil {
		a.Users = map[string]map[string][]string{}
	}
	if a.Users[file] == nil {
		a.Users[file] = map[string][]string{}
	}
	a.Users[file][name] = append(a.Users[file][name], user)
}

// End sorts what was added file by file: users, imports that lead nowhere, warnings; each once.
func (a *Assembly) End() *Response {
	for _, names := range a.Users {
		for name, users := range names {
			slices.Sort(users)
			names[name] = slices.Compact(users)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.unresolved)) {
		slices.Sort(a.unresolved[name])
		a.Unresolved = append(a.Unresolved, MissingImport{Name: name, Importers: slices.Compact(a.unresolved[name])})
	}
	a.Warnings = SortWarnings(a.Warnings)
	return a.Response
}

// Outside makes the nodes of the files in external roots that edges lead to. address is where each has its place
// below <stan>/context.
func (a *Assembly) Outside(ctx context.Context, roots Roots, address func(name string) string) error {
	seen := map[string]bool{}
	for _, edges := range a.Edges {
		for _, e := range edges {
			if strings.HasPrefix(e.Target, "/") {
				if _, known := a.Nodes[e.Target]; !known {
					seen[e.Target] = true
				}
			}
		}
	}
	list := slices.Sorted(maps.Keys(seen))
	nodes := make([]Node, len(list))
	faults := make([]error, len(list))
	if err := Each(ctx, len(list), func(i int) {
		nodes[i] = Node{Kind: External, Language: "other", Address: address(list[i])}
		var content []byte
		if content, faults[i] = roots.ReadFile(list[i], MaxSource); faults[i] == nil {
			nodes[i].Size, nodes[i].SHA256 = int64(len(content)), fmt.Sprintf("%x", sha256.Sum256(content))
		}
	}); err != nil {
		return err
	}
	for i, name := range list {
		a.Nodes[name] = nodes[i]
		if faults[i] != nil {
			a.Warnings = append(a.Warnings, Warning{name, fmt.Sprintf("not read: %v", faults[i])})
		}
	}
	return nil
}
