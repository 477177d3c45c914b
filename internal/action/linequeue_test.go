package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestLineQueue: what comes while lines are written is given together, in order, within bounds; a fault comes behind the lines before it.
func TestLineQueue(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	fault := errors.New("the pipe broke")
	go func() {
		for i := range 12 {
			fmt.Fprintf(w, "%d %s\n", i, strings.Repeat("x", 1<<20))
		}
		io.WriteString(w, strings.Repeat("y\n", 2*maxTogether))
		w.CloseWithError(fault)
	}()
	q := newLineQueue(ctx, r)
	q.mu.Lock()
	for q.bytes < maxAhead {
		q.changed.Wait()
	}
	q.mu.Unlock()
	lines, n, ended, err := q.take(ctx)
	if err != nil || ended || len(lines) != 8 || n != 8 || !strings.HasPrefix(string(lines[7].text), "7 x") {
		t.Fatalf("%d lines to %d, ended %v, %v", len(lines), n, ended, err)
	}
	for at := n; ; at = n {
		lines, n, ended, err = q.take(ctx)
		if err != nil {
			break
		}
		if ended || len(lines) == 0 || len(lines) > maxTogether || lines[0].n != at+1 || n != at+len(lines) {
			t.Fatalf("%d lines to %d behind %d, ended %v", len(lines), n, at, ended)
		}
	}
	if !errors.Is(err, fault) || n != 12+2*maxTogether {
		t.Errorf("after %d lines: %v", n, err)
	}

	waits, _ := io.Pipe()
	q = newLineQueue(ctx, waits)
	cancel()
	if _, _, _, err := q.take(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait that is ended: %v", err)
	}
}
