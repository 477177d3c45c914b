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
	f, err := gather(src)
	if err != nil {
		return nil, err
	}
	reports, err := survey(src.Snapshot)
	if err != nil {
		return nil, err
	}
	v := &view{facts: f, reports: reports, byPath: map[string]*report{}, outlines: map[string]outline{}}
	for _, r := range reports {
		v.byPath[r.file.Path] = r
	}
	if err := v.lookAtFiles(); err != nil {
		return nil, err
	}
	p := &Summary{
		Type:            TypeSummary,
		Manifest:        f.manifest(),
		FileIndex:       index(src.Snapshot, nil),
		KeyFilesSummary: v.keyFiles(),
		Entrypoints:     v.entrypoints(),
		RiskHotspots:    v.hotspots(),
		Metadata:        metadata(src, TypeSummary, reason),
	}
	p.RepoSummary = v.describe()
	m := &p.Metadata
	m.SummaryMethod = "heuristic"
	m.Warnings = append(m.Warnings, f.told()...)
	for _, file := range extractable(src.Snapshot) {
		if file.Encoding == text.UTF8 {
			continue
		}
		_, undecodable, err := decode(file)
		if err != nil {
			return nil, err
		}
		m.Encodings = append(m.Encodings, EncodingNote{Path: shown(file.Path), Encoding: string(file.Encoding), Undecodable: undecodable})
	}
	slices.SortFunc(m.Encodings, func(a, b EncodingNote) int { return strings.Compare(a.Path, b.Path) })
	m.count(p.FileIndex)
	p.counts = info(p.FileIndex, m)
	if err := p.fit(&src.Limits); err != nil {
		return nil, err
	}
	p.counts.ContentBytes = m.TotalContentBytes
	return p, nil
}

// Info describes the pack for the record. It counts the whole index, also where
// rows of it were cut.
func (p *Summary) Info() Info { return p.counts }

// view is a repository as a summary sees it.
type view struct {
	*facts
	reports  []*report
	byPath   map[string]*report
	outlines map[string]outline
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
	for i, p := range v.programs() {
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
		all := []string{span(f.Path, 1, f.Lines)}
		var says []claim
		if o.says.text != "" {
			says = append(says, claimf([]string{cite(f.Path, o.says.line)}, "It says of itself: %s", quoted(o.says.text)))
		}
		about := fmt.Sprintf("%s, %s", kindOf(f.Path), count(f.Lines, "line"))
		if l := languageOf(f.Path); l != nil && (len(l.exports) > 0 || l.name == "Go") {
			about += fmt.Sprintf(", %s, %s", count(counted(o.exports), "export"), count(counted(o.imports), "import"))
		}
		says = append(says, claim{about, all})
		for _, p := range v.projects {
			if p.path == f.Path {
				says = append(says, v.manifestClaims(p)...)
			}
		}
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

// programs are the Go files with a main function, the shallowest first.
func (v *view) programs() []string {
	var out []string
	for _, r := range v.reports {
		if r.program {
			out = append(out, r.file.Path)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
	return out
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
func span(path string, from, to int) string {
	if to <= from {
		return cite(path, from)
	}
	return fmt.Sprintf("%s-%d", cite(path, from), to)
}

func (v *view) manifestClaims(p *project) []claim {
	var out []claim
	if p.name != "" {
		out = append(out, claimf([]string{cite(p.path, p.nameLine)}, "It describes %s", p.name))
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
			out = append(out, claimf([]string{span(p.path, first, last)}, "It names %s", count(n, word)))
		}
	}
	if len(p.scripts) > 0 {
		out = append(out, claimf([]string{span(p.path, p.scripts[0].line, p.scripts[len(p.scripts)-1].line)}, "It declares %s", count(len(p.scripts), "script")))
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
			out = append(out, claimf([]string{cite(f.Path, r.todos.lines[0])}, "%s of unfinished work, %s", count(r.todos.n, "mark"), r.todos))
		}
		if len(r.routes) > 0 {
			out = append(out, claimf([]string{span(f.Path, r.routes[0].line, r.routes[len(r.routes)-1].line)}, "Registers %s", count(len(r.routes), "route")))
		}
		if r.depth >= deepNesting {
			out = append(out, claimf([]string{cite(f.Path, r.depthLine)}, "Nests %d deep", r.depth))
		}
	}
	if len(o.flags) > 0 {
		out = append(out, claimf([]string{span(f.Path, o.flags[0].line, o.flags[len(o.flags)-1].line)}, "Flags and commands that it defines: %d", len(o.flags)))
	}
	for _, p := range v.projects {
		if p.path == f.Path {
			out = append(out, p.patterns...)
			out = append(out, p.concerns...)
		}
	}
	if n := len(f.Redactions); n > 0 {
		out = append(out, claimf([]string{cite(f.Path, f.Redactions[0].Line)}, "%s redacted", count(n, "credential")))
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
	return claimf([]string{cite(r.file.Path, p.lines[0])}, "%s %s, %s", strings.ToUpper(kind[:1])+kind[1:], times, p)
}

const (
	maxEntrypoints = 60
	maxHotspots    = 15
)

// entrypoints tells the ways into the project: what manifests declare, what is
// called so, what registers routes, what runs in containers and workflows.
func (v *view) entrypoints() []Entrypoint {
	type point struct {
		Entrypoint
		order  int
		claims []claim
		source string
	}
	var list []*point
	by := map[string]*point{}
	add := func(path, kind string, order int) *point {
		p := by[path]
		if p == nil {
			p = &point{Entrypoint: Entrypoint{Path: shown(path), Type: kind}, order: order, source: path}
			by[path] = p
			list = append(list, p)
		}
		return p
	}
	declared := map[string]bool{} // the same command in two manifests, or twice in one
	for _, pr := range v.projects {
		for _, e := range pr.entries {
			file := v.sourceOf(e.path)
			if file == "" {
				continue
			}
			p := add(file, e.kind, 0)
			if declared[file+"\x00"+e.name] {
				continue
			}
			declared[file+"\x00"+e.name] = true
			switch {
			case pr.ecosystem == "go":
				p.claims = append(p.claims, claimf([]string{cite(file, 0)}, "The program %s of module %s", oneLine(e.name, 100), pr.name))
			case e.name != "" && e.kind == "cli":
				p.Type = e.kind
				p.claims = append(p.claims, claimf([]string{cite(pr.path, e.line), cite(file, 0)}, "The command %s", e.name))
			default:
				p.claims = append(p.claims, claimf([]string{cite(pr.path, e.line), cite(file, 0)}, "The entry of the %s %s", e.kind, pr.name))
			}
		}
	}
	for _, name := range unique(slices.Concat(v.programs(), v.entryPoints())) {
		if len(list) == 2*maxEntrypoints {
			break
		}
		kind := "script"
		o := v.outlines[name]
		stem := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
		lang := languageOf(name)
		switch {
		case lang != nil && lang.name == "HTML", lang != nil && lang.name == "Vue":
			kind = "web"
		case o.program, stem == "cli", stem == "__main__", lang != nil && (lang.name == "Rust" || lang.name == "C" || lang.name == "C++") && stem == "main":
			kind = "cli"
		case stem == "index", lang != nil && lang.name == "Go":
			kind = "library"
		case stem == "server", stem == "app", stem == "wsgi", stem == "asgi":
			kind = "web"
		}
		order := 1
		if o.program {
			order = 0
		}
		p := add(name, kind, order)
		if o.program && len(p.claims) == 0 {
			p.claims = append(p.claims, claimf([]string{cite(name, o.mainLine)}, "A program: its main function"))
		}
		if o.says.text != "" {
			p.claims = append(p.claims, claimf([]string{cite(name, o.says.line)}, "It says of itself: %s", quoted(o.says.text)))
		}
		if len(p.claims) == 0 {
			p.claims = append(p.claims, claimf([]string{span(name, 1, v.files[name].Lines)}, "%s of %s, an entry point by its name", kindOf(name), count(v.files[name].Lines, "line")))
		}
		for _, f := range limitScripts(o.flags) {
			p.RoutesOrCommands = append(p.RoutesOrCommands, claimf([]string{cite(name, f.line)}, "%s", f.name).String())
		}
	}
	for _, r := range v.reports {
		if len(r.routes) == 0 {
			continue
		}
		p := add(r.file.Path, "api", 0)
		if p.Type != "cli" {
			p.Type = "api"
		}
		p.claims = append(p.claims, claimf([]string{span(r.file.Path, r.routes[0].line, r.routes[len(r.routes)-1].line)}, "It registers %s", count(len(r.routes), "route")))
		for i, rt := range r.routes {
			if i == maxRoutes {
				break
			}
			p.RoutesOrCommands = append(p.RoutesOrCommands, claimf([]string{cite(r.file.Path, rt.line)}, "%s %s", rt.method, rt.path).String())
		}
	}
	for _, pr := range v.projects {
		if len(pr.scripts) == 0 {
			continue
		}
		p := add(pr.path, "script", 2+strings.Count(pr.path, "/"))
		p.claims = append(p.claims, claimf([]string{span(pr.path, pr.scripts[0].line, pr.scripts[len(pr.scripts)-1].line)}, "It declares %s", count(len(pr.scripts), "script")))
		for _, s := range limitScripts(pr.scripts) {
			p.RoutesOrCommands = append(p.RoutesOrCommands, claimf([]string{cite(pr.path, s.line)}, "%s: %s", s.name, s.command).String())
		}
	}
	for _, name := range sorted(v.steps) {
		steps := v.steps[name]
		if len(steps) == 0 {
			continue
		}
		p := add(name, "script", 2+strings.Count(name, "/"))
		p.claims = append(p.claims, claimf([]string{span(name, steps[0].line, steps[len(steps)-1].line)}, "%s with %s", stepsKind(name), count(len(steps), "entry")))
		for _, s := range limitScripts(steps) {
			t := s.name
			if s.command != "" {
				t += ": " + s.command
			}
			p.RoutesOrCommands = append(p.RoutesOrCommands, claimf([]string{cite(name, s.line)}, "%s", t).String())
		}
	}
	slices.SortFunc(list, func(a, b *point) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(strings.Count(a.source, "/"), strings.Count(b.source, "/")), cmp.Compare(a.source, b.source))
	})
	out := []Entrypoint{}
	for i, p := range list {
		if i == maxEntrypoints {
			break
		}
		p.Description = sentences(p.claims)
		if p.RoutesOrCommands != nil {
			p.RoutesOrCommands = unique(p.RoutesOrCommands)
		}
		out = append(out, p.Entrypoint)
	}
	return out
}

func limitScripts(s []script) []script { return s[:min(len(s), maxRoutes)] }

// sourceOf is the file that a manifest's entry means: the file itself, or, when
// it is made by a build, the source it is made from. "" without one.
func (v *view) sourceOf(name string) string {
	if v.files[name] != nil {
		return name
	}
	ext := path.Ext(name)
	stems := []string{name, name + "/index"}
	if ext != "" {
		stems = []string{strings.TrimSuffix(name, ext)}
	}
	for _, stem := range stems {
		dirs := strings.Split(stem, "/")
		for i, d := range dirs {
			var tries []string
			if slices.Contains([]string{"dist", "build", "lib", "out", "esm", "cjs"}, d) {
				head, tail := dirs[:i], dirs[i+1:]
				tries = append(tries, path.Join(slices.Concat(head, []string{"src"}, tail)...), path.Join(slices.Concat(head, tail)...))
			} else if i == len(dirs)-1 {
				tries = append(tries, stem)
			}
			for _, t := range tries {
				for _, e := range []string{".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"} {
					if v.files[t+e] != nil {
						return t + e
					}
				}
			}
		}
	}
	return ""
}

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
		return Hotspot{shown(r.file.Path), "security", sentences([]claim{claimf([]string{cite(r.file.Path, first)}, "%s of a kind that security reviews look at", count(n, "place"))}), texts(ind)}
	})
	top(func(r *report) int {
		if r.lines < manyLines && r.depth < deepNesting {
			return 0
		}
		return r.lines * r.depth
	}, func(r *report) Hotspot {
		var ind []claim
		if r.lines >= manyLines {
			ind = append(ind, claimf([]string{span(r.file.Path, 1, r.lines)}, "%s", count(r.lines, "line")))
		}
		if r.depth >= deepNesting {
			ind = append(ind, claimf([]string{cite(r.file.Path, r.depthLine)}, "Indented %d steps deep", r.depth))
		}
		return Hotspot{shown(r.file.Path), "complexity", sentences([]claim{claimf([]string{span(r.file.Path, 1, r.lines)}, "%s, nested up to %d deep", count(r.lines, "line"), r.depth)}), texts(ind)}
	})
	out = append(out, v.coupled()...)
	top(func(r *report) int {
		if r.loops < deepLoops {
			return 0
		}
		return r.loops
	}, func(r *report) Hotspot {
		return Hotspot{shown(r.file.Path), "performance",
			sentences([]claim{claimf([]string{cite(r.file.Path, r.loopLine)}, "Loops inside loops")}),
			texts([]claim{claimf([]string{cite(r.file.Path, r.loopLine)}, "Loops nested %d deep", r.loops)})}
	})
	return out
}

// coupled are the files that much depends on and that depend on much.
func (v *view) coupled() []Hotspot {
	importers, imported := map[string][]string{}, map[string][]string{}
	for from, tos := range v.src.Edges {
		for _, to := range tos {
			if from == to || v.files[from] == nil || v.files[to] == nil || languageOf(to) == nil {
				continue
			}
			importers[to] = append(importers[to], from)
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
	for name := range importers {
		if !surveyed(v.files[name]) {
			continue
		}
		c := coupled{name, distinct(importers, name), distinct(imported, name)}
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
		self := cite(c.path, 0)
		out = append(out, Hotspot{self, "coupling",
			sentences([]claim{claimf([]string{self}, "Used by %s and using %d", count(len(c.in), "file"), len(c.out))}),
			texts([]claim{
				claimf(citing(c.in), "Imported by %s", count(len(c.in), "file")),
				claimf(citing(c.out), "Imports %s", count(len(c.out), "file")),
			})})
	}
	return out
}

func citing(paths []string) []string {
	var out []string
	for _, p := range paths {
		out = append(out, shown(p))
	}
	return out
}
