package tsgo

import (
	"syscall"
	"time"
	"unsafe"
)

// ThreadTime returns the processor's time that the calling goroutine's thread took. ok says that the system tells it.
func ThreadTime() (took time.Duration, ok bool) { return clock(threadClock) }

// threadClock is CLOCK_THREAD_CPUTIME_ID, that of the calling thread.
const threadClock = 3

// thread is one of the process. id is 0 where nothing is known of it; began is the time that it had taken when it was asked for.
type thread struct {
	id    int
	began time.Duration
}

// ownThread returns the calling goroutine's.
func ownThread() thread {
	t := thread{id: syscall.Gettid()}
	var ok bool
	if t.began, ok = clock(clockOf(t.id)); !ok {
		return thread{}
	}
	return t
}

// time returns the processor's time that the thread took; of one that has ended nothing is known.
func (t thread) time() time.Duration {
	d, _ := clock(clockOf(t.id))
	return d
}

// clockOf is the kernel's name for the clock of another thread, as pthread_getcpuclockid makes it.
func clockOf(thread int) int { return ^thread<<3 | 6 }

func clock(id int) (d time.Duration, ok bool) {
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(id), uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), errno == 0
}
