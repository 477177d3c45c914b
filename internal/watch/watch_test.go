package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// patience bounds how long a test waits for what has to come.
const patience = 60 * time.Second

// watching runs Run on a new folder, made by setup, and returns the folder and the batches.
type watching struct {
	t       *testing.T
	root    string
	batches chan Batch
	ended   chan error
	stop    func()
}

func start(t *testing.T, o Options, setup func(root string)) *watching {
	t.Helper()
	root := t.TempDir()
	if setup != nil {
		setup(root)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &watching{t: t, root: root, batches: make(chan Batch, 1000), ended: make(chan error, 1), stop: cancel}
	ready := make(chan struct{})
	o.Ready = func(int) { close(ready) }
	if o.Quiet == 0 {
		o.Quiet = 20 * time.Millisecond
	}
	go func() {
		w.ended <- Run(ctx, root, o, func(_ context.Context, b Batch) error { w.batches <- b; return nil })
	}()
	select {
	case <-ready:
	case err := <-w.ended:
		t.Fatal(err)
	}
	t.Cleanup(cancel)
	return w
}

// until gathers batches until every path has come, and returns all that came.
func (w *watching) until(paths ...string) map[string]bool {
	w.t.Helper()
	got := map[string]bool{}
	deadline := time.After(patience)
	for {
		missing := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return got[p] || got["*"] })
		if len(missing) == 0 {
			return got
		}
		select {
		case b := <-w.batches:
			if b.All {
				got["*"] = true
			}
			for _, p := range b.Paths {
				got[p] = true
			}
		case err := <-w.ended:
			w.t.Fatalf("watching ended: %v", err)
		case <-deadline:
			w.t.Fatalf("%d paths did not come, among them %q", len(missing), missing[0])
		}
	}
}

func (w *watching) write(names ...string) {
	w.t.Helper()
	for _, n := range names {
		p := filepath.Join(w.root, n)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(n), 0o644)); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestChanges(t *testing.T) {
	w := start(t, Options{}, func(root string) {
		os.MkdirAll(filepath.Join(root, "a/b"), 0o755)
		os.WriteFile(filepath.Join(root, "a/b/old"), nil, 0o644)
	})
	w.write("top", "a/b/c")
	w.until("top", "a/b/c")
	// A folder that comes is watched, with what is in it already and with what comes later.
	w.write("new/deep/er/file")
	w.until("new/deep/er/file")
	w.write("new/deep/er/file2")
	w.until("new/deep/er/file2")
	if err := os.Remove(filepath.Join(w.root, "a/b/old")); err != nil {
		t.Fatal(err)
	}
	w.until("a/b/old")
	if err := os.RemoveAll(filepath.Join(w.root, "new")); err != nil {
		t.Fatal(err)
	}
	w.until("new/")
	// It comes again.
	w.write("new/deep/again")
	w.until("new/deep/again")
}

func TestRenames(t *testing.T) {
	w := start(t, Options{}, func(root string) {
		os.MkdirAll(filepath.Join(root, "d/sub"), 0o755)
		os.WriteFile(filepath.Join(root, "f"), nil, 0o644)
		os.WriteFile(filepath.Join(root, "d/sub/x"), nil, 0o644)
	})
	mv := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(w.root, from), filepath.Join(w.root, to)); err != nil {
			t.Fatal(err)
		}
	}
	mv("f", "g")
	w.until("f", "g")
	mv("d", "e")
	w.until("d/", "e/sub/x")
	// What happens in the renamed folder bears its new name.
	w.write("e/sub/y")
	got := w.until("e/sub/y")
	if got["d/sub/y"] {
		t.Error("a change bears the folder's old name")
	}
	// An editor saves by renaming over the file.
	w.write("g.tmp")
	mv("g.tmp", "g")
	w.until("g")
	// A folder takes the place of another.
	w.write("n/z")
	w.until("n/z")
	if err := os.RemoveAll(filepath.Join(w.root, "e")); err != nil {
		t.Fatal(err)
	}
	mv("n", "e")
	w.until("e/z")
	w.write("e/zz")
	w.until("e/zz")
}

func TestIgnored(t *testing.T) {
	seen := 0
	w := start(t, Options{Ignore: func(p string, folder bool) bool {
		seen++
		return p == "out" && folder || strings.HasSuffix(p, ".log")
	}}, func(root string) {
		os.MkdirAll(filepath.Join(root, "out/deep"), 0o755)
	})
	w.write("out/x", "out/deep/y", "a.log", "later/b.log", "later/c")
	got := w.until("later/c")
	w.write("end")
	for p := range w.until("end") {
		got[p] = true
	}
	for p := range got {
		if strings.HasPrefix(p, "out") || strings.HasSuffix(p, ".log") {
			t.Errorf("%s came", p)
		}
	}
}

// TestBurst makes 10,000 changes at once: each is named, or the batch says All.
func TestBurst(t *testing.T) {
	w := start(t, Options{}, nil)
	var want []string
	files := 10_000
	if testing.Short() {
		files = 1_000
	}
	for i := range files {
		want = append(want, fmt.Sprintf("d%d/f%d", i%50, i))
	}
	w.write(want...)
	w.until(want...)
}

// TestBatchesDoNotOverlap changes files while a batch is worked on.
func TestBatchesDoNotOverlap(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ready, entered, release := make(chan struct{}), make(chan Batch), make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, root, Options{Quiet: time.Millisecond, Ready: func(int) { close(ready) }}, func(_ context.Context, b Batch) error {
			entered <- b
			<-release
			return nil
		})
	}()
	<-ready
	write := func(n string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, n), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	if b := <-entered; !slices.Equal(b.Paths, []string{"one"}) {
		t.Errorf("first batch = %v", b)
	}
	write("two")
	write("three")
	release <- struct{}{}
	got := map[string]bool{}
	for !got["two"] || !got["three"] {
		for _, p := range (<-entered).Paths {
			got[p] = true
		}
		release <- struct{}{}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run = %v", err)
	}
}

func TestEnds(t *testing.T) {
	boom := errors.New("boom")
	root := t.TempDir()
	ready := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- Run(context.Background(), root, Options{Quiet: 1, Ready: func(int) { close(ready) }}, func(context.Context, Batch) error { return boom })
	}()
	<-ready
	if err := os.WriteFile(filepath.Join(root, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, boom) {
		t.Errorf("Run = %v", err)
	}

	if err := Run(context.Background(), filepath.Join(root, "nowhere"), Options{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Run of nothing = %v", err)
	}

	w := start(t, Options{}, nil)
	if err := os.Remove(w.root); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-w.ended:
		if err == nil || !strings.Contains(err.Error(), "the folder is gone") {
			t.Errorf("Run of a folder that went = %v", err)
		}
	case <-time.After(patience):
		t.Error("Run of a folder that went does not end")
	}
}

func TestLimits(t *testing.T) {
	root := t.TempDir()
	for i := range 5 {
		if err := os.Mkdir(filepath.Join(root, fmt.Sprint(i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		err  error
		says []string
	}{
		{syscall.ENOSPC, []string{"after 3 folders", "limit of watches", "max_user_watches=524288", "exclude folders"}},
		{syscall.EMFILE, []string{"after 3 folders", "max_user_instances=512", "exclude folders"}},
	} {
		n := 0
		w := &watcher{root: root, ignore: func(string, bool) bool { return false }, folders: map[string]bool{}, add: func(string) error {
			if n++; n > 3 {
				return c.err
			}
			return nil
		}}
		err := w.watch(root, false)
		for _, s := range c.says {
			if err == nil || !strings.Contains(err.Error(), s) {
				t.Errorf("%v: %v does not say %q", c.err, err, s)
			}
		}
	}
}

func TestPending(t *testing.T) {
	at := func(ms int) time.Time { return time.UnixMilli(int64(ms)) }
	p := pending{quiet: 100 * time.Millisecond, most: 250 * time.Millisecond}
	if !p.empty() {
		t.Error("a new one is not empty")
	}
	for _, c := range []struct{ add, due int }{{0, 100}, {50, 150}, {149, 249}, {200, 250}, {240, 250}} {
		p.add(at(c.add), "b")
		if !p.due().Equal(at(c.due)) {
			t.Errorf("after %d ms it is due at %d, want %d", c.add, p.due().UnixMilli(), c.due)
		}
	}
	p.add(at(241), "a")
	if b := p.take(); !slices.Equal(b.Paths, []string{"a", "b"}) || b.All || !p.empty() {
		t.Errorf("take = %v", b)
	}
	p.add(at(1000), "c")
	if !p.due().Equal(at(1100)) {
		t.Errorf("the second batch is due at %d", p.due().UnixMilli())
	}
	for i := range maxPaths + 1 {
		p.add(at(1001), fmt.Sprint(i))
	}
	if b := p.take(); !b.All || b.Paths != nil {
		t.Errorf("too many: %v, %d paths", b.All, len(b.Paths))
	}
	p.everything(at(2000))
	p.add(at(2001), "d")
	if b := p.take(); !b.All || b.Paths != nil {
		t.Errorf("everything: %v", b)
	}
}

func TestModeAloneIsNothing(t *testing.T) {
	w := &watcher{root: "/r", ignore: func(string, bool) bool { return false }, folders: map[string]bool{}}
	if err := w.event("/r/x", fsnotify.Chmod); err != nil || !w.pending.empty() {
		t.Errorf("%v, %v", err, w.pending.paths)
	}
	if err := w.event("/elsewhere", fsnotify.Write); err != nil || !w.pending.empty() {
		t.Errorf("%v, %v", err, w.pending.paths)
	}
}
