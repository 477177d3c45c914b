package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxRequest bounds one request, in bytes.
const maxRequest = 4 << 20

// maxOpen bounds the requests on standard input that are read and not answered yet, maxAsked their bytes; what follows is read when they are.
const (
	maxOpen  = 256
	maxAsked = 4 * maxRequest
)

// Stdio answers requests, a line each, until in ends or ctx does. One that is longer than maxRequest is refused, as is what is none, and
// those behind it are answered all the same; so are those that stand before the end of in.
func (x *Server) Stdio(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	p := &pipe{out: out, open: map[string]int{}, fewer: make(chan struct{}, 1)}
	working := func() bool { return len(x.busy) > 0 }
	from, to := io.Pipe()
	go func() {
		err := bounded(in, func(line []byte) error {
			if _, err := jsonrpc.DecodeMessage(bytes.TrimSpace(line)); err != nil {
				return refuse(p, line, codeNone, "this line is no request of JSON-RPC 2.0: one a line, as in {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
			}
			p.wait(ctx, working, func() bool { return len(p.open) < maxOpen && p.held <= maxAsked-len(line) })
			p.asked(line)
			_, err := to.Write(line)
			return err
		}, p)
		p.wait(ctx, working, func() bool { return len(p.open) == 0 })
		to.CloseWithError(err)
	}()
	err := x.MCP().Run(ctx, &mcp.IOTransport{Reader: from, Writer: p, MaxLineLength: 2 * maxRequest})
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

// pipe writes whole messages, and knows which requests are not answered yet.
type pipe struct {
	mu   sync.Mutex
	out  io.Writer
	open map[string]int // bytes of requests, by id
	held int            // of all of them
	// fewer is told when one is answered.
	fewer chan struct{}
}

// message is what a pipe looks at in one.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

// asked notes a request. One that is called off need not be answered.
func (p *pipe) asked(line []byte) {
	var m message
	// What is no message the protocol's server refuses.
	_ = json.Unmarshal(line, &m)
	switch {
	case m.Method == "notifications/cancelled":
		p.done(m.Params.RequestID)
	case m.Method != "" && len(m.ID) > 0:
		p.mu.Lock()
		id := plain(m.ID)
		p.held += len(line) - p.open[id]
		p.open[id] = len(line)
		p.mu.Unlock()
	}
}

// done notes that a request needs no answer any more.
func (p *pipe) done(id json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := plain(id)
	p.held -= p.open[name]
	delete(p.open, name)
	select {
	case p.fewer <- struct{}{}:
	default:
	}
}

// plain is an id as it is written in one way.
func plain(id json.RawMessage) string {
	var v any
	if json.Unmarshal(id, &v) != nil {
		return string(id)
	}
	return fmt.Sprintf("%T %v", v, v)
}

// wait waits until few enough requests are open, ctx ends, or none is worked at: what is no request gets no answer.
func (p *pipe) wait(ctx context.Context, working, few func() bool) {
	for {
		p.mu.Lock()
		enough := few()
		p.mu.Unlock()
		if enough {
			return
		}
		select {
		case <-p.fewer:
		case <-ctx.Done():
			return
		case <-time.After(graceTime):
			if !working() {
				return
			}
		}
	}
}

func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	n, err := p.out.Write(b)
	p.mu.Unlock()
	var m message
	if json.Unmarshal(b, &m) == nil && m.Method == "" {
		p.done(m.ID)
	}
	return n, err
}

func (p *pipe) Close() error { return nil }

// bounded passes lines on, but for those that are too long: these are answered with an error.
func bounded(in io.Reader, take func(line []byte) error, answers io.Writer) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	var line []byte
	long := 0
	for {
		part, err := lines.ReadSlice('\n')
		if long += len(part); long <= maxRequest {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long > maxRequest {
			if err := refuse(answers, line, codeLong, fmt.Sprintf("the request has more than %d bytes: ask for less", maxRequest)); err != nil {
				return err
			}
		} else if len(bytes.TrimSpace(line)) > 0 {
			if err := take(line); err != nil {
				return err
			}
		}
		if line, long = line[:0], 0; err != nil {
			return err
		}
	}
}

// Codes of JSON-RPC: a request that is refused, and what is none.
const (
	codeLong = -32600
	codeNone = -32700
)

// refuse answers a request, of which line is at least the begin, with an error.
func refuse(answers io.Writer, line []byte, code int, why string) error {
	said, err := json.Marshal(why)
	if err == nil {
		_, err = fmt.Fprintf(answers, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", idOf(line), code, said)
	}
	return err
}

// idOf is the id of a request that was read in part, null where it is not in it.
func idOf(begin []byte) string {
	d := json.NewDecoder(bytes.NewReader(begin))
	deep, key := 0, false
	name := ""
	for {
		t, err := d.Token()
		if err != nil {
			return "null"
		}
		switch v := t.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				deep++
			} else {
				deep--
			}
			key = deep == 1
			continue
		case string:
			if deep == 1 && key {
				name, key = v, false
				continue
			}
		}
		if deep == 1 && name == "id" {
			if _, truth := t.(bool); truth {
				return "null"
			}
			if b, err := json.Marshal(t); err == nil {
				return string(b)
			}
		}
		key = deep == 1
	}
}
