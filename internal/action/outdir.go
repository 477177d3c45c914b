package action

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// outputNames are the names that runs write into the output folder. One that
// this run does not write is removed at its end: it would be of another run. The record goes
// first and comes last: where it is, all that it tells of is there, whenever a run is killed.
var outputNames = []string{
	"record.json",
	"archive.tar", "archive.tar.zst", "archive.diff.tar", "archive.diff.tar.zst",
	"pack.json", "pack.md", "pack.full.json", "pack.full.md", "pack.summary.json", "pack.summary.md", promptName,
}

// keptNames are the names that runs keep beside the state.
var keptNames = []string{path.Base(metaName), path.Base(mapName)}

// keptIgnore keeps out of git what runs keep beside the state; the state is for git.
// Its first line tells the file from one of the user's.
const keptIgnore = keptMark + `
/.gitignore
/.haversack-*
/dependency.meta.json
/dependency.map.json
/npm/
/abs/
`

const keptMark = "# Made by haversack, like all that it names here. dependency.state.json is yours."

// outdir is a folder of results while a run writes to it. Everything goes to a
// temporary folder inside it first; commit renames all files together, abort
// leaves what was there untouched.
type outdir struct {
	dir, temp string
	shown     string // dir as users know it: relative to the workspace inside of it
	// names are those that runs write here. One that this run does not write is removed
	// at its end: it would be of another run.
	names []string
	// ignore is the content of the folder's .gitignore.
	ignore  string
	made    []string // folders that did not exist before
	written []string
	// beside is the folder of the graph, where this run keeps one, and lack says why it
	// cannot. Both are put in place together.
	beside *outdir
	lack   string
}

const tempPrefix = ".haversack-"

// newOutdir makes the folder, and removes what a killed run left behind in it.
func newOutdir(dir string, names []string, ignore string) (*outdir, error) {
	o := &outdir{dir: dir, names: names, ignore: ignore}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || filepath.Dir(d) == d {
			break
		}
		o.made = append(o.made, d)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		o.abort()
		return nil, err
	}
	old, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, d := range old {
		os.RemoveAll(d)
	}
	return o, nil
}

// begin makes the temporary folder, before anything is written.
func (o *outdir) begin() error {
	temp, err := os.MkdirTemp(o.dir, tempPrefix)
	if err != nil {
		return err
	}
	o.temp = temp
	return nil
}

// abort removes everything the run has written. It does nothing after commit.
func (o *outdir) abort() {
	if o == nil {
		return
	}
	o.beside.abort()
	if o.temp != "" {
		os.RemoveAll(o.temp)
		o.temp = ""
	}
	for _, d := range o.made {
		os.Remove(d) // only if empty
	}
}

// path is where a file of this run stands until commit.
func (o *outdir) path(name string) string { return filepath.Join(o.temp, name) }

// created is a file being written, which is hashed on the way.
type created struct {
	f    *os.File
	hash hash.Hash
	size int64
}

func (o *outdir) create(name string) (*created, error) {
	f, err := os.OpenFile(o.path(name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, err)
	}
	o.written = append(o.written, name)
	c := &created{f: f, hash: sha256.New()}
	return c, nil
}

func (c *created) Write(p []byte) (int, error) {
	n, err := c.f.Write(p)
	c.hash.Write(p[:n])
	c.size += int64(n)
	return n, err
}

// close finishes the file and tells its size and sha256.
func (c *created) close() (size int64, sum string, err error) {
	return c.size, hex.EncodeToString(c.hash.Sum(nil)), c.f.Close()
}

func (o *outdir) writeFile(name string, b []byte) error {
	c, err := o.create(name)
	if err != nil {
		return err
	}
	if _, err := c.Write(b); err != nil {
		c.f.Close()
		return err
	}
	_, _, err = c.close()
	return err
}

// commit puts this run's files in place of the last run's. When a rename fails
// what was there is put back.
func (o *outdir) commit(owner func(string)) error {
	undo, err := o.swap(owner)
	if err == nil && o.beside != nil && o.beside.temp != "" {
		if _, err = o.beside.swap(owner); err != nil {
			undo()
		}
	}
	if err != nil {
		return fmt.Errorf("putting the results in place: %w", err)
	}
	for _, d := range []*outdir{o, o.beside} {
		if d != nil && d.temp != "" {
			os.RemoveAll(d.temp)
			for _, dir := range d.made {
				owner(dir)
			}
			d.temp, d.made = "", nil
		}
	}
	return nil
}

// swap puts one folder's files in place. undo puts back what was there; it has been
// called where there is an error.
func (o *outdir) swap(owner func(string)) (undo func(), err error) {
	names := slices.Clone(o.written)
	if o.ownsIgnore() {
		if err := os.WriteFile(o.path(".gitignore"), []byte(o.ignore), 0o644); err != nil {
			return nil, err
		}
		names = append(names, ".gitignore")
	}
	var steps []func()
	undo = func() {
		for _, step := range slices.Backward(steps) {
			step()
		}
	}
	for _, name := range o.names {
		at, kept := filepath.Join(o.dir, name), filepath.Join(o.temp, "old-"+name)
		err := os.Rename(at, kept)
		switch {
		case err == nil:
			steps = append(steps, func() { os.Rename(kept, at) })
		case !errors.Is(err, fs.ErrNotExist):
			undo()
			return nil, err
		}
	}
	for _, name := range names {
		from, to := o.path(name), filepath.Join(o.dir, name)
		if err := os.Rename(from, to); err != nil {
			undo()
			return nil, err
		}
		steps = append(steps, func() { os.Remove(to) })
		owner(to)
	}
	return undo, nil
}

// ownsIgnore reports whether the folder's .gitignore is the engine's to write: it
// always is in the folder of results; beside the state a user's own stays.
func (o *outdir) ownsIgnore() bool {
	if o.ignore != keptIgnore {
		return true
	}
	raw, err := os.ReadFile(filepath.Join(o.dir, ".gitignore"))
	return errors.Is(err, fs.ErrNotExist) || err == nil && strings.HasPrefix(string(raw), keptMark)
}

// notes are the warnings of opening the folders.
func (o *outdir) notes() []string {
	if o == nil || o.lack == "" {
		return nil
	}
	return []string{o.lack}
}

// writeAtomic replaces one file, or leaves it as it was.
func writeAtomic(name string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), tempPrefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if err2 := f.Chmod(0o644); err == nil {
		err = err2
	}
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// slashRel returns the path of name relative to dir with "/", or "" when name
// is not below dir.
func slashRel(dir, name string) string {
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		return ""
	}
	rel = filepath.ToSlash(rel)
	if rel == ".." || strings.HasPrefix(rel, "../") {
		return ""
	}
	return rel
}
