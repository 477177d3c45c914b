package object_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
)

// world is what the rules say of a thread, kept as plainly as can be: by paths, in
// slices, with a look at all of it at each step.
type world struct {
	index  []string // paths, and tools as "call N"
	pool   map[string]bool
	active map[string]bool
	pinned map[string]bool
	// text of a file's newest version; "" with unread or gone.
	text  map[string]string
	state map[string]string // read, unread, deleted
	calls int
	open  []string   // calls of the turn that is not over
	turns [][]string // calls of each turn
	guide string
}

func newWorld() *world {
	return &world{pool: map[string]bool{}, active: map[string]bool{}, pinned: map[string]bool{}, text: map[string]string{}, state: map[string]string{}}
}

func (w *world) meet(name string) {
	if !slices.Contains(w.index, name) {
		w.index = append(w.index, name)
	}
	w.pool[name] = true
}

// fade takes calls out of the active set that are older than the last three turns, or not
// among the last five of their own.
func (w *world) fade() {
	turns := slices.Clone(w.turns)
	if len(w.open) > 0 {
		turns = append(turns, w.open)
	}
	fresh := map[string]bool{}
	for i := len(turns) - 1; i >= 0 && i >= len(turns)-3; i-- {
		for j := len(turns[i]) - 1; j >= 0 && j >= len(turns[i])-5; j-- {
			fresh[turns[i][j]] = true
		}
	}
	for name := range w.active {
		if strings.HasPrefix(name, "call ") && !fresh[name] && !w.pinned[name] {
			delete(w.active, name)
		}
	}
}

// do applies an event on name, and reports whether the rules allow it.
func (w *world) do(kind object.Kind, name, text string, files map[string]string) bool {
	switch kind {
	case object.EventRead, object.EventWrite:
		if text == "" {
			if text = files[name]; text == "" {
				return false
			}
		}
		w.meet(name)
		w.active[name] = true
		w.text[name], w.state[name] = text, "read"
	case object.EventList, object.EventSearch:
		w.meet(name)
		if w.state[name] != "read" {
			w.state[name] = "unread"
		}
	case object.EventDelete:
		if slices.Contains(w.index, name) {
			w.text[name], w.state[name] = "", "deleted"
		}
	case object.EventToolcall:
		w.calls++
		name = fmt.Sprint("call ", w.calls)
		w.meet(name)
		w.active[name] = true
		w.open = append(w.open, name)
		w.fade()
	case object.EventTurn:
		w.turns = append(w.turns, w.open)
		w.open = nil
		w.fade()
	case object.EventSystemPrompt:
		w.guide = text
	case object.EventActivate:
		if !slices.Contains(w.index, name) {
			return false
		}
		if !strings.HasPrefix(name, "call ") && w.state[name] != "read" {
			if files[name] == "" {
				return false
			}
			w.text[name], w.state[name] = files[name], "read"
		}
		w.pool[name], w.active[name] = true, true
	case object.EventDeactivate:
		if !w.active[name] {
			return false
		}
		delete(w.active, name)
	case object.EventPin:
		if !slices.Contains(w.index, name) {
			return false
		}
		w.pinned[name] = true
	case object.EventUnpin:
		if !w.pinned[name] {
			return false
		}
		delete(w.pinned, name)
	}
	return true
}

// look is the disk coming before the thread again: files that it met are compared.
func (w *world) look(files map[string]string) {
	for _, name := range w.index {
		switch now, there := files[name]; {
		case strings.HasPrefix(name, "call "):
		case !there:
			w.text[name], w.state[name] = "", "deleted"
		case now == "":
			// it cannot be read: nothing is known
		default:
			w.text[name], w.state[name] = now, "read"
		}
	}
}

// lines are the thread's objects as a text to compare.
func (w *world) lines() (out []string) {
	for _, name := range w.index {
		out = append(out, fmt.Sprintf("%s %s pool=%t active=%t pinned=%t %q", name, w.state[name], w.pool[name], w.active[name], w.pinned[name], w.text[name]))
	}
	return append(out, fmt.Sprintf("turns %d %q", len(w.turns), w.guide))
}

// kinds are all events, those that meet files more often.
var kinds = []object.Kind{object.EventRead, object.EventRead, object.EventList, object.EventSearch, object.EventWrite, object.EventDelete, object.EventToolcall,
	object.EventToolcall, object.EventToolcall, object.EventTurn, object.EventActivate, object.EventDeactivate, object.EventPin, object.EventUnpin, object.EventSystemPrompt}

// busy are the events of many calls: a turn after about six of them, and some calls pinned or taken up again.
var busy = append(slices.Repeat([]object.Kind{object.EventToolcall}, 12), object.EventTurn, object.EventTurn,
	object.EventPin, object.EventUnpin, object.EventActivate, object.EventDeactivate, object.EventRead)

// TestEventsKeepTheRules plays random sequences of events, of changes on the disk and of
// openings, against the rules as world has them.
func TestEventsKeepTheRules(t *testing.T) {
	sequences := 500
	if testing.Short() {
		sequences = 10
	}
	for seed := range sequences {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			play(t, rand.New(rand.NewPCG(uint64(seed), 46)))
		})
	}
}

func play(t *testing.T, r *rand.Rand) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "objects.db")
	names := []string{"lib/ära.rb", "Makefile", "a b.txt", "x/y/z.py"}
	files := map[string]string{}
	for _, n := range names[:2] {
		files[n] = "first\n"
	}
	read := func(p string) ([]byte, error) {
		c, ok := files[p]
		switch {
		case !ok:
			return nil, fs.ErrNotExist
		case c == "":
			return nil, fs.ErrPermission
		}
		return []byte(c), nil
	}
	open := func() (*object.Thread, object.Store) {
		st, note, err := store.Open(ctx, path, store.Options{KeepFiles: object.MaxContent})
		if err != nil || note != "" {
			t.Fatal(note, err)
		}
		return resume(t, st, "s"), st
	}
	thread, st := open()
	defer func() { st.Close() }()
	w := newWorld()
	ids := map[string]string{} // of calls
	var told []string
	// Every third sequence is of an assistant that calls many tools in a turn, over many turns:
	// only there do calls grow old.
	often, steps := kinds, 6+r.IntN(14)
	if r.IntN(3) == 0 {
		often, steps = busy, 30+r.IntN(20)
	}
	for step := range steps {
		name := names[r.IntN(len(names))]
		switch r.IntN(8) {
		case 0: // the disk changes, and the thread is opened
			switch r.IntN(4) {
			case 0:
				delete(files, name)
			case 1:
				files[name] = "" // is there, and cannot be read
			default:
				files[name] = fmt.Sprint("text ", step, "\n")
			}
			if r.IntN(2) == 0 {
				st.Close()
				thread, st = open()
			}
			if _, err := thread.Reconcile(ctx, object.Run{ID: fmt.Sprint("resume/", step)}, read); err != nil {
				t.Fatal(err)
			}
			w.look(files)
			told = append(told, "look")
		default:
			e := object.Event{Event: often[r.IntN(len(often))]}
			text := ""
			switch e.Event {
			case object.EventToolcall:
				e.Tool, e.Status = "grep", object.StatusFail
				out := fmt.Sprint("output ", step)
				e.Content = &out
				name = ""
			case object.EventTurn:
				e.User = fmt.Sprint("question ", step)
			case object.EventSystemPrompt:
				text = fmt.Sprint("guide ", r.IntN(2))
				e.Content = &text
			case object.EventActivate, object.EventDeactivate, object.EventPin, object.EventUnpin:
				if w.calls > 0 && r.IntN(2) == 0 {
					name = fmt.Sprint("call ", 1+r.IntN(w.calls))
					e.ID = ids[name]
				} else {
					e.Path = name
				}
			case object.EventRead, object.EventWrite:
				if r.IntN(3) == 0 {
					text = fmt.Sprint("given ", step)
					e.Content = &text
				}
				fallthrough
			default:
				e.Path = name
			}
			told = append(told, fmt.Sprintf("%s %s%s", e.Event, name, text))
			a, err := thread.Apply(ctx, thread.EventRun(e.Event, fmt.Sprint(step)), e, read)
			if allowed := w.do(e.Event, name, text, files); allowed != (err == nil) {
				t.Fatalf("%q: %v; the rules say %t", told, err, allowed)
			}
			if e.Event == object.EventToolcall {
				ids[fmt.Sprint("call ", w.calls)] = a.Objects[0].ID
				w.text[fmt.Sprint("call ", w.calls)] = *e.Content
			}
		}
		if diff := cmp.Diff(w.lines(), linesOf(t, thread, st, ids)); diff != "" {
			t.Fatalf("%q:\n%s", told, diff)
		}
	}
}

// linesOf is a thread as world tells it, by what the store says.
func linesOf(t *testing.T, thread *object.Thread, st object.Store, calls map[string]string) (out []string) {
	t.Helper()
	ctx := context.Background()
	entries, err := thread.Entries(ctx)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for name, id := range maps.All(calls) {
		names[id] = name
	}
	for _, e := range entries {
		o, err := thread.Object(ctx, e.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		h, text := object.HeadOf(o), ""
		if (h.Content == nil) != (h.ContentHash == nil) {
			t.Fatalf("%s: content is null and content_hash is not, or the other way", e.ID)
		}
		if h.Content != nil {
			text = *h.Content
		}
		name := e.Path
		if e.Type == object.TypeToolcall {
			name = names[e.ID]
		}
		out = append(out, fmt.Sprintf("%s %s pool=%t active=%t pinned=%t %q", name, e.State, e.Pooled, e.Active, e.Pinned, text))
	}
	own, err := st.Get(ctx, object.Query{IDs: []string{object.ChatID("s"), object.SystemPromptID("s"), object.SessionID("s")}, Content: true})
	if err != nil {
		t.Fatal(err)
	}
	// The document has what the entries say, each set in the order of the index.
	if d, ok := own[object.SessionID("s")].(*object.Session); ok {
		var index, pool, active, pinned []string
		for _, e := range entries {
			index = append(index, e.ID)
			for _, s := range []struct {
				in  bool
				set *[]string
			}{{e.Pooled, &pool}, {e.Active, &active}, {e.Pinned, &pinned}} {
				if s.in {
					*s.set = append(*s.set, e.ID)
				}
			}
		}
		if !slices.Equal(index, d.SessionIndex) || !slices.Equal(pool, d.MetadataPool) || !slices.Equal(active, d.ActiveSet) || !slices.Equal(pinned, d.PinnedSet) {
			t.Errorf("the stored sets are %q, %q, %q and %q", d.SessionIndex, d.MetadataPool, d.ActiveSet, d.PinnedSet)
		}
	} else if len(entries) > 0 {
		t.Error("the session has objects and no document")
	}
	turns, guide := 0, ""
	if c, ok := own[object.ChatID("s")].(*object.Chat); ok {
		turns = c.TurnCount
	}
	if p, ok := own[object.SystemPromptID("s")].(*object.SystemPrompt); ok {
		guide = *p.Content
	}
	return append(out, fmt.Sprintf("turns %d %q", turns, guide))
}

// TestEventsRefused: each is one clear error, and the thread stays as it was.
func TestEventsRefused(t *testing.T) {
	for line, want := range map[string]string{
		`{"event":"read"`:                                  "ends in the middle",
		`{"event":"read"}`:                                 "event read has no path",
		`{"event":"peek","path":"a"}`:                      `event "peek" is none of read`,
		`{"event":"read","path":"a","tool":"x"}`:           `event read has no field "tool"`,
		`{"event":"read","path":"a","folder":1}`:           "no field",
		`{"event":"pin"}`:                                  "either an id or a path",
		`{"event":"toolcall","tool":"x","status":1}`:       "cannot unmarshal",
		`{"event":"toolcall","tool":"x","status":"maybe"}`: "neither ok nor fail",
		`{"event":"turn"}`:                                 "neither user nor assistant",
		`{"event":"list","path":"a"} {"event":"list"}`:     "more than one",
		`[]`:                                     "not an event",
		"{\"event\":\"list\",\"path\":\"\xff\"}": "not UTF-8",
		`{"event":"system_prompt","content":null}`:          "has no content",
		strings.Repeat("[", 100) + strings.Repeat("]", 100): "not an event",
		`{"event":"turn","user":"` + strings.Repeat("a", 3): "ends in the middle",
	} {
		if _, err := object.ParseEvent([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v; want %q in it", line, err, want)
		}
	}
	st := openStore(t)
	ctx := context.Background()
	thread, other := resume(t, st, "one"), resume(t, st, "two")
	a, err := other.Apply(ctx, other.EventRun(object.EventToolcall, "1"), object.Event{Event: object.EventToolcall, Tool: "ls", Status: object.StatusOK}, nil)
	if err != nil {
		t.Fatal(err)
	}
	foreign := a.Objects[0].ID
	for _, c := range []struct {
		e    object.Event
		want error
	}{
		{object.Event{Event: object.EventActivate, ID: foreign}, object.ErrNotInSession},
		{object.Event{Event: object.EventPin, ID: object.ChatID("one")}, object.ErrInfrastructure},
		{object.Event{Event: object.EventPin, Path: "never/seen.c"}, object.ErrNotInSession},
		{object.Event{Event: object.EventRead, Path: "gone.c"}, object.ErrInaccessible},
		{object.Event{Event: object.EventRead, Path: "../up.c"}, nil},
		{object.Event{Event: object.EventList, Paths: []string{"fine.c", "../../up.c"}}, nil},
		{object.Event{Event: object.EventList, Path: "nul\x00.c"}, nil},
	} {
		_, err := thread.Apply(ctx, thread.EventRun(c.e.Event, "2"), c.e, nil)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%+v: %v; want %v", c.e, err, c.want)
		}
	}
	if n := len(session(t, thread).SessionIndex); n != 0 || len(thread.Runs()) != 0 {
		t.Errorf("%d objects and %d runs after refusals", n, len(thread.Runs()))
	}
}

// TestSeen: what the assistant was given, and which version of it.
func TestSeen(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	thread := resume(t, st, "s")
	have := map[string]string{"a.go": "1", "b.go": "2"}
	mustRecord(t, thread, object.Handover{Run: run(1), Files: files(have), Known: []string{"c.go"}})
	is := func(name string, has, stale bool, number int) {
		t.Helper()
		s, err := thread.Seen(ctx, name)
		if err != nil || s.Has(object.FileHash([]byte(have[name]))) != has || s.Stale() != stale || s.Number != number {
			t.Errorf("%s: %+v, %v; want has %t, stale %t, run %d", name, s, err, has, stale, number)
		}
	}
	is("a.go", true, false, 1)
	is("c.go", false, false, 0)
	is("never.go", false, false, 0)
	have["a.go"] = "new"
	if _, err := thread.Reconcile(ctx, object.Run{ID: "resume/1"}, disk(have)); err != nil {
		t.Fatal(err)
	}
	is("a.go", false, true, 1)
	read := object.Event{Event: object.EventRead, Path: "a.go"}
	if a, err := thread.Apply(ctx, thread.EventRun(object.EventRead, "1"), read, disk(have)); err != nil || a.Objects[0].Action != object.Unchanged || a.Run == "" {
		t.Errorf("reading what a watcher indexed: %+v, %v", a, err)
	}
	is("a.go", true, false, 3)
	if a, err := thread.Apply(ctx, thread.EventRun(object.EventRead, "2"), read, disk(have)); err != nil || a.Run != "" {
		t.Errorf("reading again what is read: %+v, %v", a, err)
	}
	// Handed over as it is: it is the hand-over that the assistant has it from.
	mustRecord(t, thread, object.Handover{Run: run(2), Files: files(have)})
	is("a.go", true, false, 4)
	delete(have, "b.go")
	if _, err := thread.Refresh(ctx, object.Run{ID: "watch/2"}, []string{"b.go"}, disk(have)); err != nil {
		t.Fatal(err)
	}
	if s, err := thread.Seen(ctx, "b.go"); err != nil || !s.Gone || s.Unread || !s.Stale() {
		t.Errorf("b.go: %+v, %v", s, err)
	}
	// It is back, and nobody read it; c.go was not there to be compared.
	mustRecord(t, thread, object.Handover{Run: run(3), Files: files(have), Known: []string{"b.go"}})
	for _, again := range []*object.Thread{thread, resume(t, st, "s")} {
		if s, err := again.Seen(ctx, "b.go"); err != nil || s.Gone || !s.Unread {
			t.Errorf("b.go is back: %+v, %v", s, err)
		}
		if s, err := again.Status(ctx); err != nil || s.Counts.Deleted != 1 || !slices.Contains(s.Unread, "b.go") {
			t.Errorf("unread %q, %d deleted, %v", s.Unread, s.Counts.Deleted, err)
		}
	}
}
