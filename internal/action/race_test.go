//go:build race

package action

func init() { loops = 20 } // each is ten times as slow
