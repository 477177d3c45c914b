package report

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/graph/python"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// describe makes context.md of a repository: what it is, how it is built, what it defines, by how
// much depends on it.
func describe(in PromptOptions, s *snapshot.Contents) []string { return repositoryOf(in, s).Document() }

// openingTokens are those of the document whose lines a pack begins with.
const openingTokens = 32_000

// Opening returns the lines that the beginning of another document of the repository is made of; see brief.Opening.
func Opening(s *snapshot.Contents, only scan.NameList, counter *tokens.Counter) []brief.Excerpt {
	budget := openingTokens
	r := repositoryOf(PromptOptions{Choice: &job.Choice{BudgetTokens: &budget}, Only: only, Counter: counter}, s)
	return r.Opening()
}

// repositoryOf is what a document of the repository is made from.
func repositoryOf(in PromptOptions, s *snapshot.Contents) *brief.Repository {
	var files []*scan.File
	place := map[string]int32{}
	others := 0 // what no document of a repository shows
	var roles []brief.Role
	all := make([]brief.Role, len(s.Files))
	for i := range s.Files {
		all[i] = roleOf(&s.Files[i])
	}
	names := make([]string, len(s.Files))
	for i := range s.Files {
		names[i] = s.Files[i].Path
	}
	brief.PutAside(names, all)
	copied := brief.Copied(names, all)
	for i := range s.Files {
		f, role := &s.Files[i], all[i]
		if role <= brief.Configuration && brief.Within(f.Path, copied) {
			role = brief.Aside
		}
		switch {
		case !f.Mode.IsRegular() || strings.HasPrefix(f.Path, in.Stan+"/") || !in.Only.Match(f.Path):
		case in.Levels.Of(f.Path).Set && in.Levels.Of(f.Path).Level == brief.Out:
		case !f.Extractable() || role == brief.Rest && !in.Levels.Of(f.Path).Set:
			others++
		default:
			place[f.Path] = int32(len(files))
			files, roles = append(files, f), append(roles, role)
		}
	}
	edges := make([][]int32, len(files))
	users := make([][]string, len(files))
	if s.Meta != nil {
		for i, f := range files {
			for _, e := range s.Meta.Nodes[f.Path].Edges {
				if to, ok := place[e.Target]; ok && int(to) != i {
					edges[i] = append(edges[i], to)
					users[to] = append(users[to], f.Path)
				}
			}
		}
	}
	lead(files, edges)
	standing := rank.Prominence(len(files), edges)
	members := make([]brief.Member, len(files))
	unknown := map[string]int{}
	notebooks := false
	introduces := project.Readmes(s.Files)
	for i, f := range files {
		shown, _ := record.DisplayPath(s.Screener.Clean(f.Path))
		m := brief.Member{Path: shown, Size: f.Size, Role: roles[i], Standing: standing[i], Users: users[i], Introduces: introduces[f.Path], Asked: in.Levels.Of(f.Path)}
		m.Opaque = !defines(s, f)
		if m.Role == brief.Code && !provider.Defines(f.As()) {
			unknown[cmp.Or(path.Ext(f.Path), path.Base(f.Path))]++
		}
		notebooks = notebooks || m.Role == brief.Code && python.IsNotebook(f.Path)
		members[i] = m
	}
	budget := plan.DefaultBudget
	if in.BudgetTokens != nil {
		budget = *in.BudgetTokens
	}
	r := &brief.Repository{Members: members, Others: others, Counter: in.Counter, Tokens: budget, Bytes: in.Bytes, Part: in.PartTokens, Unknown: unread(unknown)}
	if notebooks {
		r.Unknown = strings.TrimSpace(r.Unknown + " Lines of notebooks are those of their cells, one below another.")
	}
	if s.Meta == nil {
		r.Unknown = "The graph is off: what files define, and who uses them, is not told."
	}
	if !in.Only.All() {
		r.Of = "It is of the files alone that `include-only` names."
	}
	r.Surface = func(i int) source.Surface { return surfaceOf(files[i]) }
	r.Read = func(i int) brief.Content { return readMember(s, files[i]) }
	return r
}

// lead adds to the edges those from a header of C to the file of its name that includes it: who uses what a header declares uses what that
// file defines, and nothing else leads there.
func lead(files []*scan.File, edges [][]int32) {
	stem := func(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
	for i, f := range files {
		if c := language.Of(f.Path); c == nil || c.Family != "C" || isHeader(f.Path) {
			continue
		}
		for _, to := range edges[i] {
			if header := files[to].Path; isHeader(header) && stem(header) == stem(f.Path) {
				edges[to] = append(edges[to], int32(i))
			}
		}
	}
}

// isHeader reports whether a file of this name is what files of C include.
func isHeader(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".h" || ext == ".hh" || ext == ".hpp" || ext == ".hxx"
}

// roleOf tells what a file is for: from its path, and of one whose name says nothing, whether it is a script that may be run.
func roleOf(f *scan.File) brief.Role {
	role := brief.RoleOf(f.Path)
	if role != brief.Rest || path.Ext(f.Path) != "" || !source.MayBegin(f) {
		return role
	}
	if raw, err := f.Read(); err == nil && source.BeginningOf(f, text.Decode(raw, f.Encoding)).Script {
		return brief.Code
	}
	return role
}

// surfaceOf reads what a file registers, makes and reads; what cannot be read has nothing. The document passes the screen as a whole.
func surfaceOf(f *scan.File) (s source.Surface) {
	if !f.Extractable() {
		return s
	}
	raw, err := f.Read()
	if err != nil {
		return s
	}
	_ = graph.Guarded(func() error { // a panic over one file must not end the run
		s = source.SurfaceOf(f, text.Decode(raw, f.Encoding))
		return nil
	})
	return s
}

// defines reports whether it can be told what a file defines.
func defines(s *snapshot.Contents, f *scan.File) bool {
	return s.Meta != nil && f.Size <= plan.MaxRanked && provider.Defines(f.As())
}

// readMember reads a file, and what it defines, as it may leave.
func readMember(s *snapshot.Contents, f *scan.File) brief.Content {
	if !f.Extractable() {
		return brief.Content{}
	}
	raw, err := f.Read()
	if err != nil {
		return brief.Content{}
	}
	text := source.Readable(f.Path, text.Decode(raw, f.Encoding)) // sealed; what is made of it passes the screen as a whole
	c := brief.Content{Text: string(text), Generated: language.IsGenerated(f.Path, text)}
	if !defines(s, f) || language.IsEndless(text) {
		return c
	}
	found, err := s.Definitions.DefineAll(f.Path, text)
	if err != nil {
		return c
	}
	of := 0 // the line of the type that asks for what is promised: a type of one line tells it
	found = slices.DeleteFunc(found, func(d graph.Definition) bool {
		if !d.Promised {
			of = d.Line
		}
		return d.Promised && d.Line == of
	})
	lines := strings.Split(c.Text, "\n")
	c.Definitions = make([]brief.Definition, len(found))
	tests := brief.TestsIn(found)
	steps := map[int]bool{} // lines of passing variables
	for i, d := range found {
		passes := passing(f.Path, &d, lines)
		for line := d.Line; passes && line <= d.End; line++ {
			steps[line] = true
		}
		c.Definitions[i] = brief.Definition{Line: d.Line, From: d.From, End: d.End, Name: d.Name, Exported: d.Exported, Test: tests[i], Step: passes, Documented: d.Doc != "",
			Bound: strings.Contains(d.Name, "."), Declared: brief.Declared(f.Path, &d, lines)}
	}
	for _, line := range s.Definitions.Settings(f.Path, text, func() []int { return brief.Settings(f.Path, text, found) }) {
		if steps[line] {
			continue
		}
		c.Definitions = append(c.Definitions, brief.Definition{Line: line, From: line, End: line, Bound: true, Setting: true})
	}
	return c
}

// passing reports whether a definition is a variable of Python that a branch or a loop of its module sets, named as such are: a step of
// what the module does, and nothing that it offers.
func passing(name string, d *graph.Definition, lines []string) bool {
	if !strings.HasSuffix(name, ".py") || d.IsFunction() || d.Kind == "class" || strings.Contains(d.Name, ".") || d.Line > len(lines) {
		return false
	}
	return strings.TrimLeft(lines[d.Line-1], " \t") != lines[d.Line-1] && strings.ToLower(d.Name) == d.Name
}

// unread says of which endings of code no definitions are known, the most frequent first.
func unread(count map[string]int) string {
	if len(count) == 0 {
		return ""
	}
	list := make([]string, 0, len(count))
	for ext := range count {
		list = append(list, ext)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	var out []string
	for _, ext := range list[:min(len(list), 8)] {
		out = append(out, brief.Span(ext))
	}
	if len(list) > 8 {
		out = append(out, "…")
	}
	return "What files define is not known of these: " + strings.Join(out, ", ") + "."
}
