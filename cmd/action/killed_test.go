//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// started makes the command of a run in a process of its own: this test's program as haversack. A run that is killed leaves its
// folder for what only it may see; it lies beside dir, and goes with the test.
func started(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Dir = dir
	temp := filepath.Join(dir, "..", "tmp")
	if err := os.MkdirAll(temp, 0o755); err != nil {
		cmd.Err = err
	}
	cmd.Env = append(os.Environ(), asProgram+"=1", "GIT_CONFIG_GLOBAL=/dev/null", "XDG_CACHE_HOME="+filepath.Join(dir, "..", "cache"), "TMPDIR="+temp)
	return cmd
}

// grown makes a repository of two commits with n files.
func grown(t testing.TB, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "r")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		write(fmt.Sprintf("src/d%d/f%d.ts", i%20, i), fmt.Sprintf("import './f%d'\nexport const a%d = %q\n", (i+20)%n, i, strings.Repeat("text ", 200)))
	}
	git("init", "--quiet", "--initial-branch=main")
	git("add", "--all")
	git("commit", "--quiet", "--message", "one")
	write("src/d0/f0.ts", "export const a0 = 'changed'\n")
	git("commit", "--quiet", "--all", "--message", "two")
	return dir
}

// whole fails where a record is in place and one of the results it tells of is not, or is another.
func whole(t *testing.T, out string) (recorded bool) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(out, "record.json"))
	if os.IsNotExist(err) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Outputs []struct{ Name, SHA256 string }
	}
	if err := json.Unmarshal(b, &record); err != nil {
		t.Fatalf("record.json is half-made: %v", err)
	}
	for _, o := range record.Outputs {
		b, err := os.ReadFile(filepath.Join(out, o.Name))
		if err != nil {
			t.Errorf("the record tells of what is not there: %v", err)
			continue
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != o.SHA256 {
			t.Errorf("%s is not what the record says", o.Name)
		}
	}
	return true
}

// TestKilled kills runs at random moments. What is in place is whole, and the next run makes what it would have made.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program again and again")
	}
	times := 12
	if os.Getenv("HAVERSACK_PEERS") != "" {
		times = 200
	}
	for _, mode := range []string{"full", "context", "meta"} {
		t.Run(mode, func(t *testing.T) {
			dir := grown(t, 300)
			out := filepath.Join(dir, ".stan", "output")
			args := []string{"--mode", mode, "--base", "HEAD~1", "--pack", "summary"}
			began := time.Now()
			if said, err := started(t.Context(), dir, args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			usual := time.Since(began)
			want, err := os.ReadFile(filepath.Join(out, "archive.tar"))
			if err != nil {
				t.Fatal(err)
			}
			if !whole(t, out) {
				t.Fatal("no record")
			}
			r := rand.New(rand.NewPCG(1, 2))
			killed := 0
			for range times {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.Int64N(int64(usual))))
				if started(ctx, dir, args...).Run() != nil {
					killed++
				}
				cancel()
				whole(t, out)
				if t.Failed() {
					return
				}
			}
			t.Logf("%d of %d runs were killed, of %v", killed, times, usual)
			if said, err := started(t.Context(), dir, args...).CombinedOutput(); err != nil {
				t.Fatalf("after that: %v\n%s", err, said)
			}
			got, err := os.ReadFile(filepath.Join(out, "archive.tar"))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("after that the archive is another (%v)", err)
			}
			left, err := filepath.Glob(filepath.Join(out, ".*"))
			if err != nil || len(left) != 1 || filepath.Base(left[0]) != ".gitignore" {
				t.Errorf("left behind: %q (%v)", left, err)
			}
		})
	}
}

// TestTwoAtOnce starts runs side by side, in one folder and on one store.
func TestTwoAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := grown(t, 200)
	out := filepath.Join(dir, ".stan", "output")
	for range 3 {
		var cmds []*exec.Cmd
		var said [2]bytes.Buffer
		for i := range said {
			cmd := started(t.Context(), dir, "--mode", "full", "--session", "s", "--base", "none")
			cmd.Stdout, cmd.Stderr = &said[i], &said[i]
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			cmds = append(cmds, cmd)
		}
		done := 0
		for i, cmd := range cmds {
			if err := cmd.Wait(); err == nil {
				done++
			} else if !strings.Contains(said[i].String(), "haversack:") {
				t.Errorf("%v\n%s", err, said[i].Bytes())
			}
		}
		if done == 0 {
			t.Errorf("neither run ended well:\n%s\n%s", said[0].Bytes(), said[1].Bytes())
		}
		if !whole(t, out) {
			t.Error("no record")
		}
	}
}

// TestDiskFull runs on disks that are full at one write or another: the last run's results stay, whole, or none are.
func TestDiskFull(t *testing.T) {
	if os.Getenv("HAVERSACK_PEERS") == "" {
		t.Skip("mounts file systems: HAVERSACK_PEERS=1, as root")
	}
	if os.Getuid() != 0 {
		t.Fatal("only root mounts file systems")
	}
	dir := grown(t, 100)
	args := []string{"--mode", "context", "--base", "HEAD~1", "--pack", "summary"}
	if said, err := started(t.Context(), dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	needed := 0
	for _, name := range []string{"archive.tar", "archive.diff.tar", "pack.json", "record.json", "context.md"} {
		if info, err := os.Stat(filepath.Join(dir, ".stan", "output", name)); err == nil {
			needed += int(info.Size())
		}
	}
	refused, made := 0, 0
	for size := 16 << 10; size < 3*needed+(1<<20); size += size / 4 {
		disk := t.TempDir()
		mount := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", size), "tmpfs", disk)
		if said, err := mount.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		out := filepath.Join(disk, "out")
		before := false
		for range 2 { // onto nothing, then onto the first run's
			said, err := started(t.Context(), dir, append(args, "--output-dir", out)...).CombinedOutput()
			if err != nil {
				refused++
				if !strings.Contains(string(said), "no space left on device") {
					t.Errorf("%d bytes: %v\n%s", size, err, said)
				}
			} else {
				made++
			}
			if now := whole(t, out); now != (before || err == nil) {
				t.Errorf("%d bytes: a record is there: %v, before: %v, the run: %v", size, now, before, err)
			} else {
				before = now
			}
			if left, _ := filepath.Glob(filepath.Join(out, ".*")); len(left) > 1 {
				t.Errorf("%d bytes: left behind: %q", size, left)
			}
		}
		if said, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	if refused < 5 || made < 2 {
		t.Errorf("%d runs were refused and %d made their results: the sizes say nothing", refused, made)
	}
}

// TestReadOnlyRepository: a thread of a repository that is mounted read-only is kept in the user's cache, and found there again.
func TestReadOnlyRepository(t *testing.T) {
	if os.Getenv("HAVERSACK_PEERS") == "" {
		t.Skip("mounts file systems: HAVERSACK_PEERS=1, as root")
	}
	if os.Getuid() != 0 {
		t.Fatal("only root mounts file systems")
	}
	dir := grown(t, 3)
	for _, args := range [][]string{{"--bind", dir, dir}, {"-o", "remount,bind,ro", dir}} {
		if said, err := exec.Command("mount", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	defer exec.Command("umount", dir).Run()
	record := started(t.Context(), dir, "session", "record", "--session", "ro")
	record.Stdin = strings.NewReader(`{"event":"turn","user":"what is here?","assistant":"three files"}` + "\n")
	said, err := record.CombinedOutput()
	if err != nil || !strings.Contains(string(said), `"ok":true`) || !strings.Contains(string(said), "its thread is kept in the user's cache") {
		t.Fatalf("%v\n%s", err, said)
	}
	if said, err := started(t.Context(), dir, "session", "render", "--session", "ro").CombinedOutput(); err != nil || !strings.Contains(string(said), "assistant: three files") {
		t.Errorf("%v\n%s", err, said)
	}
	if said, err := started(t.Context(), dir, "session", "show", "--session", "other").CombinedOutput(); err == nil || !strings.Contains(string(said), `there is no session "other"`) {
		t.Errorf("%v\n%s", err, said)
	}
	if _, err := os.Stat(filepath.Join(dir, ".stan", "session")); err == nil {
		t.Error("a store lies in the repository")
	}
}
