// Haversack packs what an assistant needs to know about a repository, and
// about one change to it. It is a container action and a command-line tool.
package main

import (
	"context"
	"io"
	"log"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"golang.org/x/term"

	"github.com/haversack-dev/haversack/internal/action"
	"github.com/haversack-dev/haversack/internal/job"
)

// version is set by the release build, and commit and date where the build does not look
// at the repository itself.
var (
	version      = "dev"
	commit, date string
)

func main() { os.Exit(run()) }

// What the heap of a small repository may grow by between two collections. With Go's own pace it would be
// collected several times on the way to its first 16 MB: each reads again what the program itself holds.
const (
	firstHeap = 16 << 20
	smallHeap = 20 << 20
	smallStep = 16 << 20
	// largePace, in percent, is Go's own: a slower one saves one collection of ten, and holds a tenth more memory at its peak.
	largePace = 100
)

// tuneCollector lets the heap grow to 16 MB before it is collected for the first time, and
// while it holds less than 20 MB by 16 MB at a time. From then on it may grow by largePace. GOGC in the environment wins.
func tuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	set := firstHeap * 100 / (4 << 20) // of the 4 MB that 100 stands for
	debug.SetGCPercent(set)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var paced func(int)
	paced = func(int) {
		metrics.Read(live)
		held := int(live[0].Value.Uint64())
		next := largePace
		if held < smallHeap {
			next = smallStep * 100 / max(held, 1<<20)
		}
		if was := debug.SetGCPercent(next); was != set { // a verb has a pace of its own
			debug.SetGCPercent(was)
			return
		}
		if set = next; held >= smallHeap {
			return
		}
		runtime.AddCleanup(new([64]byte), paced, 0) // for the next collection
	}
	runtime.AddCleanup(new([64]byte), paced, 0)
}

// boundHeap has the collector keep within nine tenths of the memory that the container
// may have: what is killed for the last tenth writes nothing. GOMEMLIMIT in the
// environment wins.
func boundHeap() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if n, err := memlimit.FromCgroup(); err == nil && n < math.MaxInt64 {
		debug.SetMemoryLimit(int64(n / 10 * 9))
	}
}

// build reads what the build has written into the program.
func build() job.Build {
	b := job.Build{Commit: commit, Date: date, Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Go = info.GoVersion
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// lookAt notes what the terminals are and can do. TERM=dumb moves no cursor and has no
// colour; NO_COLOR is asked for by whoever wants none (no-color.org).
func lookAt(p *job.Process) {
	p.Terminal = term.IsTerminal(int(os.Stderr.Fd()))
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		p.Width = width
	}
	p.Cursor = os.Getenv("TERM") != "dumb"
	p.Colour = p.Cursor && os.Getenv("NO_COLOR") == ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := os.Getenv(name); locale != "" {
			p.Blocks = strings.Contains(strings.ToLower(strings.ReplaceAll(locale, "-", "")), "utf8")
			break
		}
	}
}

func run() int {
	tuneCollector()
	boundHeap()
	log.SetOutput(io.Discard) // what libraries print by themselves is of servers' answers, and no log's line may be
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process where it stands
	process := job.Process{Args: os.Args[1:], Getenv: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr, Version: version, Build: build()}
	lookAt(&process)
	cmd := action.Command{Process: process}
	return job.ExitCode(cmd.Run(ctx))
}
