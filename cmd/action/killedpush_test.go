//go:build unix

package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/haversack-dev/haversack/internal/registry/registrytest"
)

// TestKilledPush kills the process of a push at each of its requests in turn: the branch's tag names what it did, no tag names
// half of an artifact, and made again the push is whole.
func TestKilledPush(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program again and again")
	}
	const name = "quay/berths"
	points, step, least := 0, 4, 5
	if os.Getenv("HAVERSACK_PEERS") == "require" {
		step, least = 1, 10
	}
	for at := 1; ; at += step {
		dir := grown(t, 3)
		s := registrytest.New(t)
		push := []string{"--pack", "both", "--push", "oci://" + s.Host + "/" + name}
		if said, err := started(t.Context(), dir, push...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		old := s.Tags()[name+":main"]
		if err := os.WriteFile(filepath.Join(dir, "src", "new.ts"), []byte("export const berth = 9\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		git := exec.Command("git", "-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "--all", "--message", "three")
		if out, err := exec.Command("git", "-C", dir, "add", "--all").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		s.Requests()
		var process atomic.Pointer[os.Process]
		kill := func(n int, _ http.ResponseWriter, _ *http.Request) bool {
			if n != at {
				return false
			}
			if err := process.Load().Kill(); err != nil {
				t.Error(err)
			}
			panic(http.ErrAbortHandler)
		}
		cmd := started(t.Context(), dir, push...)
		s.Hold(func() {
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			process.Store(cmd.Process)
			s.Before = kill
		})
		if cmd.Wait() == nil {
			break // it has fewer requests
		}
		points++
		if now := s.Tags()[name+":main"]; now != old {
			t.Errorf("killed at request %d: main names %s, which was %s", at, now, old)
		}
		for tag := range s.Tags() {
			if lack := s.Whole(name, strings.TrimPrefix(tag, name+":")); lack != "" {
				t.Errorf("killed at request %d: %s lacks %s", at, tag, lack)
			}
		}
		s.Hold(func() { s.Before = nil })
		if said, err := started(t.Context(), dir, push...).CombinedOutput(); err != nil || s.Tags()[name+":main"] == old || s.Whole(name, "main") != "" {
			t.Errorf("made again: %v\n%s", err, said)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("killed at %d points", points)
	if points < least {
		t.Errorf("a push was killed at %d points only", points)
	}
}

// TestKilledFleet kills the process of a fleet in its midst, again and again, and has it go on: no repository is packed twice, none
// is lost.
func TestKilledFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program again and again")
	}
	n, step := 24, 7
	if os.Getenv("HAVERSACK_PEERS") == "require" {
		n, step = 200, 61
	}
	dir := t.TempDir()
	var names []string
	for i := range n {
		at := filepath.Join(dir, fmt.Sprintf("dory-%03d", i))
		names = append(names, filepath.Base(at))
		if i == 0 {
			if err := os.Rename(grown(t, 2), at); err != nil {
				t.Fatal(err)
			}
		} else if err := os.CopyFS(at, os.DirFS(filepath.Join(dir, names[0]))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "list.txt"), []byte("./"+strings.Join(names, "\n./")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	packed := map[string]int{}
	states := filepath.Join(dir, "fleet.haversack", "*", "fleet.state.json")
	for kills := 0; ; kills++ {
		cmd := started(t.Context(), dir, "fleet", "list.txt", "--pack", "none", "--base", "none")
		said, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		now := 0
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if _, rest, ok := strings.Cut(lines.Text(), " of "); ok && strings.HasSuffix(rest, ": packed") {
				_, name, _ := strings.Cut(strings.TrimSuffix(rest, ": packed"), ": ")
				packed[strings.TrimPrefix(name, "./")]++
				if now++; now == step {
					if err := cmd.Process.Kill(); err != nil {
						t.Error(err)
					}
				}
			}
		}
		if err := cmd.Wait(); err == nil {
			if kills < 2 {
				t.Errorf("the fleet was killed %d times", kills)
			}
			break
		}
		if kills > n/step+1 {
			t.Fatal("the fleet does not end")
		}
	}
	if done, err := filepath.Glob(states); err != nil || len(done) != n {
		t.Errorf("%d of %d repositories are done: %v", len(done), n, err)
	}
	for _, name := range names {
		if packed[name] > 1 {
			t.Errorf("%s was packed %d times", name, packed[name])
		}
	}
	if said, err := started(t.Context(), dir, "fleet", "list.txt", "--pack", "none", "--base", "none").CombinedOutput(); err != nil || strings.Count(string(said), ": unchanged") != n {
		t.Errorf("run again: %v\n%s", err, said)
	}
}
