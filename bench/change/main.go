//go:build linux

// Change compares what Haversack says of changes with what git says: which files, which of them renamed, how many lines added
// and removed in each.
//
//	go run ./bench/change [-commits 100] [-apart 1] [-patches] REPOSITORY...
//
// A repository is a folder with its history, bare or not. The last -commits commits of the first parent's line, merges among
// them, are compared with their parent, or with what stands -apart before them as a branch of so many commits is, and each with
// `git diff --numstat -M`: a commit is equal if every file is, by path, old path and both numbers. With -patches the patch of each file is compared with `git diff -M` as well, but for what
// stands behind the second @@ of a hunk, index lines and the percentage of similarity. What differs is printed.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/diff"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/tree"
)

func main() {
	commits := flag.Int("commits", 100, "how many commits of each repository")
	apart := flag.Int("apart", 1, "how many commits before each its base stands")
	patches := flag.Bool("patches", false, "compare patches too")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	all := tally{}
	for _, dir := range flag.Args() {
		t, err := compare(dir, *commits, max(1, *apart), *patches)
		if err != nil {
			fmt.Fprintf(os.Stderr, "comparing %s: %v\n", dir, err)
			os.Exit(1)
		}
		t.print(filepath.Base(filepath.Dir(dir)) + "/" + filepath.Base(dir))
		all.add(t)
	}
	all.print("all")
}

// tally counts what was compared and what is equal.
type tally struct {
	commits, equal, files, equalFiles, renames, patches, equalPatches int
}

func (t *tally) add(o tally) {
	t.commits, t.equal, t.files, t.equalFiles = t.commits+o.commits, t.equal+o.equal, t.files+o.files, t.equalFiles+o.equalFiles
	t.renames, t.patches, t.equalPatches = t.renames+o.renames, t.patches+o.patches, t.equalPatches+o.equalPatches
}

func (t *tally) print(name string) {
	fmt.Printf("%s: %d of %d commits equal (%.2f %%), %d of %d files, %d renames", name, t.equal, t.commits, share(t.equal, t.commits), t.equalFiles, t.files, t.renames)
	if t.patches > 0 {
		fmt.Printf(", %d of %d patches (%.2f %%)", t.equalPatches, t.patches, share(t.equalPatches, t.patches))
	}
	fmt.Println()
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

func compare(dir string, commits, apart int, patches bool) (t tally, err error) {
	out, err := git(dir, "rev-list", "--first-parent", fmt.Sprintf("--max-count=%d", commits+apart), "HEAD")
	if err != nil {
		return t, err
	}
	r, err := repo.Open(dir)
	if err != nil {
		return t, err
	}
	defer r.Close()
	line := strings.Fields(out)
	for i := 0; i+apart < len(line); i++ {
		head, base := line[i], line[i+apart]
		ours, drawn, err := ourChange(r, base, head, patches)
		var missing *repo.MissingError
		if errors.As(err, &missing) {
			fmt.Printf("  %.12s is not compared: %v\n", head, err)
			continue
		}
		if err != nil {
			return t, fmt.Errorf("%s: %w", head, err)
		}
		theirs, err := theirChange(dir, base, head)
		if err != nil {
			return t, err
		}
		t.commits++
		t.count(head, ours, theirs)
		if patches {
			if err := t.comparePatches(dir, base, head, drawn); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// count compares the lines of two accounts of a commit: a path, its old path, and numbers.
func (t *tally) count(sha string, ours, theirs map[string]string) {
	same := true
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		t.files++
		if strings.Contains(theirs[name], " from ") {
			t.renames++
		}
		if ours[name] == theirs[name] {
			t.equalFiles++
		} else {
			same = false
			fmt.Printf("  %.12s %q: %q, git %q\n", sha, name, ours[name], theirs[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		if theirs[name] == "" {
			same = false
			fmt.Printf("  %.12s %q: %q, git nothing\n", sha, name, ours[name])
		}
	}
	if same {
		t.equal++
	}
}

// ourChange says what Haversack says, and draws it.
func ourChange(r *repo.Repository, from, to string, patches bool) (said map[string]string, drawn map[string]string, err error) {
	base, err := entries(r, from)
	if err != nil {
		return nil, nil, err
	}
	head, err := entries(r, to)
	if err != nil {
		return nil, nil, err
	}
	open := func(in map[string]diff.Entry) func(string) (tree.File, bool) {
		return func(name string) (tree.File, bool) {
			e := in[name]
			if !e.Mode.IsRegular() {
				return tree.File{}, false
			}
			raw, err := r.Blob(e.ID)
			f := tree.Bytes(name, raw)
			return f, err == nil
		}
	}
	before, after := byPath(base), byPath(head)
	changes, passed := diff.Edited(diff.Between(base, head), open(before), open(after))
	if passed {
		fmt.Printf("  %.12s: too many files to look for renames in\n", to)
	}
	said, drawn = map[string]string{}, map[string]string{}
	for _, c := range changes {
		x, err := side(r, before, c, true)
		if err != nil {
			return nil, nil, err
		}
		y, err := side(r, after, c, false)
		if err != nil {
			return nil, nil, err
		}
		p := new(diff.Drawing).Draw(c, x, y)
		told := "- -"
		if p.Shown {
			told = fmt.Sprint(p.Added, " ", p.Removed)
		}
		if c.OldPath != "" {
			told += " from " + c.OldPath
		}
		said[c.Path] = told
		if patches {
			drawn[c.Path] = string(p.Text)
		}
	}
	return said, drawn, nil
}

func entries(r *repo.Repository, sha string) ([]diff.Entry, error) {
	files, err := r.Files(sha)
	if err != nil {
		return nil, err
	}
	list := make([]diff.Entry, 0, len(files))
	for _, f := range files {
		list = append(list, diff.Entry{Path: f.Path, Mode: f.Mode, ID: f.ID})
	}
	slices.SortFunc(list, func(a, b diff.Entry) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

func byPath(list []diff.Entry) map[string]diff.Entry {
	m := make(map[string]diff.Entry, len(list))
	for _, e := range list {
		m[e.Path] = e
	}
	return m
}

// side reads one side of a change; nil where there is none.
func side(r *repo.Repository, in map[string]diff.Entry, c diff.Change, old bool) (*diff.Side, error) {
	name := c.Path
	if old && c.OldPath != "" {
		name = c.OldPath
	}
	e, ok := in[name]
	if !ok || old && c.Status == diff.Added || !old && c.Status == diff.Deleted {
		return nil, nil
	}
	s := &diff.Side{Mode: e.Mode}
	if e.Mode&fs.ModeIrregular != 0 {
		s.Commit = e.ID
		return s, nil
	}
	raw, err := r.Blob(e.ID)
	if err != nil {
		return nil, err
	}
	s.Text = raw
	if bytes.IndexByte(raw[:min(len(raw), 8000)], 0) >= 0 {
		s.Withheld = "binary"
	}
	return s, nil
}

// theirChange says what git says.
func theirChange(dir, from, to string) (map[string]string, error) {
	out, err := git(dir, "diff", "--numstat", "-M", "-z", from, to)
	if err != nil {
		return nil, err
	}
	said := map[string]string{}
	parts := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i < len(parts) && parts[i] != ""; i++ {
		w := strings.SplitN(parts[i], "\t", 3)
		if len(w) != 3 {
			return nil, fmt.Errorf("git diff --numstat says %q", parts[i])
		}
		told, name := w[0]+" "+w[1], w[2]
		if name == "" {
			if i+2 >= len(parts) {
				return nil, fmt.Errorf("git diff --numstat ends in %q", parts[i])
			}
			told, name = told+" from "+parts[i+1], parts[i+2]
			i += 2
		}
		said[name] = told
	}
	return said, nil
}

var untold = regexp.MustCompile(`(?m)^(index [0-9a-f]+\.\.[0-9a-f]+.*\n|dissimilarity .*\n|similarity .*\n|(@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@).*$)`)

// plain is a patch without what is not compared.
func plain(patch string) string { return untold.ReplaceAllString(patch, "$2") }

func (t *tally) comparePatches(dir, from, to string, ours map[string]string) error {
	out, err := git(dir, "diff", "-M", "--no-color", from, to)
	if err != nil {
		return err
	}
	theirs := map[string]bool{}
	for one := range strings.SplitSeq("\n"+out, "\ndiff --git ") {
		theirs[strings.TrimRight(plain("diff --git "+one), "\n")] = true
	}
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		patch := strings.TrimRight(plain(ours[name]), "\n")
		if !strings.Contains(patch, "\n@@ ") {
			continue
		}
		t.patches++
		if theirs[patch] {
			t.equalPatches++
		} else {
			fmt.Printf("  %.12s %q: another patch than git's\n", to, name)
		}
	}
	return nil
}

func git(dir string, args ...string) (string, error) {
	c := exec.Command("git", append([]string{"-C", dir}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	var out, bad bytes.Buffer
	c.Stdout, c.Stderr = &out, &bad
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(bad.Bytes()))
	}
	return out.String(), nil
}
