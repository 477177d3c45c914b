package plan

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Ranking is the order in which a reader of the change needs the files.
type Ranking struct {
	// Large are files that a task names and that are too large to be ranked.
	Large []string
	Order *rank.Order
	// Place of a file in the order, from 1.
	Place map[string]int
	// Changed are the files of the head that the change touches, the smallest first.
	Changed []string
	// Sources are the files that a document may show, their blocks judged: the changed ones, then what is needed.
	Sources []brief.Source
	// worded says that some file of the change has lines of text.
	worded bool
	// short says that less of the history was read than was asked for, "" where it was not.
	short string
}

// notes say what a reader of the archive would not expect: a change without text, and
// changed files that are not in it whole.
func (r *Ranking) notes(p *Plan, stan string) []string {
	var list []string
	if r.short != "" {
		list = append(list, r.short)
	}
	if !r.worded {
		list = append(list, "the change shows no lines of text (binaries, links, modes, moves, or too large): what it needs is told by names and imports alone")
	}
	missing, inPart := 0, 0
	for _, name := range r.Changed {
		if p.Left[name].Reason == scan.OverBudget {
			missing++
		}
		if p.Left[name] == leftWithExcerpt(stan) {
			inPart++
		}
	}
	if missing > 0 {
		said := fmt.Sprintf("%d of %d changed files do not fit whole into budget-tokens %d", missing, len(r.Changed), p.Limit)
		if inPart > 0 {
			said += fmt.Sprintf("; of %d a part stands in the archive", inPart)
		}
		list = append(list, said)
	}
	return list
}

// MaxRanked bounds, in bytes, a file that is ranked: a larger one costs more of any
// budget than it is worth.
const MaxRanked = 600_000

// maxAround bounds the changed files whose touched definitions are looked at.
const maxAround = 64

// RankFiles ranks the sealed files by what the change needs; none where rank fills
// nothing.
func RankFiles(ctx context.Context, o Options, v *snapshot.View) (*Ranking, error) {
	if !o.ranks() {
		return &Ranking{Order: new(rank.Order)}, nil
	}
	if o.Task != "" {
		return rankForTask(ctx, o, v)
	}
	h, s, c, d, patches := v.Head, v.Sealed, v.Change, v.Graph, v.Patches
	in := rank.Input{Edges: sources(d), Words: []byte(s.Screener.Clean(o.Beside))}
	short := ""
	lost(in.Edges, d, c.Changes)
	in.Says = tiePackages(in.Edges, d, s, patches)
	if o.History > 0 && h.Repo != nil && c.Base.Commit != "" && c.Base.Fetched == nil {
		past, cut, err := h.Repo.Touched(c.Base.Commit, o.History)
		if err != nil {
			return nil, err
		}
		if cut {
			short = fmt.Sprintf("what changes together is read from %d commits of the base's history only: the folders of earlier ones hold too many entries", len(past))
		}
		for _, files := range past {
			in.History = append(in.History, rank.Commit{Files: files})
		}
	}
	sizes := map[string]int64{}
	files := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		f := &s.Files[i]
		files[f.Path] = f
		if f.Extractable() && f.Size <= MaxRanked {
			in.Files = append(in.Files, f.File)
		}
		sizes[f.Path] = f.Size
	}
	asked := textAsked(patches)
	for i, p := range patches {
		one := rank.Change{Path: p.Change.Path, OldPath: p.Change.OldPath, Deleted: p.Change.Status == diff.Deleted, Patch: asked(&p)}
		if f := files[p.Change.Path]; f != nil && i < maxAround && f.Extractable() && f.Size <= MaxRanked && !one.Deleted {
			changed, err := ReadSource(s, f, false)
			if err != nil {
				return nil, err
			}
			changed.Touched = diff.Touched(asked(&p))
			one.Around = brief.Around(changed)
		}
		in.Changes = append(in.Changes, one)
	}
	in.Users = usersOf(s, d, patches)
	order, err := rank.Files(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("ranking the files: %w", err)
	}
	r := &Ranking{short: short, worded: slices.ContainsFunc(patches, func(p snapshot.FilePatch) bool { return !p.Pointer && len(diff.Touched(p.Text)) > 0 }), Order: order, Place: make(map[string]int, len(order.Files))}
	for i, f := range order.Files {
		r.Place[f.Path] = i + 1
	}
	for _, name := range snapshot.ChangedPaths(c.Changes) {
		if _, ok := sizes[name]; ok {
			r.Changed = append(r.Changed, name)
		}
	}
	slices.SortStableFunc(r.Changed, func(a, b string) int {
		if d := sizes[a] - sizes[b]; d != 0 {
			return int(max(-1, min(1, d)))
		}
		return tree.Compare(a, b)
	})
	r.Sources, err = r.findSources(o, v)
	return r, err
}

// textAsked tells what of a patch is asked by: what means more than layout, and where nothing of the change does, all of it.
func textAsked(patches []snapshot.FilePatch) func(*snapshot.FilePatch) []byte {
	if slices.ContainsFunc(patches, func(p snapshot.FilePatch) bool { return len(p.Meant()) > 0 }) {
		return (*snapshot.FilePatch).Meant
	}
	return func(p *snapshot.FilePatch) []byte { return p.Text }
}

// usersOf are, by changed file, the files that use a definition which the change
// touches: one whose lines in the head it writes or takes lines from.
func usersOf(s *snapshot.Contents, d *snapshot.Dependencies, patches []snapshot.FilePatch) map[string]rank.Users {
	list := map[string]rank.Users{}
	if d == nil {
		return list
	}
	files := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		files[s.Files[i].Path] = &s.Files[i]
	}
	asked := textAsked(patches)
	for _, p := range patches {
		users, f := d.Result.Users[p.Change.Path], files[p.Change.Path]
		if len(users) == 0 || f == nil || f.Size > MaxRanked {
			continue
		}
		if u := usersIn(s.Definitions, f, users, diff.Touched(asked(&p))); len(u.Uses) > 0 {
			list[f.Path] = u
		}
	}
	return list
}

// usersIn are those of one changed file's touched lines. users are the importing files by
// name.
func usersIn(known *provider.Definitions, f *scan.File, users map[string][]string, touched []int) rank.Users {
	if _, ok := provider.For(f.As()); !ok {
		return rank.Users{}
	}
	raw, err := f.Read()
	if err != nil {
		return rank.Users{}
	}
	definitions, err := known.Define(f.Path, text.Decode(raw, f.Encoding))
	if err != nil {
		return rank.Users{}
	}
	return rank.UsersOf(definitions, users, touched)
}

// sources are the edges from source to source, each once; none without a graph.
func sources(d *snapshot.Dependencies) map[string][]string {
	edges := map[string][]string{}
	if d == nil {
		return edges
	}
	for from, list := range d.Result.Graph.Edges {
		seen := map[string]bool{}
		for _, e := range list {
			if n := d.Result.Graph.Nodes[e.Target]; n != nil && n.Kind == graph.Source && !seen[e.Target] {
				seen[e.Target] = true
				edges[from] = append(edges[from], e.Target)
			}
		}
	}
	return edges
}

// lost adds edges to the paths that the change deletes or moves away: the imports that
// lead nowhere since.
func lost(edges map[string][]string, d *snapshot.Dependencies, changes []diff.Change) {
	if d == nil {
		return
	}
	gone := map[string]string{} // by path without the extension, and by folder of an index
	for _, c := range changes {
		p := c.OldPath
		if c.Status == diff.Deleted {
			p = c.Path
		}
		if p == "" {
			continue
		}
		s := Stem(p)
		gone[s] = p
		switch path.Base(s) {
		case "index", "__init__", "mod":
			gone[path.Dir(s)] = p
		}
	}
	if len(gone) == 0 {
		return
	}
	for _, u := range d.Result.Unresolved {
		for _, importer := range u.Importers {
			for _, target := range targets(importer, u.Name) {
				if p, ok := gone[target]; ok {
					edges[importer] = append(edges[importer], p)
					break
				}
			}
		}
	}
}

// targets are the paths, without extension, that an import by this name may have meant.
func targets(importer, name string) []string {
	dir := path.Dir(importer)
	dots := len(name) - len(strings.TrimLeft(name, "."))
	if strings.HasSuffix(importer, ".py") || strings.HasSuffix(importer, ".pyi") {
		to := strings.ReplaceAll(name[dots:], ".", "/")
		if dots == 0 {
			return []string{to, "src/" + to}
		}
		for ; dots > 1; dots-- {
			dir = path.Dir(dir)
		}
		return []string{path.Join(dir, to)}
	}
	if dots == 0 {
		return nil
	}
	to := path.Join(dir, name)
	return []string{to, Stem(to)}
}

// Stem is a path without its extension.
func Stem(p string) string { return strings.TrimSuffix(strings.TrimSuffix(p, path.Ext(p)), ".d") }

// Because says why a file is where it is in the order: its signals, the strongest
// first.
func (r *Ranking) Because(name string) []string {
	why := []string{fmt.Sprintf("rank %d", r.Place[name])}
	for _, p := range r.Order.Why(name) {
		if p.Amount > 0 {
			why = append(why, p.Reason)
		}
	}
	return why
}

// ReadSource reads a file: as it may be shown, or only to be judged.
func ReadSource(s *snapshot.Contents, f *scan.File, shown bool) (brief.Source, error) {
	one := brief.Source{Path: f.Path}
	if shown {
		one.Path, _ = record.DisplayPath(s.Screener.Clean(f.Path))
	}
	if !f.Extractable() {
		one.Note = cmp.Or(f.LowValue, "not text")
		return one, nil
	}
	raw, err := f.Read()
	if err != nil {
		return one, fmt.Errorf("writing %s: %w", record.PromptName, err)
	}
	var content []byte
	if shown {
		content = snapshot.ReadableText(s.Screener, f, raw)
	} else {
		content = source.Readable(f.Path, text.Decode(raw, f.Encoding))
	}
	one.Text = string(content)
	if f.Size <= MaxRanked {
		if found, err := s.Definitions.Define(f.Path, content); err == nil { // what cannot be parsed is divided by its lines
			one.Definitions = found
		}
	}
	return one, nil
}
