package scan

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Request is what is brought in from beyond a search: files that were asked for by
// name although a rule leaves them out, and files of dependencies.
type Request struct {
	Files []File
	// Omitted were asked for and may not leave.
	Omitted []Omission
	// Known are the values found in them.
	Known *secret.KnownValues
}

// SealedScan is what may leave, with every known value redacted: sizes, sums and names
// are final. After it nothing is searched again but by the gate.
type SealedScan struct {
	Snapshot
	// Asked are the files from beyond the search, by path; none is in Files.
	Asked map[string]*File
	// Screener knows every value.
	Screener *Screener
	// Crowded are files that hold too many values to be looked for elsewhere, so that
	// they are left out whole; sorted. Those of the base stand in CrowdedBefore.
	Crowded       []string
	CrowdedBefore map[string]bool
}

// ErrTooMany says that so many credentials were found that not all can be looked
// for in other places.
var ErrTooMany = errors.New("too many different credentials; leave out the files that hold them with exclude")

// Seal redacts values wherever else they stand than where they were found: in
// contents, names and the targets of links. Known are all values that were found
// anywhere. A file that holds none stays as it is; what is written anew goes to
// the spool.
//
// The error is ErrTooMany, ctx's, or of the spool.
func (s *Screener) Seal(ctx context.Context, spool *tree.Spool, known *secret.KnownValues, found *SearchResult, asked Request) (*SealedScan, error) {
	if known.Full() {
		return nil, ErrTooMany
	}
	s = s.Knowing(known)
	crowded, before := map[string]bool{}, map[string]bool{}
	for _, p := range known.Over() {
		if name, ok := strings.CutPrefix(p, beforeSide); ok {
			before[name] = true
		} else {
			crowded[p] = true
		}
	}
	all := slices.Concat(found.Files, asked.Files)
	holders, err := s.holders(ctx, all)
	if err != nil {
		return nil, err
	}
	files, omitted, err := s.sealAll(ctx, spool, found.Files, holders, crowded)
	if err != nil {
		return nil, err
	}
	extra, gone, err := s.sealAll(ctx, spool, asked.Files, holders, crowded)
	if err != nil {
		return nil, err
	}
	// What was asked for has one row: that of what became of it.
	decided := make(map[string]bool, len(asked.Files)+len(asked.Omitted))
	for _, f := range asked.Files {
		decided[f.Path] = true
	}
	for _, o := range asked.Omitted {
		decided[o.Path] = true
	}
	out := &SealedScan{Snapshot: Snapshot{Files: files, Folders: found.Folders}, Asked: make(map[string]*File, len(extra)), Screener: s,
		Crowded: slices.Sorted(maps.Keys(crowded)), CrowdedBefore: before}
	for _, o := range found.Omitted {
		if !decided[o.Path] {
			out.Omitted = append(out.Omitted, o)
		}
	}
	used := make(map[string]int, len(out.Omitted))
	for _, o := range out.Omitted {
		used[o.Path] = 1
	}
	for _, o := range slices.Concat(omitted, asked.Omitted, gone) {
		if o.Rule == exSecretName.Rule {
			o.Path = distinct(o.Path, used)
		}
		out.Omitted = append(out.Omitted, o)
	}
	for i := range extra {
		out.Asked[extra[i].Path] = &extra[i]
	}
	sortByPath(out.Files, out.Omitted)
	MarkKeyFiles(out.Files)
	return out, nil
}

// beside runs do for each of n files, several at once, each with a buffer.
func beside(ctx context.Context, n int, do func(i int, buf *bytes.Buffer) error) error {
	faults := make([]error, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range searchers() {
		workers.Go(func() {
			var buf bytes.Buffer
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				faults[i] = do(i, &buf)
			}
		})
	}
	workers.Wait()
	return errors.Join(ctx.Err(), errors.Join(faults...))
}

// holders are the paths of the files that hold a known value, in their text, name or
// target.
func (s *Screener) holders(ctx context.Context, files []File) (map[string]bool, error) {
	if s.Known.Len() == 0 {
		return nil, nil
	}
	holds := make([]bool, len(files))
	err := beside(ctx, len(files), func(i int, buf *bytes.Buffer) error {
		f := &files[i]
		holds[i] = len(s.Known.Find([]byte(f.Path), nil)) > 0
		if f.Encoding == text.Binary && f.Mode&fs.ModeSymlink == 0 {
			return nil
		}
		if err := f.read(buf); err != nil {
			return err
		}
		content := buf.Bytes()
		if f.Mode&fs.ModeSymlink == 0 {
			content = text.Decode(content, f.Encoding)
		}
		holds[i] = s.Known.Holds(content) || holds[i]
		return nil
	})
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for i := range files {
		if holds[i] {
			names[files[i].Path] = true
		}
	}
	return names, nil
}

// sealAll seals files side by side. Both results keep the order of files. Where nothing is to be redacted kept is files itself, not
// a copy.
func (s *Screener) sealAll(ctx context.Context, spool *tree.Spool, files []File, holders, crowded map[string]bool) (kept []File, omitted []Omission, err error) {
	if len(holders) == 0 && len(crowded) == 0 {
		return slices.Clip(files), nil, nil
	}
	kept = slices.Clone(files)
	out := make([]*Omission, len(files))
	var touched []int
	for i := range files {
		if f := &files[i]; crowded[f.Path] {
			o := exManyValues.Of(f)
			o.Redactions = f.Redactions
			out[i] = &o
		} else if holders[f.Path] {
			touched = append(touched, i)
		}
	}
	err = beside(ctx, len(touched), func(n int, buf *bytes.Buffer) (err error) {
		i := touched[n]
		out[i], err = s.seal(spool, &kept[i], buf)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	n := 0
	for i := range kept {
		if out[i] != nil {
			omitted = append(omitted, *out[i])
			continue
		}
		kept[n] = kept[i]
		n++
	}
	return kept[:n], omitted, nil
}

// seal redacts the known values in a file, or says why it is out. buf is for its
// content.
func (s *Screener) seal(spool *tree.Spool, f *File, buf *bytes.Buffer) (*Omission, error) {
	if found := s.Known.Find([]byte(f.Path), nil); len(found) > 0 {
		o := exSecretName.Of(f)
		o.Path = string(secret.Redact([]byte(f.Path), found))
		return &o, nil
	}
	link := f.Mode&fs.ModeSymlink != 0
	if f.Encoding == text.Binary && !link {
		return nil, nil
	}
	if err := f.read(buf); err != nil {
		return nil, err
	}
	if link {
		if len(s.Known.Find(buf.Bytes(), nil)) > 0 {
			o := exSecretTarget.Of(f)
			return &o, nil
		}
		return nil, nil
	}
	again, changed := s.Again(f.Path, buf.Bytes())
	switch {
	case !changed:
		return nil, nil
	case again.Reason != "":
		o := again.Of(f)
		o.Redactions = again.Redactions
		return &o, nil
	}
	kept, err := spool.Add(f.Path, f.Mode, again.Bytes)
	if err != nil {
		return nil, err
	}
	f.File = kept.Summed(again.Bytes)
	f.SHA256 = f.Sum().SHA256
	f.Redactions = slices.Concat(f.Redactions, again.Redactions)
	slices.SortStableFunc(f.Redactions, func(a, b secret.Finding) int { return a.Line - b.Line })
	return nil, nil
}

// read brings a file's content into buf.
func (f *File) read(buf *bytes.Buffer) error {
	rc, err := f.Open()
	if err != nil {
		return err
	}
	defer rc.Close()
	buf.Reset()
	buf.Grow(int(f.Size) + bytes.MinRead)
	_, err = buf.ReadFrom(rc)
	return err
}
