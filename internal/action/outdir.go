package action

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// outputNames are the names that runs write into the output folder. One that
// this run does not write is removed at its end: it would be of another run.
var outputNames = []string{
	"archive.tar", "archive.tar.zst", "archive.diff.tar", "archive.diff.tar.zst",
	"pack.json", "pack.md", "pack.full.json", "pack.full.md", "pack.summary.json", "pack.summary.md", "record.json",
}

// outdir is the output folder while a run writes to it. Everything goes to a
// temporary folder inside it first; commit renames all files together, abort
// leaves what was there untouched.
type outdir struct {
	dir, temp string
	made      []string // folders that did not exist before
	written   []string
}

const tempPrefix = ".haversack-"

func newOutdir(dir string) (*outdir, error) {
	o := &outdir{dir: dir}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || filepath.Dir(d) == d {
			break
		}
		o.made = append(o.made, d)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		o.abort()
		return nil, fmt.Errorf("making the output folder: %w", err)
	}
	// What a killed run left behind.
	old, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, d := range old {
		os.RemoveAll(d)
	}
	temp, err := os.MkdirTemp(dir, tempPrefix)
	if err != nil {
		o.abort()
		return nil, fmt.Errorf("writing to the output folder: %w", err)
	}
	o.temp = temp
	return o, nil
}

// abort removes everything the run has written. It does nothing after commit.
func (o *outdir) abort() {
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
	if err := os.WriteFile(filepath.Join(o.temp, ".gitignore"), []byte("*\n"), 0o644); err != nil {
		return fmt.Errorf("writing to the output folder: %w", err)
	}
	names := append(slices.Clone(o.written), ".gitignore")
	var undo []func()
	fail := func(err error) error {
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
		return fmt.Errorf("putting the results in place: %w", err)
	}
	for _, name := range outputNames {
		at, kept := filepath.Join(o.dir, name), filepath.Join(o.temp, "old-"+name)
		err := os.Rename(at, kept)
		switch {
		case err == nil:
			undo = append(undo, func() { os.Rename(kept, at) })
		case !errors.Is(err, fs.ErrNotExist):
			return fail(err)
		}
	}
	for _, name := range names {
		from, to := o.path(name), filepath.Join(o.dir, name)
		if err := os.Rename(from, to); err != nil {
			return fail(err)
		}
		undo = append(undo, func() { os.Remove(to) })
		owner(to)
	}
	os.RemoveAll(o.temp)
	o.temp, o.made = "", nil
	return nil
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
