package source_test

import (
	"testing"

	"github.com/haversack-dev/haversack/internal/source"
)

// TestNoWord: what is asked for nothing finds nothing, and ends.
func TestNoWord(t *testing.T) {
	m := source.NewMentions("a.py", []byte("x = 'quay'\n"), nil)
	for _, w := range m.Words("") {
		t.Errorf("found at line %d", w.Line)
	}
}
