package store_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
	"github.com/haversack-dev/haversack/internal/object/store/xtdbtest"
)

const keepAll = 1 << 20

// peer is the address of a real XTDB 1.x node.
func peer(t *testing.T) string {
	t.Helper()
	address := os.Getenv("HAVERSACK_XTDB")
	if address == "" {
		const how = "HAVERSACK_XTDB is not set: start a node as testdata/xtdb/node.clj says, and name its address (http://127.0.0.1:PORT)"
		if os.Getenv("HAVERSACK_PEERS") == "require" {
			t.Fatal(how)
		}
		t.Skip(how)
	}
	return address
}

// scope keeps tests apart that share a node.
func scope(t *testing.T) string {
	t.Helper()
	b := make([]byte, 8)
	if _, err := rand.Read(b); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", b)
}

// each runs the suite's test on every kind of store. open opens the same store again;
// names are unique where others share it.
func each(t *testing.T, test func(t *testing.T, open func() object.Store, unique string)) {
	ctx := context.Background()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "session", "objects.db")
		test(t, func() object.Store {
			st, note, err := store.Open(ctx, path, store.Options{KeepFiles: keepAll})
			if err != nil || note != "" {
				t.Fatal(note, err)
			}
			t.Cleanup(func() { st.Close() })
			return st
		}, "")
	})
	xtdb := func(t *testing.T, address, unique string) {
		test(t, func() object.Store {
			st, _, err := store.Open(ctx, address, store.Options{KeepFiles: keepAll})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { st.Close() })
			return st
		}, unique)
	}
	t.Run("xtdb-fake", func(t *testing.T) {
		t.Parallel()
		srv := xtdbtest.NewServer()
		t.Cleanup(srv.Close)
		xtdb(t, srv.URL, "")
		for _, f := range srv.Faults() {
			t.Error("the client broke the protocol:", f)
		}
	})
	t.Run("xtdb", func(t *testing.T) {
		xtdb(t, peer(t), scope(t))
	})
}

func put(t *testing.T, st object.Store, run object.Run, objects ...object.Object) error {
	t.Helper()
	return st.Put(context.Background(), object.Write{Run: run, Objects: seq(objects...)})
}

func seq(objects ...object.Object) func(func(object.Object, error) bool) {
	return func(yield func(object.Object, error) bool) {
		for _, o := range objects {
			if !yield(o, nil) {
				return
			}
		}
	}
}

func file(t *testing.T, fsid, path, content string) *object.File {
	t.Helper()
	f, err := object.NewFile(object.Filesystem(fsid, path), []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func seal[T object.Object](t *testing.T, o T) T {
	t.Helper()
	if err := object.Seal(o); err != nil {
		t.Fatal(err)
	}
	return o
}

func ptr(s string) *string { return &s }

// all is one object of each type, the session last.
func all(t *testing.T, u string) []object.Object {
	t.Helper()
	f := file(t, "fs"+u, "/src/a b/é😀<&>.go", "package a // <&>\u2028\n")
	bin, err := object.NewFile(object.Filesystem("fs"+u, "/x.bin"), []byte{0xff, 0})
	if err != nil {
		t.Fatal(err)
	}
	stub, err := object.NewStub(object.Filesystem("fs"+u, "/stub.md"))
	if err != nil {
		t.Fatal(err)
	}
	call := seal(t, &object.Toolcall{
		Head: object.Head{ID: "toolcall:1" + u + ":1:1", Type: object.TypeToolcall, Content: ptr("out\x00put\n")},
		Tool: "diff", Status: object.StatusFail, ChatRef: "chat:s" + u, FileRefs: []string{f.ID}, ArgsDisplay: `a "b"`,
		Args: map[string]any{"z": nil, "a/b": true, "xt/id": "x", "n": []any{1.5, -3.0, 1e21, 5e-324, 123456789.0}, "o": map[string]any{"": map[string]any{}, "é": []any{}}, "s": "<\u2028>"},
	})
	chat := seal(t, &object.Chat{
		Head:  object.Head{ID: "chat:s" + u, Type: object.TypeChat, Content: ptr("user: hi\n")},
		Turns: []object.Turn{{User: "hi", ToolcallIDs: []string{call.ID}}}, SessionRef: "session:s" + u, TurnCount: 1, ToolcallRefs: []string{call.ID},
	})
	prompt := seal(t, &object.SystemPrompt{Head: object.Head{ID: "system_prompt:s" + u, Type: object.TypeSystemPrompt, Content: ptr("")}})
	ids := []string{f.ID, bin.ID, stub.ID, call.ID}
	session := seal(t, &object.Session{
		Head: object.Head{ID: "session:s" + u, Type: object.TypeSession}, SessionID: "s" + u, ChatRef: chat.ID, SystemPromptRef: prompt.ID,
		SessionIndex: ids, MetadataPool: ids, ActiveSet: []string{f.ID, bin.ID, call.ID}, PinnedSet: []string{bin.ID},
	})
	return []object.Object{f, bin, stub, call, chat, prompt, session}
}

func ids(objects []object.Object) []string {
	var out []string
	for _, o := range objects {
		out = append(out, object.HeadOf(o).ID)
	}
	return out
}

func TestStoreKeepsEveryType(t *testing.T) {
	each(t, func(t *testing.T, open func() object.Store, u string) {
		ctx := context.Background()
		objects := all(t, u)
		st := open()
		if err := put(t, st, object.Run{ID: "1" + u, Session: "s" + u, Commit: "c0ffee", Handed: true}, objects...); err != nil {
			t.Fatal(err)
		}
		st = open()
		got, err := st.Get(ctx, object.Query{IDs: append(ids(objects), "nobody"+u), Content: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(objects) {
			t.Errorf("got %d objects, want %d", len(got), len(objects))
		}
		for _, want := range objects {
			a, err := object.Encode(want)
			if err != nil {
				t.Fatal(err)
			}
			o := got[object.HeadOf(want).ID]
			if o == nil {
				t.Errorf("%s is missing", object.HeadOf(want).ID)
				continue
			}
			b, err := object.Encode(o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(a), string(b)); diff != "" {
				t.Errorf("%s is another object (-put +got):\n%s", object.HeadOf(want).ID, diff)
			}
		}
		// Without content: the same hashes, and none.
		heads, err := st.Get(ctx, object.Query{IDs: ids(objects)})
		if err != nil {
			t.Fatal(err)
		}
		for id, o := range heads {
			if h := object.HeadOf(o); h.Content != nil || h.ObjectHash != object.HeadOf(got[id]).ObjectHash {
				t.Errorf("%s: content %v, object_hash %s", id, h.Content, h.ObjectHash)
			}
		}
		runs, err := st.Runs(ctx, "s"+u)
		if err != nil {
			t.Fatal(err)
		}
		if want := []object.Run{{ID: "1" + u, Session: "s" + u, Commit: "c0ffee", Handed: true}}; !slices.Equal(runs, want) {
			t.Errorf("runs = %+v, want %+v", runs, want)
		}
	})
}

func TestStoreHistoryAndAsOf(t *testing.T) {
	each(t, func(t *testing.T, open func() object.Store, u string) {
		ctx := context.Background()
		st := open()
		a1, a2, b := file(t, "fs"+u, "/a.go", "one"), file(t, "fs"+u, "/a.go", "two"), file(t, "fs"+u, "/b.go", "b")
		gone, err := object.NewStub(*a1.Source)
		if err != nil {
			t.Fatal(err)
		}
		for i, objects := range [][]object.Object{{a1}, {b}, {a2}, {gone}} {
			if err := put(t, st, object.Run{ID: fmt.Sprint("r", i+1, u), Session: "s" + u}, objects...); err != nil {
				t.Fatal(err)
			}
		}
		versions, err := st.History(ctx, a1.ID)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range versions {
			h := object.HeadOf(v.Object)
			text := "null"
			if h.Content != nil {
				text = *h.Content
			}
			got = append(got, strings.TrimSuffix(v.Run, u)+" "+text)
		}
		if want := []string{"r1 one", "r3 two", "r4 null"}; !slices.Equal(got, want) {
			t.Errorf("history = %q, want %q", got, want)
		}
		for run, want := range map[string][2]bool{"r1": {true, false}, "r2": {true, true}} {
			m, err := st.Get(ctx, object.Query{IDs: []string{a1.ID, b.ID}, Run: run + u, Content: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := [2]bool{m[a1.ID] != nil, m[b.ID] != nil}; got != want {
				t.Errorf("as of %s: %v, want %v", run, got, want)
			}
			if f := m[a1.ID]; f != nil && *object.HeadOf(f).Content != "one" {
				t.Errorf("as of %s: %q", run, *object.HeadOf(f).Content)
			}
		}
		if del, err := object.Deleted(ctx, st, a1.ID); err != nil || !del {
			t.Errorf("Deleted = %v, %v", del, err)
		}
		if _, err := st.Get(ctx, object.Query{IDs: []string{a1.ID}, Run: "never" + u}); !errors.Is(err, object.ErrNoRun) {
			t.Errorf("as of no run: %v", err)
		}
		if v, err := st.History(ctx, "nobody"+u); err != nil || len(v) != 0 {
			t.Errorf("history of nothing = %v, %v", v, err)
		}
	})
}

func TestStoreRunIsWrittenOnce(t *testing.T) {
	each(t, func(t *testing.T, open func() object.Store, u string) {
		st := open()
		run := object.Run{ID: "1" + u, Session: "s" + u}
		if err := put(t, st, run, file(t, "fs"+u, "/a", "1")); err != nil {
			t.Fatal(err)
		}
		if err := put(t, st, run, file(t, "fs"+u, "/a", "2")); !errors.Is(err, object.ErrRunExists) {
			t.Errorf("a second time: %v", err)
		}
		// A run without objects is a run.
		if err := put(t, st, object.Run{ID: "2" + u, Session: "s" + u}); err != nil {
			t.Fatal(err)
		}
		m, err := st.Get(context.Background(), object.Query{IDs: []string{file(t, "fs"+u, "/a", "").ID}, Run: "2" + u, Content: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range m {
			if *object.HeadOf(o).Content != "1" {
				t.Errorf("content = %q", *object.HeadOf(o).Content)
			}
		}
	})
}

func TestStoreAFailedRunIsNotDone(t *testing.T) {
	each(t, func(t *testing.T, open func() object.Store, u string) {
		ctx := context.Background()
		st := open()
		boom := errors.New("boom")
		a := file(t, "fs"+u, "/a", "1")
		err := st.Put(ctx, object.Write{Run: object.Run{ID: "1" + u, Session: "s" + u}, Objects: func(yield func(object.Object, error) bool) {
			if yield(a, nil) {
				yield(nil, boom)
			}
		}})
		if !errors.Is(err, boom) {
			t.Errorf("Put = %v", err)
		}
		if runs, err := st.Runs(ctx, "s"+u); err != nil || len(runs) != 0 {
			t.Errorf("runs = %v, %v", runs, err)
		}
		// The same run, tried again, succeeds.
		if err := put(t, st, object.Run{ID: "1" + u, Session: "s" + u}, a); err != nil {
			t.Fatal(err)
		}
	})
}

func TestStoreExpectations(t *testing.T) {
	each(t, func(t *testing.T, open func() object.Store, u string) {
		ctx := context.Background()
		st := open()
		a1, a2, a3 := file(t, "fs"+u, "/a", "1"), file(t, "fs"+u, "/a", "2"), file(t, "fs"+u, "/a", "3")
		try := func(run string, o object.Object, expect object.Object) error {
			return st.Put(ctx, object.Write{Run: object.Run{ID: run + u, Session: "s" + u}, Objects: seq(o), Expect: map[string]object.Object{a1.ID: expect}})
		}
		if err := try("1", a1, nil); err != nil {
			t.Fatal(err)
		}
		if err := try("2", a2, nil); !errors.Is(err, object.ErrConflict) {
			t.Errorf("expecting nothing: %v", err)
		}
		if err := try("3", a2, a3); !errors.Is(err, object.ErrConflict) {
			t.Errorf("expecting another: %v", err)
		}
		if err := try("4", a2, a1); err != nil {
			t.Errorf("expecting what is there: %v", err)
		}
		if v, err := st.History(ctx, a1.ID); err != nil || len(v) != 2 {
			t.Errorf("%d versions, %v; want 2", len(v), err)
		}
	})
}

func TestStoreManyObjects(t *testing.T) {
	each(t, func(t *testing.T, open func() object.Store, u string) {
		ctx := context.Background()
		st := open()
		const n = 1700 // more than one transaction, one query, one look-up at a time
		var objects []object.Object
		for i := range n {
			objects = append(objects, file(t, "fs"+u, fmt.Sprintf("/d/%d.go", i), fmt.Sprint(i)))
		}
		if err := put(t, st, object.Run{ID: "1" + u, Session: "s" + u}, objects...); err != nil {
			t.Fatal(err)
		}
		got, err := st.Get(ctx, object.Query{IDs: ids(objects), Content: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != n {
			t.Fatalf("got %d objects, want %d", len(got), n)
		}
		for _, o := range objects {
			h := object.HeadOf(o)
			if g := object.HeadOf(got[h.ID]); g.ObjectHash != h.ObjectHash || *g.Content != *h.Content {
				t.Fatalf("%s came back as another", h.Source.Path)
			}
		}
	})
}

func TestStoreTwoAtOnce(t *testing.T) {
	each(t, func(t *testing.T, open func() object.Store, u string) {
		ctx := context.Background()
		const runs, files = 4, 30
		stores := make([]object.Store, runs)
		for i := range stores {
			stores[i] = open()
		}
		resolver, err := object.Workflow("machine"+u, "repository"+u, "/w")
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i, st := range stores {
			wg.Go(func() {
				thread, err := object.Resume(ctx, st, "s"+u, resolver, "/w")
				if err != nil {
					t.Error(err)
					return
				}
				var members []object.Member
				for j := range files {
					body := fmt.Appendf(nil, "%d %d", i, j)
					members = append(members, object.Member{Path: fmt.Sprintf("run%d/%d", i, j), SHA256: object.FileHash(body), Open: opener(body)})
				}
				if _, err := thread.Record(ctx, object.Handover{Run: object.Run{ID: fmt.Sprint("r", i, u), Handed: true}, Files: members}); err != nil {
					t.Errorf("run %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		thread, err := object.Resume(ctx, open(), "s"+u, resolver, "/w")
		if err != nil {
			t.Fatal(err)
		}
		status, err := thread.Status(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if c := status.Counts; c.SessionIndex != runs*files || c.ActiveSet != files || c.Turns != runs || len(status.Runs) != runs {
			t.Errorf("counts = %+v, %d runs", c, len(status.Runs))
		}
	})
}

func opener(b []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}
