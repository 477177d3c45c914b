package object

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind says what an assistant did.
type Kind string

// The kinds of events.
const (
	EventRead         Kind = "read"          // it was given a file: index, pool, active
	EventList         Kind = "list"          // it was told names: index, pool
	EventSearch       Kind = "search"        // it was told in which files something stands: index, pool
	EventWrite        Kind = "write"         // it wrote a file, so it has it: index, pool, active
	EventDelete       Kind = "delete"        // it removed a file: the sets stay
	EventToolcall     Kind = "toolcall"      // it called a tool: index, pool, active
	EventTurn         Kind = "turn"          // it was asked, and answered: the chat
	EventActivate     Kind = "activate"      // pool, active
	EventDeactivate   Kind = "deactivate"    // no longer active
	EventPin          Kind = "pin"           // pool, pinned
	EventUnpin        Kind = "unpin"         // no longer pinned
	EventSystemPrompt Kind = "system_prompt" // it was told what to do
)

// Limits on an event.
const (
	// MaxEventPaths bounds the paths of one event.
	MaxEventPaths = 100_000
	// MaxEvent bounds an event as JSON, in bytes: a file of MaxContent, escaped.
	MaxEvent = 2*MaxContent + 1<<20
	// maxTool bounds a tool's name, in bytes.
	maxTool = 200
)

// Event is one thing that an assistant did. docs/formats.md has the fields of each kind.
type Event struct {
	Event Kind `json:"event"`
	// Path is relative to the thread's root, or absolute as the assistant sees it.
	Path string `json:"path,omitempty"`
	// Paths of a list and a search, beside Path.
	Paths []string `json:"paths,omitempty"`
	// ID of the object that is activated, deactivated, pinned or unpinned; or Path of its file.
	ID string `json:"id,omitempty"`
	// Content of a file that is read or written (nil: what stands there now), of a
	// toolcall, of a system prompt.
	Content *string `json:"content,omitempty"`

	Tool        string         `json:"tool,omitempty"`
	Args        map[string]any `json:"args,omitempty"`
	ArgsDisplay string         `json:"args_display,omitempty"`
	// Status is ok or fail.
	Status string `json:"status,omitempty"`
	// FileRefs are paths, or ids of files.
	FileRefs []string `json:"file_refs,omitempty"`

	User      string `json:"user,omitempty"`
	Assistant string `json:"assistant,omitempty"`
}

// eventFields are the fields that each kind has beside event: those that may be there, and those that must.
var eventFields = map[Kind]struct{ may, must []string }{
	EventRead:         {[]string{"content"}, []string{"path"}},
	EventList:         {[]string{"path", "paths"}, nil},
	EventSearch:       {[]string{"path", "paths"}, nil},
	EventWrite:        {[]string{"content"}, []string{"path"}},
	EventDelete:       {nil, []string{"path"}},
	EventToolcall:     {[]string{"args", "args_display", "content", "file_refs"}, []string{"tool", "status"}},
	EventTurn:         {[]string{"user", "assistant"}, nil},
	EventActivate:     {[]string{"path", "id"}, nil},
	EventDeactivate:   {[]string{"path", "id"}, nil},
	EventPin:          {[]string{"path", "id"}, nil},
	EventUnpin:        {[]string{"path", "id"}, nil},
	EventSystemPrompt: {nil, []string{"content"}},
}

// ParseEvent reads an event from JSON. A field that the kind does not have is an error.
func ParseEvent(line []byte) (Event, error) {
	var e Event
	if len(line) > MaxEvent {
		return e, fmt.Errorf("the event is larger than %d bytes", MaxEvent)
	}
	if !utf8.Valid(line) {
		return e, errors.New("the line is not UTF-8")
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return e, unreadable(line)
	}
	have := fieldsOf(line)
	delete(have, "event")
	fields, ok := eventFields[e.Event]
	if !ok {
		return e, fmt.Errorf("event %q is none of read, list, search, write, delete, toolcall, turn, activate, deactivate, pin, unpin, system_prompt", clip(string(e.Event)))
	}
	for _, name := range fields.must {
		if null, ok := have[name]; !ok || null {
			return e, fmt.Errorf("event %s has no %s", e.Event, name)
		}
		delete(have, name)
	}
	for _, name := range fields.may {
		delete(have, name)
	}
	if len(have) > 0 {
		return e, fmt.Errorf("event %s has no field %q: it takes %s", e.Event, clip(slices.Sorted(maps.Keys(have))[0]), strings.Join(append(slices.Clone(fields.must), fields.may...), ", "))
	}
	return e, e.check()
}

// unreadable says why a line is no event.
func unreadable(line []byte) error {
	d := json.NewDecoder(bytes.NewReader(line))
	err := d.Decode(new(Event))
	switch {
	case err == nil:
		return errors.New("more than one JSON value stands on the line")
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it ends in the middle")
	}
	return fmt.Errorf("the line is not an event in JSON: %w", err)
}

// fieldsOf are the fields of a valid object, and whether they are null. Values are passed over, not parsed again: a content may be a megabyte.
func fieldsOf(line []byte) map[string]bool {
	have := map[string]bool{}
	depth, key := 0, ""
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			from := i
			for i++; i < len(line) && line[i] != '"'; i++ {
				n := bytes.IndexAny(line[i:], "\"\\")
				if n < 0 {
					return have
				}
				if i += n; line[i] == '"' {
					break
				}
				i++ // what the stroke is for
			}
			rest := bytes.TrimLeft(line[min(i+1, len(line)):], " \t\r\n")
			if depth != 1 || len(rest) == 0 || rest[0] != ':' || json.Unmarshal(line[from:i+1], &key) != nil {
				continue
			}
			have[key] = bytes.HasPrefix(bytes.TrimLeft(rest[1:], " \t\r\n"), []byte("null"))
		}
	}
	return have
}

// check tells what is out of bounds.
func (e *Event) check() error {
	switch {
	case len(e.Paths)+len(e.FileRefs) > MaxEventPaths:
		return fmt.Errorf("event %s names more than %d files", e.Event, MaxEventPaths)
	case e.Content != nil && len(*e.Content) > MaxContent:
		return fmt.Errorf("event %s: content of %d bytes is larger than %d", e.Event, len(*e.Content), MaxContent)
	case len(e.User)+len(e.Assistant) > MaxContent:
		return fmt.Errorf("event %s: its texts are larger than %d bytes", e.Event, MaxContent)
	}
	switch e.Event {
	case EventToolcall:
		if e.Tool == "" || len(e.Tool) > maxTool {
			return fmt.Errorf("event toolcall: tool is empty, or longer than %d bytes", maxTool)
		}
		if e.Status != StatusOK && e.Status != StatusFail {
			return fmt.Errorf("event toolcall: status %q is neither ok nor fail", clip(e.Status))
		}
	case EventActivate, EventDeactivate, EventPin, EventUnpin:
		if (e.ID == "") == (e.Path == "") {
			return fmt.Errorf("event %s takes either an id or a path", e.Event)
		}
	case EventTurn:
		if e.User == "" && e.Assistant == "" {
			return errors.New("event turn has neither user nor assistant")
		}
	case EventRead, EventList, EventSearch, EventWrite, EventDelete, EventSystemPrompt: // their bounds stand above
	}
	return nil
}

// Outcome is what became of an event.
type Outcome struct {
	Event Kind `json:"event"`
	// Run is the id of the run that the event was written as, "" where it changed nothing.
	Run string `json:"run,omitempty"`
	// Objects are those that the event is about, in its order, each once.
	Objects []AppliedObject `json:"objects"`
}

// AppliedObject is what an event did to one object.
type AppliedObject struct {
	ID string `json:"id"`
	// Path of a file, as the thread shows it.
	Path   string `json:"path,omitempty"`
	Action Action `json:"action"`
}

// eventRun begins the ids of runs that are events: what such a run wrote of a file, the
// assistant has seen.
const eventRun = "event/"

// EventRun returns the run of an event; unique makes its id so, e.g. 16 random digits.
func (t *Thread) EventRun(kind Kind, unique string) Run {
	return Run{ID: eventRun + string(kind) + "/" + unique, Session: t.id}
}

// Apply brings an event into the thread: wholly, or not at all where it returns an error.
// Its texts have been screened. read gives the files that the event brings no content of; nil
// gives none. A run of an event that changes nothing is not written.
func (t *Thread) Apply(ctx context.Context, run Run, e Event, read Reader) (Outcome, error) {
	run.Session, run.Handed = t.id, false
	if err := CheckRun(run); err != nil {
		return Outcome{}, err
	}
	if _, ok := eventFields[e.Event]; !ok {
		return Outcome{}, fmt.Errorf("event %q is unknown", clip(string(e.Event)))
	}
	if err := e.check(); err != nil {
		return Outcome{}, err
	}
	for attempt := 1; ; attempt++ {
		a, err := t.apply(ctx, run, &e, read)
		if !errors.Is(err, ErrConflict) || attempt == maxAttempts {
			return a, err
		}
		if err := t.load(ctx); err != nil {
			return Outcome{}, err
		}
	}
}

// edit is what an event will write, before it is written.
type edit struct {
	t       *Thread
	applied Outcome
	next    *sets
	objects []Object
	chat    *Chat         // nil: as it was
	guide   *SystemPrompt // nil: as it was
	gone    map[string]bool
}

func (t *Thread) apply(ctx context.Context, run Run, e *Event, read Reader) (Outcome, error) {
	d := &edit{t: t, applied: Outcome{Event: e.Event, Objects: []AppliedObject{}}, next: t.sets.clone(), gone: map[string]bool{}}
	var err error
	switch e.Event {
	case EventRead, EventWrite:
		err = d.index(ctx, e, read)
	case EventList, EventSearch:
		err = d.discover(ctx, e)
	case EventDelete:
		err = d.delete(ctx, e.Path)
	case EventToolcall:
		err = d.call(run, e)
	case EventTurn:
		err = d.turn(e)
	case EventSystemPrompt:
		err = d.prompt(*e.Content)
	default:
		err = d.level(e, read)
	}
	if err != nil {
		return Outcome{}, err
	}
	return d.applied, d.write(ctx, run)
}

// note adds an object to the answer.
func (d *edit) note(o Object, action Action) {
	a := AppliedObject{ID: HeadOf(o).ID, Action: action}
	if f, ok := o.(*File); ok {
		a.Path = d.t.display(f)
	}
	d.applied.Objects = append(d.applied.Objects, a)
	if action != Unchanged {
		d.objects = append(d.objects, o)
	}
}

// place returns the source of a path that an assistant names.
func (t *Thread) place(p string) (Source, error) {
	if p == "" {
		return Source{}, errors.New("the path is empty")
	}
	at := path.Clean(p)
	if !strings.HasPrefix(p, "/") {
		if at == "." || at == ".." || strings.HasPrefix(at, "../") {
			return Source{}, fmt.Errorf("path %q names no file below the thread's folder", clip(p))
		}
		at = t.root + "/" + at
	}
	src := t.resolver.Resolve(at).Source()
	return src, src.check()
}

// Name returns the path under which the thread shows the file that an assistant names: relative to
// the thread's root where it lies below.
func (t *Thread) Name(p string) (string, error) {
	src, err := t.place(p)
	if err != nil {
		return "", err
	}
	return t.display(&File{Head: Head{Source: &src}}), nil
}

// index takes in a file that the assistant was given.
func (d *edit) index(ctx context.Context, e *Event, read Reader) error {
	src, err := d.t.place(e.Path)
	if err != nil {
		return fmt.Errorf("event %s: %w", e.Event, err)
	}
	id := IdentityHash(TypeFile, &src, "")
	stub, err := NewStub(src)
	if err != nil {
		return err
	}
	if err := d.t.meet(ctx, []string{id}); err != nil {
		return err
	}
	var raw []byte
	switch {
	case e.Content != nil:
		raw = []byte(*e.Content)
	case read == nil:
		return fmt.Errorf("event %s: %q: %w: give its content", e.Event, clip(e.Path), ErrInaccessible)
	default:
		if raw, err = read(d.t.display(stub)); err != nil {
			return fmt.Errorf("event %s: %q: %w: %w", e.Event, clip(e.Path), ErrInaccessible, err)
		}
	}
	f, err := NewFile(src, raw)
	if err != nil {
		return err
	}
	action := Created
	if old, ok := d.t.heads[id].(*File); ok {
		action = Updated
		if old.FileHash != nil && *old.FileHash == *f.FileHash {
			// Another's version, which the assistant has now seen, becomes its own.
			seen, err := d.t.given(ctx, id)
			if err != nil {
				return err
			}
			if action = Unchanged; seen.SHA256 != *f.FileHash {
				d.objects = append(d.objects, f)
			}
		}
	}
	d.note(f, action)
	d.next.add(id, pooled|active)
	return nil
}

// discover takes in files by name.
func (d *edit) discover(ctx context.Context, e *Event) error {
	names := slices.Clone(e.Paths)
	if e.Path != "" {
		names = append(names, e.Path)
	}
	slices.Sort(names)
	var stubs []*File
	var ids []string
	for _, name := range slices.Compact(names) {
		src, err := d.t.place(name)
		if err != nil {
			return fmt.Errorf("event %s: %w", e.Event, err)
		}
		stub, err := NewStub(src)
		if err != nil {
			return err
		}
		stubs, ids = append(stubs, stub), append(ids, stub.ID)
	}
	if err := d.t.meet(ctx, ids); err != nil {
		return err
	}
	met := map[string]bool{}
	for _, stub := range stubs {
		if met[stub.ID] {
			continue
		}
		met[stub.ID] = true
		d.next.add(stub.ID, pooled)
		action := Created
		if old, ok := d.t.heads[stub.ID].(*File); ok {
			action = Unchanged
			if old.FileHash == nil {
				gone, err := d.t.isGone(ctx, stub.ID)
				if err != nil {
					return err
				}
				if gone { // it is back
					action = Updated
					d.gone[stub.ID] = false
				}
			}
		}
		d.note(stub, action)
	}
	return nil
}

// delete takes the content from a file. Of one that was never met nothing is noted.
func (d *edit) delete(ctx context.Context, name string) error {
	src, err := d.t.place(name)
	if err != nil {
		return fmt.Errorf("event delete: %w", err)
	}
	stub, err := NewStub(src)
	if err != nil {
		return err
	}
	old, ok := d.t.heads[stub.ID].(*File)
	if !ok {
		return nil
	}
	gone := false
	if old.FileHash == nil {
		if gone, err = d.t.isGone(ctx, stub.ID); err != nil {
			return err
		}
	}
	action := Unchanged
	if !gone {
		action = Updated
		d.gone[stub.ID] = true
	}
	d.note(stub, action)
	return nil
}

// call takes in a toolcall. It belongs to the turn that comes next.
func (d *edit) call(run Run, e *Event) error {
	s := Step{Tool: e.Tool, Args: e.Args, Display: e.ArgsDisplay, Failed: e.Status == StatusFail}
	if e.Content != nil {
		s.Output = *e.Content
	}
	c, err := d.t.toolcall(run, 1, s)
	if err != nil {
		return err
	}
	for _, ref := range e.FileRefs {
		id := ref
		if !isHash(ref) {
			src, err := d.t.place(ref)
			if err != nil {
				return fmt.Errorf("event toolcall: file_refs: %w", err)
			}
			id = IdentityHash(TypeFile, &src, "")
		}
		if !slices.Contains(c.FileRefs, id) || len(c.FileRefs) > few {
			c.FileRefs = append(c.FileRefs, id)
		}
	}
	if err := Seal(c); err != nil {
		return err
	}
	d.next.add(c.ID, pooled|active)
	d.note(c, Created)
	var turns []Turn
	if d.t.chat != nil {
		turns = d.t.chat.Turns
	}
	collapse(d.next, append(slices.Clip(turns), Turn{ToolcallIDs: append(d.t.pending(), c.ID)}))
	return nil
}

// few is up to how many references are looked through for one that stands there twice.
const few = 1000

// pending are the toolcalls that came after the last turn, in their order.
func (t *Thread) pending() []string {
	last := -1
	if t.chat != nil {
		for _, id := range t.chat.ToolcallRefs {
			if i, ok := t.sets.at[id]; ok {
				last = max(last, i)
			}
		}
	}
	ids := []string{}
	for _, id := range t.sets.ids[last+1:] {
		if isToolcall(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// turn adds an exchange to the chat, with the toolcalls since the one before.
func (d *edit) turn(e *Event) error {
	chat, err := d.t.nextChat(Turn{User: e.User, Assistant: e.Assistant, ToolcallIDs: d.t.pending()})
	if err != nil {
		return err
	}
	d.chat = chat
	collapse(d.next, chat.Turns)
	action := Created
	if d.t.chat != nil {
		action = Updated
	}
	d.note(chat, action)
	return nil
}

func (d *edit) prompt(text string) error {
	p, err := systemPrompt(d.t.id, text)
	if err != nil {
		return err
	}
	switch {
	case d.t.guide == nil:
		d.note(p, Created)
	case d.t.guide.ObjectHash != p.ObjectHash:
		d.note(p, Updated)
	default:
		d.note(p, Unchanged)
	}
	d.guide = p
	return nil
}

// level activates, deactivates, pins and unpins.
func (d *edit) level(e *Event, read Reader) error {
	id := e.ID
	if e.Path != "" {
		src, err := d.t.place(e.Path)
		if err != nil {
			return fmt.Errorf("event %s: %w", e.Event, err)
		}
		id = IdentityHash(TypeFile, &src, "")
	}
	shown := id
	if e.Path != "" {
		shown = e.Path
	}
	o, err := d.t.relevel(d.next, e.Event, id, read)
	if err != nil {
		return fmt.Errorf("event %s: %q: %w", e.Event, clip(shown), err)
	}
	if o != nil {
		d.note(o, Updated)
		return nil
	}
	d.note(d.t.heads[id], Unchanged)
	if i := d.next.at[id]; d.next.levels[i] != d.t.sets.levels[i] {
		d.applied.Objects[0].Action = Updated
	}
	return nil
}

// relevel edits the sets, and returns the object that comes with it, or nil.
func (t *Thread) relevel(next *sets, kind Kind, id string, read Reader) (Object, error) {
	switch {
	case id == SessionID(t.id) || id == ChatID(t.id) || id == SystemPromptID(t.id):
		return nil, ErrInfrastructure
	case !t.sets.has(id, 0) || t.heads[id] == nil:
		return nil, ErrNotInSession
	}
	switch kind {
	case EventDeactivate:
		if !next.has(id, active) {
			return nil, ErrNotActive
		}
		next.drop(id, active)
	case EventPin:
		next.add(id, pooled|pinned)
	case EventUnpin:
		if !next.has(id, pinned) {
			return nil, ErrNotPinned
		}
		next.drop(id, pinned)
	default:
		next.add(id, pooled|active)
		f, ok := t.heads[id].(*File)
		if !ok || f.FileHash != nil {
			return nil, nil
		}
		if read == nil {
			return nil, ErrInaccessible
		}
		raw, err := read(t.display(f))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInaccessible, err)
		}
		return NewFile(*f.Source, raw)
	}
	return nil, nil
}

// write puts what the event changes into the store, as one run.
func (d *edit) write(ctx context.Context, run Run) error {
	t := d.t
	session := t.stored
	if session == nil || !d.next.equal(t.sets) {
		s, err := d.next.session(t.id)
		if err != nil {
			return err
		}
		if session == nil && len(d.objects) == 0 {
			return nil // nothing happened in a thread that is not there yet
		}
		session = s
		d.objects = append(d.objects, s)
	}
	if len(d.objects) == 0 {
		return nil
	}
	if err := t.store.Put(ctx, Write{Run: run, Objects: each(d.objects...), Expect: t.expect()}); err != nil {
		return err
	}
	d.applied.Run = run.ID
	for _, o := range d.objects {
		switch o.(type) {
		case *File, *Toolcall:
			t.heads[HeadOf(o).ID] = headOnly(o)
		}
	}
	for id, gone := range d.gone {
		t.mark(id, gone)
	}
	t.stored, t.sets = session, d.next
	if d.chat != nil {
		t.chat = d.chat
	}
	if d.guide != nil {
		t.guide = d.guide
	}
	t.runs = append(t.runs, run)
	t.based = false
	return nil
}
