package store_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
)

// members makes an archive of n files; those whose number edited answers true for have
// other content in each round.
func members(n, round int, edited func(int) bool) []object.Member {
	out := make([]object.Member, n)
	for i := range out {
		r := 0
		if edited(i) {
			r = round
		}
		body := fmt.Appendf(nil, "package p%d // round %d\n", i, r)
		body = append(body, bytes.Repeat([]byte("func f() {}\n"), 20)...)
		out[i] = object.Member{
			Path:   fmt.Sprintf("pkg/dir%d/sub%d/file_number_%d.go", i%97, i%1009, i),
			SHA256: object.FileHash(body),
			Open:   func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil },
		}
	}
	return out
}

func record(tb testing.TB, path string, o store.Options, run string, files []object.Member) object.Report {
	tb.Helper()
	ctx := context.Background()
	resolver, err := object.Workflow("machine", "repository", "/github/workspace")
	if err != nil {
		tb.Fatal(err)
	}
	t, st, note, err := store.Resume(ctx, path, o, store.Session{ID: "pr-1", Resolver: resolver, Root: "/github/workspace"})
	if err != nil || note != "" {
		tb.Fatal(note, err)
	}
	report, err := t.Record(ctx, object.Handover{Run: object.Run{ID: run, Commit: "c0ffee", Handed: true}, Files: files, Guide: "guide"})
	if err != nil {
		tb.Fatal(err)
	}
	if err := st.Close(); err != nil {
		tb.Fatal(err)
	}
	return report
}

// BenchmarkRun is whole runs: opening the store, resuming the thread, recording, closing. On a
// machine that others use, cpu-s/op is the figure to look at.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{5_000, 100_000} {
		for _, keep := range []int64{0, 1 << 20} {
			first := members(n, 1, func(int) bool { return false })
			second := members(n, 2, func(i int) bool { return i%100 == 0 })
			name := fmt.Sprintf("objects=%d/keep=%d", n, keep)
			b.Run(name+"/first", func(b *testing.B) {
				cpu := cpuSeconds()
				defer func() { b.ReportMetric((cpuSeconds()-cpu)/float64(b.N), "cpu-s/op") }()
				for i := range b.N {
					path := filepath.Join(b.TempDir(), fmt.Sprint(i))
					record(b, path, store.Options{KeepFiles: keep}, "1", first)
					in, err := os.Stat(path)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(in.Size())/1e6, "MB")
				}
			})
			b.Run(name+"/second", func(b *testing.B) {
				path := filepath.Join(b.TempDir(), "db")
				record(b, path, store.Options{KeepFiles: keep}, "1", first)
				b.ResetTimer()
				var used float64
				defer func() { b.ReportMetric(used/float64(b.N), "cpu-s/op") }()
				for i := range b.N {
					if i > 0 {
						b.StopTimer()
						record(b, path, store.Options{KeepFiles: keep}, fmt.Sprint("back", i), first)
						b.StartTimer()
					}
					cpu := cpuSeconds()
					if r := record(b, path, store.Options{KeepFiles: keep}, fmt.Sprint("run", i), second); r.Updated != n/100 {
						b.Fatal(r)
					}
					used += cpuSeconds() - cpu
				}
			})
		}
	}
}
