// Package secret finds what must not leave: by name, and by content.
package secret

// Finding is one secret value in a text. It never holds the value.
type Finding struct {
	// Rule is the id of the rule that found it.
	Rule string
	// Line is where the value begins, counted from 1.
	Line int
	// Start and End bound the value in the scanned text, in bytes.
	Start, End int
}
