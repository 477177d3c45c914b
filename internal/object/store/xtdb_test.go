package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
	"github.com/haversack-dev/haversack/internal/object/store/xtdbtest"
)

// fake starts a server, and a client that waits in no time.
func fake(t *testing.T, timeout time.Duration) (*xtdbtest.Server, *store.XTDB, *fault.Timer) {
	t.Helper()
	srv := xtdbtest.NewServer()
	t.Cleanup(srv.Close)
	timer := new(fault.Timer)
	st, err := store.OpenXTDB(context.Background(), srv.URL, store.XTDBOptions{KeepFiles: keepAll, Timeout: timeout, Timer: timer})
	if err != nil {
		t.Fatal(err)
	}
	return srv, st, timer
}

// on counts the requests to a path, from 1.
func on(path string, f func(n int, w http.ResponseWriter, r *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/_xtdb/"+path {
			return false
		}
		return f(int(n.Add(1)), w, r)
	}
}

func answer(w http.ResponseWriter, status int, kind, body string) bool {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	io.WriteString(w, body)
	return true
}

// hangUp ends the connection without an answer.
func hangUp(http.ResponseWriter) bool { panic(http.ErrAbortHandler) }

const html = "<html><body>Please log in</body></html>"

// TestXTDBFaults lets the server fail while a run is written: it is written all the same, once,
// or the error says why not.
func TestXTDBFaults(t *testing.T) {
	type server = xtdbtest.Server
	for name, c := range map[string]struct {
		set  func(*server)
		err  string // "" for none
		slow bool
	}{
		"down for a moment": {set: func(s *server) {
			s.Before = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool { return n <= 3 && hangUp(w) })
		}},
		"503 for a moment": {set: func(s *server) {
			s.Before = func(w http.ResponseWriter, r *http.Request) bool { return false }
			s.Before = on("query", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return n <= 2 && answer(w, 503, "text/html", html)
			})
			s.After = on("await-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return n <= 2 && answer(w, 503, "text/plain", "busy")
			})
		}},
		"too many requests": {set: func(s *server) {
			s.Before = on("entity", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return n <= 2 && answer(w, 429, "application/json", "{}")
			})
		}},
		"commits, and the answer is lost": {set: func(s *server) {
			s.After = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool { return n%2 == 1 && hangUp(w) })
		}},
		"commits, and the answer is cut short": {set: func(s *server) {
			s.After = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return n%2 == 1 && answer(w, 202, "application/json", `{"txId":`)
			})
		}},
		"commits after we gave up": {slow: true, set: func(s *server) {
			s.After = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				if n%2 == 1 {
					<-r.Context().Done() // the client's time is over
				}
				return n%2 == 1
			})
		}},
		"commits, and a proxy says 502": {set: func(s *server) {
			s.After = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return n%2 == 1 && answer(w, 502, "text/html", html)
			})
		}},
		"indexes slowly": {set: func(s *server) {
			s.Before = on("await-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return n%5 != 0 && answer(w, 500, "application/json", `{"type":"exception","class":"java.util.concurrent.TimeoutException"}`)
			})
		}},
		"down": {err: "submit-tx: ", set: func(s *server) {
			s.Before = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool { return hangUp(w) })
		}},
		"slow": {slow: true, err: "submit-tx: no answer within 1s", set: func(s *server) {
			s.Before = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true })
		}},
		"never indexes": {err: "waiting for transaction 0: await-tx: status 500", set: func(s *server) {
			s.Before = on("await-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return answer(w, 500, "application/json", `{}`)
			})
		}},
		"HTML": {err: `submit-tx: status 200: the answer is "text/html", not JSON: is this the address of an XTDB 1.x?`, set: func(s *server) {
			s.Before = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool { return answer(w, 200, "text/html", html) })
		}},
		"a log-in page behind a redirect": {err: "leads elsewhere", set: func(s *server) {
			s.Before = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				w.Header().Set("Location", "http://127.0.0.1:1/")
				return answer(w, 302, "text/html", html)
			})
		}},
		"refuses": {err: "the authorisation is missing or refused", set: func(s *server) { s.Authorization = "Bearer other" }},
		"answers nonsense": {err: "submit-tx: the answer names no transaction", set: func(s *server) {
			s.Before = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return answer(w, 202, "application/json", `{}`)
			})
		}},
		"answers another shape": {err: "submit-tx: the answer cannot be read", set: func(s *server) {
			s.Before = on("submit-tx", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return answer(w, 202, "application/json", `[1]`)
			})
		}},
		"does not say whether it stood": {err: "tx-committed: the answer does not tell", set: func(s *server) {
			s.Before = on("tx-committed", func(n int, w http.ResponseWriter, r *http.Request) bool {
				return answer(w, 200, "application/json", `{}`)
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			// Where time has to run out it is short, and there is little to do in it.
			timeout, n := time.Duration(0), 600 // two transactions and the last
			if c.slow {
				timeout, n = time.Second, 10
			}
			srv, st, _ := fake(t, timeout)
			srv.Set(c.set)
			var objects []object.Object
			for i := range n {
				objects = append(objects, file(t, "fs", fmt.Sprint("/", i), "x"))
			}
			err := put(t, st, object.Run{ID: "1", Session: "s"}, objects...)
			// The server is well again.
			srv.Set(func(s *server) { s.Before, s.After, s.Authorization = nil, nil, "" })
			runs, rerr := st.Runs(ctx, "s")
			if rerr != nil {
				t.Fatal(rerr)
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("Put = %v, want %q", err, c.err)
				}
				if len(runs) != 0 {
					t.Errorf("runs = %v", runs)
				}
				// The next try of the same run succeeds, and counts what stood already once.
				if err := put(t, st, object.Run{ID: "1", Session: "s"}, objects...); err != nil {
					t.Errorf("Put afterwards = %v", err)
				}
			} else {
				if err != nil {
					t.Fatalf("Put = %v", err)
				}
				for _, o := range objects {
					if n := srv.Versions(object.HeadOf(o).ID); n != 1 {
						t.Fatalf("%s has %d versions, want 1", object.HeadOf(o).Source.Path, n)
					}
				}
			}
			if runs, err = st.Runs(ctx, "s"); err != nil || len(runs) != 1 {
				t.Errorf("runs = %v, %v", runs, err)
			}
			got, err := st.Get(ctx, object.Query{IDs: ids(objects), Run: "1"})
			if err != nil || len(got) != len(objects) {
				t.Errorf("%d objects, %v", len(got), err)
			}
		})
	}
}

// TestXTDBSpoilt finds documents that others changed.
func TestXTDBSpoilt(t *testing.T) {
	ctx := context.Background()
	f := file(t, "fs", "/a", "x")
	for name, change := range map[string]func(map[string]any){
		"content":     func(d map[string]any) { d["content"] = "y" },
		"file_hash":   func(d map[string]any) { d["file_hash"] = strings.Repeat("0", 64) },
		"path":        func(d map[string]any) { d["source"].(map[string]any)["path"] = "/b" },
		"type":        func(d map[string]any) { d["type"] = "x" },
		"no object":   func(d map[string]any) { delete(d, "object_hash") },
		"wrong shape": func(d map[string]any) { d["source"] = "x" },
	} {
		srv, st, _ := fake(t, 0)
		if err := put(t, st, object.Run{ID: "1", Session: "s"}, f); err != nil {
			t.Fatal(err)
		}
		srv.Spoil(f.ID, change)
		if _, err := st.Get(ctx, object.Query{IDs: []string{f.ID}, Content: true}); !errors.Is(err, object.ErrDamaged) {
			t.Errorf("%s: Get = %v", name, err)
		}
		if _, err := st.History(ctx, f.ID); !errors.Is(err, object.ErrDamaged) {
			t.Errorf("%s: History = %v", name, err)
		}
	}
}

// TestXTDBWaits sees that waiting doubles, and ends when the caller gives up.
func TestXTDBWaits(t *testing.T) {
	srv, st, waits := fake(t, 0)
	srv.Set(func(s *xtdbtest.Server) {
		s.Before = func(w http.ResponseWriter, r *http.Request) bool { return hangUp(w) }
	})
	if _, err := st.Runs(context.Background(), ""); err == nil {
		t.Error("no error")
	}
	want := []time.Duration{200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond}
	if fmt.Sprint(waits.Waits()) != fmt.Sprint(want) {
		t.Errorf("waits = %v, want %v", waits.Waits(), want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := st.Runs(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("after giving up: %v", err)
	}
}

// stop is a timer that is never up: the caller gives up instead.
type stop context.CancelFunc

func (s stop) After(time.Duration) <-chan time.Time { s(); return nil }

// TestXTDBGivenUp sees that who gives up while it is waited learns why it was.
func TestXTDBGivenUp(t *testing.T) {
	srv := xtdbtest.NewServer()
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithCancel(context.Background())
	st, err := store.OpenXTDB(ctx, srv.URL, store.XTDBOptions{Timer: stop(cancel)})
	if err != nil {
		t.Fatal(err)
	}
	srv.Set(func(s *xtdbtest.Server) {
		s.Before = func(w http.ResponseWriter, r *http.Request) bool { return hangUp(w) }
	})
	if _, err := st.Runs(ctx, ""); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "query: ") {
		t.Errorf("given up: %v", err)
	}
}

func TestXTDBAuthorization(t *testing.T) {
	ctx := context.Background()
	srv := xtdbtest.NewServer()
	t.Cleanup(srv.Close)
	srv.Set(func(s *xtdbtest.Server) { s.Authorization = "Bearer secret-token" })
	st, _, err := store.Open(ctx, srv.URL+"/_xtdb/", store.Options{Authorization: "Bearer secret-token"})
	if err != nil {
		t.Fatal(err)
	}
	if err := put(t, st, object.Run{ID: "1", Session: "s"}); err != nil {
		t.Error(err)
	}
	_, _, err = store.Open(ctx, srv.URL, store.Options{Authorization: "Bearer wrong-token"})
	if err == nil || !strings.Contains(err.Error(), "authorisation") || strings.Contains(err.Error(), "token") {
		t.Errorf("with the wrong token: %v", err)
	}
	// A password in the address is sent, and not repeated in messages.
	withUser := strings.Replace(srv.URL, "http://", "http://user:hunter2@", 1)
	_, _, err = store.Open(ctx, withUser, store.Options{})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("with a password: %v", err)
	}
	srv.Set(func(s *xtdbtest.Server) { s.Authorization = "Basic dXNlcjpodW50ZXIy" })
	if _, _, err := store.Open(ctx, withUser, store.Options{}); err != nil {
		t.Error(err)
	}
	if got := store.Place(withUser + "/x?y=z"); strings.Contains(got, "hunter2") || strings.Contains(got, "z") {
		t.Errorf("Place = %s", got)
	}
}

func TestXTDBAddresses(t *testing.T) {
	ctx := context.Background()
	for _, bad := range []string{"http://", "http://a b", "https:///x", "http://user:hunter2@%zz"} {
		if _, err := store.OpenXTDB(ctx, bad, store.XTDBOptions{}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("OpenXTDB(%q) = %v", bad, err)
		}
	}
	// Another server altogether.
	srv := xtdbtest.NewServer()
	t.Cleanup(srv.Close)
	srv.Set(func(s *xtdbtest.Server) {
		s.Before = func(w http.ResponseWriter, r *http.Request) bool { return answer(w, 404, "text/html", html) }
	})
	if _, err := store.OpenXTDB(ctx, srv.URL, store.XTDBOptions{}); err == nil || !strings.Contains(err.Error(), "is this the address of an XTDB 1.x?") {
		t.Errorf("a web server: %v", err)
	}
}

// TestXTDBRestart writes to a node with RocksDB, ends it, and reads from the next one. It
// starts the nodes itself.
func TestXTDBRestart(t *testing.T) {
	lib := os.Getenv("HAVERSACK_XTDB_LIB")
	if lib == "" {
		const how = "HAVERSACK_XTDB_LIB is not set: it names the folder of jars that mvn makes of testdata/xtdb/pom.xml"
		if os.Getenv("HAVERSACK_PEERS") == "require" {
			t.Fatal(how)
		}
		t.Skip(how)
	}
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "rocks")
	resolver, err := object.Workflow("machine", "repository", "/w")
	if err != nil {
		t.Fatal(err)
	}
	var base []object.Member
	for n := range 2 {
		address, stop := node(t, lib, dir)
		thread, st, _, err := store.Resume(ctx, address, store.Options{KeepFiles: keepAll}, store.Session{ID: "s", Resolver: resolver, Root: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(thread.Runs()); got != n {
			t.Errorf("start %d: %d runs", n, got)
		}
		if handed, err := thread.Handed(ctx); err != nil || len(handed) != len(base) {
			t.Errorf("start %d: handed %v, %v", n, handed, err)
		}
		if _, err := thread.Record(ctx, object.Handover{Run: object.Run{ID: fmt.Sprint(n), Handed: true}, Files: members(700, n, func(i int) bool { return i < 10 })}); err != nil {
			t.Fatal(err)
		}
		if base, err = thread.Handed(ctx); err != nil || len(base) != 700 {
			t.Errorf("start %d: handed %d, %v", n, len(base), err)
		}
		st.Close()
		stop()
	}
}

// node starts an XTDB on a free port.
func node(t *testing.T, lib, dir string) (address string, stop func()) {
	t.Helper()
	cmd := exec.Command("java", "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED", "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx512m",
		"-cp", "testdata/xtdb"+string(os.PathListSeparator)+filepath.Join(lib, "*"), "clojure.main", "testdata/xtdb/node.clj", "0", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	stop = func() {
		if !ended {
			ended = true
			// Not an interrupt: what runs in the background may be deaf to it.
			cmd.Process.Signal(syscall.SIGTERM)
			io.Copy(io.Discard, out)
			cmd.Wait()
		}
	}
	t.Cleanup(stop)
	var port int
	if _, err := fmt.Fscanf(out, "listening on %d\n", &port); err != nil {
		t.Fatalf("the node does not start: %v", err)
	}
	return fmt.Sprintf("http://127.0.0.1:%d", port), stop
}
