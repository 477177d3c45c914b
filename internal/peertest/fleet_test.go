package peertest

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// counted is a server that notes each request, as METHOD PATH.
type counted struct {
	host string

	mu    sync.Mutex
	asked []string
}

// count starts a server before another handler.
func count(t *testing.T, next http.Handler) *counted {
	t.Helper()
	c := &counted{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.asked = append(c.asked, r.Method+" "+r.URL.Path)
		c.mu.Unlock()
		next.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	c.host = strings.TrimPrefix(s.URL, "http://")
	return c
}

// requests returns what was asked since the last time.
func (c *counted) requests() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked := c.asked
	c.asked = nil
	return asked
}

// realRegistry is docker-registry, which .ci/run starts, behind a counter.
func realRegistry(t *testing.T) *counted {
	t.Helper()
	host := os.Getenv("HAVERSACK_REGISTRY")
	if host == "" {
		t.Fatal("HAVERSACK_REGISTRY names no registry: run .ci/run")
	}
	target := &url.URL{Scheme: "http", Host: host}
	return count(t, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }})
}

// releasedSetup makes a release's commit of setup/ whose program is this one, and the server of its files: as they are, and below
// /spoiled/ another.
func releasedSetup(t *testing.T) (folder, mirror string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "haversack")
	run(t, module(t), []string{"CGO_ENABLED=0"}, "go", "build", "-o", file, "./cmd/action")
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	name := "haversack_9.8.7_linux_" + runtime.GOARCH
	for _, part := range []string{"action.yml", "install.sh", "pinned"} {
		data, err := os.ReadFile(filepath.Join(module(t), "setup", part))
		if err != nil {
			t.Fatal(err)
		}
		if part == "pinned" {
			data = fmt.Appendf(data, "version v9.8.7\n%x  %s\n", sha256.Sum256(program), name)
		}
		write(t, filepath.Join(folder, "setup", part), data, 0o755)
	}
	files := http.NewServeMux()
	files.HandleFunc("/right/"+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(program) })
	files.HandleFunc("/spoiled/"+name, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "#!/bin/sh\necho spoiled\n") })
	s := httptest.NewServer(files)
	t.Cleanup(s.Close)
	return folder, s.URL
}

// TestSetupUnderAct has a job install the program of a release, and another refuse one that has another sum than the release's
// commit names.
func TestSetupUnderAct(t *testing.T) {
	need(t, "docker", "act", "git", "npm")
	folder, mirror := releasedSetup(t)
	workflow, err := os.ReadFile("testdata/setup.yml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".github", "workflows", "setup.yml"), bytes.ReplaceAll(workflow, []byte("MIRROR"), []byte(mirror)), 0o644)
	commit(t, dir, "init", "--quiet", "--initial-branch=main")
	git(t, dir, "remote", "add", "origin", "https://github.com/haversack-dev/haversack")
	log, _ := act(t, dir, event{"push", map[string]any{"ref": "refs/heads/main", "repository": here}}, append(images(), "--local-repository", "haversack-dev/haversack@COMMIT="+folder)...)
	for _, want := range []string{"haversack v9.8.7 is installed", "v9.8.7 says haversack", "and this commit names", "nothing was installed", "spoiled: failure, and no program"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %q", want)
		}
	}
	if t.Failed() {
		t.Log(log)
	}
}

// flotilla is what the fleet under act packs: a server of repositories by git, of which one is broken and one is there only for a
// token; a registry; a repository with the workflow of examples/fleet.yml.
type flotilla struct {
	dir      string
	args     []string // of act
	git      *counted
	registry *counted
}

const (
	fleetSize   = 12
	brokenName  = "octo/boat-03"
	privateName = "octo/boat-07"
	knownName   = "octo/boat-10" // the registry has it before the first run
	fleetToken  = "ghs_flotilla9abcdefghijABCDEFGHIJ0123456"
)

func launch(t *testing.T) *flotilla {
	t.Helper()
	f := &flotilla{dir: t.TempDir()}
	mux := http.NewServeMux()
	var names []string
	for i := range fleetSize {
		name := fmt.Sprintf("octo/boat-%02d", i)
		names = append(names, name)
		r := repotest.New(t, fmt.Sprintf("-- hull.go --\npackage hull\n\n// Draught is that of boat %d.\nfunc Draught() int { return %d }\n", i, i))
		if name == brokenName {
			if err := os.RemoveAll(r.Path(".git/objects")); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(r.Path(".git/objects"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		served := r.Handler("/" + name)
		mux.HandleFunc("/"+name+"/", func(w http.ResponseWriter, q *http.Request) {
			if _, password, _ := q.BasicAuth(); name == privateName && password != fleetToken {
				http.NotFound(w, q)
				return
			}
			served.ServeHTTP(w, q)
		})
	}
	f.git, f.registry = count(t, mux), realRegistry(t)
	write(t, filepath.Join(f.dir, "fleet.txt"), []byte("# boats\n\n"+strings.Join(names, "\n")+"\n"), 0o644)
	folder, mirror := releasedSetup(t)

	// The workflow of the examples, but for addresses and the size of a shard.
	workflow, err := os.ReadFile(filepath.Join(module(t), "examples", "fleet.yml"))
	if err != nil {
		t.Fatal(err)
	}
	below := fmt.Sprintf("oci://%s/run-%d-%d/", f.registry.host, os.Getpid(), time.Now().Unix())
	text := string(workflow)
	for old, now := range map[string]string{"oci://ghcr.io/": below, "EACH: 50": "EACH: 4", "ubuntu-latest": "ubuntu-24.04",
		// The official client takes another server than GitHub's for one without artifacts: this is the program's alone.
		"run: haversack fleet list.txt --shard": "run: GITHUB_SERVER_URL=http://" + f.git.host + " haversack fleet list.txt --shard"} {
		if !strings.Contains(text, old) {
			t.Fatalf("examples/fleet.yml has no %q", old)
		}
		text = strings.ReplaceAll(text, old, now)
	}
	setup := regexp.MustCompile(`(?m)^( *)- uses: haversack-dev/haversack/setup@COMMIT.*$`)
	text = setup.ReplaceAllString(text, "$0\n$1  with: {mirror: '"+mirror+"/right'}")
	write(t, filepath.Join(f.dir, ".github", "workflows", "fleet.yml"), []byte(text), 0o644)
	commit(t, f.dir, "init", "--quiet", "--initial-branch=main")
	git(t, f.dir, "remote", "add", "origin", "https://github.com/haversack-dev/haversack")
	f.args = append(images(), "--local-repository", "haversack-dev/haversack@COMMIT="+folder)

	// One is in the registry already, pushed from a desk.
	desk := t.TempDir()
	write(t, filepath.Join(desk, "one.txt"), []byte(knownName+"\n"), 0o644)
	onPath(t)
	run(t, desk, []string{"GITHUB_SERVER_URL=http://" + f.git.host}, "haversack", "fleet", "one.txt", "--push", below+"haversack-dev/context")
	return f
}

// flotillaIndex is what is read of fleet.json.
type flotillaIndex struct {
	Counts       map[string]int
	Repositories []struct{ Name, Folder, State, Error, Pushed string }
}

// sail runs the workflow, and returns the index that it handed over, the log, and what the registry was asked.
func (f *flotilla) sail(t *testing.T, token string) (index flotillaIndex, log string, asked []string) {
	t.Helper()
	f.registry.requests()
	f.git.requests()
	began := time.Now()
	args := slices.Clone(f.args)
	if token != "" {
		args = append(args, "--secret", "GITHUB_TOKEN="+token)
	}
	log, artifacts, err := tryAct(t, f.dir, event{"workflow_dispatch", map[string]any{"ref": "refs/heads/main", "repository": here}}, args...)
	if err == nil {
		t.Error("a fleet with a broken repository succeeds")
	}
	asked = f.registry.requests()
	t.Logf("%.0f s; the registry was asked %d times, the repositories %d times", time.Since(began).Seconds(), len(asked), len(f.git.requests()))
	found, _ := filepath.Glob(filepath.Join(artifacts, "*", "fleet", "fleet.zip"))
	if len(found) != 1 {
		t.Fatalf("the fleet's index was not handed over: %q: %v", found, err)
	}
	z, err := zip.OpenReader(found[0])
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	r, err := z.Open("fleet.json")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(module(t), "internal", "action", "schema", "fleet.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		err = schema.Validate(doc)
	}
	if err == nil {
		err = json.Unmarshal(raw, &index)
	}
	if err != nil {
		t.Fatalf("fleet.json: %v\n%s", err, raw)
	}
	return index, log, asked
}

// TestFleetUnderAct runs examples/fleet.yml over twelve repositories in three shards, twice: one is broken, one was pushed before,
// one is not found without a token, which the second run has.
func TestFleetUnderAct(t *testing.T) {
	need(t, "docker", "act", "git", "npm")
	f := launch(t)
	for _, sails := range []struct {
		token, says string
		want        map[string]int
	}{
		{"", "12 repositories: 9 packed, 1 unchanged, 2 failed.", map[string]int{"packed": 9, "unchanged": 1, "failed": 2}},
		{fleetToken, "12 repositories: 1 packed, 10 unchanged, 1 failed.", map[string]int{"packed": 1, "unchanged": 10, "failed": 1}},
	} {
		index, log, asked := f.sail(t, sails.token)
		for state := range sails.want {
			if index.Counts[state] != sails.want[state] {
				t.Errorf("%v, and %v is wanted", index.Counts, sails.want)
			}
		}
		if !strings.Contains(log, "# Fleet\n\n"+sails.says+"\n") {
			t.Errorf("the step summary does not say %q", sails.says)
		}
		for i, r := range index.Repositories {
			of := 0
			for _, q := range asked {
				if strings.Contains(q, "/"+r.Folder+"/") {
					of++
				}
			}
			switch name := fmt.Sprintf("octo/boat-%02d", i); {
			case r.Name != name:
				t.Errorf("row %d is %s, not %s", i, r.Name, name)
			case r.State == "unchanged" && of != 1:
				t.Errorf("%s is unchanged, and the registry was asked %d times", name, of)
			case (r.State == "failed") != (r.Error != "") || (r.State == "failed") != (name == brokenName || name == privateName && sails.token == ""):
				t.Errorf("%s: %s: %s", name, r.State, r.Error)
			case name == privateName && sails.token == "" && !strings.Contains(r.Error, "no such repository, or the token may not see it"):
				t.Errorf("%s: %s", name, r.Error)
			case r.State == "packed" && !strings.HasPrefix(r.Pushed, "oci://"):
				t.Errorf("%s is packed and not pushed", name)
			}
		}
		if strings.Contains(log, fleetToken) {
			t.Error("the log tells the token")
		}
		if t.Failed() {
			t.Log(log)
			return
		}
	}
}
