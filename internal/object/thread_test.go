package object_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
)

var update = flag.Bool("update", false, "write golden files anew")

const root = "/github/workspace"

func openStore(t *testing.T) object.Store {
	t.Helper()
	st, note, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "objects.db"), store.Options{KeepFiles: 1 << 20})
	if err != nil || note != "" {
		t.Fatal(note, err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func resume(t *testing.T, st object.Store, session string) *object.Thread {
	t.Helper()
	r, err := object.Workflow("machine", "repository", root)
	if err != nil {
		t.Fatal(err)
	}
	thread, err := object.Resume(context.Background(), st, session, r, root)
	if err != nil {
		t.Fatal(err)
	}
	return thread
}

func id(path string) string {
	src := object.Filesystem("repository", "/"+path)
	return object.IdentityHash(object.TypeFile, &src, "")
}

// files makes members from a map of path to content.
func files(content map[string]string) []object.Member {
	var out []object.Member
	for p, c := range content {
		out = append(out, object.Member{Path: p, SHA256: object.FileHash([]byte(c)), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(c)), nil
		}})
	}
	return out
}

// disk reads from a map; what it lacks is gone, and what holds "!" cannot be read.
func disk(content map[string]string) object.Reader {
	return func(p string) ([]byte, error) {
		c, ok := content[p]
		switch {
		case !ok:
			return nil, fs.ErrNotExist
		case c == "!":
			return nil, fs.ErrPermission
		}
		return []byte(c), nil
	}
}

func mustRecord(t *testing.T, thread *object.Thread, h object.Handover) object.Report {
	t.Helper()
	r, err := thread.Record(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func session(t *testing.T, thread *object.Thread) *object.Session {
	t.Helper()
	s, err := thread.Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s.Session
}

func run(n int) object.Run {
	return object.Run{ID: fmt.Sprintf("100%d:1", n), Commit: fmt.Sprintf("c%d", n), Handed: true}
}

// --- identity

func TestIdentity(t *testing.T) {
	a := object.Filesystem("fs", "/a.go")
	same, other, elsewhere := object.Filesystem("fs", "/a.go"), object.Filesystem("fs", "/b.go"), object.Filesystem("fs2", "/a.go")
	of := func(s object.Source) string { return object.IdentityHash(object.TypeFile, &s, "") }
	if of(a) != of(same) {
		t.Error("one source has two ids")
	}
	if of(a) == of(other) || of(a) == of(elsewhere) {
		t.Error("two sources have one id")
	}
	f, err := object.NewFile(a, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if f.ID != of(a) || f.IdentityHash != f.ID {
		t.Error("the id of a file is not its identity hash")
	}
}

// --- indexing, discovery

func TestIndexing(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	src := object.Filesystem("fs", "/a.go")
	n := 0
	next := func() object.Run { n++; return object.Run{ID: fmt.Sprint(n), Session: "s"} }
	is := func(what string, got object.Result, err error, want object.Action, versions int) {
		t.Helper()
		if err != nil || got.Action != want {
			t.Errorf("%s: %s, %v; want %s", what, got.Action, err, want)
		}
		if v, err := st.History(ctx, got.ID); err != nil || len(v) != versions {
			t.Errorf("%s: %d versions, %v; want %d", what, len(v), err, versions)
		}
	}
	newest := func(id string) *object.File {
		t.Helper()
		m, err := st.Get(ctx, object.Query{IDs: []string{id}, Content: true})
		if err != nil {
			t.Fatal(err)
		}
		f, _ := m[id].(*object.File)
		return f
	}

	r, err := object.DiscoverFile(ctx, st, next(), src)
	is("discovering", r, err, object.Created, 1)
	if f := newest(r.ID); f.Content != nil || f.FileHash != nil || f.ContentHash != nil || f.CharCount != 0 || f.FileType != "go" {
		t.Errorf("the stub is %+v", f)
	}
	r, err = object.DiscoverFile(ctx, st, next(), src)
	is("discovering again", r, err, object.Unchanged, 1)
	r, err = object.IndexFile(ctx, st, next(), src, []byte("one"))
	is("upgrading the stub", r, err, object.Updated, 2)
	if f := newest(r.ID); *f.Content != "one" || f.CharCount != 3 {
		t.Errorf("the file is %+v", f)
	}
	r, err = object.DiscoverFile(ctx, st, next(), src)
	is("discovering what is indexed", r, err, object.Unchanged, 2)
	r, err = object.IndexFile(ctx, st, next(), src, []byte("one"))
	is("indexing the same", r, err, object.Unchanged, 2)
	r, err = object.IndexFile(ctx, st, next(), src, []byte("two"))
	is("indexing a change", r, err, object.Updated, 3)
	r, err = object.IndexFileDeletion(ctx, st, next(), src)
	is("deleting", r, err, object.Updated, 4)
	if f := newest(r.ID); f.Content != nil || f.FileHash != nil || f.ContentHash != nil {
		t.Errorf("the deleted file is %+v", f)
	}
	r, err = object.IndexFileDeletion(ctx, st, next(), src)
	is("deleting again", r, err, object.Unchanged, 4)
	r, err = object.DiscoverFile(ctx, st, next(), src)
	is("discovering what is deleted", r, err, object.Unchanged, 4)
	r, err = object.IndexFile(ctx, st, next(), src, []byte("back"))
	is("its return", r, err, object.Updated, 5)

	fresh := object.Filesystem("fs", "/b.go")
	r, err = object.IndexFileDeletion(ctx, st, next(), fresh)
	is("deleting what was never seen", r, err, object.Unchanged, 0)
	r, err = object.IndexFile(ctx, st, next(), fresh, nil)
	is("indexing an empty file", r, err, object.Created, 1)
	if f := newest(r.ID); f.FileHash == nil || f.Content == nil || *f.Content != "" {
		t.Errorf("the empty file is %+v", f)
	}
	if _, err := object.IndexFile(ctx, st, next(), object.Filesystem("fs", "/\xff"), nil); err == nil {
		t.Error("a path that is not UTF-8 has an object")
	}
}

// --- content and infrastructure

func TestContentAndInfrastructure(t *testing.T) {
	ctx := context.Background()
	thread := resume(t, openStore(t), "pr-1")
	mustRecord(t, thread, object.Handover{
		Run: run(1), Files: files(map[string]string{"a.go": "a"}), Guide: "guide", Asked: "pack",
		Steps: []object.Step{{Tool: "scan", Output: "1 file"}},
	})
	s := session(t, thread)
	if want := []string{id("a.go"), "toolcall:1001:1:1"}; !slices.Equal(s.SessionIndex, want) {
		t.Errorf("session_index = %q, want %q", s.SessionIndex, want)
	}
	if s.ChatRef != "chat:pr-1" || s.SystemPromptRef != "system_prompt:pr-1" || s.ID != "session:pr-1" {
		t.Errorf("refs = %s, %s, %s", s.ChatRef, s.SystemPromptRef, s.ID)
	}
	for _, infra := range []string{"chat:pr-1", "system_prompt:pr-1", "session:pr-1"} {
		r := object.Run{ID: "no"}
		for what, err := range map[string]error{
			"activate": thread.Activate(ctx, r, infra, nil), "deactivate": thread.Deactivate(ctx, r, infra), "pin": thread.Pin(ctx, r, infra), "unpin": thread.Unpin(ctx, r, infra),
		} {
			if !errors.Is(err, object.ErrInfrastructure) {
				t.Errorf("%s %s: %v", what, infra, err)
			}
		}
	}
}

// --- stub activation

func TestStubActivation(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	thread := resume(t, st, "pr-1")
	mustRecord(t, thread, object.Handover{Run: run(1), Files: files(map[string]string{"a.go": "a"}), Known: []string{"b.go", "c.go"}})
	if got, err := thread.Unread(ctx); err != nil || !slices.Equal(got, []string{"b.go", "c.go"}) {
		t.Errorf("Unread = %q, %v", got, err)
	}
	if out := render(t, thread, nil); !strings.Contains(out, "path=b.go file_type=go [unread]\n") {
		t.Errorf("no [unread] in\n%s", out)
	}
	here := disk(map[string]string{"b.go": "bb", "c.go": "!"})
	if err := thread.Activate(ctx, object.Run{ID: "act1"}, id("b.go"), here); err != nil {
		t.Fatal(err)
	}
	if err := thread.Activate(ctx, object.Run{ID: "act2"}, id("c.go"), here); !errors.Is(err, object.ErrInaccessible) {
		t.Errorf("activating what cannot be read: %v", err)
	}
	if err := thread.Activate(ctx, object.Run{ID: "act2"}, id("nobody"), here); !errors.Is(err, object.ErrNotInSession) {
		t.Errorf("activating what the session never met: %v", err)
	}
	check := func(thread *object.Thread) {
		t.Helper()
		s := session(t, thread)
		if !slices.Equal(s.ActiveSet, []string{id("a.go"), id("b.go")}) {
			t.Errorf("active_set = %q", s.ActiveSet)
		}
		out := render(t, thread, nil)
		for _, want := range []string{"path=b.go file_type=go char_count=2\n", "path=c.go file_type=go [unread]\n", "\nACTIVE_CONTENT id=" + id("b.go") + "\nbb\n"} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	}
	check(thread)
	check(resume(t, st, "pr-1"))

	// Deactivating leaves the pool; pinning holds nothing against it.
	if err := thread.Pin(ctx, object.Run{ID: "pin"}, id("b.go")); err != nil {
		t.Fatal(err)
	}
	if err := thread.Deactivate(ctx, object.Run{ID: "off"}, id("b.go")); err != nil {
		t.Fatal(err)
	}
	if err := thread.Deactivate(ctx, object.Run{ID: "off2"}, id("b.go")); !errors.Is(err, object.ErrNotActive) {
		t.Errorf("deactivating twice: %v", err)
	}
	s := session(t, resume(t, st, "pr-1"))
	if !slices.Contains(s.MetadataPool, id("b.go")) || slices.Contains(s.ActiveSet, id("b.go")) || !slices.Equal(s.PinnedSet, []string{id("b.go")}) {
		t.Errorf("sets = %+v", s)
	}
	if err := thread.Unpin(ctx, object.Run{ID: "unpin"}, id("b.go")); err != nil {
		t.Fatal(err)
	}
	if err := thread.Unpin(ctx, object.Run{ID: "unpin2"}, id("b.go")); !errors.Is(err, object.ErrNotPinned) {
		t.Errorf("unpinning twice: %v", err)
	}
}

// --- watcher

func TestWatcherChangesNoSets(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	thread := resume(t, st, "desk")
	mustRecord(t, thread, object.Handover{Run: run(1), Files: files(map[string]string{"a.go": "a", "b.go": "b", "c.go": "c"}), Known: []string{"d.go"}})
	if err := thread.Deactivate(ctx, object.Run{ID: "off"}, id("b.go")); err != nil {
		t.Fatal(err)
	}
	before := session(t, thread)
	got, err := thread.Refresh(ctx, object.Run{ID: "w1"}, []string{"a.go", "b.go", "c.go", "new.go", "b.go"}, disk(map[string]string{"a.go": "a", "b.go": "changed", "new.go": "n"}))
	if err != nil {
		t.Fatal(err)
	}
	if want := (object.Report{Updated: 1, Unchanged: 1, Deleted: 1, Compared: []string{"b.go", "c.go"}}); !cmp.Equal(got, want) {
		t.Errorf("report = %+v, want %+v", got, want)
	}
	for _, thread := range []*object.Thread{thread, resume(t, st, "desk")} {
		if diff := cmp.Diff(before, session(t, thread)); diff != "" {
			t.Errorf("the sets changed:\n%s", diff)
		}
		if out := render(t, thread, nil); !strings.Contains(out, "path=b.go file_type=go char_count=7\n") || !strings.Contains(out, "path=c.go file_type=go [deleted]\n") || strings.Contains(out, "new.go") {
			t.Errorf("the cache is not fresh:\n%s", out)
		}
	}
	// The base of the next diff is still what was handed over.
	base, err := thread.Handed(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if want := []object.Member{{Path: "a.go", SHA256: object.FileHash([]byte("a"))}, {Path: "b.go", SHA256: object.FileHash([]byte("b"))}, {Path: "c.go", SHA256: object.FileHash([]byte("c"))}}; !sameMembers(base, want) {
		t.Errorf("Handed = %v, want %v", base, want)
	}
	// Nothing new: no run is written.
	runs := len(thread.Runs())
	if _, err := thread.Refresh(ctx, object.Run{ID: "w2"}, []string{"a.go"}, disk(map[string]string{"a.go": "a"})); err != nil || len(thread.Runs()) != runs {
		t.Errorf("an idle refresh: %v, %d runs", err, len(thread.Runs()))
	}
}

func sameMembers(a, b []object.Member) bool {
	return slices.EqualFunc(a, b, func(a, b object.Member) bool { return a.Path == b.Path && a.SHA256 == b.SHA256 })
}

// --- resume

func TestReconcile(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	thread := resume(t, st, "s")
	mustRecord(t, thread, object.Handover{
		Run: run(1), Files: files(map[string]string{"same": "1", "changed": "1", "gone": "1", "locked": "1"}), Known: []string{"stub", "lost stub"},
		Steps: []object.Step{{Tool: "scan"}},
	})
	before := session(t, thread)
	thread = resume(t, st, "s")
	here := disk(map[string]string{"same": "1", "changed": "2", "locked": "!", "stub": "now"})
	got, err := thread.Reconcile(ctx, object.Run{ID: "resume"}, here)
	if err != nil {
		t.Fatal(err)
	}
	if want := (object.Report{Updated: 2, Unchanged: 1, Deleted: 2, Orphaned: 1, Compared: []string{"changed", "gone", "lost stub", "stub"}}); !cmp.Equal(got, want) {
		t.Errorf("report = %+v, want %+v", got, want)
	}
	if diff := cmp.Diff(before, session(t, thread)); diff != "" {
		t.Errorf("the sets changed:\n%s", diff)
	}
	out := render(t, thread, nil)
	for _, want := range []string{
		"path=changed file_type=text char_count=1\n", "path=gone file_type=text [deleted]\n", "path=locked file_type=text char_count=1\n",
		"path=lost stub file_type=text [deleted]\n", "path=stub file_type=text char_count=3\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// A file on a file system that is not ours is an orphan, whatever a reader says.
	r, err := object.Workflow("machine", "another repository", root)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := object.Resume(ctx, st, "s", r, root)
	if err != nil {
		t.Fatal(err)
	}
	got, err = foreign.Reconcile(ctx, object.Run{ID: "elsewhere"}, disk(nil))
	if want := (object.Report{Orphaned: 6}); err != nil || !cmp.Equal(got, want) {
		t.Errorf("elsewhere: %+v, %v; want %+v", got, err, want)
	}
}

// --- the product's use

func TestThreeRuns(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	thread := resume(t, st, "pr-7")
	if base, err := thread.Handed(ctx); err != nil || base != nil {
		t.Errorf("before the first run: %v, %v", base, err)
	}
	first := map[string]string{"README.md": "# p\n", "src/a.ts": "export const a = 1\n", "src/b.ts": "import './a'\n", "old.ts": "old\n"}
	got := mustRecord(t, thread, object.Handover{
		Run: run(1), Files: files(first), Known: []string{"src/c.ts", "node_modules/x/index.js"}, Pinned: []string{"src/a.ts", "src/c.ts"},
		Guide: "Be careful.\n", Asked: "pull request 7", Answered: "4 files",
		Steps: []object.Step{{Tool: "diff", Args: map[string]any{"base": "abc"}, Output: "1 changed", Files: []string{"src/a.ts"}}},
	})
	if want := (object.Report{Created: 6}); !cmp.Equal(got, want) {
		t.Errorf("first report = %+v, want %+v", got, want)
	}

	// The second run: a.ts changed, old.ts is gone, c.ts is read now, README.md is left out.
	thread = resume(t, st, "pr-7")
	base, err := thread.Handed(ctx)
	if err != nil || !sameMembers(base, sorted(files(first))) {
		t.Errorf("Handed = %v, %v", base, err)
	}
	second := map[string]string{"src/a.ts": "export const a = 2\n", "src/b.ts": "import './a'\n", "src/c.ts": "c\n"}
	got = mustRecord(t, thread, object.Handover{
		Run: run(2), Files: files(second), Known: []string{"README.md", "node_modules/x/index.js"}, Pinned: []string{"src/a.ts"},
		Gone:  func(p string) bool { return p == "old.ts" },
		Guide: "Be careful.\n", Asked: "pull request 7", Answered: "3 files",
		Steps: []object.Step{{Tool: "diff", Args: map[string]any{"base": "abd"}, Failed: true, Output: "no base"}},
	})
	if want := (object.Report{Updated: 2, Unchanged: 3, Deleted: 1}); !cmp.Equal(got, want) {
		t.Errorf("second report = %+v, want %+v", got, want)
	}
	thread = resume(t, st, "pr-7")
	if base, err := thread.Handed(ctx); err != nil || !sameMembers(base, sorted(files(second))) {
		t.Errorf("Handed = %v, %v", base, err)
	}

	// The third run: nothing changed.
	got = mustRecord(t, thread, object.Handover{Run: run(3), Files: files(second), Known: []string{"README.md", "node_modules/x/index.js"}, Guide: "Be careful.\n"})
	if want := (object.Report{Unchanged: 5}); !cmp.Equal(got, want) {
		t.Errorf("third report = %+v, want %+v", got, want)
	}

	thread = resume(t, st, "pr-7")
	var show, js, history bytes.Buffer
	if err := errors.Join(thread.Show(ctx, &show), thread.ShowJSON(ctx, &js)); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"src/a.ts", "old.ts", "src/c.ts"} {
		fmt.Fprintf(&history, "%s\n", p)
		if err := thread.History(ctx, &history, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := thread.History(ctx, io.Discard, "never.ts"); err == nil {
		t.Error("a path that was never met has a history")
	}
	golden(t, "three.show.txt", show.String())
	golden(t, "three.show.json", js.String())
	golden(t, "three.history.txt", history.String())
	golden(t, "three.render.txt", render(t, thread, nil))
}

func TestSessionsAreApart(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	one, two := resume(t, st, "../../etc/passwd"), resume(t, st, `a"b\c`)
	mustRecord(t, one, object.Handover{Run: run(1), Files: files(map[string]string{"a": "1"})})
	mustRecord(t, two, object.Handover{Run: run(2), Files: files(map[string]string{"a": "2", "b": "2"})})
	// The newest version of a is the other thread's; what this one was handed is not.
	one = resume(t, st, "../../etc/passwd")
	base, err := one.Handed(ctx)
	if err != nil || !sameMembers(base, sorted(files(map[string]string{"a": "1"}))) {
		t.Errorf("Handed = %v, %v", base, err)
	}
	if s := session(t, one); len(s.SessionIndex) != 1 {
		t.Errorf("session_index = %q", s.SessionIndex)
	}
	if len(one.Runs()) != 1 {
		t.Errorf("runs = %v", one.Runs())
	}
}

func TestToolcallsCollapse(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	thread := resume(t, st, "s")
	steps := make([]object.Step, 7)
	for i := range steps {
		steps[i] = object.Step{Tool: fmt.Sprint("t", i)}
	}
	mustRecord(t, thread, object.Handover{Run: run(1), Steps: steps})
	if got := session(t, thread).ActiveSet; len(got) != 5 || got[0] != "toolcall:1001:1:3" {
		t.Errorf("after one turn: %q", got)
	}
	if err := thread.Pin(ctx, object.Run{ID: "pin"}, "toolcall:1001:1:7"); err != nil {
		t.Fatal(err)
	}
	for n := 2; n <= 4; n++ {
		mustRecord(t, thread, object.Handover{Run: run(n), Steps: steps[:1]})
	}
	want := []string{"toolcall:1001:1:7", "toolcall:1002:1:1", "toolcall:1003:1:1", "toolcall:1004:1:1"}
	if got := session(t, thread).ActiveSet; !slices.Equal(got, want) {
		t.Errorf("after four turns: %q, want %q", got, want)
	}
}

func TestChatIsBounded(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	thread := resume(t, st, "s")
	for n := range 105 {
		mustRecord(t, thread, object.Handover{Run: object.Run{ID: fmt.Sprint(n)}, Asked: fmt.Sprint("turn ", n)})
	}
	status, err := resume(t, st, "s").Status(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if status.Counts.Turns != 100 || len(status.Runs) != 105 {
		t.Errorf("%d turns of %d runs", status.Counts.Turns, len(status.Runs))
	}
	out := render(t, thread, nil)
	if strings.Contains(out, "turn 4\n") || !strings.Contains(out, "turn 5\n") || !strings.Contains(out, "turn 104\n") {
		t.Errorf("the chat is\n%s", out)
	}
}

func TestRecordSkipsWhatCannotBeNamed(t *testing.T) {
	thread := resume(t, openStore(t), "s")
	got := mustRecord(t, thread, object.Handover{Run: run(1), Files: files(map[string]string{"a": "1", "b\xff": "2", strings.Repeat("x/", 3000): "3"}), Known: []string{"\xfe"}})
	if got.Created != 1 || len(got.Skipped) != 3 {
		t.Errorf("report = %+v", got)
	}
}

func TestRecordRefuses(t *testing.T) {
	ctx := context.Background()
	st := openStore(t)
	thread := resume(t, st, "s")
	changed := files(map[string]string{"a": "1"})
	changed[0].SHA256 = object.FileHash([]byte("2"))
	for what, h := range map[string]object.Handover{
		"a file that changed while it was read": {Run: run(1), Files: changed},
		"a run without an id":                   {},
		"a run of another session":              {Run: object.Run{ID: "1", Session: "other"}},
		"arguments that are no JSON":            {Run: run(1), Steps: []object.Step{{Tool: "t", Args: map[string]any{"f": func() {}}}}},
	} {
		if _, err := thread.Record(ctx, h); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if runs, err := st.Runs(ctx, ""); err != nil || len(runs) != 0 {
		t.Errorf("runs = %v, %v", runs, err)
	}
}

func TestRenderAsksForContentThatIsNotKept(t *testing.T) {
	ctx := context.Background()
	st, _, err := store.Open(ctx, filepath.Join(t.TempDir(), "db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	thread := resume(t, st, "s")
	mustRecord(t, thread, object.Handover{Run: run(1), Files: files(map[string]string{"a": "aa", "b": "bb", "bin": "\xff"})})
	out := render(t, thread, disk(map[string]string{"a": "aa", "b": "other"}))
	want := "\nACTIVE_CONTENT id=" + id("a") + "\naa\n\nACTIVE_CONTENT id=" + id("b") + "\n[content not kept]\n"
	if !strings.HasSuffix(out, want) {
		t.Errorf("render = %s\nwant the end %s", out, want)
	}
}

func sorted(m []object.Member) []object.Member {
	return slices.SortedFunc(slices.Values(m), func(a, b object.Member) int { return strings.Compare(a.Path, b.Path) })
}

func render(t *testing.T, thread *object.Thread, read object.Reader) string {
	t.Helper()
	var b bytes.Buffer
	if err := thread.Render(context.Background(), &b, read); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
