package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
)

// openFolders is how many folders a root on disk keeps open. Opening a file
// through its folder costs one system call instead of one an element; walking
// in order, a handful is enough, and many open folders slow the kernel down
// (they are closed oldest first).
const openFolders = 64

// Open returns the root of the folder dir on disk. Links in dir itself are
// followed; below it none leads out.
func Open(dir string) (*Root, error) {
	root, err := OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	return New(&disk{root: root, open: map[string]*folder{}}), nil
}

// disk reads a folder through os.Root, one handle a folder.
type disk struct {
	root *os.Root

	mu   sync.Mutex
	open map[string]*folder
	tick uint64
}

// folder is an open folder. It is closed when nobody uses it and it has been
// dropped from the table.
type folder struct {
	root *os.Root
	handle
	used uint64
	refs int
	gone bool
}

// enter returns the open folder dir; release must follow.
func (d *disk) enter(dir string) (*folder, error) {
	d.mu.Lock()
	if d.open == nil {
		d.mu.Unlock()
		return nil, fs.ErrClosed
	}
	d.tick++
	if f := d.open[dir]; f != nil {
		f.refs++
		f.used = d.tick
		d.mu.Unlock()
		return f, nil
	}
	// The nearest open ancestor saves walking the path from the top.
	near, from := d.root, ""
	var held *folder
	for up := dir; up != "."; {
		up = path.Dir(up)
		if f := d.open[up]; f != nil {
			f.refs++
			near, from, held = f.root, up, f
			break
		}
	}
	d.mu.Unlock()
	rel := dir
	if held != nil && from != "." {
		rel = dir[len(from)+1:]
	}
	sub, err := OpenFolderIn(near, rel)
	if held != nil {
		d.release(held)
	}
	if err != nil {
		return nil, rename(err, dir)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		sub.Close()
		return nil, fs.ErrClosed
	}
	if f := d.open[dir]; f != nil { // another goroutine was faster
		sub.Close()
		f.refs++
		return f, nil
	}
	if len(d.open) >= openFolders {
		d.drop()
	}
	f := &folder{root: sub, used: d.tick, refs: 1}
	d.open[dir] = f
	return f, nil
}

// drop takes the folder that was used longest ago out of the table.
func (d *disk) drop() {
	var oldest string
	var at uint64
	for name, f := range d.open {
		if oldest == "" || f.used < at {
			oldest, at = name, f.used
		}
	}
	f := d.open[oldest]
	delete(d.open, oldest)
	f.gone = true
	if f.refs == 0 {
		f.close()
	}
}

// close ends a folder that nobody uses any more.
func (f *folder) close() {
	f.handle.close()
	f.root.Close()
}

func (d *disk) release(f *folder) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f.refs--; f.refs == 0 && f.gone {
		f.close()
	}
}

func (d *disk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.open {
		f.gone = true
		if f.refs == 0 {
			f.close()
		}
	}
	d.open = nil
	return d.root.Close()
}

func (d *disk) Lstat(name string) (Info, error) {
	if name == "." {
		fi, err := d.root.Stat(".")
		if err != nil {
			return Info{}, err
		}
		return info(fi), nil
	}
	f, err := d.enter(path.Dir(name))
	if err != nil {
		return Info{}, err
	}
	defer d.release(f)
	fi, err := f.root.Lstat(path.Base(name))
	if err != nil {
		return Info{}, rename(err, name)
	}
	return info(fi), nil
}

func (d *disk) List(name string) ([]Entry, error) {
	f, err := d.enter(name)
	if err != nil {
		return nil, err
	}
	defer d.release(f)
	names, err := f.list()
	if err != nil {
		return nil, rename(err, name)
	}
	entries := make([]Entry, 0, len(names))
	for _, n := range names {
		entries = append(entries, Entry{Name: n.Name(), Mode: n.Type()})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return Compare(a.key(), b.key()) })
	return entries, nil
}

func (d *disk) Open(name string) (io.ReadCloser, Info, error) {
	f, err := d.enter(path.Dir(name))
	if err != nil {
		return nil, Info{}, err
	}
	defer d.release(f)
	h, in, err := f.openFile(path.Base(name))
	if err != nil {
		return nil, Info{}, rename(err, name)
	}
	return h, in, nil
}

func (d *disk) Readlink(name string) (string, error) {
	f, err := d.enter(path.Dir(name))
	if err != nil {
		return "", err
	}
	defer d.release(f)
	target, err := f.root.Readlink(path.Base(name))
	if err != nil {
		return "", rename(err, name)
	}
	return filepath.ToSlash(target), nil
}

// info keeps of a mode what git keeps: its type, and whether the owner may run it.
func info(fi fs.FileInfo) Info {
	in := Info{Mode: fi.Mode().Type(), Size: fi.Size(), ModTime: fi.ModTime()}
	if fi.Mode().IsRegular() {
		if in.Mode |= 0o644; fi.Mode()&0o100 != 0 {
			in.Mode |= 0o755
		}
	}
	return in
}

// rename puts the full path into an error that knows only the last element.
func rename(err error, name string) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return &fs.PathError{Op: pe.Op, Path: name, Err: pe.Err}
	}
	return err
}
