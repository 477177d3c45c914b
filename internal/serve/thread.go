package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// OpenThread opens the thread of a name; whoever calls it closes it. What is told to a thread has passed the screener.
type OpenThread func(ctx context.Context, name string, h *snapshot.Head, screener *scan.Screener) (t *object.Thread, closing func(), err error)

// ThreadArguments are those of thread.
type ThreadArguments struct {
	Action string `json:"action,omitempty" jsonschema:"show, which is what is done if it is not given: what the thread has; render: its context; read: read a file and remember it; activate, deactivate, pin, unpin"`
	Path   string `json:"path,omitempty" jsonschema:"the file of read, activate, deactivate, pin, unpin"`
	Again  bool   `json:"again,omitempty" jsonschema:"of read: send the file, too, where the thread has it unchanged"`
	Room
}

// levels are the actions that change what of a thread is active, or pinned.
var levels = map[string]object.Kind{"activate": object.EventActivate, "deactivate": object.EventDeactivate, "pin": object.EventPin, "unpin": object.EventUnpin}

// remember answers what a thread has, and changes what it has at hand.
func (x *Server) remember(ctx context.Context, s *sight, in ThreadArguments) (*Answer, error) {
	kind, level := levels[in.Action]
	switch {
	case in.Thread == "":
		return nil, errors.New("thread: empty; give the conversation a name, the same in each call")
	case !level && in.Action != "" && in.Action != "show" && in.Action != "render" && in.Action != "read":
		return nil, fmt.Errorf("action: no %q: show, render, read, activate, deactivate, pin, unpin", in.Action)
	case (level || in.Action == "read") && in.Path == "":
		return nil, fmt.Errorf("path: %s needs a file", in.Action)
	}
	a := &Answer{Complete: true, Searched: "the thread " + in.Thread}
	if in.Action == "read" {
		return x.readInto(ctx, s, in)
	}
	return a, x.thread(ctx, s, in.Thread, func(t *object.Thread) error {
		if err := s.reconcile(ctx, t); err != nil {
			return err
		}
		switch {
		case level:
			if _, err := t.Apply(ctx, t.EventRun(kind, rand.Text()), object.Event{Event: kind, Path: in.Path}, s.reader()); errors.Is(err, object.ErrNotInSession) {
				return fmt.Errorf("%w: the action read has it meet a file", err)
			} else if err != nil {
				return err
			}
			a.Notes = append(a.Notes, fmt.Sprintf("%s is done for %s", in.Action, in.Path))
		case in.Action == "render":
			var b strings.Builder
			if err := t.Render(ctx, &b, s.reader()); err != nil {
				return err
			}
			a.Rows = stretches(b.String())
			return nil
		}
		return s.entries(ctx, a, t)
	})
}

// readInto answers with a file, and has the thread remember it: as read where the answer holds all of it, else as known by its name. Who has
// the beginning of a file must not be told that it has the rest.
func (x *Server) readInto(ctx context.Context, s *sight, in ThreadArguments) (*Answer, error) {
	_, name, err := s.file(in.Path)
	if err != nil {
		return nil, err
	}
	a, err := x.read(ctx, s, ReadArguments{Path: name, Again: in.Again, Room: in.Room})
	if err != nil {
		return nil, err
	}
	kind := object.EventRead
	if holds, err := x.holds(a, in.within(DefaultTokens)); err != nil {
		return nil, err
	} else if !holds {
		kind = object.EventList
		a.Notes = append(a.Notes, "It is longer than this answer: the thread remembers its name, and not that it was read; more max_tokens and max_characters hold it whole")
	}
	return a, x.thread(ctx, s, in.Thread, func(t *object.Thread) error {
		if err := s.reconcile(ctx, t); err != nil {
			return err
		}
		_, err := t.Apply(ctx, t.EventRun(kind, rand.Text()), object.Event{Event: kind, Path: name}, s.reader())
		return err
	})
}

// reconcile compares a thread's files with the disk.
func (s *sight) reconcile(ctx context.Context, t *object.Thread) error {
	if _, err := t.Reconcile(ctx, object.Run{ID: "resume/" + rand.Text(), Session: t.ID()}, s.reader()); err != nil {
		return fmt.Errorf("comparing the thread with the disk: %w", err)
	}
	return nil
}

// thread calls do with a thread; one after the other.
func (x *Server) thread(ctx context.Context, s *sight, name string, do func(t *object.Thread) error) error {
	if x.open == nil {
		return errors.New("thread: none is kept here")
	}
	x.threads.Lock()
	defer x.threads.Unlock()
	t, closing, err := x.open(ctx, name, s.head, s.view.Sealed.Screener)
	if err != nil {
		return fmt.Errorf("thread: %w", err)
	}
	defer closing()
	return do(t)
}

// reader reads files as they may be shown. What is on disk and may not be shown cannot be looked at: it is not gone.
func (s *sight) reader() object.Reader {
	return func(name string) ([]byte, error) {
		if f := s.index.File(name); f != nil {
			return f.Read()
		}
		if _, err := s.head.Root.Lstat(name); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("reading %s: %w", name, fs.ErrPermission)
	}
}

// compare notes what a thread has of a file that is asked for; has reports whether it has it as it is.
func (s *sight) compare(ctx context.Context, a *Answer, t *object.Thread, name string) (has bool, err error) {
	f := s.index.File(name)
	if f == nil {
		return false, nil
	}
	seen, err := t.Seen(ctx, name)
	switch {
	case err != nil:
		return false, err
	case seen.Has(f.SHA256):
		a.Notes = append(a.Notes, fmt.Sprintf("You have %s already, unchanged since run %d", named(name), seen.Number))
		return true, nil
	case seen.SHA256 != "":
		a.Notes = append(a.Notes, fmt.Sprintf("%s has changed since you read it in run %d", named(name), seen.Number))
	}
	return false, nil
}

// entries adds what a thread has, a row each.
func (s *sight) entries(ctx context.Context, a *Answer, t *object.Thread) error {
	list, err := t.Entries(ctx)
	if err != nil {
		return err
	}
	stale := 0
	for _, e := range list {
		row := Row{Path: e.Path, Name: e.Tool, Kind: string(e.Type)}
		var said []string
		if e.State != "" {
			said = append(said, e.State)
		}
		if e.Active {
			said = append(said, "active")
		}
		if e.Pinned {
			said = append(said, "pinned")
		}
		if f := s.index.File(e.Path); e.Type == object.TypeFile && f != nil {
			seen, err := t.Seen(ctx, e.Path)
			if err != nil {
				return err
			}
			switch {
			case seen.Has(f.SHA256):
				said = append(said, fmt.Sprintf("as you have it since run %d", seen.Number))
			case seen.SHA256 != "":
				stale++
				said = append(said, fmt.Sprintf("changed since you got it in run %d", seen.Number))
			}
		}
		row.Why = strings.Join(said, ", ")
		a.Rows = append(a.Rows, row)
	}
	if stale > 0 {
		a.Notes = append(a.Notes, count(stale, "file has changed since you got it", "files have changed since you got them"))
	}
	return nil
}

// stretches are the lines of a text, in rows of chunk lines.
func stretches(text string) (rows []Row) {
	for lines := range slices.Chunk(strings.SplitAfter(text, "\n"), chunk) {
		if said := strings.Join(lines, ""); said != "" {
			rows = append(rows, Row{Kind: document, Text: said})
		}
	}
	return rows
}

// handOver is what an answer handed over: to which thread, what it was asked by, and its rows as they were told.
type handOver struct {
	thread, handle string
	rows           []Row
	text           string
}

// note tells a thread of what an answer handed over.
func (x *Server) note(ctx context.Context, s *sight, h handOver) error {
	var refs []string
	for _, r := range h.rows {
		if f := s.index.File(r.Path); f != nil && !slices.Contains(refs, r.Path) {
			refs = append(refs, r.Path)
		}
	}
	return x.thread(ctx, s, h.thread, func(t *object.Thread) error {
		unique := rand.Text()
		if len(refs) > 0 {
			if _, err := t.Apply(ctx, t.EventRun(object.EventList, unique), object.Event{Event: object.EventList, Paths: refs}, nil); err != nil {
				return err
			}
		}
		call := object.Event{Event: object.EventToolcall, Tool: "more", Args: map[string]any{"handle": h.handle}, ArgsDisplay: h.handle, Status: "ok", Content: &h.text, FileRefs: refs}
		_, err := t.Apply(ctx, t.EventRun(object.EventToolcall, unique), call, nil)
		return err
	})
}
