// Package seedtest says where a test that draws values by lot begins. It makes no
// numbers of its own: it hands out one seed, and prints it, so that what failed once
// can be drawn again.
package seedtest

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// Env is the variable that sets the seed: a whole number from 0 to 2^64-1. CI makes it
// of the commit, so that each commit is tried with values of its own, and twice with
// the same.
const Env = "HAVERSACK_SEED"

// Seed returns the seed that Env sets, else one of the clock's, and logs it. A test with
// an Env that is no number fails.
func Seed(tb testing.TB) uint64 {
	tb.Helper()
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv(Env); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			tb.Fatalf("%s: %v", Env, err)
		}
		seed = n
	}
	tb.Logf("%s=%d", Env, seed)
	return seed
}
