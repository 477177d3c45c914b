package serve

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// Bounds of what clients over HTTP may have said that is not answered yet.
const (
	// maxReading is how many requests are read at once; with one more, that which has taken the longest is given up.
	maxReading = 256
	// maxUnanswered bounds the bytes that have come of all requests which are not answered. Where they are used up, the request that is not
	// whole and holds most of them is given up.
	maxUnanswered = 8 * maxRequest
)

// crowd is the requests over HTTP that are not answered yet. Room is for what has come, not for what is announced, and who lacks some gets it of
// those that are not whole: an honest request comes at once and is short, so bodies that hang, whatever their number, do not keep it waiting.
type crowd struct {
	mu sync.Mutex
	// fewer is told when there is more room, or a request is given up.
	fewer   *sync.Cond
	held    int
	reading []*arrival // not whole yet, the first that came first
}

func newCrowd() *crowd {
	c := &crowd{}
	c.fewer = sync.NewCond(&c.mu)
	return c
}

// arrival is a request that comes, or has come.
type arrival struct {
	bytes int
	gone  bool   // it was given up
	cut   func() // ends its reading
}

// enter takes a request up whose reading cut ends.
func (c *crowd) enter(cut func()) *arrival {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.reading) == maxReading {
		c.giveUp(c.reading[0])
	}
	a := &arrival{cut: cut}
	c.reading = append(c.reading, a)
	c.fewer.Broadcast()
	return a
}

// grow notes that n more bytes of a request have come, once there is room; false where the request was given up.
func (c *crowd) grow(a *arrival, n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !a.gone && c.held+n > maxUnanswered {
		most := slices.MaxFunc(c.reading, func(a, b *arrival) int { return a.bytes - b.bytes })
		if most.bytes == 0 { // whole requests hold all: they are answered
			c.fewer.Wait()
			continue
		}
		c.giveUp(most)
	}
	if a.gone {
		return false
	}
	a.bytes += n
	c.held += n
	c.fewer.Broadcast()
	return true
}

// giveUp ends the reading of a request that is not whole, and frees its room.
func (c *crowd) giveUp(a *arrival) {
	a.gone = true
	c.drop(a)
	c.held -= a.bytes
	a.bytes = 0
	a.cut()
	c.fewer.Broadcast()
}

func (c *crowd) drop(a *arrival) {
	if i := slices.Index(c.reading, a); i >= 0 {
		c.reading = slices.Delete(c.reading, i, i+1)
	}
}

// whole notes that all of a request has come: it is not given up any more. It is false where it was before.
func (c *crowd) whole(a *arrival) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(a)
	return !a.gone
}

// leave frees the room of a request.
func (c *crowd) leave(a *arrival) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(a)
	c.held -= a.bytes
	a.bytes = 0
	c.fewer.Broadcast()
}

// pacedWriter gives a client bodyTime for each part of an answer: one that does not read what it asked for would keep its place for ever.
type pacedWriter struct{ http.ResponseWriter }

func (w pacedWriter) Write(b []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(b)
}

func (w pacedWriter) extend() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(bodyTime)) // a test's has none
}

// FlushError is for http.ResponseController, as Unwrap is.
func (w pacedWriter) FlushError() error {
	w.extend()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (w pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
