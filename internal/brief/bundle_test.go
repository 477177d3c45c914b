package brief

import (
	"fmt"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// Behind the first layer what pays for its path together comes together, and one line of a file with a long path comes late.
func TestBundle(t *testing.T) {
	w := &shelves{Repository: &Repository{Counter: &tokens.Counter{}, Members: []Member{
		{Path: "harbour/src/main/java/org/example/harbour/boats/Lonely.java"}, {Path: "a.java"}, {Path: "b.java"},
	}}}
	var offers []offer
	add := func(member int, gains ...int64) {
		s := &shelf{member: member}
		for n, gain := range gains {
			s.lines = append(s.lines, signature{cost: 9})
			offers = append(offers, offer{shelf: s, line: n, gain: gain})
		}
	}
	add(0, 1000)
	add(1, 500, 700, 600, 100)
	add(2, 600, 10)
	w.bundle(offers)
	got := ""
	for _, o := range offers {
		got += fmt.Sprint(o.shelf.member, ":", o.gain, " ")
	}
	if want := "1:500 1:700 1:600 2:600 0:1000 1:100 2:10 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
