package rank

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tree"
)

// A task that asks how something is done with the repository leads to the guides and manifests that say it, and no other question does.
func TestTaskGuides(t *testing.T) {
	files := append(taskFiles(), tree.Bytes("CONTRIBUTING.md", []byte("# Contributing\n\n## Particular tests\n\nRun `mill test src/app/tests`.\n")),
		tree.Bytes("README.md", []byte("# Mill\n\nIt grinds. To install it, run `mill install`.\n")), tree.Bytes("Makefile", []byte("test:\n\tmill test\n")),
		tree.Bytes("web/Makefile", []byte("test:\n\tnode test\n")))
	isGuide := func(name string) bool { return name == "CONTRIBUTING.md" }
	isManifest := func(name string) bool { return strings.HasSuffix(name, "Makefile") }
	for task, want := range map[string]string{
		"How do I run only the tests of the app?":       "CONTRIBUTING.md Makefile",
		"What is the command that installs the app?":    "README.md",
		"What's the command for installing the app?":    "README.md",
		"How does the app sum orders?":                  "",
		"The tests of the app fail":                     "",
		"The app sums wrongly\n\nHow can I build it?\n": "",
	} {
		o, err := ForTask(context.Background(), Task{Text: []byte(task), Files: files, IsGuide: isGuide, IsManifest: isManifest})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range o.Files {
			if slices.ContainsFunc(o.Why(f.Path), func(p Part) bool { return strings.HasPrefix(p.Reason, "it tells those who work") }) {
				got = append(got, f.Path)
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", task, got, want)
		}
	}
}
