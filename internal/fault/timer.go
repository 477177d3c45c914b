package fault

import (
	"sync"
	"time"
)

// Timer stands in for the timer of a client that tries again: it is up at once, and
// remembers for how long it was set. It is a retry.Timer.
type Timer struct {
	mu    sync.Mutex
	waits []time.Duration
}

// After returns a channel from which can be read at once.
func (t *Timer) After(d time.Duration) <-chan time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waits = append(t.waits, d)
	up := make(chan time.Time, 1)
	up <- time.Time{}
	return up
}

// Waits returns for how long the timer was set each time.
func (t *Timer) Waits() []time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]time.Duration(nil), t.waits...)
}
