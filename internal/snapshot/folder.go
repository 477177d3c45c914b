package snapshot

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/haversack-dev/haversack/internal/job"
	"github.com/haversack-dev/haversack/internal/tree"
)

// OpenFolder opens the folder dir. Of one in the head or in the workspace, where others
// write, no link leads out, whenever it was made.
func OpenFolder(e *job.Setting, h *Head, dir string) (*os.Root, error) {
	return insideOf(e, h, dir, tree.OpenFolderIn)
}

// MakeFolder makes the folder dir where it is absent, and opens it (openFolder).
func MakeFolder(e *job.Setting, h *Head, dir string) (*os.Root, error) {
	if job.SlashRel(h.Dir, dir) == "" && job.SlashRel(e.WorkspaceAbs(), dir) == "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	return insideOf(e, h, dir, func(base *os.Root, rel string) (*os.Root, error) {
		if err := base.MkdirAll(rel, 0o755); err != nil {
			return nil, err
		}
		return tree.OpenFolderIn(base, rel)
	})
}

// insideOf opens a folder by its path below the head's folder or the workspace, or by
// itself where it lies in neither.
func insideOf(e *job.Setting, h *Head, dir string, open func(base *os.Root, rel string) (*os.Root, error)) (*os.Root, error) {
	for _, within := range []string{h.Dir, e.WorkspaceAbs()} {
		rel := job.SlashRel(within, dir)
		if rel == "" {
			continue
		}
		base, err := tree.OpenFolder(within)
		if err != nil {
			return nil, err
		}
		defer base.Close()
		root, err := open(base, filepath.FromSlash(rel))
		if err != nil && strings.Contains(err.Error(), "escapes") { // the cause has no name
			err = fmt.Errorf("%s: %w", rel, tree.ErrOutside)
		}
		return root, err
	}
	return tree.OpenFolder(dir)
}

// noFile reports whether what stands at a path is none of the files that are read: a link
// that leads out or nowhere, a device, a pipe, a folder. Where nobody named the path it is as
// if it were absent.
func noFile(err error) bool {
	for _, is := range []error{tree.ErrNotRegular, tree.ErrOutside, tree.ErrLoop, syscall.ENOTDIR} {
		if errors.Is(err, is) {
			return true
		}
	}
	return false
}

// openPlace opens the folder that a path of the engine's stands in (head.place), and makes
// it where it is absent.
func (h *Head) openPlace(name string) (folder *os.Root, base string, err error) {
	if _, err := h.Place(name); err != nil {
		return nil, "", err
	}
	root, err := tree.OpenFolder(h.Dir)
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	dir, base := path.Split(name)
	dir = filepath.FromSlash(path.Clean(dir))
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return nil, "", err
	}
	folder, err = tree.OpenFolderIn(root, dir)
	return folder, base, err
}

// readPlace reads a file of the engine's, which may have limit bytes.
func (h *Head) readPlace(name string, limit int64) ([]byte, error) {
	if _, err := h.Place(name); err != nil {
		return nil, err
	}
	root, err := tree.OpenFolder(h.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return tree.ReadIn(root, name, limit)
}

// WritePlace replaces a file of the engine's, or leaves it as it was.
func (h *Head) WritePlace(name string, b []byte) error {
	folder, base, err := h.openPlace(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	temp := job.TempPrefix + job.RandomHex()
	f, err := folder.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer folder.Remove(temp)
	_, err = f.Write(b)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return folder.Rename(temp, base)
}
