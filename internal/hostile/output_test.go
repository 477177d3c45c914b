//go:build linux

package hostile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/action"
	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/job"
)

// program runs the whole program in a folder, as a step of a workflow where given
// holds what is in its environment.
func program(given map[string]string, args ...string) func(string) (string, error) {
	return func(dir string) (string, error) {
		temp, err := os.MkdirTemp("", "")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(temp)
		var out bytes.Buffer
		c := action.Command{Process: job.Process{Args: args, Dir: dir, Stdout: &out, Stderr: &out, Getenv: func(name string) string {
			switch name {
			case "RUNNER_TEMP":
				return temp
			case "PATH", "HOME":
				return os.Getenv(name)
			}
			return strings.ReplaceAll(given[name], "$DIR", dir)
		}}}
		err = c.Run(context.Background())
		return tail(out.String()), err
	}
}

// tail is what the program warns of, and the end of what it says.
func tail(s string) string {
	warned := ""
	for line := range strings.Lines(s) {
		if strings.Contains(line, "warning") && len(warned) < 300 {
			warned += line
		}
	}
	if len(s) > 400 {
		s = s[len(s)-400:]
	}
	return warned + s
}

// big writes a file of what is repeated, between head and end.
func big(t *testing.T, dir, name, head, repeated string, n int, end string) {
	t.Helper()
	f, err := os.Create(write(t, dir, name, nil))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, head)
	chunk := strings.Repeat(repeated, 10_000)
	for ; n > 0; n -= 10_000 {
		io.WriteString(f, chunk[:min(n, 10_000)*len(repeated)])
	}
	io.WriteString(f, end)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// recorded writes a record that knows archive.tar of dir as it is, with one member
// said to have n bytes.
func recorded(t *testing.T, dir string, n int64) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "archive.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := sha256.New()
	size, _ := io.Copy(h, f)
	write(t, dir, "record.json", fmt.Appendf(nil, `{"files":[],"outputs":[{"name":"archive.tar","sha256":%q,"size_bytes":%d,"members":[{"path":"a.txt","size_bytes":%d,"sha256":%q}]}]}`,
		hex.EncodeToString(h.Sum(nil)), size, n, strings.Repeat("0", 64)))
}

// tarred writes a compressed tar with one member of n bytes.
func tarred(t *testing.T, dir string, n int64) {
	t.Helper()
	f, _ := os.Create(filepath.Join(dir, "archive.tar"))
	z, _ := archive.Compressor(f)
	head := make([]byte, 512)
	copy(head, "a.txt")
	copy(head[100:], "0000644\x000000000\x000000000\x00")
	copy(head[124:], fmt.Sprintf("%011o\x0000000000000\x00        0", n))
	copy(head[257:], "ustar\x0000")
	sum := 0
	for _, c := range head {
		sum += int(c)
	}
	copy(head[148:], fmt.Sprintf("%06o\x00 ", sum))
	z.Write(head)
	zeros(z, 'a', n)
	zeros(z, 0, 1024)
	z.Close()
	f.Close()
}

func outputAttacks() []attack {
	const record = "record.json"
	comment := program(nil, "comment", "--record", record)
	verify := program(nil, "verify", "archive.tar")
	saved := program(nil, "--base", "saved", "--pack", "none")
	snapshot := ".stan/diff/.archive.snapshot.json"
	link := func(name, to string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			write(t, dir, "a.txt", []byte("a\n"))
			os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
			if to == "" {
				fifo(t, filepath.Join(dir, name))
			} else if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	event := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": "$DIR", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": "$DIR/event.json"}
	rows := func(row string, n int) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { big(t, dir, record, `{"mode":"full","files":[`, row+",", n, row+`]}`) }
	}
	at := func(name string, to string, run func(string) (string, error), want string) attack {
		kind := "/dev/zero"
		if to == "" {
			kind = "a FIFO"
		}
		return attack{class: "outputs", name: name + " that is " + kind, run: run, want: want, seconds: 10, mebibytes: 256, set: link(map[string]string{
			"a snapshot": snapshot, "an event": "event.json", "a record": record, "an archive": "archive.tar", "a state": ".stan/context/dependency.state.json",
			"an allow file": ".haversackallow", "a session database": "objects.db", "a journal": "objects.db-journal", "a pack": "pack.json",
		}[name], to)}
	}
	list := []attack{
		{class: "outputs", name: "a foreign record of 15 million rows of nothing", run: comment, want: "more than 1000000 files", mebibytes: 256, set: rows("{}", 15_000_000)},
		{class: "outputs", name: "a foreign record of one row of 400 MB", run: comment, want: "one value in it is longer than", mebibytes: 256, set: func(t *testing.T, dir string) {
			big(t, dir, record, `{"files":[{"path":"`, "a", 400_000_000, `"}]}`)
		}},
		{class: "outputs", name: "a foreign record of lists in lists", run: comment, want: "nested deeper than", mebibytes: 256, set: func(t *testing.T, dir string) { big(t, dir, record, `{"x":`, "[", 20_000_000, "") }},
		{class: "outputs", name: "a record of 15 million rows of nothing", run: verify, want: "a row without a path", mebibytes: 256, set: rows("{}", 15_000_000)},
		{class: "outputs", name: "a record of 4 million rows", run: verify, want: "a row of", mebibytes: 256, set: rows(`{"path":"a"}`, 4_000_000)},
		{class: "outputs", name: "a record of 1.2 million rows", long: true, run: verify, want: "a list of more than 1100000", mebibytes: 1024, set: rows(`{"path":"a","included":false,"size_bytes":0}`, 1_200_000)},
		{class: "outputs", name: "a record of one row of 400 MB", run: verify, want: "one value in it is longer than", mebibytes: 256, set: func(t *testing.T, dir string) {
			big(t, dir, record, `{"files":[{"path":"`, "aaaaaaaaaa", 40_000_000, `"}]}`)
		}},
		{class: "outputs", name: "a record of lists in lists", run: verify, want: "nested deeper than", mebibytes: 256, set: func(t *testing.T, dir string) { big(t, dir, record, `{"x":`, "[", 20_000_000, "") }},
		{class: "outputs", name: "a record of 10 million members", run: verify, want: "a member without a path", mebibytes: 256, set: func(t *testing.T, dir string) {
			big(t, dir, record, `{"outputs":[{"name":"archive.tar","members":[`, "{},", 10_000_000, `{}]}]}`)
		}},
		{class: "outputs", name: "a record of findings in one row", run: verify, want: "findings", mebibytes: 256, set: func(t *testing.T, dir string) {
			big(t, dir, record, `{"files":[{"path":"a","redactions":[`, "{},", 1_000_000, `{}]}]}`)
		}},
		{class: "outputs", name: "a record of 1 TB", run: verify, want: "is not a record", mebibytes: 256, set: func(t *testing.T, dir string) { sparse(t, dir, record, "{", 1<<40) }},
		{class: "outputs", name: "a snapshot of 1 TB", run: saved, want: "larger than", mebibytes: 256, set: func(t *testing.T, dir string) { sparse(t, dir, snapshot, "{", 1<<40) }},
		{class: "outputs", name: "a snapshot of 1.4 million names", run: saved, want: "no sha256", mebibytes: 256, set: func(t *testing.T, dir string) {
			big(t, dir, snapshot, "{", `"a":"",`, 1_400_000, `"b":""}`)
		}},
		{class: "archive", name: "a bomb that its record calls small", run: verify, want: "holds more than the", seconds: 10, mebibytes: 256, set: func(t *testing.T, dir string) {
			tarred(t, dir, 2<<30)
			recorded(t, dir, 100)
		}},
		{class: "archive", name: "a bomb that its record calls large", run: verify, want: "no run archives more than", seconds: 10, mebibytes: 256, set: func(t *testing.T, dir string) {
			tarred(t, dir, 2<<30)
			recorded(t, dir, 2<<30)
		}},
	}
	for _, to := range []string{"", "/dev/zero"} {
		list = append(list,
			at("an event", to, program(event, "--pack", "none"), "not a regular file"), // only a base needs it
			at("a record", to, comment, "not a regular file"),
			at("an archive", to, func(dir string) (string, error) {
				os.WriteFile(filepath.Join(dir, record), []byte(`{"outputs":[{"name":"archive.tar"}]}`), 0o644)
				return verify(dir)
			}, "not a regular file"),
			at("a state", to, program(nil, "--mode", "context", "--pack", "none"), "dependency.state.json"),
			at("an allow file", to, program(nil, "--pack", "none"), ".haversackallow"),
			at("a session database", to, program(nil, "--pack", "none", "--session", "auto", "--store", "objects.db"), "not a regular file"),
			at("a journal", to, program(nil, "--pack", "none", "--session", "auto", "--store", "objects.db"), ""),
			at("a pack", to, program(nil, "pack", "show", "pack.json"), "not a regular file"),
		)
	}
	return append(list, at("a snapshot", "", saved, "not a regular file"), at("a snapshot", "/dev/zero", saved, "is a link"))
}
