//go:build linux

// Package hostile attacks the program as whoever opens a pull request, serves a
// repository or leaves a file in a workspace may. It holds tests alone. Every
// attack is made by its test when it runs; none is stored.
//
// Each attack runs in a process of its own, which is watched: it must end in time,
// within its memory, without a crash, and say what is expected of it.
package hostile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/haversack-dev/haversack/internal/archive"
	"github.com/haversack-dev/haversack/internal/repo"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/secret"
	"github.com/haversack-dev/haversack/internal/tree"
)

var long = flag.Bool("long", false, "run the attacks that take long, too")

// attack is one of them.
type attack struct {
	// class is the row of the table in SECURITY.md.
	class, name string
	// set makes what is attacked with, in an empty folder.
	set func(t *testing.T, dir string)
	// run is what the program does with it. It runs in the process that is watched.
	run func(dir string) (said string, err error)
	// want stands in what run says, or in its error.
	want string
	// seconds and mebibytes that it may take, 60 and 512 if 0. Seconds are over when both the clock and the processors say so,
	// these by the pace of the machine (slowness).
	seconds, mebibytes int
	long               bool
	waits              bool // most of its time it computes nothing: the others run meanwhile
	again              bool // it is measured a second time
}

const chosen = "HAVERSACK_ATTACK"

func TestMain(m *testing.M) {
	name := os.Getenv(chosen)
	if name == "" {
		flag.Parse()
		if testing.Short() { // an attack takes some seconds
			return
		}
		os.Exit(m.Run())
	}
	list := attacks()
	if n, ok := strings.CutPrefix(name, "shapes/"); ok {
		i, err := strconv.Atoi(n)
		if err != nil {
			os.Exit(9)
		}
		list = []attack{shapeAttack(i)}
	}
	if n, ok := strings.CutPrefix(name, "replaced/"); ok {
		var seed uint64
		var count int
		if _, err := fmt.Sscanf(n, "%d-%d", &seed, &count); err != nil {
			os.Exit(9)
		}
		list = []attack{replacedAttack(seed, count)}
	}
	for _, a := range list {
		if a.class+"/"+a.name != name {
			continue
		}
		said, err := a.run(os.Getenv(chosen + "_DIR"))
		if err != nil {
			said += "error: " + err.Error()
		}
		fmt.Println(said)
		fmt.Printf("%s%d\n", peaked, resident("self"))
		os.Exit(0)
	}
	os.Exit(9)
}

func attacks() []attack {
	var all []attack
	for _, list := range [][]attack{objectAttacks(), gitFileAttacks(), globAttacks(), fileAttacks(), sizeAttacks(), wrongAttacks(), networkAttacks(), outputAttacks(), parserAttacks(), resolutionAttacks(), wholeAttacks(), edgeAttacks(), closureAttacks(), storeAttacks(), signatureAttacks(), allowAttacks(), defaultsAttacks()} {
		all = append(all, list...)
	}
	return all
}

// classes are the rows that must not be missing, each with its variants.
var classes = []string{"objects", "history", "index", "git files", "globs", "files", "names", "diff", "size", "wrong", "archive", "outputs", "parser", "resolution", "state", "fetch", "api", "edges", "closures", "store"}

func TestAttacks(t *testing.T) {
	if raced {
		t.Skip("time and memory mean nothing under the race detector")
	}
	seen := map[string]int{}
	var waiting sync.WaitGroup
	run := func(a attack) {
		t.Run(a.class+"/"+a.name, func(t *testing.T) {
			if a.long && !*long && os.Getenv("HAVERSACK_PEERS") == "" {
				t.Skip("takes long: -long, or HAVERSACK_PEERS=1")
			}
			if !a.long && !*long && os.Getenv("HAVERSACK_PEERS") == "require" {
				t.Skip("go test ./... runs it") // and .ci/run checks has done so
			}
			watch(t, a)
		})
	}
	for _, a := range attacks() {
		seen[a.class]++
		if a.waits {
			waiting.Go(func() { run(a) })
		}
	}
	for _, a := range attacks() {
		if !a.waits {
			run(a)
		}
	}
	waiting.Wait()
	for _, c := range classes {
		if seen[c] < 4 {
			t.Errorf("class %q has %d attacks", c, seen[c])
		}
	}
}

// watch runs an attack in a process of its own.
func watch(t *testing.T, a attack) {
	dir := t.TempDir()
	if a.set != nil {
		a.set(t, dir)
	}
	if a.seconds == 0 {
		a.seconds = 60
	}
	if a.mebibytes == 0 {
		a.mebibytes = 512
	}
	// Where others compute beside it, an attack takes longer than it computes. What neither computes nor ends has three times as long.
	limit := time.Duration(a.seconds) * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), 3*limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), chosen+"="+a.class+"/"+a.name, chosen+"_DIR="+dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A runaway is ended before it takes the machine along.
	var peak atomic.Int64
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
				if peak.Store(max(peak.Load(), resident(strconv.Itoa(cmd.Process.Pid)))); peak.Load() > 2*int64(a.mebibytes) {
					cmd.Process.Kill()
				}
			}
		}
	}()
	err := cmd.Wait()
	close(ended)
	took := time.Since(began)
	said, own, _ := strings.Cut(out.String(), peaked)
	if n, err := strconv.ParseInt(strings.TrimSpace(own), 10, 64); err == nil {
		peak.Store(max(peak.Load(), n))
	}
	said = strings.TrimSpace(said)
	if len(said) > 900 && a.class != "replaced" {
		said = said[:900] + "…"
	}
	computed := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	allowed, slow := limit, 1.0
	if computed > limit {
		slow = slowness()
		allowed = time.Duration(float64(limit) * slow)
	}
	t.Logf("%.1f s, %.1f computed, %d MiB: %s", took.Seconds(), computed.Seconds(), peak.Load(), said)
	switch {
	case ctx.Err() != nil:
		t.Errorf("not ended after %d s", 3*a.seconds)
	case took > limit && computed > allowed:
		t.Errorf("ended after %.1f s, of which it computed %.1f; %d are allowed, times %.2f as slow as this machine is", took.Seconds(), computed.Seconds(), a.seconds, slow)
	case peak.Load() > int64(a.mebibytes) && peak.Load() <= int64(a.mebibytes+a.mebibytes/20) && !a.again:
		// How much the heap grows before it is collected depends on what else computes: the lesser of two counts where little is missing.
		a.again = true
		watch(t, a)
	case peak.Load() > int64(a.mebibytes):
		t.Errorf("%d MiB resident, %d are allowed", peak.Load(), a.mebibytes)
	case err != nil:
		t.Errorf("crashed: %v", err)
	case !strings.Contains(said, a.want):
		t.Errorf("does not say %q", a.want)
	}
}

// reference is what the work of slowness takes on the machine for which an attack's seconds were chosen.
const reference = 340 * time.Millisecond

// slowness is how many times as long as on that machine this one computes now, at least 1: by sums and by sorting, which
// depend on nothing of the program.
func slowness() float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	began := spent()
	block := make([]byte, 1<<20)
	for range 64 {
		sum := sha256.Sum256(block)
		copy(block, sum[:])
	}
	list, x := make([]uint32, 2<<20), uint32(1)
	for i := range list {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		list[i] = x
	}
	slices.Sort(list)
	return max(1, float64(spent()-began)/float64(reference))
}

// TestSlowness holds that a machine's pace is measured: no machine is a hundred times as slow, and none allows less.
func TestSlowness(t *testing.T) {
	if raced {
		t.Skip("time means nothing under the race detector")
	}
	if f := slowness(); f < 1 || f > 100 {
		t.Errorf("%.2f times as slow", f)
	}
}

// peaked begins the line in which an attack's process says how much it took.
const peaked = "peak MiB: "

// resident returns the most that a process ever had in memory, in MiB. The system's
// own account of an ended process counts its parent's too.
func resident(pid string) int64 {
	b, _ := os.ReadFile("/proc/" + pid + "/status")
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	f := strings.Fields(rest)
	if len(f) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(f[0], 10, 64)
	return n >> 10
}

// packRoot searches a root, writes an archive of what may leave, and verifies it.
func packRoot(root *tree.Root, git scan.Git, at time.Time) (string, error) {
	scanner, err := secret.New()
	if err != nil {
		return "", err
	}
	spool := tree.NewSpool("")
	defer spool.Close()
	screener := &scan.Screener{Scanner: scanner, Given: new(secret.KnownValues), Policy: scan.Redact}
	search := &scan.Search{Root: root, Rules: scan.Rules{Stan: ".stan", Under: ".", Untracked: true}, Git: git, Spool: spool, Screener: screener}
	found, err := search.Find(context.Background())
	if err != nil {
		return "", err
	}
	sealed, err := screener.Seal(context.Background(), spool, found.Known, found, scan.Request{})
	if err != nil {
		return "", err
	}
	files := make([]tree.File, 0, len(sealed.Files))
	for _, f := range sealed.Files {
		files = append(files, f.File)
	}
	var b bytes.Buffer
	want, err := archive.Write(&b, files, at)
	if err != nil {
		return "", err
	}
	got, err := archive.Read(&b, nil)
	if err != nil {
		return "", fmt.Errorf("verifying: %w", err)
	}
	if d := archive.Compare(want, got, func(name string) string { return name }); len(d) > 0 {
		return "", fmt.Errorf("verifying: %v", d)
	}
	reasons, rules := map[scan.Reason]int{}, map[scan.Reason]string{}
	for _, o := range sealed.Omitted {
		reasons[o.Reason]++
		rules[o.Reason] = o.Rule
	}
	said := fmt.Sprintf("%d files", len(files))
	for r, n := range reasons {
		said += fmt.Sprintf(", %d %s (%s)", n, r, rules[r])
	}
	return said + "; " + strings.Join(found.Warnings, "; "), nil
}

// packFolder does it to a folder on disk.
func packFolder(dir string) (string, error) {
	root, err := tree.Open(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return packRoot(root, scan.Git{}, time.Unix(1, 0))
}

// packHead does it to the commit that is checked out, as `ref` has it.
func packHead(dir string) (string, error) {
	r, err := repo.Open(dir)
	if err != nil {
		return "", err
	}
	defer r.Close()
	head, err := r.Head()
	if err != nil {
		return "", err
	}
	files, err := r.Files(head.SHA)
	if err != nil {
		return "", err
	}
	tracked := make(map[string]bool, len(files))
	for _, f := range files {
		tracked[f.Path] = false
	}
	root, err := r.Tree(head.SHA)
	if err != nil {
		return "", err
	}
	return packRoot(root, scan.Git{Tracked: tracked}, head.Time)
}

func write(t *testing.T, dir, name string, content []byte) string {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// sparse makes a file of n bytes that takes no room: head, then zeros.
func sparse(t *testing.T, dir, name, head string, n int64) {
	t.Helper()
	if err := os.Truncate(write(t, dir, name, []byte(head)), n); err != nil {
		t.Fatal(err)
	}
}
