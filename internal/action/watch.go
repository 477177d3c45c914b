package action

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/text"
	"github.com/haversack-dev/haversack/internal/watch"
)

// longestBurst is how long changes that keep coming wait at most to be packed.
const longestBurst = 10 * time.Second

// watchVerb packs the tree, and again whenever something changes in it, until it is
// interrupted. It hands nothing over: what a later run is compared with stays what it
// is, be it a thread's or a saved snapshot, and nothing is uploaded or posted. With a
// session, the thread learns what has become of the files that it knows.
func watchVerb(ctx context.Context, e *job.Env, in *job.Inputs, o *options) error {
	if len(o.args) > 0 {
		return job.UsageError("watch takes no arguments")
	}
	still := *in
	still.Upload, still.Comment, still.UpdateSaved = "never", "never", "never"
	w := new(watchFilter)
	defer w.close()
	if err := w.look(ctx, e, &still); err != nil {
		return err
	}
	if w.head.Kind == "commit" {
		return job.UsageError("watch needs a worktree; a commit never changes")
	}
	first := true
	options := watch.Options{Ignore: w.ignore, Decides: scan.DecidesNames, Start: true, Most: longestBurst}
	return watch.Run(ctx, w.head.Dir, options, func(ctx context.Context, b watch.Batch) error {
		if first {
			first = false
			if err := run(ctx, e, &still, o, upTo{seen: &sighting{b, o.json}}); err != nil {
				return err
			}
			e.Log.Note("watching; interrupt to end")
			return w.look(ctx, e, &still)
		}
		if err := packAgain(ctx, e, &still, b, o.json); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			// A worktree in the middle of a change may not be packed; the next one will.
			said := strings.Join(job.Faults(err), "; ")
			e.Log.Note(said)
			if o.json {
				return printEvents(e, []watchEvent{{Event: "failed", Error: said}})
			}
			return nil
		}
		what := fmt.Sprintf("%d changes", len(b.Paths))
		if len(b.Paths) == 1 {
			what = fmt.Sprintf("%q", b.Paths[0])
		}
		e.Log.Print(fmt.Sprintf("Packed again after %s.\n", what))
		return w.look(ctx, e, &still)
	})
}

// packAgain packs without a word on stdout, but for the record, where asked for it.
func packAgain(ctx context.Context, e *job.Env, in *job.Inputs, b watch.Batch, tell bool) error {
	quiet := &options{json: true}
	process := e.Muted()
	if tell {
		process = e.MutedBut()
	}
	again, err := job.Open(process, in.Token, in.SecretsLevel, true)
	if err != nil {
		return err
	}
	return run(ctx, again, in, quiet, upTo{seen: &sighting{b, tell}})
}

// sighting is what changed, of a run that hands nothing over.
type sighting struct {
	watch.Batch
	// tell: it is printed, an event a line, before the run's record.
	tell bool
}

// watchEvent is one line that watch prints with --json, beside the records (schema/watch.schema.json).
type watchEvent struct {
	// Event is changed, or failed where no record follows.
	Event string `json:"event"`
	// Path is relative to the root; a folder's, which went, ends in "/". It is empty with All: anything
	// may have changed, as at the start.
	Path string `json:"path,omitempty"`
	All  bool   `json:"all,omitempty"`
	// Thread is what it means for the thread's assistant; empty without a thread.
	Thread object.Meaning `json:"thread,omitempty"`
	Error  string         `json:"error,omitempty"`
}

// printEvents prints events, a line each.
func printEvents(e *job.Env, events []watchEvent) error {
	var b bytes.Buffer
	for i := range events {
		line, err := record.Marshal(&events[i], "")
		if err != nil {
			return err
		}
		b.Write(line)
	}
	return e.Results(b.Bytes())
}

// tellEvents prints what was seen to change, and what became of the thread's files by that.
func tellEvents(ctx context.Context, e *job.Env, in *job.Inputs, of runNote, compared []string) error {
	s, gone := of.sealed, missing(in.Stan, of.head)
	paths := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(of.seen.Paths), compared...))))
	var events []watchEvent
	if of.seen.All {
		events = append(events, watchEvent{Event: "changed", All: true})
	}
	for _, name := range paths {
		shown, _ := record.DisplayPath(s.Screener.Clean(name))
		one := watchEvent{Event: "changed", Path: shown}
		if of.session != nil && of.session.thread != nil {
			seen, err := of.session.thread.Seen(ctx, strings.TrimSuffix(name, "/"))
			if err != nil {
				return fmt.Errorf("telling what %s means for session %q: %w", text.Name(name), of.session.thread.ID(), err)
			}
			one.Thread = seen.Meaning()
			if gone(strings.TrimSuffix(name, "/")) {
				one.Thread = object.MeaningGone
			}
		}
		events = append(events, one)
	}
	return printEvents(e, events)
}

// watchFilter says which changes below the head's folder are worth packing again.
type watchFilter struct {
	mu    sync.Mutex
	head  *snapshot.Head // open: names reads ignore files when it is asked
	names *scan.Names
	own   func(at string) bool
	// beyond says of a path that no mount holds it: what changes there is not seen from here. nil
	// where all is seen.
	beyond func(name string, folder bool) bool
}

func (w *watchFilter) close() {
	if w.head != nil {
		w.head.Close()
	}
}

// ignore reports whether a path's changes change nothing in what is packed.
func (w *watchFilter) ignore(name string, folder bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	name = strings.TrimSuffix(name, "/")
	if w.beyond != nil && w.beyond(name, folder) {
		return true
	}
	return w.names.LeftOut(name, folder) || w.own(filepath.Join(w.head.Dir, filepath.FromSlash(name)))
}

// look reads what decides on names. What the last pack holds is watched, ignored or
// not. A folder that is in the middle of a change, and cannot be looked at again, is
// watched as before.
func (w *watchFilter) look(ctx context.Context, e *job.Env, in *job.Inputs) error {
	h, err := snapshot.OpenHead(ctx, &e.Setting, &in.Scope)
	if err != nil && w.head != nil {
		return nil
	}
	if err != nil {
		return err
	}
	settled, _, err := snapshot.WithDefaults(ctx, &e.Setting, in, h, nil)
	if err != nil && w.head != nil {
		h.Close()
		return nil
	}
	if err != nil {
		h.Close()
		return err
	}
	in = settled
	dir, err := snapshot.OutputDir(&e.Setting, &in.Scope, h)
	if err != nil {
		h.Close()
		return err
	}
	beyond, err := beyondMounts(e, in, h)
	if err != nil {
		h.Close()
		return err
	}
	own, err := ownFiles(e, in, h)
	if err != nil {
		h.Close()
		return err
	}
	var packed []string
	if folder, err := snapshot.OpenFolder(&e.Setting, h, dir); err == nil {
		last, err := record.ReadIn(folder, "record.json", "")
		folder.Close()
		if err == nil { // what is none names no file
			for _, f := range last.Files {
				if f.Included {
					packed = append(packed, f.Path)
				}
			}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.close()
	w.head, w.own, w.beyond = h, own, beyond
	w.names = scan.NewNames(h.Root, snapshot.NewRules(&e.Setting, &in.Scope, h, snapshot.ChooseMode(&e.Setting, &in.Scope, h, in.Mode)), h.Git(), packed)
	return nil
}

// beyondMounts reports of paths below the head's folder whether they cannot be watched: where mounts are
// declared, what none of them holds is inside of the assistant's container. A folder that a mount lies
// in is looked through. That nothing could be watched is an error.
func beyondMounts(e *job.Env, in *job.Inputs, h *snapshot.Head) (func(name string, folder bool) bool, error) {
	if len(in.Mounts) == 0 {
		return nil, nil
	}
	r, err := e.Resolver(&in.Delivery, h.Dir, "")
	if err != nil {
		return nil, err
	}
	root := r.AgentPath(filepath.ToSlash(h.Dir))
	if !r.Watchable(root) && !r.Encloses(root) {
		return nil, job.BadInput("mounts", "nothing can be watched: no mount holds %s, or lies in it; add a line %s=%s", root, root, root)
	}
	return func(name string, folder bool) bool {
		at := path.Join(root, name)
		return !r.Watchable(at) && !(folder && r.Encloses(at))
	}, nil
}

// ownFiles reports whether a file is the thread's database, or one that this
// process's words go into: a log inside the folder would be packed because it grew.
func ownFiles(e *job.Env, in *job.Inputs, h *snapshot.Head) (func(at string) bool, error) {
	location, err := storeLocation(e, in, h)
	if err != nil {
		return nil, err
	}
	streams := e.Logs()
	return func(at string) bool {
		if !store.IsAddress(location) && strings.HasPrefix(at, location) {
			return true // with what the database keeps beside it
		}
		for _, s := range streams {
			if fi, err := os.Lstat(at); err == nil && os.SameFile(fi, s) {
				return true
			}
		}
		return false
	}, nil
}
