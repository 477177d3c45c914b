//go:build !race

package secret

const underRace = false
