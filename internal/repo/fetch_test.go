package repo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/repotest"
)

const token = "ghs_notarealtoken"

// server serves git repositories and keeps what it was asked.
type server struct {
	*httptest.Server
	mux *http.ServeMux

	mu   sync.Mutex
	seen []string // METHOD PATH AUTH
}

func serve(t *testing.T) *server {
	s := &server{mux: http.NewServeMux()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, pass, _ := q.BasicAuth()
		s.mu.Lock()
		s.seen = append(s.seen, q.Method+" "+q.URL.Path+" "+pass)
		s.mu.Unlock()
		s.mux.ServeHTTP(w, q)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) host() string { u, _ := url.Parse(s.URL); return u.Host }

// log returns and forgets what was asked.
func (s *server) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.seen = nil }()
	return strings.Join(s.seen, "\n")
}

// private lets in whoever knows the token.
func private(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if _, pass, _ := q.BasicAuth(); pass != token {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			w.Write([]byte("<!DOCTYPE html><html>" + strings.Repeat("sorry ", 1000)))
			return
		}
		h.ServeHTTP(w, q)
	})
}

func fetchOK(t *testing.T, q Request) (*Repository, Commit) {
	t.Helper()
	if q.Dir == "" {
		q.Dir = filepath.Join(t.TempDir(), "store")
	}
	r, c, err := Fetch(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, c
}

// filesOf lists what the commit c tracks, having read every blob.
func filesOf(t *testing.T, r *Repository, c Commit) string {
	t.Helper()
	files, err := r.Files(c.SHA)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if b, err := r.Blob(f.ID); err != nil || HashBlob(b) != f.ID {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	return list(files)
}

func TestFetch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	g := repotest.New(t, "one\n-- a --\n1\n-- dir/b --\nb\n", "two\n-- a --\n2\n", "three\n-- a --\n3\n-- c --\nc\n")
	one, two, three := g.Git("rev-parse", "HEAD~2"), g.Git("rev-parse", "HEAD~1"), g.Git("rev-parse", "HEAD")
	g.Git("tag", "-a", "-m", "v1", "v1", one)
	g.Git("branch", "feature/x", two)
	g.Git("update-ref", "refs/pull/7/head", two)
	s := serve(t)
	s.mux.Handle("/o/r.git/", private(g.Handler("/o/r.git", "uploadpack.allowReachableSHA1InWant=true")))
	ask := Request{URL: s.URL + "/o/r.git", Token: token, Host: s.host()}
	with := func(change func(*Request)) Request { q := ask; change(&q); return q }

	for _, c := range []struct{ name, sha, ref, want, files string }{
		{name: "the default branch", want: three, files: "a\nc\ndir/b\n"},
		{name: "a commit that no reference points to", sha: one, want: one, files: "a\ndir/b\n"},
		{name: "a commit in capitals", sha: strings.ToUpper(two), want: two, files: "a\ndir/b\n"},
		{name: "a branch", ref: "feature/x", want: two, files: "a\ndir/b\n"},
		{name: "an annotated tag", ref: "v1", want: one, files: "a\ndir/b\n"},
		{name: "a full reference", ref: "refs/pull/7/head", want: two, files: "a\ndir/b\n"},
		{name: "a commit given as reference", ref: two, want: two, files: "a\ndir/b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, got := fetchOK(t, with(func(q *Request) { q.SHA, q.Ref = c.sha, c.ref }))
			same(t, "commit", got.SHA, c.want)
			same(t, "files", filesOf(t, r, got), c.files)
			if c.want != one && !r.IsShallow() {
				t.Error("history was fetched")
			}
		})
	}

	t.Run("the branch that it is", func(t *testing.T) {
		g.Git("checkout", "--quiet", "-b", "trunk")
		defer g.Git("checkout", "--quiet", "main")
		for ref, want := range map[string]string{"": "trunk", "HEAD": "trunk", "feature/x": "feature/x", "refs/heads/main": "main", "v1": "", "refs/pull/7/head": ""} {
			r, _ := fetchOK(t, with(func(q *Request) { q.Ref = ref }))
			same(t, "branch of "+ref, r.Branch(), want)
		}
		l, err := List(t.Context(), ask)
		same(t, "branch of HEAD", l.HeadBranch, "trunk")
		if local, localErr := List(t.Context(), Request{URL: g.URL()}); err != nil || localErr != nil || local.HeadBranch != "trunk" || local.Head != three {
			t.Errorf("%+v: %v, %v", local, err, localErr)
		}
	})

	t.Run("two commits into one store", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "store")
		for _, sha := range []string{three, one, two, one} {
			r, c := fetchOK(t, with(func(q *Request) { q.SHA, q.Dir = sha, dir }))
			same(t, "commit", c.SHA, sha)
			filesOf(t, r, c)
			r.Close()
		}
	})

	t.Run("nothing is asked for what is there", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "store")
		fetchOK(t, with(func(q *Request) { q.SHA, q.Dir = one, dir }))
		s.log()
		fetchOK(t, with(func(q *Request) { q.SHA, q.Dir = one, dir }))
		same(t, "asked", s.log(), "")
	})

	errs := []struct {
		name string
		q    Request
		is   error
		says []string
	}{
		{"a commit that is nowhere", with(func(q *Request) { q.SHA = strings.Repeat("1", 40) }), ErrGone, []string{"forced push"}},
		{"an abbreviated commit", with(func(q *Request) { q.SHA = "abcdef1" }), nil, []string{"not a full commit id"}},
		{"a misspelt branch", with(func(q *Request) { q.Ref = "feature/y" }), nil, []string{"feature/x"}},
		{"a branch nothing is like", with(func(q *Request) { q.Ref = "zzzzzzzzzzzz" }), nil, []string{"unknown revision"}},
		{"no token", with(func(q *Request) { q.Token = "" }), ErrAuth, []string{"input token"}},
		{"a wrong token", with(func(q *Request) { q.Token = "x" }), ErrAuth, nil},
		{"a token for another host", with(func(q *Request) { q.Host = "github.com" }), ErrAuth, []string{"token is for github.com"}},
		{"no such repository", with(func(q *Request) { q.URL = s.URL + "/o/none.git" }), ErrNotFound, nil},
		{"a password in the address", with(func(q *Request) { q.URL = "https://u:hunter2@example.org/x" }), nil, []string{"input token"}},
		{"an ssh address", with(func(q *Request) { q.URL = "ssh://git@example.org/x" }), nil, []string{"https://HOST"}},
		{"a short ssh address", with(func(q *Request) { q.URL = "git@example.org:o/x" }), nil, []string{"https://HOST"}},
		{"an address that runs a command", with(func(q *Request) { q.URL = "ext::sh -c date" }), nil, []string{"https://HOST"}},
	}
	for _, c := range errs {
		t.Run(c.name, func(t *testing.T) {
			c.q.Dir = filepath.Join(t.TempDir(), "store")
			s.log()
			_, _, err := Fetch(t.Context(), c.q)
			if err == nil {
				t.Fatal("no error")
			}
			t.Log(err)
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error is not %v", c.is)
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("error does not say %q", s)
				}
			}
			for _, s := range []string{token, "hunter2", "sorry", "<html>"} {
				if strings.Contains(err.Error(), s) {
					t.Errorf("error says %q", s)
				}
			}
			if c.q.Host != s.host() && strings.Contains(s.log(), token) {
				t.Error("the token was sent")
			}
		})
	}
}

// A server that hands out only what a reference points to.
func TestFetchUnadvertised(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	g := repotest.New(t, "one\n-- a --\n1\n", "two\n-- a --\n2\n", "three\n-- a --\n3\n")
	two, three := g.Git("rev-parse", "HEAD~1"), g.Git("rev-parse", "HEAD")
	orphan := g.Git("commit-tree", "-m", "x", "HEAD^{tree}")
	for _, tip := range []string{"false", "true"} {
		t.Run("allowTipSHA1InWant="+tip, func(t *testing.T) {
			s := serve(t)
			s.mux.Handle("/r/", g.Handler("/r", "uploadpack.allowTipSHA1InWant="+tip))
			r, c := fetchOK(t, Request{URL: s.URL + "/r", SHA: three})
			same(t, "tip", c.SHA, three)
			if !r.IsShallow() {
				t.Error("history was fetched for a tip")
			}
			r, c = fetchOK(t, Request{URL: s.URL + "/r", SHA: two})
			same(t, "inner commit", c.SHA, two)
			filesOf(t, r, c)
			_, _, err := Fetch(t.Context(), Request{URL: s.URL + "/r", SHA: orphan, Dir: t.TempDir()})
			if !errors.Is(err, ErrGone) {
				t.Errorf("orphan: %v", err)
			}
		})
	}
}

// The token goes to its host alone, whatever the answer is.
func TestRedirect(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	g := repotest.New(t, "one\n-- a --\n1\n")
	other := serve(t)
	other.mux.Handle("/r/", g.Handler("/r"))
	s := serve(t)
	s.mux.Handle("/away/", http.RedirectHandler(other.URL+"/r/info/refs?service=git-upload-pack", http.StatusFound))
	s.mux.Handle("/r/", private(g.Handler("/r")))
	s.mux.HandleFunc("/moved/", func(w http.ResponseWriter, q *http.Request) {
		http.Redirect(w, q, "/r/"+strings.TrimPrefix(q.URL.String(), "/moved/"), http.StatusMovedPermanently)
	})
	ask := func(path string) Request { return Request{URL: s.URL + path, Token: token, Host: s.host()} }

	_, c := fetchOK(t, ask("/moved"))
	same(t, "moved within the host", c.SHA, g.Git("rev-parse", "HEAD"))

	_, c = fetchOK(t, ask("/away"))
	same(t, "moved to another host", c.SHA, g.Git("rev-parse", "HEAD"))
	log := other.log()
	if !strings.Contains(log, "POST") || strings.Contains(log, token) {
		t.Errorf("the other host was asked:\n%s", log)
	}
}

func TestFetchLocal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	g := repotest.New(t, "one\n-- a --\n1\n", "two\n-- a --\n2\n")
	bare := g.Clone("--bare")
	for _, addr := range []string{g.Dir, g.URL(), bare.Dir, bare.URL()} {
		r, c := fetchOK(t, Request{URL: addr, Ref: "main"})
		same(t, addr, c.SHA, g.Git("rev-parse", "HEAD"))
		filesOf(t, r, c)
		_, c = fetchOK(t, Request{URL: addr})
		same(t, addr, c.SHA, g.Git("rev-parse", "HEAD"))
		_, c = fetchOK(t, Request{URL: addr, SHA: g.Git("rev-parse", "HEAD~1")})
		same(t, addr, c.SHA, g.Git("rev-parse", "HEAD~1"))
	}
	g.Apply("-- dir/x --\n")
	for _, addr := range []string{g.Path("dir"), t.TempDir()} {
		if _, _, err := Fetch(t.Context(), Request{URL: addr}); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// What goes wrong on the way: said in words, and tried again where that helps.
func TestFetchFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	g := repotest.New(t, "one\n-- a --\n1\n")
	git := g.Handler("/r", "uploadpack.allowReachableSHA1InWant=true")
	head := g.Git("rev-parse", "HEAD")
	fault := map[string]http.HandlerFunc{
		"500": func(w http.ResponseWriter, q *http.Request) { http.Error(w, "<html>", http.StatusInternalServerError) },
		"503": func(w http.ResponseWriter, q *http.Request) { http.Error(w, "<html>", http.StatusServiceUnavailable) },
		"429": func(w http.ResponseWriter, q *http.Request) { http.Error(w, "slow down", http.StatusTooManyRequests) },
		"reset": func(w http.ResponseWriter, q *http.Request) {
			if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
				c.Close()
			}
		},
		"cut": func(w http.ResponseWriter, q *http.Request) {
			rec := httptest.NewRecorder()
			git.ServeHTTP(rec, q)
			b := rec.Body.Bytes()
			w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
			w.Write(b[:len(b)/2])
		},
		"403": func(w http.ResponseWriter, q *http.Request) { http.Error(w, "<html>", http.StatusForbidden) },
		"404": func(w http.ResponseWriter, q *http.Request) { http.Error(w, "<html>", http.StatusNotFound) },
		"410": func(w http.ResponseWriter, q *http.Request) { http.Error(w, "<html>", http.StatusGone) },
		"html": func(w http.ResponseWriter, q *http.Request) {
			w.Write([]byte("<!DOCTYPE html><title>Sign in</title>" + strings.Repeat("x", 1<<16)))
		},
		"empty": func(w http.ResponseWriter, q *http.Request) {},
	}
	passes := map[string]bool{"500": true, "503": true, "429": true, "reset": true, "cut": true}
	for name, h := range fault {
		for _, call := range []string{"info/refs", "git-upload-pack"} {
			t.Run(name+" at "+call, func(t *testing.T) {
				for _, times := range []int{1, 1000} {
					s := serve(t)
					left := times
					s.mux.HandleFunc("/r/", func(w http.ResponseWriter, q *http.Request) {
						if strings.HasSuffix(q.URL.Path, call) && left > 0 {
							left--
							h(w, q)
							return
						}
						git.ServeHTTP(w, q)
					})
					r, c, err := Fetch(t.Context(), Request{URL: s.URL + "/r", SHA: head, Dir: t.TempDir(), pause: time.Nanosecond})
					switch {
					case err == nil:
						if times > 1 {
							t.Error("it went well")
						}
						filesOf(t, r, c)
						r.Close()
					case times == 1 && passes[name]:
						t.Errorf("not tried again: %v", err)
					default:
						t.Log(err)
						if msg := err.Error(); len(msg) > 500 || strings.Contains(msg, "<html>") || strings.Contains(msg, "\n") || strings.Contains(msg, "DOCTYPE") {
							t.Errorf("not fit for people: %s", msg)
						}
					}
				}
			})
		}
	}

	t.Run("an empty repository", func(t *testing.T) {
		s := serve(t)
		s.mux.Handle("/r/", repotest.New(t).Handler("/r"))
		for _, q := range []Request{{SHA: head}, {Ref: "main"}, {}} {
			q.URL, q.Dir = s.URL+"/r", t.TempDir()
			if _, _, err := Fetch(t.Context(), q); !errors.Is(err, ErrNoCommit) {
				t.Errorf("%v", err)
			}
		}
	})
	t.Run("a repository with sha256", func(t *testing.T) {
		g := repotest.New(t)
		dir := t.TempDir()
		g.Git("init", "-q", "--object-format=sha256", dir)
		g = g.At(dir)
		g.Commit("-- a --\n")
		s := serve(t)
		s.mux.Handle("/r/", g.Handler("/r"))
		_, _, err := Fetch(t.Context(), Request{URL: s.URL + "/r", Dir: t.TempDir()})
		if !errors.Is(err, ErrFormat) {
			t.Errorf("%v", err)
		}
	})
	t.Run("cancelled while the server thinks", func(t *testing.T) {
		s := serve(t)
		ctx, cancel := context.WithCancel(t.Context())
		s.mux.HandleFunc("/r/", func(w http.ResponseWriter, q *http.Request) {
			cancel()
			<-q.Context().Done()
		})
		_, _, err := Fetch(ctx, Request{URL: s.URL + "/r", SHA: head, Dir: t.TempDir()})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
	t.Run("no answer in time", func(t *testing.T) {
		s := serve(t)
		s.mux.HandleFunc("/r/", func(w http.ResponseWriter, q *http.Request) { <-q.Context().Done() })
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, _, err := Fetch(ctx, Request{URL: s.URL + "/r", SHA: head, Dir: t.TempDir()})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "silent") {
			t.Errorf("%v", err)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		s := serve(t)
		s.Close()
		_, _, err := Fetch(t.Context(), Request{URL: s.URL + "/r", Dir: t.TempDir(), pause: time.Nanosecond})
		if err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("%v", err)
		}
	})
}

// The way of a pull request in a workflow: a depth-1 clone of the test merge;
// its parents are known by name, and the base is fetched alone. The checkout
// stays as it is to the last byte.
func TestBaseOfDepth1Clone(t *testing.T) {
	g := repotest.New(t, "one\n-- a --\n1\n")
	g.Git("checkout", "-q", "-b", "feature")
	head := g.Commit("-- b --\n2\n")
	g.Git("checkout", "-q", "main")
	base := g.Commit("-- a --\n3\n")
	g.Git("checkout", "-q", "--detach")
	g.Git("merge", "-q", "--no-ff", "-m", "test merge", "feature")
	g.Git("update-ref", "refs/pull/1/merge", "HEAD")
	g.Git("checkout", "-q", "main")
	s := serve(t)
	s.mux.Handle("/r/", private(g.Handler("/r", "uploadpack.allowReachableSHA1InWant=true")))

	c := repotest.New(t)
	c.Git("fetch", "-q", "--depth=1", g.URL(), "refs/pull/1/merge")
	c.Git("checkout", "-q", "FETCH_HEAD")
	before := snapshot(t, c.Dir)
	r := open(t, c.Dir)
	at, err := r.Head()
	if err != nil || len(at.Parents) != 2 || at.Parents[0] != base || at.Parents[1] != head {
		t.Fatalf("%v, %v; want parents %s %s", at, err, base, head)
	}
	if _, err := r.MergeBase(at.SHA, base); err == nil {
		t.Error("the base is here already")
	}
	b, bc := fetchOK(t, Request{URL: s.URL + "/r", Token: token, Host: s.host(), SHA: at.Parents[0]})
	same(t, "base", filesOf(t, b, bc), "a\n")
	same(t, "head", filesOf(t, r, at), "a\nb\n")
	if snapshot(t, c.Dir) != before {
		t.Error("the checkout has changed")
	}
	c.Git("fsck", "--full")
}

// snapshot describes every file below dir.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(p string, fi os.FileInfo, err error) error {
		if err == nil {
			fmt.Fprintln(&b, p, fi.Mode(), fi.Size(), fi.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever a repository or the user's configuration asks to be run is not run.
func TestNothingIsRun(t *testing.T) {
	g := repotest.New(t, "one\n-- .gitattributes --\n* filter=x diff=x\n*.txt text\n-- a.txt --\n1\n")
	ran := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+ran+"\nexec cat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	s.mux.Handle("/r/", private(g.Handler("/r")))
	config := "[core]\n\tfsmonitor = " + script + "\n\thooksPath = " + filepath.Dir(script) + "\n\tsshCommand = " + script + "\n\tgitProxy = " + script + "\n\taskPass = " + script +
		"\n\tpager = " + script + "\n\teditor = " + script + "\n[credential]\n\thelper = " + script + "\n[filter \"x\"]\n\tclean = " + script + "\n\tsmudge = " + script + "\n\tprocess = " + script + "\n\trequired = true\n" +
		"[diff \"x\"]\n\ttextconv = " + script + "\n\tcommand = " + script + "\n[remote \"origin\"]\n\turl = " + s.URL + "/r\n\tuploadpack = " + script + "\n\tvcs = x\n[uploadpack]\n\tpackObjectsHook = " + script + "\n[alias]\n\tx = !" + script + "\n"
	appendTo(t, g.Path(".git/config"), config)
	t.Setenv("HOME", t.TempDir())
	write(t, filepath.Join(os.Getenv("HOME"), ".gitconfig"), config)
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc", "post-merge", "upload-pack"} {
		os.Link(script, g.Path(".git/hooks/"+hook))
		os.Link(script, filepath.Join(filepath.Dir(script), hook))
	}
	r := open(t, g.Dir)
	readable(t, r, ".gitattributes\na.txt\n")
	r.Converted()
	r.SameBlob("a.txt", []byte("1\r\n"), HashBlob([]byte("1\n")))
	r.Resolve("HEAD~1")
	Fetch(t.Context(), Request{URL: g.Dir, Ref: "main"})
	Fetch(t.Context(), Request{URL: g.URL()})
	Fetch(t.Context(), Request{URL: r.RemoteURL("origin"), Dir: t.TempDir()}) // asks for credentials
	if _, err := os.Stat(ran); err == nil {
		t.Error("something was run")
	}
}

func TestFetchable(t *testing.T) {
	for address, want := range map[string]bool{
		"https://github.com/o/n": true, "http://127.0.0.1/x": true, "file:///srv/n.git": true, "/srv/n.git": true, "../n": true,
		"git@github.com:o/n.git": false, "ssh://git@github.com/o/n": false, "git://h/n": false, "": false,
	} {
		if got := Fetchable(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}
