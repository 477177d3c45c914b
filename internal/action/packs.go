package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/graph/typescript"
	"github.com/haversack-dev/haversack/internal/pack"
	"github.com/haversack-dev/haversack/internal/scan"
)

// packing is the making of the context packs that the input asks for.
type packing struct {
	run    *run
	src    *pack.Source
	choice pack.Selection
	reason string
	// wantFull and wantSummary say what is built.
	wantFull, wantSummary bool

	full    *pack.Full
	summary *pack.Summary
	err     error
}

// packs chooses the packs and prepares what they are built from.
func (r *run) packs(ctx context.Context) (*packing, error) {
	p := &packing{run: r}
	if r.in.Pack == "none" {
		return p, nil
	}
	p.src = r.packSource()
	var err error
	if p.choice, err = pack.Select(p.src); err != nil {
		return nil, fmt.Errorf("choosing the pack: %w", err)
	}
	p.wantFull, p.wantSummary = r.in.Pack == "full" || r.in.Pack == "both", r.in.Pack == "summary" || r.in.Pack == "both"
	if r.in.Pack == "auto" {
		p.wantFull, p.wantSummary = p.choice.Type == pack.TypeFull, p.choice.Type == pack.TypeSummary
	}
	p.reason = p.choice.Reason
	if r.in.Pack == "full" || r.in.Pack == "summary" {
		p.reason = "input pack: " + r.in.Pack + " (" + p.choice.Reason + ")"
	}
	if p.wantSummary {
		err = r.addOutlines(ctx, p.src)
	}
	return p, err
}

// build builds the packs; a failure is kept in err. It reads files and writes
// nothing.
func (p *packing) build() {
	if p.wantFull {
		if p.full, p.err = pack.BuildFull(p.src, p.reason); p.err != nil {
			p.err = fmt.Errorf("building the full pack: %w", p.err)
			return
		}
		p.run.screenStrings(reflect.ValueOf(p.full))
	}
	if p.wantSummary {
		p.summary, p.err = pack.BuildSummary(p.src, p.reason)
		var small *pack.TooSmallError
		if errors.As(p.err, &small) {
			p.err = &codedError{p.err, exitInput}
			return
		}
		if p.err != nil {
			p.err = fmt.Errorf("building the summary pack: %w", p.err)
			return
		}
		p.run.screenStrings(reflect.ValueOf(p.summary))
	}
}

// writePacks writes the packs that were built.
func (r *run) writePacks(p *packing) error {
	if p.err != nil {
		return p.err
	}
	if p.full != nil {
		if err := r.writePack("pack.full", p.full.WriteJSON, p.full.WriteMarkdown); err != nil {
			return err
		}
		info := p.full.Info()
		r.record.ContextPackInfo = &info
	}
	if p.summary != nil {
		if err := r.writePack("pack.summary", p.summary.WriteJSON, p.summary.WriteMarkdown); err != nil {
			return err
		}
		if info := p.summary.Info(); r.record.ContextPackInfo == nil || p.choice.Type == pack.TypeSummary {
			r.record.ContextPackInfo = &info
		}
	}
	return nil
}

// writePack writes one pack, in the format of the input, through the gate.
func (r *run) writePack(name string, asJSON, asMarkdown func(io.Writer) error) error {
	if r.in.Pack != "both" {
		name = "pack"
	}
	write := asJSON
	if name += ".json"; r.in.Markdown {
		name, write = strings.TrimSuffix(name, ".json")+".md", asMarkdown
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	text := b.Bytes()
	if r.in.Markdown {
		text = r.screenText(text)
	}
	return r.writeDocument(name, text)
}

// packSource is what packs are made from: the files of the archive.
func (r *run) packSource() *pack.Source {
	src := &pack.Source{Snapshot: r.snap, Limits: r.in.Limits, Name: r.projectName()}
	if r.head.commit.SHA != "" {
		src.Created = r.at.UTC().Format(time.RFC3339)
	}
	if r.plan.mode == "full" {
		return src
	}
	// Of a context, what is not selected stays in the index.
	s := &scan.Snapshot{Folders: r.snap.Folders}
	for name, f := range r.archived() {
		if r.plan.docs[name] == nil {
			s.Files = append(s.Files, *f)
		}
	}
	slices.SortFunc(s.Files, func(a, b scan.File) int { return strings.Compare(a.Path, b.Path) })
	scan.MarkKeyFiles(s.Files)
	s.Omitted = slices.Clone(r.snap.Omitted)
	for i := range r.snap.Files {
		f := &r.snap.Files[i]
		if l, ok := r.plan.left[f.Path]; ok {
			s.Omitted = append(s.Omitted, scan.Omission{Path: f.Path, Reason: l.reason, Rule: l.rule, Size: f.Size, Type: f.Type, Category: f.Category})
		}
	}
	slices.SortFunc(s.Omitted, func(a, b scan.Omission) int { return strings.Compare(a.Path, b.Path) })
	src.Snapshot = s
	return src
}

// projectName is the repository's name where a manifest gives none. It must not
// depend on the folder of the clone.
func (r *run) projectName() string {
	if name := r.c.Getenv("GITHUB_REPOSITORY"); name != "" {
		return path.Base(name)
	}
	if r.head.repo != nil {
		if url := r.head.repo.RemoteURL("origin"); url != "" {
			return strings.TrimSuffix(path.Base(filepath.ToSlash(strings.TrimRight(url, "/"))), ".git")
		}
	}
	return ""
}

// addOutlines gives a summary what the graph knows of TypeScript and JavaScript.
func (r *run) addOutlines(ctx context.Context, src *pack.Source) error {
	if r.in.Graph == "off" {
		return nil
	}
	if r.deps == nil && slices.ContainsFunc(r.snap.Files, func(f scan.File) bool { return typescript.Analyses(f.Path) }) {
		if err := r.step("graph", func() (err error) { r.deps, err = r.buildGraph(ctx); return err }); err != nil {
			return err
		}
	}
	if r.deps == nil {
		return nil
	}
	src.Outlines = make(map[string]pack.Outline, len(r.deps.result.Outlines))
	for name, o := range r.deps.result.Outlines {
		src.Outlines[name] = pack.Outline(o)
	}
	src.Edges = map[string][]string{}
	for from, edges := range r.deps.result.Graph.Edges {
		for _, e := range edges {
			if n := r.deps.result.Graph.Nodes[e.Target]; n != nil && n.Kind == graph.Source && e.Resolution == graph.Explicit {
				src.Edges[from] = append(src.Edges[from], e.Target)
			}
		}
	}
	return nil
}

// screenStrings redacts every string below v in place. A document's texts are
// parts of files that were screened whole; a part may look otherwise.
func (r *run) screenStrings(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			r.screenStrings(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				r.screenStrings(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			r.screenStrings(v.Index(i))
		}
	case reflect.String:
		if v.CanSet() {
			if clean, held := r.screener.Name(v.String()); held {
				v.SetString(clean)
			}
		}
	}
}
