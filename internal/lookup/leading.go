package lookup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/text"
)

// Lead is a file that names a path at which there is nothing.
type Lead struct {
	From, To string
	Lines    []int // from 1
	// Sure: an import of it, written as a path from where it stands, leads there.
	Sure bool
}

// importing finds the lines that import something, in whatever language, and the place where what they name begins.
var importing = lazyregexp.New(`^\s*(?:#\s*)?(?:(?:pub(?:\([a-z]+\))?\s+|static\s+|global\s+)?(?:import|from|use|mod|using|include|require|require_relative|require_once|include_once|load|autoload|source|alias|export|part|open|@use|@import|@forward)\b|\.\s)|\b(?:require|import|include|load|require_once|include_once)\s*\(|\bfrom\s*['"]|^\s*(?:_\s+|\w+\s+)?"[^"]*/[^"]*"\s*$|\b(?:src|href)=`)

// Leading are the lines that import one of the paths, none of which is a file any more, or that name one with its ending; by file, and of each in the
// order of the paths. An import is taken for one of another path where the file has an edge to one of the same base name.
func (x *Index) Leading(gone []string) ([]Lead, error) {
	if len(gone) == 0 {
		return nil, nil
	}
	packages := map[string]bool{} // of Go, which are imported by their folder
	for name := range x.files {
		packages[path.Dir(name)] = packages[path.Dir(name)] || path.Ext(name) == ".go"
	}
	gone = slices.DeleteFunc(slices.Clone(gone), func(name string) bool { return path.Ext(name) == ".go" && packages[path.Dir(name)] })
	files := x.sealed.Files
	found := make([][]Lead, len(files))
	faults := make([]error, len(files))
	// Nothing ends this context: what is asked is read to its end.
	_ = graph.Each(context.Background(), len(files), func(i int) {
		f := &files[i]
		if f.Encoding == text.Binary || !f.Extractable() {
			return
		}
		raw, err := f.Read()
		if err != nil {
			faults[i] = fmt.Errorf("reading %s: %w", f.Path, err)
			return
		}
		content := text.Decode(raw, f.Encoding)
		for _, to := range gone {
			if l := x.leads(f.Path, to, content); len(l.Lines) > 0 {
				found[i] = append(found[i], l)
			}
		}
	})
	var list []Lead
	for _, l := range found {
		list = append(list, l...)
	}
	return list, errors.Join(faults...)
}

// leads is how a text leads to a path that is no more; it has no lines where it does not.
func (x *Index) leads(from, to string, content []byte) Lead {
	l := Lead{From: from, To: to}
	said := importedAs(to)
	if !bytes.Contains(content, []byte(said)) {
		return l
	}
	other := false // it has one of that name
	for _, e := range x.sealed.Meta.Nodes[from].Edges {
		other = other || x.files[e.Target] != nil && importedAs(e.Target) == said
	}
	n := 0
	for line := range bytes.Lines(content) {
		n++
		if !hasWord(line, said) {
			continue
		}
		if pathIn(line, from, to) {
			l.Sure = true
			l.Lines = append(l.Lines, n)
			continue
		}
		whole := path.Ext(to) != "" && path.Base(to) != "__init__.py" && hasWord(line, path.Base(to))
		if !other && (whole || importing.Match(line)) {
			l.Lines = append(l.Lines, n)
		}
	}
	return l
}

// pathIn reports whether a line quotes a path that leads from a file to another, with its ending or without.
func pathIn(line []byte, from, to string) bool {
	bare := strings.TrimSuffix(to, path.Ext(to))
	for _, quoted := range quotedPath.FindAllSubmatch(line, -1) {
		at := path.Join(path.Dir(from), string(quoted[1]))
		if at == to || strings.TrimSuffix(at, path.Ext(at)) == bare || at == bare || path.Join(at, "index") == bare {
			return true
		}
	}
	return false
}

var quotedPath = lazyregexp.New(`['"](\.\.?/[^'"]+)['"]`)

// importedAs is the word by which imports name a file: of one that stands for its folder, the folder's.
func importedAs(name string) string {
	base := path.Base(name)
	said, _, _ := strings.Cut(strings.TrimPrefix(base, "_"), ".")
	switch {
	case path.Ext(name) == ".go", said == "index", said == "mod", said == "_init__":
		if dir := path.Base(path.Dir(name)); dir != "." && dir != "src" {
			return dir
		}
	}
	return said
}

// hasWord reports whether a word stands in a line, with no letter, digit or underscore beside it.
func hasWord(line []byte, word string) bool {
	part := func(c byte) bool { return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }
	for rest, at := line, 0; word != ""; rest = rest[at+1:] {
		if at = bytes.Index(rest, []byte(word)); at < 0 {
			return false
		}
		end := at + len(word)
		before := at > 0 && part(rest[at-1]) || at == 0 && len(rest) < len(line) && part(line[len(line)-len(rest)-1])
		if !before && (end == len(rest) || !part(rest[end])) {
			return true
		}
	}
	return false
}
