//go:build race

package secret

// underRace: the race detector drops pooled memory at random, and is slow.
const underRace = true
