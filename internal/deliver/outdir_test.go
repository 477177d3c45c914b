package deliver

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/artifact"
	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/plan"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/report"
)

// openFolder is a folder of results at dir, whose runs write record.json and archive.tar.
func openFolder(t *testing.T, dir string) *Folder {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := &Folder{dir: dir, root: root, names: []string{"record.json", "archive.tar"}, ignore: "*\n"}
	if err := o.begin(); err != nil {
		t.Fatal(err)
	}
	return o
}

// contents are the files of a folder, with what they hold.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			b = []byte("a folder")
		}
		all[e.Name()] = string(b)
	}
	return all
}

// TestFolder holds that a run's results stand together or not at all.
func TestFolder(t *testing.T) {
	before := map[string]string{"record.json": "old", "archive.tar": "old", "mine.txt": "kept"}
	for _, tt := range []struct {
		name string
		end  func(t *testing.T, o *Folder)
		want map[string]string
	}{
		{"a run that ends", func(t *testing.T, o *Folder) {
			var owned []string
			if err := o.Commit(func(name string) { owned = append(owned, filepath.Base(name)) }); err != nil {
				t.Error(err)
			}
			slices.Sort(owned)
			if want := []string{".gitignore", "record.json"}; !slices.Equal(owned, want) {
				t.Errorf("given to the folder's owner: %q, want %q", owned, want)
			}
		}, map[string]string{"record.json": "new", "mine.txt": "kept", ".gitignore": "*\n"}}, // no archive.tar: it is of another run
		{"a run that fails", func(t *testing.T, o *Folder) {}, before},
		{"results that cannot be put in place", func(t *testing.T, o *Folder) {
			o.written = append(o.written, "never-written")
			if err := o.Commit(func(string) {}); err == nil || !strings.Contains(err.Error(), "putting the results in place") {
				t.Errorf("error %v", err)
			}
		}, before},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range before {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			o := openFolder(t, dir)
			if err := o.writeFile("record.json", []byte("new")); err != nil {
				t.Fatal(err)
			}
			if err := o.writeFile("record.json", []byte("twice")); err == nil {
				t.Error("a file was written twice")
			}
			o.written = slices.Compact(o.written)
			tt.end(t, o)
			o.Abort()
			if got := contents(t, dir); !maps.Equal(got, tt.want) {
				t.Errorf("the folder holds %q, want %q", got, tt.want)
			}
		})
	}
}

// TestOwnsIgnore holds whose .gitignore a run may write: beside the state a user's own stays.
func TestOwnsIgnore(t *testing.T) {
	for _, tt := range []struct {
		name, ignore, there string
		want                bool
	}{
		{"results", "*\n", "# mine\n", true},
		{"beside the state, none there", keptIgnore, "", true},
		{"beside the state, an older one of its own", keptIgnore, keptMark + "\n/x\n", true},
		{"beside the state, the user's", keptIgnore, "# mine\n", false},
	} {
		dir := t.TempDir()
		if tt.there != "" {
			if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(tt.there), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		o := openFolder(t, dir)
		o.ignore = tt.ignore
		if got := o.ownsIgnore(); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
		o.Abort()
	}
}

// TestOutputValues holds which file is which output of the step.
func TestOutputValues(t *testing.T) {
	rec := &record.Record{
		Base:    record.Base{Commit: "abc", Reason: "the branch\n::error::"},
		Files:   []record.Row{{Path: "a", Included: true, SizeBytes: 8}, {Path: "b", Reason: "binary"}},
		Outputs: []record.Output{{Name: "archive.tar", SHA256: "1"}, {Name: "archive.diff.tar", SHA256: "2"}, {Name: "context.md"}, {Name: "context.2.md"}, {Name: "pack.json"}},
	}
	r := &Results{Out: &Folder{shown: "out"}, Record: rec, HasBase: true, Plan: &plan.Plan{}, Report: new(report.Report)}
	got := outputValues(r, artifact.Result{ID: 7, URL: "https://example.com/7"})
	for name, want := range map[string]string{
		"record": "out/record.json", "archive": "out/archive.tar", "archive-sha256": "1", "archive-diff": "out/archive.diff.tar", "archive-diff-sha256": "2",
		"pack": "out/pack.json", "pack-type": "change", "prompt-file": "out/context.md", "prompt-files": "out/context.md\nout/context.2.md",
		"files-included": "1", "files-omitted": "1", "changed": "false", "artifact-id": "7", "base-commit": "abc",
	} {
		if got[name] != want {
			t.Errorf("%s=%q, want %q", name, got[name], want)
		}
	}
	if strings.Contains(got["base-reason"], "\n") {
		t.Errorf("base-reason=%q has two lines", got["base-reason"])
	}
	r.Plan.Changes = []diff.Change{{Path: "a"}}
	if got := outputValues(r, artifact.Result{}); got["changed"] != "true" || got["artifact-id"] != "" {
		t.Errorf("changed=%q, artifact-id=%q, want true and none", got["changed"], got["artifact-id"])
	}
}
