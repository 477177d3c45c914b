package store_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/haversack-dev/haversack/internal/object"
	"github.com/haversack-dev/haversack/internal/object/store"
)

// Two runs of one pull request: the second finds what the first handed over, and says
// what it hands over itself.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "haversack")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	id := object.RepositoryFilesystemID("https://github.com", "42", "")
	resolver, err := object.Workflow("machine", id, "/github/workspace", "/home/runner/work/p/p")
	if err != nil {
		fmt.Println(err)
		return
	}
	for n, content := range []string{"one", "two"} {
		thread, st, note, err := store.Resume(ctx, filepath.Join(dir, "objects.db"), store.Options{}, store.Session{ID: "pr-7", Resolver: resolver, Root: "/github/workspace"})
		if note != "" {
			fmt.Println("warning:", note)
		}
		if err != nil {
			fmt.Println("without history:", err)
			return
		}
		base, err := thread.Handed(ctx) // for diff.Between
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, m := range base {
			fmt.Println("handed", m.Path, m.SHA256[:8])
		}
		report, err := thread.Record(ctx, object.Handover{
			Run: object.Run{ID: fmt.Sprintf("%d:1", 1000+n), Commit: "c0ffee", Handed: true},
			Files: []object.Member{{Path: "a.go", SHA256: object.FileHash([]byte(content)), Open: func() (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(content)), nil
			}}},
			Known: []string{"b.go"},
			Asked: "pull request 7",
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		unread, err := thread.Unread(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("created %d, updated %d, unchanged %d; unread %q\n", report.Created, report.Updated, report.Unchanged, unread)
		if err := st.Close(); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// created 2, updated 0, unchanged 0; unread ["b.go"]
	// handed a.go 7692c3ad
	// created 0, updated 1, unchanged 1; unread ["b.go"]
}
