package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestUnasked holds that what a server sends without being asked is no command in the log, where a part of a line may be one: the HTTP
// library's own line about it is not printed, and an error that quotes it, as the next request may take it for its answer, is escaped.
func TestUnasked(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if _, err := c.Read(make([]byte, 4<<10)); err == nil {
					_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDocker-Content-Digest: sha256:%064x\r\nContent-Length: 0\r\n\r\n%s", 10, strings.Repeat("##[error]unasked\r\n", 3))
					_, _ = io.Copy(io.Discard, c)
				}
			}()
		}
	}()
	for range 3 { // it is a race whether the library sees the words in time to print them
		cmd := exec.CommandContext(t.Context(), os.Args[0], "pull", "oci://"+l.Addr().String()+"/a/b:main")
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), asProgram+"=1", "GITHUB_ACTIONS=true")
		said, err := cmd.CombinedOutput()
		if err == nil || bytes.Contains(said, []byte("##[")) || bytes.Contains(said, []byte("Unsolicited")) || !bytes.Contains(said, []byte("/a/b:main: ")) {
			t.Errorf("%v: %s", err, said)
		}
	}
}
