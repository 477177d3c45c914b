package graph

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
)

// ErrSourceSize says that a source is larger than MaxSource.
var ErrSourceSize = fmt.Errorf("larger than %d bytes", MaxSource)

// ReadSource returns the content of a source, at most MaxSource bytes of it: more are
// an error. A link is followed within the roots.
func ReadSource(s *SourceFile, roots Roots) ([]byte, error) {
	if s.Size > MaxSource {
		return nil, ErrSourceSize
	}
	if s.Mode&fs.ModeSymlink != 0 {
		return roots.ReadFile(s.Path, MaxSource)
	}
	r, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b := make([]byte, 0, s.Size+1)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case len(b) > MaxSource:
			return nil, ErrSourceSize
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, err
		case len(b) == cap(b):
			b = append(b, 0)[:len(b)]
		}
	}
}

// Each calls do for 0 to n-1, on all processors. The error is ctx's.
func Each(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
