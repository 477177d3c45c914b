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
	return x.inTexts(func(from string, content []byte) (list []Lead) {
		for _, to := range gone {
			if l := x.leads(from, to, content); len(l.Lines) > 0 {
				list = append(list, l)
			}
		}
		return list
	})
}

// inTexts are the leads that are found in the texts of all files, by file.
func (x *Index) inTexts(find func(from string, content []byte) []Lead) (list []Lead, err error) {
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
		found[i] = find(f.Path, text.Decode(raw, f.Encoding))
	})
	for _, l := range found {
		list = append(list, l...)
	}
	return list, errors.Join(faults...)
}

// Spelling are the lines that name a path without importing it, as settings and scripts do: whole, from the root or from where the file stands,
// or as a path from there without its ending. Files that import it are not among them.
func (x *Index) Spelling(to string) ([]Lead, error) {
	base, stem := []byte(path.Base(to)), []byte(importedAs(to))
	return x.inTexts(func(from string, content []byte) []Lead {
		if from == to || !bytes.Contains(content, stem) || slices.ContainsFunc(x.sealed.Meta.Nodes[from].Edges, func(e graph.Edge) bool { return e.Target == to }) {
			return nil
		}
		l := Lead{From: from, To: to}
		n := 0
		for line := range bytes.Lines(content) {
			n++
			if spells(line, base, from, to) || bytes.Contains(line, stem) && pathIn(line, from, to) {
				l.Lines = append(l.Lines, n)
			}
		}
		if l.Lines == nil {
			return nil
		}
		return []Lead{l}
	})
}

// spells reports whether a word of a line is a path, with its ending, from the root or from where a file stands.
func spells(line, base []byte, from, to string) bool {
	for at := 0; ; {
		i := bytes.Index(line[at:], base)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(base)
		at = end
		for begin > 0 && ofPath(line[begin-1]) {
			begin--
		}
		if end < len(line) && (ofPath(line[end]) && line[end] != '.' || line[end] == '.' && end+1 < len(line) && ofPath(line[end+1])) {
			continue
		}
		word := strings.TrimLeft(string(line[begin:end]), "/")
		if path.Join(path.Dir(from), word) == to || path.Clean(word) == to {
			return true
		}
	}
}

// ofPath reports whether a byte stands in paths that no quotes hold.
func ofPath(c byte) bool {
	return text.InWord(c) || strings.IndexByte("-./@+", c) >= 0
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
		whole := path.Ext(to) != "" && path.Base(to) != "__init__.py" && namesFile(line, path.Base(to))
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

// namesFile reports whether a line says a file's name, not as the end of a longer one: a-test.txt is not test.txt.
func namesFile(line []byte, base string) bool {
	for rest := line; hasWord(rest, base); {
		at := bytes.Index(rest, []byte(base))
		if at == 0 || !ofPath(rest[at-1]) || rest[at-1] == '/' {
			return true
		}
		rest = rest[at+len(base):]
	}
	return false
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
