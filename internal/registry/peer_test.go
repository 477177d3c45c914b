package registry_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/registry"
)

// TestRealRegistry pushes to Debian's docker-registry, which .ci/run starts, is cut off at
// each request of a push in turn, reads back, and has skopeo read it.
func TestRealRegistry(t *testing.T) {
	host := os.Getenv("HAVERSACK_REGISTRY")
	if os.Getenv("HAVERSACK_PEERS") != "require" {
		t.Skip("HAVERSACK_PEERS=require runs this with docker-registry and skopeo; .ci/run brings all peers")
	}
	if host == "" {
		t.Fatal("HAVERSACK_REGISTRY names no registry: run .ci/run")
	}
	c := client(t, host, registry.Options{})
	old, err := c.Push(t.Context(), registry.Facts{Mode: "full"}, files(0)[2:], []string{"main"})
	if err != nil {
		t.Fatal(err)
	}
	all := append(files(1), file("archive.diff.tar", "ebb"), file("pack.json", `{"flood":1}`), file("pack.md", "# Flood"))
	target := &url.URL{Scheme: "http", Host: host}
	points := 0
	for at := 1; ; at++ {
		requests := 0
		ctx, cancel := context.WithCancel(t.Context())
		proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }}
		between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if requests++; requests >= at {
				cancel()
				panic(http.ErrAbortHandler)
			}
			proxy.ServeHTTP(w, r)
		}))
		_, err := client(t, strings.TrimPrefix(between.URL, "http://"), registry.Options{}).Push(ctx, facts, all, tags)
		cancel()
		between.Close()
		if err == nil {
			break
		}
		points++
		if d, _, err := c.Has(t.Context(), "main"); err != nil || d != old {
			t.Fatalf("cut off at request %d: main names %s, which was %s: %v", at, d, old, err)
		}
	}
	t.Logf("cut off at %d points", points)
	if points < 10 {
		t.Errorf("a push was cut off at %d points only", points)
	}
	a, err := c.Find(t.Context(), "main")
	if err != nil || a.Commit != commit || a.Digest == old {
		t.Fatalf("%+v: %v", a, err)
	}
	// The same again: tags are asked for, and nothing is sent.
	var asked []string
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }}
	counter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.Path)
		proxy.ServeHTTP(w, r)
	}))
	again, err := client(t, strings.TrimPrefix(counter.URL, "http://"), registry.Options{}).Push(t.Context(), facts, all, tags)
	counter.Close()
	if want := "HEAD /v2/" + name + "/manifests/"; err != nil || again != a.Digest || len(asked) != 2 || asked[0] != want+tags[0] || asked[1] != want+tags[1] {
		t.Errorf("an unchanged push asks %q: %s: %v", asked, again, err)
	}
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "skopeo", "copy", "--insecure-policy", "--src-tls-verify=false", "docker://"+host+"/"+name+":main", "dir:"+dir).CombinedOutput(); err != nil {
		t.Fatalf("skopeo: %v: %s", err, out)
	}
	for _, f := range a.Files {
		if fi, err := os.Stat(filepath.Join(dir, f.SHA256)); err != nil || fi.Size() != f.Size {
			t.Errorf("skopeo copied no %s: %v", f.Name, err)
		}
	}
}
