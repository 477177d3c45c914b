package repo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/repotest"
)

func TestResolve(t *testing.T) {
	g := repotest.New(t, "one", "two")
	g.Git("checkout", "-q", "-b", "feature/x")
	g.Commit("three")
	g.Git("checkout", "-q", "main")
	g.Commit("four")
	g.Git("merge", "-q", "--no-ff", "-m", "merge", "feature/x")
	g.Git("tag", "light", "main~1")
	g.Git("tag", "-a", "-m", "x", "v1.0", "main~2")
	g.Git("tag", "-a", "-m", "of a tag", "twice", "v1.0")
	g.Git("branch", "with-@-sign")
	g.Git("branch", "a(b)#c")
	g.Git("tag", "main", "feature/x") // a tag and a branch of one name
	c := g.Clone()
	c.Git("fetch", "-q", "origin", "refs/heads/feature/x")
	r := open(t, c.Dir)
	for _, rev := range []string{
		"HEAD", "@", "refs/heads/main", "heads/main", "main", "tags/main", "light", "v1.0", "twice", "v1.0^{}", "v1.0^{commit}", "v1.0^0",
		"HEAD^", "HEAD^1", "HEAD^2", "HEAD~", "HEAD~2", "HEAD^2~1", "HEAD^^", "HEAD^2^", "HEAD~1^0", "HEAD~0", "@~1", "@^2",
		"origin/main", "origin/feature/x", "origin", "remotes/origin/main", "refs/remotes/origin/feature/x", "FETCH_HEAD",
		"origin/with-@-sign", "origin/a(b)#c",
		"@{u}", "@{upstream}~1", "main@{u}", "HEAD@{U}^2", c.Git("describe", "--long", "HEAD"),
	} {
		want := c.Git("rev-parse", rev+"^{commit}")
		got, err := r.Resolve(rev)
		if err != nil || got.SHA != want {
			t.Errorf("%s: %s, %v; git says %s", rev, got.SHA, err, want)
		}
	}
	for _, rev := range []string{"HEAD", "HEAD~1", "v1.0"} {
		full := c.Git("rev-parse", rev)
		for _, n := range []int{40, 39, 12, 7} {
			got, err := r.Resolve(full[:n])
			if err != nil || got.SHA != c.Git("rev-parse", rev+"^{commit}") {
				t.Errorf("%s: %v, %v", full[:n], got, err)
			}
		}
	}
	for rev, says := range map[string]string{
		"":                                "not a revision",
		"mian":                            "near ones: main",
		"feature/y":                       "near ones: origin/feature/x",
		"feature/x":                       "near ones: origin/feature/x",
		"v1.1":                            "near ones: v1.0",
		"nothing-like-any":                "unknown revision",
		"abc":                             "unknown revision",
		strings.Repeat("1", 40):           "not in this clone",
		strings.Repeat("ab", 6):           "unknown revision",
		"HEAD^3":                          "has 2 parents",
		"HEAD~9":                          "history begins at ",
		"HEAD~99999999999999999999":       "~N and ^N",
		"v1.0@{upstream}":                 "no upstream",
		"HEAD@{1}":                        "only @{upstream}",
		":/one":                           "not a revision",
		"HEAD:a.txt":                      "not supported",
		"HEAD^{tree}":                     "not supported",
		"HEAD^{/one}":                     "not supported",
		"HEAD^-1":                         "not supported",
		"main..HEAD":                      "unknown revision",
		"--all":                           "unknown revision",
		"../../etc/passwd":                "unknown revision",
		"a\nb":                            `"a\nb"`,
		"HEAD^{tree":                      "not supported",
		g.Git("rev-parse", "HEAD^{tree}"): "is a tree",
	} {
		got, err := r.Resolve(rev)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, %v; want %q", rev, got.SHA, err, says)
		}
	}
}

func TestCommit(t *testing.T) {
	g := repotest.New(t, "one", "two")
	c, err := open(t, g.Dir).Head()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "id", c.SHA, g.Git("rev-parse", "HEAD"))
	same(t, "time", c.Time.Format(time.RFC3339), "2026-01-02T03:05:05Z")
	same(t, "parents", strings.Join(c.Parents, " "), g.Git("rev-parse", "HEAD~1"))
	// In a shallow clone the parent is named though it is not there.
	shallow := open(t, g.Clone("--depth=1").Dir)
	c, err = shallow.Head()
	if err != nil || len(c.Parents) != 1 {
		t.Errorf("%v, %v", c, err)
	}
	if _, err := shallow.Resolve("HEAD~1"); !errors.Is(err, ErrShallow) {
		t.Errorf("%v", err)
	}
	if !shallow.IsShallow() || open(t, g.Dir).IsShallow() {
		t.Error("which one is shallow?")
	}
	if _, err := shallow.Resolve("nothing-like-any"); err == nil || !strings.Contains(err.Error(), "shallow") {
		t.Errorf("%v", err)
	}
}

func TestBranch(t *testing.T) {
	g := repotest.New(t, "one", "two")
	g.Git("checkout", "-q", "-b", "feature/x")
	same(t, "branch", open(t, g.Dir).Branch(), "feature/x")
	g.Git("checkout", "-q", "--detach")
	same(t, "detached", open(t, g.Dir).Branch(), "")
}

func TestDefaultBranch(t *testing.T) {
	g := repotest.New(t, "one")
	if name, ok := defaultBranch(open(t, g.Dir)); !ok || name != "main" {
		t.Errorf("without a remote: %s", name)
	}
	g.Git("branch", "master")
	g.Git("branch", "trunk")
	c := g.Clone()
	check := func(want string) {
		t.Helper()
		name, ok := defaultBranch(open(t, c.Dir))
		if name != want || ok != (want != "") {
			t.Errorf("%s, %v; want %q", name, ok, want)
		}
	}
	check("origin/main")
	c.Git("remote", "set-head", "origin", "trunk")
	check("origin/trunk")
	c.Git("remote", "set-head", "origin", "--delete")
	check("origin/main")
	c.Git("update-ref", "-d", "refs/remotes/origin/main")
	check("origin/master")
	c.Git("update-ref", "-d", "refs/remotes/origin/master")
	check("")
	// It points to a branch that is gone.
	c.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
	check("")
}

func TestRemoteURL(t *testing.T) {
	g := repotest.New(t)
	r := func() *Repository { return open(t, g.Dir) }
	same(t, "none", r().RemoteURL("origin"), "")
	for addr, want := range map[string]string{
		"https://github.com/o/r.git":              "https://github.com/o/r.git",
		"https://x-access-token:s3cret@h/o/r.git": "https://h/o/r.git",
		"https://s3cret@h/o/r.git":                "https://h/o/r.git",
		"git@github.com:o/r.git":                  "git@github.com:o/r.git",
		"ssh://git:s3cret@h:22/o/r.git":           "ssh://git@h:22/o/r.git",
		"../other":                                filepath.Join(filepath.Dir(real(t, g.Dir)), "other"),
		"/some/where":                             "/some/where",
		"":                                        "",
		"https://u:s3cret@h/%zz":                  "",
	} {
		g.Git("config", "remote.origin.url", addr)
		same(t, addr, r().RemoteURL("origin"), want)
	}
	g.Git("config", "remote.two.url", "https://first/")
	g.Git("config", "--add", "remote.two.url", "https://second/")
	same(t, "the first", r().RemoteURL("two"), "https://first/")
}

func TestInfoExclude(t *testing.T) {
	g := repotest.New(t, "one")
	write(t, g.Path(".git/info/exclude"), "*.log\n")
	dir := filepath.Join(t.TempDir(), "linked")
	g.Git("worktree", "add", "-q", "--detach", dir)
	same(t, "exclude", string(open(t, g.Dir).InfoExclude()), "*.log\n")
	same(t, "exclude of a linked worktree", string(open(t, dir).InfoExclude()), "*.log\n")
	os.Remove(g.Path(".git/info/exclude"))
	same(t, "none", string(open(t, g.Dir).InfoExclude()), "")
}
