package pack

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

// scanned takes a snapshot of a folder as a run does, and tells how long it took.
func scanned(t testing.TB, dir string) (*scan.Snapshot, time.Duration) {
	t.Helper()
	start := time.Now()
	root, err := tree.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	scanner, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	spool := tree.NewSpool(t.TempDir())
	t.Cleanup(func() { spool.Close() })
	screener := &scan.Screener{Scanner: scanner, Given: new(secret.KnownValues), Policy: scan.Redact}
	search := &scan.Search{Root: root, Rules: scan.Rules{Stan: ".stan", Under: ".", Untracked: true}, Screener: screener, Spool: spool}
	found, err := search.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := screener.Seal(context.Background(), spool, found.Known, found, scan.Request{})
	if err != nil {
		t.Fatal(err)
	}
	snap := &sealed.Snapshot
	return snap, time.Since(start)
}

// Packs of the repositories in the folders of HAVERSACK_CORPUS (as in PATH):
// valid, under their limits, and made in a fifth of what the scan takes.
func TestCorpus(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("HAVERSACK_CORPUS"))
	if len(dirs) == 0 {
		if os.Getenv("HAVERSACK_PEERS") == "require" {
			t.Fatal("HAVERSACK_CORPUS names no repositories")
		}
		t.Skip("set HAVERSACK_CORPUS to folders of repositories, parted by colons")
	}
	fullSchema, summarySchema := schema(t, "full.schema.json"), schema(t, "summary.schema.json")
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			snap, took := scanned(t, dir)
			src := &Source{Snapshot: snap, Limits: Defaults(), Name: filepath.Base(dir)}
			start := time.Now()
			sel, err := NewBuilder(src).Select()
			if err != nil {
				t.Fatal(err)
			}
			selecting := time.Since(start)
			start = time.Now()
			sum, err := NewBuilder(src).Summary(sel.Reason)
			if err != nil {
				t.Fatal(err)
			}
			b := summaryJSON(t, sum)
			summing := time.Since(start)
			start = time.Now()
			full, err := NewBuilder(src).Full(sel.Reason)
			if err != nil {
				t.Fatal(err)
			}
			f := fullJSON(t, full)
			filling := time.Since(start)
			validate(t, summarySchema, b)
			validate(t, fullSchema, f)
			md := render(t, func(w *bytes.Buffer) error { return sum.WriteMarkdown(w) })
			t.Logf("%d files in %v; %s; select %v, summary %v (%d bytes, %d as Markdown), full %v (%d bytes)", len(snap.Files), took.Round(time.Millisecond), sel.Reason,
				selecting.Round(time.Millisecond), summing.Round(time.Millisecond), len(b), len(md), filling.Round(time.Millisecond), len(f))
			if limit := src.Limits.MaxContentBytes; int64(len(b)) > limit || int64(len(md)) > limit || contentSize(full) > limit {
				t.Errorf("a summary of %d bytes (%d as Markdown) and a full pack of %d bytes of content, limit %d", len(b), len(md), contentSize(full), limit)
			}
			if pack := selecting + max(summing, filling); pack > took/4 { // a fifth of both
				t.Logf("packing took %v, more than a fifth of the run", pack)
			}
			if out := os.Getenv("HAVERSACK_CORPUS_OUT"); out != "" {
				for name, b := range map[string][]byte{".summary.json": b, ".summary.md": md, ".full.json": f} {
					if err := os.WriteFile(filepath.Join(out, filepath.Base(dir)+name), b, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}
