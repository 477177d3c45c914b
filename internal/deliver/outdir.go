package deliver

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

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/snapshot"
	"github.com/haversack-dev/haversack/internal/tree"
)

// keptNames are the names that runs keep beside the state.
var keptNames = []string{path.Base(record.MetaName), path.Base(record.MapName)}

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

// Folder is a folder of results while a run writes to it. Everything goes to a
// temporary folder inside it first; commit renames all files together, abort
// leaves what was there untouched.
type Folder struct {
	dir   string
	root  *os.Root // dir, opened: what becomes of its name meanwhile changes nothing
	temp  string   // the temporary folder's name in root, "" for none
	shown string   // dir as users know it: relative to the workspace inside of it
	// names are those that runs write here. One that this run does not write is removed
	// at its end: it would be of another run.
	names []string
	// ignore is the content of the folder's .gitignore.
	ignore  string
	made    []string // folders that did not exist before
	written []string
	// beside is the folder of the graph, where this run keeps one, and lack says why it
	// cannot. Both are put in place together.
	beside *Folder
	lack   string
}

// maxIgnore bounds the ignore file that stands beside the state, in bytes. The engine's
// own has a hundred.
const maxIgnore = 1 << 20

// newFolder makes the folder, and removes what a killed run left behind in it.
func newFolder(e *job.Setting, h *snapshot.Head, dir string, names []string, ignore string) (*Folder, error) {
	o := &Folder{dir: dir, names: names, ignore: ignore}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || filepath.Dir(d) == d {
			break
		}
		o.made = append(o.made, d)
	}
	var err error
	if o.root, err = snapshot.MakeFolder(e, h, dir); err != nil {
		o.Abort()
		return nil, err
	}
	old, _ := fs.Glob(o.root.FS(), job.TempPrefix+"*")
	for _, d := range old {
		o.root.RemoveAll(d)
	}
	return o, nil
}

// begin makes the temporary folder, before anything is written.
func (o *Folder) begin() error {
	temp := job.TempPrefix + job.RandomHex()
	if err := o.root.Mkdir(temp, 0o700); err != nil {
		return err
	}
	o.temp = temp
	return nil
}

// Abort removes everything the run has written, and closes the folder. After commit it
// removes nothing.
func (o *Folder) Abort() {
	if o == nil {
		return
	}
	o.beside.Abort()
	if o.temp != "" {
		o.root.RemoveAll(o.temp)
		o.temp = ""
	}
	if o.root != nil {
		o.root.Close()
	}
	for _, d := range o.made {
		os.Remove(d) // only if empty
	}
}

// path is where in the folder a file of this run stands until commit.
func (o *Folder) path(name string) string { return filepath.Join(o.temp, name) }

// createdFile is a file being written, which is hashed on the way.
type createdFile struct {
	f    *os.File
	hash hash.Hash
	size int64
}

func (o *Folder) create(name string) (*createdFile, error) {
	f, err := o.root.OpenFile(o.path(name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, err)
	}
	o.written = append(o.written, name)
	c := &createdFile{f: f, hash: sha256.New()}
	return c, nil
}

func (c *createdFile) Write(p []byte) (int, error) {
	n, err := c.f.Write(p)
	c.hash.Write(p[:n])
	c.size += int64(n)
	return n, err
}

// close finishes the file and tells its size and sha256.
func (c *createdFile) close() (size int64, sum string, err error) {
	return c.size, hex.EncodeToString(c.hash.Sum(nil)), c.f.Close()
}

func (o *Folder) writeFile(name string, b []byte) error {
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

// Commit puts this run's files in place of the last run's. When a rename fails
// what was there is put back.
func (o *Folder) Commit(owner func(string)) error {
	undo, err := o.swap(owner)
	if err == nil && o.beside != nil && o.beside.temp != "" {
		if _, err = o.beside.swap(owner); err != nil {
			undo()
		}
	}
	if err != nil {
		return fmt.Errorf("putting the results in place: %w", err)
	}
	for _, d := range []*Folder{o, o.beside} {
		if d != nil && d.temp != "" {
			d.root.RemoveAll(d.temp)
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
func (o *Folder) swap(owner func(string)) (undo func(), err error) {
	names := slices.Clone(o.written)
	if o.ownsIgnore() {
		if err := o.root.WriteFile(o.path(".gitignore"), []byte(o.ignore), 0o644); err != nil {
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
		kept := o.path("old-" + name)
		err := o.root.Rename(name, kept)
		switch {
		case err == nil:
			steps = append(steps, func() { o.root.Rename(kept, name) })
		case !errors.Is(err, fs.ErrNotExist):
			undo()
			return nil, err
		}
	}
	for _, name := range names {
		if err := o.root.Rename(o.path(name), name); err != nil {
			undo()
			return nil, err
		}
		steps = append(steps, func() { o.root.Remove(name) })
		owner(filepath.Join(o.dir, name))
	}
	return undo, nil
}

// ownsIgnore reports whether the folder's .gitignore is the engine's to write: it
// always is in the folder of results; beside the state a user's own stays, and so does
// what is no file.
func (o *Folder) ownsIgnore() bool {
	if o.ignore != keptIgnore {
		return true
	}
	raw, err := tree.ReadIn(o.root, ".gitignore", maxIgnore)
	return errors.Is(err, fs.ErrNotExist) || err == nil && strings.HasPrefix(string(raw), keptMark)
}

// Notes are the warnings of opening the folders.
func (o *Folder) Notes() []string {
	if o == nil || o.lack == "" {
		return nil
	}
	return []string{o.lack}
}
