package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of what a client over HTTP may do to the server.
const (
	// maxHeader bounds the head of a request, in bytes, and headTime how long it may take.
	maxHeader = 16 << 10
	headTime  = 10 * time.Second
	// idleTime is how long a connection is kept that nothing comes over.
	idleTime = 2 * time.Minute
	// graceTime is how long calls may take to end when the server does.
	graceTime = 2 * time.Second
	// leastToken and MaxToken bound the token, in bytes: one that is shorter is guessed.
	leastToken = 16
	MaxToken   = 4 << 10
	// maxAtOnce is how many requests are answered at once; others wait, whole. bodyTime is how long one may take to be read, and a part of an
	// answer to be taken.
	maxAtOnce = 16
	bodyTime  = 10 * time.Second
)

// Listen opens an address for Serve. Others than those of this machine's loopback are refused.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q: %w; an address is 127.0.0.1:PORT", address, err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%q is no address of this machine alone: use 127.0.0.1:PORT, or [::1]:PORT", address)
	}
	return net.Listen("tcp", address)
}

// CheckToken says what is wrong with a token, nil for nothing.
func CheckToken(token string) error {
	switch {
	case len(token) < leastToken:
		return fmt.Errorf("the token has %d characters, and %d are the least: make one with openssl rand -hex 32", len(token), leastToken)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return errors.New("the token has characters that no header may hold: make one with openssl rand -hex 32")
	}
	return nil
}

// Serve answers over HTTP until ctx ends, whoever shows the token.
func (x *Server) Serve(ctx context.Context, l net.Listener, token string) error {
	s := &http.Server{Handler: x.Handler(l.Addr().String(), token), ReadHeaderTimeout: headTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	// What has not ended by then is cut off.
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	if s.Shutdown(late) != nil {
		_ = s.Close()
	}
	return nil
}

// Handler answers requests for an address of this machine that show the token. To others it says nothing: to those that come from a page
// of another origin, or for another host, as a name that was bound anew to this machine would.
func (x *Server) Handler(address, token string) http.Handler {
	return x.handler(address, token, newCrowd())
}

func (x *Server) handler(address, token string, c *crowd) http.Handler {
	server := x.MCP()
	next := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, MaxRequestBodyBytes: maxRequest, PropagateRequestCancellation: true})
	_, port, _ := net.SplitHostPort(address)
	hosts := map[string]bool{address: true, "localhost:" + port: true}
	shown := sha256.Sum256([]byte("Bearer " + token))
	places := make(chan struct{}, maxAtOnce)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		given := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		switch {
		case !hosts[r.Host], origin != "" && !hosts[strings.TrimPrefix(origin, "http://")]:
			w.WriteHeader(http.StatusForbidden)
		case subtle.ConstantTimeCompare(given[:], shown[:]) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
		default:
			paced := pacedWriter{w}
			paced.extend()
			control := http.NewResponseController(w)
			_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // of a connection; a test's may have none
			a := c.enter(func() { _ = control.SetReadDeadline(time.Now()) })
			defer c.leave(a)
			if !c.read(a, r) {
				w.WriteHeader(http.StatusRequestTimeout)
				return
			}
			_ = control.SetReadDeadline(time.Time{})
			select {
			case places <- struct{}{}:
				defer func() { <-places }()
			case <-r.Context().Done():
				return
			}
			next.ServeHTTP(paced, r)
			paced.extend()
		}
	})
}

// read reads the body of a request, and a byte beyond what one may have; false where it does not come in time, or was given up.
func (c *crowd) read(a *arrival, r *http.Request) bool {
	var body []byte
	part := make([]byte, 8<<10)
	for {
		n, err := r.Body.Read(part)
		n = min(n, maxRequest+1-len(body))
		if !c.grow(a, n) {
			return false
		}
		if body = append(body, part[:n]...); errors.Is(err, io.EOF) || len(body) > maxRequest {
			break
		}
		if err != nil {
			return false
		}
	}
	if !c.whole(a) {
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return true
}
