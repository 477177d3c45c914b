package peertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// keptName is a name in the registry that no other run has.
func keptName(part string) string {
	return fmt.Sprintf("run-%d-%d/%s", os.Getpid(), time.Now().UnixNano(), part)
}

// digestOf asks a registry what a tag names, "" for nothing.
func digestOf(t *testing.T, host, name, tag string) string {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodHead, "http://"+host+"/v2/"+name+"/manifests/"+tag, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Accept", "application/vnd.oci.image.manifest.v1+json")
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	a.Body.Close()
	return a.Header.Get("Docker-Content-Digest")
}

// ferry makes a repository of two commits on main, and returns its folder and the commits' ids.
func ferry(t *testing.T) (dir string, commits [2]string) {
	t.Helper()
	dir = t.TempDir()
	for i, text := range []string{"export const berths = 12;\n", "export const berths = 14;\nexport const cars = 3;\n"} {
		write(t, filepath.Join(dir, "deck", "berths.ts"), []byte(text), 0o644)
		write(t, filepath.Join(dir, ".gitignore"), []byte(".stan/\n"), 0o644)
		if i == 0 {
			git(t, dir, "init", "--quiet", "--initial-branch=main")
		}
		commits[i] = commit(t, dir)
	}
	return dir, commits
}

// folder reads the files of a folder, by name.
func folder(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range list {
		if files[f.Name()], err = os.ReadFile(filepath.Join(dir, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestKept has docker-registry keep what runs made: pushed, pushed again, read back and verified, and the base of the next run;
// skopeo and oras read the same bytes.
func TestKept(t *testing.T) {
	need(t, "git", "skopeo", "oras")
	onPath(t)
	r := realRegistry(t)
	name := keptName("ferry")
	address := "oci://" + r.host + "/" + name
	dir, commits := ferry(t)
	results := filepath.Join(dir, ".stan", "output")
	git(t, dir, "reset", "--quiet", "--hard", commits[0])

	push := []string{"--ref", "HEAD", "--pack", "both", "--push", address}
	run(t, dir, nil, "haversack", append(push, "--base", "none")...)
	first := r.requests()
	run(t, dir, nil, "haversack", append(push, "--base", "none")...)
	again := r.requests()
	for _, q := range again {
		if !strings.HasPrefix(q, "HEAD /v2/"+name+"/manifests/") {
			t.Errorf("an unchanged push makes the request %s", q)
		}
	}
	t.Logf("a push: %d requests; the same again: %d", len(first), len(again))
	if len(again) == 0 || len(first) < 10 {
		t.Errorf("the registry was asked %q, and then %q", first, again)
	}
	made := folder(t, results)
	digest := digestOf(t, r.host, name, "main")
	if digest == "" || digestOf(t, r.host, name, "sha-"+commits[0]) != digest {
		t.Errorf("main names %q, and the commit's tag another", digest)
	}

	// Read back by the program and by oras: the same files, and those that were made but for the record's timings.
	to := filepath.Join(t.TempDir(), "back")
	run(t, dir, nil, "haversack", "pull", address+":main", "--output-dir", to)
	back := folder(t, to)
	other := t.TempDir()
	run(t, dir, nil, "oras", "pull", "--plain-http", "--output", other, r.host+"/"+name+":main")
	theirs := folder(t, other)
	for name, data := range back {
		if !bytes.Equal(theirs[name], data) {
			t.Errorf("oras reads other bytes of %s", name)
		}
		if name != "record.json" && !bytes.Equal(made[name], data) {
			t.Errorf("%s comes back as other bytes than were made", name)
		}
	}
	for _, name := range []string{"archive.tar", "context.md", "pack.full.json", "record.json"} {
		if len(back[name]) == 0 {
			t.Errorf("%s does not come back, and %q do", name, slices.Sorted(maps.Keys(back)))
		}
	}
	if len(theirs) != len(back) {
		t.Errorf("oras reads %d files, and %d were pushed", len(theirs), len(back))
	}
	copied := t.TempDir()
	run(t, dir, nil, "skopeo", "copy", "--insecure-policy", "--src-tls-verify=false", "docker://"+r.host+"/"+name+"@"+digest, "dir:"+copied)
	blobs := folder(t, copied)
	for name, data := range back {
		if !bytes.Equal(blobs[sum(data)], data) {
			t.Errorf("skopeo does not read %s", name)
		}
	}
	if out := run(t, dir, nil, "haversack", "verify", address+":main"); !strings.Contains(out, "no credential was found") {
		t.Errorf("verify says\n%s", out)
	}

	// The next commit is measured against the one that was pushed last.
	git(t, dir, "reset", "--quiet", "--hard", commits[1])
	run(t, dir, nil, "haversack", append(push, "--base", address)...)
	var next record
	if err := json.Unmarshal(folder(t, results)["record.json"], &next); err != nil {
		t.Fatal(err)
	}
	if next.Base.Commit != commits[0] {
		t.Errorf("the base is %+v, and %s was pushed last", next.Base, commits[0])
	}
	if now := digestOf(t, r.host, name, "main"); now == digest || digestOf(t, r.host, name, "sha-"+commits[0]) != digest {
		t.Errorf("main names %s, which was %s", now, digest)
	}
}

// TestKilledAmongPeers kills the process of a push to docker-registry at each of its requests in turn: the branch's tag names what
// it did, no tag names half of an artifact, and made again the push is whole.
func TestKilledAmongPeers(t *testing.T) {
	need(t, "git")
	onPath(t)
	host := realRegistry(t).host
	target := &url.URL{Scheme: "http", Host: host}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }}
	dir, commits := ferry(t)
	points := 0
	for at := 1; ; at++ {
		name := keptName("ferry")
		push := func(host, commit string) *exec.Cmd {
			c := exec.CommandContext(t.Context(), "haversack", "--ref", commit, "--pack", "both", "--base", "none", "--push", "oci://"+host+"/"+name+":main")
			c.Dir = dir
			return c
		}
		if out, err := push(host, commits[0]).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		old := digestOf(t, host, name, "main")
		ctx, kill := context.WithCancel(t.Context())
		var asked atomic.Int64
		gone := make(chan struct{})
		between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == int64(at) {
				kill()
				<-gone
				panic(http.ErrAbortHandler)
			}
			proxy.ServeHTTP(w, r)
		}))
		cmd := push(strings.TrimPrefix(between.URL, "http://"), commits[1])
		killed := exec.CommandContext(ctx, cmd.Path, cmd.Args[1:]...)
		killed.Dir = dir
		err := killed.Run()
		close(gone)
		kill()
		between.Close()
		if err == nil {
			break // it has fewer requests
		}
		points++
		if now := digestOf(t, host, name, "main"); now != old || old == "" {
			t.Errorf("killed at request %d: main names %s, which was %s", at, now, old)
		}
		run(t, dir, nil, "haversack", "verify", "oci://"+host+"/"+name+":main")
		if out, err := push(host, commits[1]).CombinedOutput(); err != nil || slices.Contains([]string{"", old}, digestOf(t, host, name, "main")) {
			t.Errorf("made again: %v\n%s", err, out)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("killed at %d points", points)
	if points < 10 {
		t.Errorf("a push was killed at %d points only", points)
	}
}
