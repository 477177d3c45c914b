// Package lookup answers plain questions about a sealed repository: what files define, where a name is defined, and who uses it.
// What it cannot know it names.
package lookup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// MaxLines bounds the lines that are told of one user.
const MaxLines = 20

// Definition is what a source defines, as graph --definitions --json prints it.
type Definition struct {
	Path string `json:"path"`
	Name string `json:"name"`
	Kind string `json:"kind"`
	// From is the first line that belongs to it, comments included, Line that of its
	// name, End its last.
	From     int  `json:"from"`
	Line     int  `json:"line"`
	End      int  `json:"end"`
	Exported bool `json:"exported"`
	// Signature is its signature as it stands, without the body.
	Signature string `json:"signature,omitempty"`
	Doc       string `json:"doc,omitempty"` // the first sentence of its documentation
}

// Define lists what a file defines; nil for one of no language that is read. The error is of reading it.
func Define(f *scan.File) ([]Definition, error) {
	if !provider.Defines(f.Path) || !f.Extractable() {
		return nil, nil
	}
	raw, err := f.Read()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	content := text.Decode(raw, f.Encoding)
	found, err := provider.Define(f.Path, content)
	if err != nil {
		return []Definition{}, nil // what does not parse defines nothing that can be told
	}
	list := make([]Definition, 0, len(found))
	signatures := graph.Signatures(content, found)
	for i, d := range found {
		list = append(list, Definition{f.Path, d.Name, d.Kind, d.From, d.Line, d.End, d.Exported, signatures[i], d.Doc})
	}
	return list, nil
}

// Called reports whether a definition's name is the one that is asked for, or ends with it.
func Called(name, asked string) bool { return name == asked || strings.HasSuffix(name, "."+asked) }

// Naming returns the first lines, from 1 and MaxLines of them, on which one of the names stands as a word.
func Naming(content string, names map[string]bool) (lines []int) {
	n := 0
	for line := range strings.Lines(content) {
		n++
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool {
			return r < 0x80 && r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			if names[word] {
				lines = append(lines, n)
				break
			}
		}
		if len(lines) == MaxLines {
			break
		}
	}
	return lines
}

// Files are those that arguments name, or that lie in the folders that they name; an argument without any is an error.
func Files(args []string, s *snapshot.Contents) ([]*scan.File, error) {
	var list []*scan.File
	for _, a := range args {
		name := strings.TrimSuffix(path.Clean(strings.ReplaceAll(a, "\\", "/")), "/")
		n := len(list)
		for i := range s.Files {
			f := &s.Files[i]
			if (f.Path == name || name == "." || strings.HasPrefix(f.Path, name+"/")) && !slices.Contains(list[:n], f) {
				list = append(list, f)
			}
		}
		if len(list) == n {
			return nil, job.WithCode(fmt.Errorf("no file that may be shown is called, or lies in, %q", a), job.ExitInput)
		}
	}
	return list, nil
}

// Undefined are the endings of code whose definitions are not known.
func Undefined(s *snapshot.Contents) []string {
	ends := map[string]bool{}
	for i := range s.Files {
		if name := s.Files[i].Path; brief.RoleOf(name) == brief.Code && !provider.Defines(name) {
			ends[cmp.Or(path.Ext(name), path.Base(name))] = true
		}
	}
	return slices.Sorted(maps.Keys(ends))
}

// Ungraphed are the languages whose imports are not read.
func Ungraphed(d *snapshot.Dependencies) (list []string) {
	for _, l := range d.Result.Languages {
		if !l.Graph {
			list = append(list, l.Name)
		}
	}
	return list
}

// User is a file that names what is asked about.
type User struct {
	Path string
	// Lines on which it does, the first MaxLines of them; from 1.
	Lines []int
	// Tie says how the file is tied to where that is defined.
	Tie Tie
}

// Tie says how a file that names a definition is tied to the file that holds it.
type Tie uint8

const (
	// Imports: it imports it, as the import says.
	Imports Tie = iota
	// Guessed: the graph draws its import as implicit: through a file that hands names on, or by a guess.
	Guessed
	// Beside: it is of the same package, which needs no import.
	Beside
	// Itself: it is the file that defines it.
	Itself
	// Untied: no import leads there, so that it may mean another thing of that name.
	Untied
)

func (t Tie) String() string {
	return [...]string{"imports it", "imports it, as far as the graph can tell (implicit)", "of the same package", "defines it", "names it, and no import that is known leads there: it may mean another"}[t]
}

// Subject is what users are asked of: the names, and the files that define them.
type Subject struct {
	Names map[string]bool
	Of    map[string]bool
}

// add adds a definition of a file.
func (s *Subject) add(path, name string) {
	s.Names[name[strings.LastIndexByte(name, '.')+1:]] = true
	s.Of[path] = true
}

// Users are the files that name something of a subject, by path: those for which wanted is true of how they are tied to it.
func Users(subject Subject, s *snapshot.Contents, wanted func(t Tie) bool) ([]User, error) {
	folders := map[string]bool{}
	for name := range subject.Of {
		if path.Ext(name) == ".go" {
			folders[path.Dir(name)] = true
		}
	}
	words := make([][]byte, 0, len(subject.Names))
	for name := range subject.Names {
		words = append(words, []byte(name))
	}
	list := make([]User, len(s.Files))
	faults := make([]error, len(s.Files))
	// Nothing ends this context: what is asked is read to its end.
	_ = graph.Each(context.Background(), len(s.Files), func(i int) {
		f := &s.Files[i]
		t := tieOf(f.Path, subject.Of, folders, s)
		if !wanted(t) || !f.Extractable() {
			return
		}
		raw, err := f.Read()
		if err != nil {
			faults[i] = fmt.Errorf("reading %s: %w", f.Path, err)
			return
		}
		content := raw
		if f.Encoding != text.UTF8 {
			content = text.Decode(raw, f.Encoding)
		}
		if slices.ContainsFunc(words, func(w []byte) bool { return bytes.Contains(content, w) }) {
			list[i] = User{f.Path, Naming(string(content), subject.Names), t}
		}
	})
	return slices.DeleteFunc(list, func(u User) bool { return len(u.Lines) == 0 }), errors.Join(faults...)
}

// tieOf says how a file is tied to those of a subject.
func tieOf(name string, of, folders map[string]bool, s *snapshot.Contents) Tie {
	if of[name] {
		return Itself
	}
	tie := Untied
	if s.Meta != nil {
		for _, x := range s.Meta.Nodes[name].Edges {
			switch {
			case !of[x.Target]:
			case x.Resolution&graph.Explicit != 0:
				return Imports
			default:
				tie = Guessed
			}
		}
	}
	if path.Ext(name) == ".go" && folders[path.Dir(name)] {
		return Beside
	}
	return tie
}

// Means reports whether a file's definition is what is asked for: by its name, or by that behind the name of its package or file.
func Means(file, name, asked string) bool {
	if Called(name, asked) {
		return true
	}
	first, rest, ok := strings.Cut(asked, ".")
	if !ok || rest == "" || !Called(name, rest) {
		return false
	}
	base := path.Base(file)
	return first == path.Base(path.Dir(file)) || first == strings.TrimSuffix(base, path.Ext(base))
}
