//go:build !linux && !darwin

package tsgo

// Elsewhere a parser that does not finish is left to itself.

func newRoom(int) []byte { return nil }

func lock([]byte) bool { return false }
