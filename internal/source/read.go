package source

import (
	"fmt"

	"github.com/haversack-dev/haversack/internal/claim"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// Read reads a file as UTF-8, and counts the characters that could not be
// decoded.
func Read(f *scan.File) (s []byte, undecodable int, err error) {
	raw, err := f.Read()
	if err != nil {
		return nil, 0, fmt.Errorf("reading %s: %w", claim.Shown(f.Path), err)
	}
	return text.Decode(raw, f.Encoding), text.Undecodable(raw, f.Encoding), nil
}

// LineError is an error with its line in the file.
type LineError struct {
	// Line counts from 1; 0 where none is known.
	Line int
	Err  error
}

// Error is the error without its line.
func (l LineError) Error() string { return l.Err.Error() }
