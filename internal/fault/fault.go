// Package fault breaks the answers of an HTTP server in the ways that networks
// and the servers of others break them. It is for tests.
package fault

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
)

// Fault is what goes wrong with one request.
type Fault struct {
	// Done lets the server do the work before the fault.
	Done bool
	// Status, Header and Body are answered instead. Status 0 is 200.
	Status int
	Header http.Header
	Body   string
	// Short states a length that is longer than what is sent.
	Short bool
	// Reset breaks the connection, after reading so many bytes of the body.
	Reset bool
	Read  int64
	// Hang answers nothing until the client has gone.
	Hang bool
}

// Serve does what the fault says instead of next.
func (f *Fault) Serve(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	if f.Done {
		next(httptest.NewRecorder(), r)
	}
	if f.Reset {
		_, _ = io.CopyN(io.Discard, r.Body, f.Read)
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // a reset, not an end
			}
			_ = conn.Close()
		}
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	if f.Hang {
		<-r.Context().Done()
		return
	}
	for k, v := range f.Header {
		w.Header()[k] = v
	}
	if f.Short {
		w.Header().Set("Content-Length", strconv.Itoa(len(f.Body)+100))
	}
	w.WriteHeader(max(f.Status, 200))
	_, _ = io.WriteString(w, f.Body)
}
