//go:build linux || darwin

package tsgo

import "syscall"

// newRoom returns n bytes that can be locked, or nil.
func newRoom(n int) []byte {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return b
}

// lock makes every access to b a fault.
func lock(b []byte) bool { return syscall.Mprotect(b, syscall.PROT_NONE) == nil }
