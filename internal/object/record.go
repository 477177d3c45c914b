package object

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Record writes what a run puts before the assistant: what is new or has changed becomes
// a version, the sets follow the archive, and the run is marked done. Two runs of one thread
// may record at once; each finds the other's objects in its sets.
func (t *Thread) Record(ctx context.Context, h Handover) (Report, error) {
	if h.Run.Session != "" && h.Run.Session != t.id {
		return Report{}, fmt.Errorf("run %q is of session %q, not of %q", h.Run.ID, h.Run.Session, t.id)
	}
	h.Run.Session = t.id
	if err := CheckRun(h.Run); err != nil {
		return Report{}, err
	}
	h.Files = slices.SortedFunc(slices.Values(h.Files), func(a, b Member) int { return strings.Compare(a.Path, b.Path) })
	h.Known = slices.Sorted(slices.Values(h.Known))
	for attempt := 1; ; attempt++ {
		report, err := t.record(ctx, h)
		if !errors.Is(err, ErrConflict) || attempt == maxAttempts {
			if err != nil {
				err = fmt.Errorf("recording run %q in session %q: %w", h.Run.ID, t.id, err)
			}
			return report, err
		}
		if err := t.load(ctx); err != nil {
			return Report{}, err
		}
	}
}

func (t *Thread) record(ctx context.Context, h Handover) (Report, error) {
	r := recording{t: t, next: t.sets.clone(), met: map[string]bool{}, gone: map[string]bool{}, written: map[string]Object{}}
	if err := r.meet(ctx, h); err != nil {
		return Report{}, err
	}
	r.hand(h.Files)
	if err := r.tell(ctx, h.Known); err != nil {
		return Report{}, err
	}
	r.delete(h.Gone)
	r.pin(h.Pinned)
	calls, err := r.call(h.Run, h.Steps)
	if err != nil {
		return Report{}, err
	}
	chat, err := t.nextChat(Turn{User: h.Asked, Assistant: h.Answered, ToolcallIDs: append(t.pending(), calls...)})
	if err != nil {
		return Report{}, err
	}
	collapse(r.next, chat.Turns)
	guide, err := systemPrompt(t.id, h.Guide)
	if err != nil {
		return Report{}, err
	}
	session := t.stored
	if session == nil || !r.next.equal(t.sets) {
		if session, err = r.next.session(t.id); err != nil {
			return Report{}, err
		}
	}

	own := []Object{chat}
	if t.guide == nil || t.guide.ObjectHash != guide.ObjectHash {
		own = []Object{guide, chat}
	}
	if session != t.stored {
		own = append(own, session)
	}
	if err := t.store.Put(ctx, Write{Run: h.Run, Objects: r.objects(own), Expect: t.expect()}); err != nil {
		return Report{}, err
	}
	t.stored, t.sets, t.chat, t.guide = session, r.next, chat, guide
	maps.Copy(t.heads, r.written)
	for id, gone := range r.gone {
		t.mark(id, gone)
	}
	t.runs = append(t.runs, h.Run)
	t.based = false
	return r.report, nil
}

// expect is what the store must still hold for a recording to be written.
func (t *Thread) expect() map[string]Object {
	expect := map[string]Object{SessionID(t.id): nil, ChatID(t.id): nil}
	if t.stored != nil {
		expect[SessionID(t.id)] = t.stored
	}
	if t.chat != nil {
		expect[ChatID(t.id)] = t.chat
	}
	return expect
}

// recording is what a run will write, before it is written. The thread itself
// stays as it is until then.
type recording struct {
	t      *Thread
	report Report
	// next are the sets as the run leaves them.
	next *sets
	// met are the ids of files that the run speaks of; gone tells of those that become
	// deleted, or are no longer.
	met, gone map[string]bool
	changes   []change
	// written are the changes that were made, by id and without content.
	written map[string]Object
}

// change makes an object that is to be written. It is called late, so that no more
// than one file's content is in memory.
type change func() (Object, error)

// write has an object written.
func (r *recording) write(id string, c change) {
	r.changes = append(r.changes, func() (Object, error) {
		o, err := c()
		if err != nil {
			return nil, err
		}
		r.written[id] = headOnly(o)
		return o, nil
	})
}

// objects are what is written: the changes in their order, then the session's own.
func (r *recording) objects(own []Object) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for _, c := range r.changes {
			o, err := c()
			if !yield(o, err) || err != nil {
				return
			}
		}
		for _, o := range own {
			if !yield(o, nil) {
				return
			}
		}
	}
}

// file returns the source and the id of a path; ok is false where it can name no object.
func (r *recording) file(path string) (src Source, id string, ok bool) {
	src = r.t.source(path)
	if err := src.check(); err != nil {
		r.report.Skipped = append(r.report.Skipped, SkippedFile{path, err})
		return src, "", false
	}
	return src, IdentityHash(TypeFile, &src, ""), true
}

// meet takes in what the store has of the files that the run speaks of.
func (r *recording) meet(ctx context.Context, h Handover) error {
	var ids []string
	add := func(name string) {
		if src := r.t.source(name); src.check() == nil {
			ids = append(ids, IdentityHash(TypeFile, &src, ""))
		}
	}
	for i := range h.Files {
		add(h.Files[i].Path)
	}
	for _, name := range h.Known {
		add(name)
	}
	return r.t.meet(ctx, ids)
}

// hand makes the archive's members active, and no other file.
func (r *recording) hand(files []Member) {
	for i := range files {
		m := &files[i]
		src, id, ok := r.file(m.Path)
		if !ok || r.met[id] {
			continue
		}
		r.met[id] = true
		r.next.add(id, pooled|active)
		switch old, _ := r.t.heads[id].(*File); {
		case old != nil && old.FileHash != nil && *old.FileHash == m.SHA256:
			r.report.Unchanged++
			continue
		case old != nil:
			r.report.Updated++
		default:
			r.report.Created++
		}
		r.write(id, func() (Object, error) { return read(src, m) })
	}
	for i, id := range r.next.ids {
		if r.next.levels[i]&active != 0 && !r.met[id] && !isToolcall(id) {
			r.next.drop(id, active)
		}
	}
}

// tell makes files known by name; those that are handed over are known by more.
func (r *recording) tell(ctx context.Context, paths []string) error {
	for _, p := range paths {
		src, id, ok := r.file(p)
		if !ok {
			continue
		}
		if r.met[id] {
			continue
		}
		r.met[id] = true
		r.next.add(id, pooled)
		old, _ := r.t.heads[id].(*File)
		back := false
		if old != nil && old.FileHash == nil {
			var err error
			if back, err = r.t.isGone(ctx, id); err != nil {
				return err
			}
		}
		switch {
		case back:
			r.gone[id] = false
			r.report.Updated++
		case old != nil:
			r.report.Unchanged++
			continue
		default:
			r.report.Created++
		}
		r.write(id, func() (Object, error) { return NewStub(src) })
	}
	return nil
}

// delete takes the content from files that the run does not speak of and that gone
// confirms to be no more.
func (r *recording) delete(gone func(path string) bool) {
	if gone == nil {
		return
	}
	for _, id := range r.t.sets.ids {
		f, ok := r.t.heads[id].(*File)
		if !ok || r.met[id] || f.FileHash == nil || !r.t.ours(f) || !gone(r.t.display(f)) {
			continue
		}
		r.report.Deleted++
		r.gone[id] = true
		r.write(id, func() (Object, error) { return NewStub(*f.Source) })
	}
}

// pin pins the files that the pool holds, and no other file.
func (r *recording) pin(paths []string) {
	for i, id := range r.next.ids {
		if !isToolcall(id) {
			r.next.levels[i] &^= pinned
		}
	}
	for _, p := range paths {
		src := r.t.source(p)
		if id := IdentityHash(TypeFile, &src, ""); src.check() == nil && r.next.has(id, pooled) {
			r.next.add(id, pinned)
		}
	}
}

// call makes the steps active toolcalls and returns their ids.
func (r *recording) call(run Run, steps []Step) ([]string, error) {
	ids := []string{}
	for i, s := range steps {
		call, err := r.t.toolcall(run, i+1, s)
		if err != nil {
			return nil, err
		}
		if r.t.heads[call.ID] == nil {
			r.write(call.ID, func() (Object, error) { return call, nil })
		}
		r.next.add(call.ID, pooled|active)
		ids = append(ids, call.ID)
	}
	return ids, nil
}

// isToolcall tells the ids of toolcalls from those of files.
func isToolcall(id string) bool { return strings.HasPrefix(id, "toolcall:") }

// read returns the object of an archive's member. Of a large one no more is read than
// shows that it is large: its hash is believed.
func read(src Source, m *Member) (Object, error) {
	if m.Open == nil {
		return unseen(src, m)
	}
	rc, err := m.Open()
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(rc, MaxContent+1))
	if cerr := rc.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	if len(raw) > MaxContent {
		return unseen(src, m)
	}
	f, err := NewFile(src, raw)
	if err == nil && *f.FileHash != m.SHA256 {
		err = fmt.Errorf("%q changed while it was read", m.Path)
	}
	return f, err
}

// unseen returns the object of a member by its hash alone.
func unseen(src Source, m *Member) (Object, error) {
	if !isHash(m.SHA256) {
		return nil, fmt.Errorf("%q: its sha256 is not 64 digits in lower hex", m.Path)
	}
	sum := m.SHA256
	f := &File{Head: Head{FileHash: &sum}}
	return f, f.bind(src)
}

// headOnly returns o without its content, which nobody keeps in memory.
func headOnly(o Object) Object {
	switch o := o.(type) {
	case *File:
		c := *o
		c.Content = nil
		return &c
	case *Toolcall:
		c := *o
		c.Content = nil
		return &c
	}
	return o
}

func (t *Thread) toolcall(run Run, seq int, s Step) (*Toolcall, error) {
	c := &Toolcall{
		Head: Head{ID: "toolcall:" + run.ID + ":" + strconv.Itoa(seq), Type: TypeToolcall, Content: &s.Output},
		Tool: s.Tool, Args: s.Args, ArgsDisplay: s.Display, Status: StatusOK, ChatRef: ChatID(t.id),
	}
	if s.Failed {
		c.Status = StatusFail
	}
	for _, p := range slices.Sorted(slices.Values(s.Files)) {
		if src := t.source(p); src.check() == nil {
			c.FileRefs = append(c.FileRefs, IdentityHash(TypeFile, &src, ""))
		}
	}
	out := strings.ToValidUTF8(s.Output, "\ufffd")
	c.Content = &out
	if err := Seal(c); err != nil {
		return nil, fmt.Errorf("step %s: its arguments cannot be written as JSON: %w", s.Tool, err)
	}
	return c, nil
}

func (t *Thread) nextChat(turn Turn) (*Chat, error) {
	c := &Chat{Head: Head{ID: ChatID(t.id), Type: TypeChat}, SessionRef: SessionID(t.id)}
	if t.chat != nil {
		c.Turns = slices.Clone(t.chat.Turns)
	}
	turn.User, turn.Assistant = strings.ToValidUTF8(turn.User, "\ufffd"), strings.ToValidUTF8(turn.Assistant, "\ufffd")
	c.Turns = append(c.Turns, turn)
	c.Turns = c.Turns[max(0, len(c.Turns)-maxTurns):]
	c.TurnCount = len(c.Turns)
	for _, t := range c.Turns {
		c.ToolcallRefs = append(c.ToolcallRefs, t.ToolcallIDs...)
	}
	var text strings.Builder
	for _, t := range c.Turns {
		text.WriteString("user: " + t.User + "\nassistant: " + t.Assistant + "\n")
	}
	s := text.String()
	c.Content = &s
	return c, Seal(c)
}

func systemPrompt(session, guide string) (*SystemPrompt, error) {
	guide = strings.ToValidUTF8(guide, "\ufffd")
	p := &SystemPrompt{Head{ID: SystemPromptID(session), Type: TypeSystemPrompt, Content: &guide}}
	return p, Seal(p)
}

// collapse takes old toolcalls out of the active set; pinned ones stay.
func collapse(s *sets, turns []Turn) {
	keep := map[string]bool{}
	for _, turn := range turns[max(0, len(turns)-windowTurns):] {
		for _, id := range turn.ToolcallIDs[max(0, len(turn.ToolcallIDs)-windowPerTurn):] {
			keep[id] = true
		}
	}
	for i, id := range s.ids {
		if isToolcall(id) && s.levels[i]&pinned == 0 && !keep[id] {
			s.levels[i] &^= active
		}
	}
}
