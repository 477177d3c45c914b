package action

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/typescript"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/stage"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Names of the engine's documents, relative to its folder.
const (
	metaName  = "context/dependency.meta.json"
	stateName = "context/dependency.state.json"
	mapName   = "context/dependency.map.json"
	guideName = "system/haversack.md"
)

// plan says what archive.tar holds, and why each file is in it or not.
type plan struct {
	mode string
	// files are the members, sorted by path: files of the snapshot, staged files
	// and the engine's documents.
	files []tree.File
	// docs are those of the members that the engine wrote.
	docs map[string][]byte
	// extra are members that the scan did not meet: selected although ignored, or
	// staged.
	extra map[string]*scan.File
	// left says of files that may be archived and are not, why.
	left map[string]leftOut
	why  map[string][]string
	// budget is set in context mode.
	budget *graph.Budget
	// unlisted counts the files that the archive's map does not hold.
	unlisted int
}

type leftOut struct {
	reason scan.Reason
	rule   string
}

// maxMap bounds, in bytes, the map that a context archive holds whole: about
// 32,000 tokens. Of a larger one it holds what is linked and what is selected;
// the rest may be selected all the same.
const maxMap = 128_000

// emptyState is what a thread starts with (seed 002).
const emptyState = "{\"v\":2,\"i\":[]}\n"

// mode decides between the archives of the whole repository and of a context.
func mode(in *Inputs, h *head) string {
	if in.Mode != "auto" {
		return in.Mode
	}
	if fi, err := h.root.Stat(in.Stan + "/" + stateName); err == nil && fi.Mode.IsRegular() {
		return "context"
	}
	return "full"
}

// fullPlan takes every file that selection and screening allow.
func fullPlan(s *scan.Snapshot) *plan {
	p := &plan{mode: "full"}
	for i := range s.Files {
		p.files = append(p.files, s.Files[i].File)
	}
	return p
}

// dependencies is the graph of a run.
type dependencies struct {
	roots     graph.Roots
	canonical *graph.Canonical
	result    *typescript.Result
}

func (d *dependencies) close() {
	if d != nil {
		for _, e := range d.roots.External {
			e.Root.Close()
		}
	}
}

// buildGraph reads the imports of the snapshot's files.
func (r *run) buildGraph(ctx context.Context) (*dependencies, error) {
	d := &dependencies{roots: graph.Roots{Dir: filepath.ToSlash(r.head.dir), Root: r.head.root}}
	for _, dir := range r.in.ExternalRoots {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(r.c.workspaceAbs(), dir)
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		root, err := tree.Open(dir)
		if err != nil {
			d.close()
			return nil, badInput("external-roots", "%w", err)
		}
		d.roots.External = append(d.roots.External, graph.ExternalRoot{Dir: filepath.ToSlash(dir), Root: root})
	}
	var err error
	if d.result, err = typescript.Build(ctx, d.roots, r.universe(), typescript.Options{StanPath: r.in.Stan, Cache: r.c.cacheDir("graph")}); err != nil {
		d.close()
		return nil, fmt.Errorf("building the import graph: %w", err)
	}
	d.canonical = graph.Canonicalize(d.result.Graph, d.roots, r.in.Stan)
	packed := r.packed()
	for id, n := range d.canonical.Meta.Nodes {
		if n.Description != "" && packed[id] == nil && !stage.Is(id, r.in.Stan) {
			if _, _, skip := r.taker.Rules.Judge(id); skip {
				// What may not be archived says nothing of itself.
				n.Description = ""
				d.canonical.Meta.Nodes[id] = n
			}
		}
		if clean, held := r.screener.Name(n.Description); held {
			n.Description = clean
			d.canonical.Meta.Nodes[id] = n
		}
	}
	r.screenIDs(d.canonical.Meta)
	for _, u := range d.result.Unresolved {
		name, _ := r.screener.Name(u.Name)
		r.record.Unresolved = append(r.record.Unresolved, Unresolved{name, u.Importers})
	}
	for _, w := range slices.Concat(d.result.Warnings, d.canonical.Warnings) {
		if r.plan != nil && r.plan.mode == "full" {
			// The graph serves a summary or a picture here: its surprises are for the record.
			r.record.Warnings = append(r.record.Warnings, r.screenName(w.String()))
			continue
		}
		r.warn(w.String())
	}
	return d, nil
}

// screenIDs redacts ids that hold a credential: an import that leads nowhere is
// an id as it is written, and may be an address with a password in it.
func (r *run) screenIDs(m *graph.Meta) {
	clean := map[string]string{}
	for id := range m.Nodes {
		if c, held := r.screener.Name(id); held {
			clean[id] = c
		}
	}
	if len(clean) == 0 {
		return
	}
	for id, n := range m.Nodes {
		for i, e := range n.Edges {
			if c, ok := clean[e.Target]; ok {
				n.Edges[i].Target = c
			}
		}
		if c, ok := clean[id]; ok {
			delete(m.Nodes, id)
			m.Nodes[c] = n
		}
	}
}

// universe are the files that the graph is about: what may be archived, and
// binaries, which are nodes that nobody imports from.
func (r *run) universe() []graph.SourceFile {
	list := make([]graph.SourceFile, 0, len(r.snap.Files))
	for i := range r.snap.Files {
		if f := &r.snap.Files[i]; f.Mode.IsRegular() {
			list = append(list, graph.SourceFile{File: f.File, SHA256: f.SHA256})
		}
	}
	for _, o := range r.snap.Omitted {
		if (o.Reason == scan.Binary || o.Reason == scan.LowValue) && !strings.HasSuffix(o.Path, "/") {
			if f, err := r.head.root.File(o.Path); err == nil && f.Mode.IsRegular() {
				list = append(list, graph.SourceFile{File: f})
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}

// cacheDir is a folder for what may be computed again, outside of the
// repository; "" when there is none.
func (c *Command) cacheDir(name string) string {
	dir := c.Getenv("RUNNER_TEMP")
	if dir == "" {
		if dir = c.Getenv("XDG_CACHE_HOME"); dir == "" {
			home := c.Getenv("HOME")
			if home == "" {
				return ""
			}
			dir = filepath.Join(home, ".cache")
		}
	}
	dir = filepath.Join(dir, "haversack", name)
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}

// state reads the selection that an assistant has committed. It exists when
// the file does.
func (r *run) state() (graph.State, []byte, bool, error) {
	if r.asked != nil {
		return *r.asked, r.asked.Encode(), true, nil
	}
	name := r.in.Stan + "/" + stateName
	raw, err := r.head.root.ReadFile(name, 16<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return graph.State{}, nil, false, nil
	}
	if err != nil {
		return graph.State{}, nil, false, &codedError{fmt.Errorf("reading %s: %w", name, err), exitInput}
	}
	s, warns, err := graph.ParseState(name, raw)
	if err != nil {
		return graph.State{}, nil, false, &codedError{errors.New(r.screenName(err.Error())), exitInput}
	}
	for _, w := range warns {
		r.warn(w.String())
	}
	return s, raw, true, nil
}

// inBase reports whether a file is in every context archive: the project's
// system documents, the files of the root, and what include names.
func (r *run) inBase(name string) bool {
	if name == r.in.Stan+"/"+guideName || name == r.in.Stan+"/system/.docs.meta.json" {
		return false
	}
	return !strings.Contains(name, "/") || strings.HasPrefix(name, r.in.Stan+"/system/") || r.in.Include.Match(name) != ""
}

// depths of the change's closure: one step each way in a pull request, unless
// asked otherwise.
func (r *run) depths() (needs, dependents int) {
	needs, dependents = -1, -1
	if strings.HasPrefix(r.c.Getenv("GITHUB_EVENT_NAME"), "pull_request") && inWorkflow(r.c.Getenv) {
		needs, dependents = 1, 1
	}
	if r.in.ChangedDepth != nil {
		needs = *r.in.ChangedDepth
	}
	if r.in.DependentsDepth != nil {
		dependents = *r.in.DependentsDepth
	}
	return needs, dependents
}

// changedPaths are the paths of the head that the change touches.
func (r *run) changedPaths() []string {
	var list []string
	for _, c := range r.changes {
		if c.Status != diff.Deleted {
			list = append(list, c.Path)
		}
	}
	return list
}

// contextPlan makes the plan of a context archive: base files, closure of the
// state and of the change, staged files of dependencies (seed 002).
func (r *run) contextPlan(d *dependencies) (*plan, error) {
	p := &plan{mode: "context", docs: map[string][]byte{}, extra: map[string]*scan.File{}, left: map[string]leftOut{}, why: map[string][]string{}}
	state, raw, exists, err := r.state()
	if err != nil {
		return nil, err
	}
	needs, dependents := r.depths()
	wish := graph.Wish{State: state, Changed: r.changedPaths(), ChangedDepth: needs, DependentsDepth: dependents, StanPath: r.in.Stan}
	sel := graph.Select(d.canonical.Meta, wish)
	for _, w := range sel.Warnings {
		r.warn(w.String())
	}
	doc := d.canonical.Meta.Encode()
	if len(doc) > maxMap {
		var linked *graph.Meta
		if linked, p.unlisted = d.canonical.Meta.Linked(sel.IDs); p.unlisted > 0 {
			doc = linked.Encode()
		}
	}
	p.docs[r.in.Stan+"/"+metaName] = doc
	if exists {
		if bytes.IndexByte(raw, '\\') >= 0 {
			raw = state.Encode() // escapes would hide what the screen looks for
		}
		p.docs[r.in.Stan+"/"+stateName] = r.screenText(raw)
	}
	p.docs[r.in.Stan+"/"+guideName] = r.guide(p.mode)
	return p, r.fill(p, d, sel)
}

// metaPlan makes the plan of a thread's opener: documents and the files of the
// root, no payload (seed 002).
func (r *run) metaPlan(d *dependencies) (*plan, error) {
	p := &plan{mode: "meta", docs: map[string][]byte{}, extra: map[string]*scan.File{}, left: map[string]leftOut{}, why: map[string][]string{}}
	p.docs[r.in.Stan+"/"+metaName] = d.canonical.Meta.Encode()
	p.docs[r.in.Stan+"/"+stateName] = []byte(emptyState)
	p.docs[r.in.Stan+"/"+guideName] = r.guide(p.mode)
	return p, r.fill(p, d, graph.Select(d.canonical.Meta, graph.Wish{StanPath: r.in.Stan, ChangedDepth: -1, DependentsDepth: -1}))
}

// screenText redacts a text of the repository's that becomes a document.
func (r *run) screenText(b []byte) []byte {
	clean, held := r.screener.Name(string(b))
	if !held {
		return b
	}
	return []byte(clean)
}

// fill brings the selected files into the plan, within the budget.
func (r *run) fill(p *plan, d *dependencies, sel *graph.Selection) error {
	packed := r.packed()
	var base []string
	var docBytes int64
	for i := range r.snap.Files {
		f := &r.snap.Files[i]
		if p.docs[f.Path] != nil || !r.inBase(f.Path) {
			continue
		}
		// A lock file costs more than all other files of the root and says less.
		if f.LowValue != "" && r.in.Include.Match(f.Path) == "" {
			p.left[f.Path] = leftOut{scan.NotSelected, f.LowValue + ", not asked for"}
			continue
		}
		base = append(base, f.Path)
	}
	for name, b := range p.docs {
		base = append(base, name)
		docBytes += int64(len(b))
	}
	// What is selected besides: ignored files, and files of dependencies.
	var omitted []scan.Omission
	admitted := map[string]bool{}
	for _, id := range sel.IDs {
		if packed[id] != nil || p.docs[id] != nil {
			continue
		}
		f, o, err := r.admit(d, id)
		switch {
		case err != nil:
			return err
		case o != nil:
			omitted = append(omitted, *o)
			r.warn(fmt.Sprintf("%s is asked for and left out: %s (%s)", id, o.Reason, o.Rule))
		default:
			admitted[id] = true
			p.extra[id] = f
		}
	}
	r.snap.Replace(omitted...)
	r.snap.Drop(admitted)
	size := func(name string) int64 {
		switch {
		case p.docs[name] != nil:
			return int64(len(p.docs[name]))
		case packed[name] != nil:
			return packed[name].Size
		case p.extra[name] != nil:
			return p.extra[name].Size
		}
		return 0
	}
	baseBytes := int64(0)
	inBase := map[string]bool{}
	for _, name := range base {
		baseBytes += size(name)
		inBase[name] = true
	}
	beside := func(id string) int64 {
		if inBase[id] {
			return 0
		}
		return size(id)
	}
	if t := int64(r.in.BudgetTokens); t > 0 && p.mode == "context" && graph.Tokens(baseBytes) > t {
		return badInput("budget-tokens", "%d tokens do not hold what every context archive holds, about %d tokens; raise it, or leave files of the root out with exclude", t, graph.Tokens(baseBytes))
	}
	kept, dropped := sel.Fit(int64(r.in.BudgetTokens), baseBytes, beside)
	omitted = omitted[:0]
	for _, x := range dropped {
		p.left[x.Path] = leftOut{scan.OverBudget, x.Reason}
		if f := p.extra[x.Path]; f != nil {
			omitted = append(omitted, scan.Omission{Path: x.Path, Reason: scan.OverBudget, Rule: x.Reason, Size: f.Size, Type: f.Type, Category: f.Category})
			delete(p.extra, x.Path)
		}
	}
	r.snap.Replace(omitted...)
	want := map[string]bool{}
	for _, name := range base {
		want[name] = true
	}
	var closure []string
	for _, id := range kept {
		if packed[id] != nil || p.extra[id] != nil || p.docs[id] != nil {
			want[id] = true
			delete(p.left, id)
			closure = append(closure, id)
			for _, step := range sel.Why(id) {
				p.why[id] = append(p.why[id], step.String())
			}
		}
	}
	for name := range want {
		switch {
		case p.docs[name] != nil:
			p.files = append(p.files, tree.Bytes(name, p.docs[name]))
		case packed[name] != nil:
			p.files = append(p.files, packed[name].File)
		default:
			p.files = append(p.files, p.extra[name].File)
		}
	}
	slices.SortFunc(p.files, func(a, b tree.File) int { return tree.Compare(a.Path, b.Path) })
	for name := range packed {
		if !want[name] && p.left[name].reason == "" {
			p.left[name] = leftOut{scan.NotSelected, "not in the closure of " + r.in.Stan + "/" + stateName + " or of the change"}
		}
	}
	b := graph.Count(base, closure, r.changedPaths(), size)
	p.budget = &b
	return nil
}

// admit brings in one selected file that the snapshot does not hold: staged
// from a dependency, or taken although an ignore file or a rule left it out.
func (r *run) admit(d *dependencies, id string) (*scan.File, *scan.Omission, error) {
	if !stage.Is(id, r.in.Stan) {
		return r.taker.Admit(id)
	}
	if o, suspect, skip := r.taker.Rules.Judge(id); skip {
		return nil, &o, nil
	} else if paths := d.canonical.Collisions[id]; len(paths) > 0 {
		return nil, nil, fmt.Errorf("staging %s: %s have this address and different bytes; install one version, or exclude it", id, strings.Join(paths, " and "))
	} else if raw, err := stage.Read(d.roots, d.canonical.Files, id); errors.Is(err, stage.ErrUnknown) {
		return nil, &scan.Omission{Path: id, Reason: scan.Unreadable, Rule: "no dependency has this file"}, nil
	} else if err != nil {
		return nil, nil, err
	} else {
		return r.taker.Keep(id, 0o644, raw, suspect, true)
	}
}

// packed indexes the snapshot's files by path.
func (r *run) packed() map[string]*scan.File {
	m := make(map[string]*scan.File, len(r.snap.Files))
	for i := range r.snap.Files {
		m[r.snap.Files[i].Path] = &r.snap.Files[i]
	}
	return m
}

// sums are the members of archive.tar and the sha256 of each.
func (r *run) sums() map[string]string {
	m := make(map[string]string, len(r.plan.files))
	for name, f := range r.archived() {
		m[name] = f.SHA256
	}
	for name, b := range r.plan.docs {
		sum := sha256.Sum256(b)
		m[name] = hex.EncodeToString(sum[:])
	}
	return m
}

// sinceSaved finds what changed in the plan's files since the saved snapshot.
// A file that is merely not selected any more was not deleted.
func (r *run) sinceSaved() {
	r.entries = savedEntries(r.sums())
	packed := r.packed()
	r.changes = slices.DeleteFunc(diff.Between(r.base.files, r.entries), func(c diff.Change) bool {
		return c.Status == diff.Deleted && packed[c.Path] != nil
	})
}

// setDoc replaces one of the engine's documents.
func (p *plan) setDoc(name string, b []byte) {
	p.docs[name] = b
	for i := range p.files {
		if p.files[i].Path == name {
			p.files[i] = tree.Bytes(name, b)
		}
	}
}

// approve tells the gate what the plan adds to the snapshot.
func (p *plan) approve(g *gate) error {
	for id, f := range p.extra {
		g.approved[id] = f.SHA256
	}
	for _, name := range slices.Sorted(maps.Keys(p.docs)) {
		sum := sha256.Sum256(p.docs[name])
		if err := g.document(name, p.docs[name], hex.EncodeToString(sum[:])); err != nil {
			return err
		}
	}
	return nil
}
