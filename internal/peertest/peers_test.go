package peertest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Who makes the commits here is fixed, so that a commit has the same id in every run.
var who = []string{
	"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
	"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
}

// need skips the test unless the peers are asked for, and fails it when one that is asked for is not there.
func need(t *testing.T, programs ...string) {
	t.Helper()
	how := map[string]string{
		"docker": "install a Docker engine",
		"act":    "go install github.com/nektos/act@v0.2.89",
		"git":    "install git",
		"npm":    "install Node.js 20 or later",
		"oras":   "go install oras.land/oras/cmd/oras@v1.3.6",
		"skopeo": "install skopeo",
	}
	if os.Getenv("HAVERSACK_PEERS") != "require" {
		t.Skipf("HAVERSACK_PEERS=require runs this with %s; .ci/run brings all peers", strings.Join(programs, ", "))
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is not on the path: %s, or run .ci/run", program, how[program])
		}
	}
	if slices.Contains(programs, "docker") {
		if out, err := exec.Command("docker", "version", "--format", "{{.Server.Version}}").CombinedOutput(); err != nil {
			t.Fatalf("no Docker daemon answers at DOCKER_HOST=%q: %s", os.Getenv("DOCKER_HOST"), out)
		}
	}
}

// run executes a program in dir and returns what it printed on both streams; a failure ends the test and shows it.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return strings.TrimSpace(run(t, dir, who, "git", args...))
}

// module is the directory of go.mod.
func module(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ourselves makes a repository of this project's files as they stand, committed or not, with a history of one commit.
func ourselves(t *testing.T) string {
	t.Helper()
	from, to := module(t), t.TempDir()
	listing := run(t, from, who, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for name := range strings.SplitSeq(strings.TrimSuffix(listing, "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, name), data, info.Mode())
	}
	commit(t, to, "init", "--quiet", "--initial-branch=main")
	git(t, to, "remote", "add", "origin", "https://github.com/haversack-dev/haversack")
	return to
}

// commit runs a git command, then commits everything that is there, and returns the commit's id.
func commit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if len(args) > 0 {
		git(t, dir, args...)
	}
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--allow-empty", "--message", "state")
	return git(t, dir, "rev-parse", "HEAD")
}

func write(t *testing.T, name string, data []byte, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, mode); err != nil {
		t.Fatal(err)
	}
}

// event is what set a workflow off: a name, and the payload as the service would send it.
type event struct {
	name    string
	payload map[string]any
}

var here = map[string]any{
	"id": 1, "full_name": "haversack-dev/haversack", "name": "haversack", "default_branch": "main",
	"owner": map[string]any{"login": "haversack-dev"},
}

// pushed adds a commit with a changed, an added and a removed file to main; the event is its push.
func pushed(t *testing.T, dir string) event {
	t.Helper()
	write(t, filepath.Join(dir, "removed.txt"), []byte("goes\n"), 0o644)
	before := commit(t, dir)
	change(t, dir)
	after := commit(t, dir)
	return event{"push", map[string]any{
		"ref": "refs/heads/main", "before": before, "after": after, "created": false, "deleted": false, "forced": false,
		"repository": here,
	}}
}

// proposed makes the same change on a branch, while main has moved on; what is checked out is the test merge of the
// two, as the service makes it, and the event is the pull request's.
func proposed(t *testing.T, dir string) event {
	t.Helper()
	write(t, filepath.Join(dir, "removed.txt"), []byte("goes\n"), 0o644)
	commit(t, dir)
	git(t, dir, "checkout", "--quiet", "-b", "topic")
	change(t, dir)
	head := commit(t, dir)
	git(t, dir, "checkout", "--quiet", "main")
	write(t, filepath.Join(dir, "elsewhere.txt"), []byte("not of this change\n"), 0o644)
	base := commit(t, dir)
	git(t, dir, "checkout", "--quiet", "--detach")
	git(t, dir, "merge", "--quiet", "--no-ff", "--message", "Merge", "topic")
	return request(head, base)
}

// changed is what change does, by path: the change that every run here packs.
var changed = []string{"A added/new.txt", "D removed.txt", "M go.mod"}

func change(t *testing.T, dir string) {
	t.Helper()
	gomod := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(gomod)
	if err != nil {
		t.Fatal(err)
	}
	write(t, gomod, append(data, "// changed\n"...), 0o644)
	write(t, filepath.Join(dir, "added", "new.txt"), []byte("comes\n"), 0o644)
	if err := os.Remove(filepath.Join(dir, "removed.txt")); err != nil {
		t.Fatal(err)
	}
}

// act runs the workflows of the repository in dir for an event and returns the log and the artifact server's folder.
// Nothing is fetched: checkout is a copy, and the actions for artifacts are those in testdata.
func act(t *testing.T, dir string, e event, args ...string) (log, artifacts string) {
	t.Helper()
	log, artifacts, err := tryAct(t, dir, e, args...)
	if err != nil {
		t.Fatal(err)
	}
	return log, artifacts
}

// tryAct is act, with the error of a workflow that fails. Where a container could not reach this machine, or another program
// took the server's port first, the workflow has shown nothing, and runs once more.
func tryAct(t *testing.T, dir string, e event, args ...string) (log, artifacts string, err error) {
	t.Helper()
	log, artifacts, err = actOnce(t, dir, e, args...)
	if line := unreached(log, gateway()); line != "" {
		t.Logf("this machine was not reached, and the workflow runs once more: %s", line)
		log, artifacts, err = actOnce(t, dir, e, args...)
	}
	return log, artifacts, err
}

// unreached is the line of a log that tells of a connection to this machine's address, of any port, that did not come about.
func unreached(log, address string) string {
	host := regexp.QuoteMeta(address) + `:\d+`
	failed := regexp.MustCompile(`(?m)^.*(?:dial tcp ` + host + `: (?:i/o timeout|connect: )|connect E[A-Z]+ ` + host + `|listen tcp ` + host + `: bind: ).*$`)
	return failed.FindString(log)
}

// A workflow runs again for its surroundings alone.
func TestUnreached(t *testing.T) {
	for _, c := range []struct {
		log  string
		want bool
	}{
		{"x\n[a/b]  | ::warning::uploading artifact \"c\": dial tcp 10.11.12.1:4567: i/o timeout (tried 5 times)\ny\n", true},
		{"dial tcp 10.11.12.1:4567: connect: no route to host\n", true},
		{"Error: connect ETIMEDOUT 10.11.12.1:4567\n", true},
		{"level=fatal msg=\"listen tcp 10.11.12.1:4567: bind: address already in use\"\n", true},
		{"dial tcp 10.11.12.13:4567: i/o timeout\n", false},
		{"dial tcp 10x11.12.1:4567: i/o timeout\n", false},
		{"Start server on http://10.11.12.1:4567\nuploading artifact \"c\": the service answered 500 (tried 5 times)\n", false},
		{"", false},
	} {
		if got := unreached(c.log, "10.11.12.1"); (got != "") != c.want || strings.Contains(got, "\n") {
			t.Errorf("%q: %q", c.log, got)
		}
	}
}

func actOnce(t *testing.T, dir string, e event, args ...string) (log, artifacts string, err error) {
	t.Helper()
	scratch, address := t.TempDir(), gateway()
	artifacts = filepath.Join(scratch, "artifacts")
	payload, err := json.Marshal(e.payload)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(scratch, "event.json"), payload, 0o644)
	// An empty configuration: act asks which images it should use when it finds none.
	write(t, filepath.Join(scratch, "config", "act", "actrc"), nil, 0o644)
	all := append([]string{
		e.name, "--eventpath", filepath.Join(scratch, "event.json"),
		"--artifact-server-path", artifacts, "--artifact-server-addr", address, "--artifact-server-port", port(t, address),
		"--no-cache-server", "--action-cache-path", filepath.Join(scratch, "actions"),
		"--concurrent-jobs", "1", "--pull=false", "--rm",
		// Without a job container, act 0.2.89 names the files for outputs and summary by paths of this machine and does
		// not mount them into an action's container; the mount makes the names true there.
		"--container-options", "--volume=" + scratch + ":" + scratch,
	}, args...)
	for _, name := range artifactActions(t) {
		all = append(all, "--local-repository", name+"="+artifactAction(t, name))
	}
	cmd := exec.CommandContext(t.Context(), "act", all...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Join(scratch, "config"), "XDG_CACHE_HOME="+filepath.Join(scratch, "cache"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("act %s: %w\n%s", strings.Join(all, " "), err, out)
	}
	return string(out), artifacts, err
}

// gateway is this machine's address that containers reach: the daemon's bridge, or loopback where there is none.
func gateway() string {
	out, err := exec.Command("docker", "network", "inspect", "bridge", "--format", "{{(index .IPAM.Config 0).Gateway}}").Output()
	if address := strings.TrimSpace(string(out)); err == nil && net.ParseIP(address) != nil {
		return address
	}
	return "127.0.0.1"
}

// port is one that nobody listens on now.
func port(t *testing.T, address string) string {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, p, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// artifactActions lists every actions/download-artifact@REF and upload-artifact@REF that the project's workflows name.
func artifactActions(t *testing.T) []string {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range []string{".github/workflows/*.yml", "examples/*.yml"} {
		files, err := filepath.Glob(filepath.Join(module(t), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for word := range strings.FieldsSeq(string(data)) {
				if strings.HasPrefix(word, "actions/download-artifact@") || strings.HasPrefix(word, "actions/upload-artifact@") {
					names[word] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// artifactAction builds the stand-ins in testdata once and returns the folder to run that of an action from.
func artifactAction(t *testing.T, name string) string {
	t.Helper()
	dir, err := bundle()
	if err != nil {
		t.Fatalf("building testdata/download-artifact: %v", err)
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "actions/"), "@")
	return filepath.Join(dir, name)
}

var bundle = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp(scratch, "artifact-actions")
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(filepath.Join(dir, "build"), os.DirFS("testdata/download-artifact")); err != nil {
		return "", err
	}
	for _, args := range [][]string{{"ci", "--ignore-scripts", "--no-audit", "--no-fund"}, {"run", "build"}} {
		cmd := exec.Command("npm", args...)
		cmd.Dir = filepath.Join(dir, "build")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("npm %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	// Only the bundle: act copies the whole folder into the job's container.
	for _, name := range []string{"download-artifact", "upload-artifact"} {
		if err := os.CopyFS(filepath.Join(dir, name, "dist"), os.DirFS(filepath.Join(dir, "build", "dist"))); err != nil {
			return "", err
		}
		data, err := os.ReadFile(filepath.Join("testdata", name, "action.yml"))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name, "action.yml"), data, 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
})

// scratch lives as long as the test binary.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "peertest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// handed is an artifact as the server keeps it.
type handed struct {
	archive, diff map[string][]byte // members by name
	sha256        map[string]string // of each file of the artifact
	record        record
}

// record is what these tests read of record.json.
type record struct {
	Base  struct{ Commit, Reason string }
	Files []struct {
		Path, Reason, Rule, SHA256 string
		Included                   bool
	}
	Outputs []struct {
		Name, SHA256 string
		Size         int64 `json:"size_bytes"`
	}
}

// stored opens the artifact's zip in the server's folder; its entries must be deflated, but those that are empty.
func stored(t *testing.T, artifacts, name string) handed {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(artifacts, "*", name, name+".zip"))
	if err != nil || len(found) != 1 {
		t.Fatalf("artifact %s: the server keeps %q (%v)", name, found, err)
	}
	z, err := zip.OpenReader(found[0])
	if err != nil {
		t.Fatalf("artifact %s: %v", name, err)
	}
	defer z.Close()
	h := handed{sha256: map[string]string{}}
	for _, f := range z.File {
		if f.Method != zip.Deflate && f.UncompressedSize64 > 0 {
			t.Errorf("artifact %s: %s is compressed by method %d; entries are deflated", name, f.Name, f.Method)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("artifact %s: %s: %v", name, f.Name, err)
		}
		h.sha256[f.Name] = sum(data)
		switch f.Name {
		case "archive.tar":
			h.archive = members(t, data)
		case "archive.diff.tar":
			h.diff = members(t, data)
		case "record.json":
			if err := json.Unmarshal(data, &h.record); err != nil {
				t.Fatalf("artifact %s: record.json: %v", name, err)
			}
		}
	}
	for _, want := range []string{"archive.tar", "archive.diff.tar", "record.json"} {
		if h.sha256[want] == "" {
			t.Fatalf("artifact %s holds no %s, but %q", name, want, slices.Sorted(maps.Keys(h.sha256)))
		}
	}
	return h
}

func members(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	r := tar.NewReader(bytes.NewReader(data))
	for {
		header, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("reading a tar: %v", err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("reading %s: %v", header.Name, err)
		}
		all[header.Name] = content
	}
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
