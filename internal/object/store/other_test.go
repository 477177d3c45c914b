//go:build !unix

package store_test

import (
	"os/exec"
	"testing"
)

func unprivileged(t *testing.T, cmd *exec.Cmd) bool { return false }

func cpuSeconds() float64 { return 0 }
