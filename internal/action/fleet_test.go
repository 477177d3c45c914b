package action

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/registry/registrytest"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// stopper ends a run when the words of a log have told of n repositories.
type stopper struct {
	said bytes.Buffer
	n    int
	stop func()
}

func (s *stopper) Write(p []byte) (int, error) {
	if n, err := s.said.Write(p); s.n == 0 || bytes.Count(s.said.Bytes(), []byte(": packed")) < s.n {
		return n, err
	}
	s.stop()
	return len(p), nil
}

// fleetRun runs the fleet of a list in dir, until stop repositories are packed, 0 for all.
func fleetRun(t *testing.T, dir string, stop int, args ...string) (FleetIndex, string, error) {
	t.Helper()
	return fleetRunWith(t, dir, stop, nil, args...)
}

// fleetRunWith is fleetRun with an environment.
func fleetRunWith(t *testing.T, dir string, stop int, env map[string]string, args ...string) (FleetIndex, string, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &stopper{n: stop, stop: cancel}
	c := Command{Process: job.Process{Args: append([]string{"fleet"}, args...), Getenv: func(name string) string { return env[name] }, Dir: dir, Stdout: out, Stderr: io.Discard, Version: "test"}}
	err := c.Run(ctx)
	var x FleetIndex
	raw, readErr := os.ReadFile(filepath.Join(dir, "fleet.haversack", "fleet.json"))
	if readErr == nil {
		validate(t, schema(t, "fleet.schema.json"), raw)
		if err := json.Unmarshal(raw, &x); err != nil {
			t.Fatal(err)
		}
	}
	return x, out.said.String(), err
}

// fleetOf makes n repositories in dir and returns their names.
func fleetOf(t *testing.T, dir string, n int) (names []string) {
	t.Helper()
	first := repotest.New(t, "-- hull.go --\npackage hull\n\nfunc Draught() int { return 3 }\n")
	for i := range n {
		name := fmt.Sprintf("boats/dory-%03d", i)
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(first.Dir)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func list(t *testing.T, dir string, lines ...string) string {
	t.Helper()
	name := filepath.Join(dir, "list.txt")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestFleetGoesOn ends a fleet in its midst, again and again: each repository is packed
// once, none is lost, and at the end none is packed again.
func TestFleetGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	n, step := 40, 12
	switch {
	case os.Getenv("HAVERSACK_PEERS") == "require":
		n, step = 200, 61
	case testing.Short():
		n, step = 14, 4
	}
	dir := t.TempDir()
	names := fleetOf(t, dir, n)
	file := list(t, dir, names...)
	packed := map[string]int{}
	count := func(out string) {
		for _, name := range names {
			packed[name] += strings.Count(out, ": "+name+": packed")
		}
	}
	for range 2 {
		x, out, err := fleetRun(t, dir, step, file, "--pack", "none", "--base", "none")
		if err == nil || x.Counts[fleetWaiting] == 0 {
			t.Errorf("a fleet that was ended: %v: %v", x.Counts, err)
		}
		count(out)
	}
	x, out, err := fleetRun(t, dir, 0, file, "--pack", "none", "--base", "none")
	if err != nil || x.Counts[fleetPacked]+x.Counts[fleetUnchanged] != n {
		t.Fatalf("%v: %v", x.Counts, err)
	}
	count(out)
	for name, n := range packed {
		if n != 1 {
			t.Errorf("%s was packed %d times", name, n)
		}
	}
	for _, r := range x.Repositories {
		if _, err := os.Stat(filepath.Join(dir, "fleet.haversack", r.Folder, "archive.tar")); err != nil || r.Files != 1 {
			t.Errorf("%s has no archive, or not its file: %v", r.Name, err)
		}
	}
	if x, _, err = fleetRun(t, dir, 0, file, "--pack", "none", "--base", "none"); err != nil || x.Counts[fleetUnchanged] != n {
		t.Errorf("run again: %v: %v", x.Counts, err)
	}
	if !testing.Short() {
		return
	}
	if x, _, err = fleetRun(t, dir, 0, file, "--pack", "none", "--base", "none", "--exclude", "*.md"); err != nil || x.Counts[fleetPacked] != n {
		t.Errorf("with other inputs: %v: %v", x.Counts, err)
	}
}

// TestFleetList has a list of what is none, twice, empty, absent, in another case: each
// line costs itself.
func TestFleetList(t *testing.T) {
	dir := t.TempDir()
	names := fleetOf(t, dir, 2)
	if err := os.MkdirAll(filepath.Join(dir, "plain"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := list(t, dir, "# boats", names[0], "", names[0]+"/", "./"+names[0], names[1], "../boats", "boats/../boats/dory-000", "absent/too/deep", "plain",
		"https://keeper:l4mp-oil@example.invalid/a/b")
	x, out, err := fleetRun(t, dir, 0, file, "--pack", "none", "--base", "none", "--workers", "1")
	if err == nil || x.Counts[fleetPacked] != 2 || x.Counts[fleetFailed] != 5 || x.Duplicates != 2 {
		t.Errorf("%v, %d duplicates: %v\n%s", x.Counts, x.Duplicates, err, out)
	}
	page, _ := os.ReadFile(filepath.Join(dir, "fleet.haversack", "fleet.md"))
	if strings.Contains(out+string(page), "l4mp-oil") {
		t.Errorf("a password is said:\n%s", out)
	}
}

// TestFleetNames: the same repository in another case or form is one, another is another.
func TestFleetNames(t *testing.T) {
	var most strings.Builder
	for i := range maxFleet {
		fmt.Fprintf(&most, "owner/boat-%d\nOWNER/boat-%d\n", i, i)
	}
	if list, duplicates, err := parseFleet([]byte(most.String()), func(string) bool { return false }); err != nil || len(list) != maxFleet || duplicates != maxFleet {
		t.Errorf("%d repositories, %d duplicates, of %d: %v", len(list), duplicates, maxFleet, err)
	}
	for words, want := range map[string]int{
		"Owner/Name\nowner/name\nOWNER/NAME": 1, "https://h.example/a/B.git\nhttps://h.example/A/b/": 1, "a/b\na/c": 2,
		"./Boat\n./boat": 2, "here/now\nhere/Now": 2, "a b\na-b": 2,
	} {
		list, duplicates, err := parseFleet([]byte(words), func(name string) bool { return strings.HasPrefix(name, "here/") })
		if err != nil || len(list) != want || duplicates != strings.Count(words, "\n")+1-want {
			t.Errorf("%q: %d repositories, %d duplicates: %v", words, len(list), duplicates, err)
		}
		for _, m := range list {
			if a := "oci://h.example/x/" + m.slug; m.fault == nil && !registryTakes(a) {
				t.Errorf("%q is no name in a registry", a)
			}
		}
	}
}

func registryTakes(address string) bool { _, err := registry.ParseAddress(address); return err == nil }

// TestFleetPushes: each repository has a name of its own in the registry, and what is
// there is known by one request where the folder knows nothing.
func TestFleetPushes(t *testing.T) {
	s := registrytest.New(t)
	dir := t.TempDir()
	names := fleetOf(t, dir, 3)
	file := list(t, dir, names...)
	args := []string{file, "--pack", "none", "--base", "none", "--push", "oci://" + s.Host + "/harbour"}
	if x, out, err := fleetRun(t, dir, 0, args...); err != nil || x.Counts[fleetPacked] != 3 || len(s.Tags()) != 6 {
		t.Fatalf("%v, %v: %v\n%s", x.Counts, s.Tags(), err, out)
	}
	if err := os.RemoveAll(filepath.Join(dir, "fleet.haversack")); err != nil {
		t.Fatal(err)
	}
	s.Requests()
	x, _, err := fleetRun(t, dir, 0, args...)
	if err != nil || x.Counts[fleetUnchanged] != 3 {
		t.Errorf("%v: %v", x.Counts, err)
	}
	if q := s.Requests(); len(q) != 3 || !strings.HasPrefix(q[0], "GET ") || !strings.Contains(q[0], "/manifests/") {
		t.Errorf("three unchanged heads cost %q", q)
	}
}

// TestFleetPushesAgain has a push cut off before its last request, the branch's tag: run
// again, the fleet makes it again.
func TestFleetPushesAgain(t *testing.T) {
	s := registrytest.New(t)
	dir := t.TempDir()
	names := fleetOf(t, dir, 1)
	args := []string{list(t, dir, names...), "--pack", "none", "--base", "none", "--push", "oci://" + s.Host + "/harbour"}
	s.Before = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || !strings.HasSuffix(r.URL.Path, "/manifests/main") {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	x, _, err := fleetRun(t, dir, 0, args...)
	if err == nil || x.Counts[fleetFailed] != 1 || len(s.Tags()) != 1 {
		t.Fatalf("%v, %v: %v", x.Counts, s.Tags(), err)
	}
	s.Before = nil
	for i, want := range []string{fleetPacked, fleetUnchanged} {
		if err := os.RemoveAll(filepath.Join(dir, "fleet.haversack")); err != nil {
			t.Fatal(err)
		}
		if x, _, err = fleetRun(t, dir, 0, args...); err != nil || x.Counts[want] != 1 || len(s.Tags()) != 2 {
			t.Errorf("run %d: %v, %v: %v", i, x.Counts, s.Tags(), err)
		}
	}
}

// TestFleetsAtOnce has two fleets over the same list at once: in one folder the second ends
// at once and says why; in two, with one registry, both succeed, and what it has is one
// whole artifact of each.
func TestFleetsAtOnce(t *testing.T) {
	dir := t.TempDir()
	names := fleetOf(t, dir, 4)
	file := list(t, dir, names...)
	at := filepath.Join(dir, "fleet.haversack")
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(at)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	held, err := lockFile(root, lockName)
	if err != nil {
		t.Fatal(err)
	}
	if _, out, err := fleetRun(t, dir, 0, file, "--pack", "none", "--base", "none"); err == nil || !strings.Contains(err.Error(), "another fleet works in "+at) || out != "" {
		t.Errorf("%v\n%s", err, out)
	}
	if files, err := os.ReadDir(at); err != nil || len(files) != 1 {
		t.Errorf("the second has left %v: %v", files, err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}

	s := registrytest.New(t)
	var both sync.WaitGroup
	for _, folder := range []string{"one", "two"} {
		both.Go(func() {
			_, out, err := fleetRun(t, dir, 0, file, "--pack", "none", "--base", "none", "--push", "oci://"+s.Host+"/harbour", "--output-dir", folder, "--again")
			if err != nil {
				t.Errorf("%s: %v\n%s", folder, err, out)
			}
		})
	}
	both.Wait()
	for tag, digest := range s.Tags() {
		name, tag, _ := strings.Cut(tag, ":")
		if lack := s.Whole(name, tag); lack != "" || s.Tags()[name+":main"] != digest {
			t.Errorf("%s:%s names %s, main %s; it lacks %q", name, tag, digest, s.Tags()[name+":main"], lack)
		}
	}
	if len(s.Tags()) != 8 {
		t.Errorf("%d tags of four repositories", len(s.Tags()))
	}
}

// TestFleetAsks: what cannot be a fleet is said before anything is done.
func TestFleetAsks(t *testing.T) {
	dir := t.TempDir()
	many := make([]string, maxFleet+1)
	for i := range many {
		many[i] = fmt.Sprintf("owner/boat-%d", i)
	}
	for want, args := range map[string][]string{
		"needs one argument":      {},
		"names no repository":     {list(t, dir, "# none")},
		"--workers 0":             {"x", "--workers", "0"},
		`--shard "0/3"`:           {"x", "--shard", "0/3"},
		`--shard "4/3"`:           {"x", "--shard", "4/3"},
		`--shard "2"`:             {"x", "--shard", "2"},
		"are of those that pack":  {"x", "--shard", "1/2", "--index", "y"},
		"go with org:OWNER":       {"x", "--topic", "sea"},
		"a file is a list":        {"x", "--list"},
		"leave --shard out":       {"org:octo", "--list", "--shard", "1/2"},
		"an organisation or a":    {"org:octo/x"},
		"of a single run":         {"x", "--ref", "main"},
		"leave the tag out":       {"x", "--push", "oci://ghcr.io/a/b:c"},
		"reading the list absent": {"absent"},
	} {
		if _, _, err := fleetRun(t, dir, 0, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, and %q is wanted", args, err, want)
		}
	}
	if _, _, err := fleetRun(t, dir, 0, list(t, dir, many...)); err == nil || !strings.Contains(err.Error(), "divide the list") {
		t.Errorf("%d repositories: %v", len(many), err)
	}
}

// TestFleetDefaults: in a workflow the organisation's file is asked for once for each owner, named, and holds for all its repositories;
// another file packs anew, and each repository's own wins.
func TestFleetDefaults(t *testing.T) {
	api := forgetest.Start(t)
	file := "octo/.github/" + job.DefaultsFile
	api.Files = map[string]string{file: "exclude: hull.go\npack: none\n"}
	dir := t.TempDir()
	names := fleetOf(t, dir, 3)
	origins := []string{"https://github.com/octo/a.git", "git@github.com:octo/b", "https://elsewhere.example/octo/c"}
	for i, name := range names {
		cmd := exec.Command("git", "-C", filepath.Join(dir, name), "remote", "add", "origin", origins[i])
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if i == 1 {
			for _, args := range [][]string{{"add", "."}, {"-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "two"}} {
				at := filepath.Join(dir, name, job.DefaultsFile)
				if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte("exclude: .github/**\n"), 0o644)); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command("git", append([]string{"-C", filepath.Join(dir, name)}, args...)...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
		}
	}
	members := list(t, dir, names...)
	run := func(args ...string) (FleetIndex, string) {
		t.Helper()
		env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": dir, "GITHUB_REPOSITORY": "octo/.github", "GITHUB_API_URL": api.URL, "INPUT_TOKEN": forgetest.Token}
		var said bytes.Buffer
		c := Command{Process: job.Process{Args: append([]string{"fleet", members, "--base", "none", "--workers", "2"}, args...), Getenv: func(k string) string { return env[k] }, Dir: dir, Stdout: io.Discard, Stderr: &said}}
		err := c.Run(t.Context())
		out := said.String()
		var x FleetIndex
		raw, failed := os.ReadFile(filepath.Join(dir, "fleet.haversack", "fleet.json"))
		if err = errors.Join(err, failed); err == nil {
			err = json.Unmarshal(raw, &x)
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return x, out
	}
	files := func(x FleetIndex) (n []int) {
		for _, r := range x.Repositories {
			n = append(n, r.Files)
		}
		return n
	}
	x, out := run()
	if got := fmt.Sprint(files(x)); got != "[0 1 1]" || strings.Count(out, "defaults of octo/.github/.github/haversack.yml: exclude, pack") != 1 {
		t.Errorf("%s files: %s", got, out)
	}
	if calls := api.Calls(); len(calls) != 1 {
		t.Errorf("asked %q", calls)
	}
	if x, _ = run(); x.Counts[fleetUnchanged] != 3 {
		t.Errorf("run again: %v", x.Counts)
	}
	api.Files[file] = "pack: none\n"
	if x, _ = run(); fmt.Sprint(files(x)) != "[1 1 1]" || x.Counts[fleetPacked] != 2 {
		t.Errorf("another file: %v, %v", files(x), x.Counts)
	}
	if n := len(api.Calls()); n != 3 {
		t.Errorf("asked %d times in three runs", n)
	}
	if x, _ = run("--defaults", "repository"); len(api.Calls()) != 3 || x.Counts[fleetPacked] != 3 {
		t.Errorf("asked although nobody wants it: %v", x.Counts)
	}
	if r := api.Refusals(); len(r) > 0 {
		t.Errorf("the server objected: %q", r)
	}
}
