//go:build unix

package job

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/haversack-dev/haversack/internal/tree"
)

// Owner returns a function that gives a result, or a folder and all that was made in
// it, to the owner of the workspace. In a container the program is root; files of
// root's would keep later steps, and the next run on the same machine, from cleaning
// up. What belongs to anybody else already stays theirs.
func Owner(workspace string) func(string) {
	if os.Geteuid() != 0 {
		return func(string) {}
	}
	fi, err := os.Stat(workspace)
	if err != nil {
		return func(string) {}
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 {
		return func(string) {}
	}
	// What others can move meanwhile is reached through an open folder: no link leads the
	// gift out of it.
	give := func(root *os.Root, name string) {
		if fi, err := root.Lstat(name); err == nil {
			if s, ok := fi.Sys().(*syscall.Stat_t); ok && s.Uid == 0 {
				root.Lchown(name, int(st.Uid), int(st.Gid))
			}
		}
	}
	return func(name string) {
		base := workspace
		if SlashRel(workspace, name) == "" {
			base = filepath.Dir(name)
		}
		root, err := tree.OpenFolder(base)
		if err != nil {
			return
		}
		defer root.Close()
		rel := SlashRel(base, name)
		if fi, err := root.Lstat(rel); err != nil || fi.Mode()&fs.ModeSymlink != 0 {
			return
		}
		fs.WalkDir(root.FS(), rel, func(at string, d fs.DirEntry, err error) error {
			if err == nil {
				give(root, at)
			}
			return nil
		})
		for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
			give(root, dir)
		}
	}
}
