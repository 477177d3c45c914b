package snapshot

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/tree"
)

// Change is what differs between base and head.
type Change struct {
	// Base is the one that was picked; opened is it when compare had to open it.
	Base, opened *Base
	// entries are the head's files, changes the difference.
	entries []diff.Entry
	Changes []diff.Change
	// Before holds the base's side of changed files as far as a patch may show it.
	Before map[string]passage
	stored storedChange
	// Known are the values found in what the change takes away, and exposed says
	// where they stand.
	Known    *secret.KnownValues
	exposed  []string
	Warnings []string
}

// passage is a file of the base as a patch may show it.
type passage struct {
	mode fs.FileMode
	// Withheld says why the content is not shown, "" if it is.
	Withheld string
	redacted bool
	// marked: the file begins with a byte order mark, which the text is without.
	marked bool
	// Text is the content, redacted of what was found in it.
	Text tree.File
}

// Without returns the change without some paths of the head.
func (c *Change) Without(leave func(path string) bool) *Change {
	w := *c
	w.Changes = nil
	for _, x := range c.Changes {
		if x.Status == diff.Deleted || !leave(x.Path) {
			w.Changes = append(w.Changes, x)
		}
	}
	return &w
}

// With returns the change with files of the head that are modified, too.
func (c *Change) With(paths []string) *Change {
	w := *c
	w.Changes = slices.Clone(c.Changes)
	for _, name := range paths {
		w.Changes = append(w.Changes, diff.Change{Status: diff.Modified, Path: name})
	}
	slices.SortFunc(w.Changes, func(a, b diff.Change) int { return strings.Compare(a.Path, b.Path) })
	return &w
}

// Compare picks the base and finds what changed against it, and searches what the
// change takes away: values that are found there must not stand in what is left.
func (x *Finder) Compare(ctx context.Context, b *Base, f *Inventory, mode job.Mode) (*Change, error) {
	c := &Change{Base: b}
	if b.None {
		return c, nil
	}
	if b.Saved {
		entries, err := archivedEntries(f, b)
		if err != nil {
			return nil, fmt.Errorf("comparing with the base: %w", err)
		}
		c.entries, c.Changes = entries, diff.Between(b.Files, entries)
		return c, nil
	}
	var err error
	if c.entries, err = x.Head.entries(ctx, f.SearchResult); err != nil {
		return nil, fmt.Errorf("comparing with the base: %w", err)
	}
	x.Head.identify(c.entries, b.Files)
	c.Changes = diff.Between(b.Files, c.entries)
	if b.undecided && !f.Untracked && len(c.Changes) == 0 {
		c.opened = x.parent(ctx)
		c.Base = c.opened
		c.Warnings = c.Base.Warnings
		if c.Base.None {
			return c, nil
		}
		x.Head.identify(c.entries, c.Base.Files)
		c.Changes = diff.Between(c.Base.Files, c.entries)
	}
	if c.Base.Root == nil {
		return c, nil
	}
	c.stored = openStored(x.Head, c.Base, c.entries)
	passed := false
	if c.Changes, passed = diff.Edited(c.Changes, c.stored.before, c.stored.after); passed {
		c.Warnings = append(c.Warnings, "too many files were added and deleted, or too large ones, to compare each with each: some that were renamed and edited are listed as deleted and added")
	}
	most := int64(maxBefore)
	if mode == job.ModeMeta {
		most = 0
	}
	c.Before, c.Known, c.exposed, err = newFormerReader(f.Search, c.Base, x.in.Secrets).look(ctx, c.Changes, most)
	if mode == job.ModeMeta {
		c.Before = nil // no text of a change leaves
	}
	return c, err
}

// storedChange opens the files of base and head as git has them. What they hold is compared and
// counted, and not shown.
type storedChange struct {
	before, after func(path string) (tree.File, bool)
	// told says of the head's files how git shows their changes; nil where there is no git.
	told *repo.Attributes
}

func openStored(h *Head, b *Base, entries []diff.Entry) storedChange {
	s := storedChange{after: h.asStored(entries)}
	s.before = func(name string) (tree.File, bool) {
		f, err := b.Root.File(name)
		return f, err == nil
	}
	if h.Repo != nil {
		told := h.Repo.Attributes(h.tracked)
		s.told = &told
	}
	return s
}

// asStored opens the head's files as git stores them, whatever form they have in the
// worktree, so that they are as alike in any clone.
func (h *Head) asStored(entries []diff.Entry) func(path string) (tree.File, bool) {
	ids := make(map[string]string, len(entries))
	for i := range entries {
		ids[entries[i].Path] = entries[i].ID
	}
	return func(name string) (tree.File, bool) {
		t := h.Index[name]
		if t == nil || t.ID != ids[name] || h.Repo == nil {
			f, err := h.Root.File(name)
			return f, err == nil && ids[name] != ""
		}
		size, err := h.Repo.BlobSize(t.ID)
		return tree.NewFile(name, t.Mode, size, t.ID, func() (io.ReadCloser, error) {
			raw, err := h.Repo.Blob(t.ID)
			return io.NopCloser(bytes.NewReader(raw)), err
		}), err == nil && t.Mode.IsRegular()
	}
}

// Close frees the base that compare opened.
func (c *Change) Close() { c.opened.Close() }

// ChangedPaths are the paths of the head that the change touches.
func ChangedPaths(changes []diff.Change) []string {
	var list []string
	for _, c := range changes {
		if c.Status != diff.Deleted {
			list = append(list, c.Path)
		}
	}
	return list
}

// archivedEntries lists the files with the sums that they will have in an archive:
// a saved base holds those. Only a file that seems to differ is looked at closely.
func archivedEntries(f *Inventory, b *Base) ([]diff.Entry, error) {
	screener := f.Search.Screener.Knowing(f.Known)
	last := make(map[string]string, len(b.Files))
	for _, e := range b.Files {
		last[e.Path] = e.ID
	}
	sums := make(map[string]string, len(f.Files))
	for i := range f.Files {
		file := &f.Files[i]
		sums[file.Path] = file.SHA256
		if f.Known.Len() == 0 || file.Mode&fs.ModeSymlink != 0 || last[file.Path] == file.SHA256 {
			continue
		}
		raw, err := file.Read()
		if err != nil {
			return nil, err
		}
		if s, changed := screener.Again(file.Path, raw); changed && s.Reason == "" {
			sum := sha256.Sum256(s.Bytes)
			sums[file.Path] = hex.EncodeToString(sum[:])
		} else if changed {
			delete(sums, file.Path)
		}
	}
	return SavedEntries(sums), nil
}

// Bounds of the texts of a change, in bytes: a file of which the patch shows the
// change, one of which it shows what stands between the first and the last line that changes
// where that is no more than MaxPatchText, the whole patch, and what is read of the base for it.
const (
	MaxPatchText = 1 << 20
	maxLargeText = 8 << 20
	MaxPatch     = 4 << 20
	maxBefore    = 64 << 20
)

// formerFile is one file of the base that the change takes away or writes anew.
type formerFile struct {
	entry *diff.Entry
	file  tree.File
	// suspect is the name rule that its content has to overrule.
	suspect string
	// shown: a patch may show it. Of others only the values are learned.
	shown bool
	passage
	exposed []string
	err     error
}

// formerReader reads the base's side of changes, and learns what values stand there.
type formerReader struct {
	search   *scan.Search
	screener *scan.Screener
	base     *Base
	policy   scan.Policy
	known    *secret.KnownValues
}

func newFormerReader(search *scan.Search, b *Base, policy scan.Policy) *formerReader {
	return &formerReader{search, search.Screener.Before(), b, policy, new(secret.KnownValues)}
}

// look reads and searches the base's side of each change: what is taken away, or
// left out by its name, is a credential all the same. Of the first most bytes, in
// order, it returns what a patch may show; of the rest nothing is kept.
func (r *formerReader) look(ctx context.Context, changes []diff.Change, most int64) (map[string]passage, *secret.KnownValues, []string, error) {
	list := r.files(changes, most)
	queue := make(chan *formerFile)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for l := range queue {
				if l.shown {
					l.passage, l.exposed, l.err = r.read(l.file, l.suspect)
				} else {
					learnBefore(r.screener, r.search.Rules, l.file, r.known)
				}
			}
		})
	}
	for _, l := range list {
		if (l.shown || learnable(l.file)) && ctx.Err() == nil {
			queue <- l
		}
	}
	close(queue)
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, err
	}
	before := make(map[string]passage, len(list))
	var exposed []string
	for _, l := range list {
		if l.err != nil {
			return nil, nil, nil, l.err
		}
		if l.shown || l.Withheld != "" {
			before[l.entry.Path] = l.passage
			exposed = append(exposed, l.exposed...)
		}
	}
	return before, r.known, exposed, nil
}

// files says what is to be done with the base's side of each change, and learns
// from their names.
func (r *formerReader) files(changes []diff.Change, most int64) []*formerFile {
	b := r.base
	files := make(map[string]*diff.Entry, len(b.Files))
	for i := range b.Files {
		files[b.Files[i].Path] = &b.Files[i]
	}
	var list []*formerFile
	var total int64
	for _, c := range changes {
		entry := files[cmp.Or(c.OldPath, c.Path)]
		if entry == nil {
			continue
		}
		r.screener.LearnName(entry.Path, r.known)
		l := &formerFile{entry: entry, passage: passage{mode: entry.Mode}}
		l.file, l.suspect, l.Withheld = beforeFile(r.search.Rules, b.Root, *entry)
		if total <= most && l.Withheld == "" {
			total += l.file.Size
			l.shown = total <= most
		}
		if total > most {
			l.Withheld = "" // no passage stands beyond
		}
		list = append(list, l)
	}
	for i := range b.stores {
		if f, err := b.Root.File(b.stores[i].Path); err == nil {
			list = append(list, &formerFile{entry: &b.stores[i], file: f})
		}
	}
	return list
}

// learnable reports whether a file of the base that no patch shows is read for its
// values. Of dependencies those are that are called like credentials.
func learnable(f tree.File) bool {
	tier, _ := secret.Name(f.Path)
	return f.Path != "" && f.Size <= scan.MaxFileBytes && (tier != secret.Clear || !scan.Depends(f.Path))
}

// learnBefore reads a file of the base for its values alone.
func learnBefore(screener *scan.Screener, rules scan.Rules, f tree.File, known *secret.KnownValues) {
	if raw, err := f.Read(); err == nil {
		screener.Learn(f.Path, raw, rules.StoreOf(f.Path), known)
	}
}

// beforeFile returns a file of the base, the name rule that its content has to
// overrule, and why its content is not shown.
func beforeFile(rules scan.Rules, root *tree.Root, e diff.Entry) (f tree.File, suspect, withheld string) {
	if e.Mode&fs.ModeIrregular != 0 {
		return f, "", "submodule"
	}
	o, suspect, skip := rules.ByName(e.Path)
	f, err := root.File(e.Path)
	f.Mode = e.Mode
	switch {
	case skip:
		return f, "", string(o.Reason)
	case err != nil:
		return tree.File{}, "", "unreadable"
	case f.Size > maxLargeText:
		return f, "", tooLarge
	}
	return f, suspect, ""
}

// read reads and searches a file of the base. Under `secrets: fail` it says
// where findings are.
func (r *formerReader) read(f tree.File, suspect string) (passage, []string, error) {
	p := passage{mode: f.Mode}
	raw, err := f.Read()
	if err != nil {
		p.Withheld = "unreadable"
		return p, nil, nil
	}
	s := r.screener.Screen(f.Path, raw, suspect, r.known)
	var exposed []string
	if r.policy == scan.Fail {
		for _, x := range s.Redactions {
			exposed = append(exposed, fmt.Sprintf("%q before the change, line %d (rule %s)", r.screener.Clean(f.Path), x.Line, x.Rule))
		}
	}
	if s.Reason != "" {
		p.Withheld = string(s.Reason)
		return p, exposed, nil
	}
	p.redacted = len(s.Redactions) > 0
	p.marked = s.Encoding == text.UTF8BOM
	p.Text, err = r.search.Spool.Add(f.Path, f.Mode, s.Text)
	return p, exposed, err
}

// TextBefore is the base's side of a changed file, by its path there, as a patch may show it; ok is false where it may not,
// or where it is no text.
func (c *Change) TextBefore(s *Contents, name string) (content []byte, ok bool) {
	p, looked := c.Before[name]
	if !looked || p.Withheld != "" || s.CrowdedBefore[name] || p.Text.Size > MaxPatchText {
		return nil, false
	}
	side, err := p.side()
	if err != nil || side.Withheld != "" {
		return nil, false
	}
	return s.Screener.Strip(side.Text), true
}
