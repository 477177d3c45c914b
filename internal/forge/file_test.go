package forge

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/fault"
	"github.com/haversack-dev/haversack/internal/forge/forgetest"
)

// TestFile reads files of another repository of the owner's, and what stands in their place.
func TestFile(t *testing.T) {
	s := forgetest.Start(t)
	long := strings.Repeat("0123456789", 200)
	s.Files = map[string]string{"octo/.github/.github/short.yml": "mode: full\n", "octo/.github/.github/long.yml": long, "octo/.github/.github/empty.yml": "",
		"octo/.github/.github/vast.yml": strings.Repeat(long, 600), "octo/.github/folder/in/it.yml": "x"}
	c, err := New(s.URL, "octo/.github", forgetest.Token)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, want string
		is         error
	}{
		{".github/short.yml", "mode: full\n", nil},
		{".github/long.yml", long, nil},
		{".github/empty.yml", "", nil},
		{".github/absent.yml", "", ErrNotFound},
		{"folder/in", "", ErrNoFile},
		{".github/vast.yml", "", ErrNoFile},
	} {
		got, err := c.File(t.Context(), test.name, 2000)
		if string(got) != test.want || !errors.Is(err, test.is) || err != nil && !strings.HasPrefix(err.Error(), "reading "+test.name+" of octo/.github: ") {
			t.Errorf("%s: %.20q, %v", test.name, got, err)
		}
	}
	clean(t, s)
	if _, err := c.File(t.Context(), ".github/long.yml", 1999); !errors.Is(err, ErrNoFile) || !strings.Contains(err.Error(), "2000 bytes, allowed are 1999") {
		t.Errorf("a byte over: %v", err)
	}
}

// TestFileFaults has the server answer otherwise: what is said of it, how often it is asked, and never the token.
func TestFileFaults(t *testing.T) {
	answer := func(body string) *fault.Fault { return &fault.Fault{Body: body} }
	for _, test := range []struct {
		name  string
		f     *fault.Fault
		want  string
		is    error
		tries int
	}{
		{"refused", &fault.Fault{Status: 403, Body: `{"message":"no, ` + forgetest.Token + `"}`}, "(403)", ErrRefused, 1},
		{"broken for a while", &fault.Fault{Status: 502}, "502", nil, 2},
		{"gone", &fault.Fault{Status: 410, Body: `{"message":"gone"}`}, "(410)", ErrNotFound, 1},
		{"cut short", &fault.Fault{Short: true, Body: `{"type":"file"`}, "EOF", nil, 2},
		{"reset", &fault.Fault{Reset: true}, "", nil, 2},
		{"no JSON", answer("<html>"), "no JSON", nil, 2},
		{"a submodule", answer(`{"type":"submodule","size":0}`), "", ErrNoFile, 1},
		{"base64 that is none", answer(`{"type":"file","size":3,"encoding":"base64","content":"???"}`), "holds no content", nil, 1},
		{"no content", answer(`{"type":"file","size":3,"encoding":"base64"}`), "holds no content", nil, 1},
		{"longer than it says", answer(`{"type":"file","size":1,"encoding":"","content":"` + strings.Repeat("x", 3000) + `"}`), "3000 bytes, allowed are 2000", ErrNoFile, 1},
		{"elsewhere", &fault.Fault{Status: 302, Header: http.Header{"Location": {"http://127.0.0.1:1/x"}}}, "302", nil, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := forgetest.Start(t)
			s.Fault = func(forgetest.Call) *fault.Fault { return test.f }
			c, _ := client(t, s)
			c.Tries = 2
			got, err := c.File(t.Context(), "a.yml", 2000)
			if err == nil || got != nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) || strings.Contains(err.Error(), forgetest.Token) {
				t.Errorf("%q, %v", got, err)
			}
			if n := len(s.Calls()); n != test.tries {
				t.Errorf("asked %d times, want %d", n, test.tries)
			}
			if errors.Is(err, ErrUnreached) {
				t.Errorf("a server that answers cannot be reached: %v", err)
			}
		})
	}
	c, err := New("http://127.0.0.1:1", "octo/.github", "")
	if err != nil {
		t.Fatal(err)
	}
	c.Tries = 1
	if _, err := c.File(t.Context(), "a.yml", 10); !errors.Is(err, ErrUnreached) {
		t.Errorf("nobody listens: %v", err)
	}
}
