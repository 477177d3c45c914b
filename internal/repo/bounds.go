package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport/client"
	"github.com/go-git/go-git/v5/plumbing/transport/http"
)

const (
	// maxAdvertised bounds the list of references that a server begins with: 800,000
	// of them. The busiest repositories, with two for each pull request, have half.
	maxAdvertised = 64 << 20
	// stall is how long a server may send nothing. git's own sends a sign of life
	// every five seconds while it packs.
	stall = time.Minute
)

// bounds of what a server may answer. Zero stands for the constant.
type bounds struct {
	advertised, pack int64
	stall            time.Duration
}

type boundsKey struct{}

func withBounds(ctx context.Context, b bounds) context.Context {
	return context.WithValue(ctx, boundsKey{}, b)
}

// bounded makes go-git's client one whose answers are bounded. go-git has one
// client for all of a program, and this package alone uses it.
var bounded = sync.OnceFunc(func() {
	c := http.NewClient(&nethttp.Client{Transport: &boundedTransport{nethttp.DefaultTransport}})
	client.InstallProtocol("http", c)
	client.InstallProtocol("https", c)
})

// boundedTransport bounds each answer in bytes and in time without progress.
type boundedTransport struct{ base nethttp.RoundTripper }

func (t *boundedTransport) RoundTrip(r *nethttp.Request) (*nethttp.Response, error) {
	b, _ := r.Context().Value(boundsKey{}).(bounds)
	patience := cmp.Or(b.stall, stall)
	most, what := cmp.Or(b.pack, maxPack+maxPack/16), "the server sends a pack without end"
	if strings.HasSuffix(r.URL.Path, "/info/refs") {
		most, what = cmp.Or(b.advertised, maxAdvertised), "the server lists references without end"
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	silent := &silentError{patience}
	watch := time.AfterFunc(patience, func() { cancel(silent) })
	resp, err := t.base.RoundTrip(r.WithContext(ctx))
	watch.Stop()
	if err != nil {
		if context.Cause(ctx) == error(silent) {
			err = silent
		}
		cancel(nil)
		return nil, err
	}
	resp.Body = &boundedBody{
		body: resp.Body, left: most, over: &TooLargeError{what, most},
		wait:  func() { watch.Reset(patience) },
		done:  func() { watch.Stop() },
		cause: func() error { return context.Cause(ctx) },
		end:   func() { watch.Stop(); cancel(nil) },
	}
	return resp, nil
}

// silentError is a server that sends nothing. It is not asked again.
type silentError struct{ after time.Duration }

func (e *silentError) Error() string { return fmt.Sprintf("the server sent nothing for %s", e.after) }

// boundedBody is an answer's body.
type boundedBody struct {
	body  io.ReadCloser
	left  int64
	over  error
	wait  func() // begins to wait for the server, whose silence alone counts
	done  func()
	cause func() error
	end   func()
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, b.over
	}
	b.wait()
	n, err := b.body.Read(p[:min(int64(len(p)), b.left)])
	b.done()
	b.left -= int64(n)
	var silent *silentError
	if err != nil && err != io.EOF && errors.As(b.cause(), &silent) {
		err = silent
	}
	return n, err
}

func (b *boundedBody) Close() error {
	b.end()
	return b.body.Close()
}
