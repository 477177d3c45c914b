//go:build unix

package action

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// owner returns a function that gives a result, or a folder and all that was made in
// it, to the owner of the workspace. In a container the program is root; files of
// root's would keep later steps, and the next run on the same machine, from cleaning
// up. What belongs to anybody else already stays theirs.
func owner(workspace string) func(string) {
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
	give := func(name string, fi fs.FileInfo) {
		if s, ok := fi.Sys().(*syscall.Stat_t); ok && s.Uid == 0 {
			os.Lchown(name, int(st.Uid), int(st.Gid))
		}
	}
	return func(name string) {
		filepath.WalkDir(name, func(at string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if fi, err := d.Info(); err == nil {
				give(at, fi)
			}
			return nil
		})
		for dir := filepath.Dir(name); slashRel(workspace, dir) != "" && dir != workspace; dir = filepath.Dir(dir) {
			if fi, err := os.Lstat(dir); err == nil {
				give(dir, fi)
			}
		}
	}
}
