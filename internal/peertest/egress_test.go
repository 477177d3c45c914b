package peertest

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// inside is set in a process that runs where nothing but its own loopback can be reached.
const inside = "HAVERSACK_PEERS_INSIDE"

// Runs of each kind in a network of their own, whose one resolver notes what is asked for and knows nothing: the names are
// those of the addresses that the environment and the inputs gave, and no others. In docs/operate.md stands what is dialled.
func TestNamesLookedUp(t *testing.T) {
	need(t, "git", "unshare", "ip", "mount")
	if os.Getenv(inside) == "" {
		bin := filepath.Join(t.TempDir(), "haversack")
		run(t, module(t), []string{"CGO_ENABLED=0"}, "go", "build", "-o", bin, "./cmd/action")
		resolver := filepath.Join(t.TempDir(), "resolv.conf")
		write(t, resolver, []byte("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"), 0o644)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		script := `ip link set lo up && mount --bind "$1" /etc/resolv.conf && exec "$2" -test.run '^TestNamesLookedUp$' -test.v`
		out := run(t, ".", []string{inside + "=" + bin}, "unshare", "--net", "--mount", "sh", "-c", script, "-", resolver, self)
		if !strings.Contains(out, "--- PASS: TestNamesLookedUp") {
			t.Error(out)
		}
		return
	}

	asked := resolve(t)
	claims := base64.RawURLEncoding.EncodeToString([]byte(`{"scp":"Actions.Results:run:job"}`))
	var all sync.WaitGroup
	var want []string
	said := make([]string, len(lookups))
	for i, r := range lookups {
		dir, temp := t.TempDir(), t.TempDir()
		write(t, filepath.Join(dir, "kettle.ts"), []byte("export const litres = 1.7;\n"), 0o644)
		base := commit(t, dir, "init", "--quiet", "--initial-branch=main")
		write(t, filepath.Join(dir, "kettle.ts"), []byte("export const litres = 2.4;\n"), 0o644)
		head := commit(t, dir, "checkout", "--quiet", "-b", "topic")
		write(t, filepath.Join(dir, "fleet.txt"), []byte("owner/name\n"), 0o644)
		event := filepath.Join(temp, "event.json")
		payload := `{"repository":{"full_name":"owner/name","default_branch":"main"}}`
		if r.event == "pull_request" {
			payload = `{"number":7,"pull_request":{"number":7,"head":{"sha":"` + head + `","ref":"topic"},"base":{"sha":"` + base + `","ref":"main"}},"repository":{"full_name":"owner/name","default_branch":"main"}}`
		}
		write(t, event, []byte(payload), 0o644)
		env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + temp}
		if r.event != "" {
			env = append(env, "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME="+r.event, "GITHUB_REF=refs/heads/main", "GITHUB_REF_NAME=main",
				"GITHUB_WORKFLOW_REF=owner/name/.github/workflows/context.yml@refs/heads/main", "GITHUB_EVENT_PATH="+event, "GITHUB_WORKSPACE="+dir, "GITHUB_REPOSITORY=owner/name",
				"GITHUB_RUN_ID=11", "GITHUB_SERVER_URL=https://git."+r.host, "GITHUB_API_URL=https://api."+r.host+"/api/v3", "INPUT_TOKEN=a-token-of-this-run", "RUNNER_TEMP="+temp,
				"ACTIONS_RESULTS_URL=https://results."+r.host+"/", "ACTIONS_RUNTIME_TOKEN=h."+claims+".s")
		}
		for _, name := range r.want {
			want = append(want, name+r.host)
		}
		c := exec.Command(os.Getenv(inside), r.args...)
		c.Dir, c.Env = dir, env
		all.Go(func() {
			out, err := c.CombinedOutput() // most of them fail: nobody answers
			said[i] = fmt.Sprintf("%q: %v\n%s", r.args, err, out)
		})
	}
	all.Wait()
	slices.Sort(want)
	if got := asked(); !slices.Equal(got, want) {
		t.Errorf("looked up %q, want %q\n%s", got, want, strings.Join(said, "\n"))
	}
}

// lookups are runs, with the host that their addresses end with, and what of it they look up. They go side by side, as each waits
// for servers that do not answer.
var lookups = []struct {
	host  string
	event string // "" for a desk
	args  []string
	want  []string
}{
	{"desk.example", "", nil, nil},
	{"context.example", "", []string{"context", "--base", "main"}, nil},
	{"serve.example", "", []string{"serve"}, nil}, // nobody speaks to it, and it ends
	{"pull.example", "pull_request", nil, []string{"api.", "results."}},
	{"kept.example", "pull_request", []string{"--upload", "never", "--comment", "never"}, []string{"api."}},
	{"night.example", "schedule", nil, []string{"api.", "results."}},
	{"hand.example", "workflow_dispatch", []string{"--upload", "never", "--defaults", "off", "--base", "main"}, nil},
	{"elsewhere.example", "", []string{"https://elsewhere.example/owner/name.git"}, []string{""}},
	{"memory.example", "", []string{"--session", "auto", "--store", "http://memory.example:3000"}, []string{""}},
	{"thread.example", "", []string{"session", "list", "--store", "http://thread.example:3000"}, []string{""}},
	{"registry.example", "", []string{"--push", "oci://registry.example/owner/name"}, []string{""}},
	{"measured.example", "", []string{"--base", "oci://measured.example/owner/name"}, []string{""}},
	{"read.example", "", []string{"pull", "oci://read.example/owner/name:main"}, []string{""}},
	{"verified.example", "", []string{"verify", "oci://verified.example/owner/name:main"}, []string{""}},
	{"boats.example", "workflow_dispatch", []string{"fleet", "fleet.txt", "--push", "oci://harbour.boats.example/owner"}, []string{"git."}}, // no head, no push
	{"owned.example", "workflow_dispatch", []string{"fleet", "org:owner"}, []string{"api."}},
}

// resolve answers on the loopback's port for names that there is no such name, and returns what tells which were asked for.
func resolve(t *testing.T) func() []string {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:53")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	var mu sync.Mutex
	var names []string
	go func() {
		packet := make([]byte, 1500)
		for {
			n, from, err := socket.ReadFrom(packet)
			if err != nil {
				return
			}
			var labels []string
			at := 12
			for at < n && packet[at] != 0 && at+1+int(packet[at]) <= n {
				labels = append(labels, string(packet[at+1:at+1+int(packet[at])]))
				at += 1 + int(packet[at])
			}
			if at+5 > n {
				continue
			}
			mu.Lock()
			if name := strings.Join(labels, "."); !slices.Contains(names, name) {
				names = append(names, name)
			}
			mu.Unlock()
			answer := append([]byte(nil), packet[:at+5]...)
			binary.BigEndian.PutUint16(answer[2:], 0x8183) // an answer, no such name
			clear(answer[6:12])
			if _, err := socket.WriteTo(answer, from); err != nil {
				return
			}
		}
	}()
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		list := names
		names = nil
		slices.Sort(list)
		return list
	}
}
