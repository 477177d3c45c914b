package graph

import "context"

// Provider finds what the files of one language need from one another. It is a
// value in the table of package provider; what it is called with and what it
// returns are plain values, so that it can run in a process of its own: the
// answer holds nothing but strings, numbers, lists and maps, and of a Request
// only Roots and the sources' content are opened again there.
//
// What every provider promises:
//
//   - The same files give the same answer: no clock, no machine, no order of
//     goroutines in it.
//   - Nothing outside the roots is opened, and nothing of the repository's is run.
//   - Each file is read once, and at most MaxSource bytes of it. Work is linear
//     in the bytes, memory in what is answered.
//   - A file that cannot be read or parsed costs a warning and its own edges.
//   - An edge that cannot be decided is not drawn. A guess that is better than
//     nothing is Implicit.
type Provider struct {
	// Name is a word of lower-case letters, the prefix of the language's
	// builtins where there are any: "go" in "go:fmt".
	Name string
	// Language is the name that people know.
	Language string
	// Claims reports whether the files of this name are the provider's: of a script without an ending, that by which it is read.
	Claims func(name string) bool
	// Refuses looks at the first bytes of a file whose name several providers
	// claim, and reports whether it is none of this one's. It may be nil.
	Refuses func(head []byte) bool
	// Reads reports whether the provider also reads files of this name, which
	// it does not claim: manifests and configurations.
	Reads func(name string) bool
	// Bare says that what the provider's texts define is not told.
	Bare bool
	// Apart says that Build finds the edges of a few sources by themselves: it reads what
	// they lead to where it is, be it among the sources or not.
	Apart bool
	// Build finds the edges. The error is ctx's.
	Build func(ctx context.Context, r Request) (*Response, error)
	// Define lists the definitions in one text, in its order, with those that are Promised.
	Define func(name string, content []byte) ([]Definition, error)
	// SameNeeds reports whether two texts of a file lead Build to the same answer, for the file and for those that lead to it. It
	// may be nil, and say no where it does not know.
	SameNeeds func(name string, a, b []byte) bool
	// Unformatted writes a text as what it says, without what a formatter chooses: two texts for which it is the same differ in
	// layout alone. An error is a text of which that is not known. It may be nil.
	Unformatted func(name string, content []byte) (string, error)
}

// MaxSource is how much of a file a provider reads at most: no source that a
// person wrote is longer.
const MaxSource = 8 << 20

// Request is what a provider is asked.
type Request struct {
	Roots Roots
	// Files are the sources that the provider has to itself, Others all other
	// sources; both sorted by path.
	Files, Others []SourceFile
	// StanPath is where the program's own files are.
	StanPath string
	// Cache is a folder outside the repository for what may be computed again;
	// "" means none.
	Cache string
	// UsersOf are the sources whose users are wanted by name.
	UsersOf []string
	// Defined is told what a source defines by a provider that finds it on its way; nil where nobody asks. It may be called
	// on several cores at once, and holds neither the content nor the list.
	Defined func(name string, content []byte, list []Definition)
}

// Wanted is the set of Request.UsersOf.
func (q *Request) Wanted() map[string]bool {
	wanted := make(map[string]bool, len(q.UsersOf))
	for _, name := range q.UsersOf {
		wanted[name] = true
	}
	return wanted
}

// Response is what a provider answers.
type Response struct {
	// Edges by source. They lead to sources and to Nodes.
	Edges map[string][]Edge
	// Nodes are the targets of edges that are no sources.
	Nodes map[string]Node
	// Descriptions are the files' own summaries of themselves.
	Descriptions map[string]string
	// Names are what the files export and import.
	Names map[string]Names
	// Users are, by file of Request.UsersOf and by name defined there, the
	// files that use that name; sorted.
	Users map[string]map[string][]string
	// Unresolved imports, sorted by name.
	Unresolved []MissingImport
	// LeftOut counts the imports of packages that are in no root.
	LeftOut int
	// Undecided counts the names for which no edge is drawn since several files declare them.
	Undecided int
	Warnings  []Warning
}

// Names are what a file offers and asks for. Both are sorted.
type Names struct {
	// Exports are the names that it exports; "*" where it hands on all of
	// another module's.
	Exports []string
	// Imports are the modules that it names, as written.
	Imports []string
}

// Definition is a name that a file defines, where others can see it or in a
// type that they can see.
type Definition struct {
	// Name is qualified by the type for its members: Server.Serve.
	Name string
	// Kind is func, method, constructor, class, struct, union, interface, trait, type, enum,
	// var, const, namespace, module, field, property, macro, alias (what is defined elsewhere, handed out by this name) or test; of
	// languages of data also table, view, or the word that declares.
	Kind string
	// From is the first line that belongs to it, comments included; Line that
	// of its name; Head the last line of its signature, which is End where
	// there is no body. Lines count from 1.
	From, Line, Head, End int
	Exported              bool
	// Default says that who imports the file names it as he likes: it is the default that the file exports, or all of it.
	Default bool
	// Promised says that it is a method that an interface asks for: where a file is shown, the signature of its type tells it, which
	// is the whole of that.
	Promised bool
	// Doc is the first sentence of its documentation.
	Doc string
	// Signature is its signature as it stands, without the body; "" where it is the lines
	// from Line to Head.
	Signature string
}

// functionKinds are the kinds of what is called, by the words of their languages.
var functionKinds = map[string]bool{"func": true, "method": true, "constructor": true, "macro": true, "operator": true, "init": true, "sub": true, "subscript": true, "procedure": true}

// IsFunction reports whether a definition is one of what is called: a function, however its language names it.
func (d *Definition) IsFunction() bool { return functionKinds[d.Kind] }
