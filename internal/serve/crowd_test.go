package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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

// slowBody is a body that tells when it is read, and ends when it may.
type slowBody struct{ began, may chan struct{} }

func (b slowBody) Read([]byte) (int, error) {
	b.began <- struct{}{}
	<-b.may
	return 0, io.EOF
}

// TestBodiesAtOnce holds that no more requests over HTTP are read at once than there are places, and that who has no token has none.
func TestBodiesAtOnce(t *testing.T) {
	const address, token = "127.0.0.1:1", "0123456789abcdef0123"
	_, x := started(t, repotest.New(t, town).Dir)
	h := x.Handler(address, token)
	ask := func(ctx context.Context, shown string, body io.Reader) int {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "http://"+address, body).WithContext(ctx)
		r.Header.Set("Authorization", "Bearer "+shown)
		h.ServeHTTP(w, r)
		return w.Code
	}
	slow := slowBody{make(chan struct{}), make(chan struct{})}
	done := make(chan int, maxAtOnce)
	for range maxAtOnce {
		go func() { done <- ask(t.Context(), token, slow) }()
		<-slow.began
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	ask(late, token, slow) // reads nothing: nobody waits for what it tells
	if code := ask(t.Context(), token+"4", slow); code != http.StatusUnauthorized {
		t.Errorf("without the token: %d", code)
	}
	close(slow.may)
	for range maxAtOnce {
		<-done
	}
}
