package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/forge"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/review"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
)

// place is a file, or a line of it, as a link to the commit's; line 0 is the file. A name that holds a credential is in no
// address.
func (p *Report) place(name string, line int, shown string, gone bool) string {
	at := p.Links.Head
	if gone {
		at = p.Links.Base
	}
	words := forge.Code(shown)
	if at == "" || len(name) > maxLinked || p.clean != nil && p.clean(name) != name {
		return words
	}
	address := at + escapePath(name)
	if line > 0 {
		address += "#L" + strconv.Itoa(line)
	}
	return "[" + words + "](" + address + ")"
}

// maxLinked bounds, in bytes, a path that is linked: an address has three times as many.
const maxLinked = 300

// file is a changed file as a link, by its last name where short.
func (p *Report) file(f *review.File, short bool) string {
	shown := p.cut(f.Path, maxNameInTable)
	if short {
		shown = shown[strings.LastIndexByte(shown, '/')+1:]
	}
	s := p.place(f.Path, 0, shown, f.Status == diff.Deleted)
	switch {
	case f.Status == diff.Deleted:
		s += " deleted"
	case f.Status == diff.Added:
		s += " new"
	case f.Moved:
		s += " moved"
	case f.Formatted:
		s += " formatted"
	case f.Status == diff.Renamed:
		s += " renamed"
	}
	return s
}

// more says that a list goes on.
func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// writeGroups lists what belongs together, in the order in which it is read. One file alone needs no order.
func (p *Report) writeGroups(b *strings.Builder) {
	r := p.review
	if len(r.Groups) == 0 {
		return
	}
	b.WriteString("| read | what, and why here | + | − |\n|---:|---|---:|---:|\n")
	for n, g := range r.Groups {
		var names []string
		for _, i := range g.Files[:min(len(g.Files), maxGroupNames)] {
			names = append(names, p.file(&r.Files[i], strings.HasSuffix(g.Name, "/") && g.Name != "/"))
		}
		if at := g.Folder; at != "" && len(g.Files) > maxGroupNames { // of many alike the names say nothing
			fmt.Fprintf(b, "| %d | %s: %s below %s<br>%s | %d | %d |\n", n+1, g.Name, claim.Count(len(g.Files), "file"), forge.Code(p.cut(at, maxNameInTable)), g.Reason, g.Added, g.Removed)
			continue
		}
		where := ""
		if strings.HasSuffix(g.Name, "/") && g.Name != "/" {
			where = forge.Code(p.cut(g.Name, maxNameInTable)) + ": "
		} else if g.Name != "/" && len(g.Files) > 1 {
			where = g.Name + ": "
		}
		fmt.Fprintf(b, "| %d | %s%s%s<br>%s | %d | %d |\n", n+1, where, strings.Join(names, ", "), more(len(g.Files)-maxGroupNames), g.Reason, g.Added, g.Removed)
	}
	b.WriteString("\n")
}

// differing cuts from two long signatures what both begin and end with, but for some words around what differs.
func differing(a, b string) (was, is string) {
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) <= maxShownName {
		return a, b
	}
	const around = 24
	head := 0
	for head < min(len(x), len(y)) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < min(len(x), len(y))-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	cut := func(r []rune) string {
		from, to := max(0, head-around), min(len(r), len(r)-tail+around)
		s := string(r[from:to])
		if from > 0 {
			s = "…" + s
		}
		if to < len(r) {
			s += "…"
		}
		return s
	}
	return cut(x), cut(y)
}

// definition is one row of what the change makes another for others.
func (p *Report) definition(d *review.Definition) string {
	name := p.place(d.Path, d.Line, p.shown(d.Name), d.Change == review.Went)
	s := "- " + string(d.Change) + ": " + name
	switch d.Change {
	case review.Renamed:
		s += ", once " + forge.Code(p.shown(d.OldName))
	case review.Moved:
		s += ", from " + forge.Code(p.shown(d.OldPath)) + " to " + forge.Code(p.shown(d.Path))
	case review.Altered:
		was, is := differing(d.Was, d.Is)
		s += ": " + forge.Code(p.shown(was)) + " → " + forge.Code(p.shown(is))
	case review.Came, review.Went:
		s += " in " + forge.Code(p.shown(d.Path))
	}
	switch {
	case !d.UsersKnown:
		s += "; who uses it is not known"
	case d.Users == 0 && (d.Change == review.Came || d.May > 0):
	case d.Users == 0:
		s += "; no file outside the change that was read uses it"
	default:
		verb := " outside the change uses it: "
		if d.Change == review.Went {
			verb = " outside the change still names it: "
		}
		s += "; " + string(claim.Count(d.Users, "file"))
		if d.Users > 1 {
			verb = strings.Replace(strings.Replace(verb, "uses", "use", 1), "names", "name", 1)
		}
		s += verb + p.places(d.Places) + more(d.Users-len(d.Places))
	}
	if d.UsersKnown && d.May > 0 {
		s += "; " + string(claim.Count(d.May, "other file")) + " may: " + p.places(d.MayPlaces) + more(d.May-len(d.MayPlaces))
	}
	return s + "\n"
}

// places names where something is used.
func (p *Report) places(list []review.Use) string {
	var places []string
	for _, u := range list {
		shown := p.shown(u.Path)
		if u.Line > 0 {
			shown += ":" + strconv.Itoa(u.Line)
		}
		places = append(places, p.place(u.Path, u.Line, shown, false))
	}
	return strings.Join(places, ", ")
}

// writeDefinitions lists what the change makes another for others.
func (p *Report) writeDefinitions(b *strings.Builder) {
	list := p.review.Definitions
	if n := p.review.Unread; n > 0 {
		defer fmt.Fprintf(b, "Of %d more changed sources the definitions were not compared.\n\n", n)
	}
	if len(list) == 0 {
		return
	}
	b.WriteString("**What it changes for others**\n\n")
	for i := range list[:min(len(list), maxDefinitionRows)] {
		b.WriteString(p.definition(&list[i]))
	}
	b.WriteString("\n")
	if rest := list[min(len(list), maxDefinitionRows):]; len(rest) > 0 {
		fmt.Fprintf(b, "<details><summary>%d more exported definitions</summary>\n\n", len(rest))
		for i := range rest[:min(len(rest), maxFolded)] {
			b.WriteString(p.definition(&rest[i]))
		}
		if n := len(rest) - maxFolded; n > 0 {
			fmt.Fprintf(b, "- and %d more\n", n)
		}
		b.WriteString("\n</details>\n\n")
	}
}

// writeReach says which changed functions no test reaches, and which tests reach the others.
func (p *Report) writeReach(b *strings.Builder) {
	r := &p.review.Reach
	if n := len(r.Unnamed); n > 0 {
		var names []string
		for _, f := range r.Unnamed[:min(n, maxNamed)] {
			names = append(names, p.place(f.Path, f.Line, p.shown(f.Name), false))
		}
		b.WriteString("**No test names** " + strings.Join(names, ", ") + more(n-maxNamed) + ".")
		if r.Unknown > 0 {
			fmt.Fprintf(b, " Of %d more changed functions it is not known, as the imports of their language are not read.", r.Unknown)
		}
		b.WriteString("\n\n")
	}
	if len(r.Tests) == 0 {
		return
	}
	var names []string
	for _, name := range r.Tests[:min(len(r.Tests), maxNamed)] {
		names = append(names, p.place(name, 0, p.shown(name), false))
	}
	b.WriteString("**Tests that reach it** " + strings.Join(names, ", ") + more(len(r.Tests)-maxNamed))
	for i, c := range r.Commands {
		if p.clean == nil || p.clean(c) == c {
			b.WriteString([]string{": ", ", "}[min(i, 1)] + forge.Code(c))
		}
	}
	b.WriteString("\n\n")
}

// version says of a dependency from what to what. Commits are short.
func (p *Report) version(d review.Dependency) string {
	name := forge.Code(p.shown(d.Name))
	for _, v := range []*string{&d.From, &d.To} {
		if job.CommitID.MatchString(*v) {
			*v = snapshot.Short(*v)
		}
	}
	switch {
	case d.From == "":
		return name + " " + forge.Code(p.shown(d.To)) + " **new**"
	case d.To == "":
		return name + " " + forge.Code(p.shown(d.From)) + " removed"
	}
	return name + " " + forge.Code(p.shown(d.From)) + " → " + forge.Code(p.shown(d.To))
}

// writeDependencies lists the dependencies that changed: new ones first, what lock files alone name folded.
func (p *Report) writeDependencies(b *strings.Builder) {
	var rows, folded []string
	for _, fresh := range []bool{true, false} {
		for _, d := range p.review.Dependencies {
			row := "- " + p.version(d) + " (" + p.place(d.Path, 0, p.shown(d.Path), false) + ")\n"
			switch {
			case (d.From == "") != fresh:
			case len(rows) < maxDependencyRows && (!d.Locked || fresh):
				rows = append(rows, row)
			default:
				folded = append(folded, row)
			}
		}
	}
	if len(rows)+len(folded) == 0 {
		return
	}
	b.WriteString("**Dependencies**\n\n" + strings.Join(rows, "") + "\n")
	if n := len(folded); n > 0 {
		what := "more dependencies"
		if len(rows) == 0 {
			what = "that lock files alone name"
		}
		fmt.Fprintf(b, "<details><summary>%d %s</summary>\n\n%s", n, what, strings.Join(folded[:min(n, maxFolded)], ""))
		if n > maxFolded {
			fmt.Fprintf(b, "- and %d more\n", n-maxFolded)
		}
		b.WriteString("\n</details>\n\n")
	}
}

// writeFound says where in the change credentials were found, and what of it was left out: never the value. Those that stand
// beside it in changed files are counted in the summary, where full.
func (p *Report) writeFound(b *strings.Builder, full bool) {
	r := p.review
	written := r.Written()
	for _, x := range r.Found[:min(written, maxFoundRows)] {
		shown := p.shown(x.Path)
		if x.Line > 0 {
			shown += ":" + strconv.Itoa(x.Line)
		}
		fmt.Fprintf(b, "- ⚠ a credential in the change: %s (rule %s)\n", p.place(x.Path, x.Line, shown, false), forge.Code(x.Rule))
	}
	if n := written - maxFoundRows; n > 0 {
		fmt.Fprintf(b, "- ⚠ and %d more\n", n)
	}
	beside := len(r.Found) - written
	if !full {
		beside = 0
	}
	if beside > 0 {
		x := r.Found[written]
		fmt.Fprintf(b, "- credentials on lines of changed files that the change leaves alone: %d, the first %s (rule %s)\n", beside, p.place(x.Path, x.Line, p.shown(x.Path)+":"+strconv.Itoa(x.Line), false), forge.Code(x.Rule))
	}
	if n := len(r.Left); n > 0 {
		var names []string
		for _, x := range r.Left[:min(n, maxNamed)] {
			names = append(names, p.place(x.Path, 0, p.shown(x.Path), false)+" ("+forge.Text(string(x.Reason))+")")
		}
		b.WriteString("- not in the archive: " + strings.Join(names, ", ") + more(n-maxNamed) + "\n")
	}
	if written+beside+len(r.Left) > 0 {
		b.WriteString("\n")
	}
}

// writePicture draws the neighbourhood, folded. Nodes have numbers for ids, so that no name is read as anything but a label.
func (p *Report) writePicture(b *strings.Builder) {
	g := p.review.Picture
	if g == nil {
		return
	}
	below := p.review.Picture.Shared()
	title := "What the change touches, needs, and is needed by"
	what := "files"
	if g.Folders {
		what = "folders"
	}
	if g.Left > 0 {
		title += fmt.Sprintf(": the %d nearest of %d %s", len(g.Nodes), len(g.Nodes)+g.Left, what)
	} else if g.Folders {
		title += ", by folders"
	}
	if below != "" {
		title += ", below " + forge.Code(p.shown(below))
	}
	if g.Undrawn > 0 {
		title += fmt.Sprintf("; the %d heaviest of %d arrows", len(g.Edges), len(g.Edges)+g.Undrawn)
	}
	// Narrow gaps leave the width of 800 pixels to the names, which are without the folder that all have.
	var m strings.Builder
	m.WriteString("%%{init: {\"flowchart\": {\"rankSpacing\": 24, \"nodeSpacing\": 14}}}%%\ngraph LR\n")
	for i, n := range g.Nodes {
		style := ""
		if n.Changed {
			style = ":::changed"
		}
		fmt.Fprintf(&m, "  n%d[%s]%s\n", i, forge.Label(p.shown(cmp.Or(n.Name[len(below):], "./"))), style)
	}
	for _, e := range g.Edges {
		if e.Weight > 1 {
			fmt.Fprintf(&m, "  n%d -->|%d| n%d\n", e.From, e.Weight, e.To)
		} else {
			fmt.Fprintf(&m, "  n%d --> n%d\n", e.From, e.To)
		}
	}
	m.WriteString("  classDef changed stroke-width:3px\n")
	b.WriteString("<details><summary>" + title + "</summary>\n\n" + forge.Fence("mermaid", m.String()) + "\n</details>\n\n")
}

// writeRows lists the changed files, folded, each linked to where it can be seen.
func (p *Report) writeRows(b *strings.Builder) {
	r := p.review
	if len(r.Files) == 0 {
		return
	}
	fmt.Fprintf(b, "<details><summary>%s</summary>\n\n| file | + | − |\n|---|---:|---:|\n", claim.Count(len(r.Files), "changed file"))
	for i := range r.Files[:min(len(r.Files), maxSummaryRows)] {
		f := &r.Files[i]
		name := p.file(f, false)
		if f.OldPath != "" {
			name = forge.Code(p.shown(f.OldPath)) + " → " + name
		}
		added, removed := "–", "–"
		if f.Counted {
			added, removed = strconv.Itoa(f.Added), strconv.Itoa(f.Removed)
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", name, added, removed)
	}
	if n := len(r.Files) - maxSummaryRows; n > 0 {
		fmt.Fprintf(b, "\n… and %s.\n", claim.Count(n, "more file"))
	}
	b.WriteString("\n</details>\n\n")
}

// maxUntested bounds the functions that an output names.
const maxUntested = 100

// SetOutputs adds what later steps may want to know of the change: its size, the groups in which it is read, what no test reaches.
func (p *Report) SetOutputs(v map[string]string) {
	r := p.review
	if r == nil {
		return
	}
	clean := func(name string) string {
		if p.clean != nil {
			name = p.clean(name)
		}
		return text.Line(name)
	}
	var areas, untested []string
	for _, g := range r.Groups {
		areas = append(areas, clean(g.Name))
	}
	for _, f := range r.Reach.Unnamed[:min(len(r.Reach.Unnamed), maxUntested)] {
		untested = append(untested, clean(f.Path)+":"+strconv.Itoa(f.Line)+" "+clean(f.Name))
	}
	v["size"], v["areas"], v["untested"] = string(r.Size), strings.Join(areas, "\n"), strings.Join(untested, "\n")
}
