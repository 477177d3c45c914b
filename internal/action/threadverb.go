package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
)

// sessionVerbs are what the verb session takes, with the least and the most arguments.
var sessionVerbs = []struct {
	name        string
	least, most int
	// begins: it may begin a thread that the store does not have.
	begins bool
	do     func(ctx context.Context, c *conversation, args []string) error
}{
	{"show", 0, 0, false, sessionShow},
	{"list", 0, 0, false, sessionList},
	{"get", 1, 1, false, sessionGet},
	{"render", 0, 0, false, sessionRender},
	{"history", 1, 1, false, sessionHistory},
	{"record", 0, 0, true, sessionRecord},
	{"read", 1, manyArguments, true, tells(object.EventRead)},
	{"discover", 1, manyArguments, true, tells(object.EventList)},
	{"activate", 1, manyArguments, false, tells(object.EventActivate)},
	{"deactivate", 1, manyArguments, false, tells(object.EventDeactivate)},
	{"pin", 1, manyArguments, false, tells(object.EventPin)},
	{"unpin", 1, manyArguments, false, tells(object.EventUnpin)},
}

// sessionWords are the names of what the verb session takes.
func sessionWords() (words []string) {
	for _, v := range sessionVerbs {
		words = append(words, v.name)
	}
	return words
}

// conversation is a thread that is asked or told something on the command line.
type conversation struct {
	e        *job.Env
	thread   *object.Thread
	screener *scan.Screener
	read     object.Reader
	json     bool
	run      string // of get
	// batch runs a function whose events are one writing of the store.
	batch func(ctx context.Context, f func() error) error
}

// sessionVerb asks a thread, or tells it what its assistant did. The thread is compared with
// the files first.
func sessionVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if len(o.args) == 0 {
		return job.UsageError("session needs one of %s", strings.Join(sessionWords(), ", "))
	}
	i := slices.Index(sessionWords(), o.args[0])
	if i < 0 {
		return job.UsageError("session %q: it takes one of %s", o.args[0], strings.Join(sessionWords(), ", "))
	}
	verb, args := sessionVerbs[i], o.args[1:]
	if n := len(args); n < verb.least || n > verb.most {
		return job.UsageError("session %s: %d arguments, and it takes %s", verb.name, n, arguments(verb.least, verb.most))
	}
	own := *in
	if own.Session == job.SessionOff {
		own.Session = job.SessionAuto
	}
	if !verb.begins {
		if err := storeThere(ctx, e, &own); err != nil {
			return err
		}
	}
	alone := own
	alone.Origins = in.Fixed("mode", "graph")
	alone.Base, alone.Mode, alone.NoGraph, alone.Session = job.BaseNone, job.ModeFull, true, job.SessionOff
	if alone.Secrets == scan.Fail {
		alone.Secrets = scan.Redact // nothing leaves but what is asked for
	}
	return run(ctx, e, &alone, o, upTo{graph: true, thread: func(ctx context.Context, e *job.Env, v *snapshot.View) error {
		s, err := openThread(ctx, e, &own, v)
		defer s.close()
		for _, w := range s.notes() {
			e.Log.Warn(w)
		}
		if err != nil {
			return err
		}
		if !verb.begins && !s.thread.Known() {
			return job.WithCode(fmt.Errorf("there is no session %q: the store has none of that name", s.thread.ID()), job.ExitInput)
		}
		c := &conversation{e: e, thread: s.thread, screener: v.Sealed.Screener, read: threadReader(own.Stan, v.Head, v.Sealed), json: o.json, run: o.runOf, batch: s.batch}
		if v.Head.Kind != "commit" {
			if _, err := c.thread.Reconcile(ctx, object.Run{ID: "resume/" + job.RandomHex()[:16], Commit: v.Head.Commit.SHA}, c.read); err != nil {
				return fmt.Errorf("comparing session %q with the files: %w", c.thread.ID(), err)
			}
		}
		return verb.do(ctx, c, args)
	}})
}

// storeThere is an error where there is no store yet.
func storeThere(ctx context.Context, e *job.Env, in *job.Inputs) error {
	h, err := snapshot.OpenHead(ctx, &e.Setting, &in.Scope)
	if err != nil {
		return err
	}
	defer h.Close()
	location, err := storeLocation(e, in, h)
	if err != nil || store.IsAddress(location) {
		return err
	}
	folder, err := snapshot.OpenFolder(&e.Setting, h, filepath.Dir(location))
	if err == nil {
		defer folder.Close()
		_, err = folder.Lstat(filepath.Base(location))
	}
	if err != nil && in.Store == "" {
		if cached, failed := cachedStore(e, in, h); failed == nil {
			if _, failed := os.Lstat(cached); failed == nil {
				return nil
			}
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return job.WithCode(fmt.Errorf("there is no session yet: %s is not there; run with --session auto", slashRelOr(h.Dir, location)), job.ExitInput)
	}
	if err != nil {
		return job.WithCode(fmt.Errorf("opening the session database: %w", err), job.ExitInput)
	}
	return nil
}

// openThread opens the thread that the inputs name, of a verb. No store is brought here from an
// artifact.
func openThread(ctx context.Context, e *job.Env, in *job.Inputs, v *snapshot.View) (*session, error) {
	location, folder, note, err := openStorePlace(e, in, v.Head)
	if err != nil {
		return nil, fmt.Errorf("opening the session database: %w", err)
	}
	s, err := resume(ctx, e, in, v.Head, storePlace{location, folder, v.Sealed.Screener})
	if note != "" {
		s.warnings = append([]string{note}, s.warnings...)
	}
	return s, err
}

func sessionShow(ctx context.Context, c *conversation, _ []string) error {
	if c.json {
		return c.e.Result(func(w io.Writer) error { return c.thread.ShowJSON(ctx, w) })
	}
	return c.e.Tell(func(w io.Writer) error { return c.thread.Show(ctx, w) })
}

func sessionRender(ctx context.Context, c *conversation, _ []string) error {
	write := func(w io.Writer) error { return c.thread.Render(ctx, w, c.read) }
	if c.json {
		return printText(c.e, write)
	}
	return c.e.Result(write)
}

func sessionHistory(ctx context.Context, c *conversation, args []string) error {
	write := func(w io.Writer) error { return c.thread.History(ctx, w, args[0]) }
	tell := c.e.Tell
	if c.json {
		tell = func(write func(w io.Writer) error) error { return printText(c.e, write) }
	}
	err := tell(write)
	if errors.Is(err, object.ErrNoHistory) {
		return job.WithCode(fmt.Errorf("session history: %w", err), job.ExitInput)
	}
	return err
}

func sessionList(ctx context.Context, c *conversation, _ []string) error {
	entries, err := c.thread.Entries(ctx)
	if err != nil {
		return err
	}
	if c.json {
		return printJSON(c.e, &struct {
			Session string         `json:"session"`
			Objects []object.Entry `json:"objects"`
		}{c.thread.ID(), entries})
	}
	return c.e.Tell(func(w io.Writer) error {
		for _, x := range entries {
			what, how := x.Path, x.State
			if x.Type == object.TypeToolcall {
				what, how = x.Tool+" "+x.ID, x.Status
			}
			marks := ""
			for _, m := range []struct {
				on   bool
				name string
			}{{x.Active, " active"}, {x.Pinned, " pinned"}} {
				if m.on {
					marks += m.name
				}
			}
			shown, _ := record.DisplayPath(what)
			if _, err := fmt.Fprintf(w, "%s %s%s\n", shown, how, marks); err != nil {
				return err
			}
		}
		return nil
	})
}

func sessionGet(ctx context.Context, c *conversation, args []string) error {
	run, err := c.runNamed()
	if err != nil {
		return err
	}
	o, err := c.thread.Object(ctx, args[0], run)
	if err != nil {
		return job.WithCode(fmt.Errorf("session get: %w", err), job.ExitInput)
	}
	if h := object.HeadOf(o); !c.json {
		if h.Content == nil {
			return job.WithCode(fmt.Errorf("session get: %q has no content in this version: it is unread, deleted, not text, or store-content is off; --json prints its document", args[0]), job.ExitInput)
		}
		return c.e.Result(func(w io.Writer) error { _, err := io.WriteString(w, *h.Content); return err })
	}
	doc, err := object.Encode(o)
	if err != nil {
		return err
	}
	return c.e.Result(func(w io.Writer) error { _, err := w.Write(append(doc, '\n')); return err })
}

// runNamed is the id of the run that --run names by its number or its id, "" where it is not given.
func (c *conversation) runNamed() (string, error) {
	if c.run == "" {
		return "", nil
	}
	if n, err := strconv.Atoi(c.run); err == nil {
		if r, ok := c.thread.RunAt(n); ok {
			return r.ID, nil
		}
	}
	runs := c.thread.Runs()
	if slices.ContainsFunc(runs, func(r object.Run) bool { return r.ID == c.run }) {
		return c.run, nil
	}
	allowed := "it has none yet"
	if len(runs) > 0 {
		allowed = fmt.Sprintf("1 to %d, or an id that session show prints", len(runs))
	}
	return "", job.UsageError("--run %q is no run of session %q: %s", c.run, c.thread.ID(), allowed)
}

// tells returns the verb that tells a thread of the same event with each of its arguments.
func tells(kind object.Kind) func(ctx context.Context, c *conversation, args []string) error {
	return func(ctx context.Context, c *conversation, args []string) error {
		list := []object.Outcome{}
		for _, arg := range args {
			e := object.Event{Event: kind, Path: filepath.ToSlash(arg)}
			if kind != object.EventRead && kind != object.EventList && object.IsID(arg) {
				e.ID, e.Path = arg, ""
			}
			a, err := c.apply(ctx, e)
			if err != nil {
				return job.WithCode(err, job.ExitInput)
			}
			list = append(list, a)
		}
		if c.json {
			return printJSON(c.e, &list)
		}
		return c.e.Tell(func(w io.Writer) error {
			for _, a := range list {
				for _, x := range a.Objects {
					what := x.ID
					if x.Path != "" {
						what, _ = record.DisplayPath(x.Path)
					}
					if _, err := fmt.Fprintf(w, "%s %s\n", what, x.Action); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
}

// apply screens an event, and brings it into the thread.
func (c *conversation) apply(ctx context.Context, e object.Event) (object.Outcome, error) {
	if e.Content != nil && (e.Event == object.EventRead || e.Event == object.EventWrite) {
		name, err := c.thread.Name(e.Path)
		if err != nil {
			return object.Outcome{}, fmt.Errorf("event %s: %w", e.Event, err)
		}
		if _, err := c.read(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return object.Outcome{}, fmt.Errorf("event %s: %q: its content is not taken: %w", e.Event, e.Path, err)
		}
	}
	if err := cleanEvent(c.screener, &e); err != nil {
		return object.Outcome{}, err
	}
	return c.thread.Apply(ctx, c.thread.EventRun(e.Event, job.RandomHex()[:16]), e, c.read)
}

// cleanEvent takes the credentials out of all that an event says.
func cleanEvent(s *scan.Screener, e *object.Event) error {
	text := func(name, t string) string {
		clean, _ := s.Document(name, []byte(t))
		return string(clean)
	}
	if e.Content != nil {
		clean := text(e.Path, *e.Content)
		e.Content = &clean
	}
	for _, t := range []*string{&e.ArgsDisplay, &e.User, &e.Assistant} {
		*t = text("", *t)
	}
	for _, t := range []*string{&e.Path, &e.ID, &e.Tool} {
		*t = s.Clean(*t)
	}
	for _, list := range [][]string{e.Paths, e.FileRefs} {
		for i := range list {
			list[i] = s.Clean(list[i])
		}
	}
	if len(e.Args) > 0 {
		args, err := record.Marshal(e.Args, "")
		if err != nil {
			return fmt.Errorf("event %s: args: %w", e.Event, err)
		}
		if clean := text("args.json", string(args)); clean != string(args) {
			// A redaction may break the JSON: what is left is kept as a text.
			e.Args = map[string]any{"redacted": clean}
		}
	}
	// Parts that were searched each by itself may make a credential together.
	whole, err := record.Marshal(e, "")
	if err != nil {
		return fmt.Errorf("event %s: %w", e.Event, err)
	}
	if found, err := s.Certain(whole); err != nil || len(found) > 0 {
		return fmt.Errorf("event %s: its parts make a credential together; it is not kept", e.Event)
	}
	return nil
}

// answerLine is what session record says of a line.
type answerLine struct {
	Line int  `json:"line"`
	OK   bool `json:"ok"`
	*object.Outcome
	Error string `json:"error,omitempty"`
}

// sessionRecord applies the events on standard input, one a line, and answers each with a line. Lines
// that are there together are one writing of the store; they are answered when it is done.
func sessionRecord(ctx context.Context, c *conversation, _ []string) error {
	input := newLineQueue(ctx, os.Stdin)
	refused, n := 0, 0
	for ended := false; !ended; {
		var lines []eventLine
		var err error
		if lines, n, ended, err = input.take(ctx); err != nil {
			return fmt.Errorf("reading events: %w", err)
		}
		var answers []answerLine
		if len(lines) > 0 {
			err = c.batch(ctx, func() error {
				for _, l := range lines {
					answers = append(answers, c.answer(ctx, l))
				}
				return ctx.Err()
			})
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, l := range lines[len(answers):] { // the store could not be opened
			answers = append(answers, answerLine{Line: l.n, Error: err.Error()})
		}
		for i := range answers {
			a := &answers[i]
			if err != nil && a.OK {
				*a = answerLine{Line: a.Line, Error: err.Error()}
			}
			if !a.OK {
				refused++
			}
			snapshot.Clean(c.screener, a)
			b, err := record.Marshal(a, "")
			if err != nil {
				return err
			}
			if err := c.e.Results(b); err != nil {
				return err
			}
		}
		if err != nil {
			// What the thread takes for written is not: nothing may follow.
			return fmt.Errorf("session record: after %d lines: %w", n, err)
		}
	}
	if refused > 0 {
		return job.WithCode(fmt.Errorf("session record: %d of %d lines were refused: the answers say why", refused, n), job.ExitInput)
	}
	return nil
}

// answer applies the event of a line.
func (c *conversation) answer(ctx context.Context, l eventLine) answerLine {
	if l.long {
		return answerLine{Line: l.n, Error: fmt.Sprintf("the line is longer than %d bytes", object.MaxEvent)}
	}
	event, err := object.ParseEvent(l.text)
	if err != nil {
		return answerLine{Line: l.n, Error: err.Error()}
	}
	a, err := c.apply(ctx, event)
	if err != nil {
		return answerLine{Line: l.n, Error: err.Error()}
	}
	return answerLine{Line: l.n, OK: true, Outcome: &a}
}
