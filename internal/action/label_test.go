package action

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestLabels runs the script of examples/label.yml: it labels by size, area and what no test names, and asks for a review; no name
// of a folder becomes a label, or part of a command.
func TestLabels(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "examples", "label.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(raw, &workflow); err != nil {
		t.Fatal(err)
	}
	steps := workflow.Jobs["label"].Steps
	script := steps[len(steps)-1].Run
	for name, output := range map[string]string{"SIZE": "size", "AREAS": "areas", "UNTESTED": "untested"} {
		if got := steps[len(steps)-1].Env[name]; got != "${{ steps.context.outputs."+output+" }}" {
			t.Errorf("%s is %q", name, got)
		}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	for _, c := range []struct{ size, areas, untested, want string }{
		{"XS", "tests", "", "label create size/XS --repo o/r --force\npr edit 7 --repo o/r --add-label size/XS\n"},
		{"L", "web/app/\nweb/\ndocs\n$(touch x)/; touch x/", "a.ts#L1 f", "label create size/L --repo o/r --force\npr edit 7 --repo o/r --add-label size/L\n" +
			"label create untested --repo o/r --force\npr edit 7 --repo o/r --add-label untested\n" +
			"label create area/web --repo o/r --force\npr edit 7 --repo o/r --add-label area/web\n" +
			"label create area/web --repo o/r --force\npr edit 7 --repo o/r --add-label area/web\n" +
			"label create area/docs --repo o/r --force\npr edit 7 --repo o/r --add-label area/docs\n" +
			"pr edit 7 --repo o/r --add-reviewer OWNER\npr edit 7 --repo o/r --add-reviewer OWNER\n"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "gh"), []byte("#!/bin/sh\necho \"$*\" >>said\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(bash, "-e", "-u", "-c", script)
		cmd.Dir = dir
		cmd.Env = slices.Concat(os.Environ(), []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"), "REPO=o/r", "NUMBER=7", "SIZE=" + c.size, "AREAS=" + c.areas, "UNTESTED=" + c.untested})
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		said, err := os.ReadFile(filepath.Join(dir, "said"))
		if err != nil || string(said) != c.want {
			t.Errorf("%v; said\n%swant\n%s", err, said, c.want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
			t.Errorf("the folder holds %v (%v)", entries, err)
		}
	}
}
