//go:build unix

package store_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// unprivileged makes cmd run as a user who owns nothing. It reports whether it can.
func unprivileged(t *testing.T, cmd *exec.Cmd) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return true
	}
	// The test binary lies in a folder that is closed to others.
	dir := t.TempDir()
	bin := filepath.Join(dir, "test")
	b, err := os.ReadFile(cmd.Path)
	if err == nil {
		err = errors.Join(os.WriteFile(bin, b, 0o755), os.Chmod(dir, 0o755), os.Chmod(filepath.Dir(dir), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Dir = bin, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	return true
}

// cpuSeconds is what this process has used so far.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
