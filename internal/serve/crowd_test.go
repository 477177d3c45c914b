package serve

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/repotest"
)

// TestManyAsked holds that requests are read no faster than they are answered, by their number and their bytes, and that one which is called off
// makes room.
func TestManyAsked(t *testing.T) {
	p := &pipe{out: io.Discard, open: map[string]int{}, fewer: make(chan struct{}, 1)}
	few := func() bool { return len(p.open) < 3 && p.held <= 100 }
	came := make(chan int)
	go func() {
		for i := range 5 {
			p.wait(t.Context(), func() bool { return true }, few)
			p.asked(fmt.Appendf(nil, `{"id":%d,"method":"ping"}`, i))
			came <- i
		}
	}()
	for range 3 {
		<-came
	}
	select {
	case i := <-came:
		t.Errorf("request %d is read though three are open", i)
	case <-time.After(50 * time.Millisecond):
	}
	if _, err := p.Write([]byte(`{"id":1,"result":{}}`)); err != nil {
		t.Error(err)
	}
	<-came
	p.asked([]byte(`{"method":"notifications/cancelled","params":{"requestId":0}}`))
	<-came
	if len(p.open) != 3 || p.held != 3*len(`{"id":0,"method":"ping"}`) {
		t.Errorf("%d requests are open, of %d bytes", len(p.open), p.held)
	}
}

// served answers over HTTP by a crowd that a test looks at.
func served(t *testing.T) (c *crowd, address, token string) {
	t.Helper()
	_, x := started(t, repotest.New(t, town).Dir)
	c, token = newCrowd(), "0123456789abcdef0123"
	s := httptest.NewUnstartedServer(nil)
	address = s.Listener.Addr().String()
	s.Config.Handler = x.handler(address, token, c)
	s.Start()
	t.Cleanup(s.Close)
	return c, address, token
}

// TestBodiesThatHang holds that a request is answered while more than may be read at once do not come to their end, that who has no token takes
// no place, and that of those that hang the first is given up.
func TestBodiesThatHang(t *testing.T) {
	c, address, token := served(t)
	hang := func(shown string) net.Conn {
		t.Helper()
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n{", address, shown, maxRequest)
		return conn
	}
	status := func(conn net.Conn) string {
		t.Helper()
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	if got := status(hang(token + "4")); !strings.Contains(got, "401") {
		t.Errorf("without the token: %s", got)
	}
	first := hang(token)
	c.until(func() bool { return len(c.reading) == 1 && c.held == 1 })
	for range maxReading {
		hang(token)
	}
	if got := status(first); !strings.Contains(got, "408") {
		t.Errorf("the first: %s", got)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		t.Errorf("among those that hang: %s", got.Status)
	}
}

// until waits for what becomes of a crowd.
func (c *crowd) until(holds func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !holds() {
		c.fewer.Wait()
	}
}

// TestRoomOfBodies holds that what has come takes room, and no more than there is: who is short of some gets it of the request that holds most and is not
// whole; one that is whole keeps its own.
func TestRoomOfBodies(t *testing.T) {
	c := newCrowd()
	var cut []string
	enter := func(name string) *arrival { return c.enter(func() { cut = append(cut, name) }) }
	whole := enter("whole")
	if !c.grow(whole, maxUnanswered/2) || !c.whole(whole) {
		t.Fatal("the first is refused")
	}
	hoards, more := enter("hoards"), enter("more")
	for range 4 {
		if !c.grow(hoards, maxUnanswered/16) || !c.grow(more, maxUnanswered/16) {
			t.Fatal("those that fit are refused")
		}
	}
	honest := enter("honest")
	if !c.grow(honest, 300) || !c.whole(honest) {
		t.Error("the honest one is refused")
	}
	if len(cut) != 1 || c.grow(hoards, 1) == c.grow(more, 1) || c.held > maxUnanswered {
		t.Errorf("given up: %q; %d bytes are held", cut, c.held)
	}
	// Where whole ones hold all, the next waits until one is answered.
	for _, a := range []*arrival{hoards, more, honest} {
		c.leave(a)
	}
	if full := enter("full"); !c.grow(full, maxUnanswered-c.held) || !c.whole(full) {
		t.Error("what just fits is refused")
	}
	waits, grew := enter("waits"), make(chan bool)
	go func() { grew <- c.grow(waits, 1) }()
	c.leave(whole)
	if !<-grew || len(cut) != 1 {
		t.Errorf("the one that waited is refused: %q", cut)
	}
}
