package lookup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// Use is a line that names what is asked about.
type Use struct {
	Line int // from 1
	// Sure: the syntax and the imports tell that it is that, and not another of its name.
	Sure bool
	// Said: the name stands there, in a file that something ties to what is asked about, and nothing in the syntax tells that it is meant.
	Said bool
}

// User is a file that names what is asked about.
type User struct {
	Path string
	// Uses are its lines that do, in their order; none of those that only speak of it in a comment.
	Uses []Use
	// Tie says how the file is tied to where that is defined.
	Tie Tie
	// As is the other name under which the file knows it, and the file that hands it on so; none where it knows it by its own.
	As Renaming
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
	// Spelled: a string of it is the path of what is defined, as what loads it by name reads it.
	Spelled
	// Itself: it is the file that defines it.
	Itself
	// Chained: it imports what gives back values of the type that declares it, and calls that.
	Chained
	// Untied: no import leads there, so that it may mean another thing of that name.
	Untied
)

func (t Tie) String() string {
	return [...]string{"imports it", "imports it, as far as the graph can tell (implicit)", "of the same package", "spells its path in a string", "defines it", "calls what gives back its type", "names it, and no import that is known leads there: it may mean another"}[t]
}

// Usage is who uses something, and what was passed over.
type Usage struct {
	Users []User
	// Spoken are the files that name it in comments, and in sentences of strings, alone.
	Spoken int
	// Others are the lines of code of files that are tied to it, on which the name stands for another thing: a local, an argument's label, a
	// word of a sentence in a string.
	Others int
	// Elsewhere are the files that are not tied to it, and define another of its name, or import it from elsewhere.
	Elsewhere int
	// Unread are the files of its language that say its name and are not looked through: they are generated, minified, or the like.
	Unread []string
	// Renamed are the names under which files hand it on, by which others know it.
	Renamed []Renaming
}

// Renaming is another name of a thing, under which a file hands it on.
type Renaming struct{ Path, Name string }

func (r Renaming) String() string { return r.Path + ": " + r.Name }

// Subject is the name as one whose users can be asked for.
func (r Renaming) Subject() *Subject {
	return NewSubject(r.Name, []Definition{{Path: r.Path, Name: r.Name, Kind: "alias", Exported: true}})
}

// Subject is what users are asked of.
type Subject struct {
	Definitions []Definition
	// Names are the words that stand for them.
	Names []string
	// Left are the definitions beyond maxAsked: who names them is told as unsure.
	Left int
	// at are the lines on which a file defines them.
	at map[string][]int
}

// maxAsked bounds the definitions whose users are told apart, of one question.
const maxAsked = 40

// NewSubject returns the subject of definitions; without any, of a name that nothing known bears.
func NewSubject(name string, list []Definition) *Subject {
	s := &Subject{Definitions: list, at: map[string][]int{}}
	words := map[string]bool{}
	for _, d := range list {
		last := d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		if outer := outerOf(d.Name); outer != "" && (wanted(d).Construct || wanted(d).BuiltByType()) {
			last = outer // it is called by the name of its type
		}
		words[last] = true
		words[strings.TrimPrefix(last, "$")] = true
		words[strings.TrimSuffix(last, "=")] = true // a setter of Ruby
		s.at[d.Path] = append(s.at[d.Path], d.Line)
	}
	if len(list) == 0 {
		words[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	s.Names = slices.Sorted(maps.Keys(words))
	s.Left = max(0, len(list)-maxAsked)
	s.Definitions = list[:len(list)-s.Left]
	return s
}

// outerOf is the name of the type that a member belongs to, "" for none.
func outerOf(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return name[strings.LastIndexByte(name[:i], '.')+1 : i]
}

// wanted is a definition as users are looked for.
func wanted(d Definition) source.WantedDefinition {
	w := source.WantedDefinition{Path: d.Path, Name: d.Name, Kind: source.WantedKind(d.Path, d.Name, d.Kind, d.Signature), Construct: d.Kind == "constructor", Space: d.Kind == "namespace", Extends: source.Extended(d.Path, d.Name, d.Signature)}
	w.Construct = w.Construct && (outerOf(d.Name) == "" || !w.NamedConstructor())
	return w
}

// Users answers who uses each subject: of the files for which keep is true of how they are tied to it. All files are read once.
func (x *Index) Users(subjects []*Subject, keep func(Tie) bool) ([]Usage, error) {
	if err := x.read(); err != nil {
		return nil, err
	}
	asked := make([]*inquiry, len(subjects))
	for i, s := range subjects {
		asked[i] = x.inquiry(s)
	}
	files := x.sealed.Files
	found := make([][]sighting, len(files))
	faults := make([]error, len(files))
	// Nothing ends this context: what is asked is read to its end.
	_ = graph.Each(context.Background(), len(files), func(i int) { found[i], faults[i] = x.sightings(asked, i, keep) })
	list := make([]Usage, len(subjects))
	for i := range files {
		for _, s := range found[i] {
			u := &list[s.of]
			u.Others += s.others
			if s.unread {
				u.Unread = append(u.Unread, s.Path)
			}
			switch {
			case len(s.Uses) > 0:
				u.Users = append(u.Users, s.User)
			case s.spoken:
				u.Spoken++
			case s.elsewhere:
				u.Elsewhere++
			}
			for _, name := range s.renamed {
				if x.known(s.Path, name) {
					u.Renamed = append(u.Renamed, Renaming{s.Path, name})
				}
			}
		}
	}
	return list, errors.Join(faults...)
}

// inquiry is a subject, and what decides which files are tied to it.
type inquiry struct {
	*Subject
	words [][]byte
	// reached are, for each definition, the files that import it, or what hands it on.
	reached []map[string]bool
	// heirs are the members as types have them that extend those of the definitions, inherits the files that import one.
	heirs    []source.WantedDefinition
	inherits []map[string]bool
	// wholes are, for each definition, nil, or what says how others call it.
	wholes []*snapshot.Whole
	// returned says of each definition whether it belongs to the table that its file of Lua returns.
	returned []bool
	// packages are, for each definition of Go, the path by which its package is imported, and its name.
	packages [][2]string
	folders  map[string]bool // of Go
	// outer are the types that members belong to: member says that one is such, value that one is a value of a type.
	outer         map[string]bool
	member, value bool
	// methods: all of them are called, values: none is.
	methods, values bool
	// built: all of them are constructors that are called by the names of their types, which mean more than them.
	built bool
	// holders are the types that declare a member of one of its names, where it is a member; classes says of names whether they are of classes alone.
	holders map[string]bool
	classes sync.Map
	// space: one of them is a namespace.
	space bool
	// fold are its names of PHP.
	fold []foldedName
	// fixture: one of them is for tests that name it as their parameter.
	fixture bool
	// hidden: the files that define them alone can name them, sealed: whatever others do.
	hidden, sealed bool
}

// out reports whether a file that is tied so cannot name any of the definitions.
func (q *inquiry) out(tie Tie) bool { return tie == Untied && q.hidden || tie != Itself && q.sealed }

func (x *Index) inquiry(s *Subject) *inquiry {
	any := len(s.Definitions) > 0
	q := &inquiry{Subject: s, folders: map[string]bool{}, outer: map[string]bool{}, fold: folds(s.Definitions), built: any, methods: any, values: any, hidden: any, sealed: any}
	for _, name := range s.Names {
		q.words = append(q.words, []byte(name))
	}
	for _, d := range s.Definitions {
		reached := map[string]bool{}
		for _, name := range x.users().Reaching(wanted(d)) {
			reached[name] = true
		}
		q.reached = append(q.reached, reached)
		x.inherit(q, wanted(d))
		q.built = q.built && wanted(d).BuiltByType()
		q.methods, q.values = q.methods && wanted(d).Method(), q.values && wanted(d).Valued()
		hidden, sealed := source.Hidden(d.Path, d.Name, d.Signature)
		q.hidden, q.sealed = q.hidden && hidden, q.sealed && sealed
		whole := x.users().Whole(wanted(d))
		if whole == nil && d.Default {
			whole = x.users().WholeOnce(wanted(d))
		}
		q.wholes = append(q.wholes, whole)
		q.returned = append(q.returned, x.users().Returned(wanted(d)))
		imported, called := x.users().Package(d.Path)
		q.packages = append(q.packages, [2]string{imported, called})
		if path.Ext(d.Path) == ".go" {
			q.folders[path.Dir(d.Path)] = true
		}
		if outer := outerOf(d.Name); outer != "" {
			q.member, q.outer[outer] = true, true
			q.value = q.value || wanted(d).Valued()
		}
		if short, ok := wanted(d).Attribute(); ok {
			q.words = append(q.words, []byte(short))
		}
		if module, ok := wanted(d).Raised(); ok {
			q.words = append(q.words, []byte(module))
		}
		q.space = q.space || d.Kind == "namespace"
		q.fixture = q.fixture || path.Ext(d.Path) == ".py" && x.fixture(d)
	}
	if q.member && !q.built {
		q.holders = x.holding(s.Names)
	}
	return q
}

// holding are the types that declare a member of one of the names.
func (x *Index) holding(names []string) map[string]bool {
	by := map[string]bool{}
	for i := range x.of {
		for name := range x.of[i].Load().all() {
			if at := strings.LastIndexByte(name, '.'); at > 0 && slices.Contains(names, name[at+1:]) {
				by[outerOf(name)] = true
			}
		}
	}
	return by
}

// ofAnother reports whether a member that stands behind the name of a type, or in one that extends none, is surely that type's: it declares one
// of the name, and nothing else is called as it is. An interface's may be that of whatever implements it, and what is asked of one is answered by that.
func (x *Index) ofAnother(q *inquiry, of string) bool {
	if of == "" || q.outer[of] || !q.holders[of] || !x.class(q, of) {
		return false
	}
	for outer := range q.outer {
		if !x.class(q, outer) {
			return false
		}
	}
	return true
}

// class reports whether all that is called so are classes.
func (x *Index) class(q *inquiry, name string) bool {
	if is, ok := q.classes.Load(name); ok {
		return is == true
	}
	found, err := x.Definitions(func(_, said string) bool { return said == name || strings.HasSuffix(said, "."+name) })
	is := err == nil && !slices.ContainsFunc(found, func(d Definition) bool {
		switch d.Kind {
		case "class", "struct", "enum", "record", "object":
			return false
		case "module":
			return !elixir(d.Path)
		case "constructor":
			return outerOf(d.Name) != name
		}
		return true
	})
	q.classes.Store(name, is)
	return is
}

// mayStandIn reports whether a file is of a language that can use one of the definitions.
func (x *Index) mayStandIn(f *scan.File, q *inquiry) bool {
	l := language.Of(f.As())
	return l != nil && slices.ContainsFunc(q.Definitions, func(d Definition) bool {
		of := x.Language(d.Path)
		return of != nil && of.Family == l.Family
	})
}

// fixture reports whether what stands before a function of Python says that it is one for tests.
func (x *Index) fixture(d Definition) bool {
	f := x.files[d.Path]
	if f == nil || d.Kind != "func" || !language.IsTest(d.Path) && path.Base(d.Path) != "conftest.py" {
		return false
	}
	raw, err := f.Read()
	if err != nil {
		return true
	}
	lines := strings.Split(string(text.Decode(raw, f.Encoding)), "\n")
	return d.From <= d.Line && d.Line <= len(lines) && strings.Contains(strings.Join(lines[max(0, d.From-1):d.Line], "\n"), "fixture")
}

// sighting is a file that says a word of a subject.
type sighting struct {
	User
	of        int // which subject
	spoken    bool
	elsewhere bool
	unread    bool
	others    int
	renamed   []string
}

// sightings looks for subjects in the file of a place. One that surely says nothing of them is not read.
func (x *Index) sightings(asked []*inquiry, place int, keep func(Tie) bool) (list []sighting, err error) {
	f := &x.sealed.Files[place]
	if f.Encoding == text.Binary || !f.Mode.IsRegular() {
		return nil, nil
	}
	runs := x.runs[place].Load()
	if runs != nil && !slices.ContainsFunc(asked, func(q *inquiry) bool { return q.mayStand(f.Path, *runs) }) {
		return nil, nil
	}
	raw, err := f.Read()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	content := raw
	if f.Encoding != text.UTF8 {
		content = text.Decode(raw, f.Encoding)
	}
	if runs == nil {
		made := newGrams(content)
		x.runs[place].Store(&made)
	}
	var t *nameSearch
	for i, q := range asked {
		if !slices.ContainsFunc(q.words, func(w []byte) bool { return bytes.Contains(content, w) }) && !q.calls(f.Path, content) && len(q.spelled(f.Path, content)) == 0 {
			continue
		}
		tie := x.tieOf(f.Path, q)
		if !keep(tie) || q.out(tie) {
			continue
		}
		if !f.Extractable() {
			if x.mayStandIn(f, q) && len(naming(string(content), q.Names)) > 0 {
				list = append(list, sighting{User: User{Path: f.Path}, of: i, unread: true})
			}
			continue
		}
		if t == nil {
			t = x.newTold(f, content)
		}
		list = append(list, x.sight(i, q, t, tie))
	}
	return list, nil
}

// mayStand reports whether a text of this path may say one of the words, or import one of the definitions by a name of its own.
func (q *inquiry) mayStand(name string, runs grams) bool {
	if len(q.fold) > 0 && path.Ext(name) == ".php" {
		return true
	}
	return slices.ContainsFunc(q.words, runs.mayHold) || slices.ContainsFunc(q.wholes, func(h *snapshot.Whole) bool { return h.MayStandIn(name, runs.mayHold) })
}

// calls reports whether a text imports one of the definitions by a name of its own.
func (q *inquiry) calls(name string, content []byte) bool {
	for k, h := range q.wholes {
		if _, ok := h.As(wanted(q.Definitions[k]), name, content); ok {
			return true
		}
	}
	return false
}

// nameSearch is a text as it is asked what it says.
type nameSearch struct {
	path    string
	content []byte
	// mentions is nil where the language's texts are not split.
	mentions *source.Mentions
}

func (x *Index) newTold(f *scan.File, content []byte) *nameSearch {
	return &nameSearch{f.Path, content, x.splits.split(f, content)}
}

// sight looks for a subject in a text.
func (x *Index) sight(i int, q *inquiry, t *nameSearch, tie Tie) sighting {
	s := sighting{User: User{Path: t.path, Tie: tie}, of: i}
	lines := naming(string(t.content), q.Names)
	l := &ledger{defined: q.at[t.path], uses: map[int]Use{}, others: map[int]bool{}}
	if t.mentions == nil {
		for _, n := range q.spoken(string(t.content), lines) {
			l.tell(n, tie != Untied)
		}
		s.Uses = l.sorted()
		return s
	}
	for k, d := range q.Definitions {
		w := wanted(d)
		var uses []source.Use
		switch {
		case d.Path == t.path:
			uses = t.mentions.Within(w, q.at[t.path])
		case q.reached[k][t.path]:
			w.Told, w.Twice = x.imported(t.path, w)
			w.Returned = q.returned[k]
			w.Import, w.Package = q.packages[k][0], q.packages[k][1]
			uses = append(snapshot.Of(t.mentions, w), q.wholes[k].Hands(w, t.path, t.content)...)
			if as, ok := q.wholes[k].As(w, t.path, t.content); ok {
				uses = append(uses, q.wholes[k].Uses(t.mentions, as)...)
			}
			s.renamed = append(s.renamed, t.mentions.Renames(source.First(w.Name))...)
		}
		for _, u := range uses {
			if u.Sure || !x.ofAnother(q, u.Of) {
				l.tell(u.Line, u.Sure)
			}
		}
	}
	for _, u := range x.inherited(q, t) {
		l.tell(u.Line, true)
	}
	x.chained(&s, q, t, l)
	code := x.doubtful(&s, q, t, l)
	l.tellSpelled(t.mentions, q.spelled(t.path, t.content))
	if markup(t.path) { // its tags are no code, and name things all the same
		for _, n := range lines {
			l.tell(n, false)
		}
	}
	s.Uses = l.sorted()
	if n := len(l.others); tie == Untied && len(s.Uses) == 0 {
		s.elsewhere = code && n > 0
	} else {
		s.others = n
	}
	s.spoken = !code && len(lines) > 0
	return s
}

// chained tells the lines that name a member behind calls which give back its type.
func (x *Index) chained(s *sighting, q *inquiry, t *nameSearch, l *ledger) {
	for _, d := range q.Definitions {
		if !q.member || d.Path == t.path || !x.sameFamily(d.Path, t.path) {
			continue
		}
		for _, u := range x.users().Chained(t.mentions, t.path, wanted(d), x.splits.split) {
			if l.tell(u.Line, true); s.Tie == Untied {
				s.Tie = Chained
			}
		}
	}
}

// sameFamily reports whether two files are of languages that use each other's definitions.
func (x *Index) sameFamily(a, b string) bool {
	one, other := x.Language(a), x.Language(b)
	return one != nil && other != nil && one.Family == other.Family
}

// spoken are those of the lines of a manual, or the like, that speak of a subject: of a constructor those that call it.
func (q *inquiry) spoken(content string, lines []int) []int {
	if !q.built {
		return lines
	}
	all := strings.Split(content, "\n")
	return slices.DeleteFunc(lines, func(n int) bool {
		return !slices.ContainsFunc(q.Names, func(name string) bool {
			return strings.Contains(all[n-1], "new "+name) || strings.Contains(all[n-1], name+"(")
		})
	})
}

// ledger has the lines of a text that name what is asked about, and those on which the name is another's.
type ledger struct {
	defined []int
	uses    map[int]Use
	others  map[int]bool
}

// tell adds a line that names it, unless it is one that defines it.
func (l *ledger) tell(line int, sure bool) {
	if !slices.Contains(l.defined, line) {
		l.uses[line] = Use{Line: line, Sure: sure || l.uses[line].Sure}
	}
}

// sorted are the uses in order. Their lines are others' no more.
func (l *ledger) sorted() (list []Use) {
	for _, n := range slices.Sorted(maps.Keys(l.uses)) {
		list = append(list, l.uses[n])
		delete(l.others, n)
	}
	return list
}

// doubtful adds the places of a subject's words that are no uses as far as the syntax tells: each is one all the same, perhaps, or another's.
// code reports whether the words stand outside of comments and strings.
func (x *Index) doubtful(s *sighting, q *inquiry, t *nameSearch, l *ledger) (code bool) {
	tie := s.Tie
	for _, name := range q.Names {
		for _, w := range t.mentions.Words(name) {
			code = code || w.As != source.Literal && w.As != source.Template
			if _, ok := l.uses[w.Line]; ok || slices.Contains(l.defined, w.Line) {
				continue
			}
			switch {
			case w.As == source.Literal && q.spells(w.Quoted):
				if l.tell(w.Line, true); s.Tie == Untied {
					s.Tie = Spelled
				}
			case x.others(q, t, name, w, tie):
				l.others[w.Line] = true
			case tie != Untied && q.outer[w.In] && (w.Called || !q.methods):
				l.tell(w.Line, true)
			default:
				l.uses[w.Line] = Use{Line: w.Line, Said: tie != Untied}
			}
		}
	}
	return code
}

// others reports whether a word surely stands for another thing, or for none.
func (x *Index) others(q *inquiry, t *nameSearch, name string, w source.Word, tie Tie) bool {
	if q.built {
		return !w.Value || w.As == source.Local
	}
	if q.methods && w.Read || q.values && w.Called {
		return true
	}
	switch w.As {
	case source.Literal: // a name that something may look up, no sentence
		return !quotes(w.Quoted, name)
	case source.Local:
		return !q.fixture || !language.IsTest(t.path)
	case source.Label: // it names what a type is made of, where that is made
		return !q.value || tie == Untied && t.mentions.DefinesMember(name)
	case source.Bare:
		if elixir(t.path) && tie == Untied && t.mentions.DefinesMember(name) {
			return true
		}
		if q.member && t.mentions.Receives() {
			return w.In == "" && !t.mentions.Imports(name)
		}
		return !q.member && tie == Untied && x.another(t, name)
	case source.Declared, source.Key:
		return !q.member || x.ofAnother(q, w.Of)
	case source.Module:
		return !q.space
	case source.Template:
		return !q.member
	case source.Qualified:
		return q.elsewhere(w.Package) || x.ofAnother(q, w.Of)
	}
	return false
}

// elixir reports whether a file is of Elixir, whose functions all belong to modules.
func elixir(name string) bool { return path.Ext(name) == ".ex" || path.Ext(name) == ".exs" }

// elsewhere reports whether an import path of Go is that of a package which holds none of the definitions.
func (q *inquiry) elsewhere(imported string) bool {
	return imported != "" && !slices.ContainsFunc(q.packages, func(of [2]string) bool { return of[0] == "" || of[0] == imported })
}

// quotes reports whether a string is a name, or what a name stands in: a.name, a:name, a\name, a@name, name@method, and, of types, Space/Name.
func quotes(said, name string) bool {
	if strings.Contains(said, "/") {
		return strings.HasSuffix(said, "/"+name) && capital(said) && capital(name)
	}
	said, method, _ := strings.Cut(said, "@")
	if method == name || said == name {
		return true
	}
	mark := strings.TrimSuffix(said, name)
	return mark != said && strings.ContainsAny(mark[len(mark)-1:], `.:\`)
}

// capital reports whether a name begins as those of types do.
func capital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// another reports whether a name without a receiver, in a text that no import ties to what is wanted, is surely another: its own, one that it
// imports from a file which defines it, or, where other packages need a receiver, any.
func (x *Index) another(t *nameSearch, name string) bool {
	if path.Ext(t.path) == ".go" || t.mentions.Defines(name) {
		return true
	}
	_, elsewhere := x.imported(t.path, source.WantedDefinition{Name: name})
	return elsewhere && t.mentions.Imports(name)
}

// markup reports whether a text holds code within tags.
func markup(name string) bool {
	l := language.Of(name)
	return l != nil && (l.Name == "Vue" || l.Name == "Svelte" || l.Name == "Astro")
}

// spells reports whether a string is the path of a definition: that of its module, and its name.
func (q *inquiry) spells(said string) bool {
	said = strings.ReplaceAll(said, ":", ".")
	if !strings.Contains(said, ".") {
		return false
	}
	return slices.ContainsFunc(q.Definitions, func(d Definition) bool {
		module := strings.TrimSuffix(strings.TrimSuffix(d.Path, path.Ext(d.Path)), "/__init__")
		whole := "." + strings.ReplaceAll(module, "/", ".")
		if path.Base(module) != source.First(d.Name) {
			whole += "." + d.Name
		}
		return strings.HasSuffix(whole, "."+said)
	})
}

// tieOf says how a file is tied to a subject.
func (x *Index) tieOf(name string, q *inquiry) Tie {
	reached := false
	for k, d := range q.Definitions {
		if d.Path == name {
			return Itself
		}
		reached = reached || q.reached[k][name]
	}
	apart := map[string]bool{}
	for k, h := range q.heirs {
		reached = reached || q.inherits[k][name]
		apart[h.Path] = true
	}
	if !reached {
		return Untied
	}
	tie := Untied
	for _, e := range x.sealed.Meta.Nodes[name].Edges {
		switch {
		case len(q.at[e.Target]) == 0 && !apart[e.Target]:
		case e.Resolution&graph.Explicit != 0:
			return Imports
		default:
			tie = Guessed
		}
	}
	switch {
	case tie != Untied:
	case path.Ext(name) == ".go":
		if q.folders[path.Dir(name)] {
			return Beside
		}
	case handsAllOn(x.Language(name)):
		return Guessed
	}
	return tie
}

// handsAllOn reports whether what a file of this language imports is there for those who import it, whatever it is. In the others the graph
// follows each name that is handed on.
func handsAllOn(l *language.Language) bool {
	return l != nil && l.Family != "script" && l.Name != "Python" && l.Name != "Rust"
}

// imported reports whether a file imports the one which defines what is wanted: alone of all that define its name, or as one of several.
func (x *Index) imported(name string, w source.WantedDefinition) (alone, twice bool) {
	first := source.First(w.Name)
	for _, e := range x.sealed.Meta.Nodes[name].Edges {
		if e.Target == w.Path {
			alone = true
		} else if x.namesOf(e.Target).says(func(name string) bool { return name == first }) {
			twice = true
		}
	}
	return alone && !twice, twice
}

// namesOf are the names that a file defines; of one that may not be shown none.
func (x *Index) namesOf(name string) *names {
	i, ok := x.place(name)
	if !ok {
		return &names{}
	}
	return x.of[i].Load()
}

// known reports whether a file that imports this one says a name.
func (x *Index) known(path, name string) bool {
	return slices.ContainsFunc(x.users().Importers(path), func(from string) bool {
		f := x.files[from]
		if f == nil || !f.Extractable() {
			return false
		}
		raw, err := f.Read()
		return err != nil || bytes.Contains(text.Decode(raw, f.Encoding), []byte(name))
	})
}

// naming returns the lines, from 1, on which one of the names stands as a word.
func naming(content string, names []string) (lines []int) {
	plain := make([]string, 0, len(names))
	for _, name := range names {
		plain = append(plain, strings.TrimLeft(strings.TrimRight(name, "?!="), "#"))
	}
	n := 0
	for line := range strings.Lines(content) {
		n++
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool {
			return r < 0x80 && r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			if slices.Contains(plain, word) {
				lines = append(lines, n)
				break
			}
		}
	}
	return lines
}

// Meant are the definitions that are asked for by a name. One that bears the very name, or stands with it in the package or file that the
// name begins with, leaves no others where the name is qualified.
func (x *Index) Meant(asked string) ([]Definition, error) {
	found, err := x.Definitions(func(file, name string) bool { return Means(file, name, asked) })
	if err != nil || !strings.Contains(asked, ".") {
		return found, err
	}
	first, rest, _ := strings.Cut(asked, ".")
	built := first == rest && slices.ContainsFunc(found, func(d Definition) bool { return d.Name == asked }) // a constructor, in a file of its class's name
	very := slices.DeleteFunc(slices.Clone(found), func(d Definition) bool {
		return d.Name != asked && (built || d.Name != rest || first != path.Base(path.Dir(d.Path)) && first != stem(d.Path))
	})
	if len(very) > 0 {
		found = very
	}
	if len(found) == 0 {
		found, err = x.members(asked)
	}
	for len(found) == 0 && err == nil && strings.Contains(rest, ".") { // the packages around that of its name: org.example.shop.Ledger
		within := rest
		found, err = x.Definitions(func(file, name string) bool { return Means(file, name, within) && !Called(name, within) })
		_, rest, _ = strings.Cut(rest, ".")
	}
	return found, err
}

// members are those that types declare without a definition of their own: the methods of an interface, the fields of a struct.
func (x *Index) members(asked string) ([]Definition, error) {
	i := strings.LastIndexByte(asked, '.')
	outer, last := asked[:i], asked[i+1:]
	if outer == "" || last == "" {
		return nil, nil
	}
	types, err := x.Definitions(func(file, name string) bool { return Means(file, name, outer) })
	var list []Definition
	for _, d := range types {
		switch d.Kind {
		case "class", "interface", "struct", "enum", "trait", "type", "protocol", "record", "union":
		default:
			continue
		}
		member, err := x.member(d, last)
		if err != nil {
			return nil, err
		}
		if member.Line > 0 {
			list = append(list, member)
		}
	}
	return list, err
}

// member is that of a type whose name a line of its body begins with; it has no line where there is none.
func (x *Index) member(d Definition, last string) (m Definition, err error) {
	f := x.files[d.Path]
	raw, err := f.Read()
	if err != nil {
		return m, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	lines := strings.Split(string(text.Decode(raw, f.Encoding)), "\n")
	for n := d.Line; n < min(d.End, len(lines)); n++ {
		said := strings.TrimSpace(lines[n])
		words := strings.FieldsFunc(said, func(r rune) bool {
			return r != '_' && r != '$' && r < 0x80 && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
		})
		if strings.HasPrefix(said, "//") || strings.HasPrefix(said, "*") || strings.HasPrefix(said, "/*") || strings.HasPrefix(said, "#") {
			continue
		}
		if at := slices.Index(words, last); at == 0 || at > 0 && at < 3 && modifies(words[:at]) {
			return Definition{d.Path, d.Name + "." + last, "member", n + 1, n + 1, n + 1, d.Exported, said, "", false}, nil
		}
	}
	return m, nil
}

// modifies reports whether words stand before a member's name alone.
func modifies(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !slices.Contains([]string{"readonly", "static", "public", "private", "protected", "abstract", "async", "get", "set", "fn", "fun", "func", "def", "let", "val", "var", "pub", "unsafe"}, w)
	})
}

// stem is a file's base name without its ending.
func stem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}
