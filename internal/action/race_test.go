//go:build race

package action

func init() { loops, raced = 20, true } // each is ten times as slow
