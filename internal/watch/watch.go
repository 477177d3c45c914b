// Package watch tells when files below a folder change.
//
// Changes are gathered and handed over in batches: when nothing has happened for a while, or
// when the first of them has waited long enough. While a batch is worked on the next one
// gathers. A batch names paths, not what happened to them: whoever gets it looks. A folder
// that went stands for everything below it, its path ending in "/"; one that came is told by
// the files in it.
//
// When the system drops changes, because too many came at once, or when there are more than
// can sensibly be named, the batch says that anything may have changed (Batch.All). No change
// is lost silently.
//
// Links are not followed. Changes of mode and time alone are not reported: indexers make
// them all the time. Folders that are ignored are not watched, and cost nothing; whoever writes
// below the folder while working on a batch has to ignore what it writes.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options are those of Run.
type Options struct {
	// Ignore says of a path below the root, slash-separated, that its changes are of no
	// interest, and of a folder's that it is not to be watched. nil ignores nothing.
	Ignore func(path string, folder bool) bool
	// Quiet is how long nothing must happen before a batch is handed over, 0 for 200 ms.
	Quiet time.Duration
	// Most is how long a change waits at most while others keep coming, 0 for 2 s.
	Most time.Duration
	// Decides says of a path that Ignore may answer otherwise when it has changed: once
	// the batch has been worked on, folders are looked for anew. nil says so of none.
	Decides func(path string) bool
	// Start hands a batch over at once, when everything is watched: one with All, so that
	// nothing is missed between a first look and the first change.
	Start bool
	// Ready is called once, when everything is watched, with the number of folders.
	Ready func(folders int)
}

// Batch is what changed since the last one.
type Batch struct {
	// Paths below the root, slash-separated, sorted. A folder's ends in "/".
	Paths []string
	// All says that anything may have changed; Paths is empty then.
	All bool
}

// maxPaths is how many changes are named; more are All.
const maxPaths = 100_000

// Run watches the folder root and hands batches to changed, one at a time, until ctx is
// done, changed returns an error, or watching becomes impossible. It returns nil when ctx is done.
func Run(ctx context.Context, root string, o Options, changed func(context.Context, Batch) error) error {
	if o.Ignore == nil {
		o.Ignore = func(string, bool) bool { return false }
	}
	if o.Decides == nil {
		o.Decides = func(string) bool { return false }
	}
	if o.Quiet == 0 {
		o.Quiet = 200 * time.Millisecond
	}
	if o.Most == 0 {
		o.Most = 2 * time.Second
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	fw, err := fsnotify.NewWatcher()
	if err != nil {
		return explain(err, root, 0)
	}
	defer fw.Close()
	w := &watcher{root: root, ignore: o.Ignore, add: fw.Add, remove: fw.Remove, folders: map[string]bool{}, pending: pending{quiet: o.Quiet, most: o.Most}}
	if err := w.watch(root, false); err != nil {
		return err
	}
	if o.Ready != nil {
		o.Ready(len(w.folders))
	}
	w.pending.all = o.Start

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	working, anew := false, false
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(time.Until(w.pending.due()))
		var due <-chan time.Time
		if !working && !w.pending.empty() {
			due = timer.C
		}
		select {
		case <-ctx.Done():
			if working {
				<-done
			}
			return nil
		case e, ok := <-fw.Events:
			if !ok {
				return errClosed
			}
			err = w.event(e.Name, e.Op)
		case err = <-fw.Errors:
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				// What was made meanwhile is not watched yet.
				w.pending.everything(time.Now())
				clear(w.folders)
				err = w.watch(root, false)
			}
		case <-due:
			working = true
			b := w.pending.take()
			anew = b.All || slices.ContainsFunc(b.Paths, o.Decides)
			go func() { done <- changed(ctx, b) }()
		case err = <-done:
			working = false
			if err == nil && anew {
				err = w.watch(root, false)
			}
		}
		if err != nil {
			cancel()
			if working {
				<-done
			}
			return err
		}
	}
}

var errClosed = errors.New("watching: the system's notifications have ended")

// watcher holds what is watched and what has changed.
type watcher struct {
	root    string
	ignore  func(string, bool) bool
	add     func(string) error
	remove  func(string) error
	folders map[string]bool
	pending pending
}

// rel returns a path below the root as the caller knows it.
func (w *watcher) rel(name string) (string, bool) {
	if name == w.root {
		return ".", true
	}
	p, ok := strings.CutPrefix(name, strings.TrimSuffix(w.root, string(filepath.Separator))+string(filepath.Separator))
	return filepath.ToSlash(p), ok
}

// watch adds a folder and all below it. With report, what is in them has changed: it may
// have been made before anybody looked.
func (w *watcher) watch(folder string, report bool) error {
	return filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			if name == w.root {
				return err
			}
			// It went, or may not be read: others see to that.
			if e != nil && e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		rel, ok := w.rel(name)
		if !ok {
			return nil
		}
		if rel != "." && w.ignore(rel, e.IsDir()) {
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if !e.IsDir() {
			if report {
				w.pending.add(time.Now(), rel)
			}
			return nil
		}
		if w.folders[name] {
			return nil
		}
		if err := w.add(name); err != nil {
			if name != w.root && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR)) {
				return filepath.SkipDir
			}
			return explain(err, w.root, len(w.folders))
		}
		w.folders[name] = true
		return nil
	})
}

// event takes in one notification.
func (w *watcher) event(name string, op fsnotify.Op) error {
	if op&^fsnotify.Chmod == 0 {
		return nil
	}
	rel, ok := w.rel(name)
	if !ok {
		return nil
	}
	gone := op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename)
	if rel == "." {
		if gone {
			return fmt.Errorf("watching %s: the folder is gone", w.root)
		}
		return nil
	}
	if gone && w.folders[name] {
		// What was below it has gone with it. A renamed folder comes back under its new name,
		// and where another is in its place already, that one's coming is told next.
		w.forget(name, w.remove)
		w.pending.add(time.Now(), rel+"/")
		return nil
	}
	if op.Has(fsnotify.Create) {
		if in, err := os.Lstat(name); err == nil && in.IsDir() {
			if w.ignore(rel, true) {
				return nil
			}
			if w.folders[name] { // another bore this name before: its watch is of no use
				w.forget(name, nil)
			}
			return w.watch(name, true)
		}
	}
	if !w.ignore(rel, false) {
		w.pending.add(time.Now(), rel)
	}
	return nil
}

// forget drops a folder and all below it.
func (w *watcher) forget(name string, remove func(string) error) {
	below := name + string(filepath.Separator)
	for f := range w.folders {
		if f != name && !strings.HasPrefix(f, below) {
			continue
		}
		delete(w.folders, f)
		if remove != nil {
			remove(f) // fails where the system has removed it by itself
		}
	}
}

// explain says what a user can do where a folder cannot be watched.
func explain(err error, root string, folders int) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("watching %s: after %d folders the system's limit of watches is reached%s: raise it (sudo sysctl fs.inotify.max_user_watches=524288), or exclude folders", root, folders, limit("max_user_watches"))
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return fmt.Errorf("watching %s: after %d folders no more can be opened%s: stop other programs that watch files, raise the limit (sudo sysctl fs.inotify.max_user_instances=512; ulimit -n), or exclude folders: %w", root, folders, limit("max_user_instances"), err)
	}
	return fmt.Errorf("watching %s: %w", root, err)
}

// limit says what one of the system's limits is, or nothing where it cannot be told.
func limit(name string) string {
	b, err := os.ReadFile("/proc/sys/fs/inotify/" + name)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (fs.inotify.%s = %s)", name, strings.TrimSpace(string(b)))
}

// pending gathers changes.
type pending struct {
	quiet, most time.Duration
	first, last time.Time
	paths       map[string]bool
	all         bool
}

func (p *pending) empty() bool { return len(p.paths) == 0 && !p.all }

func (p *pending) touch(now time.Time) {
	if p.empty() {
		p.first = now
	}
	p.last = now
}

func (p *pending) add(now time.Time, path string) {
	p.touch(now)
	if p.all {
		return
	}
	if p.paths == nil {
		p.paths = map[string]bool{}
	}
	p.paths[path] = true
	if len(p.paths) > maxPaths {
		p.everything(now)
	}
}

func (p *pending) everything(now time.Time) {
	p.touch(now)
	p.all, p.paths = true, nil
}

// due is when the batch is to be handed over.
func (p *pending) due() time.Time {
	quiet, most := p.last.Add(p.quiet), p.first.Add(p.most)
	if most.Before(quiet) {
		return most
	}
	return quiet
}

func (p *pending) take() Batch {
	b := Batch{All: p.all}
	for path := range p.paths {
		b.Paths = append(b.Paths, path)
	}
	slices.Sort(b.Paths)
	p.paths, p.all = nil, false
	return b
}
