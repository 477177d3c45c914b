package object

import (
	"context"
	"fmt"
	"iter"
)

// Action says what indexing did to an object.
type Action string

const (
	Created   Action = "created"
	Updated   Action = "updated"
	Unchanged Action = "unchanged"
)

// Result is what indexing did to which object.
type Result struct {
	ID     string
	Action Action
}

// IndexFile brings the object of a file that was read up to date. raw is its content,
// screened. The write is a run of its own.
func IndexFile(ctx context.Context, st Store, run Run, src Source, raw []byte) (Result, error) {
	return index(ctx, st, run, src, func(old *File) (*File, error) {
		if old != nil && old.FileHash != nil && *old.FileHash == FileHash(raw) {
			return nil, nil
		}
		return NewFile(src, raw)
	})
}

// DiscoverFile makes a stub of a file that was only named. It overwrites nothing.
func DiscoverFile(ctx context.Context, st Store, run Run, src Source) (Result, error) {
	return index(ctx, st, run, src, func(old *File) (*File, error) {
		if old != nil {
			return nil, nil
		}
		return NewStub(src)
	})
}

// IndexFileDeletion records that a file is gone. A file that was never seen, or is
// gone already, is left as it is.
func IndexFileDeletion(ctx context.Context, st Store, run Run, src Source) (Result, error) {
	return index(ctx, st, run, src, func(old *File) (*File, error) {
		if old == nil {
			return nil, nil
		}
		if old.FileHash == nil {
			if gone, err := Deleted(ctx, st, old.ID); err != nil || gone {
				return nil, err
			}
		}
		return NewStub(src)
	})
}

// index writes what next makes of the object of src, which returns nil for no change.
func index(ctx context.Context, st Store, run Run, src Source, next func(old *File) (*File, error)) (Result, error) {
	if err := src.check(); err != nil {
		return Result{}, fmt.Errorf("indexing %s: %w", clip(src.Path), err)
	}
	id := IdentityHash(TypeFile, &src, "")
	found, err := st.Get(ctx, Query{IDs: []string{id}})
	if err != nil {
		return Result{}, err
	}
	old, _ := found[id].(*File)
	doc, err := next(old)
	if err != nil || doc == nil {
		return Result{id, Unchanged}, err
	}
	action := Created
	if old != nil {
		action = Updated
	}
	return Result{id, action}, st.Put(ctx, Write{Run: run, Objects: each(doc)})
}

func each(objects ...Object) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for _, o := range objects {
			if !yield(o, nil) {
				return
			}
		}
	}
}
