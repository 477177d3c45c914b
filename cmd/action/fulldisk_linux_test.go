package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// talk are events of reads of so many files from a place on, of half a megabyte that hardly compresses.
func talk(from, n int) string {
	words := strings.Fields("plank mast tide anchor rope deck hull keel buoy gauge")
	rng := rand.New(rand.NewPCG(7, uint64(from)))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"event":"read","path":"deck/%d.txt","content":"`, from+i)
		for range 50_000 {
			fmt.Fprintf(&b, "%s%d ", words[rng.IntN(len(words))], rng.IntN(100_000))
		}
		b.WriteString("\"}\n")
	}
	return b.String()
}

// TestFullDisk fills the disk that a thread is kept on: the event is refused with the reason, what was answered as done stays, and once
// there is room again the next is taken.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("mounts a disk")
	}
	dir := grown(t, 1)
	disk := filepath.Join(dir, ".stan", "session")
	if err := os.MkdirAll(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("mounting a disk: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	done := 0
	for ; ; done++ {
		list, said, code := told(t, dir, "cog", talk(done, 1))
		if code == 0 && done < 40 {
			continue
		}
		if code != 1 || !strings.Contains(said, "no space left") || len(list) != 1 || list[0].OK || !strings.Contains(list[0].Error, "there is no space left") {
			t.Fatalf("after %d events: %+v, exit %d: %.500s", done, list, code, said)
		}
		break
	}
	if got := objectsOf(t, dir, "cog"); len(got) != done {
		t.Errorf("%d events are done, and %d files there", done, len(got))
	}
	if left, err := filepath.Glob(filepath.Join(disk, "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=32m"); err != nil {
		t.Fatal(err)
	}
	if list, said, code := told(t, dir, "cog", talk(100, 1)); code != 0 || len(list) != 1 || !list[0].OK {
		t.Errorf("with room again: %+v, exit %d: %s", list, code, said)
	}
}
