// Haversack packs what an assistant needs to know about a repository, and
// about one change to it. It is a container action and a command-line tool.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"golang.org/x/term"

	"github.com/haversack-dev/haversack/internal/action"
)

// version is set by the release build.
var version = "dev"

func main() { os.Exit(run()) }

func run() int {
	// What a run allocates is mostly buffers that the next file needs again. A
	// tighter collector costs no time that can be measured, and saves a sixth of
	// the memory; GOGC in the environment still wins.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
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
