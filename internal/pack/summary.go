package pack

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// BuildSummary makes a summary pack, without a model. reason says why it is
// this one; Select has one. The error is of reading a file, or *TooSmallError.
func BuildSummary(src *Source, reason string) (*Summary, error) {
	if err := src.Limits.enough(); err != nil {
		return nil, err
	}
	v, err := newView(src)
	if err != nil {
		return nil, err
	}
	src = v.src
	all := v.summary(reason)
	return fitted(src, func(limit cost) (*Summary, error) {
		p := *all
		if err := p.fit(newMeter(&src.Limits), &src.Limits, v.facts, limit); err != nil {
			return nil, err
		}
		p.counts.ContentBytes = p.Metadata.TotalContentBytes
		return &p, nil
	})
}

// newView reads what a summary tells of.
func newView(src *Source) (*view, error) {
	src, f, err := prepare(src)
	if err != nil {
		return nil, err
	}
	reports, damaged, err := survey(src.Snapshot)
	if err != nil {
		return nil, err
	}
	f.markRoutes(reports)
	v := &view{facts: f, reports: reports, damaged: damaged, byPath: map[string]*report{}, outlines: map[string]outline{}, titles: map[string][]string{}, importers: importersOf(f)}
	for _, r := range reports {
		v.byPath[r.file.Path] = r
	}
	return v, v.lookAtFiles()
}

// summary is all that can be said, whatever the limits.
func (v *view) summary(reason string) *Summary {
	p := &Summary{
		Type:            TypeSummary,
		Manifest:        v.manifest(),
		FileIndex:       index(v.src.Snapshot, nil),
		KeyFilesSummary: v.keyFiles(),
		Entrypoints:     v.entrypoints(),
		RiskHotspots:    v.hotspots(),
		Metadata:        metadata(v.src, TypeSummary, reason),
	}
	p.RepoSummary, p.paragraphs = v.describe()
	m := &p.Metadata
	m.SummaryMethod = "heuristic"
	m.Warnings = append(m.Warnings, v.told()...)
	for _, file := range extractable(v.src.Snapshot) {
		if n := v.damaged[file.Path]; file.Encoding != text.UTF8 || n > 0 {
			m.Encodings = append(m.Encodings, EncodingNote{Path: shown(file.Path), Encoding: string(file.Encoding), Undecodable: n})
		}
	}
	slices.SortFunc(m.Encodings, func(a, b EncodingNote) int { return strings.Compare(a.Path, b.Path) })
	m.count(p.FileIndex)
	p.counts = info(p.FileIndex, m)
	return p
}

// Info describes the pack for the record. It counts the whole index, also where
// rows of it were cut.
func (p *Summary) Info() Info { return p.counts }

// view is a repository as a summary sees it.
type view struct {
	*facts
	reports []*report
	damaged map[string]int
	// titles of the sections of READMEs, and who imports a file, sorted.
	titles    map[string][]string
	importers map[string][]string
	byPath    map[string]*report
	outlines  map[string]outline
	// docker and workflow files, with what they run.
	steps map[string][]script
	// unpinned are uses of actions at a branch.
	unpinned []claim
}

// lookAtFiles reads the files that are told of one by one: key files, entry
// points, files that run others.
func (v *view) lookAtFiles() error {
	want := map[string]bool{}
	for _, p := range v.entryPoints() {
		want[p] = true
	}
	for i := range v.src.Snapshot.Files {
		if f := &v.src.Snapshot.Files[i]; f.Key != nil && f.Extractable() {
			want[f.Path] = true
		}
	}
	for i, p := range v.programs {
		if i < maxEntrypoints {
			want[p] = true
		}
	}
	v.steps = map[string][]script{}
	n := 0
	for i := range v.src.Snapshot.Files {
		f := &v.src.Snapshot.Files[i]
		read := stepsOf(f.Path)
		if !f.Extractable() || !want[f.Path] && (read == nil || aside(f.Path)) {
			continue
		}
		if f.Size > maxManifestBytes {
			continue
		}
		b, _, err := decode(f)
		if err != nil {
			return err
		}
		if base := strings.ToLower(path.Base(f.Path)); strings.HasPrefix(base, "readme") && f.Key != nil && strings.HasSuffix(base, ".md") {
			v.titles[f.Path] = sections(b)
		}
		if want[f.Path] {
			o := look(v.src, f, b)
			if o.err != nil {
				v.warn(f.Path, 0, o.err)
			}
			v.outlines[f.Path] = o
		}
		if read != nil && n < maxManifests {
			n++
			v.steps[f.Path] = read(v, f.Path, b)
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
		o := v.outlines[f.Path]
		all := []citation{span(f.Path, 1, f.Lines)}
		says := o.says()
		command := false
		for _, p := range v.projects {
			if p.path == f.Path && p.description.text != "" {
				says = append(says, claimf([]citation{cite(p.path, p.description.line)}, "It describes the project as %s", p.description.text))
			}
			for _, e := range p.entries {
				if e.kind == "cli" && e.name != "" && v.sourceOf(e.path) == f.Path {
					says = append(says, claimf([]citation{cite(p.path, e.line), cite(f.Path, 0)}, "It is the command %s", e.name))
					command = true
				}
			}
		}
		if dir := dirOf(f.Path); o.program && !command && dir != "" {
			says = append(says, claimf([]citation{cite(f.Path, o.mainLine)}, "It is the program %s", oneLine(path.Base(dir), 100)))
		}
		if q := o.usage; (o.program || command) && q.text != "" {
			says = append(says, claimf([]citation{cite(q.path, q.line)}, "Its usage begins with %s", q.text))
		}
		if f.Path == v.readme.path {
			says = append(says, claimf([]citation{cite(f.Path, v.readme.line)}, "It introduces the project: %s", v.readme.text))
		}
		if titles := v.titles[f.Path]; len(titles) > 0 {
			says = append(says, claimf(all, "Its sections are %s", titles[:min(len(titles), 10)]))
		}
		if hands, ok := v.handsOn(f.Path, o); ok {
			says = append(says, hands)
		} else if defines, ok := o.defined(f.Path); ok {
			says = append(says, defines)
		}
		if r := v.byPath[f.Path]; r != nil && len(r.routes) > 0 {
			says = append(says, claimf([]citation{span(f.Path, r.routes[0].line, r.routes[len(r.routes)-1].line)}, "It registers %s", count(len(r.routes), "route")))
		}
		if steps := v.steps[f.Path]; len(steps) > 0 {
			says = append(says, stepsClaim(f.Path, steps))
		}
		if used, ok := v.used(f.Path); ok {
			says = append(says, used)
		}
		for _, p := range v.projects {
			if p.path == f.Path {
				says = append(says, v.manifestClaims(p)...)
			}
		}
		switch {
		case len(says) > 0:
		case o.told:
			says = append(says, o.settings)
		case len(o.imports) > 0:
			says = append(says, claimf(all, "It imports %s", o.imports[:min(len(o.imports), maxDefined)]))
		}
		about := fmt.Sprintf("%s, %s", kindOf(f.Path), count(f.Lines, "line"))
		if l := languageOf(f.Path); l != nil && (len(l.exports) > 0 || l.name == "Go") {
			about += fmt.Sprintf(", %s, %s", count(counted(o.exports), "export"), count(counted(o.imports), "import"))
		}
		says = append(says, claim{about, all})
		k := KeyFileSummary{
			Path:         shown(f.Path),
			Category:     f.Category,
			Summary:      sentences(says),
			Exports:      orEmpty(o.exports),
			Dependencies: orEmpty(o.imports),
			NotableCode:  texts(v.notable(f, o)),
		}
		out = append(out, k)
	}
	return out
}

// says are sentences of what the author says of a file.
func (o *outline) says() []claim {
	var out []claim
	if q := o.file; q.text != "" {
		out = append(out, claimf([]citation{cite(q.path, q.line)}, "It says of itself: %s", q.text))
	}
	if q := o.purpose; q.text != "" && o.file.text == "" {
		out = append(out, claimf([]citation{cite(q.path, q.line)}, "It describes itself as %s", q.text))
	}
	if q := o.symbol; q.text != "" && (!o.passing || len(o.defines) <= maxDefined) {
		out = append(out, claimf([]citation{cite(q.path, q.line)}, "Of %s it says: %s", o.name, q.text))
	}
	return out
}

// handsOn tells of a file that hardly does more than hand on what others export.
func (v *view) handsOn(name string, o outline) (claim, bool) {
	if o.handed == 0 || o.handed*3 < v.files[name].Lines*2 && o.handed < 5 {
		return claim{}, false
	}
	if o.handed*2 < v.files[name].Lines {
		return claimf([]citation{span(name, o.handedFrom, o.handedTo)}, "It hands on the exports of %s", count(o.handed, "other module")), true
	}
	return claimf([]citation{span(name, o.handedFrom, o.handedTo)}, "It does little but hand on the exports of %s", count(o.handed, "other module")), true
}

// muchUsed is from how many files on it is worth a word that they import one.
const muchUsed = 3

// used tells how many files import this one.
func (v *view) used(name string) (claim, bool) {
	by := v.importers[name]
	if len(by) < muchUsed {
		return claim{}, false
	}
	return claimf(citing(by), "Imported by %s", count(len(by), "file")), true
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

// span cites lines from to.
func span(path string, from, to int) citation {
	if to <= from {
		return cite(path, from)
	}
	return citation(fmt.Sprintf("%s-%d", cite(path, from), to))
}

func (v *view) manifestClaims(p *project) []claim {
	var out []claim
	if p.name != "" {
		out = append(out, claimf([]citation{cite(p.path, p.nameLine)}, "It describes %s", p.name))
	}
	for _, kind := range dependencyKinds {
		n, first, last := 0, 0, 0
		for _, d := range p.deps {
			if d.kind != kind {
				continue
			}
			n++
			if d.line > 0 && (first == 0 || d.line < first) {
				first = d.line
			}
			last = max(last, d.line)
		}
		if n > 0 {
			word := map[string]string{"runtime": "runtime dependency", "peer": "peer dependency", "dev": "development dependency"}[kind]
			out = append(out, claimf([]citation{span(p.path, first, last)}, "It names %s", count(n, word)))
		}
	}
	if len(p.scripts) > 0 {
		out = append(out, claimf([]citation{span(p.path, p.scripts[0].line, p.scripts[len(p.scripts)-1].line)}, "It declares %s", count(len(p.scripts), "script")))
	}
	return out
}

// notable is what stands out in a file, with lines.
func (v *view) notable(f *scan.File, o outline) []claim {
	var out []claim
	r := v.byPath[f.Path]
	if r != nil {
		for _, kind := range sorted(r.calls) {
			out = append(out, callClaim(r, kind))
		}
		if r.todos.n > 0 {
			out = append(out, claimf([]citation{cite(f.Path, r.todos.lines[0])}, "%s of unfinished work, %s", count(r.todos.n, "mark"), r.todos))
		}
		if len(r.routes) > 0 {
			out = append(out, claimf([]citation{span(f.Path, r.routes[0].line, r.routes[len(r.routes)-1].line)}, "Registers %s", count(len(r.routes), "route")))
		}
		if r.depth >= deepNesting {
			out = append(out, claimf([]citation{cite(f.Path, r.depthLine)}, "Nests %d deep", r.depth))
		}
	}
	if len(o.flags) > 0 {
		out = append(out, claimf([]citation{span(f.Path, o.flags[0].line, o.flags[len(o.flags)-1].line)}, "Flags and commands that it defines: %d", len(o.flags)))
	}
	for _, p := range v.projects {
		if p.path == f.Path {
			out = append(out, p.patterns...)
			out = append(out, p.concerns...)
		}
	}
	if n := len(f.Redactions); n > 0 {
		out = append(out, claimf([]citation{cite(f.Path, f.Redactions[0].Line)}, "%s redacted", count(n, "credential")))
	}
	if len(out) > maxNotable {
		out = out[:maxNotable]
	}
	return out
}

func callClaim(r *report, kind string) claim {
	p := r.calls[kind]
	times := "once"
	if p.n > 1 {
		times = fmt.Sprintf("%d times", p.n)
	}
	return claimf([]citation{cite(r.file.Path, p.lines[0])}, "%s %s, %s", own(strings.ToUpper(kind[:1])+kind[1:]), own(times), p)
}

// maxHotspots bounds the hotspots of one kind.
const maxHotspots = 15

// hotspots are the files with the highest measures of each kind.
func (v *view) hotspots() []Hotspot {
	out := []Hotspot{}
	top := func(score func(*report) int, make func(*report) Hotspot) {
		type scored struct {
			r *report
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
	top(func(r *report) int {
		n := 0
		for _, p := range r.calls {
			n += p.n
		}
		return n
	}, func(r *report) Hotspot {
		n, first := 0, 0
		var ind []claim
		for _, kind := range sorted(r.calls) {
			p := r.calls[kind]
			n += p.n
			if first == 0 || p.lines[0] < first {
				first = p.lines[0]
			}
			ind = append(ind, callClaim(r, kind))
		}
		return Hotspot{shown(r.file.Path), "security", sentences([]claim{claimf([]citation{cite(r.file.Path, first)}, "%s of a kind that security reviews look at", count(n, "place"))}), texts(ind)}
	})
	top(func(r *report) int {
		if r.lines < manyLines && r.depth < deepNesting {
			return 0
		}
		return r.lines * r.depth
	}, func(r *report) Hotspot {
		var ind []claim
		if r.lines >= manyLines {
			ind = append(ind, claimf([]citation{span(r.file.Path, 1, r.lines)}, "%s", count(r.lines, "line")))
		}
		if r.depth >= deepNesting {
			ind = append(ind, claimf([]citation{cite(r.file.Path, r.depthLine)}, "Indented %d steps deep", r.depth))
		}
		return Hotspot{shown(r.file.Path), "complexity", sentences([]claim{claimf([]citation{span(r.file.Path, 1, r.lines)}, "%s, nested up to %d deep", count(r.lines, "line"), r.depth)}), texts(ind)}
	})
	out = append(out, v.coupled()...)
	top(func(r *report) int {
		if r.loops < deepLoops {
			return 0
		}
		return r.loops
	}, func(r *report) Hotspot {
		return Hotspot{shown(r.file.Path), "performance",
			sentences([]claim{claimf([]citation{cite(r.file.Path, r.loopLine)}, "Loops inside loops")}),
			texts([]claim{claimf([]citation{cite(r.file.Path, r.loopLine)}, "Loops nested %d deep", r.loops)})}
	})
	return out
}

// importersOf turns the edges around.
func importersOf(f *facts) map[string][]string {
	out := map[string][]string{}
	for from, tos := range f.src.Edges {
		for _, to := range tos {
			if from != to && f.files[from] != nil && f.files[to] != nil && languageOf(to) != nil {
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
			if from == to || v.files[from] == nil || v.files[to] == nil || languageOf(to) == nil {
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
		if !surveyed(v.files[name]) {
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
		out = append(out, Hotspot{shown(c.path), "coupling",
			sentences([]claim{claimf([]citation{cite(c.path, 0)}, "Used by %s and using %d", count(len(c.in), "file"), len(c.out))}),
			texts([]claim{
				claimf(citing(c.in), "Imported by %s", count(len(c.in), "file")),
				claimf(citing(c.out), "Imports %s", count(len(c.out), "file")),
			})})
	}
	return out
}

func citing(paths []string) []citation {
	var out []citation
	for _, p := range paths {
		out = append(out, cite(p, 0))
	}
	return out
}
