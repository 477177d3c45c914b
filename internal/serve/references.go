package serve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// ReferencesArguments are those of references.
type ReferencesArguments struct {
	Of string `json:"of" jsonschema:"a definition, qualified or not, or the path of a file"`
	Room
}

// references answers who uses something.
func (x *Server) references(_ context.Context, s *sight, in ReferencesArguments) (*Answer, error) {
	asked := strings.TrimSpace(in.Of)
	if asked == "" {
		return nil, fmt.Errorf("of: empty; name a definition or a file")
	}
	if _, name, err := s.file(asked); err == nil {
		return s.importers(name)
	} else if strings.Contains(asked, "/") {
		return nil, err
	}
	if asked = lookup.Dotted(asked); asked == "" {
		return nil, fmt.Errorf("of: signs alone; name a definition or a file")
	}
	found, err := s.index.Meant(asked)
	if err != nil {
		return nil, err
	}
	a := &Answer{Complete: true, Searched: "the words of " + count(len(s.view.Sealed.Files), "file", "files") + ", and their imports"}
	subject := lookup.NewSubject(asked, found)
	if err := s.defines(a, asked, subject); err != nil {
		return nil, err
	}
	used, err := s.index.UsersOf(subject)
	if err != nil {
		return nil, err
	}
	rows, err := s.told(used.Users, math.MaxInt)
	if err != nil {
		return nil, err
	}
	s.sortUsers(rows)
	a.Rows = append(a.Rows, rows...)
	a.account(used)
	a.Unknown, err = s.unreadOf(a.Rows)
	a.Unknown = append(a.Unknown, used.Unread...)
	return a, err
}

// maxDefinitions bounds the definitions that stand before their users.
const maxDefinitions = 10

// defines tells where a subject is defined, and whether that is one thing: what is declared for another file is that one.
func (s *sight) defines(a *Answer, asked string, subject *lookup.Subject) error {
	for _, d := range subject.Definitions[:min(maxDefinitions, len(subject.Definitions))] {
		row := rowOf(d, "defines it")
		row.Doc, row.Test = "", language.IsTest(d.Path)
		a.Rows = append(a.Rows, row)
	}
	things, whole := map[string]bool{}, map[string]bool{}
	var declared []string
	copied := 0
	for _, d := range subject.Definitions {
		only, err := s.index.Declares(d)
		if err != nil {
			return err
		}
		if only {
			declared = append(declared, d.Name)
			continue
		}
		twin, err := s.index.Twin(d)
		if err != nil {
			return err
		}
		thing := cmp.Or(twin, d.Path+" "+d.Name)
		if twin != "" && things[thing] {
			copied++
		}
		things[thing], whole[d.Name] = true, true
	}
	if copied > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d of the definitions are copies of another's text: their users are listed together", copied))
	}
	for _, name := range declared {
		if !whole[name] {
			things[name] = true
		}
	}
	switch n := len(things) + subject.Left; {
	case n == 0:
		a.Complete = false
		a.Notes = append(a.Notes, fmt.Sprintf("No definition that is known is called %q: files that name it are unsure", asked))
		return s.pointAlike(a, asked)
	case n > 1:
		a.Complete = false
		a.Notes = append(a.Notes, fmt.Sprintf("%d definitions are called so, and users of all of them are told together: name it with what it stands in", n))
	}
	return nil
}

// account tells what of users is not known, and what was passed over.
func (a *Answer) account(u *lookup.Usage) {
	files, lines := 0, 0
	for _, r := range a.Rows {
		if r.Unsure {
			files++
			continue
		}
		for _, use := range r.Uses {
			if use.Unsure {
				lines++
			}
		}
	}
	if lines > 0 {
		a.Notes = append(a.Notes, count(lines, "line with a ? names", "lines with a ? name")+" it of something whose type is not written there, or in a string: another may be meant")
	}
	if files > 0 {
		a.Notes = append(a.Notes, count(files, "row is unsure", "rows are unsure")+": the name is said, and no import that is known ties it to this")
	}
	if u.Others > 0 {
		a.Notes = append(a.Notes, count(u.Others, "line is", "lines are")+" left out on which a local or an argument is called so, or a sentence in a string says it")
	}
	if u.Spoken > 0 {
		a.Notes = append(a.Notes, count(u.Spoken, "file is", "files are")+" left out where only comments or sentences speak of it")
	}
	if u.Elsewhere > 0 {
		a.Notes = append(a.Notes, count(u.Elsewhere, "file is", "files are")+" left out where another of its name is defined or imported")
	}
	if len(u.Renamed) > 0 {
		a.Complete = false
		list := make([]string, 0, maxTold)
		for _, r := range u.Renamed[:min(maxTold, len(u.Renamed))] {
			list = append(list, r.String())
		}
		a.Notes = append(a.Notes, "It is handed on under another name, whose users are not told: "+strings.Join(list, ", "))
	}
}

// unreadOf are those of unread that matter to files that say a name: of the languages of those that no import ties to it.
func (s *sight) unreadOf(rows []Row) ([]string, error) {
	said := map[string]bool{}
	for _, r := range rows {
		if l := s.index.Language(r.Path); r.Unsure && l != nil {
			said[l.Name] = true
		}
	}
	broken, err := s.index.Broken()
	ungraphed := slices.DeleteFunc(lookup.Ungraphed(s.view.Graph), func(name string) bool { return !said[name] })
	return append(ungraphed, broken...), err
}

// unread are the languages whose imports are not read, and the files that do not parse.
func (s *sight) unread() ([]string, error) {
	broken, err := s.index.Broken()
	return append(lookup.Ungraphed(s.view.Graph), broken...), err
}

// unreadBeside are those of unread that could import one of these files: a script of the system imports no package of another language.
func (s *sight) unreadBeside(files ...string) (list []string, err error) {
	may := func(l *language.Language) bool {
		return slices.ContainsFunc(files, func(name string) bool { return l.MayImport(s.index.Language(name)) })
	}
	for _, name := range lookup.Ungraphed(s.view.Graph) {
		if may(language.Named(name)) {
			list = append(list, name)
		}
	}
	broken, err := s.index.Broken()
	for _, name := range broken {
		if l := s.index.Language(name); l == nil || may(l) {
			list = append(list, name)
		}
	}
	return list, err
}

// sortUsers puts what is sure first, then what is tied to it by its imports, then the rest; tests and manuals behind the others of each.
func (s *sight) sortUsers(rows []Row) {
	doubt := func(r *Row) int {
		switch {
		case r.Unsure:
			return 2
		case len(r.Uses) > 0 && !slices.ContainsFunc(r.Uses, func(u Use) bool { return !u.Unsure }):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(compareBool(s.manual(a.Path), s.manual(b.Path)), doubt(&a)-doubt(&b), compareBool(a.Test, b.Test))
	})
}

// manual reports whether a file is written for people.
func (s *sight) manual(name string) bool {
	f := s.index.File(name)
	return brief.RoleOf(name) == brief.Manual || f != nil && f.Category == scan.CategoryDocumentation
}

// Bounds of the lines that one row tells of a file. Those behind them are in rows that follow; of manuals they are left out.
const (
	maxUses   = 20
	maxManual = 3
)

// told are the rows of files that name something, with the lines: of one that nothing ties to it no more than so many.
func (s *sight) told(list []lookup.User, untied int) (rows []Row, err error) {
	for _, u := range list {
		row := Row{Path: u.Path, Why: u.Tie.String(), Test: language.IsTest(u.Path), Unsure: u.Tie == lookup.Untied}
		as := ""
		if u.As != (lookup.Renaming{}) {
			as = fmt.Sprintf("names it %s, as %s hands it on; ", u.As.Name, named(u.As.Path))
		}
		uses := u.Uses
		if n := len(uses); n > maxManual && s.manual(u.Path) {
			uses = uses[:maxManual]
			row.Why += fmt.Sprintf("; the first %d of %d lines of a manual", maxManual, n)
		} else if row.Unsure && n > untied {
			uses = uses[:untied]
			row.Why += fmt.Sprintf("; line %d of %d, references tells all", untied, n)
		}
		lines, err := s.shown(s.index.File(u.Path))
		if err != nil {
			return nil, err
		}
		row.Why = as + row.Why
		for part := range slices.Chunk(uses, maxUses) {
			row.Uses = nil
			for _, use := range part { // a line alone would keep the whole text
				if use.Line <= len(lines) {
					row.Uses = append(row.Uses, Use{use.Line, strings.Clone(short(lines[use.Line-1])), !use.Sure && !row.Unsure})
				}
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// short is a line as it is told.
func short(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > maxHeadline {
		line = strings.ToValidUTF8(line[:maxHeadline], "") + "…"
	}
	return line
}

// shown are the lines of a file as it may be shown.
func (s *sight) shown(f *scan.File) ([]string, error) {
	raw, err := f.Read()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.Path, err)
	}
	return strings.Split(string(snapshot.ReadableText(s.view.Sealed.Screener, f, raw)), "\n"), nil
}

// importers answers who imports a file, and who names its path.
func (s *sight) importers(name string) (*Answer, error) {
	a := &Answer{Complete: true, Searched: "the imports of " + count(len(s.view.Sealed.Files), "file", "files") + ", and lines that name its path"}
	for _, from := range sortedNodes(s.view.Sealed.Meta) {
		for _, e := range s.view.Sealed.Meta.Nodes[from].Edges {
			if e.Target == name && from != name {
				a.Rows = append(a.Rows, Row{Path: from, Why: "imports it: " + e.Uses.String() + ", " + e.Resolution.String(), Test: language.IsTest(from)})
			}
		}
	}
	spelling, err := s.index.Spelling(name)
	if err != nil {
		return nil, err
	}
	for _, l := range spelling {
		row, err := s.leadRow(l, "names its path, and does not import it")
		if err != nil {
			return nil, err
		}
		a.Rows = append(a.Rows, row)
	}
	s.sortUsers(a.Rows)
	if len(spelling) > 0 {
		a.Notes = append(a.Notes, count(len(spelling), "row names", "rows name")+" its path as settings, scripts and comments do: those of settings and scripts may use it")
	}
	if f := s.index.File(name); !snapshot.HasGraph(name) && (f == nil || !snapshot.HasGraph(f.As())) {
		a.Notes = append(a.Notes, "Imports of its language are not read: who uses it is not known")
		a.Complete = false
	}
	a.Unknown, err = s.unreadBeside(name)
	return a, err
}

// leadRow is the row of lines that name a path.
func (s *sight) leadRow(l lookup.Lead, why string) (Row, error) {
	lines, err := s.shown(s.index.File(l.From))
	if err != nil {
		return Row{}, err
	}
	row := Row{Path: l.From, Why: why, Test: language.IsTest(l.From), Unsure: !l.Sure}
	for _, n := range l.Lines[:min(maxUses, len(l.Lines))] {
		if n <= len(lines) {
			row.Uses = append(row.Uses, Use{n, strings.Clone(short(lines[n-1])), !l.Sure})
		}
	}
	return row, nil
}

// count is how many there are, with what they are.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
