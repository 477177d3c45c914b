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

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxRequest bounds one request, in bytes.
const maxRequest = 4 << 20

// Stdio answers requests, a line each, until in ends or ctx does. One that is longer than maxRequest is refused, and those behind it are
// answered all the same.
func (x *Server) Stdio(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	w := &lineWriter{out: out}
	from, to := io.Pipe()
	go func() { to.CloseWithError(bounded(in, to, w)) }()
	err := x.MCP().Run(ctx, &mcp.IOTransport{Reader: from, Writer: w, MaxLineLength: 2 * maxRequest})
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

// lineWriter writes whole messages, of the protocol's server and of who refuses requests.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(b)
}

func (w *lineWriter) Close() error { return nil }

// bounded copies lines, but for those that are too long: these are answered with an error.
func bounded(in io.Reader, to io.Writer, answers io.Writer) error {
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
			refusal := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"the request has more than %d bytes: ask for less"}}`+"\n", idOf(line), maxRequest)
			if _, err := io.WriteString(answers, refusal); err != nil {
				return err
			}
		} else if len(bytes.TrimSpace(line)) > 0 {
			if _, err := to.Write(line); err != nil {
				return err
			}
		}
		if line, long = line[:0], 0; err != nil {
			return err
		}
	}
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
			if b, err := json.Marshal(t); err == nil {
				return string(b)
			}
		}
		key = deep == 1
	}
}
