package action

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// planted is a credential that no committed file holds as it is.
func planted() string { return "ghp" + "_" + "q7Zk2LxT9vBn4Rw8" + "YcMd5HsJ1fGp6Ea0" + "UoXi" }

// TestGate spoils one channel at a time, as a fault in its redaction would: each
// run must end with exit code 3, no outputs, and no value in what it said.
func TestGate(t *testing.T) {
	channels := []string{"file", "changes.json", "changes.patch", "dependency.meta.json", "dependency.state.json", "haversack.md", "pack.json", "pack.md",
		"record.json", "comment", "summary", "store"}
	for _, channel := range channels {
		t.Run(channel, func(t *testing.T) {
			r := repotest.New(t, "-- a.ts --\nexport const a = 1;\n", "-- a.ts --\nexport const a = 2;\n-- .stan/context/dependency.state.json --\n{\"v\":2,\"i\":[\"a.ts\"]}\n")
			said := 0
			var out bytes.Buffer
			c := Command{Dir: r.Dir, Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}
			if channel == "pack.md" {
				c.Args = []string{"--pack-format", "markdown"}
			}
			if channel == "store" {
				c.Args = []string{"--session", "auto"}
			}
			c.tap = func(at string, b []byte) []byte {
				if at != channel {
					return b
				}
				said++
				text := "\ntoken: " + planted() + "\n"
				if strings.HasSuffix(channel, ".json") || channel == "store" {
					text = `"` + strings.ReplaceAll(text, "\n", `\n`) + `"`
					if i := bytes.LastIndexByte(b, '}'); i > 0 {
						return append(append(bytes.Clone(b[:i]), `,"x":`+text...), b[i:]...)
					}
				}
				return append(bytes.Clone(b), text...)
			}
			err := c.Run(t.Context())
			if ExitCode(err) != exitSecret {
				t.Fatalf("exit code %d (%v), want %d", ExitCode(err), err, exitSecret)
			}
			if said == 0 {
				t.Error("the channel was not used")
			}
			if _, err := os.Stat(filepath.Join(r.Dir, ".stan", "output", "archive.tar")); err == nil {
				t.Error("the archive is there all the same")
			}
			if entries, _ := os.ReadDir(filepath.Join(r.Dir, ".stan", "output")); len(entries) > 0 {
				t.Errorf("%d files are left behind", len(entries))
			}
			if strings.Contains(out.String()+err.Error(), planted()[4:]) {
				t.Error("the value was printed")
			}
		})
	}
}
