// Package lookup answers plain questions about a sealed repository: what files define, where a name is defined, and who uses it.
// What it cannot know it names.
package lookup

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
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
	// Default says that who imports the file names it as he likes.
	Default bool `json:"-"`
}

// Declares reports whether a definition of C, or of a language of its kind, only declares what is defined elsewhere: a prototype, or extern.
func (x *Index) Declares(d Definition) (bool, error) {
	if !x.ofC(d) {
		return false, nil
	}
	extern := strings.HasPrefix(d.Signature, "extern ")
	if d.Kind != "func" && d.Kind != "method" && d.Kind != "constructor" {
		return extern && !strings.Contains(d.Signature, "="), nil
	}
	body, err := x.body(d)
	return !strings.Contains(body, "{") && strings.Contains(body, ";"), err
}

// Twin is the same of definitions of C, or of a language of its kind, that have the same name and text, as copies have: they are one thing to
// those who use it. It is "" for any other.
func (x *Index) Twin(d Definition) (string, error) {
	if !x.ofC(d) {
		return "", nil
	}
	body, err := x.body(d)
	if body == "" {
		return "", err
	}
	return d.Name + " " + body, nil
}

// ofC reports whether a definition is of a family of languages in which a thing is declared in one file and defined in another.
func (x *Index) ofC(d Definition) bool {
	l := x.Language(d.Path)
	return l != nil && l.Family == "C" && x.files[d.Path] != nil
}

// body are the lines of a definition; "" where its file does not have them.
func (x *Index) body(d Definition) (string, error) {
	f := x.files[d.Path]
	raw, err := f.Read()
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", f.Path, err)
	}
	lines := strings.Split(string(text.Decode(raw, f.Encoding)), "\n")
	if d.Line < 1 || d.End < d.Line || d.End > len(lines) {
		return "", nil
	}
	return strings.Join(lines[d.Line-1:d.End], "\n"), nil
}

// Define lists what a file defines; nil for one of no language that is read. The error is of reading it.
func Define(f *scan.File) ([]Definition, error) {
	if !provider.Defines(f.As()) || !f.Extractable() {
		return nil, nil
	}
	raw, err := f.Read()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	list, err := DefineText(f.Path, text.Decode(raw, f.Encoding))
	if err != nil {
		return []Definition{}, nil // what does not parse defines nothing that can be told
	}
	return list, nil
}

// DefineEach gives what each of the files defines to take, in the order of the files, which are read at once, some hundred at a time: a large
// repository has more definitions than need be held together. The error is of reading them.
func DefineEach(files []*scan.File, take func(f *scan.File, found []Definition)) error {
	for some := range slices.Chunk(files, atOnce) {
		found, faults := make([][]Definition, len(some)), make([]error, len(some))
		_ = graph.Each(context.Background(), len(some), func(i int) { found[i], faults[i] = Define(some[i]) })
		for i, f := range some {
			if faults[i] != nil {
				return faults[i]
			}
			take(f, found[i])
		}
	}
	return nil
}

// atOnce is how many files DefineEach reads before it gives what they define.
const atOnce = 256

// Defines reports whether the definitions of files of this name are read.
func Defines(name string) bool { return provider.Defines(name) }

// DefineText lists what a text of this name defines. The error says that it does not parse.
func DefineText(name string, content []byte) ([]Definition, error) {
	found, err := provider.DefineAll(name, content)
	if err != nil {
		return nil, err
	}
	list := make([]Definition, 0, len(found))
	signatures := graph.Signatures(content, found)
	for i, d := range found {
		list = append(list, Definition{name, d.Name, d.Kind, d.From, d.Line, d.End, d.Exported, signatures[i], d.Doc, d.Default})
	}
	return list, nil
}

// ExportsFirst orders what one file defines: of a script whose definitions do not say themselves that they are exported (CommonJS)
// those that are stand first.
func ExportsFirst(list []Definition) []Definition {
	if len(list) == 0 {
		return list
	}
	if l := language.Of(list[0].Path); l == nil || l.Family != "script" {
		return list
	}
	exported := map[string]bool{}
	for i := range list {
		d := &list[i]
		exported[source.First(d.Name)] = exported[source.First(d.Name)] || d.Exported
		if strings.HasPrefix(d.Signature, "export ") {
			return list
		}
	}
	slices.SortStableFunc(list, func(a, b Definition) int {
		return order(exported[source.First(b.Name)], exported[source.First(a.Name)])
	})
	return list
}

// Called reports whether a definition's name is the one that is asked for, or ends with it. The # of a private member may be left out.
func Called(name, asked string) bool {
	if name == asked || strings.HasSuffix(name, "."+asked) {
		return true
	}
	outer, private, ok := strings.Cut(name, ".#")
	return ok && Called(outer+"."+private, asked)
}

// Files are those that arguments name, or that lie in the folders that they name; an argument without any is an error.
func Files(args []string, s *snapshot.Contents) ([]*scan.File, error) {
	var list []*scan.File
	for _, a := range args {
		name := strings.TrimSuffix(path.Clean(strings.ReplaceAll(a, "\\", "/")), "/")
		n := len(list)
		for i := range s.Files {
			f := &s.Files[i]
			if named(f, name) && !slices.Contains(list[:n], f) {
				list = append(list, f)
			}
		}
		if len(list) == n {
			return nil, job.WithCode(fmt.Errorf("no file that may be shown is called, or lies in, %q%s", a, meant(name, s)), job.ExitInput)
		}
	}
	return list, nil
}

// maxMeant bounds the paths that are told where a part of one is given.
const maxMeant = 3

// meant tells the files and folders whose paths end with a name that names none from the root.
func meant(name string, s *snapshot.Contents) string {
	var list []string
	for i := range s.Files {
		for at := s.Files[i].Path; at != "." && len(list) <= maxMeant; at = path.Dir(at) {
			if strings.HasSuffix(strings.ToLower(at), "/"+strings.ToLower(name)) && !slices.Contains(list, at) {
				list = append(list, at)
			}
		}
	}
	if len(list) == 0 || len(list) > maxMeant {
		return ""
	}
	for i, one := range list {
		list[i] = strconv.Quote(s.Screener.Clean(one))
	}
	return "; did you mean " + strings.Join(list, " or ") + "?"
}

// named reports whether a file is called by a clean path, or lies in the folder that it names.
func named(f *scan.File, name string) bool {
	return f.Path == name || name == "." || strings.HasPrefix(f.Path, name+"/")
}

// Holds reports whether a file that may be shown is called by a clean path, or lies in the folder that it names.
func Holds(name string, s *snapshot.Contents) bool {
	return slices.ContainsFunc(s.Files, func(f scan.File) bool { return named(&f, name) })
}

// Undefined are the languages of code whose definitions are not known.
func Undefined(s *snapshot.Contents) []string {
	ends := map[string]bool{}
	for i := range s.Files {
		if end := UndefinedEnd(s.Files[i].Path); end != "" {
			ends[end] = true
		}
	}
	return slices.Sorted(maps.Keys(ends))
}

// UndefinedEnd is the language, or else the ending or the name, of a file of code whose definitions are not known; "" for any other.
func UndefinedEnd(name string) string {
	if brief.RoleOf(name) != brief.Code || provider.Defines(name) {
		return ""
	}
	return spoken(name)
}

// spoken is the language of a file, or else its ending or its name.
func spoken(name string) string {
	if l := language.Of(name); l != nil {
		return l.Name
	}
	return cmp.Or(path.Ext(name), path.Base(name))
}

// UndefinedSaying are those of Undefined of which a file says a word, and those of texts of no known language that say it in these very
// letters: these may be code, too. The error is of reading them.
func UndefinedSaying(s *snapshot.Contents, word string) ([]string, error) {
	ends := map[string]bool{}
	for i := range s.Files {
		f := &s.Files[i]
		end := spoken(f.Path)
		code := brief.RoleOf(f.Path) == brief.Code
		if !code && !nameless(f) || provider.Defines(f.As()) || ends[end] || !f.Extractable() {
			continue
		}
		raw, err := f.Read()
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Path, err)
		}
		content := text.Decode(raw, f.Encoding)
		if code {
			ends[end] = bytes.Contains(bytes.ToLower(content), []byte(strings.ToLower(word)))
		} else {
			ends[end] = bytes.Contains(content, []byte(word)) && len(naming(string(content), []string{word})) > 0
		}
	}
	maps.DeleteFunc(ends, func(_ string, says bool) bool { return !says })
	return slices.Sorted(maps.Keys(ends)), nil
}

// nameless reports whether a text is of no known language, and may be code all the same.
func nameless(f *scan.File) bool {
	end := path.Ext(f.Path)
	if end == "" || end == path.Base(f.Path) || end == ".txt" || language.Of(f.Path) != nil {
		return false
	}
	return f.Category == scan.CategoryOther || f.Category == scan.CategorySource || f.Category == scan.CategoryEntrypoint || f.Category == scan.CategoryTest
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

// Within reports whether a file's definition is what is asked for by a name that begins with the packages around that of the file:
// org.example.shop.Ledger, in a folder called shop.
func Within(file, name, asked string) bool {
	for n := 0; n < maxAround; n++ {
		if Means(file, name, asked) {
			return true
		}
		_, rest, ok := strings.Cut(asked, ".")
		if !ok || Called(name, rest) {
			return false
		}
		asked = rest
	}
	return false
}

// maxAround bounds the packages that are told around a name.
const maxAround = 16

// Dotted is a name as definitions have it, however its language writes what stands between its parts: a::b, A#b, \A\b, a.b.
func Dotted(name string) string {
	return strings.Trim(strings.NewReplacer("::", ".", ".#", ".#", "#", ".", `\`, ".").Replace(strings.TrimSpace(name)), ".:")
}
