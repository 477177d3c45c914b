// Package repotest makes real git repositories for tests, by the git command
// line, from txtar text.
//
// Everything that could differ between machines is fixed: the identity, the
// dates (2026-01-02T03:04:05Z for the first commit of a repository, a minute
// more for each further one), the branch name main, the configuration (nobody's
// but the repository's own). The same text gives the same commit ids anywhere.
package repotest

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// Repo is a repository on disk.
type Repo struct {
	// Dir is the worktree, or the bare repository.
	Dir string

	t       testing.TB
	commits int
}

// New makes a repository in a temporary folder and one commit for each text;
// see Commit. Without texts it has no commit.
func New(t testing.TB, commits ...string) *Repo {
	t.Helper()
	r := &Repo{Dir: filepath.Join(t.TempDir(), "repo"), t: t}
	if err := os.Mkdir(r.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git("init", "--quiet", "--initial-branch=main")
	r.Git("config", "uploadpack.allowFilter", "true")
	for _, text := range commits {
		r.Commit(text)
	}
	return r
}

// Commit changes the worktree as text says, commits everything and returns the
// commit's id. The files of the txtar archive are written. Lines before them
// are the message, but for those that start with a verb:
//
//	rm PATH            delete a file or a folder
//	mv OLD NEW         rename
//	x PATH             make executable (after the files are written)
//	ln TARGET PATH     make a symbolic link
func (r *Repo) Commit(text string) string {
	r.t.Helper()
	r.Apply(text)
	a := txtar.Parse([]byte(text))
	var message []string
	for line := range strings.Lines(string(a.Comment)) {
		if verb, _, _ := strings.Cut(line, " "); verb != "rm" && verb != "mv" && verb != "x" && verb != "ln" {
			message = append(message, line)
		}
	}
	m := strings.TrimSpace(strings.Join(message, ""))
	if m == "" {
		m = fmt.Sprintf("commit %d", r.commits+1)
	}
	r.Git("add", "--all")
	r.Git("commit", "--quiet", "--allow-empty", "--message", m)
	return r.Git("rev-parse", "HEAD")
}

// Apply changes the worktree as Commit does, and commits nothing.
func (r *Repo) Apply(text string) {
	r.t.Helper()
	a := txtar.Parse([]byte(text))
	var after [][]string
	for line := range strings.Lines(string(a.Comment)) {
		switch w := strings.Fields(line); {
		case len(w) == 2 && w[0] == "rm":
			if err := os.RemoveAll(r.Path(w[1])); err != nil {
				r.t.Fatal(err)
			}
		case len(w) == 3 && w[0] == "mv":
			r.mkdir(w[2])
			if err := os.Rename(r.Path(w[1]), r.Path(w[2])); err != nil {
				r.t.Fatal(err)
			}
		case len(w) == 2 && w[0] == "x", len(w) == 3 && w[0] == "ln":
			after = append(after, w)
		}
	}
	for _, f := range a.Files {
		r.Write(f.Name, string(f.Data))
	}
	for _, w := range after {
		var err error
		if w[0] == "x" {
			err = os.Chmod(r.Path(w[1]), 0o755)
		} else {
			r.mkdir(w[2])
			os.Remove(r.Path(w[2]))
			err = os.Symlink(w[1], r.Path(w[2]))
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// Path returns where the file name lies on disk.
func (r *Repo) Path(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }

// Write puts content into the file name.
func (r *Repo) Write(name, content string) {
	r.t.Helper()
	r.mkdir(name)
	if err := os.WriteFile(r.Path(name), []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *Repo) mkdir(name string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.Path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

// Git runs git in the repository and returns its output without the line end.
// A failure ends the test.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	out, err := r.Try(args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// Try runs git as Git does, and returns the failure.
func (r *Repo) Try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Env = append(Env(), r.dates()...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, &errs)
	}
	for _, a := range args {
		if a == "commit" || a == "merge" || a == "tag" {
			r.commits++
			break
		}
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

func (r *Repo) dates() []string {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(r.commits) * time.Minute).Format(time.RFC3339)
	return []string{"GIT_AUTHOR_DATE=" + at, "GIT_COMMITTER_DATE=" + at}
}

// Env returns the environment in which git reads no configuration but the
// repository's own and answers the same everywhere.
func Env() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "TZ=UTC", "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org",
	}
	config := []string{
		"protocol.file.allow=always", "gc.auto=0", "maintenance.auto=false", "safe.directory=*", "advice.detachedHead=false",
	}
	for i, c := range config {
		key, value, _ := strings.Cut(c, "=")
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, value))
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(config)))
}

// URL returns the repository's file address.
func (r *Repo) URL() string { return "file://" + filepath.ToSlash(r.Dir) }

// Clone clones the repository over its file address, with options of git clone
// such as --depth=1 or --bare.
func (r *Repo) Clone(options ...string) *Repo {
	r.t.Helper()
	c := &Repo{Dir: filepath.Join(r.t.TempDir(), "clone"), t: r.t, commits: r.commits}
	r.Git(append(append([]string{"clone", "--quiet"}, options...), r.URL(), c.Dir)...)
	return c
}

// At returns the repository in another folder: a linked worktree, a submodule.
func (r *Repo) At(dir string) *Repo { return &Repo{Dir: dir, t: r.t, commits: r.commits} }

// Handler serves the repository over smart HTTP, by git http-backend, at any
// path that starts with prefix ("/owner/name.git"). Further settings of the
// server are given as KEY=VALUE of git's configuration.
func (r *Repo) Handler(prefix string, settings ...string) http.Handler {
	r.t.Helper()
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		r.Git("config", key, value)
	}
	backend := filepath.Join(r.Git("--exec-path"), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		r.t.Skipf("git http-backend is needed: %v", err)
	}
	dir := r.Git("rev-parse", "--absolute-git-dir")
	return &cgi.Handler{
		Path: backend, Root: prefix, Dir: r.Dir,
		Env: []string{
			"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1",
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
			"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		},
		Stderr: r.t.Output(),
	}
}
