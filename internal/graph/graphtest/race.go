//go:build race

package graphtest

// underRace: the race detector makes it ten times as slow.
const underRace = true
