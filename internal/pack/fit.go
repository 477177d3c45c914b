package pack

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/source"
)

// How a document is fitted to its limits. What gives way first is the index,
// whose rows are folded, one a folder; then the lists of the manifest and their like;
// then content. A tenth of the limits is the least that each of the first two
// keeps, and what content leaves over is theirs. The share of content depends on the
// limits alone and grows with them, so that a larger limit never holds less of it.

// shareOf is the part of a limit that index and lists keep each.
const shareOf = 10

// indexPart is the part of a limit that the index takes at most: record.json has all rows.
const indexPart = 8

// indexRoom is the most that an index may take of a limit; not less than what is kept for it.
func indexRoom(limit, kept cost) cost {
	return cost{max(limit.bytes/indexPart, kept.bytes), max(limit.tokens/indexPart, kept.tokens), math.MaxInt64}
}

// part is a list of a document that can be cut from its end.
type part struct {
	name  string // in metadata.cuts
	costs []cost
	keep  func(n int)
}

func (p *part) total() cost {
	var t cost
	for _, c := range p.costs {
		t = t.plus(c)
	}
	return t
}

// list makes a part of a slice. asMarkdown writes element i.
func list[T any](m *meter, name string, s *[]T, asMarkdown func(md *markdown, i int)) *part {
	p := &part{name: name}
	for i, v := range *s {
		p.costs = append(p.costs, m.of(v, func(md *markdown) {
			if asMarkdown != nil {
				asMarkdown(md, i)
			}
		}))
	}
	p.keep = func(n int) { *s = slices.Clone((*s)[:n]) }
	return p
}

// worded makes a part of a text that is made of sentences.
func worded(m *meter, name string, s *string, sentence []string) *part {
	p := &part{name: name}
	for _, v := range sentence {
		p.costs = append(p.costs, m.of(v, func(md *markdown) { md.line("%s", escape(v)) }))
	}
	p.keep = func(n int) { *s = strings.Join(sentence[:n], " ") }
	return p
}

// trim keeps of the parts what the budget allows: all, or of each in turn the
// first elements; of a chain, whose parts are read one behind the other, nothing
// behind the first element that does not fit. It returns what is kept and what was cut.
func trim(m *meter, parts []*part, budget cost, chain bool) (used cost, cuts []Cut) {
	var all cost
	for _, p := range parts {
		all = all.plus(p.total())
	}
	if all.within(budget) {
		return all, nil
	}
	left := budget
	for _, p := range parts {
		if n := len(p.costs); n > 0 {
			left = left.minus(m.cut(Cut{p.name, n, n}))
		}
	}
	full := false
	for _, p := range parts {
		n := 0
		for n < len(p.costs) && !full && p.costs[n].within(left) {
			left = left.minus(p.costs[n])
			n++
		}
		if n < len(p.costs) {
			full = chain
			p.keep(n)
			cuts = append(cuts, Cut{p.name, len(p.costs) - n, len(p.costs)})
		} else if n > 0 { // no note is needed
			left = left.plus(m.cut(Cut{p.name, n, n}))
		}
	}
	return budget.minus(left), cuts
}

// leastOf is the smallest budget with which trim has room for its notes.
func leastOf(m *meter, parts []*part) cost {
	var all, notes cost
	for _, p := range parts {
		all = all.plus(p.total())
		if n := len(p.costs); n > 0 {
			notes = notes.plus(m.cut(Cut{p.name, n, n}))
		}
	}
	return all.least(notes)
}

func (m *meter) cut(c Cut) cost { return m.of(c, nil) }

func (m *meter) row(e Entry) cost { return m.of(e, nil) }

// folder is a folder of the index that can stand for what is below it.
type folder struct {
	path string
	rows []int // of the index, directly below it
	subs []*folder
	// all is the row that stands for everything below.
	all     Entry
	reasons map[string]int
}

// foldIndex returns as many rows as the budget allows, the shallow ones first. What is not listed
// is counted in the row of its nearest folder; the cut says how many. No row at
// all is left where not even one for the root fits.
func foldIndex(m *meter, rows []Entry, budget cost) ([]Entry, []Cut) {
	costs, all := m.index(rows)
	if all.within(budget) {
		return rows, []Cut{}
	}
	left := budget.minus(m.cut(Cut{"file_index", len(rows), len(rows)}))
	root := foldersOf(rows)
	if c := m.folded(root); c.within(left) {
		left = left.minus(c)
	} else {
		return []Entry{}, []Cut{{"file_index", len(rows), len(rows)}}
	}
	out := []Entry{}
	listed := 0
	queue := []*folder{root}
	full := false
	for len(queue) > 0 && !full {
		f := queue[0]
		queue = queue[1:]
		rest := f.copy() // what of the folder has no row of its own
		take := func(c cost, last bool) bool {
			room := left
			if last {
				room = room.plus(m.folded(f)) // the folder's own row goes
			}
			if !c.within(room) {
				full = true
				return false
			}
			left = room.minus(c)
			return true
		}
		n, of := 0, len(f.subs)+len(f.rows)
		for _, s := range f.subs {
			if !take(m.folded(s), n+1 == of) {
				break
			}
			n++
			rest.less(s)
			queue = append(queue, s)
		}
		for _, i := range f.rows {
			if full || !take(costs[i], n+1 == of) {
				break
			}
			n++
			rest.drop(rows[i])
			out = append(out, rows[i])
			listed++
		}
		if n < of {
			out = append(out, rest.row())
		}
	}
	for _, f := range queue {
		out = append(out, f.row())
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, []Cut{{"file_index", len(rows) - listed, len(rows)}}
}

// leastIndex is the smallest budget with which foldIndex has room for its note.
func leastIndex(m *meter, rows []Entry) (least, all cost) {
	_, all = m.index(rows)
	if len(rows) > 0 {
		least = all.least(m.cut(Cut{"file_index", len(rows), len(rows)}))
	}
	return least, all
}

// folded is the most that a folder's row takes, whatever of it has rows of its own.
func (m *meter) folded(f *folder) cost {
	e := f.all
	e.Included, e.ExclusionReason = false, string(scan.DependencyDir) // the longest
	return m.row(e)
}

// foldersOf makes the tree of the rows' folders; the root's path is "./".
func foldersOf(rows []Entry) *folder {
	root := newFolder("./")
	by := map[string]*folder{"": root}
	var at func(dir string) *folder
	at = func(dir string) *folder {
		if f := by[dir]; f != nil {
			return f
		}
		f := newFolder(dir + "/")
		by[dir] = f
		up := at(source.DirOf(dir))
		up.subs = append(up.subs, f)
		return f
	}
	for i, r := range rows {
		dir := source.DirOf(strings.TrimSuffix(r.Path, "/"))
		f := at(dir)
		f.rows = append(f.rows, i)
		for {
			f.add(r)
			if dir == "" {
				break
			}
			dir = source.DirOf(dir)
			f = at(dir)
		}
	}
	return root
}

func newFolder(path string) *folder {
	typ, category := scan.Classify(path)
	return &folder{path: path, all: Entry{Path: path, Type: typ, Category: category}, reasons: map[string]int{}}
}

func (f *folder) add(r Entry) {
	f.all.Files++
	f.all.SizeBytes += r.SizeBytes
	if r.Included {
		f.all.FilesIncluded++
	} else {
		f.reasons[r.ExclusionReason]++
	}
}

func (f *folder) drop(r Entry) {
	f.all.Files--
	f.all.SizeBytes -= r.SizeBytes
	if r.Included {
		f.all.FilesIncluded--
	} else {
		f.reasons[r.ExclusionReason]--
	}
}

func (f *folder) less(s *folder) {
	f.all.Files -= s.all.Files
	f.all.SizeBytes -= s.all.SizeBytes
	f.all.FilesIncluded -= s.all.FilesIncluded
	for r, n := range s.reasons {
		f.reasons[r] -= n
	}
}

func (f *folder) copy() *folder {
	g := *f
	g.reasons = map[string]int{}
	for r, n := range f.reasons {
		g.reasons[r] = n
	}
	return &g
}

// row stands for the folder: included where anything below it is, else with the
// reason of the most.
func (f *folder) row() Entry {
	e := f.all
	e.Included = e.FilesIncluded > 0
	if !e.Included {
		for _, r := range slices.Sorted(maps.Keys(f.reasons)) {
			if e.ExclusionReason == "" || f.reasons[r] > f.reasons[e.ExclusionReason] {
				e.ExclusionReason = r
			}
		}
	}
	return e
}

// manifestParts are what gives way before content, the most telling first.
func manifestParts(m *meter, f *project.Facts, ma *Manifest, me *Metadata) []*part {
	named := func(name string, s *[]string) *part { return list(m, "manifest."+name, s, nil) }
	var structure []string
	for _, c := range folderClaims(f.Snapshot) {
		structure = append(structure, c.String()+".")
	}
	return []*part{
		{"manifest.purpose_guess", purposeCosts(m, ma), func(int) { ma.PurposeGuess = "" }},
		named("ecosystems", &ma.Ecosystems),
		named("entry_points", &ma.EntryPoints),
		worded(m, "manifest.structure_summary", &ma.StructureSummary, structure),
		named("manifests", &ma.Manifests),
		named("workspaces", &ma.Workspaces),
		list(m, "manifest.dependencies", &ma.Dependencies, nil),
		list(m, "metadata.encodings", &me.Encodings, nil),
		list(m, "metadata.warnings", &me.Warnings, nil),
	}
}

func purposeCosts(m *meter, ma *Manifest) []cost {
	if ma.PurposeGuess == "" {
		return nil
	}
	return []cost{m.of(ma.PurposeGuess, func(md *markdown) {
		md.line("Project %s (%s). %s\n", code(ma.ProjectName), escape(ma.ProjectType), said(ma.PurposeGuess))
	})}
}

// budgets parts a limit. skeleton is what the document cannot do without; content
// gets what index and lists do not keep.
type budgets struct {
	content, lists, index cost
	// whole: the index need not be folded.
	whole bool
	// ok is false where the limit has not even room for the notes on what is missing.
	ok bool
}

func budget(m *meter, limit, skeleton cost, rows []Entry, parts []*part) budgets {
	least, allRows := leastIndex(m, rows)
	var allParts cost
	for _, p := range parts {
		allParts = allParts.plus(p.total())
	}
	share := func(of, all, least cost) cost {
		s := all.least(cost{of.bytes / shareOf, of.tokens / shareOf, 0})
		return cost{max(s.bytes, least.bytes), max(s.tokens, least.tokens), 0}
	}
	// The two shares never grow at the same step of the limit: content would shrink.
	later := cost{limit.bytes - shareOf/2, limit.tokens - shareOf/2, 0}
	b := budgets{lists: share(limit, allParts, leastOf(m, parts)), index: share(later, allRows, least)}
	b.whole = allRows.within(b.index)
	b.content = limit.minus(skeleton).minus(b.lists).minus(b.index)
	b.ok = b.content.bytes >= 0 && b.content.tokens >= 0
	return b
}

// short keeps a name from taking the room that everything else needs.
func short(s string) string { return cmp.Or(claim.OneLine(s, 60), "unknown") }

// fit cuts the summary to a limit.
func (p *Summary) fit(m *meter, c *Constraints, f *project.Facts, limit cost) error {
	limit.content = math.MaxInt64
	p.setContentBytes()
	fits := false
	if !m.tooLong(p, limit) {
		takes, err := m.whole(p)
		if err != nil {
			return err
		}
		fits = takes.within(limit)
	}
	if _, all := m.index(p.FileIndex); fits && all.within(indexRoom(limit, cost{})) {
		return nil
	}
	me, r := &p.Metadata, &p.RepoSummary
	lists := manifestParts(m, f, &p.Manifest, me)
	text := &part{name: "repo_summary.description"}
	for _, para := range p.paragraphs {
		for _, s := range para {
			text.costs = append(text.costs, m.of(sentence(s), func(md *markdown) {
				if len(text.costs) == 0 {
					md.title("## Repository", 1)
				}
				md.line("%s\n", escape(s))
			}))
		}
	}
	text.keep = func(n int) {
		var out []string
		for _, para := range p.paragraphs {
			if n = max(n, 0); n > 0 {
				out = append(out, strings.Join(para[:min(n, len(para))], " "))
			}
			n -= len(para)
		}
		r.Description = strings.Join(out, "\n\n")
	}
	style := &part{name: "repo_summary.architecture_pattern"}
	if r.ArchitecturePattern != unclassified {
		style.costs = []cost{m.of(sentence(r.ArchitecturePattern), func(md *markdown) { md.line("Architecture: %s\n", escape(r.ArchitecturePattern)) })}
		style.keep = func(int) { r.ArchitecturePattern = unclassified }
	}
	said := func(name, title string, s *[]string) *part {
		all := *s
		out := &part{name: "repo_summary." + name, keep: func(n int) { *s = slices.Clone(all[:n]) }}
		for i, one := range all {
			out.costs = append(out.costs, m.of(sentence(one), func(md *markdown) {
				if i == 0 {
					md.list(title, all[:1])
				} else {
					md.bullets(all[i : i+1])
				}
			}))
		}
		return out
	}
	content := []*part{
		text, style,
		said("key_technologies", "### Technologies", &r.KeyTechnologies),
		said("notable_patterns", "### Patterns", &r.NotablePatterns),
		said("potential_concerns", "### Concerns", &r.PotentialConcerns),
		p.summariesPart(m),
		list(m, "entrypoints", &p.Entrypoints, func(md *markdown, i int) {
			if i == 0 {
				md.title("## Entry points", 1)
			}
			md.entrypoint(p.Entrypoints[i])
		}),
		list(m, "risk_hotspots", &p.RiskHotspots, func(md *markdown, i int) {
			if i == 0 {
				md.title("## Risk hotspots", 1)
			}
			md.hotspot(p.RiskHotspots[i])
		}),
		p.shownPart(m),
	}
	skeleton, err := p.skeleton(m, limit)
	if err != nil {
		return err
	}
	room := budget(m, limit, skeleton, p.FileIndex, lists)
	if !room.ok || !leastOf(m, content).within(cost{room.content.bytes, room.content.tokens, 0}) {
		if fits { // there is no room to say what would be cut
			return nil
		}
		inBytes, _ := c.bounds()
		return &TooSmallError{inBytes.by}
	}
	used, cuts := trim(m, content, room.content, true)
	left := limit.minus(skeleton).minus(used)
	left.content = math.MaxInt64
	listed, cutLists := trim(m, lists, left.minus(room.index), false)
	index, folded := foldIndex(m, p.FileIndex, left.minus(listed).least(indexRoom(limit, room.index)))
	p.FileIndex = index
	me.Cuts = append(append(folded, cutLists...), cuts...)
	me.TruncationApplied = len(me.Cuts) > 0
	p.setContentBytes()
	return nil
}

// skeleton is what a summary takes that says nothing, with the longest numbers.
func (p *Summary) skeleton(m *meter, limit cost) (cost, error) {
	s := *p
	s.Manifest.bare()
	s.FileIndex, s.KeyFilesSummary, s.Entrypoints, s.RiskHotspots = nil, nil, nil, nil
	s.Outlines, s.Contents = nil, nil
	s.RepoSummary = RepoSummary{ArchitecturePattern: unclassified}
	s.Metadata.Encodings, s.Metadata.Warnings, s.Metadata.Cuts = nil, nil, nil
	s.Metadata.TotalContentBytes = limit.bytes
	c, err := m.whole(&s)
	return c, err
}

// setContentBytes counts what was made of content: the parts that a
// manifest and an index do not have.
func (p *Summary) setContentBytes() {
	line := newLine()
	var n int64
	parts := []any{p.RepoSummary, p.KeyFilesSummary, p.Entrypoints, p.RiskHotspots}
	if len(p.Outlines)+len(p.Contents) > 0 {
		parts = append(parts, p.Outlines, p.Contents)
	}
	for _, v := range parts {
		b, _ := line.of(v)
		n += int64(len(b))
	}
	p.Metadata.TotalContentBytes = n
}
