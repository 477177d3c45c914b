package brief

import (
	"fmt"
	"testing"
)

func TestBareName(t *testing.T) {
	for name, want := range map[string]string{"Ship.sail": "sail", "sail": "sail", "Ship#sail?": "sail", "Quay::Berth": "Berth", "": "", "?!": "", "größe": "e"} {
		if got := bareName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// A definition counts by the files that name it beside its own; one that several define shares what names it.
func TestWeigh(t *testing.T) {
	define := func(text string, names ...string) *shelf {
		s := &shelf{names: mentions(text)}
		for _, name := range names {
			s.lines = append(s.lines, signature{Definition: Definition{Name: name}})
		}
		return s
	}
	list := []*shelf{
		define("def moor\ndef moor_twice\ndef sail\n# moor moor", "Quay.moor", "Quay.moor_twice", "Quay.sail"),
		define("def sail\nmoor()", "Ship.sail"),
		define("moor; sail", "main"),
		define("moor"),
	}
	weigh(list)
	var got []string
	for _, s := range list {
		for _, l := range s.lines {
			got = append(got, fmt.Sprintf("%s %d", l.Name, l.named))
		}
	}
	want := "[Quay.moor 1100 Quay.moor_twice 800 Quay.sail 800 Ship.sail 800 main 800]"
	if s := fmt.Sprint(got); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
}
