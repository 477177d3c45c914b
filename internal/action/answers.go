package action

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/lookup"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// answer is what outline, definitions, users and importers print, within a budget of tokens.
type answer struct {
	Rows []answerRow `json:"rows"`
	// LeftOut counts the rows that the budget has no room for.
	LeftOut int `json:"left_out"`
	// Unknown are the files that were asked for, or kinds of files, of which nothing is known: the first of them, and UnknownMore how many more.
	Unknown     []string `json:"unknown"`
	UnknownMore int      `json:"unknown_more,omitempty"`
	// Like are definitions whose names are like the one that was asked for, where none is called so.
	Like []answerRow `json:"like,omitempty"`
	// Untied counts the files that say the name that users were asked of, and that no import which is known ties to it; First are the
	// first of them.
	Untied int         `json:"untied,omitempty"`
	First  []answerRow `json:"untied_first,omitempty"`
	// Own are the files that define the name that users were asked of, with the lines on which they use it themselves.
	Own []answerRow `json:"own,omitempty"`
}

// maxFirst bounds the files that no import ties to a name, as they are told.
const maxFirst = 10

// maxUnknown bounds the files, or kinds of files, that are told of which nothing is known: of a whole repository they would take the room of what is.
const maxUnknown = 40

// maxLike bounds the definitions that are told as called like what was asked for, leastLike is the shortest name of which a part is looked for.
const (
	maxLike   = 10
	leastLike = 4
)

// answerRow is a definition, or a file that uses one.
type answerRow struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"` // of the definition's name
	Name string `json:"name,omitempty"`
	Kind string `json:"kind,omitempty"`
	// Signature in one line, and the first sentence of the documentation.
	Signature string `json:"signature,omitempty"`
	Doc       string `json:"doc,omitempty"`
	// Uses say how the file imports the other: runtime, type, dynamic.
	Uses string `json:"uses,omitempty"`
	// Lines on which the file names what it uses, the first of them.
	Lines []int `json:"lines,omitempty"`
	// May are lines that name a member like it of something of which the syntax does not tell the type.
	May []int `json:"may,omitempty"`
	// More are how many lines of both come behind the first.
	More int `json:"more,omitempty"`
	// of is the type whose member it is, where text would not tell it.
	of string
}

// answerVerb returns the verb that prints the answer of ask.
func answerVerb(name string, least, most int, ask func(o *options, v *snapshot.View) (*answer, error)) func(context.Context, *job.Env, *job.Inputs, *options) error {
	return func(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
		if n := len(o.args); n < least || n > most {
			return job.UsageError("%s: %d arguments, and it takes %s", name, n, arguments(least, most))
		}
		asked := *o
		asked.ask, asked.paths, asked.texts = ask, name == "outline" || name == "importers", name == "outline" || name == "definitions"
		return graphVerb(ctx, e, in, &asked)
	}
}

// arguments says how many arguments a verb takes.
func arguments(least, most int) string {
	switch {
	case least == most:
		return fmt.Sprint(least)
	case least == 0:
		return fmt.Sprintf("at most %d", most)
	}
	return fmt.Sprintf("at least %d", least)
}

// manyArguments is more than a command line has.
const manyArguments = 1 << 30

// printAnswer is the end of the verbs that answer.
func printAnswer(e *job.Env, in *job.Inputs, o *options, v *snapshot.View) error {
	asked := *o
	asked.args = slices.Clone(o.args)
	for i, arg := range o.args {
		isPath := o.paths || strings.ContainsAny(arg, `/\.`)
		if name := belowRoot(&e.Setting, v.Head, arg); isPath && lookup.Holds(name, v.Sealed) {
			asked.args[i] = name
		}
	}
	a, err := o.ask(&asked, v)
	if err != nil {
		return err
	}
	a.Rows, a.Unknown = slices.Clip(append([]answerRow{}, a.Rows...)), append([]string{}, a.Unknown...)
	if n := len(a.Unknown); n > maxUnknown {
		a.Unknown, a.UnknownMore = a.Unknown[:maxUnknown], n-maxUnknown
	}
	snapshot.Clean(v.Sealed.Screener, a)
	limit := plan.DefaultBudget
	if in.BudgetTokens != nil {
		limit = *in.BudgetTokens
	}
	var counter tokens.Counter
	for {
		b, err := a.print(o.json)
		if err != nil {
			return err
		}
		if n := len(a.Rows); n > 0 && limit > 0 && counter.Count(b) > limit {
			drop := max(1, n/8)
			a.Rows, a.LeftOut = a.Rows[:n-drop], a.LeftOut+drop
			continue
		}
		if o.json {
			return e.Results(b)
		}
		e.Log.Print(string(b))
		return nil
	}
}

// print writes an answer, for programs or for people.
func (a *answer) print(asJSON bool) ([]byte, error) {
	if asJSON {
		return record.Marshal(a, "  ")
	}
	var b strings.Builder
	last := ""
	for _, r := range a.Rows {
		line := r.place()
		if said := cmp.Or(r.Signature, strings.TrimSpace(r.Kind+" "+r.Name)); said != "" {
			if r.of != "" {
				said = r.of + ": " + said
			}
			line += "  " + said
		}
		if r.Doc != "" {
			line += "  " + r.Doc
		}
		if r.Uses != "" {
			line += "  " + r.Uses
		}
		if line = job.OneLine(line) + "\n"; line != last { // const a, b = … is told once
			b.WriteString(line)
		}
		last = line
	}
	switch {
	case len(a.Rows) == 0 && len(a.Own) > 0:
		b.WriteString("No other file that is known uses it.\n")
	case len(a.Rows) == 0 && a.LeftOut == 0:
		b.WriteString("Nothing is found.\n")
	}
	for _, r := range a.Like {
		b.WriteString(job.OneLine("Called like it: "+r.place()+"  "+r.Name) + "\n")
	}
	for _, r := range a.Own {
		b.WriteString(job.OneLine("Where it is defined: "+r.place()) + "\n")
	}
	if a.LeftOut > 0 {
		fmt.Fprintf(&b, "Left out, for budget-tokens: %d.\n", a.LeftOut)
	}
	if a.Untied > 0 {
		places := make([]string, len(a.First))
		for i, r := range a.First {
			shown, _ := record.DisplayPath(r.Path)
			places[i] = text.Name(shown) + ":" + numbers(r.Lines)
		}
		if len(places) < a.Untied {
			places = append(places, "...")
		}
		said := "1 more file says the name, and no import that is known ties it"
		if a.Untied > 1 {
			said = fmt.Sprintf("%d more files say the name, and no import that is known ties them", a.Untied)
		}
		b.WriteString(job.OneLine(said+" to this: "+strings.Join(places, " ")) + "\n")
	}
	if len(a.Unknown) > 0 {
		names := make([]string, len(a.Unknown))
		for i, u := range a.Unknown {
			shown, _ := record.DisplayPath(u)
			names[i] = text.Name(shown)
		}
		if a.UnknownMore > 0 {
			names = append(names, fmt.Sprintf("and %d more", a.UnknownMore))
		}
		b.WriteString(job.OneLine("Nothing is known of: "+strings.Join(names, ", ")) + "\n")
	}
	return []byte(b.String()), nil
}

// place is a row's path with its lines, as they are printed.
func (r *answerRow) place() string {
	shown, _ := record.DisplayPath(r.Path)
	line := text.Name(shown)
	if r.Line > 0 {
		line += fmt.Sprintf(":%d", r.Line)
	}
	if len(r.Lines) > 0 {
		line += ":" + numbers(r.Lines)
	}
	if len(r.May) > 0 {
		line += "  may: " + numbers(r.May)
	}
	if r.More > 0 {
		line += fmt.Sprintf(", %d more", r.More)
	}
	return line
}

// numbers are lines as they are printed.
func numbers(lines []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(lines), " ", ","), "[]")
}

// outlineAnswer lists what the named files, or those below named folders, define.
func outlineAnswer(o *options, v *snapshot.View) (*answer, error) {
	files, err := lookup.Files(o.args, v.Sealed)
	if err != nil {
		return nil, fmt.Errorf("outline: %w", err)
	}
	a := &answer{}
	for _, f := range files {
		if !provider.Defines(f.As()) || !f.Extractable() {
			a.Unknown = append(a.Unknown, f.Path)
		}
	}
	owners := map[placed]string{}
	err = a.define(files, func(list []lookup.Definition) []lookup.Definition {
		maps.Copy(owners, standingApart(list))
		var last lookup.Definition
		return slices.DeleteFunc(lookup.ExportsFirst(list), func(d lookup.Definition) bool { // a type of one line shows its members
			shown := d.Line == last.Line && strings.HasPrefix(d.Name, last.Name+".")
			if !shown {
				last = d
			}
			return shown
		})
	})
	for i := range a.Rows {
		r := &a.Rows[i]
		r.of = owners[placed{r.Path, r.Line, r.Name}]
	}
	return a, err
}

// placed is a name on a line of a file.
type placed struct {
	path string
	line int
	name string
}

// standingApart returns the types of those methods and constants that stand outside of them and do not name them themselves: of an
// impl of Rust, of an extension of Swift.
func standingApart(list []lookup.Definition) map[placed]string {
	ends, owners := map[string]int{}, map[placed]string{}
	for _, d := range list {
		ends[d.Name] = max(ends[d.Name], d.End)
		owner, last := "", d.Name
		if i := strings.LastIndexByte(d.Name, '.'); i > 0 {
			owner, last = d.Name[:i], d.Name[i+1:]
		}
		if owner == "" || ends[owner] >= d.Line || d.Kind != "method" && !strings.Contains(d.Signature, "const ") {
			continue
		}
		told := slices.ContainsFunc([]string{"::", ".", " "}, func(sign string) bool { // void Owner::last(), func (s *Owner) last()
			before, _, ok := strings.Cut(d.Signature, sign+last)
			return ok && strings.Contains(before, owner[strings.LastIndexByte(owner, '.')+1:])
		})
		if !told {
			owners[placed{d.Path, d.Line, d.Name}] = owner
		}
	}
	return owners
}

// definitionsAnswer lists what is defined under a name, qualified or not, or all that other files can see.
func definitionsAnswer(o *options, v *snapshot.View) (*answer, error) {
	a := &answer{Unknown: lookup.Undefined(v.Sealed)}
	files := make([]*scan.File, len(v.Sealed.Files))
	for i := range files {
		files[i] = &v.Sealed.Files[i]
	}
	asked, wide, like := "", &answer{}, &likes{}
	if len(o.args) > 0 {
		asked = lookup.Dotted(o.args[0])
	}
	if err := a.define(files, func(list []lookup.Definition) []lookup.Definition {
		return slices.DeleteFunc(list, func(d lookup.Definition) bool {
			switch {
			case len(o.args) == 0:
				return !d.Exported
			case lookup.Called(d.Name, asked):
				return false
			}
			if lookup.Within(d.Path, d.Name, asked) {
				wide.add(d)
			}
			like.add(d, asked)
			return true
		})
	}); err != nil {
		return nil, err
	}
	if len(a.Rows) == 0 {
		a.Rows = wide.Rows
	}
	if len(a.Rows) == 0 && len(o.args) > 0 {
		if _, err := lookup.Files(o.args, v.Sealed); err == nil {
			return nil, job.WithCode(fmt.Errorf("definitions: %q is a path, and no name; what it defines: haversack outline %s", o.args[0], o.args[0]), job.ExitInput)
		}
		a.Like = like.first()
	}
	return a, nil
}

// likes gathers definitions whose names are like one that is asked for.
type likes struct{ same, longer []answerRow }

// add takes a definition whose own name is the last of the asked name's in other cases of letters, or has that in it.
func (l *likes) add(d lookup.Definition, asked string) {
	last := func(name string) string { return strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]) }
	row := answerRow{Path: d.Path, Line: d.Line, Name: d.Name}
	switch want, has := last(asked), last(d.Name); {
	case want == has:
		l.same = append(l.same, row)
	case len(want) >= leastLike && strings.Contains(has, want) && len(l.longer) < maxLike:
		l.longer = append(l.longer, row)
	}
}

// first are the first of them.
func (l *likes) first() []answerRow {
	list := append(l.same, l.longer...)
	return list[:min(len(list), maxLike)]
}

// define appends what pick takes of what files define, file by file.
func (a *answer) define(files []*scan.File, pick func([]lookup.Definition) []lookup.Definition) error {
	return lookup.DefineEach(files, func(f *scan.File, found []lookup.Definition) {
		for _, d := range pick(found) {
			d.Path = f.Path
			a.add(d)
		}
	})
}

// add appends a definition.
func (a *answer) add(d lookup.Definition) {
	a.Rows = append(a.Rows, answerRow{Path: d.Path, Line: d.Line, Name: d.Name, Kind: d.Kind, Signature: text.Joined(d.Signature), Doc: d.Doc})
}

// importersAnswer lists the files that import a file.
func importersAnswer(o *options, v *snapshot.View) (*answer, error) {
	files, err := lookup.Files(o.args, v.Sealed)
	if err != nil {
		return nil, fmt.Errorf("importers: %w", err)
	}
	of := map[string]bool{}
	for _, f := range files {
		of[f.Path] = true
	}
	a := &answer{Unknown: lookup.Ungraphed(v.Graph)}
	for _, name := range slices.Sorted(maps.Keys(v.Sealed.Meta.Nodes)) {
		for _, x := range v.Sealed.Meta.Nodes[name].Edges {
			if of[x.Target] && !of[name] {
				a.Rows = append(a.Rows, answerRow{Path: name, Uses: x.Uses.String()})
				break
			}
		}
	}
	return a, nil
}

// usersAnswer lists the files that name a definition, or what a file offers, of those that import it.
func usersAnswer(o *options, v *snapshot.View) (*answer, error) {
	if strings.TrimSpace(o.args[0]) == "" {
		return nil, job.UsageError("users: the name is empty; name a definition, or the path of a file or a folder")
	}
	if lookup.Holds(o.args[0], v.Sealed) {
		list, unknown, err := lookup.OfferedBy(o.args[0], v.Sealed)
		return &answer{Rows: usersRows(list), Unknown: append(lookup.Ungraphed(v.Graph), unknown...)}, err
	}
	by, err := lookup.NewIndex(v.Sealed, nil).NamedBy(lookup.Dotted(o.args[0]))
	if err != nil {
		return nil, err
	}
	if by == nil {
		return nil, job.WithCode(fmt.Errorf("users: no file, and no definition that is known, is called %q", o.args[0]), job.ExitInput)
	}
	return &answer{
		Rows:    usersRows(by.Tied),
		Own:     usersRows(by.Own[:min(len(by.Own), maxFirst)]),
		Untied:  len(by.Untied),
		First:   usersRows(by.Untied[:min(len(by.Untied), maxFirst)]),
		Unknown: append(lookup.Ungraphed(v.Graph), by.Unread...),
	}, nil
}

// usersRows are the rows of files that name something.
func usersRows(list []lookup.Mention) (rows []answerRow) {
	for _, m := range list {
		rows = append(rows, answerRow{Path: m.Path, Lines: m.Lines, May: m.May, More: m.More})
	}
	return rows
}
