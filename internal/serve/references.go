package serve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

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
	} else if strings.ContainsAny(asked, "/\\") {
		return nil, err
	}
	asked = dotted(asked)
	subject, err := s.index.Subject(asked)
	if err != nil {
		return nil, err
	}
	a := &Answer{Complete: true, Searched: fmt.Sprintf("the words of %d files, and their imports", len(s.view.Sealed.Files))}
	if len(subject.Of) == 0 {
		a.Complete = false
		a.Notes = append(a.Notes, fmt.Sprintf("No definition that is known is called %q: files that name it are unsure", asked))
		subject.Names[asked[strings.LastIndexByte(asked, '.')+1:]] = true
	}
	if len(subject.Of) > 1 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d files define something of that name, and users of all of them are told together: name it with what it stands in", len(subject.Of)))
		a.Complete = false
	}
	users, err := lookup.Users(subject, s.view.Sealed, func(lookup.Tie) bool { return true })
	if err != nil {
		return nil, err
	}
	unsure, long := 0, 0
	for _, u := range users {
		row, err := s.user(u)
		if err != nil {
			return nil, err
		}
		if u.Tie == lookup.Untied {
			unsure++
		}
		if len(u.Lines) == lookup.MaxLines {
			long++
		}
		a.Rows = append(a.Rows, row)
	}
	sortUsers(a.Rows)
	if unsure > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d files are unsure: they say the name, and no import that is known ties them to it", unsure))
	}
	if long > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("Of %d files the first %d lines alone are told", long, lookup.MaxLines))
		a.Complete = false
	}
	a.Unknown, err = s.unreadOf(a.Rows)
	return a, err
}

// unreadOf are those of unread that matter to files that say a name: of the languages of those that no import ties to it.
func (s *sight) unreadOf(rows []Row) ([]string, error) {
	said := map[string]bool{}
	for _, r := range rows {
		if l := language.Of(r.Path); r.Unsure && l != nil {
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

// sortUsers puts what is sure first, tests last.
func sortUsers(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(compareBool(a.Unsure, b.Unsure), compareBool(a.Test, b.Test))
	})
}

// user is the row of a file that names something, with the lines.
func (s *sight) user(u lookup.User) (Row, error) {
	row := Row{Path: u.Path, Why: u.Tie.String(), Test: language.IsTest(u.Path), Unsure: u.Tie == lookup.Untied}
	lines, err := s.shown(s.index.File(u.Path))
	if err != nil {
		return row, err
	}
	for _, n := range u.Lines {
		if n <= len(lines) {
			row.Uses = append(row.Uses, Use{n, short(lines[n-1])})
		}
	}
	if len(u.Lines) == lookup.MaxLines {
		row.Why += fmt.Sprintf("; the first %d lines", lookup.MaxLines)
	}
	return row, nil
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

// importers answers who imports a file.
func (s *sight) importers(name string) (*Answer, error) {
	a := &Answer{Complete: true, Searched: fmt.Sprintf("the imports of %d files", len(s.view.Sealed.Files))}
	for _, from := range sortedNodes(s.view.Sealed.Meta) {
		for _, e := range s.view.Sealed.Meta.Nodes[from].Edges {
			if e.Target == name && from != name {
				a.Rows = append(a.Rows, Row{Path: from, Why: "imports it: " + e.Uses.String() + ", " + e.Resolution.String(), Test: language.IsTest(from)})
			}
		}
	}
	sortUsers(a.Rows)
	if !snapshot.HasGraph(name) {
		a.Notes = append(a.Notes, "Imports of its language are not read: who uses it is not known")
		a.Complete = false
	}
	var err error
	a.Unknown, err = s.unread()
	return a, err
}
