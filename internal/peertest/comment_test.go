package peertest

import (
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/forge/forgetest"
)

// TestCommentUnderAct: as a workflow's defaults have it, the container makes no comment for a bump, comments on a pull request, and
// renews its comment when the request is pushed to.
func TestCommentUnderAct(t *testing.T) {
	need(t, "docker", "act", "git", "npm")
	const image = "haversack:peertest"
	run(t, module(t), []string{"DOCKER_BUILDKIT=0"}, "docker", "build", "--quiet", "--tag", image, ".")
	s := forgetest.Start(t)
	service := reachable(t, s.URL)

	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":           "module example.com/shop\n\ngo 1.24\n",
		"shop/price.go":    "package shop\n\n// Price is what a kettle costs, in cents.\nfunc Price() int { return 1990 }\n",
		"web/package.json": "{\n  \"name\": \"web\",\n  \"dependencies\": {\n    \"left-pad\": \"1.0.0\"\n  }\n}\n",
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(content), 0o644)
	}
	workflow, err := os.ReadFile("testdata/comment.yml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".github", "workflows", "comment.yml"), workflow, 0o644)
	base := commit(t, dir, "init", "--quiet", "--initial-branch=main")
	git(t, dir, "remote", "add", "origin", "https://github.com/"+forgetest.Repository)
	git(t, dir, "branch", "topic")
	git(t, dir, "branch", "bump")

	action := prebuilt(t, image)
	// pushed adds a commit to a branch, runs the workflow for its test merge, and returns the log and the comments there are then.
	pushed := func(branch, name, content string) (string, []string) {
		t.Helper()
		git(t, dir, "checkout", "--quiet", branch)
		write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(content), 0o644)
		head := commit(t, dir)
		git(t, dir, "checkout", "--quiet", "--detach", "main")
		git(t, dir, "merge", "--quiet", "--no-ff", "--message", "Merge", branch)
		e := request(head, base)
		repository := map[string]any{"id": forgetest.RepositoryID, "full_name": forgetest.Repository, "name": "widgets", "default_branch": "main", "owner": map[string]any{"login": "octo"}}
		e.payload["repository"] = repository
		for _, side := range []string{"head", "base"} {
			e.payload["pull_request"].(map[string]any)[side].(map[string]any)["repo"] = repository
		}
		s.Pulls = []map[string]any{forgetest.Pull(7, head, base, nil)}
		log, _ := act(t, dir, e, append(images(), "--local-repository", "haversack-dev/haversack@COMMIT="+action,
			"--env", "GITHUB_API_URL="+service, "--secret", "FORGE_TOKEN="+forgetest.Token)...)
		return log, s.BodiesOn(7)
	}

	log, bodies := pushed("bump", "web/package.json", "{\n  \"name\": \"web\",\n  \"dependencies\": {\n    \"left-pad\": \"1.3.0\"\n  }\n}\n")
	const quiet = "Not commented: nothing in the change needs a reviewer's words (dependencies alone"
	if len(bodies) != 0 || !strings.Contains(log, quiet) {
		t.Errorf("of a bump there are the comments %q, and the log is\n%s", bodies, log)
	}
	log, bodies = pushed("topic", "shop/cart.go", "package shop\n\n// Sum adds prices.\nfunc Sum(a, b int) int { return a + b }\n")
	if len(bodies) != 1 || !strings.Contains(bodies[0], "1 file changed (+4 −0)") || !strings.Contains(bodies[0], "Sum") {
		t.Fatalf("of an addition there are the comments %q, refused was %q, and the log is\n%s", bodies, s.Refusals(), log)
	}
	log, bodies = pushed("topic", "shop/list.go", "package shop\n\n// First is the first of a list.\nfunc First(list []int) int { return list[0] }\n")
	if len(bodies) != 1 || !strings.Contains(bodies[0], "2 files changed (+8 −0)") || !strings.Contains(bodies[0], "First") {
		t.Errorf("of a second commit there are the comments %q, refused was %q, and the log is\n%s", bodies, s.Refusals(), log)
	}
}

// prebuilt makes a folder with the project's action.yml, which names an image in place of the Dockerfile.
func prebuilt(t *testing.T, image string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(module(t), "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	named := strings.Replace(string(data), "\n  image: Dockerfile\n", "\n  image: docker://"+image+"\n", 1)
	if named == string(data) {
		t.Fatal("action.yml does not name the Dockerfile")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "action.yml"), []byte(named), 0o644)
	return dir
}

// reachable passes requests on to a server that this machine alone reaches, from an address that containers reach.
func reachable(t *testing.T, address string) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(gateway(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	door := httptest.NewUnstartedServer(httputil.NewSingleHostReverseProxy(to))
	door.Listener.Close()
	door.Listener = l
	door.Start()
	t.Cleanup(door.Close)
	return door.URL
}
