//go:build unix

package action

import (
	"os"
	"path/filepath"
	"syscall"
)

// owner returns a function that gives a result to the owner of the workspace.
// In a container the program is root; files of root's would keep later steps,
// and the next run on the same machine, from cleaning up.
func (r *run) owner() func(string) {
	if os.Geteuid() != 0 {
		return func(string) {}
	}
	fi, err := os.Stat(r.head.dir)
	if err != nil {
		return func(string) {}
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 {
		return func(string) {}
	}
	return func(name string) {
		os.Lchown(name, int(st.Uid), int(st.Gid))
		for dir := filepath.Dir(name); slashRel(r.head.dir, dir) != "" && dir != r.head.dir; dir = filepath.Dir(dir) {
			if fi, err := os.Lstat(dir); err == nil {
				if s, ok := fi.Sys().(*syscall.Stat_t); ok && s.Uid == 0 {
					os.Lchown(dir, int(st.Uid), int(st.Gid))
				}
			}
		}
	}
}
