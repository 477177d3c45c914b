// Package registrytest is a registry for tests: it keeps what it is sent in memory, takes
// nothing that is not what its digest says, and no manifest of files that it lacks.
package registrytest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Server is a registry. What a test sets of it is set before the first request.
type Server struct {
	// Host is its host and port, on loopback.
	Host string
	// User and Password are asked for where they are not "".
	User, Password string
	// Before is called before a request is answered, with its number from 1; it reports
	// whether it has answered. It runs for one request at a time.
	Before func(n int, w http.ResponseWriter, r *http.Request) bool
	// Lose reports whether the answer to a request is lost after it was done.
	Lose func(r *http.Request) bool

	mu        sync.Mutex
	requests  []string
	blobs     map[string][]byte
	manifests map[string][]byte // by name@digest
	tags      map[string]string // name:tag to digest
}

// New starts a registry that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{blobs: map[string][]byte{}, manifests: map[string][]byte{}, tags: map[string]string{}}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	s.Host = strings.TrimPrefix(srv.URL, "http://")
	return s
}

// Digest is sha256:… of content.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Requests are those that were made since the last call, as "METHOD path".
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.requests
	s.requests = nil
	return list
}

// Hold does something before the next request is answered.
func (s *Server) Hold(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Tags are digests by name:tag.
func (s *Server) Tags() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := map[string]string{}
	for k, v := range s.tags {
		list[k] = v
	}
	return list
}

// Set puts a manifest under a tag, whatever it is, and returns its digest.
func (s *Server) Set(name, tag string, manifest []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := Digest(manifest)
	s.manifests[name+"@"+d], s.tags[name+":"+tag] = manifest, d
	return d
}

// Move has a tag name another manifest that is here. It is for Before, which holds the server.
func (s *Server) Move(name, tag, digest string) { s.tags[name+":"+tag] = digest }

// Manifest is the manifest that a tag names; nil for none.
func (s *Server) Manifest(name, tag string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manifests[name+"@"+s.tags[name+":"+tag]]
}

// Spoil has the blob of a digest hold other bytes from here on.
func (s *Server) Spoil(digest string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blobs[digest] = b
}

// Whole says what the manifest of a tag lacks, "" for nothing.
func (s *Server) Whole(name, tag string) string {
	raw := s.Manifest(name, tag)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lacks(raw)
}

// lacks says what a manifest names that is not here.
func (s *Server) lacks(raw []byte) string {
	var m struct {
		Config struct{ Digest string }
		Layers []struct{ Digest string }
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return err.Error()
	}
	for _, l := range append(m.Layers, m.Config) {
		if _, ok := s.blobs[l.Digest]; !ok {
			return l.Digest
		}
	}
	return ""
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	if s.Before != nil && s.Before(len(s.requests), w, r) {
		return
	}
	if s.Lose != nil && s.Lose(r) {
		w = httptest.NewRecorder()
		defer panic(http.ErrAbortHandler)
	}
	if user, password, _ := r.BasicAuth(); s.User != "" && (user != s.User || password != s.Password) {
		w.Header().Set("WWW-Authenticate", `Basic realm="a registry"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	rest, ok := strings.CutPrefix(r.URL.Path, "/v2/")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) < 3 {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	last, kind, name := parts[len(parts)-1], parts[len(parts)-2], strings.Join(parts[:len(parts)-2], "/")
	switch {
	case kind == "manifests":
		s.manifest(w, r, name, last)
	case kind == "uploads" || kind == "blobs":
		s.blob(w, r, strings.TrimSuffix(name, "/blobs"), last)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (s *Server) manifest(w http.ResponseWriter, r *http.Request, name, ref string) {
	if r.Method == http.MethodPut {
		raw, _ := io.ReadAll(r.Body)
		d := Digest(raw)
		if lack := s.lacks(raw); lack != "" || strings.HasPrefix(ref, "sha256:") && ref != d {
			http.Error(w, fmt.Sprintf(`{"errors":[{"code":"MANIFEST_BLOB_UNKNOWN","message":%q}]}`, lack), http.StatusBadRequest)
			return
		}
		if s.manifests[name+"@"+d] = raw; !strings.HasPrefix(ref, "sha256:") {
			s.tags[name+":"+ref] = d
		}
		w.Header().Set("Docker-Content-Digest", d)
		w.WriteHeader(http.StatusCreated)
		return
	}
	if !strings.HasPrefix(ref, "sha256:") {
		ref = s.tags[name+":"+ref]
	}
	raw, ok := s.manifests[name+"@"+ref]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
	w.Header().Set("Docker-Content-Digest", ref)
	s.send(w, r, raw)
}

func (s *Server) blob(w http.ResponseWriter, r *http.Request, name, last string) {
	switch r.Method {
	case http.MethodPost:
		w.Header().Set("Location", "/v2/"+name+"/blobs/uploads/one")
		w.WriteHeader(http.StatusAccepted)
	case http.MethodPut:
		raw, err := io.ReadAll(r.Body)
		if want := r.URL.Query().Get("digest"); err != nil || Digest(raw) != want {
			http.Error(w, `{"errors":[{"code":"DIGEST_INVALID"}]}`, http.StatusBadRequest)
			return
		}
		s.blobs[Digest(raw)] = raw
		w.WriteHeader(http.StatusCreated)
	default:
		raw, ok := s.blobs[last]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		s.send(w, r, raw)
	}
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, raw []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, bytes.NewReader(raw))
	}
}
