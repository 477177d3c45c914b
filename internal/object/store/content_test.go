package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
	"github.com/haversack-dev/haversack/internal/object/store/xtdbtest"
)

// noise is a text of n bytes that does not compress to less than half.
func noise(n int) string {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = " !#$%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~"[r.IntN(90)]
	}
	return string(b)
}

// contentRule fails where content is null and content_hash is not, or the other way.
func contentRule(t *testing.T, st object.Store, ids ...string) {
	t.Helper()
	got, err := st.Get(context.Background(), object.Query{IDs: ids, Content: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		o := got[id]
		if o == nil {
			t.Errorf("%s is not stored", id)
			continue
		}
		if h := object.HeadOf(o); (h.Content == nil) != (h.ContentHash == nil) {
			t.Errorf("%s: content is %v, content_hash %v", id, h.Content, h.ContentHash)
		}
	}
}

// TestContentRule: content is null exactly when content_hash is, whatever is kept, in both stores.
func TestContentRule(t *testing.T) {
	each(t, func(t *testing.T, open func() object.Store, u string) {
		st := open()
		text, raw := file(t, "fs"+u, "/shelf.ml", "let shelf = 3\n"), file(t, "fs"+u, "/shelf.bin", "\xff\x00")
		stub, err := object.NewStub(object.Filesystem("fs"+u, "/named.ml"))
		if err != nil {
			t.Fatal(err)
		}
		if err := put(t, st, object.Run{ID: u + "1", Session: "s" + u}, text, raw, stub); err != nil {
			t.Fatal(err)
		}
		contentRule(t, st, text.ID, raw.ID, stub.ID)
		got, err := st.Get(context.Background(), object.Query{IDs: []string{text.ID, raw.ID}, Content: true})
		if err != nil {
			t.Fatal(err)
		}
		if h := object.HeadOf(got[text.ID]); h.Content == nil || *h.Content != "let shelf = 3\n" {
			t.Errorf("content = %v", h.Content)
		}
		if h := object.HeadOf(got[raw.ID]); h.FileHash == nil || h.ContentHash != nil {
			t.Errorf("what is no text: %+v", h)
		}
	})
	t.Run("nothing kept", func(t *testing.T) {
		st, _, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "objects.db"), store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		text := file(t, "fs", "/shelf.ml", "let shelf = 3\n")
		if err := put(t, st, object.Run{ID: "1", Session: "s"}, text); err != nil {
			t.Fatal(err)
		}
		contentRule(t, st, text.ID)
	})
}

// TestContentIsStoredOnce: two files of one text take the room of one, and less than it has.
func TestContentIsStoredOnce(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "objects.db")
	st, _, err := store.Open(ctx, path, store.Options{KeepFiles: keepAll})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	text := strings.Repeat("a line of a long text that says the same\n", 50_000)
	for i := range 5 {
		if err := put(t, st, object.Run{ID: fmt.Sprint(i), Session: "s"}, file(t, "fs", fmt.Sprintf("/copy%d.txt", i), text)); err != nil {
			t.Fatal(err)
		}
	}
	if fi, err := os.Stat(path); err != nil || fi.Size() > int64(len(text))/4 {
		t.Errorf("%d bytes for five copies of a text of %d, %v", fi.Size(), len(text), err)
	}
}

// handed makes a hand-over of files that stand in a map.
func handed(n int, have map[string]string) object.Handover {
	h := object.Handover{Run: object.Run{ID: fmt.Sprint(n), Handed: true}}
	for p, c := range have {
		h.Files = append(h.Files, object.Member{Path: p, SHA256: object.FileHash([]byte(c)), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(c)), nil
		}})
	}
	return h
}

// TestEviction: over the limit the contents go that no active, pinned or newest version needs,
// the oldest first; their hashes stay, and to read them is an error that says so.
func TestEviction(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "objects.db")
	r, err := object.Identity("fs")
	if err != nil {
		t.Fatal(err)
	}
	open := func(at string) (*object.Thread, object.Store) {
		thread, st, note, err := store.Resume(ctx, at, store.Options{KeepFiles: keepAll, KeepTotal: 60_000}, store.Session{ID: "s", Resolver: r, Root: "/w"})
		if err != nil || note != "" {
			t.Fatal(note, err)
		}
		return thread, st
	}
	thread, st := open(path)
	for n := 1; n <= 4; n++ {
		have := map[string]string{"hall.c": fmt.Sprint(n) + noise(20_000), "door.c": "door\n"}
		if _, err := thread.Record(ctx, handed(n, have)); err != nil {
			t.Fatal(err)
		}
	}
	if n := st.(*store.SQLite).Evicted(); n == 0 {
		t.Error("nothing was evicted")
	}
	if _, err := thread.Object(ctx, "hall.c", "1"); !errors.Is(err, object.ErrEvicted) || !strings.Contains(err.Error(), "evicted") {
		t.Errorf("the oldest version: %v", err)
	}
	for _, run := range []string{"4", "", "3"} {
		if o, err := thread.Object(ctx, "hall.c", run); err != nil || object.HeadOf(o).Content == nil {
			t.Errorf("the version of run %q: %v", run, err)
		}
	}
	if o, err := thread.Object(ctx, "door.c", "1"); err != nil || *object.HeadOf(o).Content != "door\n" {
		t.Errorf("what is active in the newest version: %v", err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	// Another machine has the file alone, and reads the same.
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(t.TempDir(), "objects.db")
	root, err := os.OpenRoot(filepath.Dir(there))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := store.Restore(root, "objects.db", bytes.NewReader(raw), 0); err != nil {
		t.Fatal(err)
	}
	thread, st = open(there)
	defer st.Close()
	if o, err := thread.Object(ctx, "hall.c", ""); err != nil || *object.HeadOf(o).Content != "4"+noise(20_000) {
		t.Errorf("on another machine: %v", err)
	}
	if _, err := thread.Object(ctx, "hall.c", "1"); !errors.Is(err, object.ErrEvicted) {
		t.Errorf("on another machine the oldest version: %v", err)
	}
}

// TestXTDBContents: in a node a content stands once by its hash, in parts where it is long; over the limit those go that nothing has
// at hand, and to read them is an error that says so. No document has a null content beside a hash.
func TestXTDBContents(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	test := func(t *testing.T, address, u string, raw func(id string) map[string]any) {
		ctx := context.Background()
		r, err := object.Identity("fs" + u)
		if err != nil {
			t.Fatal(err)
		}
		open := func(total int64) (*object.Thread, object.Store) {
			thread, st, note, err := store.Resume(ctx, address, store.Options{KeepFiles: object.MaxContent, KeepTotal: total}, store.Session{ID: "s" + u, Resolver: r, Root: "/w"})
			if err != nil || note != "" {
				t.Fatal(note, err)
			}
			return thread, st
		}
		long := strings.Repeat("é"+noise(1000)+u, 3500)
		thread, st := open(0)
		hall := func(n int) string { return fmt.Sprint(n) + u + noise(20_000) }
		for n := 1; n <= 3; n++ {
			h := handed(n, map[string]string{"hall.c": hall(n), "copy.c": hall(n), "door.c": "door" + u, "long.c": long, "none.c": ""})
			h.Run.ID = u + h.Run.ID
			if _, err := thread.Record(ctx, h); err != nil {
				t.Fatal(err)
			}
		}
		check := func(thread *object.Thread, path, run, want string) {
			t.Helper()
			if o, err := thread.Object(ctx, path, run); err != nil || object.HeadOf(o).Content == nil || *object.HeadOf(o).Content != want {
				t.Errorf("%s as of run %q: %v", path, run, err)
			}
		}
		check(thread, "long.c", "", long)
		check(thread, "hall.c", u+"1", hall(1))
		check(thread, "none.c", "", "")
		o, err := thread.Object(ctx, "hall.c", "")
		if err != nil {
			t.Fatal(err)
		}
		h := object.HeadOf(o)
		versions, err := st.History(ctx, h.ID)
		if err != nil || len(versions) != 3 {
			t.Fatalf("%d versions, %v", len(versions), err)
		}
		for n, v := range versions {
			if c := object.HeadOf(v.Object).Content; c == nil || *c != hall(n+1) {
				t.Errorf("version %d has another content", n+1)
			}
		}
		if raw != nil {
			doc := raw(h.ID)
			if c, there := doc["content"]; there || doc["content_hash"] == nil {
				t.Errorf("the document: content %v, content_hash %v", c, doc["content_hash"])
			}
			if text := raw("haversack:content:" + *h.ContentHash); text["haversack/text"] != hall(3) {
				t.Error("the content's document has another text")
			}
		}
		// A bound that this thread's old versions are over, and whatever else the node has.
		thread, st = open(1)
		last := handed(4, map[string]string{"hall.c": hall(4), "long.c": long})
		last.Run.ID = u + "4"
		if _, err := thread.Record(ctx, last); err != nil {
			t.Fatal(err)
		}
		if n := st.(*store.XTDB).Evicted(); n == 0 {
			t.Error("nothing was evicted")
		}
		thread, st = open(0)
		for _, run := range []string{u + "1", u + "3"} {
			if _, err := thread.Object(ctx, "hall.c", run); !errors.Is(err, object.ErrEvicted) {
				t.Errorf("an old version: %v", err)
			}
		}
		check(thread, "hall.c", "", hall(4))
		check(thread, "long.c", u+"1", long)
		if _, err := thread.Object(ctx, "door.c", ""); !errors.Is(err, object.ErrEvicted) {
			t.Errorf("what is not at hand: %v", err)
		}
		if history, err := st.History(ctx, h.ID); err != nil || len(history) != 4 || object.HeadOf(history[0].Object).ContentHash == nil {
			t.Errorf("history after it: %d versions, %v", len(history), err)
		}
	}
	t.Run("fake", func(t *testing.T) {
		srv := xtdbtest.NewServer()
		t.Cleanup(srv.Close)
		test(t, srv.URL, "", srv.Document)
		for _, f := range srv.Faults() {
			t.Error("the client broke the protocol:", f)
		}
	})
	t.Run("xtdb", func(t *testing.T) { test(t, peer(t), scope(t), nil) })
}

// TestUpgrade: a database of the first schema goes on, with its contents; what it had hashes
// of and no content is evicted.
func TestUpgrade(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "objects.db")
	r, err := object.Identity("fs")
	if err != nil {
		t.Fatal(err)
	}
	open := func() (*object.Thread, object.Store) {
		thread, st, note, err := store.Resume(ctx, path, store.Options{KeepFiles: keepAll}, store.Session{ID: "s", Resolver: r, Root: "/w"})
		if err != nil || note != "" {
			t.Fatal(note, err)
		}
		return thread, st
	}
	thread, st := open()
	h := handed(1, map[string]string{"ink.pl": "print 1;\n"})
	h.Guide = "Read the ink."
	if _, err := thread.Record(ctx, h); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, "DROP TABLE content",
		"CREATE TABLE content (n INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body BLOB NOT NULL)",
		"INSERT INTO content (hash, body) SELECT content_hash, CAST('Read the ink.' AS BLOB) FROM version v JOIN object o ON o.n = v.object WHERE o.type = 'system_prompt'",
		"PRAGMA user_version = 1")
	thread, st = open()
	defer st.Close()
	if o, err := thread.Object(ctx, object.SystemPromptID("s"), ""); err != nil || *object.HeadOf(o).Content != "Read the ink." {
		t.Errorf("the guide: %v", err)
	}
	if _, err := thread.Object(ctx, "ink.pl", ""); !errors.Is(err, object.ErrEvicted) {
		t.Errorf("a file without its content: %v", err)
	}
	if _, err := thread.Record(ctx, handed(2, map[string]string{"ink.pl": "print 2;\n"})); err != nil {
		t.Fatal(err)
	}
	if o, err := thread.Object(ctx, "ink.pl", ""); err != nil || *object.HeadOf(o).Content != "print 2;\n" {
		t.Errorf("a file that was handed over again: %v", err)
	}
}
