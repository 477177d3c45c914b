package plan

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Documents are what the engine writes into archive.tar, by path.
type Documents struct {
	texts map[string][]byte
	// Made are the findings in a text that its parts made together.
	Made map[string][]secret.Finding
	// unlisted counts the files that the map does not hold.
	unlisted int
	// tokens of the texts, counted by counter where there is a budget.
	tokens  int
	Counter *tokens.Counter
}

// with returns the documents and more, whose tokens are counted already.
func (d *Documents) with(more map[string][]byte) *Documents {
	all := *d
	all.texts = maps.Clone(d.texts)
	maps.Copy(all.texts, more)
	return &all
}

// maxMap bounds, in bytes, the map that a context archive without a budget holds
// whole: about 32,000 tokens. Of a larger one it holds what is linked and what is
// selected; the rest may be selected all the same.
const maxMap = 128_000

// EmptyState is what a thread starts with: nothing is selected.
const EmptyState = "{\"v\":2,\"i\":[]}\n"

// Material is what the engine's documents are made of.
type Material struct {
	screener *scan.Screener
	meta     *graph.Meta // nil in full mode
	asked    *snapshot.Closure
	patches  []snapshot.FilePatch
}

// MaterialOf takes it from a view.
func MaterialOf(v *snapshot.View) Material {
	return Material{v.Sealed.Screener, v.Sealed.Meta, v.Asked, v.Patches}
}

// Compose makes the documents of a mode. A context archive holds a guide, the map and
// the state; where rank fills and no state is committed, the guide and the change. In
// full mode there are none.
func Compose(o Options, m Material) *Documents {
	d := &Documents{texts: map[string][]byte{}, Made: map[string][]secret.Finding{}, Counter: new(tokens.Counter)}
	stan, limit := o.Stan+"/", o.budget()
	switch o.Mode {
	case job.ModeFull, job.ModeAuto:
		return d
	case job.ModeMeta:
		d.texts[stan+record.GuideName] = guide(o.Stan, m.meta)
		d.texts[stan+record.MetaName] = m.meta.Encode()
		d.texts[stan+record.StateName] = []byte(EmptyState)
		if m.asked.Kept != nil {
			d.texts[stan+record.StateName] = cleanStrings(m.screener, m.asked.Kept)
		}
		return d
	case job.ModeContext:
	}
	if o.ranks() && m.asked.Raw == nil {
		d.texts[stan+record.GuideName] = changeGuide(o.Stan)
	} else {
		d.texts[stan+record.GuideName] = guide(o.Stan, m.meta)
		if text, unlisted := mapText(o.Map, m.meta, m.asked.Selection.IDs, d.Counter, limit); text != nil {
			d.texts[stan+record.MetaName], d.unlisted = text, unlisted
		}
	}
	if raw := m.asked.Raw; raw != nil {
		d.texts[stan+record.StateName] = cleanStrings(m.screener, raw)
	}
	if o.ranks() && o.Task == "" {
		d.texts[stan+record.ChangeName], d.Made[stan+record.ChangeName] = changeText(m.screener, m.patches, d.Counter, patchPart.of(limit), o.Said)
	}
	if limit > 0 {
		for _, text := range d.texts {
			d.tokens += d.Counter.Count(text)
		}
	}
	return d
}

// mapText is the map that a context archive holds, in so much detail: with a budget the
// most that fits a part of it, nil if nothing does; unlisted counts what it leaves out.
func mapText(detail job.MapDetail, meta *graph.Meta, selected []string, counter *tokens.Counter, limit int) (text []byte, unlisted int) {
	small := func(text []byte) bool {
		if limit > 0 {
			return len(text)/BytesOfToken <= mapPart.of(limit) && counter.Count(text) <= mapPart.of(limit)
		}
		return len(text) <= maxMap
	}
	whole := meta.Encode()
	if detail == job.MapFull || detail == job.MapAuto && small(whole) {
		return whole, 0
	}
	linked, unlisted := meta.Linked(selected)
	if text = linked.Encode(); detail == job.MapLinked || detail == job.MapAuto && (small(text) || limit == 0) {
		if unlisted == 0 {
			return whole, 0
		}
		return text, unlisted
	}
	near, unlisted := meta.Near(selected)
	if text = near.Encode(); detail == job.MapNeighbours || small(text) {
		return text, unlisted
	}
	return nil, len(meta.Nodes)
}

// GuideText tells the assistant what an archive holds and how to ask for more: how
// the map and the state are read, and the rules of the loop.
//
//go:embed guide.md
var GuideText string

// guide is the assistant's guide for this repository. It holds nothing that
// differs between clones.
func guide(stan string, meta *graph.Meta) []byte {
	s := strings.ReplaceAll(GuideText, "{{stan}}", stan)
	return []byte(strings.ReplaceAll(s, "{{examples}}", examples(meta)))
}

// changeGuideText tells the assistant what the archive of a change holds where no
// state is committed.
//
//go:embed guide-change.md
var changeGuideText string

func changeGuide(stan string) []byte {
	return []byte(strings.ReplaceAll(changeGuideText, "{{stan}}", stan))
}

// examples are states that fit this repository: its file that needs most
// others, and the dependency that most files need.
func examples(meta *graph.Meta) string {
	source, external := "src/index.ts", ""
	most := 0
	for id, n := range meta.Nodes {
		if n.Kind != graph.Source || strings.ContainsAny(id, "`\n\"\\") {
			continue
		}
		if e := len(n.Edges); e > most || e == most && e > 0 && id < source {
			source, most = id, e
		}
	}
	for _, d := range meta.MostUsed(200) {
		if meta.Nodes[d.ID].Kind == graph.External && !strings.ContainsAny(d.ID, "`\n\"\\") {
			external = d.ID
			break
		}
	}
	s := fmt.Sprintf("The file and what it needs at run time, two steps deep: `{\"v\":2,\"i\":[[\"%s\",2,1]]}`.", source)
	if external != "" {
		s += fmt.Sprintf("\nThe same, and one file of a dependency: `{\"v\":2,\"i\":[[\"%s\",2,1],\"%s\"]}`.", source, external)
	}
	return s
}

// noChanges is the member that says so when nothing changed (STAN's sentinel).
const noChanges = "diff/.stan_no_changes"

// ComposeChange makes the documents about the change, which archive.diff.tar
// holds: the list of changes, and the patch or the sentinel. Nil where there is no
// such archive. made are the findings that the parts of a document made together.
func ComposeChange(stan string, v *snapshot.View, p *Plan) (docs map[string][]byte, made map[string][]secret.Finding, err error) {
	c := v.Change
	if c.Base.None || p.Mode == job.ModeMeta {
		return nil, nil, nil
	}
	list, err := changesJSON(v.Head, v.Sealed, p)
	if err != nil {
		return nil, nil, err
	}
	made = map[string][]secret.Finding{}
	docs = map[string][]byte{stan + "/context/changes.json": list}
	switch {
	case len(p.Changes) == 0 && len(p.Fresh) == 0 && len(p.dropped) == 0:
		docs[stan+"/"+noChanges] = []byte("no changes")
	case c.Base.Root != nil:
		// Without a base every file is new: the patch would say them all again.
		name := stan + "/context/changes.patch"
		docs[name], made[name] = snapshot.PatchText(v.Sealed.Screener, v.Patches, snapshot.MaxPatch)
	}
	return docs, made, nil
}

func changesJSON(h *snapshot.Head, s *snapshot.Contents, p *Plan) ([]byte, error) {
	doc := record.Changes{Base: s.Base.Commit, Head: h.Commit.SHA, Changes: make([]record.ChangeEntry, 0, len(p.Changes))}
	for _, c := range p.Changes {
		e := record.ChangeEntry{Status: c.Status}
		e.Path, _ = record.DisplayPath(s.Screener.Clean(c.Path))
		e.OldPath, _ = record.DisplayPath(s.Screener.Clean(c.OldPath))
		if f := p.Members[c.Path]; f != nil && c.Status != diff.Deleted {
			e.Size, e.SHA256 = &f.Size, f.SHA256
		} else if b := p.Docs[c.Path]; b != nil && c.Status != diff.Deleted {
			size := int64(len(b))
			e.Size, e.SHA256 = &size, Digest(b)
		}
		doc.Changes = append(doc.Changes, e)
	}
	doc.Also, doc.Dropped = p.alsoEntries(s)
	return doc.Marshal()
}

// manyMoved is the most files that a change may have for each file that only moves to have a patch of its own.
const manyMoved = 40

// movedAlone reports whether a change moves a file and nothing else.
func movedAlone(p *snapshot.FilePatch) bool {
	return p.Change.OldPath != "" && p.Change.OldPath != p.Change.Path && len(p.Text) > 0 && len(diff.Touched(p.Text)) == 0
}

// maxAlike bounds the files that a patch names because they make its edit, too.
const maxAlike = 20

// patchOrder is the order in which patches are shown while there is room: those of files that the change's authors name, in these
// words, first, then the short ones. Behind each stand those that make the same edit; it has the first place of any of them.
func patchOrder(patches []snapshot.FilePatch, said string) []int {
	type place struct{ last, size int }
	order, places := make([]int, len(patches)), make([]place, len(patches))
	for i := range order {
		order[i], places[i] = i, place{1, len(patches[i].Read())}
		if names(said, patches[i].Change.Path) {
			places[i].last = 0
			if first := patches[i].Alike - 1; first >= 0 {
				places[first].last = 0
			}
		}
	}
	for i := range patches {
		if first := patches[i].Alike - 1; first >= 0 {
			places[i] = places[first]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(places[a].last-places[b].last, places[a].size-places[b].size)
	})
	return order
}

// changeText is the change as the archive of a context holds it: in so many tokens the
// patches that fit, those of files that its authors name and the short ones first.
func changeText(s *scan.Screener, patches []snapshot.FilePatch, counter *tokens.Counter, room int, said string) (text []byte, made []secret.Finding) {
	in, many := make([]bool, len(patches)), len(patches) > manyMoved
	for _, i := range patchOrder(patches, said) {
		if first := patches[i].Alike - 1; many && movedAlone(&patches[i]) || first >= 0 && in[first] {
			continue
		}
		if text := patches[i].Read(); text != nil && patches[i].Untold() == "" && len(text)/BytesOfToken <= room {
			if n := counter.Count(text); n <= room {
				in[i] = true
				room -= n
			}
		}
	}
	var b, told, out strings.Builder
	left, untold, moved, redacted := 0, 0, 0, false
	alike := map[int][]int{} // by the patch that is shown for them
	for i, p := range patches {
		if many && movedAlone(&p) {
			moved++
			continue
		}
		if why := p.Untold(); why != "" {
			if untold++; untold <= 20 {
				fmt.Fprintf(&told, "# %s %s: %s%s\n", p.Change.Status, job.OneLine(s.Clean(p.Change.Path)), why, p.Numbers())
			}
			continue
		}
		if first := p.Alike - 1; first >= 0 && !in[i] && in[first] {
			alike[first] = append(alike[first], i)
			continue
		}
		if !in[i] {
			if left++; left <= 20 {
				fmt.Fprintf(&out, "# %s %s\n", p.Change.Status, job.OneLine(s.Clean(p.Change.Path)))
			}
			continue
		}
		redacted = redacted || p.Redacted
		b.Write(p.Read())
	}
	if moved > 0 {
		fmt.Fprintf(&b, "# %d more files are moved, their text is the same; archive.diff.tar has their names.\n", moved)
	}
	for _, first := range slices.Sorted(maps.Keys(alike)) {
		list := alike[first]
		names := make([]string, 0, maxAlike)
		for _, i := range list[:min(len(list), maxAlike)] {
			names = append(names, string(patches[i].Change.Status)+" "+job.OneLine(s.Clean(patches[i].Change.Path)))
		}
		fmt.Fprintf(&b, "# The edit of %s is made in %d more: %s", job.OneLine(s.Clean(patches[first].Change.Path)), len(list), strings.Join(names, ", "))
		if n := len(list) - len(names); n > 0 {
			fmt.Fprintf(&b, ", and %d others", n)
		}
		b.WriteString("\n")
	}
	b.WriteString(told.String())
	if untold > 20 {
		fmt.Fprintf(&b, "# %d more changed files are generated, or change in white space or by moves alone.\n", untold-20)
	}
	if left > 0 {
		fmt.Fprintf(&b, "# %d more changes are too long to be shown here; archive.diff.tar has them:\n%s", left, out.String())
	}
	return snapshot.ScreenPatch(s, b.String(), redacted)
}

// DiffFiles are the members of archive.diff.tar: what changed and is packed, what is
// new to the reader, and the documents about the change, which win over files of the
// same name.
func DiffFiles(p *Plan, docs map[string][]byte) []tree.File {
	changed := make(map[string]bool, len(p.Changes))
	for _, c := range p.Changes {
		changed[c.Path] = changed[c.Path] || c.Status != diff.Deleted
	}
	for _, f := range p.Fresh {
		changed[f.path] = true
	}
	var files []tree.File
	for name, b := range docs {
		files = append(files, tree.Bytes(name, b))
	}
	for _, f := range p.Files {
		if changed[f.Path] && docs[f.Path] == nil {
			files = append(files, f)
		}
	}
	sortFiles(files)
	return files
}
