package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/job"
)

// TestAim reads what stands in place of --path, --repository and --stdout.
func TestAim(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "here", "it"), 0o755); err != nil {
		t.Fatal(err)
	}
	process := &job.Process{Dir: dir, Getenv: func(string) string { return "" }}
	for _, c := range []struct{ args, want string }{
		{"here", "path=here"},
		{"here/it", "path=here/it"},
		{"they/it", "repository=they/it output-dir=it.haversack"},
		{"they/it --output-dir out", "repository=they/it output-dir=out"},
		{"they/it --repository a/b", `"they/it" and --repository both say what is packed: give one of them; see haversack --help`},
		{"https://host.example/a/b.git/ -", "repository=https://host.example/a/b.git/ output-dir=b.haversack stdout=context.md"},
		{"git@host.example:b.git", "repository=git@host.example:b.git output-dir=b.haversack"},
		{"ssh://host.example/a/..", "repository=ssh://host.example/a/.. output-dir=repository.haversack"},
		{"https://host.example/\u202egit.", "repository=https://host.example/\u202egit. output-dir=git..haversack"},
		{"-", "stdout=context.md"},
		{"./it", `"./it" is no folder that is there`},
		{"../it", `"../it" is no folder that is there`},
		{"a/b/c", `"a/b/c" is no folder that is there`},
		{"here there", `a run packs one repository: "here" or "there"; see haversack --help`},
	} {
		line, err := parseArgs(strings.Fields(c.args))
		if err == nil {
			err = line.aim(process)
		}
		got := ""
		if err != nil {
			if got = err.Error(); job.ExitCode(err) != job.ExitInput {
				t.Errorf("%s: exit code %d", c.args, job.ExitCode(err))
			}
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %s, want %s", c.args, got, c.want)
			}
			continue
		}
		for _, name := range []string{"path", "repository", "output-dir"} {
			if v, ok := line.inputs[name]; ok {
				got += " " + name + "=" + v
			}
		}
		if line.options.stdout != "" {
			got += " stdout=" + line.options.stdout
		}
		if got = strings.TrimSpace(got); got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}
