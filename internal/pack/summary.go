package pack

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
)

// newView reads what a summary tells of.
func newView(g *material, texts *source.Texts) (*view, error) {
	src, f := g.src, g.facts
	reports, damaged, err := source.Survey(src.Snapshot, texts)
	if err != nil {
		return nil, err
	}
	markRoutes(f, reports)
	v := &view{Facts: f, src: src, reports: reports, damaged: damaged, byPath: map[string]*source.Report{}, outlines: map[string]source.Outline{}, settings: map[string]claim.Claim{}, titles: map[string][]string{}, importers: importersOf(f, src.Edges)}
	for _, r := range reports {
		v.byPath[r.File.Path] = r
	}
	return v, v.lookAtFiles(texts)
}

// summary is all that can be said, whatever the limits.
func (v *view) summary(reason string, texts *source.Texts) (*Summary, error) {
	p := &Summary{
		Type:            TypeSummary,
		Manifest:        manifestOf(v.Facts),
		FileIndex:       index(v.src.Snapshot, nil),
		KeyFilesSummary: v.keyFiles(),
		Entrypoints:     v.entrypoints(),
		RiskHotspots:    v.hotspots(),
		Metadata:        metadata(v.src, TypeSummary, reason),
	}
	p.RepoSummary, p.paragraphs = v.describe()
	m := &p.Metadata
	m.SummaryMethod = "heuristic"
	m.Warnings = append(m.Warnings, v.ListedWarnings()...)
	for _, file := range extractable(v.src.Snapshot) {
		if n := v.damaged[file.Path]; file.Encoding != text.UTF8 || n > 0 {
			m.Encodings = append(m.Encodings, EncodingNote{Path: claim.Shown(file.Path), Encoding: string(file.Encoding), Undecodable: n})
		}
	}
	slices.SortFunc(m.Encodings, func(a, b EncodingNote) int { return strings.Compare(a.Path, b.Path) })
	m.count(p.FileIndex)
	p.counts = info(p.FileIndex, m)
	return p, v.show(p, texts)
}

// Info describes the pack for the record. It counts the whole index, also where
// rows of it were cut.
func (p *Summary) Info() Info { return p.counts }

// view is a repository as a summary sees it.
type view struct {
	*project.Facts
	src     *Source
	reports []*source.Report
	damaged map[string]int
	// titles of the sections of READMEs, and who imports a file, sorted.
	titles    map[string][]string
	importers map[string][]string
	byPath    map[string]*source.Report
	outlines  map[string]source.Outline
	// settings tells what files of settings set.
	settings map[string]claim.Claim
	// docker and workflow files, with what they run.
	steps map[string][]project.Script
	// unpinned are uses of actions at a branch.
	unpinned []claim.Claim
}

// lookAtFiles reads the files that are told of one by one: key files, entry
// points, files that run others.
func (v *view) lookAtFiles(texts *source.Texts) error {
	want := map[string]bool{}
	for _, p := range v.EntryPoints() {
		want[p] = true
	}
	for i := range v.src.Snapshot.Files {
		if f := &v.src.Snapshot.Files[i]; f.Key != nil && f.Extractable() {
			want[f.Path] = true
		}
	}
	for i, p := range v.Programs {
		if i < maxEntrypoints {
			want[p] = true
		}
	}
	v.steps = map[string][]project.Script{}
	n := 0
	for i := range v.src.Snapshot.Files {
		f := &v.src.Snapshot.Files[i]
		read := project.StepsReaderOf(f.Path)
		if !f.Extractable() || !want[f.Path] && (read == nil || source.Aside(f.Path)) {
			continue
		}
		if f.Size > project.MaxManifestBytes {
			continue
		}
		b, _, err := texts.Read(f)
		if err != nil {
			return err
		}
		if base := strings.ToLower(path.Base(f.Path)); strings.HasPrefix(base, "readme") && f.Key != nil && strings.HasSuffix(base, ".md") {
			v.titles[f.Path] = project.Sections(b)
		}
		if want[f.Path] {
			var known *source.Names
			if g, ok := v.src.Outlines[f.Path]; ok {
				known = &g
			}
			if source.LanguageOf(f.Path) == nil {
				if sets, ok := project.Settings(f.Path, b); ok {
					v.settings[f.Path] = sets
				}
			}
			o := source.NewOutline(f.Path, b, known)
			if o.Err != nil {
				v.Warn(f.Path, 0, o.Err)
			}
			v.outlines[f.Path] = o
		}
		if read != nil && n < project.MaxManifests {
			n++
			steps, err := read(f.Path, b)
			if err != nil {
				v.Warn(f.Path, 0, err)
			}
			v.steps[f.Path] = steps.Scripts
			v.unpinned = append(v.unpinned, steps.Unpinned...)
		}
	}
	return nil
}

func (v *view) keyFiles() []KeyFileSummary {
	var keys []*scan.File
	for i := range v.src.Snapshot.Files {
		if f := &v.src.Snapshot.Files[i]; f.Key != nil && f.Extractable() {
			keys = append(keys, f)
		}
	}
	slices.SortFunc(keys, scan.CompareKeys)
	out := []KeyFileSummary{}
	for _, f := range keys {
		out = append(out, v.keyFile(f))
	}
	return out
}

// declaredAs says what manifests say of a file: what it describes, and the commands that it is.
func (v *view) declaredAs(f *scan.File) (says []claim.Claim, command bool) {
	said := map[string]bool{} // two rules of a manifest may make one command
	for _, p := range v.Projects {
		if p.Path == f.Path && p.Description.Text != "" {
			says = append(says, claim.New([]claim.Citation{claim.Cite(p.Path, p.Description.Line)}, "It describes the project as %s", p.Description.Text))
		}
		for _, e := range p.Entries {
			if e.Kind == "cli" && e.Name != "" && !said[e.Name] && v.SourceOf(e.Path) == f.Path {
				said[e.Name] = true
				says = append(says, claim.New([]claim.Citation{claim.Cite(p.Path, e.Line), claim.Cite(f.Path, 0)}, "It is the command %s", e.Name))
				command = true
			}
		}
	}
	return says, command
}

// keyFile says of a key file what it is, in the order of what tells most.
func (v *view) keyFile(f *scan.File) KeyFileSummary {
	o := v.outlines[f.Path]
	all := []claim.Citation{claim.Span(f.Path, 1, f.Lines)}
	says := o.Says()
	declared, command := v.declaredAs(f)
	says = append(says, declared...)
	if dir := source.DirOf(f.Path); o.Program && !command && dir != "" {
		says = append(says, claim.New([]claim.Citation{claim.Cite(f.Path, o.MainLine)}, "It is the program %s", claim.OneLine(path.Base(dir), 100)))
	}
	if q := o.Usage; (o.Program || command) && q.Text != "" {
		says = append(says, claim.New([]claim.Citation{claim.Cite(q.Path, q.Line)}, "Its usage begins with %s", q.Text))
	}
	if f.Path == v.Readme.Path {
		says = append(says, claim.New([]claim.Citation{claim.Cite(f.Path, v.Readme.Line)}, "It introduces the project: %s", v.Readme.Text))
	}
	if titles := v.titles[f.Path]; len(titles) > 0 {
		says = append(says, claim.New(all, "Its sections are %s", titles[:min(len(titles), 10)]))
	}
	if hands, ok := v.handsOn(f.Path, o); ok {
		says = append(says, hands)
	} else if defines, ok := o.Defined(f.Path); ok {
		says = append(says, defines)
	}
	if r := v.byPath[f.Path]; r != nil && len(r.Routes) > 0 {
		says = append(says, routesClaim(r, "It registers"))
	}
	if steps := v.steps[f.Path]; len(steps) > 0 {
		says = append(says, stepsClaim(f.Path, steps))
	}
	if used, ok := v.used(f.Path); ok {
		says = append(says, used)
	}
	for _, p := range v.Projects {
		if p.Path == f.Path {
			says = append(says, v.manifestClaims(p)...)
		}
	}
	sets, isSettings := v.settings[f.Path]
	switch {
	case len(says) > 0:
	case isSettings:
		says = append(says, sets)
	case len(o.Imports) > 0:
		says = append(says, claim.New(all, "It imports %s", o.Imports[:min(len(o.Imports), source.MaxDefined)]))
	}
	about := fmt.Sprintf("%s, %s", source.KindOf(f.Path), claim.Count(f.Lines, "line"))
	if l := source.LanguageOf(f.Path); l != nil && l.TellsExports() {
		about += fmt.Sprintf(", %s, %s", claim.Count(counted(o.Exports), "export"), claim.Count(counted(o.Imports), "import"))
	}
	says = append(says, claim.Claim{Text: about, Cites: all})
	return KeyFileSummary{
		Path:         claim.Shown(f.Path),
		Category:     f.Category,
		Summary:      claim.Sentences(says),
		Exports:      orEmpty(o.Exports),
		Dependencies: orEmpty(o.Imports),
		NotableCode:  claim.Texts(v.notable(f, o)),
	}

}

// handsOn tells of a file that hardly does more than hand on what others export.
func (v *view) handsOn(name string, o source.Outline) (claim.Claim, bool) {
	if o.Handed == 0 || o.Handed*3 < v.Files[name].Lines*2 && o.Handed < 5 {
		return claim.Claim{}, false
	}
	if o.Handed*2 < v.Files[name].Lines {
		return claim.New([]claim.Citation{claim.Span(name, o.HandedFrom, o.HandedTo)}, "It hands on the exports of %s", claim.Count(o.Handed, "other module")), true
	}
	return claim.New([]claim.Citation{claim.Span(name, o.HandedFrom, o.HandedTo)}, "It does little but hand on the exports of %s", claim.Count(o.Handed, "other module")), true
}

// muchUsed is from how many files on it is worth a word that they import one.
const muchUsed = 3

// used tells how many files import this one.
func (v *view) used(name string) (claim.Claim, bool) {
	by := v.importers[name]
	if len(by) < muchUsed {
		return claim.Claim{}, false
	}
	return claim.New(claim.CiteAll(by), "Imported by %s", claim.Count(len(by), "file")), true
}

// counted is the length of a list that limited may have cut.
func counted(list []string) int {
	n := len(list)
	if n > 0 {
		var more int
		if k, _ := fmt.Sscanf(list[n-1], "... and %d more", &more); k == 1 {
			return n - 1 + more
		}
	}
	return n
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func (v *view) manifestClaims(p *project.Project) []claim.Claim {
	var out []claim.Claim
	if p.Name != "" {
		out = append(out, claim.New([]claim.Citation{claim.Cite(p.Path, p.NameLine)}, "It describes %s", p.Name))
	}
	for _, kind := range []string{"runtime", "peer", project.Optional, project.Shared, "dev"} {
		n, first, last := 0, 0, 0
		for _, d := range p.Dependencies {
			if d.Kind != kind {
				continue
			}
			n++
			if d.Line > 0 && (first == 0 || d.Line < first) {
				first = d.Line
			}
			last = max(last, d.Line)
		}
		if n > 0 {
			word := map[string]string{"runtime": "runtime dependency", "peer": "peer dependency", "dev": "development dependency",
				project.Optional: "optional dependency", project.Shared: "shared dependency"}[kind]
			out = append(out, claim.New([]claim.Citation{claim.Span(p.Path, first, last)}, "It names %s", claim.Count(n, word)))
		}
	}
	if len(p.Scripts) > 0 {
		out = append(out, scriptsClaim(p))
	}
	return out
}

// maxNotable is how much of what stands out in a file is told.
const maxNotable = 12

// notable is what stands out in a file, with lines.
func (v *view) notable(f *scan.File, o source.Outline) []claim.Claim {
	var out []claim.Claim
	r := v.byPath[f.Path]
	if r != nil {
		for _, kind := range slices.Sorted(maps.Keys(r.Calls)) {
			out = append(out, callClaim(r, kind))
		}
		if r.Todos.N > 0 {
			out = append(out, claim.New([]claim.Citation{claim.Cite(f.Path, r.Todos.Lines[0])}, "%s of unfinished work, %s", claim.Count(r.Todos.N, "mark"), r.Todos))
		}
		if len(r.Routes) > 0 {
			out = append(out, routesClaim(r, "Registers"))
		}
		if r.Depth >= source.DeepNesting {
			out = append(out, claim.New([]claim.Citation{claim.Cite(f.Path, r.DepthLine)}, "Nests %d deep", r.Depth))
		}
	}
	if len(o.Commands) > 0 {
		out = append(out, claim.New([]claim.Citation{claim.Span(f.Path, o.Commands[0].Line, o.Commands[len(o.Commands)-1].Line)}, "Flags and commands that it defines: %d", len(o.Commands)))
	}
	for _, p := range v.Projects {
		if p.Path == f.Path {
			out = append(out, p.Patterns...)
			out = append(out, p.Concerns...)
		}
	}
	if n := len(f.Redactions); n > 0 {
		out = append(out, claim.New([]claim.Citation{claim.Cite(f.Path, f.Redactions[0].Line)}, "%s redacted", claim.Count(n, "credential")))
	}
	if len(out) > maxNotable {
		out = out[:maxNotable]
	}
	return out
}

func callClaim(r *source.Report, kind string) claim.Claim {
	p := r.Calls[kind]
	times := "once"
	if p.N > 1 {
		times = fmt.Sprintf("%d times", p.N)
	}
	return claim.New([]claim.Citation{claim.Cite(r.File.Path, p.Lines[0])}, "%s %s, %s", claim.Own(strings.ToUpper(kind[:1])+kind[1:]), claim.Own(times), p)
}

// maxHotspots bounds the hotspots of one kind.
const maxHotspots = 15

// hotspots are the files with the highest measures of each kind.
func (v *view) hotspots() []Hotspot {
	out := []Hotspot{}
	top := func(score func(*source.Report) int, make func(*source.Report) Hotspot) {
		type scored struct {
			r *source.Report
			n int
		}
		var list []scored
		for _, r := range v.reports {
			if n := score(r); n > 0 {
				list = append(list, scored{r, n})
			}
		}
		slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.n, a.n) })
		for i, s := range list {
			if i == maxHotspots {
				break
			}
			out = append(out, make(s.r))
		}
	}
	top(func(r *source.Report) int {
		n := 0
		for _, p := range r.Calls {
			n += p.N
		}
		return n
	}, func(r *source.Report) Hotspot {
		n, first := 0, 0
		var ind []claim.Claim
		for _, kind := range slices.Sorted(maps.Keys(r.Calls)) {
			p := r.Calls[kind]
			n += p.N
			if first == 0 || p.Lines[0] < first {
				first = p.Lines[0]
			}
			ind = append(ind, callClaim(r, kind))
		}
		return Hotspot{claim.Shown(r.File.Path), "security", claim.Sentences([]claim.Claim{claim.New([]claim.Citation{claim.Cite(r.File.Path, first)}, "%s of a kind that security reviews look at", claim.Count(n, "place"))}), claim.Texts(ind)}
	})
	top(func(r *source.Report) int {
		if r.Lines < source.ManyLines && r.Depth < source.DeepNesting {
			return 0
		}
		return r.Lines * r.Depth
	}, func(r *source.Report) Hotspot {
		var ind []claim.Claim
		if r.Lines >= source.ManyLines {
			ind = append(ind, claim.New([]claim.Citation{claim.Span(r.File.Path, 1, r.Lines)}, "%s", claim.Count(r.Lines, "line")))
		}
		if r.Depth >= source.DeepNesting {
			ind = append(ind, claim.New([]claim.Citation{claim.Cite(r.File.Path, r.DepthLine)}, "Indented %d steps deep", r.Depth))
		}
		return Hotspot{claim.Shown(r.File.Path), "complexity", claim.Sentences([]claim.Claim{claim.New([]claim.Citation{claim.Span(r.File.Path, 1, r.Lines)}, "%s, nested up to %d deep", claim.Count(r.Lines, "line"), r.Depth)}), claim.Texts(ind)}
	})
	out = append(out, v.coupled()...)
	top(func(r *source.Report) int {
		if r.Loops < source.DeepLoops {
			return 0
		}
		return r.Loops
	}, func(r *source.Report) Hotspot {
		return Hotspot{claim.Shown(r.File.Path), "performance",
			claim.Sentences([]claim.Claim{claim.New([]claim.Citation{claim.Cite(r.File.Path, r.LoopLine)}, "Loops inside loops")}),
			claim.Texts([]claim.Claim{claim.New([]claim.Citation{claim.Cite(r.File.Path, r.LoopLine)}, "Loops nested %d deep", r.Loops)})}
	})
	return out
}

// importersOf turns the edges around.
func importersOf(f *project.Facts, edges map[string][]string) map[string][]string {
	out := map[string][]string{}
	for from, tos := range edges {
		for _, to := range tos {
			if from != to && f.Files[from] != nil && f.Files[to] != nil && source.LanguageOf(to) != nil {
				out[to] = append(out[to], from)
			}
		}
	}
	for to, list := range out {
		slices.Sort(list)
		out[to] = slices.Compact(list)
	}
	return out
}

// coupled are the files that much depends on and that depend on much.
func (v *view) coupled() []Hotspot {
	imported := map[string][]string{}
	for from, tos := range v.src.Edges {
		for _, to := range tos {
			if from == to || v.Files[from] == nil || v.Files[to] == nil || source.LanguageOf(to) == nil {
				continue
			}
			imported[from] = append(imported[from], to)
		}
	}
	distinct := func(m map[string][]string, name string) []string {
		list := slices.Clone(m[name])
		slices.Sort(list)
		return slices.Compact(list)
	}
	type coupled struct {
		path    string
		in, out []string
	}
	var list []coupled
	for name := range v.importers {
		if !source.IsProgram(v.Files[name]) {
			continue
		}
		c := coupled{name, v.importers[name], distinct(imported, name)}
		if len(c.in) >= 3 && len(c.out) >= 3 {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b coupled) int {
		return cmp.Or(cmp.Compare(len(b.in)*len(b.out), len(a.in)*len(a.out)), cmp.Compare(a.path, b.path))
	})
	var out []Hotspot
	for i, c := range list {
		if i == maxHotspots {
			break
		}
		out = append(out, Hotspot{claim.Shown(c.path), "coupling",
			claim.Sentences([]claim.Claim{claim.New([]claim.Citation{claim.Cite(c.path, 0)}, "Used by %s and using %d", claim.Count(len(c.in), "file"), len(c.out))}),
			claim.Texts([]claim.Claim{
				claim.New(claim.CiteAll(c.in), "Imported by %s", claim.Count(len(c.in), "file")),
				claim.New(claim.CiteAll(c.out), "Imports %s", claim.Count(len(c.out), "file")),
			})})
	}
	return out
}
