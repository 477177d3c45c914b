package action

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/registry"
	"github.com/haversack-dev/haversack/internal/registry/registrytest"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestPushed pushes two commits of a branch, reads them back, verifies them, and measures
// the second against the first.
func TestPushed(t *testing.T) {
	s := registrytest.New(t)
	s.User, s.Password = "keeper", "l4mp-oil-and-wicks"
	r := repotest.New(t, "-- keep/lamp.go --\npackage keep\n\nfunc Lit() bool { return true }\n")
	r.Git("checkout", "-q", "-b", "night/watch")
	config := filepath.Join(t.TempDir(), "config.json")
	raw := fmt.Appendf(nil, `{"auths":{%q:{"auth":%q}}}`, s.Host, base64.StdEncoding.EncodeToString([]byte(s.User+":"+s.Password)))
	if err := os.WriteFile(config, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	address := "oci://" + s.Host + "/keepers/log"
	run := func(args ...string) string {
		t.Helper()
		out, err := execute(t, r.Dir, map[string]string{"INPUT_REGISTRY-CONFIG": config}, args...)
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		if strings.Contains(out, s.Password) {
			t.Errorf("%q says the password:\n%s", args, out)
		}
		return out
	}
	first := strings.TrimSpace(r.Git("rev-parse", "HEAD"))
	run("--ref", "HEAD", "--push", address)
	branch := registry.BranchTag("night/watch")
	tags := s.Tags()
	if d := tags["keepers/log:"+branch]; d == "" || d != tags["keepers/log:sha-"+first] || len(tags) != 2 {
		t.Fatalf("tags are %v", tags)
	}
	s.Requests()
	run("--ref", "HEAD", "--push", address)
	for _, q := range s.Requests() {
		if !strings.HasPrefix(q, "HEAD ") {
			t.Errorf("an unchanged push makes the request %s", q)
		}
	}
	r.Write("keep/lamp.go", "package keep\n\nfunc Lit() bool { return false }\n")
	r.Git("commit", "-qam", "dark")
	r.Git("commit", "-q", "--allow-empty", "-m", "still")
	run("--ref", "HEAD", "--base", address, "--push", address)
	b, err := os.ReadFile(filepath.Join(r.Dir, ".stan/output/record.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rec struct {
		Base struct{ Commit, Reason string }
	}
	if err := json.Unmarshal(b, &rec); err != nil || rec.Base.Commit != first {
		t.Errorf("the base is %+v: %v", rec.Base, err)
	}
	to := filepath.Join(t.TempDir(), "back")
	run("pull", address+":"+branch, "--output-dir", to, "archive.tar", "record.json")
	same := func(name string) {
		t.Helper()
		a, _ := os.ReadFile(filepath.Join(to, name))
		b, _ := os.ReadFile(filepath.Join(r.Dir, ".stan/output", name))
		if len(a) == 0 || string(a) != string(b) {
			t.Errorf("%s comes back with %d bytes, and %d were made", name, len(a), len(b))
		}
	}
	same("archive.tar")
	if got, _ := os.ReadDir(to); len(got) != 2 {
		t.Errorf("two files were asked for, and there are %v", got)
	}
	pushed, _ := os.ReadFile(filepath.Join(to, "record.json"))
	if !strings.Contains(string(pushed), `"timings":[]`) {
		t.Error("the record that is pushed has timings")
	}
	if out := run("verify", address+":sha-"+first); !strings.Contains(out, "no credential was found") {
		t.Errorf("verify says\n%s", out)
	}
	// Another record under the tag, whole in itself: the archive is not the one that it tells of.
	var m map[string]any
	if err := json.Unmarshal(s.Manifest("keepers/log", branch), &m); err != nil {
		t.Fatal(err)
	}
	m["layers"] = m["layers"].([]any)[1:]
	forged, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	s.Set("keepers/log", "forged", forged)
	out, err := execute(t, r.Dir, map[string]string{"INPUT_REGISTRY-CONFIG": config}, "verify", address+":forged")
	if err == nil || !strings.Contains(out, "is in the record and not in the artifact") {
		t.Errorf("verify of what lacks a file: %v\n%s", err, out)
	}
}

// TestPushRefused: a refusal is an error that says where the results are; of a pull request
// from a fork it is a warning, and neither moves a tag.
func TestPushRefused(t *testing.T) {
	s := registrytest.New(t)
	s.Before = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	r := repotest.New(t, "-- a.txt --\nkelp\n", "-- a.txt --\nkelp and tar\n")
	sha := strings.TrimSpace(r.Git("rev-parse", "HEAD"))
	base := strings.TrimSpace(r.Git("rev-parse", "HEAD^"))
	args := []string{"--push", "oci://" + s.Host + "/a/b", "--upload", "never", "--comment", "never"}
	for _, head := range []int{7, 8} {
		event := filepath.Join(t.TempDir(), "event.json")
		payload := fmt.Sprintf(`{"number":3,"pull_request":{"number":3,"base":{"sha":%q,"ref":"main","repo":{"id":7}},"head":{"sha":%q,"ref":"topic","repo":{"id":%d}}},"repository":{"id":7,"default_branch":"main"}}`, base, sha, head)
		if err := os.WriteFile(event, []byte(payload), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := execute(t, r.Dir, map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": r.Dir, "GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": event, "GITHUB_REF": "refs/pull/3/merge", "INPUT_BASE": base}, args...)
		switch fork := head == 8; {
		case fork && (err != nil || !strings.Contains(out, "A pull request from a fork is given no secrets")):
			t.Errorf("from a fork: %v\n%s", err, out)
		case !fork && (err == nil || !strings.Contains(err.Error(), "refuses it") || !strings.Contains(err.Error(), "the results are in")):
			t.Errorf("from the repository itself: %v\n%s", err, out)
		}
		if len(s.Tags()) != 0 {
			t.Errorf("tags are %v", s.Tags())
		}
	}
}

// TestPushAsks: what cannot be pushed is said before anything is done.
func TestPushAsks(t *testing.T) {
	r := repotest.New(t, "-- a.txt --\nkelp\n")
	bad := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(bad, []byte(`{"auths":{"h":{"auth":"!s3cret"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"input push": {"--push", "ghcr.io/a/b"},
		"the digest is computed from what is pushed": {"--push", "oci://ghcr.io/a/b@" + registrytest.Digest(nil)},
		"input base":                  {"--base", "oci://ghcr.io/A"},
		"input registry-config":       {"--push", "oci://ghcr.io/a/b", "--registry-config", bad},
		"names no tag":                {"pull", "oci://ghcr.io/a/b"},
		"pull needs an address":       {"pull"},
		"no such file":                {"--push", "oci://ghcr.io/a/b", "--registry-config", "absent.json"},
		"verify needs one argument, ": {"verify"},
	} {
		out, err := execute(t, r.Dir, nil, args...)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error()+out, "s3cret") {
			t.Errorf("%q: %v, and %q is wanted\n%s", args, err, want, out)
		}
		if _, err := os.Stat(filepath.Join(r.Dir, ".stan/output/record.json")); err == nil {
			t.Errorf("%q leaves results", args)
		}
	}
}

// TestPushOfClone pushes repositories that are cloned for the run: the tag is that of the
// branch which was packed, the server's or the one that was asked for.
func TestPushOfClone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	r := repotest.New(t, "-- rope.go --\npackage rope\n")
	r.Git("branch", "splice/eye")
	r.Git("branch", "-m", "main", "trunk")
	web := httptest.NewServer(r.Handler("/o/r.git"))
	t.Cleanup(web.Close)
	for ref, want := range map[string]string{"": "trunk", "splice/eye": registry.BranchTag("splice/eye"), strings.TrimSpace(r.Git("rev-parse", "HEAD")): ""} {
		s := registrytest.New(t)
		args := []string{"--repository", web.URL + "/o/r.git", "--base", "none", "--push", "oci://" + s.Host + "/knots", "--output-dir", "out"}
		if ref != "" {
			args = append(args, "--ref", ref)
		}
		out, err := execute(t, t.TempDir(), nil, args...)
		if err != nil {
			t.Fatalf("%q: %v\n%s", ref, err, out)
		}
		tags := s.Tags()
		if want == "" && len(tags) != 1 || want != "" && (len(tags) != 2 || tags["knots:"+want] == "") {
			t.Errorf("%q is pushed as %v, and %q is wanted", ref, tags, want)
		}
	}
}
