package secret

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSmoke(t *testing.T) {
	t0 := time.Now()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Log("new", time.Since(t0), len(s.table.rules), len(s.table.patterns), len(s.table.auto.out), s.table.auto.width)
	t0 = time.Now()
	New()
	t.Log("new", time.Since(t0))
	root := os.Getenv("SMOKE")
	if root == "" {
		return
	}
	var total int64
	var dur time.Duration
	counts := map[string]int{}
	var ex []string
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return nil
		}
		b, _ := os.ReadFile(p)
		if strings.Contains(string(b[:min(len(b), 4096)]), "\x00") {
			return nil
		}
		total += int64(len(b))
		t1 := time.Now()
		f, err := s.Scan(p[len(root):], b, nil)
		dur += time.Since(t1)
		if err != nil {
			ex = append(ex, "ERR "+p+" "+err.Error())
		}
		for _, f := range f {
			counts[f.Rule]++
			a := max(0, f.Start-60)
			z := min(len(b), f.End+20)
			ex = append(ex, fmt.Sprintf("%s %s:%d [%s] <<%.80q>> in %q", f.Rule, p[len(root):], f.Line, "", b[f.Start:f.End], b[a:z]))
		}
		return nil
	})
	t.Log(total, dur, float64(total)/1e6/dur.Seconds(), "MB/s")
	n := 0
	for r, c := range counts {
		t.Log(r, c)
		n += c
	}
	t.Log("total", n)
	os.WriteFile("/tmp/smoke.txt", []byte(strings.Join(ex, "\n")), 0o644)
}
