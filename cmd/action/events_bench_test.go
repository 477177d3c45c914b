//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// BenchmarkLargeEvents records b.N events of a megabyte of words each, as fast as they are taken: time an event, and the most memory
// that the program had. No two are alike, and each takes little room in the store.
func BenchmarkLargeEvents(b *testing.B) {
	dir := grown(b, 3)
	cmd := started(b.Context(), dir, "session", "record", "--session", "barge")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	b.SetBytes(1 << 20)
	b.ResetTimer()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	go func() {
		defer in.Close()
		for i := range b.N {
			word := fmt.Sprintf("plank %d of the deck, ", i)
			if _, err := fmt.Fprintf(in, `{"event":"read","path":"deck/%05d.txt","content":"%s"}`+"\n", i, strings.Repeat(word, 1<<20/len(word))); err != nil {
				return // the program has ended, and says why
			}
		}
	}()
	answers := 0
	for lines := bufio.NewReader(out); ; answers++ {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		if err != nil || !strings.Contains(line, `"ok":true`) {
			b.Fatalf("%v: %s", err, line)
		}
	}
	if err := cmd.Wait(); err != nil || answers != b.N {
		b.Fatalf("%d of %d answers: %v", answers, b.N, err)
	}
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		b.ReportMetric(float64(used.Maxrss)/1024, "MiB")
	}
}
