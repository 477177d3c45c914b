package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
)

// TestMain runs the test binary as the writer that is killed, or as a user who may not write.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("HAVERSACK_TEST_WRITER") != "":
		os.Exit(writer(os.Getenv("HAVERSACK_TEST_WRITER")))
	case os.Getenv("HAVERSACK_TEST_OPENER") != "":
		st, _, err := store.Open(context.Background(), os.Getenv("HAVERSACK_TEST_OPENER"), store.Options{})
		if err == nil {
			err = st.Put(context.Background(), object.Write{Run: object.Run{ID: "2", Session: "s"}, Objects: seq()})
		}
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writer records runs until it is killed, and says of each on stdout that it is done.
func writer(path string) int {
	ctx := context.Background()
	r, err := object.Workflow("machine", "repository", "/w")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	t, st, note, err := store.Resume(ctx, path, store.Options{KeepFiles: keepAll}, store.Session{ID: "s", Resolver: r, Root: "/w"})
	if err != nil || note != "" {
		fmt.Fprintln(os.Stderr, note, err)
		return 1
	}
	defer st.Close()
	fmt.Println("ready")
	for n := len(t.Runs()); ; n++ {
		if _, err := t.Record(ctx, object.Handover{Run: object.Run{ID: strconv.Itoa(n), Handed: true}, Files: writerFiles(n)}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println("done", n)
	}
}

// writerFiles are what run n hands over: most files stay, some change, some are new.
func writerFiles(n int) []object.Member {
	var out []object.Member
	for i := range 40 + n%7 {
		body := fmt.Appendf(nil, "%d of run %d\n%s", i, n-n%(i+1), strings.Repeat("x", i*97))
		out = append(out, object.Member{Path: fmt.Sprintf("d/%d", i), SHA256: object.FileHash(body), Open: opener(body)})
	}
	return out
}

// TestKilled kills a writer at random points of its work: the database opens, is whole, and
// holds every run that was said to be done.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills 200 processes")
	}
	const kills = 200
	ctx := context.Background()
	seed := uint64(1)
	rnd := rand.New(rand.NewPCG(seed, seed))
	path := filepath.Join(t.TempDir(), "objects.db")
	temp := t.TempDir() // of the copies
	t.Setenv("TMPDIR", temp)
	left := func(pattern string) []string {
		t.Helper()
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	r, err := object.Workflow("machine", "repository", "/w")
	if err != nil {
		t.Fatal(err)
	}
	last, midway := -1, 0
	for kill := range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HAVERSACK_TEST_WRITER="+path)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Half of the writers are killed some time after they said that they were ready, the
		// others at any time from their start on.
		ready := make(chan struct{})
		done := make(chan int, 1)
		go func() {
			n := -1
			var line, word string
			buf := make([]byte, 1)
			for {
				if _, err := out.Read(buf); err != nil {
					break
				}
				if buf[0] != '\n' {
					line += string(buf)
					continue
				}
				if line == "ready" {
					close(ready)
				} else if _, err := fmt.Sscan(line, &word, &n); err != nil {
					n = -2
				}
				line = ""
			}
			done <- n
		}()
		delay := time.NewTimer(time.Duration(rnd.Int64N(int64(40 * time.Millisecond))))
		if kill%2 == 0 {
			select {
			case <-ready:
			case n := <-done:
				t.Fatalf("kill %d: the writer ended by itself after run %d: %s", kill, n, stderr.String())
			}
			delay.Reset(time.Duration(rnd.Int64N(int64(25 * time.Millisecond))))
		}
		<-delay.C
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		n := <-done
		cmd.Wait()
		if stderr.Len() > 0 || n == -2 {
			t.Fatalf("kill %d: the writer said %s", kill, stderr.String())
		}
		last = max(last, n)
		if len(left(temp+"/*/*-journal"))+len(left(path+"-*")) > 0 {
			midway++
		}

		thread, st, note, err := store.Resume(ctx, path, store.Options{KeepFiles: keepAll}, store.Session{ID: "s", Resolver: r, Root: "/w"})
		if err != nil || note != "" {
			t.Fatalf("kill %d: %s %v", kill, note, err)
		}
		if n, beside := left(temp+"/*"), left(path+"?*"); runtime.GOOS != "windows" && len(n) != 1 || len(beside) > 0 {
			t.Fatalf("kill %d: what it left is still there: %q %q", kill, n, beside)
		}
		runs := thread.Runs()
		if len(runs) <= last {
			t.Fatalf("kill %d: run %d was done, the store holds %d runs", kill, last, len(runs))
		}
		if len(runs) > 0 {
			base, err := thread.Handed(ctx)
			if err != nil {
				t.Fatal(err)
			}
			want := writerFiles(len(runs) - 1)
			if len(base) != len(want) {
				t.Fatalf("kill %d: the last run handed %d files, want %d", kill, len(base), len(want))
			}
			have := map[string]string{}
			for _, m := range base {
				have[m.Path] = m.SHA256
			}
			for _, m := range want {
				if have[m.Path] != m.SHA256 {
					t.Fatalf("kill %d: %s has another hash than run %d gave it", kill, m.Path, len(runs)-1)
				}
			}
			last = len(runs) - 1
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d of them in the middle of a transaction, %d runs", kills, midway, last+1)
	if midway == 0 {
		t.Error("no kill met a transaction")
	}
}

// made makes a database with one run, and returns its path.
func made(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "objects.db")
	record(t, path, store.Options{KeepFiles: keepAll}, "1", members(20, 1, func(int) bool { return false }))
	return path
}

func execSQL(t *testing.T, path string, queries ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range queries {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

// TestSetAside gives databases that are not to be believed: each is renamed as it is, with a
// sentence for the user, and the thread begins anew.
func TestSetAside(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	resolver, err := object.Workflow("machine", "repository", "/github/workspace")
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	sqls := func(q ...string) func(*testing.T, string) {
		return func(t *testing.T, path string) { execSQL(t, path, q...) }
	}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, path string)
		says  string
	}{
		"text":                        {write([]byte("hello, this is no database, but longer than a header of one hundred bytes is, which SQLite reads first")), "it is not a database"},
		"cut off":                     {func(t *testing.T, p string) { truncate(t, p, 3) }, "it is damaged"},
		"zeroes":                      {write(make([]byte, 8192)), "it is not a database"},
		"another program's":           {func(t *testing.T, p string) { os.Remove(p); execSQL(t, p, "CREATE TABLE t (x)") }, "it is a database of another program"},
		"newer":                       {sqls("PRAGMA user_version = 3"), "a newer version of haversack made it (schema 3, this one knows 2)"},
		"trigger":                     {sqls("CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END"), "its tables are not those of haversack"},
		"view in place":               {sqls("DROP VIEW file_version", "CREATE VIEW file_version AS SELECT 1"), "its tables are not those of haversack"},
		"added table":                 {sqls("CREATE TABLE more (x)"), "its tables are not those of haversack"},
		"keys of megabytes":           {sqls("INSERT INTO run (id, session, commit_id, handed) VALUES ('large', zeroblob(1100000), '', 0)"), "a row of its table run is larger than any that haversack writes"},
		"a member that is no number":  {sqls("INSERT INTO member VALUES (1, 1, 1, 1, zeroblob(1100000), 1)"), "a row of its table member is larger than any that haversack writes"},
		"added index":                 {sqls("CREATE INDEX i ON run (session)"), "its tables are not those of haversack"},
		"too large":                   {func(t *testing.T, p string) { grow(t, p, 3<<20) }, "bytes are more than"},
		"forged path":                 {sqls("UPDATE object SET path = '/etc/passwd' WHERE n = 1"), "stored object is damaged"},
		"dots in a path":              {sqls("UPDATE object SET path = '/../../x' WHERE n = 1"), "stored object is damaged"},
		"relative path":               {sqls("UPDATE object SET path = 'x' WHERE n = 1"), "stored object is damaged"},
		"path not UTF-8":              {sqls("UPDATE object SET path = CAST(x'2fff' AS TEXT) WHERE n = 1"), "stored object is damaged"},
		"forged file_hash":            {sqls("UPDATE version SET file_hash = x'" + strings.Repeat("00", 32) + "' WHERE object = 1"), "stored object is damaged"},
		"short hash":                  {sqls("UPDATE version SET file_hash = x'00' WHERE object = 1"), "stored object is damaged"},
		"text for a hash":             {sqls("UPDATE version SET file_hash = 'x' WHERE object = 1"), "stored object is damaged"},
		"forged count":                {sqls("UPDATE version SET char_count = 1 WHERE object = 1"), "stored object is damaged"},
		"count no number":             {sqls("UPDATE version SET char_count = 'x' WHERE object = 1"), "stored object is damaged"},
		"unknown type":                {sqls("UPDATE object SET type = 'x' WHERE n = 1"), "stored object is damaged"},
		"type swapped":                {sqls("UPDATE object SET type = 'chat' WHERE n = 1"), "stored object is damaged"},
		"session is no JSON":          {sqls("UPDATE version SET fields = '{' WHERE fields LIKE '%session_id%'"), "stored object is damaged"},
		"member missing":              {sqls("DELETE FROM member WHERE pos = 3"), "stored object is damaged"},
		"member forged":               {sqls("UPDATE member SET level = 2 WHERE pos = 3"), "stored object is damaged"},
		"infrastructure in the index": {sqls("UPDATE member SET object = (SELECT n FROM object WHERE type = 'chat') WHERE pos = 3"), "stored object is damaged"},
		"run with a newline":          {sqls("UPDATE run SET id = 'x' || char(10) || '::error::'"), "stored object is damaged"},
		"run is no text":              {sqls("UPDATE run SET handed = 'x'"), "stored object is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			path := made(t)
			c.spoil(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			ctx := context.Background()
			o := store.Options{KeepFiles: keepAll, MaxBytes: 2 << 20}
			thread, st, note, err := store.Resume(ctx, path, o, store.Session{ID: "pr-1", Resolver: resolver, Root: "/github/workspace"})
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			if !strings.Contains(note, c.says) || !strings.Contains(note, "objects.db.aside-1") || strings.ContainsAny(note, "\n") {
				t.Errorf("note = %q, want it to say %q", note, c.says)
			}
			after, err := os.ReadFile(path + ".aside-1")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(before, after) {
				t.Error("the database was changed before it was set aside")
			}
			if len(thread.Runs()) != 0 {
				t.Errorf("runs = %v", thread.Runs())
			}
			if _, err := thread.Record(ctx, object.Handover{Run: object.Run{ID: "2"}}); err != nil {
				t.Error(err)
			}
		})
	}
}

func truncate(t *testing.T, path string, part int64) {
	t.Helper()
	in, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, in.Size()/part); err != nil {
		t.Fatal(err)
	}
}

func grow(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// TestSetAsideTwice keeps both.
func TestSetAsideTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	for n := 1; n <= 2; n++ {
		if err := os.WriteFile(path, []byte(strings.Repeat("x", 200)), 0o600); err != nil {
			t.Fatal(err)
		}
		st, note, err := store.Open(context.Background(), path, store.Options{})
		if err != nil || !strings.Contains(note, fmt.Sprintf("db.aside-%d:", n)) {
			t.Fatal(note, err)
		}
		st.Close()
	}
}

// TestDamageAnywhere flips bytes: whatever comes of it, no program ends, no error but damage is
// met, and what is read is consistent.
func TestDamageAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	whole, err := os.ReadFile(made(t))
	if err != nil {
		t.Fatal(err)
	}
	resolver, err := object.Workflow("machine", "repository", "/github/workspace")
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	rounds := 300
	ctx := context.Background()
	dir := t.TempDir()
	aside := 0
	for i := range rounds {
		b := bytes.Clone(whole)
		for range 1 + rnd.IntN(8) {
			b[rnd.IntN(len(b))] = byte(rnd.Uint32())
		}
		path := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		thread, st, note, err := store.Resume(ctx, path, store.Options{}, store.Session{ID: "pr-1", Resolver: resolver, Root: "/github/workspace"})
		if err != nil {
			t.Fatalf("round %d: %s: %v", i, note, err)
		}
		if note != "" {
			aside++
		}
		if _, err := thread.Handed(ctx); err != nil {
			t.Errorf("round %d: %v", i, err)
		}
		if err := thread.Render(ctx, &bytes.Buffer{}, nil); err != nil && !errors.Is(err, object.ErrDamaged) {
			t.Errorf("round %d: rendering: %v", i, err)
		}
		st.Close()
	}
	t.Logf("%d of %d were set aside", aside, rounds)
}

func TestSQLiteRefuses(t *testing.T) {
	ctx := context.Background()
	path := made(t)
	link := path + ".link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Open(ctx, link, store.Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("opening a link: %v", err)
	}
	if _, _, err := store.Open(ctx, filepath.Dir(path), store.Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("opening a folder: %v", err)
	}
	if _, _, err := store.Open(ctx, filepath.Join(path, "x"), store.Options{}); err == nil {
		t.Error("opening below a file: no error")
	}
}

func TestSQLiteNamesWithSpecialCharacters(t *testing.T) {
	for _, name := range []string{"a b.db", "a?mode=memory.db", "a#b%20c.db", "é😀.db", "a&b=c;d.db"} {
		path := filepath.Join(t.TempDir(), name)
		record(t, path, store.Options{}, "1", nil)
		if in, err := os.Stat(path); err != nil || in.Size() == 0 || in.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, in, err)
		}
	}
}

func TestSQLiteOneFileBetweenRuns(t *testing.T) {
	path := made(t)
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("there are %v", entries)
	}
}

// TestSidecars lays beside a database what SQLite would believe: a journal that names a file
// deletes it. It is moved away unread, and told.
func TestSidecars(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	ctx := context.Background()
	for _, tail := range []string{"-journal", "-wal", "-shm"} {
		for kind, lay := range map[string]func(at, victim string) error{
			"file": func(at, victim string) error { return os.WriteFile(at, superJournal(victim), 0o644) },
			"link": func(at, victim string) error { return os.Symlink(victim, at) },
			"folder": func(at, victim string) error {
				return errors.Join(os.Mkdir(at, 0o755), os.WriteFile(filepath.Join(at, "x"), nil, 0o644))
			},
		} {
			t.Run(tail[1:]+" "+kind, func(t *testing.T) {
				path := made(t)
				victim := filepath.Join(t.TempDir(), "victim")
				if err := errors.Join(os.WriteFile(victim, []byte("precious"), 0o644), lay(path+tail, victim)); err != nil {
					t.Fatal(err)
				}
				st, note, err := store.Open(ctx, path, store.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if want := "objects.db" + tail + " lay beside the session database and was moved aside as objects.db" + tail + ".aside-1"; !strings.Contains(note, want) {
					t.Errorf("note = %q", note)
				}
				if err := put(t, st, object.Run{ID: "2", Session: "pr-1"}); err != nil {
					t.Error(err)
				}
				if runs, err := st.Runs(ctx, ""); err != nil || len(runs) != 2 {
					t.Errorf("runs = %v, %v", runs, err)
				}
				if err := st.Close(); err != nil {
					t.Error(err)
				}
				if b, err := os.ReadFile(victim); err != nil || string(b) != "precious" {
					t.Errorf("the victim is %q, %v", b, err)
				}
				if _, err := os.Lstat(path + tail + ".aside-1"); err != nil {
					t.Error(err)
				}
				if _, err := os.Lstat(path + tail); err == nil {
					t.Error("it still lies beside the database")
				}
			})
		}
	}
}

// superJournal is a journal that has SQLite delete a file.
func superJournal(victim string) []byte {
	magic := []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}
	sum := uint32(0)
	for _, c := range []byte(victim) {
		sum += uint32(c)
	}
	b := append(bytes.Clone(magic), make([]byte, 504)...)
	b = append(b, victim...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(victim)))
	b = binary.BigEndian.AppendUint32(b, sum)
	return append(b, magic...)
}

// TestSQLiteKeepsOthersRuns writes by turns from two stores of one file and from SQLite itself.
func TestSQLiteKeepsOthersRuns(t *testing.T) {
	ctx := context.Background()
	path := made(t)
	var stores []object.Store
	for range 2 {
		st, _, err := store.Open(ctx, path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		stores = append(stores, st)
	}
	for i := range 6 {
		id := fmt.Sprint("r", i)
		if i%3 == 2 {
			execSQL(t, path, "INSERT INTO run (id, session, commit_id, handed) VALUES ('"+id+"', 'pr-1', '', 1)")
			continue
		}
		if err := put(t, stores[i%3], object.Run{ID: id, Session: "pr-1"}, file(t, "fs", "/"+id, id)); err != nil {
			t.Fatal(err)
		}
	}
	st, note, err := store.Open(ctx, path, store.Options{})
	if err != nil || note != "" {
		t.Fatal(note, err)
	}
	defer st.Close()
	if runs, err := st.Runs(ctx, ""); err != nil || len(runs) != 7 {
		t.Errorf("runs = %v, %v", runs, err)
	}
}

// TestSQLiteFull fills the database up: the run is not done, what was there stays, and the
// message says why.
func TestSQLiteFull(t *testing.T) {
	ctx := context.Background()
	path := made(t)
	st, _, err := store.OpenSQLite(ctx, path, store.Options{KeepFiles: keepAll})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	st.Limit(t, 40)
	big := file(t, "fs", "/big", noise(1<<19))
	err = put(t, st, object.Run{ID: "2", Session: "pr-1"}, big)
	if err == nil || !strings.Contains(err.Error(), "there is no space left") {
		t.Errorf("Put = %v", err)
	}
	if runs, err := st.Runs(ctx, ""); err != nil || len(runs) != 1 {
		t.Errorf("runs = %v, %v", runs, err)
	}
	if err := put(t, st, object.Run{ID: "2", Session: "pr-1"}); err != nil {
		t.Errorf("a small run afterwards: %v", err)
	}
}

// TestSQLiteLocked lets another connection hold the database.
func TestSQLiteLocked(t *testing.T) {
	ctx := context.Background()
	path := made(t)
	st, _, err := store.OpenSQLite(ctx, path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	st.Impatient(t)
	db, err := sql.Open("sqlite", path+"?_txlock=exclusive")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := put(t, st, object.Run{ID: "2", Session: "s"}); err == nil || !strings.Contains(err.Error(), "another process has been writing to it") {
		t.Errorf("Put = %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := put(t, st, object.Run{ID: "2", Session: "s"}); err != nil {
		t.Errorf("Put afterwards = %v", err)
	}
}

// TestSQLiteReadOnly opens as a user who may not write.
func TestSQLiteReadOnly(t *testing.T) {
	path := made(t)
	dir := filepath.Dir(path)
	if err := errors.Join(os.Chmod(path, 0o444), os.Chmod(dir, 0o555)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	// The folders above are the test's own, and closed to others.
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	if !unprivileged(t, cmd) {
		t.Skip("cannot become a user who may not write")
	}
	cmd.Env = append(os.Environ(), "HAVERSACK_TEST_OPENER="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out))
	}
	if !strings.Contains(string(out), "cannot be written") {
		t.Errorf("it said %s", out)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the database is gone: %v", err)
	}
}

// TestSQLiteCancelled stops a writer in the middle.
func TestSQLiteCancelled(t *testing.T) {
	path := made(t)
	st, _, err := store.OpenSQLite(context.Background(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ctx, cancel := context.WithCancel(context.Background())
	err = st.Put(ctx, object.Write{Run: object.Run{ID: "2", Session: "s"}, Objects: func(yield func(object.Object, error) bool) {
		for i := range 100 {
			if i == 50 {
				cancel()
			}
			f, err := object.NewStub(object.Filesystem("fs", fmt.Sprint("/", i)))
			if !yield(f, err) {
				return
			}
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Put = %v", err)
	}
	if runs, err := st.Runs(context.Background(), ""); err != nil || len(runs) != 1 {
		t.Errorf("runs = %v, %v", runs, err)
	}
	if err := put(t, st, object.Run{ID: "2", Session: "s"}); err != nil {
		t.Errorf("Put afterwards = %v", err)
	}
}

// TestSQLiteBatch: the Puts of a batch are one writing of the file, and all or none of them is there.
func TestSQLiteBatch(t *testing.T) {
	path := made(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	st, _, err := store.OpenSQLite(ctx, path, store.Options{KeepFiles: keepAll})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	runs := func() int {
		t.Helper()
		other, _, err := store.OpenSQLite(context.Background(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		list, err := other.Runs(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	first := runs()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	two := func(failed error) func() error {
		return func() error {
			for range 2 {
				n++
				if err := put(t, st, object.Run{ID: fmt.Sprint("batch ", n), Session: "pr-1"}, file(t, "fs", "/moor.txt", fmt.Sprint(n))); err != nil {
					t.Error(err)
				}
			}
			if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, before) {
				t.Errorf("the file changed in a batch: %v", err)
			}
			if err := st.Batch(ctx, func() error { return nil }); err == nil {
				t.Error("a batch in a batch")
			}
			return failed
		}
	}
	if err := st.Batch(ctx, two(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) || runs() != first {
		t.Errorf("a batch that fails: %v, %d runs", err, runs())
	}
	if err := st.Batch(ctx, two(nil)); err != nil || runs() != first+2 {
		t.Errorf("a batch: %v, %d runs", err, runs())
	}
	if list, err := st.Runs(ctx, ""); err != nil || len(list) != first+2 {
		t.Errorf("the store has %v, %v", list, err)
	}
	if before, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if err := st.Batch(ctx, func() error { err := two(nil)(); cancel(); return err }); !errors.Is(err, context.Canceled) || runs() != first+2 {
		t.Errorf("a batch that is given up: %v, %d runs", err, runs())
	}
	if err := put(t, st, object.Run{ID: "after", Session: "pr-1"}); err != nil || runs() != first+3 {
		t.Errorf("after it: %v, %d runs", err, runs())
	}
}
