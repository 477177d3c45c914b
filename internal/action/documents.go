package action

import (
	"bytes"
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
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tokens"
	"github.com/haversack-dev/haversack/internal/tree"
)

// documents are what the engine writes into archive.tar, by path.
type documents struct {
	texts map[string][]byte
	// unlisted counts the files that the map does not hold.
	unlisted int
	// tokens of the texts, counted by counter where there is a budget.
	tokens  int
	counter *tokens.Counter
}

// with are the documents and more, whose tokens are counted already.
func (d *documents) with(more map[string][]byte) *documents {
	all := *d
	all.texts = maps.Clone(d.texts)
	maps.Copy(all.texts, more)
	return &all
}

// maxMap bounds, in bytes, the map that a context archive without a budget holds
// whole: about 32,000 tokens. Of a larger one it holds what is linked and what is
// selected; the rest may be selected all the same.
const maxMap = 128_000

// emptyState is what a thread starts with: nothing is selected.
const emptyState = "{\"v\":2,\"i\":[]}\n"

// compose makes the documents of a mode. A context archive holds a guide, the map and
// the state; where rank fills and no state is committed, the guide and the change. In
// full mode there are none.
func compose(in *job.Inputs, s *sealed, a *asked, r *ranking, patches []filePatch, mode job.Mode) *documents {
	d := &documents{texts: map[string][]byte{}, counter: new(tokens.Counter)}
	stan, limit := in.Stan+"/", budgetOf(in, r)
	switch {
	case mode == job.ModeFull:
		return d
	case mode == job.ModeMeta:
		d.texts[stan+record.GuideName] = guide(in.Stan, s.meta)
		d.texts[stan+record.MetaName] = s.meta.Encode()
		d.texts[stan+record.StateName] = []byte(emptyState)
		return d
	case r != nil && a.raw == nil:
		d.texts[stan+record.GuideName] = changeGuide(in.Stan)
	default:
		d.texts[stan+record.GuideName] = guide(in.Stan, s.meta)
		if text, unlisted := mapText(in, s, a, d.counter, limit); text != nil {
			d.texts[stan+record.MetaName], d.unlisted = text, unlisted
		}
	}
	if raw := a.raw; raw != nil {
		d.texts[stan+record.StateName] = cleanStrings(s.Screener, raw)
	}
	if r != nil {
		d.texts[stan+record.ChangeName] = changeText(s, patches, d.counter, limitPart(limit, 4))
	}
	if limit > 0 {
		for _, text := range d.texts {
			d.tokens += d.counter.Count(text)
		}
	}
	return d
}

// mapText is the map that a context archive holds: with a budget the most that fits a
// tenth of it, nil if nothing does; unlisted counts what it leaves out.
func mapText(in *job.Inputs, s *sealed, a *asked, counter *tokens.Counter, limit int) (text []byte, unlisted int) {
	small := func(text []byte) bool {
		if limit > 0 {
			return len(text)/bytesOfToken <= limit/10 && counter.Count(text) <= limit/10
		}
		return len(text) <= maxMap
	}
	whole := s.meta.Encode()
	if in.Map == job.MapFull || in.Map == job.MapAuto && small(whole) {
		return whole, 0
	}
	linked, unlisted := s.meta.Linked(a.selection.IDs)
	if text = linked.Encode(); in.Map == job.MapLinked || in.Map == job.MapAuto && (small(text) || limit == 0) {
		if unlisted == 0 {
			return whole, 0
		}
		return text, unlisted
	}
	near, unlisted := s.meta.Near(a.selection.IDs)
	if text = near.Encode(); in.Map == job.MapNeighbours || small(text) {
		return text, unlisted
	}
	return nil, len(s.meta.Nodes)
}

// guideText tells the assistant what an archive holds and how to ask for more: how
// the map and the state are read, and the rules of the loop.
//
//go:embed guide.md
var guideText string

// guide is the assistant's guide for this repository. It holds nothing that
// differs between clones.
func guide(stan string, meta *graph.Meta) []byte {
	s := strings.ReplaceAll(guideText, "{{stan}}", stan)
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

// composeChange makes the documents about the change, which archive.diff.tar
// holds: the list of changes, and the patch or the sentinel. Nil where there is no
// such archive.
func composeChange(in *job.Inputs, h *head, s *sealed, c *change, patches []filePatch, p *plan) (map[string][]byte, error) {
	if c.base.none || p.mode == job.ModeMeta {
		return nil, nil
	}
	list, err := changesJSON(h, s, p)
	if err != nil {
		return nil, err
	}
	docs := map[string][]byte{in.Stan + "/context/changes.json": list}
	switch {
	case len(p.changes) == 0 && len(p.fresh) == 0 && len(p.dropped) == 0:
		docs[in.Stan+"/"+noChanges] = []byte("no changes")
	case c.base.root != nil:
		// Without a base every file is new: the patch would say them all again.
		docs[in.Stan+"/context/changes.patch"] = patchText(s, patches, maxPatch)
	}
	return docs, nil
}

func changesJSON(h *head, s *sealed, p *plan) ([]byte, error) {
	doc := record.Changes{Base: s.base.Commit, Head: h.commit.SHA, Changes: []record.ChangeEntry{}}
	for _, c := range p.changes {
		e := record.ChangeEntry{Status: c.Status}
		e.Path, _ = record.DisplayPath(s.Screener.Clean(c.Path))
		e.OldPath, _ = record.DisplayPath(s.Screener.Clean(c.OldPath))
		if f := p.members[c.Path]; f != nil && c.Status != diff.Deleted {
			e.Size, e.SHA256 = &f.Size, f.SHA256
		} else if b := p.docs[c.Path]; b != nil && c.Status != diff.Deleted {
			size := int64(len(b))
			e.Size, e.SHA256 = &size, digest(b)
		}
		doc.Changes = append(doc.Changes, e)
	}
	doc.Also, doc.Dropped = p.alsoEntries(s)
	return record.Marshal(doc, "  ")
}

// filePatch is the change of one file as text. Both sides were searched like
// everything that leaves.
type filePatch struct {
	change   diff.Change
	text     []byte // nil where it is not shown
	redacted bool
}

// drawPatches draws the change, file by file, as far as it is shown: until the patches
// are longer than maxPatch bytes, or what they change longer than maxBefore.
func drawPatches(s *sealed, c *change) ([]filePatch, error) {
	if c.base == nil || c.base.none {
		return nil, nil
	}
	before := make(map[string]bool, len(c.base.files))
	for _, e := range c.base.files {
		before[e.Path] = true
	}
	after := make(map[string]*diff.Entry, len(c.entries))
	for i := range c.entries {
		after[c.entries[i].Path] = &c.entries[i]
	}
	files := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		files[s.Files[i].Path] = &s.Files[i]
	}
	list := make([]filePatch, 0, len(c.changes))
	total, shown := 0, c.base.root != nil
	for _, x := range c.changes {
		list = append(list, filePatch{change: x})
		old := cmp.Or(x.OldPath, x.Path)
		passage, looked := c.before[old]
		if shown = shown && total <= maxPatch && (looked || !before[old]); !shown {
			continue
		}
		p := &list[len(list)-1]
		var from, to *diff.Side
		if looked {
			if s.CrowdedBefore[old] {
				passage.withheld = "holds too many credentials"
			}
			side, err := passage.side()
			if err != nil {
				return nil, err
			}
			from, p.redacted = side, passage.redacted
		}
		if e := after[x.Path]; e != nil && x.Status != diff.Deleted {
			f := files[x.Path]
			to = sideAfter(*e, f)
			p.redacted = p.redacted || to.Withheld == "" && len(f.Redactions) > 0
		}
		if from == nil && to == nil {
			p.text = []byte{}
			continue
		}
		var b bytes.Buffer
		named := x
		named.Path, named.OldPath = s.Screener.Clean(x.Path), s.Screener.Clean(x.OldPath)
		if err := diff.WritePatch(&b, named, from, to); err != nil {
			return nil, err
		}
		p.text = b.Bytes()
		total += b.Len()
	}
	return list, nil
}

// patchText joins patches up to about limit bytes. The whole passes the screen once
// more, for what only two lines together show.
func patchText(s *sealed, patches []filePatch, limit int) []byte {
	var b strings.Builder
	redacted := false
	for n, p := range patches {
		if b.Len() > limit || p.text == nil {
			fmt.Fprintf(&b, "# %d more changes are not shown: the patch is longer than %d bytes.\n", len(patches)-n, limit)
			break
		}
		redacted = redacted || p.redacted
		b.Write(p.text)
	}
	return screenPatch(s, b.String(), redacted)
}

// changeText is the change as the archive of a context holds it: in so many tokens the
// patches that fit, the short ones first.
func changeText(s *sealed, patches []filePatch, counter *tokens.Counter, room int) []byte {
	order := make([]int, len(patches))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(patches[a].text) - len(patches[b].text) })
	in := make([]bool, len(patches))
	for _, i := range order {
		if text := patches[i].text; text != nil && len(text)/bytesOfToken <= room {
			if n := counter.Count(text); n <= room {
				in[i] = true
				room -= n
			}
		}
	}
	var b, out strings.Builder
	left, redacted := 0, false
	for i, p := range patches {
		if !in[i] {
			if left++; left <= 20 {
				fmt.Fprintf(&out, "# %s %s\n", p.change.Status, job.OneLine(s.Screener.Clean(p.change.Path)))
			}
			continue
		}
		redacted = redacted || p.redacted
		b.Write(p.text)
	}
	if left > 0 {
		fmt.Fprintf(&b, "# %d more changes are too long to be shown here; archive.diff.tar has them:\n%s", left, out.String())
	}
	return screenPatch(s, b.String(), redacted)
}

func screenPatch(s *sealed, text string, redacted bool) []byte {
	out, held := s.Screener.Document("changes.patch", []byte(text))
	if redacted || held {
		out = append([]byte(diff.PatchHead), out...)
	}
	return out
}

// side is the base's side of a change.
func (p passage) side() (*diff.Side, error) {
	s := &diff.Side{Mode: p.mode, Withheld: p.withheld}
	if p.withheld != "" {
		return s, nil
	}
	var err error
	s.Text, err = p.text.Read()
	return s, err
}

// sideAfter is the head's side of a change: a packed file as it may be shown.
func sideAfter(e diff.Entry, f *scan.File) *diff.Side {
	s := &diff.Side{Mode: e.Mode}
	switch {
	case f == nil:
		s.Withheld = "left out"
		return s
	case f.Size > maxPatchText:
		s.Withheld = "too large"
		return s
	}
	raw, err := f.Read()
	if err != nil {
		s.Withheld = "unreadable"
		return s
	}
	s.Text = text.Decode(raw, f.Encoding)
	return s
}

// diffFiles are the members of archive.diff.tar: what changed and is packed, what is
// new to the reader, and the documents about the change, which win over files of the
// same name.
func diffFiles(p *plan, docs map[string][]byte) []tree.File {
	changed := make(map[string]bool, len(p.changes))
	for _, c := range p.changes {
		changed[c.Path] = changed[c.Path] || c.Status != diff.Deleted
	}
	for _, f := range p.fresh {
		changed[f.path] = true
	}
	var files []tree.File
	for name, b := range docs {
		files = append(files, tree.Bytes(name, b))
	}
	for _, f := range p.files {
		if changed[f.Path] && docs[f.Path] == nil {
			files = append(files, f)
		}
	}
	sortFiles(files)
	return files
}
