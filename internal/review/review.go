package review

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/layout"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// Review is what a comment tells of one change.
type Review struct {
	Size Size
	// Lines counts the lines added and taken away; Size is made from it.
	Lines int
	Kind  Kind
	// Files are the changed ones, in the order of the change.
	Files  []File
	Groups []Group
	// Definitions are the exported ones that came, went, or have another signature: those that most others use first.
	Definitions []Definition
	// Unread are the changed sources whose definitions were not compared: there are too many.
	Unread int
	Reach  Reach
	// Dependencies are those that changed: those that manifests name, then those that lock files alone name.
	Dependencies []Dependency
	// Found are the places in changed files at which credentials were found.
	Found []Place
	// Left are changed files that no archive can hold, each with why.
	Left []LeftOut
	// Users are how many files outside the change import a changed one.
	Users int
	// UsersUnknown are the changed sources whose users nobody knows.
	UsersUnknown int
	// sources are the changed files whose imports are read, untested those of them that no changed test imports.
	sources, untested int
	// Picture is nil where no import leads to or from the change.
	Picture *Picture
}

// Size is how large a change is: by lines added and taken away, without those that programs
// write, that only moved, and that only white space changes.
type Size string

// The sizes.
const (
	XS Size = "XS" // under 10 lines
	S  Size = "S"  // under 50
	M  Size = "M"  // under 250
	L  Size = "L"  // under 1,000
	XL Size = "XL"
)

// sizeOf is the size of so many lines.
func sizeOf(lines int) Size {
	switch {
	case lines < 10:
		return XS
	case lines < 50:
		return S
	case lines < 250:
		return M
	case lines < 1000:
		return L
	}
	return XL
}

// Kind is what a change is, as far as its files tell.
type Kind string

// The kinds, the narrowest first: a change has the first one that fits all of it.
const (
	Nothing     Kind = "nothing"
	Generated   Kind = "generated"    // programs write all of it
	Formatting  Kind = "formatting"   // only how it is laid out differs
	Bump        Kind = "dependencies" // other versions of dependencies, and nothing else
	Docs        Kind = "docs"
	Tests       Kind = "tests"
	Refactoring Kind = "refactoring" // most of it moved, and is what it was
	Feature     Kind = "feature"     // exports more than before
	Edit        Kind = "change"      // what was there is otherwise
)

// Class is what one changed file is.
type Class uint8

// The classes.
const (
	Source Class = iota
	Test
	Document
	Settings // manifests, workflows, configuration
	Data     // what is no text, and texts of no language
	Written  // by a program: generated, lock files, minified
)

// File is one changed file.
type File struct {
	diff.Change
	Class Class
	// Added and Removed are lines; Counted is false where they are not known.
	Added, Removed int
	Counted        bool
	// Moved: it has another path, and the lines that it had. Formatted: what a formatter of its language chooses alone differs, as
	// package layout tells.
	Moved, Formatted bool
	// Touched are the lines of the head that the change writes or takes lines from.
	touched []int
	// importers are files outside the change that import it.
	importers int
	file      *scan.File
}

// as is the name by which its text is read.
func (f *File) as() string {
	if f.file != nil {
		return f.file.As()
	}
	return f.Path
}

// Place is where a credential was found.
type Place struct {
	Path, Rule string
	Line       int // from 1; 0 where the file as a whole is left out
	// Beside says that the change leaves the line alone, but for its layout: it stands elsewhere in a changed file.
	Beside bool
}

// LeftOut is a changed file that no archive can hold.
type LeftOut struct {
	Path   string
	Reason scan.Reason
}

// changeView is a change while it is looked at.
type changeView struct {
	v     *snapshot.View
	files map[string]*scan.File
	// place of a changed path in list, which are the files of the review.
	place map[string]int
	list  []File
	// importers and imports are the edges between sources, by path.
	importers, imports map[string][]string
	// packages are the Go files by folder.
	packages map[string][]string
	// users looks for who names a definition; nil until one is asked for.
	users *snapshot.Users
}

// New looks at the change of a view; changes are those that are told. Nil without a base.
func New(v *snapshot.View, changes []diff.Change) *Review {
	if v.Change.Base.None {
		return nil
	}
	c := &changeView{v: v, list: make([]File, 0, len(changes)), files: make(map[string]*scan.File, len(v.Sealed.Files)), place: make(map[string]int, len(changes))}
	for i := range v.Sealed.Files {
		c.files[v.Sealed.Files[i].Path] = &v.Sealed.Files[i]
	}
	patches := make(map[string]*snapshot.FilePatch, len(v.Patches))
	for i := range v.Patches {
		patches[v.Patches[i].Change.Path] = &v.Patches[i]
	}
	for i, x := range changes {
		c.place[x.Path] = i
		c.list = append(c.list, c.look(x, patches[x.Path]))
	}
	c.link()
	r := &Review{Files: c.list}
	r.Users, r.UsersUnknown = c.countUsers()
	pairs, unread := c.pairs()
	r.Unread = unread
	r.Definitions = c.definitions(pairs)
	r.Reach = c.reach(pairs)
	r.Dependencies = c.dependencies()
	r.Found, r.Left = c.found(), c.left()
	for _, f := range r.Files {
		if f.Class < Written && !f.Moved && !f.Formatted {
			r.Lines += f.Added + f.Removed
		}
	}
	r.Size = sizeOf(r.Lines)
	r.Kind = c.kind(r)
	r.Groups = c.groups()
	r.sources, r.untested = c.countUntested()
	r.Picture = c.picture()
	return r
}

// look says what one changed file is.
func (c *changeView) look(x diff.Change, p *snapshot.FilePatch) File {
	f := File{Change: x, file: c.files[x.Path]}
	if x.Status == diff.Deleted {
		f.file = nil
	}
	f.Class = classOf(x.Path, f.file, p)
	if p == nil {
		return f
	}
	f.Added, f.Removed, f.Counted = p.Added, p.Removed, p.Counted
	f.touched = diff.Touched(p.Text)
	f.Moved = x.OldPath != "" && (x.Same || f.Counted && f.Added+f.Removed == 0)
	if len(f.touched) > 0 && f.Class != Written && f.file != nil && x.Status != diff.Added {
		before, ok := c.before(x)
		head := c.head(f.file)
		f.Formatted = ok && layout.Same(x.Path, before, head)
	}
	return f
}

// classOf is what a file of that path and patch is.
func classOf(name string, f *scan.File, p *snapshot.FilePatch) Class {
	_, category := scan.Classify(name)
	as := name
	if f != nil {
		as = f.As()
	}
	switch {
	case language.IsLock(name) || p != nil && p.Generated || f != nil && f.LowValue != "":
		return Written
	case f != nil && !f.Extractable() && f.Encoding == text.Binary:
		return Data
	case language.IsTest(name) || category == scan.CategoryTest:
		return Test
	case language.Is(as, language.Code) || language.Is(as, language.Markup) && category != scan.CategoryDocumentation:
		return Source
	case category == scan.CategoryDocumentation:
		return Document
	case category == scan.CategoryConfig || category == scan.CategoryBuild || project.ReaderOf(name) != nil:
		return Settings
	}
	return Data
}

// head is a file's screened text; nil where it cannot be read.
func (c *changeView) head(f *scan.File) []byte {
	raw, err := f.Read()
	if err != nil {
		return nil
	}
	return text.Decode(raw, f.Encoding)
}

// before is the base's screened text of a change; ok is false where there is none to be shown.
func (c *changeView) before(x diff.Change) (content []byte, ok bool) {
	old := x.Path
	if x.OldPath != "" {
		old = x.OldPath
	}
	return c.v.Change.TextBefore(c.v.Sealed, old)
}

// link reads the graph's edges between sources.
func (c *changeView) link() {
	c.importers, c.imports = map[string][]string{}, map[string][]string{}
	m := c.v.Sealed.Meta
	if m == nil {
		return
	}
	for from, n := range m.Nodes {
		if c.files[from] == nil {
			continue
		}
		for _, e := range n.Edges {
			if e.Target != from && c.files[e.Target] != nil {
				c.importers[e.Target] = append(c.importers[e.Target], from)
				c.imports[from] = append(c.imports[from], e.Target)
			}
		}
	}
	for _, edges := range []map[string][]string{c.importers, c.imports} {
		for name, list := range edges {
			slices.Sort(list)
			edges[name] = slices.Compact(list)
		}
	}
}

// countUsers counts the files outside the change that import a changed one, and the changed sources of which nobody knows it.
func (c *changeView) countUsers() (users, unknown int) {
	outside := map[string]bool{}
	for i := range c.list {
		f := &c.list[i]
		for _, from := range c.importers[f.Path] {
			if _, in := c.place[from]; !in {
				f.importers++
				outside[from] = true
			}
		}
		if f.Class == Source && f.importers == 0 && (c.v.Sealed.Meta == nil || !snapshot.HasGraph(f.as())) {
			unknown++
		}
	}
	return len(outside), unknown
}

// found are the places in changed files at which credentials were found, those that the change writes first: a file that holds
// too many, or is one, is a place without a line. Of a file whose changed lines are not known every line is written.
func (c *changeView) found() (list []Place) {
	for i := range c.list {
		if f := &c.list[i]; f.file != nil {
			known := f.Counted && f.Status != diff.Added && (len(f.touched) > 0 || f.Moved)
			var lines []string
			if known && len(f.file.Redactions) > 0 {
				lines = strings.Split(string(c.head(f.file)), "\n")
			}
			for _, x := range f.file.Redactions {
				list = append(list, Place{f.Path, x.Rule, x.Line, f.Formatted || known && !writes(f.touched, lines, x.Line)})
			}
		}
	}
	for _, o := range c.v.Sealed.Omitted {
		if i, ok := c.place[o.Path]; ok && o.Reason == scan.Credentials && c.list[i].Status != diff.Deleted {
			list = append(list, Place{Path: o.Path, Rule: o.Rule})
		}
	}
	slices.SortStableFunc(list, func(a, b Place) int { return later(a.Beside) - later(b.Beside) })
	return list
}

// writes reports whether a change writes a line of a finding, which goes on from its first one over those of which a redaction
// has left nothing.
func writes(touched []int, lines []string, first int) bool {
	i, _ := slices.BinarySearch(touched, first)
	if i == len(touched) {
		return false
	}
	last := min(first, len(lines))
	for last < len(lines) && (strings.TrimSpace(lines[last]) == "" || strings.Contains(lines[last], "[REDACTED:")) {
		last++
	}
	return touched[i] <= max(first, last)
}

// later is 1 of what stands behind the rest.
func later(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// left are the changed files that no archive can hold, but for those that count as found.
func (c *changeView) left() (list []LeftOut) {
	for _, o := range c.v.Sealed.Omitted {
		if i, ok := c.place[o.Path]; ok && o.Reason != scan.Credentials && c.list[i].Status != diff.Deleted {
			list = append(list, LeftOut{o.Path, o.Reason})
		}
	}
	return list
}

// Quiet reports whether a reviewer misses nothing where the change is not commented: programs, formatters and writers of
// documents made all of it, or it is a bump; and no line that it writes holds a credential, no changed file was left out, and no
// dependency is new.
func (r *Review) Quiet() bool {
	switch r.Kind {
	case Nothing, Generated, Formatting, Bump, Docs:
	case Tests, Refactoring, Feature, Edit:
		return false
	}
	return r.Written() == 0 && len(r.Left) == 0 && !slices.ContainsFunc(r.Dependencies, func(d Dependency) bool { return d.From == "" })
}

// Written counts the places of Found that the change itself writes: they stand first.
func (r *Review) Written() int {
	if n := slices.IndexFunc(r.Found, func(x Place) bool { return x.Beside }); n >= 0 {
		return n
	}
	return len(r.Found)
}

// Alike counts the changed files that nobody has to read: those of which only the layout differs, and those that moved, with
// the lines that they had or most of them.
func (r *Review) Alike() (formatted, moved int) {
	for i := range r.Files {
		switch f := &r.Files[i]; {
		case f.Class == Written:
		case f.Formatted:
			formatted++
		case f.moved():
			moved++
		}
	}
	return formatted, moved
}

// moved reports whether a file has another path, and most of the lines that it had: what is renamed is told by that.
func (f *File) moved() bool { return f.Moved || f.Status == diff.Renamed }

// kind is what the change is.
func (c *changeView) kind(r *Review) Kind {
	var by [Written + 1]int
	moved, formatted, plain := 0, 0, 0
	for i := range c.list {
		switch f := &c.list[i]; {
		case f.Class == Written:
			by[Written]++
		case f.Formatted:
			formatted++
		default:
			by[f.Class]++
			plain++
			if f.moved() {
				moved++
			}
		}
	}
	switch {
	case len(c.list) == 0:
		return Nothing
	case plain == 0 && formatted == 0:
		if c.onlyVersions(r) {
			return Bump
		}
		return Generated
	case plain == 0:
		return Formatting
	case c.onlyVersions(r):
		return Bump
	case by[Document] == plain:
		return Docs
	case by[Test] == plain:
		return Tests
	case moved*2 >= plain:
		return Refactoring
	case gained(r.Definitions) > 0:
		return Feature
	}
	return Edit
}

// gained is how many more definitions are exported than before: a name that is another now is no gain. A type with more than it had
// counts as one.
func gained(list []Definition) int {
	n := 0
	for i := range list {
		switch d := &list[i]; {
		case d.Change == Came || d.grew():
			n++
		case d.Change == Went:
			n--
		}
	}
	return n
}

// folder is where a path lies, "" for the root.
func folder(name string) string {
	if d := path.Dir(name); d != "." {
		return d
	}
	return ""
}

// closingCommas are the languages in which a comma behind the last of a list means nothing. In others it makes one a tuple.
var closingCommas = map[string]bool{"TypeScript": true, "JavaScript": true, "Vue": true, "Svelte": true, "Go": true, "Kotlin": true, "Dart": true}

// tokens writes a text without the white space that means nothing. deep keeps that before the first word of a line, and the
// line's end; closing leaves out commas behind the last of a list. What stands between backticks is kept over lines.
func tokens(content []byte, deep, closing bool) []byte {
	out := make([]byte, 0, len(content))
	quote := byte(0)
	for line := range strings.Lines(string(content)) {
		body := line
		if quote != '`' {
			line = strings.TrimRight(line, " \t\r\n")
			body = strings.TrimLeft(line, " \t")
			quote = 0
		}
		if body == "" {
			continue
		}
		if deep {
			out = append(out, '\n')
			out = append(out, line[:len(line)-len(body)]...)
		}
		out, quote = appendTokens(out, body, quote, !deep, closing)
	}
	return out
}

// appendTokens writes those of a line that begins within a quote, or 0, and returns that within which it ends. space: white space
// stands before it.
func appendTokens(out []byte, line string, quote byte, space, closing bool) ([]byte, byte) {
	for i := 0; i < len(line); i++ {
		b := line[i]
		switch {
		case quote != 0:
			out = append(out, b)
			if b == '\\' && i+1 < len(line) {
				i++
				out = append(out, line[i])
			} else if b == quote {
				quote = 0
			}
			continue
		case b == ' ' || b == '\t':
			space = true
			continue
		case b == '"' || b == '\'' || b == '`':
			quote = b
		case closing && strings.IndexByte(")]}>", b) >= 0 && closes(out):
			out = out[:len(out)-1]
		}
		if space && len(out) > 0 && wordSign(out[len(out)-1]) && wordSign(b) {
			out = append(out, ' ')
		}
		out, space = append(out, b), false
	}
	return out, quote
}

// wordSign reports whether a byte belongs to a word.
func wordSign(b byte) bool {
	return b == '$' || text.InWord(b)
}

// closes reports whether the text that is written so far ends in a comma that stands behind an element.
func closes(out []byte) bool {
	n := len(out)
	return n > 1 && out[n-1] == ',' && strings.IndexByte("([{,\n", out[n-2]) < 0
}
