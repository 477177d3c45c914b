package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// drawChange completes a view with the change as text. Where a thread is the base, what its assistant was
// handed in the very version that is there now did not change since, though the commit is older.
func drawChange(ctx context.Context, in *job.Inputs, s *session, v *snapshot.View) (*snapshot.View, error) {
	w := *v
	var err error
	if in.Base == job.BaseSession && s != nil && s.thread != nil && v.Change.Base.Root != nil {
		if w.Held, w.Change, err = readHeld(ctx, s.thread, v.Sealed, v.Change); err != nil {
			return nil, fmt.Errorf("reading what session %q was handed: %w", s.thread.ID(), err)
		}
	}
	if w.Patches, err = snapshot.DrawPatches(w.Sealed, w.Change); err != nil {
		return nil, err
	}
	if w.Held != nil {
		// No patch tells of them: the base has the same.
		names := slices.Sorted(maps.Keys(w.Held.Back))
		w.Change = w.Change.With(names)
		for _, name := range names {
			w.Patches = append(w.Patches, snapshot.FilePatch{Change: diff.Change{Status: diff.Modified, Path: name}, Text: []byte{}})
		}
	}
	return &w, nil
}

// readHeld finds what the reader of a thread has already, and the change without the files of it.
func readHeld(ctx context.Context, t *object.Thread, s *snapshot.Contents, c *snapshot.Change) (*snapshot.HeldText, *snapshot.Change, error) {
	files := make(map[string]*scan.File, len(s.Files))
	for i := range s.Files {
		files[s.Files[i].Path] = &s.Files[i]
	}
	seen, err := t.Given(ctx, func(path string) string {
		if f := files[path]; f != nil {
			return f.SHA256
		}
		return ""
	})
	if err != nil {
		return nil, nil, err
	}
	changes := make(map[string]diff.Change, len(c.Changes))
	for _, x := range c.Changes {
		changes[x.Path] = x
	}
	held := &snapshot.HeldText{Since: map[string]int{}, Rest: map[string]bool{}, Back: map[string]int{}}
	told := map[string]bool{} // all of the change; a mode that changed no hash tells
	for _, one := range seen {
		f := files[one.Path]
		x, changed := changes[one.Path]
		before := ""
		if changed && x.Status == diff.Modified {
			if before, err = baseSum(c.Base, one.Path); err != nil {
				return nil, nil, err
			}
		}
		switch {
		case one.Has(f.SHA256):
			if one.Active {
				held.Since[one.Path] = one.Number
			}
			told[one.Path] = before != f.SHA256
		case !changed:
			held.Back[one.Path] = one.Number
		case before != "" && one.Has(before) && one.Active:
			held.Rest[one.Path] = true
		}
	}
	return held, c.Without(func(path string) bool { return told[path] }), nil
}

// baseSum is the sha256 of a file of the base as it stands there, "" where it is too large to be a text.
func baseSum(b *snapshot.Base, name string) (string, error) {
	raw, err := b.Root.ReadFile(name, object.MaxContent)
	if err != nil {
		if info, statErr := b.Root.Lstat(name); statErr == nil && info.Size > object.MaxContent {
			return "", nil
		}
		return "", fmt.Errorf("reading %s of the base: %w", name, err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}
