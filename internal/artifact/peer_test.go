package artifact

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/artifact/artifacttest"
)

// The service's published JavaScript client and this one, each on what the other
// made, against the strict server, which objects to neither.
func TestPublishedClient(t *testing.T) {
	if os.Getenv("HAVERSACK_PEERS") != "require" {
		t.Skip("HAVERSACK_PEERS=require runs this with the published client, which needs node 20 and npm")
	}
	dir := t.TempDir()
	for _, name := range []string{"client.mjs", "package.json", "package-lock.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", "client", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("installing the published client: %v\n%s", err, out)
	}

	s := artifacttest.Start(t)
	s.Clock = time.Now // the published client has its own
	published := func(args ...string) map[string]any {
		t.Helper()
		cmd := exec.Command("node", append([]string{filepath.Join(dir, "client.mjs")}, args...)...)
		cmd.Env = os.Environ()
		for k, v := range s.Env(job) {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
		out, err := cmd.CombinedOutput()
		_, result, ok := strings.Cut(string(out), "RESULT ")
		var got map[string]any
		if err != nil || !ok || json.NewDecoder(strings.NewReader(result)).Decode(&got) != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return got
	}
	c, _ := client(t, s, job)
	c.now = time.Now
	big := bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16)
	tar := filepath.Join(dir, "archive.tar")
	if err := os.WriteFile(tar, big, 0o600); err != nil {
		t.Fatal(err)
	}
	same := func(path string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, big) {
			t.Errorf("%s is not what was sent: %d bytes, %v", filepath.Base(path), len(got), err)
		}
	}

	// Ours, read by theirs.
	res, err := c.Upload(context.Background(), Upload{Name: "ours", RetentionDays: 5, Level: 6, Files: []File{onDisk(t, "archive.tar", tar), inMemory("record.json", "{}")}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := c.Upload(context.Background(), Upload{Name: "raw", Raw: true, Files: []File{onDisk(t, "ours.tar", tar)}})
	if err != nil || len(raw.Notes) > 0 {
		t.Fatal(raw, err)
	}
	got := published("down", "ours", filepath.Join(dir, "ours"))
	if got["digestMismatch"] != false || fmt.Sprint(got["artifact"].(map[string]any)["id"]) != fmt.Sprint(res.ID) {
		t.Errorf("%v", got)
	}
	same(filepath.Join(dir, "ours", "archive.tar"))
	if data, err := os.ReadFile(filepath.Join(dir, "ours", "record.json")); err != nil || string(data) != "{}" {
		t.Errorf("%q, %v", data, err)
	}
	if got := published("down", "ours.tar", filepath.Join(dir, "raw")); got["digestMismatch"] != false {
		t.Errorf("%v", got)
	}
	same(filepath.Join(dir, "raw", "ours.tar"))

	// Theirs, read by ours.
	up := published("up", "theirs", dir, tar)
	published("raw", "x", dir, tar)
	list, err := c.List(context.Background(), "theirs")
	if err != nil || len(list) != 1 || list[0].SHA256 != up["digest"] || fmt.Sprint(list[0].ID) != fmt.Sprint(up["id"]) {
		t.Fatalf("%+v, %v; they say %v", list, err, up)
	}
	var b bytes.Buffer
	if _, _, err := c.Download(context.Background(), list[0], &b, 1<<30); err != nil {
		t.Fatal(err)
	}
	if back, err := Member(bytes.NewReader(b.Bytes()), int64(b.Len()), "archive.tar", 1<<30); err != nil || !bytes.Equal(back, big) {
		t.Errorf("archive.tar came back with %d bytes, %v", len(back), err)
	}

	// Both see the same artifacts, and either may delete.
	names := func() (out []string) {
		for _, a := range published("list")["artifacts"].([]any) {
			out = append(out, a.(map[string]any)["name"].(string))
		}
		slices.Sort(out)
		return out
	}
	if got, want := names(), []string{"archive.tar", "ours", "ours.tar", "theirs"}; !slices.Equal(got, want) {
		t.Errorf("they list %q, want %q", got, want)
	}
	published("delete", "ours")
	if err := c.remove(context.Background(), list[0]); err != nil {
		t.Error(err)
	}
	if got, want := names(), []string{"archive.tar", "ours.tar"}; !slices.Equal(got, want) {
		t.Errorf("they list %q, want %q", got, want)
	}
	if r := s.Refusals(); len(r) > 0 {
		t.Errorf("the server objected: %q", r)
	}
}
