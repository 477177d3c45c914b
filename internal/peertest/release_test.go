package peertest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// released are the systems and architectures that have a program, as a runner calls them and as the release's files do.
var released = []struct{ os, arch, file string }{
	{"Linux", "X64", "haversack_3.14.159_linux_amd64"},
	{"Linux", "ARM64", "haversack_3.14.159_linux_arm64"},
	{"macOS", "X64", "haversack_3.14.159_darwin_amd64"},
	{"macOS", "ARM64", "haversack_3.14.159_darwin_arm64"},
	{"Windows", "X64", "haversack_3.14.159_windows_amd64.exe"},
	{"Windows", "ARM64", "haversack_3.14.159_windows_arm64.exe"},
}

// release is a release's commit, and a server with its files.
type release struct {
	commit string // folder
	server *httptest.Server

	mu    sync.Mutex
	asked []string
	spoil map[string]string // what is served instead
}

// text is a program of the release.
func (r *release) text(file string) string { return "#!/bin/sh\necho " + file + "\n" }

// newRelease makes the commit by the command that makes a real one.
func newRelease(t *testing.T) *release {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts of a release run in a shell of Linux's or macOS's tools")
	}
	r := &release{commit: t.TempDir(), spoil: map[string]string{}}
	for _, name := range []string{"action.yml", "server.json", "setup/action.yml", "setup/install.sh", "setup/pinned", ".ci/release"} {
		data, err := os.ReadFile(filepath.Join(module(t), name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(r.commit, name), string(data), 0o755)
	}
	var sums strings.Builder
	for _, p := range released {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(r.text(p.file))), p.file)
	}
	fmt.Fprintf(&sums, "%064x  haversack.1\n%064x  haversack_3.14.159_windows_arm64.cdx.json\n", 1, 2)
	put(t, filepath.Join(r.commit, "dist/SHA256SUMS"), sums.String(), 0o644)
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		name := strings.TrimPrefix(q.URL.Path, "/files/")
		r.asked = append(r.asked, name)
		if s, ok := r.spoil[name]; ok {
			fmt.Fprint(w, s)
			return
		}
		for _, p := range released {
			if p.file == name {
				fmt.Fprint(w, r.text(name))
				return
			}
		}
		http.NotFound(w, q)
	}))
	t.Cleanup(r.server.Close)
	return r
}

func put(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// pin runs the command that makes the release's commit.
func (r *release) pin(t *testing.T, version, digest string) (string, error) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	if out, err := exec.Command("sed", "--version").CombinedOutput(); err != nil || !bytes.Contains(out, []byte("GNU")) {
		t.Skip("releases are made with GNU sed")
	}
	out, err := exec.Command(bash, filepath.Join(r.commit, ".ci/release"), "pin", version, digest, "dist").CombinedOutput()
	return string(out), err
}

const someDigest = "sha256:5b1d7c8e3f0a49d2b6c4e8f1a3957d20c4b8e6f2a1d3c5b7980e1f2d3c4b5a69"

// A release's commit differs from the one before in the image, the sums and the version, and in nothing else. What is no
// version and no digest makes none.
func TestPin(t *testing.T) {
	r := newRelease(t)
	read := func(dir, name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, bad := range [][2]string{{"3.14.159", someDigest}, {"v3.14", someDigest}, {"v3.14.159-rc1", someDigest}, {"v3.14.159", "sha256:5b1d"}, {"v3.14.159", "latest"}} {
		if out, err := r.pin(t, bad[0], bad[1]); err == nil || !strings.Contains(out, "is no ") {
			t.Errorf("%v: %v %s", bad, err, out)
		}
	}
	if out, err := r.pin(t, "v3.14.159", someDigest); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before, after := read(module(t), "action.yml"), read(r.commit, "action.yml")
	if want := strings.Replace(before, "\n  image: Dockerfile", "\n  image: docker://ghcr.io/haversack-dev/haversack@"+someDigest, 1); after != want || after == before {
		t.Error("action.yml differs in more than the image")
	}
	for _, name := range []string{"setup/action.yml", "setup/install.sh", ".ci/release"} {
		if read(module(t), name) != read(r.commit, name) {
			t.Errorf("%s is changed", name)
		}
	}
	pinned := read(r.commit, "setup/pinned")
	if !strings.Contains(pinned, "\nversion v3.14.159\n") || strings.Count(pinned, "  haversack_") != len(released) || strings.Contains(pinned, "cdx") {
		t.Errorf("setup/pinned:\n%s", pinned)
	}
	checkServer(t, read(r.commit, "server.json"), "3.14.159")
	if out, err := r.pin(t, "v3.14.160", someDigest); err == nil {
		t.Errorf("a second release on top of one: %s", out)
	}
}

// checkServer holds a description of the live server against what the registry of such servers asks for.
func checkServer(t *testing.T, text, version string) {
	t.Helper()
	var s struct {
		Schema      string `json:"$schema"`
		Name        string `json:"name"`
		Title       string `json:"title"`
		Description string `json:"description"`
		Repository  struct {
			URL    string `json:"url"`
			Source string `json:"source"`
		} `json:"repository"`
		Version  string `json:"version"`
		Packages []struct {
			RegistryType string `json:"registryType"`
			Identifier   string `json:"identifier"`
			Transport    struct {
				Type string `json:"type"`
			} `json:"transport"`
			RuntimeArguments []json.RawMessage `json:"runtimeArguments"`
			PackageArguments []struct {
				Type  string `json:"type"`
				Value string `json:"value"`
			} `json:"packageArguments"`
		} `json:"packages"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		t.Fatalf("server.json: %v", err)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(s.Name) || len(s.Description) > 100 || s.Description == "" || s.Version != version || len(s.Packages) != 1 {
		t.Fatalf("server.json: %+v", s)
	}
	p := s.Packages[0]
	if p.RegistryType != "oci" || p.Identifier != "ghcr.io/haversack-dev/haversack:v"+version || p.Transport.Type != "stdio" || len(p.PackageArguments) != 1 || p.PackageArguments[0].Value != "serve" {
		t.Errorf("server.json: package %+v", p)
	}
	for _, name := range []string{"Dockerfile", "Dockerfile.release"} {
		data, err := os.ReadFile(filepath.Join(module(t), name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), `io.modelcontextprotocol.server.name="`+s.Name+`"`) {
			t.Errorf("%s does not label the image with %s", name, s.Name)
		}
	}
}

// main's description is of no version.
func TestServerDescribed(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(module(t), "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	checkServer(t, string(data), "0.0.0")
}

// The descriptions that .ci/release names are as the schema asks that the registry of such servers publishes, and one that lacks
// what is asked for is not.
func TestServerSchema(t *testing.T) {
	file := os.Getenv("HAVERSACK_SERVER_SCHEMA")
	if file == "" {
		t.Skip("HAVERSACK_SERVER_SCHEMA names no schema: .ci/release check does")
	}
	schema, err := jsonschema.NewCompiler().Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range filepath.SplitList(os.Getenv("HAVERSACK_SERVERS")) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		server := doc.(map[string]any)
		for key := range map[string]bool{"name": true, "description": true, "version": true} {
			was := server[key]
			if delete(server, key); schema.Validate(doc) == nil {
				t.Errorf("%s: the schema does not ask for %s", name, key)
			}
			server[key] = was
		}
	}
}

// The workflow never moves the tag of a release, and gives each job what it needs and no more.
func TestReleaseMovesNoTag(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(module(t), ".github/workflows/release.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if text := strings.TrimSpace(line); strings.Contains(text, "git tag ") || strings.Contains(text, "refs/tags/$VERSION") && strings.Contains(text, "push") {
			t.Errorf("release.yml: %s", text)
		}
	}
	if !strings.Contains(string(data), "\npermissions: {}\n") || strings.Contains(string(data), "tags: [") {
		t.Error("release.yml starts by a tag, or gives every job permissions")
	}
}

// install runs the setup action's script as a runner of that system does.
func (r *release) install(t *testing.T, os, arch, tools string, env ...string) (string, error) {
	t.Helper()
	c := exec.Command("sh", filepath.Join(r.commit, "setup/install.sh"))
	c.Env = append([]string{"PATH=" + pathWith(t, tools), "RUNNER_OS=" + os, "RUNNER_ARCH=" + arch, "RUNNER_TOOL_CACHE=" + filepath.Join(tools, "cache"),
		"GITHUB_PATH=" + filepath.Join(tools, "path"), "GITHUB_OUTPUT=" + filepath.Join(tools, "output"), "HAVERSACK_MIRROR=" + r.server.URL + "/files/"}, env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// pathWith is a search path that begins with the folder's own programs; a gh that knows no attestations stands there at first.
func pathWith(t *testing.T, tools string) string {
	t.Helper()
	gh := filepath.Join(tools, "bin/gh")
	if _, err := os.Stat(gh); err != nil {
		put(t, gh, "#!/bin/sh\nexit 1\n", 0o755)
	}
	return filepath.Dir(gh) + string(filepath.ListSeparator) + os.Getenv("PATH")
}

// The setup action installs the program of the runner's system, asks for it once, and refuses what has another sum.
func TestSetup(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl")
	}
	r := newRelease(t)
	if out, err := r.install(t, "Linux", "X64", t.TempDir()); err == nil || !strings.Contains(out, "this commit belongs to no release") {
		t.Errorf("on main: %v %s", err, out)
	}
	if out, err := r.pin(t, "v3.14.159", someDigest); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, p := range released {
		tools := t.TempDir()
		for i, want := range []string{"is installed", "is in the tool cache"} {
			if out, err := r.install(t, p.os, p.arch, tools); err != nil || !strings.Contains(out, "haversack v3.14.159 "+want) {
				t.Fatalf("%v, run %d: %v %s", p, i, err, out)
			}
		}
		folder, err := os.ReadFile(filepath.Join(tools, "path"))
		if err != nil {
			t.Fatal(err)
		}
		dir, _, _ := strings.Cut(string(folder), "\n")
		program := filepath.Join(dir, "haversack"+filepath.Ext(strings.TrimPrefix(p.file, "haversack_3.14.159")))
		info, err := os.Stat(program)
		if err != nil || info.Mode().Perm() != 0o755 {
			t.Fatalf("%v: %v %v", p, info, err)
		}
		output, err := os.ReadFile(filepath.Join(tools, "output"))
		if want := "version=v3.14.159\npath=" + dir + "\n"; err != nil || string(output) != want+want {
			t.Errorf("outputs %q, want %q twice (%v)", output, want, err)
		}
		// What somebody changed in the cache is fetched anew.
		put(t, program, "something else", 0o755)
		if out, err := r.install(t, p.os, p.arch, tools); err != nil || !strings.Contains(out, "is installed") {
			t.Errorf("%v, spoiled: %v %s", p, err, out)
		}
	}
	if want := len(released) * 2; len(r.asked) != want {
		t.Errorf("asked %d times, want %d: %v", len(r.asked), want, r.asked)
	}

	for _, test := range []struct {
		name, os, arch string
		env            []string
		spoil, gh      string
		want           string // "" is success
	}{
		{name: "another sum", os: "Linux", arch: "ARM64", spoil: "evil", want: "nothing was installed"},
		{name: "an empty file", os: "Windows", arch: "X64", spoil: "\n", want: "and this commit names"},
		{name: "no such system", os: "Plan9", arch: "X64", want: "linux, darwin and windows are"},
		{name: "no such architecture", os: "Linux", arch: "RISCV", want: "amd64 and arm64 are"},
		{name: "a mirror in the clear", os: "Linux", arch: "X64", env: []string{"HAVERSACK_MIRROR=http://mirror.example/x"}, want: "an https address is wanted"},
		{name: "a mirror that looks like loopback", os: "Linux", arch: "X64", env: []string{"HAVERSACK_MIRROR=http://127.0.0.1.example:80/x"}, want: "an https address is wanted"},
		{name: "a mirror without it", os: "Linux", arch: "X64", env: []string{"HAVERSACK_MIRROR=" + r.server.URL + "/nothing"}, want: "give the input mirror"},
		{name: "an unknown word", os: "Linux", arch: "X64", env: []string{"HAVERSACK_ATTESTATION=perhaps"}, want: "auto, always or never"},
		{name: "gh cannot", os: "Linux", arch: "X64", env: []string{"HAVERSACK_ATTESTATION=always", "GH_TOKEN=t"}, want: "gh with the command attestation"},
		{name: "no token", os: "Linux", arch: "X64", env: []string{"HAVERSACK_ATTESTATION=always"}, gh: "exit 0", want: "and a token, are wanted"},
		{name: "not attested", os: "Linux", arch: "X64", env: []string{"HAVERSACK_ATTESTATION=always", "GH_TOKEN=t"}, gh: `[ "$2" = --help ]`, want: "does not attest"},
		{name: "attested", os: "Linux", arch: "X64", env: []string{"HAVERSACK_ATTESTATION=always", "GH_TOKEN=t"}, gh: "exit 0"},
		{name: "never", os: "Linux", arch: "X64", env: []string{"HAVERSACK_ATTESTATION=never", "GH_TOKEN=t"}, gh: `[ "$2" = --help ]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			tools := t.TempDir()
			if test.gh != "" {
				put(t, filepath.Join(tools, "bin/gh"), "#!/bin/sh\n"+test.gh+"\n", 0o755)
			}
			r.mu.Lock()
			clear(r.spoil)
			if test.spoil != "" {
				for _, p := range released {
					r.spoil[p.file] = test.spoil
				}
			}
			r.mu.Unlock()
			out, err := r.install(t, test.os, test.arch, tools, test.env...)
			if test.want == "" {
				if err != nil {
					t.Errorf("%v\n%s", err, out)
				}
				return
			}
			if err == nil || !strings.Contains(out, "::error::haversack setup: ") || !strings.Contains(out, test.want) {
				t.Errorf("%v, want %q:\n%s", err, test.want, out)
			}
			if _, err := os.Stat(filepath.Join(tools, "path")); err == nil {
				t.Error("the PATH is changed")
			}
			err = filepath.WalkDir(filepath.Join(tools, "cache"), func(name string, d os.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					t.Errorf("left behind: %s", name)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
