//go:build !race

package graphtest

const underRace = false
