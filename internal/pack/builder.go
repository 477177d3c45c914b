package pack

import (
	"slices"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/project"
	"github.com/haversack-dev/haversack/internal/source"
)

// Builder makes the packs of one source, and chooses between them. What they have in common is read and found once.
type Builder struct {
	src   *Source
	texts *source.Texts
	// gathered is what the next pack is made from; nil before the first, and after a summary.
	gathered *material
}

// material are a source's own snapshot, with its key files marked, and the facts found in it.
type material struct {
	src   *Source
	facts *project.Facts
}

// NewBuilder reads nothing yet. The source must not change while the builder is in use.
func NewBuilder(src *Source) *Builder { return &Builder{src: src, texts: source.NewTexts()} }

// gather copies the source's snapshot, finds its facts and marks its key files.
func (b *Builder) gather() (*material, error) {
	if b.gathered != nil {
		return b.gathered, nil
	}
	own := *b.src
	snapshot := *b.src.Snapshot
	snapshot.Files = slices.Clone(snapshot.Files)
	own.Snapshot = &snapshot
	f, err := project.Read(&snapshot, own.Name, b.texts)
	if err != nil {
		return nil, err
	}
	f.Imported = map[string]bool{}
	for from, tos := range own.Edges {
		for _, to := range tos {
			f.Imported[to] = f.Imported[to] || from != to && !language.IsTest(from) && !source.Aside(from)
		}
	}
	if err := markKeys(f, own.Edges, b.texts); err != nil {
		return nil, err
	}
	b.gathered = &material{&own, f}
	return b.gathered, nil
}

// Full makes a full pack. reason says why it is this one; Select has one.
// The error is of reading a file, or *TooSmallError.
func (b *Builder) Full(reason string) (*Full, error) { return b.full(b.src, reason, false) }

// full makes a full pack under the limits of src, which is the builder's source but for them, and for what cleans it; judging, of
// one that does not hold all content no more than its content.
func (b *Builder) full(src *Source, reason string, judging bool) (*Full, error) {
	if err := src.Limits.enough(); err != nil {
		return nil, err
	}
	g, err := b.gather()
	if err != nil {
		return nil, err
	}
	own := *src
	own.Snapshot = g.src.Snapshot
	return fitted(&own, func(limit cost) (*Full, error) {
		f := &filler{src: &own, c: &own.Limits, m: newMeter(&own.Limits), facts: g.facts, texts: b.texts, reason: reason, judging: judging}
		return f.build(limit)
	})
}

// Summary makes a summary pack, without a model. reason says why it is
// this one; Select has one. The error is of reading a file, or *TooSmallError.
func (b *Builder) Summary(reason string) (*Summary, error) {
	if err := b.src.Limits.enough(); err != nil {
		return nil, err
	}
	g, err := b.gather()
	if err != nil {
		return nil, err
	}
	b.gathered = nil // a summary marks further key files in it, and adds to its warnings
	v, err := newView(g, b.texts)
	if err != nil {
		return nil, err
	}
	src := v.src
	all, err := v.summary(reason, b.texts)
	if err != nil {
		return nil, err
	}
	return fitted(src, func(limit cost) (*Summary, error) {
		p := *all
		if err := p.fit(newMeter(&src.Limits), &src.Limits, v.Facts, limit); err != nil {
			return nil, err
		}
		p.counts.ContentBytes = p.Metadata.TotalContentBytes
		return &p, nil
	})
}
