package action

import (
	"archive/tar"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/repotest"
)

// loops is how many loops TestLoops plays: 20 with -short, and with the race detector.
var loops = 200

// TestLoops plays an assistant's loop with random files, imports and states: at each
// step what it has been given, applied in order, is what archive.tar holds.
func TestLoops(t *testing.T) {
	n := loops
	if testing.Short() {
		n = 20
	}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			playLoop(t, rand.New(rand.NewPCG(uint64(seed), 1)))
		})
	}
}

// playLoop plays one loop: a state and the archive of a context, then two diffs, of an
// edit and of more that is asked for, each against the commit before. The script
// loop.txtar begins with the opener.
func playLoop(t *testing.T, r *rand.Rand) {
	w := world{r: r, files: map[string]string{"README.md": "# r\n", ".gitignore": "/ignored/\n"}}
	for range 4 + r.IntN(6) {
		w.edit()
	}
	repo := repotest.New(t, "-- README.md --\n# r\n-- .gitignore --\n/ignored/\n")
	commit := func() {
		repo.Git("add", "-A")
		repo.Git("commit", "-q", "--allow-empty", "-m", "step")
	}
	w.ask()
	w.write(t, repo.Dir)
	commit()
	archive, changes := filepath.Join(repo.Dir, ".stan/output/archive.tar"), filepath.Join(repo.Dir, ".stan/output/archive.diff.tar")
	run := func(args ...string) {
		t.Helper()
		if out, err := execute(t, repo.Dir, nil, append(args, "--pack", "none")...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	run("--mode", "context", "--base", "none")
	reader := tarred(t, archive)
	for step := range 2 {
		if w.edit(); step == 1 {
			w.ask()
		}
		w.write(t, repo.Dir)
		base := "HEAD"
		if r.IntN(2) == 0 {
			commit()
			base = "HEAD~1"
		}
		run("--mode", "context", "--base", base)
		apply(t, reader, tarred(t, changes))
		want := tarred(t, archive)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got, ok := reader[name]; !ok || got != want[name] {
				t.Fatalf("step %d: the reader has no %s, or another (%v)\nstate %s\nfiles %q", step, name, ok, w.files[".stan/context/dependency.state.json"], w.files)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(reader)) {
			if _, ok := want[name]; !ok {
				t.Fatalf("step %d: the reader still has %s\nstate %s\nfiles %q", step, name, w.files[".stan/context/dependency.state.json"], w.files)
			}
		}
		if base == "HEAD" {
			commit()
		}
	}
}

// world is a small repository in the making.
type world struct {
	r     *rand.Rand
	files map[string]string
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// names are paths of which some shadow others.
var names = []string{"a.ts", "a.js", "b.ts", "b/index.ts", "b/inner.ts", "lib/c.ts", "lib/c.tsx", "lib/index.ts", "lib/deep/d.ts", "e.mjs", "data.json", "x.py", "pkg/__init__.py", "pkg/y.py",
	"go.mod", "main.go", "in/in.go", "in/more.go", "ignored/gen.ts", "tsconfig.json", "package.json"}

// edit writes, renames or removes a file.
func (w *world) edit() {
	name := pick(w.r, names)
	old, there := w.files[name]
	there = there && name != "ignored/gen.ts" // nothing would tell that it was there
	switch n := w.r.IntN(6); {
	case n == 0 && there:
		delete(w.files, name)
		return
	case n == 1 && there:
		delete(w.files, name)
		if to := pick(w.r, names); filepath.Ext(to) == filepath.Ext(name) && to != "ignored/gen.ts" {
			w.files[to] = old
		}
		return
	}
	up := strings.Repeat("../", strings.Count(name, "/"))
	if up == "" {
		up = "./"
	}
	var b strings.Builder
	v := w.r.IntN(1000)
	switch filepath.Ext(name) {
	case ".ts", ".tsx", ".js", ".mjs":
		for range w.r.IntN(3) {
			to := pick(w.r, []string{"a", "b", "lib", "lib/c", "lib/deep/d", "e.mjs", "data.json", "b/inner", "none", "ignored/gen", "alias/d"})
			if to == "alias/d" {
				fmt.Fprintf(&b, "import '~/d';\n")
				continue
			}
			b.WriteString(strings.ReplaceAll(pick(w.r, []string{"import {v} from '@';\n", "import type {v} from '@';\n", "export * from '@';\n", "export {v as w} from '@';\n", "const x = import('@');\n"}), "@", up+to))
		}
		if w.r.IntN(2) == 0 {
			fmt.Fprintf(&b, "export const v = %d;\n", v)
		}
	case ".py":
		for range w.r.IntN(3) {
			b.WriteString(pick(w.r, []string{"import x\n", "from pkg import y\n", "import pkg.y\n", "from pkg.y import f\n"}))
		}
		fmt.Fprintf(&b, "f = %d\n", v)
	case ".mod":
		b.WriteString("module example.com/" + pick(w.r, []string{"m", "n"}) + "\n")
	case ".go":
		pkg := "main"
		if strings.HasPrefix(name, "in/") {
			pkg = "in"
		}
		fmt.Fprintf(&b, "package %s\n", pkg)
		if name == "main.go" {
			b.WriteString("import \"example.com/m/in\"\nvar X = in." + pick(w.r, []string{"A", "B"}) + "\n")
		} else {
			fmt.Fprintf(&b, "const %s = %d\n", pick(w.r, []string{"A", "B"}), v)
		}
	case ".json":
		switch name {
		case "tsconfig.json":
			fmt.Fprintf(&b, `{"compilerOptions":{"paths":{"~/*":["./%s/*"]}}}`, pick(w.r, []string{"lib", "lib/deep"}))
		case "package.json":
			fmt.Fprintf(&b, `{"name":"r","version":"1.0.%d","type":"%s"}`, v, pick(w.r, []string{"module", "commonjs"}))
		default:
			fmt.Fprintf(&b, `{"v":%d}`, v)
		}
		b.WriteString("\n")
	}
	w.files[name] = b.String()
}

// ask writes another state.
func (w *world) ask() {
	entry := func() any {
		name := pick(w.r, names)
		switch w.r.IntN(3) {
		case 0:
			return name
		case 1:
			return []any{name, w.r.IntN(4)}
		}
		return []any{name, w.r.IntN(4), 1 + w.r.IntN(7)}
	}
	state := map[string]any{"v": 2}
	list := []any{}
	for range w.r.IntN(4) {
		list = append(list, entry())
	}
	state["i"] = list
	if w.r.IntN(3) == 0 {
		state["x"] = []any{entry()}
	}
	text, _ := json.Marshal(state)
	w.files[".stan/context/dependency.state.json"] = string(text)
}

// write makes the folder hold the files, and no other.
func (w *world) write(t *testing.T, dir string) {
	t.Helper()
	for _, name := range names {
		if _, ok := w.files[name]; !ok {
			os.Remove(filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	for name, text := range w.files {
		put(t, dir, name, text)
	}
}

// tarred returns the members of a tar by name.
func tarred(t *testing.T, archive string) map[string]string {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	members := map[string]string{}
	tr := tar.NewReader(f)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return members
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		members[h.Name] = string(text)
	}
}

// apply brings what a reader has up to date with a diff archive.
func apply(t *testing.T, reader, changes map[string]string) {
	t.Helper()
	var list record.Changes
	if err := json.Unmarshal([]byte(changes[".stan/context/changes.json"]), &list); err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Changes {
		if c.OldPath != "" {
			delete(reader, c.OldPath)
		}
		if c.Status == "D" {
			delete(reader, c.Path)
		}
	}
	for _, name := range list.Dropped {
		delete(reader, name)
	}
	for name, text := range changes {
		switch name {
		case ".stan/context/changes.json", ".stan/context/changes.patch", ".stan/diff/.stan_no_changes":
		default:
			reader[name] = text
		}
	}
}
