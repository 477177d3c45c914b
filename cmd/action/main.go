// Haversack packs what an assistant needs to know about a repository, and
// about one change to it. It is a container action and a command-line tool.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/haversack-dev/haversack/internal/action"
)

// version is set by the release build.
var version = "dev"

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	terminal := false
	if fi, err := os.Stderr.Stat(); err == nil {
		terminal = fi.Mode()&os.ModeCharDevice != 0
	}
	cmd := action.Command{Args: os.Args[1:], Getenv: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr, Terminal: terminal, Version: version}
	err := cmd.Run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "haversack:", err)
	}
	return action.ExitCode(err)
}
