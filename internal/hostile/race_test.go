//go:build race

package hostile

// raced: the race detector is on.
const raced = true
