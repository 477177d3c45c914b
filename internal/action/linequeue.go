package action

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/haversack-dev/haversack/internal/object"
)

// eventLine is a line of standard input.
type eventLine struct {
	n    int
	text []byte
	long bool
}

// maxAhead bounds the bytes of lines that wait, and maxTogether the lines that are one writing of the store: others wait for as long.
const (
	maxAhead    = 8 << 20
	maxTogether = 500
)

// lineQueue holds lines that have come while others are written: a store grows, and is written as a whole.
type lineQueue struct {
	mu      sync.Mutex
	changed *sync.Cond
	lines   []eventLine
	bytes   int
	n       int // lines that were read
	ended   bool
	err     error
}

// newLineQueue reads lines until there are no more, or the context ends.
func newLineQueue(ctx context.Context, from io.Reader) *lineQueue {
	q := &lineQueue{}
	q.changed = sync.NewCond(&q.mu)
	context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.changed.Broadcast()
	})
	go func() {
		r, n := bufio.NewReaderSize(from, 64<<10), 0
		for ended := false; !ended && ctx.Err() == nil; {
			var lines []eventLine
			var err error
			lines, ended, err = nextLines(r, &n)
			q.mu.Lock()
			for _, l := range lines {
				q.bytes += len(l.text)
			}
			q.lines, q.n, q.err = append(q.lines, lines...), n, err
			ended = ended || err != nil
			q.ended = ended
			q.changed.Broadcast()
			for q.bytes >= maxAhead && ctx.Err() == nil {
				q.changed.Wait()
			}
			q.mu.Unlock()
		}
	}()
	return q
}

// take waits for lines, and returns those that are there, and the number of the last. ended: there are no more.
func (q *lineQueue) take(ctx context.Context) (lines []eventLine, n int, ended bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.lines) == 0 && !q.ended && ctx.Err() == nil {
		q.changed.Wait()
	}
	if err := ctx.Err(); err != nil {
		return nil, q.n, false, err
	}
	lines = slices.Clone(q.lines[:min(len(q.lines), maxTogether)])
	q.lines = slices.Delete(q.lines, 0, len(lines))
	for _, l := range lines {
		q.bytes -= len(l.text)
	}
	q.changed.Broadcast()
	if ended = q.ended && len(q.lines) == 0; ended {
		n = q.n
	} else {
		n = lines[len(lines)-1].n
	}
	if ended && q.err != nil { // once the lines before it are written
		if len(lines) == 0 {
			return nil, n, true, q.err
		}
		ended = false
	}
	return lines, n, ended, nil
}

// nextLines reads a line and those that came with it, without the empty ones; n counts all. ended: no
// more will come.
func nextLines(r *bufio.Reader, n *int) (lines []eventLine, ended bool, err error) {
	for more := true; more; {
		text, long, err := nextLine(r, object.MaxEvent)
		ended = errors.Is(err, io.EOF)
		if err != nil && !ended {
			return nil, false, err
		}
		if len(text) > 0 || long || !ended {
			*n++
		}
		if long || strings.TrimSpace(string(text)) != "" {
			lines = append(lines, eventLine{*n, text, long})
		}
		buffered, _ := r.Peek(r.Buffered())
		more = !ended && bytes.IndexByte(buffered, '\n') >= 0
	}
	return lines, ended, nil
}

// nextLine reads a line without its end. Of one that is longer than most nothing is kept.
func nextLine(r *bufio.Reader, most int) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > most {
			line, long = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return []byte(strings.TrimRight(string(line), "\r\n")), long, err
		}
	}
}
