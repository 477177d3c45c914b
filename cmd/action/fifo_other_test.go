//go:build !unix

package main

import "github.com/rogpeppe/go-internal/testscript"

// mkfifo fails: a script that needs a FIFO begins with [!unix] skip.
func mkfifo(ts *testscript.TestScript, neg bool, args []string) {
	ts.Fatalf("there are no FIFOs on this system")
}
