package tsgo

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Nothing interrupts the compiler's parser, and its speculation is exponential in
// places: async(async(async(... So it reads a copy of the text that can be taken
// away from it (lend). The next byte that it reads is then a fault, which Go turns
// into a panic where it is asked to, and the panic into an error.

// ErrTime and ErrMemory are returned for a text that the parser does not finish
// within its limits, which no text comes near that somebody wrote.
var (
	ErrTime   = errors.New("the parser does not finish in time")
	ErrMemory = errors.New("the parser takes too much memory")
)

// Limits of one text, and of all texts that one Parser is given.
const (
	// maxTime, and as much again for every 2 MB: the parser reads tens of megabytes a
	// second. It leaves room for slow machines, for which files are in the graph must
	// not depend on them. It is of the parser's own thread where the system tells that
	// (ThreadTime), else by the clock: of a machine that does everything else first a
	// clock says nothing of the text.
	maxTime = 4 * time.Second
	// firstTime is when a text is tried again on a thread of its own, by the clock.
	firstTime = time.Second
	// hurry is maxTime once texts were stopped that took hurryAfter together.
	hurry, hurryAfter = 400 * time.Millisecond, 8 * time.Second
	// maxLost is when no other text is tried.
	maxLost = 20 * time.Second
	// unwatched is how long a text is parsed before memory is looked at, every tick.
	unwatched, tick = 40 * time.Millisecond, 10 * time.Millisecond
	// maxMemory is what heap and stacks may grow by from there on, and growth for each
	// byte of the text: a syntax tree takes some twenty.
	maxMemory, growth = 96 << 20, 64
	// maxStacks is what all stacks may take, however late the first look at memory was:
	// a stack grows by doubling, and holds both the old and the new one while it does.
	maxStacks = 40 << 20
	// grace is how long a parser may go on without reading a byte.
	grace = 2 * time.Second
	// maxStopped bounds the texts that are remembered.
	maxStopped = 10_000
)

// stopped are the texts that were stopped, by hash: other callers need not try.
var stopped struct {
	sync.Mutex
	some  atomic.Bool
	texts map[[sha256.Size]byte]error
}

// alone is held by a text that is tried again because time or memory ran out: which of
// those that ran was guilty, or whether the machine was, is not known. Others share it.
var alone sync.RWMutex

// stoppable calls do with a copy of text, and stops it where it takes too long or too
// much. What do returns must not hold a part of the copy.
func stoppable[T any](p *Parser, text string, do func(text string) (T, error)) (result T, err error) {
	var key [sha256.Size]byte
	if stopped.some.Load() {
		key = sha256.Sum256([]byte(text))
		stopped.Lock()
		err = stopped.texts[key]
		stopped.Unlock()
		if err != nil {
			return result, err
		}
	}
	if p.spent() {
		return result, ErrTime
	}
	alone.RLock()
	result, err = watched(p, text, do, false)
	alone.RUnlock()
	if err == ErrTime || err == ErrMemory {
		alone.Lock()
		runtime.GC()
		result, err = watched(p, text, do, true)
		alone.Unlock()
	}
	if err == ErrTime || err == ErrMemory {
		key = sha256.Sum256([]byte(text))
		stopped.Lock()
		if stopped.texts == nil {
			stopped.texts = map[[sha256.Size]byte]error{}
		}
		if len(stopped.texts) < maxStopped {
			stopped.texts[key] = err
		}
		stopped.Unlock()
		stopped.some.Store(true)
	}
	return result, err
}

// watched is one try. What a last one takes is its own thread's time, and lost where it is stopped.
func watched[T any](p *Parser, text string, do func(text string) (T, error), last bool) (result T, err error) {
	l := lend(text)
	type answer struct {
		result T
		err    error
	}
	done := make(chan answer, 1)
	own := make(chan thread, 1)
	go func() {
		if last {
			runtime.LockOSThread() // and the thread ends with the text
			own <- ownThread()
		}
		debug.SetPanicOnFault(true)
		reserve()
		var a answer
		defer func() {
			if r := recover(); r != nil {
				a.err = fmt.Errorf("compiler: %v", r)
			}
			done <- a
		}()
		if p.Before != nil {
			p.Before()
		}
		a.result, a.err = do(l.text)
	}()
	began := time.Now()
	took := func() time.Duration { return time.Since(began) }
	limit := min(p.limit(), firstTime)
	if last {
		limit = p.limit()
		if t := <-own; t.id != 0 {
			took = func() time.Duration { return max(t.time()-t.began, 0) }
		}
	}
	timer := time.NewTimer(unwatched)
	defer timer.Stop()
	var most uint64
	for {
		select {
		case a := <-done:
			l.back()
			return a.result, a.err
		case <-timer.C:
		}
		heap, stacks := memory()
		now := heap + stacks
		if most == 0 {
			most = now + maxMemory + growth*uint64(len(text))
		}
		switch {
		case took() > limit*time.Duration(1+len(text)>>21):
			err = ErrTime
		case now > most, stacks > maxStacks:
			err = ErrMemory
		default:
			timer.Reset(tick)
			continue
		}
		if last {
			p.lost.Add(int64(took()))
		}
		if l.take() {
			select {
			case <-done: // it stopped, or had just finished
			case <-time.After(grace):
			}
		}
		return result, err
	}
}

// limit is how long a text may take now.
func (p *Parser) limit() time.Duration {
	switch {
	case p.Limit != 0:
		return p.Limit
	case time.Duration(p.lost.Load()) > hurryAfter:
		return hurry
	}
	return maxTime
}

func (p *Parser) spent() bool { return time.Duration(p.lost.Load()) > maxLost }

// memory is what heap and stacks take.
func memory() (heap, stacks uint64) {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s)
	of := func(m metrics.Sample) uint64 {
		if m.Value.Kind() != metrics.KindUint64 {
			return 0
		}
		return m.Value.Uint64()
	}
	return of(s[0]), of(s[1])
}

// reserve makes the goroutine's stack grow once, and not by doubling while a
// deep parse must be copied along.
//
//go:noinline
func reserve() {
	var room [64 << 10]byte
	runtime.KeepAlive(&room)
}

// loan is a copy of a text.
type loan struct {
	text string
	// room holds it where it can be taken away, else nil. It is never given back to
	// the system, for parts of the text may still be pointed at.
	room []byte
}

// rooms are free to be lent. Most texts are smaller than one.
var rooms struct {
	sync.Mutex
	free [][]byte
}

const roomSize = 1 << 20

func lend(text string) *loan {
	if len(text) == 0 {
		return &loan{}
	}
	var room []byte
	rooms.Lock()
	for i, r := range rooms.free {
		if len(r) >= len(text) {
			last := len(rooms.free) - 1
			rooms.free[i] = rooms.free[last]
			rooms.free, room = rooms.free[:last], r
			break
		}
	}
	rooms.Unlock()
	if room == nil {
		if room = newRoom((len(text) + roomSize - 1) / roomSize * roomSize); room == nil {
			return &loan{text: text}
		}
	}
	n := copy(room, text)
	return &loan{unsafe.String(&room[0], n), room}
}

// back ends a loan.
func (l *loan) back() {
	if l.room != nil {
		rooms.Lock()
		rooms.free = append(rooms.free, l.room)
		rooms.Unlock()
	}
}

// take takes the text away from whoever reads it, and reports whether that is possible.
func (l *loan) take() bool { return l.room != nil && lock(l.room) }

// own makes the strings of a file its own.
func (f *File) own() *File {
	c := strings.Clone
	list := func(l []string) {
		for i := range l {
			l[i] = c(l[i])
		}
	}
	for i := range f.Refs {
		r := &f.Refs[i]
		r.Name = c(r.Name)
		for j := range r.Bindings {
			r.Bindings[j].Name = c(r.Bindings[j].Name)
		}
	}
	for i := range f.Forwards {
		f.Forwards[i].Name, f.Forwards[i].Of = c(f.Forwards[i].Name), c(f.Forwards[i].Of)
	}
	for i := range f.Augments {
		f.Augments[i].Module = c(f.Augments[i].Module)
		list(f.Augments[i].Names)
	}
	list(f.Defines)
	list(f.Ambient)
	f.Fault = c(f.Fault)
	return f
}
