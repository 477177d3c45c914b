package plan

import (
	_ "embed"
	"fmt"
	"maps"
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
	// likened are the changed files that the change does not show, as it shows their edits in others.
	likened []string
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
		text, likened, made := changeText(m.screener, m.patches, d.Counter, patchPart.of(limit), o)
		d.texts[stan+record.ChangeName], d.likened, d.Made[stan+record.ChangeName] = text, likened, made
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
	doc := record.Changes{Base: s.Base.Commit, Head: h.Commit.SHA}
	doc.Also, doc.Dropped = p.alsoEntries(s)
	return doc.MarshalWith(len(p.Changes), func(i int) record.ChangeEntry {
		c := &p.Changes[i]
		e := record.ChangeEntry{Status: c.Status}
		e.Path, _ = record.DisplayPath(s.Screener.Clean(c.Path))
		e.OldPath, _ = record.DisplayPath(s.Screener.Clean(c.OldPath))
		if f := p.Members[c.Path]; f != nil && c.Status != diff.Deleted {
			e.Size, e.SHA256 = &f.Size, f.SHA256
		} else if b := p.Docs[c.Path]; b != nil && c.Status != diff.Deleted {
			size := int64(len(b))
			e.Size, e.SHA256 = &size, Digest(b)
		}
		return e
	})
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
