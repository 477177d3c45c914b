package graph

import (
	"errors"
	"testing"
)

// A reader that panics costs its file.
func TestGuarded(t *testing.T) {
	var none []int
	if err := Guarded(func() error { return errors.New(string(rune(none[1]))) }); err == nil || err.Error() != "reader: runtime error: index out of range [1] with length 0" {
		t.Errorf("got %v", err)
	}
	fault := errors.New("fault")
	if err := Guarded(func() error { return fault }); err != fault {
		t.Errorf("got %v", err)
	}
}
