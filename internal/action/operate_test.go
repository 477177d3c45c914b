package action

import (
	"context"
	"encoding/pem"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/haversack-dev/haversack/internal/forge/forgetest"
	"github.com/haversack-dev/haversack/internal/registry/registrytest"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestMessagesAreSaid: each message that docs/operate.md explains stands in the program, in one piece.
func TestMessagesAreSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	page, err := os.ReadFile("../../docs/operate.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "<!-- messages -->\n")
	table, _, ok := strings.Cut(rest, "<!-- /messages -->")
	if !ok {
		t.Fatal("docs/operate.md lacks the marks of its messages")
	}
	said := literals(t)
	rows := 0
	for line := range strings.Lines(table) {
		_, rest, _ := strings.Cut(line, "| `")
		message, _, ok := strings.Cut(rest, "`")
		if !ok || !strings.HasPrefix(line, "| `") {
			continue
		}
		rows++
		if !strings.Contains(said, message) {
			t.Errorf("docs/operate.md explains %q, which nothing says", message)
		}
	}
	if rows < 10 {
		t.Errorf("%d messages", rows)
	}
}

// literals are the program's texts, one a line.
func literals(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, file := range program(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if s, err := strconv.Unquote(l.Value); err == nil {
					b.WriteString(s + "\n")
				}
			}
			return true
		})
	}
	return b.String()
}

// program parses what the program is made of that speaks to the world, by name.
func program(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case "testdata", ".git", "bench", "peertest", "hostile", "tsgo":
				return fs.SkipDir
			}
			// Tests' own helpers are called so.
			if strings.HasSuffix(d.Name(), "test") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		files[filepath.ToSlash(name)] = f
		return err
	})
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return files
}

// TestOneTransport: every client goes through http.DefaultTransport or a clone of it, which has the environment's proxy and
// the certificates that are trusted; nothing dials by itself.
func TestOneTransport(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	own := map[string][]string{
		"net/http":   {"Transport", "Get", "Post", "PostForm", "Head", "DefaultClient"},
		"net":        {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialUnix", "DialIP", "Dialer"},
		"crypto/tls": {"Dial", "DialWithDialer", "Client", "Dialer"},
	}
	for name, file := range program(t) {
		local := map[string][]string{}
		for _, i := range file.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if words, ok := own[path]; ok {
				as := path[strings.LastIndex(path, "/")+1:]
				if i.Name != nil {
					as = i.Name.Name
				}
				local[as] = words
			}
		}
		asserted := map[ast.Node]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr: // what http.DefaultTransport is
				if star, ok := n.Type.(*ast.StarExpr); ok {
					asserted[star.X] = true
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && slices.Contains(local[x.Name], n.Sel.Name) && !asserted[n] {
					t.Errorf("%s uses %s.%s: take http.DefaultTransport, or a clone of it", name, x.Name, n.Sel.Name)
				}
			}
			return true
		})
	}
}

// dialled notes what the program dials from here on.
func dialled(t *testing.T) func() []string {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]bool{}
	transport := http.DefaultTransport.(*http.Transport)
	before := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		mu.Lock()
		seen[address] = true
		mu.Unlock()
		return before(ctx, network, address)
	}
	t.Cleanup(func() { transport.DialContext = before })
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		list := slices.Sorted(maps.Keys(seen))
		clear(seen)
		return list
	}
}

// TestEgress makes the runs of the table in docs/operate.md, and notes what they dial.
func TestEgress(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	seen := dialled(t)
	var b strings.Builder
	b.WriteString("| run | dials |\n|---|---|\n")
	row := func(run string, names map[string]string) {
		var list []string
		for _, address := range seen() {
			name, ok := names[address]
			if !ok {
				t.Errorf("%s: dials %s", run, address)
			}
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		slices.SortFunc(list, func(a, b string) int { return strings.Index(order, a) - strings.Index(order, b) })
		if len(list) == 0 {
			list = []string{"nothing"}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", run, strings.Join(list, ", "))
	}
	const change = "-- src/a.ts --\nexport const oven = 450;\n"
	must := func(dir string, env map[string]string, args ...string) {
		t.Helper()
		if out, err := execute(t, dir, env, args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	desk := newHistory(t)
	for _, args := range [][]string{{}, {"context"}, {"select"}, {"graph"}, {"definitions"}, {"verify", ".stan/output/archive.tar"}} {
		must(desk.Dir, nil, args...)
	}
	row("on a desk: run, context, select, graph, definitions, verify", nil)

	for _, run := range []struct {
		name string
		args []string
		bare bool // no token
	}{
		{name: "of a pull request"},
		{name: "of a pull request, upload: never", args: []string{"--upload", "never"}},
		{name: "of a pull request, upload: never, comment: never, no token, the base in the clone", args: []string{"--upload", "never", "--comment", "never"}, bare: true},
	} {
		p := newPullRun(t, change)
		if run.bare {
			delete(p.env, "INPUT_TOKEN")
		}
		must(p.Dir, p.env, run.args...)
		row(run.name, map[string]string{host(p.api.URL): "`GITHUB_API_URL`", host(p.env["ACTIONS_RESULTS_URL"]): "`ACTIONS_RESULTS_URL`"})
	}

	for _, run := range []struct {
		name, event string
		args        []string
	}{
		{"started by hand, upload: never", "workflow_dispatch", nil},
		{"started by hand, upload: never, defaults: repository", "workflow_dispatch", []string{"--defaults", "repository"}},
		{"started by hand, upload: never, defaults: repository, base: HEAD^", "workflow_dispatch", []string{"--defaults", "repository", "--base", "HEAD^"}},
		{"of a schedule, upload: never, defaults: off", "schedule", []string{"--defaults", "off"}},
	} {
		// Each row has servers of its own: what was dialled once is not dialled again.
		p := newPullRun(t, change)
		p.env["GITHUB_EVENT_NAME"] = run.event
		delete(p.env, "GITHUB_EVENT_PATH")
		maps.Copy(p.env, map[string]string{"GITHUB_REPOSITORY": forgetest.Repository, "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main", "GITHUB_RUN_ID": "40",
			"GITHUB_WORKFLOW_REF": forgetest.Repository + "/.github/workflows/ci.yml@refs/heads/main"})
		must(p.Dir, p.env, append(run.args, "--upload", "never")...)
		row(run.name, map[string]string{host(p.api.URL): "`GITHUB_API_URL`"})
	}

	serve := func(h http.Handler) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	silent := serve(http.NotFoundHandler())
	if out, err := execute(t, t.TempDir(), nil, silent+"/owner/name.git"); err == nil {
		t.Errorf("a server without repositories: %s", out)
	}
	row("a repository elsewhere", map[string]string{host(silent): "its server"})
	memory := serve(http.NotFoundHandler())
	must(desk.Dir, nil, "--session", "auto", "--store", memory)
	row("a session, store: an address", map[string]string{host(memory): "`store`"})
	kept := registrytest.New(t)
	for _, args := range [][]string{{"--push"}, {"--base"}, {"pull"}, {"verify"}} {
		address := host(serve(kept))
		must(desk.Dir, nil, append(args, "oci://"+address+"/kept/here:main")...)
		row(strings.TrimPrefix(args[0], "--")+": an address of a registry", map[string]string{address: "the registry"})
	}

	boats := repotest.New(t, change)
	sea := t.TempDir()
	if err := os.WriteFile(filepath.Join(sea, "paths.txt"), []byte(boats.Dir+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sea, "names.txt"), []byte("octo/boats\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, run := range []struct{ name, list string }{
		{"a fleet of paths", "paths.txt"},
		{"a fleet of owner/name, push: an address", "names.txt"},
		{"a fleet of org:OWNER, push: an address", "org:octo"},
	} {
		api := forgetest.Start(t)
		api.Owned = map[string][]map[string]any{"orgs/octo": {{"full_name": "octo/boats"}}}
		forge, registry := serve(boats.Handler("/octo/boats")), host(serve(kept))
		args := []string{"fleet", run.list, "--again", "--base", "none"}
		if run.list != "paths.txt" {
			args = append(args, "--push", "oci://"+registry+"/boats")
		}
		if out, err := execute(t, sea, map[string]string{"GITHUB_API_URL": api.URL, "GITHUB_SERVER_URL": forge, "INPUT_TOKEN": forgetest.Token}, args...); err != nil {
			t.Errorf("%s: %v\n%s", run.name, err, out)
		}
		row(run.name, map[string]string{host(api.URL): "`GITHUB_API_URL`", host(forge): "`GITHUB_SERVER_URL`", registry: "the registry"})
	}
	compareFile(t, "../../docs/operate.md", func(old string) string { return between(t, old, "egress", b.String()) })
}

// order is that of addresses in the table.
const order = "`GITHUB_API_URL` `GITHUB_SERVER_URL` `ACTIONS_RESULTS_URL` `store` the registry its server"

// host is the part of an address that is dialled.
func host(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	h, _, _ := strings.Cut(rest, "/")
	return h
}

// TestTrustedCertificates: a server that an authority of one's own certifies is spoken to with its certificate in
// ca-certificates, and not without; what holds no certificate is refused.
func TestTrustedCertificates(t *testing.T) {
	transport := http.DefaultTransport.(*http.Transport)
	before := transport.TLSClientConfig
	t.Cleanup(func() { transport.TLSClientConfig = before })
	asked := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.NotFound(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	dir := t.TempDir()
	file := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file("ours.pem", "# ours\n"+string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	file("none.pem", "-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n")
	file("long.pem", strings.Repeat("x", maxCertificates+1))
	for _, bad := range []struct{ name, want string }{
		{"none.pem", "input ca-certificates: none.pem holds no certificate in PEM"},
		{"absent.pem", "input ca-certificates: "},
		{"long.pem", "input ca-certificates: "},
	} {
		_, err := execute(t, dir, nil, "--ca-certificates", bad.name, server.URL+"/owner/name.git")
		if err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s: %v", bad.name, err)
		}
	}
	if _, err := execute(t, dir, nil, server.URL+"/owner/name.git"); err == nil || !strings.Contains(err.Error(), "certificate") || asked != 0 {
		t.Errorf("without it: %v, asked %d times", err, asked)
	}
	if _, err := execute(t, dir, nil, "--ca-certificates", "ours.pem", server.URL+"/owner/name.git"); err == nil || asked == 0 {
		t.Errorf("with it: %v, asked %d times", err, asked)
	}
}
