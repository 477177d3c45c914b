//go:build unix

package action

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
)

// TestOwner: what a run as root makes, wherever it makes it, belongs to whom the
// workspace belongs, also when the run fails; nothing private is left.
func TestOwner(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root, as in a container")
	}
	for _, test := range []struct {
		name  string
		fails bool
	}{{"done", false}, {"failed", true}} {
		t.Run(test.name, func(t *testing.T) {
			p := newPullRun(t, "-- src/a.ts --\nexport const a = 1;\n")
			hand := func(dir string) {
				filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error { return os.Lchown(name, 5000, 6000) })
			}
			temp := p.file("runner_temp")
			if err := os.Mkdir(temp, 0o755); err != nil {
				t.Fatal(err)
			}
			hand(p.Dir)
			hand(temp)
			p.env["RUNNER_TEMP"], p.env["INPUT_SESSION"], p.env["INPUT_OUTPUT-DIR"] = temp, "auto", filepath.Join(temp, "made", "here")
			if test.fails {
				p.service.Full, p.env["INPUT_UPLOAD"] = true, "always"
			}
			if out, err := execute(t, p.Dir, p.env); (err != nil) != test.fails {
				t.Fatalf("%v\n%s", err, out)
			}
			met := map[string]bool{}
			for _, dir := range []string{p.Dir, temp} {
				filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
					if err != nil {
						t.Fatal(err)
					}
					met[filepath.Base(name)] = true
					fi, _ := d.Info()
					if st := fi.Sys().(*syscall.Stat_t); st.Uid != 5000 || st.Gid != 6000 {
						t.Errorf("%s belongs to %d:%d", name, st.Uid, st.Gid)
					}
					if strings.HasPrefix(d.Name(), "haversack-") || strings.HasPrefix(d.Name(), job.TempPrefix) {
						t.Errorf("%s is left", name)
					}
					return nil
				})
			}
			for _, name := range []string{"made", "archive.tar", "objects.db", "graph"} {
				if !met[name] {
					t.Errorf("there is no %s to look at", name)
				}
			}
		})
	}
}
