package deliver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/brief"
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/provider"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/rank"
	"github.com/haversack-dev/haversack/internal/report"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/source"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// Packing says which context packs are built, and from what.
type Packing struct {
	builder *pack.Builder
	reason  string
	// choice is the pack that the limits allow.
	choice pack.Type
	// full and summary say what is built.
	full, summary bool
	format        pack.Format
	screener      *scan.Screener
}

// packs are the context packs as they are written.
type packs struct {
	Documents []report.Document
	info      *pack.Info
	// both are the figures of the full pack and of the summary, where there are both.
	both []pack.Info
}

// ChoosePacks chooses the packs that the input asks for. name is the project's where no
// manifest gives one, counter the run's.
func ChoosePacks(in *job.Inputs, name string, v *snapshot.View, p *plan.Plan, counter *tokens.Counter) (*Packing, error) {
	s, d := v.Sealed, v.Graph
	k := &Packing{format: in.PackFormat, screener: s.Screener}
	if in.Pack == job.PackNone || in.Pack == job.PackChange && p.Ranked() && p.Mode == job.ModeContext {
		return k, nil
	}
	src := packSource(in.Limits, name, v, p)
	if !in.Only.All() {
		src.Snapshot = narrowed(src.Snapshot, in.Only)
	}
	src.Divide = func(name string, content []byte) []text.Stretch { return dividedByWorth(s.Definitions, name, content) }
	if d != nil {
		src.Outlines, src.Edges = outlines(d)
		src.Define = func(name string, text []byte) []pack.Signature { return signatures(s.Definitions, name, text) }
	}
	if p.Mode == job.ModeFull {
		src.Opening = func() (list []pack.FileOutline) {
			for _, e := range report.Opening(s, in.Only, counter) {
				list = append(list, pack.FileOutline{Path: e.Path, Outline: e.Lines})
			}
			return list
		}
	}
	src.Ranked = ranked(src.Snapshot.Files, src.Edges)
	k.builder = pack.NewBuilder(src)
	choice, err := k.builder.Select()
	if err != nil {
		return nil, packFault("choosing the pack", err)
	}
	k.choice, k.reason = choice.Type, choice.Reason
	switch in.Pack {
	case job.PackNone: // returned above
	case job.PackBoth:
		k.full, k.summary = true, true
	case job.PackFull, job.PackSummary:
		k.full, k.summary = in.Pack == job.PackFull, in.Pack == job.PackSummary
		k.reason = "input pack: " + string(in.Pack) + "; auto would choose " + choice.Reason
	case job.PackChange:
		k.reason = "input pack: change, and no change is ranked (" + choice.Reason + ")"
		fallthrough
	case job.PackAuto:
		k.full, k.summary = choice.Type == pack.TypeFull, choice.Type == pack.TypeSummary
	}
	return k, nil
}

// Build builds the packs. It reads files and writes nothing.
func (k *Packing) Build() (*packs, error) {
	out := &packs{}
	both := k.full && k.summary
	var first pack.Info
	if k.full {
		full, err := k.builder.Full(k.reason)
		if err != nil {
			return nil, packFault("building the full pack", err)
		}
		doc, err := k.document("pack.full", both, full.WriteJSON, full.WriteMarkdown)
		if err != nil {
			return nil, err
		}
		first = full.Info()
		out.Documents, out.info = append(out.Documents, doc), &first
	}
	if k.summary {
		summary, err := k.builder.Summary(k.reason)
		if err != nil {
			return nil, packFault("building the summary pack", err)
		}
		doc, err := k.document("pack.summary", both, summary.WriteJSON, summary.WriteMarkdown)
		if err != nil {
			return nil, err
		}
		out.Documents = append(out.Documents, doc)
		info := summary.Info()
		if out.info == nil || k.choice == pack.TypeSummary {
			out.info = &info
		}
		if both {
			out.both = []pack.Info{first, info}
		}
	}
	return out, nil
}

// packFault says what went wrong; a limit that is too small is the user's.
func packFault(doing string, err error) error {
	var small *pack.TooSmallError
	if errors.As(err, &small) {
		return job.WithCode(err, job.ExitInput)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// document serialises one pack. Where there is one alone its name is plain.
func (k *Packing) document(name string, both bool, asJSON, asMarkdown func(io.Writer) error) (report.Document, error) {
	if !both {
		name = "pack"
	}
	var b bytes.Buffer
	if k.format == pack.Markdown {
		name += ".md"
		if err := asMarkdown(&b); err != nil {
			return report.Document{}, fmt.Errorf("writing %s: %w", name, err)
		}
		text, made := k.screener.Document(name, b.Bytes())
		return report.Document{Name: name, Text: text, Made: made}, nil
	}
	name += ".json"
	if k.format == pack.Msgpack {
		name = strings.TrimSuffix(name, ".json") + ".msgpack"
	}
	if err := asJSON(&b); err != nil {
		return report.Document{}, fmt.Errorf("writing %s: %w", name, err)
	}
	return report.Document{Name: name, Text: b.Bytes(), MessagePack: k.format == pack.Msgpack}, nil
}

// packSource is what packs are made from: the files of the archive. Of a context,
// what is not selected stays in the index.
func packSource(limits pack.Constraints, name string, v *snapshot.View, p *plan.Plan) *pack.Source {
	h, s := v.Head, v.Sealed
	src := &pack.Source{Snapshot: &scan.Snapshot{Files: s.Files, Omitted: p.Omitted, Folders: s.Folders}, Limits: limits, Name: name}
	src.Limits.CountTokens = new(tokens.Counter).Count
	src.Clean = func(p any) { snapshot.Clean(s.Screener, p) }
	if h.Commit.SHA != "" {
		src.Created = h.Time.Format(time.RFC3339)
	}
	if p.Mode == job.ModeFull {
		return src
	}
	var files []scan.File
	for _, f := range p.Members {
		files = append(files, *f)
	}
	omitted := slices.Clone(p.Omitted)
	for i := range s.Files {
		f := &s.Files[i]
		if l, ok := p.Left[f.Path]; ok {
			omitted = append(omitted, l.Of(f))
		}
	}
	slices.SortFunc(files, func(a, b scan.File) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(omitted, func(a, b scan.Omission) int { return strings.Compare(a.Path, b.Path) })
	scan.MarkKeyFiles(files)
	src.Snapshot = &scan.Snapshot{Files: files, Omitted: omitted, Folders: s.Folders}
	return src
}

// narrowed is a snapshot of the files alone that a list names; the others stay in the index.
func narrowed(s *scan.Snapshot, only scan.NameList) *scan.Snapshot {
	var files []scan.File
	omitted := slices.Clone(s.Omitted)
	for i := range s.Files {
		if f := &s.Files[i]; only.Match(f.Path) {
			files = append(files, *f)
		} else {
			omitted = append(omitted, plan.LeftByOnly.Of(f))
		}
	}
	slices.SortFunc(omitted, func(a, b scan.Omission) int { return strings.Compare(a.Path, b.Path) })
	scan.MarkKeyFiles(files)
	return &scan.Snapshot{Files: files, Omitted: omitted, Folders: s.Folders}
}

// ProjectName is the repository's name where a manifest gives none. It must not
// depend on the folder of the clone.
func ProjectName(e *job.Setting, h *snapshot.Head) string {
	if name := e.Getenv("GITHUB_REPOSITORY"); name != "" {
		return path.Base(name)
	}
	if h.Repo != nil {
		if url := h.Repo.RemoteURL("origin"); url != "" {
			return strings.TrimSuffix(path.Base(filepath.ToSlash(strings.TrimRight(url, "/"))), ".git")
		}
	}
	return ""
}

// ranked are the paths of files that a reader wants, code before manifests, manuals, tests and examples, and of each those
// first on which most depends.
func ranked(files []scan.File, edges map[string][]string) []string {
	var list []string
	var roles []brief.Role
	place := map[string]int32{}
	for i := range files {
		name := files[i].Path
		if role := brief.RoleOf(name); role != brief.Rest {
			place[name] = int32(len(list))
			list, roles = append(list, name), append(roles, role)
		}
	}
	to := make([][]int32, len(list))
	for i, name := range list {
		for _, target := range edges[name] {
			if n, ok := place[target]; ok && int(n) != i {
				to[i] = append(to[i], n)
			}
		}
	}
	standing := rank.Standing(len(list), to)
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(roles[a], roles[b]), cmp.Compare(standing[b], standing[a]), strings.Compare(list[a], list[b]))
	})
	names := make([]string, len(order))
	for i, n := range order {
		names[i] = list[n]
	}
	return names
}

// signatures are the first lines of what a text defines, each behind its number.
func signatures(known *provider.Definitions, name string, text []byte) []pack.Signature {
	as := language.As(name, text)
	role := brief.RoleOf(as)
	if role == brief.Manual || role == brief.Rest || !provider.Defines(as) {
		return nil
	}
	found, err := known.Define(name, text)
	if err != nil || len(found) == 0 {
		return nil // of a text that cannot be read nothing is told
	}
	lines := strings.Split(string(text), "\n")
	numbers := known.Settings(name, text, func() []int { return brief.Settings(name, text, found) })
	leads := map[int]bool{}
	for _, d := range found {
		numbers = append(numbers, d.Line)
		leads[d.Line] = leads[d.Line] || d.Exported
	}
	slices.Sort(numbers)
	var out []pack.Signature
	for _, at := range slices.Compact(numbers) { // several names of one line are one
		if at > len(lines) {
			break
		}
		if line := brief.SignatureLine(lines[at-1]); line != "" {
			out = append(out, pack.Signature{Text: fmt.Sprintf("%d %s", at, line), Leads: role == brief.Code && leads[at]})
		}
	}
	return out
}

// dividedByWorth are the lines of a text in the order of what they are worth to a reader who sees a part of it: the first lines of
// what it exports, then of what else it defines, then the bodies in the same order, then what stands between.
func dividedByWorth(known *provider.Definitions, name string, content []byte) []text.Stretch {
	as := language.As(name, content)
	if role := brief.RoleOf(as); role == brief.Manual || role == brief.Rest || !provider.Defines(as) {
		return nil
	}
	found, err := known.Define(name, content)
	if err != nil || len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b graph.Definition) int { return a.Line - b.Line })
	exported := map[string]bool{}
	var first, second []text.Stretch
	for _, d := range found {
		one := text.Stretch{From: d.Line, To: max(d.Line, min(d.Head, d.Line+maxSignatureLines))}
		if d.Exported {
			exported[d.Name] = true
			first = append(first, one)
		} else {
			second = append(second, one)
		}
	}
	list := append(first, second...)
	blocks := brief.Blocks(name, content, found)
	for turn := range 3 {
		for _, b := range blocks {
			of := 2
			switch {
			case exported[b.Name]:
				of = 0
			case b.Name != "":
				of = 1
			}
			if of == turn {
				list = append(list, text.Stretch{From: b.From, To: b.To})
			}
		}
	}
	return list
}

// maxSignatureLines bounds the lines of a signature behind its first.
const maxSignatureLines = 8

// outlines are what the graph tells a pack: what files offer and ask for, and
// which sources they name.
func outlines(d *snapshot.Dependencies) (map[string]source.Names, map[string][]string) {
	offers := make(map[string]source.Names, len(d.Result.Names))
	for name, o := range d.Result.Names {
		offers[name] = source.Names(o)
	}
	edges := map[string][]string{}
	for from, list := range d.Result.Graph.Edges {
		for _, x := range list {
			if n := d.Result.Graph.Nodes[x.Target]; n != nil && n.Kind == graph.Source && x.Resolution == graph.Explicit {
				edges[from] = append(edges[from], x.Target)
			}
		}
	}
	return offers, edges
}
