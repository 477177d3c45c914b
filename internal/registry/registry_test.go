package registry_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/registry/registrytest"
)

const (
	name   = "harbour/pilots"
	commit = "5ac0ffee5ac0ffee5ac0ffee5ac0ffee5ac0ffee"
)

// files are some of a run's, the last of which is another in each edition.
func files(edition int) (list []registry.File) {
	for _, f := range [][2]string{{"archive.tar", "tide tables"}, {"context.md", "# Pilots"}, {"record.json", fmt.Sprintf(`{"edition":%d}`, edition)}} {
		list = append(list, file(f[0], f[1]))
	}
	return list
}

func file(name, text string) registry.File {
	raw := []byte(text)
	return registry.File{Name: name, Size: int64(len(raw)), SHA256: strings.TrimPrefix(registrytest.Digest(raw), "sha256:"),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }}
}

var (
	facts = registry.Facts{Commit: commit, Mode: "full"}
	tags  = []string{"sha-" + commit, "main"}
)

func client(t *testing.T, host string, o registry.Options) *registry.Client {
	t.Helper()
	a, err := registry.ParseAddress("oci://" + host + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if o.Wait = time.Millisecond; o.Patience == 0 {
		o.Patience = 20 * time.Second
	}
	c, err := registry.New(a, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPush pushes, pushes the same again, and another edition: what is there is not sent.
func TestPush(t *testing.T) {
	s := registrytest.New(t)
	c := client(t, s.Host, registry.Options{})
	first, err := c.Push(t.Context(), facts, files(1), tags)
	if err != nil {
		t.Fatal(err)
	}
	s.Requests()
	again, err := c.Push(t.Context(), facts, files(1), tags)
	if err != nil || again != first {
		t.Fatalf("%s, then %s: %v", first, again, err)
	}
	for _, r := range s.Requests() {
		if !strings.HasPrefix(r, "HEAD ") {
			t.Errorf("an unchanged push makes the request %s", r)
		}
	}
	second, err := c.Push(t.Context(), facts, files(2), []string{"sha-other", "main"})
	if err != nil || second == first {
		t.Fatalf("%s, then %s: %v", first, second, err)
	}
	sent := 0
	for _, r := range s.Requests() {
		if strings.HasPrefix(r, "POST ") {
			sent++
		}
	}
	if got := s.Tags(); sent != 1 || got[name+":main"] != second || got[name+":sha-"+commit] != first {
		t.Errorf("%d files were sent, tags are %v", sent, got)
	}
	a, err := c.Find(t.Context(), "main")
	if err != nil || a.Commit != commit || a.Mode != "full" || a.Base != "" || a.Digest != second || len(a.Files) != 3 {
		t.Fatalf("%+v: %v", a, err)
	}
	var b bytes.Buffer
	if err := c.Read(t.Context(), a.Files[0], &b); err != nil || b.String() != "tide tables" {
		t.Errorf("%q: %v", b.String(), err)
	}
	if _, err := c.Find(t.Context(), "never"); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("a tag that is not there: %v", err)
	}
}

// TestCutOff has the registry, and the client, die at each request of a push in turn: the
// tag of the branch names what it did, or the whole of the new artifact.
func TestCutOff(t *testing.T) {
	before := func(t *testing.T) (*registrytest.Server, string) {
		s := registrytest.New(t)
		old, err := client(t, s.Host, registry.Options{}).Push(t.Context(), registry.Facts{Mode: "full"}, files(0)[2:], []string{"main"})
		if err != nil {
			t.Fatal(err)
		}
		s.Requests()
		return s, old
	}
	whole, _ := before(t)
	if _, err := client(t, whole.Host, registry.Options{}).Push(t.Context(), facts, files(1), tags); err != nil {
		t.Fatal(err)
	}
	points := len(whole.Requests())
	if points < 10 {
		t.Fatalf("a push has %d requests", points)
	}
	for at := 1; at <= points; at++ {
		for _, way := range []string{"refused", "cut", "ended"} {
			t.Run(fmt.Sprintf("%s at %d", way, at), func(t *testing.T) {
				s, old := before(t)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s.Before = func(n int, w http.ResponseWriter, _ *http.Request) bool {
					switch {
					case n < at:
						return false
					case way == "cut":
						panic(http.ErrAbortHandler)
					case way == "ended":
						cancel()
					}
					w.WriteHeader(http.StatusInternalServerError)
					return true
				}
				if _, err := client(t, s.Host, registry.Options{}).Push(ctx, facts, files(1), tags); err == nil {
					t.Error("the push has no error")
				}
				got := s.Tags()
				if got[name+":main"] != old {
					t.Errorf("main was moved to %s", got[name+":main"])
				}
				for tag := range got {
					if lack := s.Whole(name, strings.TrimPrefix(tag, name+":")); lack != "" {
						t.Errorf("%s names an artifact that lacks %s", tag, lack)
					}
				}
			})
		}
	}
}

// TestPutBack has the registry refuse one tag, or move it and lose the answer: all tags name
// what they did before, and one that named nothing names a whole artifact.
func TestPutBack(t *testing.T) {
	for _, there := range [][]string{{"main"}, tags} {
		for _, lost := range []bool{false, true} {
			for _, bad := range tags {
				s := registrytest.New(t)
				c := client(t, s.Host, registry.Options{})
				old, err := c.Push(t.Context(), registry.Facts{Mode: "full"}, files(0), there)
				if err != nil {
					t.Fatal(err)
				}
				var refused atomic.Int32
				// Of the new manifest alone, which is not that of the old artifact.
				isBad := func(r *http.Request) bool {
					if r.Method != http.MethodPut || !strings.HasSuffix(r.URL.Path, "/manifests/"+bad) {
						return false
					}
					raw, _ := io.ReadAll(r.Body)
					r.Body = io.NopCloser(bytes.NewReader(raw))
					if registrytest.Digest(raw) == old {
						return false
					}
					refused.Add(1)
					return true
				}
				if lost {
					s.Lose = isBad
				} else {
					s.Before = func(_ int, w http.ResponseWriter, r *http.Request) bool {
						if !isBad(r) {
							return false
						}
						w.WriteHeader(http.StatusForbidden)
						return true
					}
				}
				if _, err := c.Push(t.Context(), facts, files(1), tags); err == nil || refused.Load() == 0 {
					t.Errorf("a refused tag: %v", err)
				}
				for _, tag := range tags {
					now := s.Tags()[name+":"+tag]
					if slices.Contains(there, tag) && now != old {
						t.Errorf("%q before, %q refused, lost %v: %s names %q and named %q", there, bad, lost, tag, now, old)
					}
					if now != "" && s.Whole(name, tag) != "" {
						t.Errorf("%s names no whole artifact", tag)
					}
				}
				// Made again, it is whole.
				s.Before, s.Lose = nil, nil
				if d, err := c.Push(t.Context(), facts, files(1), tags); err != nil || s.Tags()[name+":main"] != d || s.Tags()[name+":"+tags[0]] != d {
					t.Errorf("made again: %v: %v", s.Tags(), err)
				}
			}
		}
	}
}

// TestCommit asks what commit a tag is of, by one request.
func TestCommit(t *testing.T) {
	s := registrytest.New(t)
	c := client(t, s.Host, registry.Options{})
	if _, err := c.Push(t.Context(), facts, files(1), tags); err != nil {
		t.Fatal(err)
	}
	s.Set(name, "image", []byte(`{"schemaVersion":2,"layers":[]}`))
	for tag, want := range map[string]string{"main": commit, tags[0]: commit, "never": "", "image": ""} {
		s.Requests()
		if got, err := c.Commit(t.Context(), tag); got != want || err != nil || len(s.Requests()) != 1 {
			t.Errorf("%s is of %q: %v", tag, got, err)
		}
	}
	s.Before = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	if _, err := c.Commit(t.Context(), "main"); !errors.Is(err, registry.ErrRefused) {
		t.Error(err)
	}
}

// TestBadRegistry reads from, and pushes to, registries that are none or lie.
func TestBadRegistry(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("another host is asked: %s %s, Authorization %q", r.Method, r.URL, r.Header.Get("Authorization"))
	}))
	t.Cleanup(elsewhere.Close)
	// A name of this machine that is no loopback address as it is written.
	plain := strings.Replace(elsewhere.URL, "127.0.0.1", "registry.invalid", 1)
	answer := func(code int, heads map[string]string) func(int, http.ResponseWriter, *http.Request) bool {
		return func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			for k, v := range heads {
				w.Header().Set(k, v)
			}
			w.WriteHeader(code)
			return true
		}
	}
	for what, row := range map[string]struct {
		before func(int, http.ResponseWriter, *http.Request) bool
		push   bool
		want   string
	}{
		"refuses":                  {before: answer(403, nil), want: "refuses it: it answers 403"},
		"refuses a push":           {before: answer(403, nil), push: true, want: "refuses it: it answers 403"},
		"wants a password":         {before: answer(401, map[string]string{"WWW-Authenticate": `Basic realm="x"`}), want: "refuses it"},
		"has no answer":            {before: answer(500, nil), want: "answers 500"},
		"is too busy":              {before: answer(429, nil), want: "answers 429"},
		"is too busy for an hour":  {before: answer(429, map[string]string{"Retry-After": "3600"}), want: "answers 429 and asks for a pause of 1h0m0s: run it again after that"},
		"is too busy for a push":   {before: onlyFor("PUT", answer(429, map[string]string{"Retry-After": "16"})), push: true, want: "a pause of 16s"},
		"asks for what is no time": {before: answer(429, map[string]string{"Retry-After": "-99999999999999999999"}), want: "answers 429"},
		"sends on a push":          {before: onlyFor("POST", answer(307, map[string]string{"Location": elsewhere.URL + "/v2/x"})), push: true, want: "not followed"},
		"takes content elsewhere":  {before: onlyFor("POST", answer(202, map[string]string{"Location": elsewhere.URL + "/v2/x/blobs/uploads/1"})), push: true, want: "different host"},
		"sends on in the clear":    {before: answer(302, map[string]string{"Location": plain + "/"}), want: "without encryption"},
		"sends on without end":     {before: answer(302, map[string]string{"Location": "/v2/again"}), want: "sent on more than"},
		"says a digest that is no": {before: answer(200, map[string]string{"Content-Type": "application/json", "Content-Length": "2", "Docker-Content-Digest": "sha256:00"}), want: "digest"},
		"has a manifest of 100 MB": {before: answer(200, map[string]string{"Content-Type": "application/json", "Content-Length": "100000000", "Docker-Content-Digest": registrytest.Digest(nil)}), want: "100000000 bytes"},
	} {
		t.Run(what, func(t *testing.T) {
			s := registrytest.New(t)
			s.Before = row.before
			c := client(t, s.Host, registry.Options{Config: config(s.Host, "pilot", "p4ss-for-harbour")})
			var err error
			if row.push {
				_, err = c.Push(t.Context(), facts, files(1), tags)
			} else {
				_, err = c.Find(t.Context(), "main")
			}
			if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "p4ss") {
				t.Errorf("%v, and %q is wanted", err, row.want)
			}
		})
	}
}

// TestWaits: a registry that is asked too often is left alone as long as it tells, and asked again.
func TestWaits(t *testing.T) {
	s := registrytest.New(t)
	c := client(t, s.Host, registry.Options{})
	if _, err := c.Push(t.Context(), facts, files(1), tags); err != nil {
		t.Fatal(err)
	}
	s.Requests()
	s.Before = func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return n == 1
	}
	began := time.Now()
	if a, err := c.Find(t.Context(), "main"); err != nil || a.Commit != commit || time.Since(began) < time.Second {
		t.Errorf("after %v: %+v: %v", time.Since(began), a, err)
	}
}

func onlyFor(method string, f func(int, http.ResponseWriter, *http.Request) bool) func(int, http.ResponseWriter, *http.Request) bool {
	return func(n int, w http.ResponseWriter, r *http.Request) bool { return r.Method == method && f(n, w, r) }
}

// TestSilence: a registry that accepts and says nothing, or begins an answer and does not end it, or sends a byte now and then, is left.
func TestSilence(t *testing.T) {
	for _, how := range []string{"says nothing", "begins", "drips"} {
		s := registrytest.New(t)
		c := client(t, s.Host, registry.Options{Patience: 150 * time.Millisecond})
		if _, err := c.Push(t.Context(), facts, files(1), tags); err != nil {
			t.Fatal(err)
		}
		a, err := c.Find(t.Context(), "main")
		if err != nil {
			t.Fatal(err)
		}
		s.Before = func(_ int, w http.ResponseWriter, r *http.Request) bool {
			if how != "says nothing" {
				w.Header().Set("Content-Length", "1100")
				_, _ = io.WriteString(w, "tide")
				w.(http.Flusher).Flush()
			}
			for how == "drips" && r.Context().Err() == nil {
				time.Sleep(20 * time.Millisecond)
				_, _ = io.WriteString(w, "t")
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
			return true
		}
		began := time.Now()
		if err := c.Read(t.Context(), a.Files[0], io.Discard); err == nil || time.Since(began) > 5*time.Second {
			t.Errorf("%s: %v after %s", how, err, time.Since(began))
		}
	}
}

// TestLies: bytes that are not those of their digest, more of them, fewer, are refused.
func TestLies(t *testing.T) {
	for _, other := range []string{"tide tabled", "tide tables and more", "tide", ""} {
		s := registrytest.New(t)
		c := client(t, s.Host, registry.Options{})
		if _, err := c.Push(t.Context(), facts, files(1), tags); err != nil {
			t.Fatal(err)
		}
		a, err := c.Find(t.Context(), "main")
		if err != nil {
			t.Fatal(err)
		}
		s.Spoil(registrytest.Digest([]byte("tide tables")), []byte(other))
		if err := c.Read(t.Context(), a.Files[0], io.Discard); err == nil {
			t.Errorf("%q is taken", other)
		}
	}
}

// TestMoved has a tag moved between any two requests of who reads it: what is read is the whole of one artifact, and never a
// file of each.
func TestMoved(t *testing.T) {
	read := func(c *registry.Client) (digest, record string, err error) {
		a, err := c.Find(t.Context(), "main")
		if err != nil {
			return "", "", err
		}
		for _, f := range a.Files {
			var b bytes.Buffer
			if err := c.Read(t.Context(), f, &b); err != nil {
				return "", "", err
			}
			if f.Name == registry.RecordName {
				record = b.String()
			}
		}
		return a.Digest, record, nil
	}
	moved := 0
	for at := 1; ; at++ {
		s := registrytest.New(t)
		c := client(t, s.Host, registry.Options{})
		first, err := c.Push(t.Context(), facts, files(1), tags)
		if err != nil {
			t.Fatal(err)
		}
		second, err := c.Push(t.Context(), facts, files(2), tags)
		if err != nil {
			t.Fatal(err)
		}
		old := s.Manifest(name, "main")
		if registrytest.Digest(old) != second {
			t.Fatal("main does not name what was pushed last")
		}
		s.Requests()
		done := false
		s.Before = func(n int, _ http.ResponseWriter, _ *http.Request) bool {
			if n == at {
				s.Move(name, "main", first)
				done = true
			}
			return false
		}
		digest, record, err := read(c)
		if !done {
			break
		}
		moved++
		want := map[string]string{first: `{"edition":1}`, second: `{"edition":2}`}[digest]
		if err != nil || want == "" || record != want || (at == 1) != (digest == first) {
			t.Errorf("moved before request %d: %s with %s: %v", at, digest, record, err)
		}
	}
	if moved < 4 {
		t.Errorf("the tag was moved at %d places only", moved)
	}
}

// TestLongManifest: a registry that sends 100 MB for a manifest, whatever it says of it before, is left before the end.
func TestLongManifest(t *testing.T) {
	long := append([]byte(`{"schemaVersion":2,"layers":[`), bytes.Repeat([]byte("{},"), 100_000_000/3)...)
	for _, says := range []string{"100000000", "2000", ""} {
		s := registrytest.New(t)
		var sent atomic.Int64
		s.Before = func(_ int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			w.Header().Set("Docker-Content-Digest", registrytest.Digest(long))
			if says != "" && (r.Method == http.MethodHead || says != "2000") {
				w.Header().Set("Content-Length", says)
			}
			if r.Method != http.MethodHead {
				n, _ := w.Write(long)
				sent.Add(int64(n))
			}
			return true
		}
		if a, err := client(t, s.Host, registry.Options{}).Find(t.Context(), "main"); err == nil || sent.Load() > 10<<20 {
			t.Errorf("length %q: %+v, of %d bytes: %v", says, a, sent.Load(), err)
		}
	}
}

// TestEndless: what a registry goes on sending without end, a file, a refusal, a token, a header or the answer to what was sent,
// is left after a little of it.
func TestEndless(t *testing.T) {
	const enough = 200 << 20
	chunk := bytes.Repeat([]byte("fog "), 8<<10)
	for what, row := range map[string]struct {
		at   func(*http.Request) bool // what is answered without end
		code int
		push bool
	}{
		"a file": {at: func(r *http.Request) bool {
			return strings.Contains(r.URL.Path, "/blobs/") && r.Method == http.MethodGet
		}, code: 200},
		"a refusal":          {at: func(r *http.Request) bool { return r.Method != http.MethodHead }, code: 403},
		"a broken server":    {at: func(r *http.Request) bool { return r.Method != http.MethodHead }, code: 500},
		"a token":            {at: func(r *http.Request) bool { return r.URL.Path == "/token" }, code: 200},
		"a refused token":    {at: func(r *http.Request) bool { return r.URL.Path == "/token" }, code: 401},
		"a header":           {at: func(*http.Request) bool { return true }, code: 0},
		"an upload's answer": {at: func(r *http.Request) bool { return r.Method == http.MethodPost }, code: 400, push: true},
		"a manifest's": {at: func(r *http.Request) bool {
			return r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/manifests/")
		}, code: 400, push: true},
	} {
		t.Run(what, func(t *testing.T) {
			s := registrytest.New(t)
			c := client(t, s.Host, registry.Options{Config: config(s.Host, "pilot", "p4ss-for-harbour")})
			if _, err := c.Push(t.Context(), facts, files(1), tags); err != nil {
				t.Fatal(err)
			}
			var sent atomic.Int64
			s.Before = func(_ int, w http.ResponseWriter, r *http.Request) bool {
				switch {
				case strings.HasSuffix(what, "token") && r.URL.Path != "/token":
					w.Header().Set("WWW-Authenticate", `Bearer realm="http://`+s.Host+`/token",service="x"`)
					w.WriteHeader(http.StatusUnauthorized)
					return true
				case !row.at(r):
					return false
				}
				to := io.Writer(w)
				if row.code != 0 {
					w.WriteHeader(row.code)
				} else {
					conn, _, err := w.(http.Hijacker).Hijack()
					if err != nil {
						t.Error(err)
						return true
					}
					defer conn.Close()
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nX-Fog: ")
					to = conn
				}
				for sent.Add(int64(len(chunk))) < enough {
					if _, err := to.Write(chunk); err != nil {
						return true
					}
				}
				return true
			}
			var err error
			if row.push {
				_, err = c.Push(t.Context(), facts, files(2), tags)
			} else {
				err = readAll(t, c)
			}
			if err == nil || sent.Load() == 0 || sent.Load() > 32<<20 || strings.Contains(err.Error(), "p4ss") || len(err.Error()) > 2000 {
				t.Errorf("%d bytes were sent: %.300v", sent.Load(), err)
			}
		})
	}
}

// readAll reads the files of main.
func readAll(t *testing.T, c *registry.Client) error {
	a, err := c.Find(t.Context(), "main")
	if err != nil {
		return err
	}
	for _, f := range a.Files {
		if err := c.Read(t.Context(), f, io.Discard); err != nil {
			return err
		}
	}
	return nil
}

// TestManifests reads manifests of others' making.
func TestManifests(t *testing.T) {
	digest := registrytest.Digest([]byte("x"))
	layer := func(title string, size int64) string {
		return fmt.Sprintf(`{"mediaType":"a/b","digest":%q,"size":%d,"annotations":{"org.opencontainers.image.title":%q}}`, digest, size, title)
	}
	record := layer("record.json", 1)
	manifest := func(kind, notes string, layers ...string) string {
		return fmt.Sprintf(`{"schemaVersion":2,"artifactType":%q,"layers":[%s],"annotations":{"dev.haversack.mode":"full","dev.haversack.record.sha256":%q%s}}`,
			kind, strings.Join(layers, ","), strings.TrimPrefix(digest, "sha256:"), notes)
	}
	for what, row := range map[string]struct{ manifest, want string }{
		"good":                {manifest(registry.ArtifactType, "", record, layer("a.tar", 5)), ""},
		"an image":            {manifest("application/vnd.other", "", record), "its type"},
		"no JSON":             {"<html>", "is not one"},
		"no record":           {manifest(registry.ArtifactType, "", layer("a.tar", 5)), "no record.json"},
		"above":               {manifest(registry.ArtifactType, "", record, layer("../a.tar", 5)), `called "../a.tar"`},
		"a folder":            {manifest(registry.ArtifactType, "", record, layer("a/b", 5)), "called"},
		"hidden":              {manifest(registry.ArtifactType, "", record, layer(".git", 5)), "called"},
		"no name":             {manifest(registry.ArtifactType, "", record, layer("", 5)), "called"},
		"twice, by case":      {manifest(registry.ArtifactType, "", record, layer("a.tar", 5), layer("A.tar", 5)), "two files"},
		"below nothing":       {manifest(registry.ArtifactType, "", record, layer("a.tar", -5)), "size"},
		"huge":                {manifest(registry.ArtifactType, "", record, layer("a.tar", 1<<50)), "size"},
		"huge together":       {manifest(registry.ArtifactType, "", record, layer("a", 1<<32), layer("b", 1<<32), layer("c", 1<<32)), "more than"},
		"very many":           {manifest(registry.ArtifactType, "", slices.Repeat([]string{record}, 1000)...), "1000 files"},
		"words for a commit":  {manifest(registry.ArtifactType, `,"org.opencontainers.image.revision":"--upload-pack=x"`, record), "names a commit"},
		"words for a base":    {manifest(registry.ArtifactType, `,"dev.haversack.base":"main"`, record), "names a commit"},
		"another record":      {strings.Replace(manifest(registry.ArtifactType, "", record), `sha256":"`, `sha256":"0`, 1), "is not the one that it names"},
		"a digest of nothing": {strings.Replace(manifest(registry.ArtifactType, "", record, layer("a.tar", 5)), digest, "sha256:zz", 1), "digest"},
	} {
		t.Run(what, func(t *testing.T) {
			s := registrytest.New(t)
			s.Set(name, "main", []byte(row.manifest))
			_, err := client(t, s.Host, registry.Options{}).Find(t.Context(), "main")
			if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("%v, and %q is wanted", err, row.want)
			}
		})
	}
}

func config(host, user, password string) []byte {
	return fmt.Appendf(nil, `{"auths":{%q:{"auth":%q}},"credsStore":"never-run"}`, host, base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
}

// TestCredentials: docker's configuration, and the token for its own host alone; the mask is told.
func TestCredentials(t *testing.T) {
	s := registrytest.New(t)
	s.User, s.Password = "pilot", "p4ss-for-harbour"
	var masked []string
	o := registry.Options{Config: config(s.Host, s.User, s.Password), Mask: func(v string) { masked = append(masked, v) }}
	if _, err := client(t, s.Host, o).Push(t.Context(), facts, files(1), tags); err != nil {
		t.Error(err)
	}
	if !slices.Contains(masked, s.Password) || len(masked) != 2 {
		t.Errorf("%d values are masked", len(masked))
	}
	s.User, s.Password = "haversack", "t0ken-of-the-job"
	for _, row := range []struct {
		host  string
		taken bool
	}{{s.Host, true}, {"ghcr.io", false}, {"", false}} {
		_, err := client(t, s.Host, registry.Options{Token: s.Password, TokenHost: row.host}).Find(t.Context(), "main")
		if (err == nil) != row.taken || !row.taken && !errors.Is(err, registry.ErrRefused) {
			t.Errorf("a token for %q: %v", row.host, err)
		}
	}
	a, _ := registry.ParseAddress("oci://" + s.Host + "/" + name)
	for _, bad := range []string{"[]", `{"auths":7}`, `{"auths":{"h":{"auth":"!s3cret"}}}`} {
		if _, err := registry.New(a, registry.Options{Config: []byte(bad)}); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the config %s: %v", bad, err)
		}
	}
}

// TestAddresses reads addresses.
func TestAddresses(t *testing.T) {
	for s, ok := range map[string]bool{
		"oci://ghcr.io/owner/name": true, "oci://ghcr.io/owner/name:main": true, "oci://[::1]:5000/a": true, "oci://localhost:5000/a/b/c:v1.2_x": true,
		"oci://ghcr.io/a@" + registrytest.Digest(nil): true,
		"ghcr.io/owner/name":                          false, "https://ghcr.io/a": false, "oci://": false, "oci://ghcr.io": false, "oci://ghcr.io/": false,
		"oci://ghcr.io/../a": false, "oci://ghcr.io/A": false, "oci://ghcr.io/a:b/c": false, "oci://ghcr.io/a:": false, "oci://ghcr.io/a b": false,
		"oci://user:w0rd@ghcr.io/a": false, "oci://ghcr.io/a?x": false, "oci://ghcr.io/a#x": false, "oci://ghcr.io/a\n": false, "oci://ghcr.io/a@sha256:0": false,
	} {
		a, err := registry.ParseAddress(s)
		if (err == nil) != ok {
			t.Errorf("%q: %v", s, err)
		} else if ok && a.String() != s {
			t.Errorf("%q is written %q", s, a)
		} else if !ok && strings.Contains(err.Error(), "w0rd") {
			t.Errorf("%q: the error repeats a password: %v", s, err)
		}
	}
}

// TestTags: branches that are called alike once they are tags have different ones, and none
// has that of a commit or of a pull request.
func TestTags(t *testing.T) {
	seen := map[string]string{}
	for _, b := range []string{"main", "Main", "feature/x", "feature-x", "feature/x/", "-feature-x", "pr-5", "pr-5/", "pr-", "sha-1", "sha-" + commit, "b-main", "ä", "ö", "/", ".", strings.Repeat("x", 128), strings.Repeat("x", 129), strings.Repeat("x/", 100)} {
		tag := registry.BranchTag(b)
		if was, twice := seen[tag]; twice {
			t.Errorf("%q and %q are both %q", b, was, tag)
		}
		seen[tag] = b
		if a, err := registry.ParseAddress("oci://h.example/n:" + tag); err != nil || a.Reference != tag || tag == registry.PullTag(5) || strings.HasPrefix(tag, registry.CommitTag("")) {
			t.Errorf("%q is %q: %v", b, tag, err)
		}
	}
}

// FuzzParseAddress: what is read is written as it stood, and holds no more than an address.
func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"oci://h/n:t", "oci://h:5/n@" + registrytest.Digest(nil), "oci://u:p@h/n", "oci://h/../n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := registry.ParseAddress(s)
		if err != nil {
			return
		}
		if a.String() != s || strings.ContainsAny(s, " \t\n\r\\?#") || strings.Contains(a.Name, "..") {
			t.Errorf("%q is read as %+v, and written %q", s, a, a)
		}
	})
}
