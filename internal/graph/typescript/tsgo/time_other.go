//go:build !linux

package tsgo

import "time"

// ThreadTime says that the system does not tell the time of a thread.
func ThreadTime() (took time.Duration, ok bool) { return 0, false }

type thread struct {
	id    int
	began time.Duration
}

func ownThread() thread { return thread{} }

func (thread) time() time.Duration { return 0 }
