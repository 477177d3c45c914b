package object

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Deleted reports whether a file object is deleted.
func Deleted(ctx context.Context, st Store, id string) (bool, error) {
	gone, err := st.Deleted(ctx, []string{id})
	return gone[id], err
}

// Life is what the versions of a file say of it, one after the other: a version without a
// hash is a stub where there was nothing, and a deletion where there was something; after
// a deletion it says that the file is back, and unread.
type Life uint8

// The states of a file. The zero value is that of one without a version.
const (
	Unmet Life = iota
	Stub
	Full
	Gone
)

// Next is the state after another version, which has a file_hash or has not.
func (l Life) Next(hashed bool) Life {
	switch {
	case hashed:
		return Full
	case l == Unmet || l == Gone:
		return Stub
	}
	return Gone
}

// isGone reports whether a file of the thread is deleted. The store is asked once for all.
func (t *Thread) isGone(ctx context.Context, id string) (bool, error) {
	if t.gone == nil {
		var ids []string
		for id, o := range t.heads {
			if f, ok := o.(*File); ok && f.FileHash == nil {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		gone, err := t.store.Deleted(ctx, ids)
		if err != nil {
			return false, err
		}
		if gone == nil {
			gone = map[string]bool{}
		}
		t.gone = gone
	}
	return t.gone[id], nil
}

// meet takes in what the store has, from other sessions, of files that this one is about to
// meet: what is indexed is not made a stub.
func (t *Thread) meet(ctx context.Context, ids []string) error {
	var unknown []string
	for _, id := range ids {
		if t.heads[id] == nil {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	found, err := t.store.Get(ctx, Query{IDs: unknown})
	if err != nil {
		return err
	}
	unread := false
	for id, o := range found {
		f, ok := o.(*File)
		if !ok {
			return fmt.Errorf("%w: %q is not a file", ErrDamaged, clip(id))
		}
		t.heads[id] = f
		unread = unread || f.FileHash == nil
	}
	if unread {
		t.gone = nil // to be asked anew
	}
	return nil
}

// mark notes what a writing made of a file.
func (t *Thread) mark(id string, gone bool) {
	if t.gone != nil {
		t.gone[id] = gone
	}
}

// FileMemory is what the thread knows of one file, and what its assistant has of it.
type FileMemory struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	// Met: it stands in the session's index.
	Met bool `json:"met"`
	// Unread: known by name alone. Gone: confirmed to be no more.
	Unread bool `json:"unread"`
	Gone   bool `json:"deleted"`
	Active bool `json:"active"`
	Pinned bool `json:"pinned"`
	// SHA256 of the version that the assistant was given last, "" for none: of an archive
	// that was handed over, or what an event says. Run is the run that gave it, and Number
	// the run's place among the thread's, from 1.
	SHA256 string `json:"given_sha256,omitempty"`
	Run    string `json:"run,omitempty"`
	Number int    `json:"number,omitempty"`
	// Newest is the newest version's sha256, "" where nothing was read of it.
	Newest string `json:"newest_sha256,omitempty"`
}

// Stale reports whether the assistant was given a version that is no longer the newest
// that the thread knows of.
func (s *FileMemory) Stale() bool { return s.SHA256 != "" && s.SHA256 != s.Newest }

// Has reports whether the assistant has this version of the file, by its sha256.
func (s *FileMemory) Has(sha256 string) bool { return s.SHA256 == sha256 && sha256 != "" }

// Seen returns what the thread has seen of a path, relative to the root or absolute.
func (t *Thread) Seen(ctx context.Context, path string) (FileMemory, error) {
	src, err := t.place(path)
	if err != nil {
		return FileMemory{}, err
	}
	return t.given(ctx, IdentityHash(TypeFile, &src, ""))
}

// given is what the thread has of a file, by its id.
func (t *Thread) given(ctx context.Context, id string) (FileMemory, error) {
	s := FileMemory{ID: id, Met: t.sets.has(id, 0), Active: t.sets.has(id, active), Pinned: t.sets.has(id, pinned)}
	f, ok := t.heads[id].(*File)
	if !ok {
		return s, nil
	}
	s.Path = t.display(f)
	if f.FileHash != nil {
		s.Newest = *f.FileHash
	} else {
		gone, err := t.isGone(ctx, id)
		if err != nil {
			return FileMemory{}, err
		}
		s.Gone, s.Unread = gone, !gone
	}
	versions, err := t.store.History(ctx, id)
	if err != nil {
		return FileMemory{}, err
	}
	at := map[string]int{}
	handed := 0
	for i, r := range t.runs {
		at[r.ID] = i + 1
		if r.Handed {
			handed = i + 1
		}
	}
	base, err := t.Handed(ctx)
	if err != nil {
		return FileMemory{}, err
	}
	i, inBase := slices.BinarySearchFunc(base, s.Path, func(m Member, p string) int { return strings.Compare(m.Path, p) })
	for _, v := range slices.Backward(versions) {
		f, ok := v.Object.(*File)
		n := at[v.Run]
		if !ok || f.FileHash == nil || n == 0 || !t.runs[n-1].Handed && !strings.HasPrefix(v.Run, eventRun) {
			continue
		}
		if inBase && n <= handed {
			break
		}
		s.SHA256, s.Run, s.Number = *f.FileHash, v.Run, n
		return s, nil
	}
	if inBase {
		s.SHA256, s.Run, s.Number = base[i].SHA256, t.runs[handed-1].ID, handed
	}
	return s, nil
}

// Given returns what the thread has seen of the files that its assistant was given and that are there now: now is the
// sha256 of a path, "" where there is no such file. Of a file that is not active and did not
// change nothing is said.
func (t *Thread) Given(ctx context.Context, now func(path string) string) ([]FileMemory, error) {
	base, err := t.Handed(ctx)
	if err != nil {
		return nil, err
	}
	handed, told, quiet := 0, false, true
	for i, r := range t.runs {
		if r.Handed {
			handed, told, quiet = i+1, false, true
			continue
		}
		told, quiet = told || strings.HasPrefix(r.ID, eventRun), false
	}
	sums := make(map[string]string, len(base))
	for _, m := range base {
		sums[m.Path] = m.SHA256
	}
	var list []FileMemory
	for i, id := range t.sets.ids {
		f, ok := t.heads[id].(*File)
		if !ok || f.FileHash == nil {
			continue
		}
		name := t.display(f)
		current := now(name)
		at := t.sets.levels[i]&active != 0
		if current == "" || !at && quiet && current == *f.FileHash {
			continue
		}
		s := FileMemory{ID: id, Path: name, Met: true, Active: at, Pinned: t.sets.has(id, pinned), SHA256: sums[name], Number: handed, Newest: *f.FileHash}
		if s.SHA256 == "" || told { // else nothing was given since
			if s, err = t.given(ctx, id); err != nil {
				return nil, err
			}
		} else {
			s.Run = t.runs[handed-1].ID
		}
		if s.SHA256 != "" {
			list = append(list, s)
		}
	}
	return list, nil
}

// Meaning is what the newest version of a file, as the thread knows it, means for the assistant.
type Meaning string

// What a file's newest version means.
const (
	MeaningNew     Meaning = "new"                // the thread never met it
	MeaningUnread  Meaning = "unread"             // it is known by name, and was never given
	MeaningAsRead  Meaning = "as-read"            // it is as it was given last
	MeaningChanged Meaning = "changed-since-read" // it is another than was given
	MeaningGone    Meaning = "gone"               // it is confirmed to be no more
)

// Meaning is that of what the thread has seen of a file.
func (s *FileMemory) Meaning() Meaning {
	switch {
	case !s.Met:
		return MeaningNew
	case s.Gone:
		return MeaningGone
	case s.SHA256 == "":
		return MeaningUnread
	case s.Stale():
		return MeaningChanged
	}
	return MeaningAsRead
}

// Entry is an object of a session as session list shows it.
type Entry struct {
	ID   string `json:"id"`
	Type Type   `json:"type"`
	// Path, FileType and CharCount are those of a file.
	Path      string `json:"path,omitempty"`
	FileType  string `json:"file_type,omitempty"`
	CharCount int    `json:"char_count"`
	// Tool and Status are those of a toolcall.
	Tool   string `json:"tool,omitempty"`
	Status string `json:"status,omitempty"`
	// State of a file is read, unread or deleted.
	State  string `json:"state,omitempty"`
	Pooled bool   `json:"pooled"`
	Active bool   `json:"active"`
	Pinned bool   `json:"pinned"`
}

// Entries returns the objects of the session, in the order of its index.
func (t *Thread) Entries(ctx context.Context) ([]Entry, error) {
	out := make([]Entry, 0, len(t.sets.ids))
	for i, id := range t.sets.ids {
		l := t.sets.levels[i]
		e := Entry{ID: id, Pooled: l&pooled != 0, Active: l&active != 0, Pinned: l&pinned != 0}
		switch o := t.heads[id].(type) {
		case *File:
			e.Type, e.Path, e.FileType, e.CharCount, e.State = TypeFile, t.display(o), o.FileType, o.CharCount, "read"
			if o.FileHash == nil {
				gone, err := t.isGone(ctx, id)
				if err != nil {
					return nil, err
				}
				if e.State = "unread"; gone {
					e.State = "deleted"
				}
			}
		case *Toolcall:
			e.Type, e.Tool, e.Status = TypeToolcall, o.Tool, o.Status
		}
		out = append(out, e)
	}
	return out, nil
}

// Object returns an object of the session with its content, by its id or, of a file, its
// path; as of the end of a run, or the newest where run is "". Content that the store
// let go is an error that wraps ErrEvicted.
func (t *Thread) Object(ctx context.Context, idOrPath, run string) (Object, error) {
	id := idOrPath
	own := id == SessionID(t.id) || id == ChatID(t.id) || id == SystemPromptID(t.id)
	if !own && !t.sets.has(id, 0) {
		src, err := t.place(idOrPath)
		if err == nil {
			id = IdentityHash(TypeFile, &src, "")
		}
		if err != nil || !t.sets.has(id, 0) {
			return nil, fmt.Errorf("%q: %w", clip(idOrPath), ErrNotInSession)
		}
	}
	found, err := t.store.Get(ctx, Query{IDs: []string{id}, Run: run, Content: true})
	if err != nil {
		return nil, err
	}
	o := found[id]
	if o == nil {
		return nil, fmt.Errorf("%q: no version of it is as old as run %q: %w", clip(idOrPath), clip(run), fs.ErrNotExist)
	}
	if h := HeadOf(o); h.ContentHash != nil && h.Content == nil {
		return nil, fmt.Errorf("%q: %w", clip(idOrPath), ErrEvicted)
	}
	return o, nil
}

// RunAt returns the n-th run of the thread, from 1.
func (t *Thread) RunAt(n int) (Run, bool) {
	if n < 1 || n > len(t.runs) {
		return Run{}, false
	}
	return t.runs[n-1], true
}

// Known reports whether the store has the session.
func (t *Thread) Known() bool { return t.stored != nil || t.chat != nil || len(t.runs) > 0 }

// IsID reports whether a word is an id and no path: a hash, or one of the assigned ids.
func IsID(word string) bool {
	return isHash(word) || isToolcall(word) || strings.HasPrefix(word, "chat:") || strings.HasPrefix(word, "session:") || strings.HasPrefix(word, "system_prompt:")
}
