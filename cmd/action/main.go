// Haversack packs what an assistant needs to know about a repository, and
// about one change to it. It is a container action and a command-line tool.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"golang.org/x/term"

	"github.com/haversack-dev/haversack/internal/action"
)

// version is set by the release build.
var version = "dev"

func main() { os.Exit(run()) }

// tuneCollector lets the heap grow to 8 MB before it is collected for the first time: a
// small repository needs little more, and would be collected ten times on the way there.
// From then on Go's own pace holds. GOGC in the environment wins.
func tuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(200) // of 4 MB
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, 100)
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

func run() int {
	tuneCollector()
	boundHeap()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	terminal := term.IsTerminal(int(os.Stderr.Fd()))
	cmd := action.Command{Args: os.Args[1:], Getenv: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr, Terminal: terminal, Version: version}
	err := cmd.Run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "haversack:", err)
	}
	return action.ExitCode(err)
}
