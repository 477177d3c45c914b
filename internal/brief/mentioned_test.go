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

// What an interface asks for is named by those that define it; what many define besides is nobody's.
func TestContractNamed(t *testing.T) {
	texts := []string{"class Quay:\n  moor(a)\n", "class Pier:\n  moor(a)\n", "class Dock:\n  moor(a)\n"}
	var list []*shelf
	for n, text := range texts {
		d := Definition{Line: 2, From: 2, End: 2, Name: "X.moor", Bound: true, Declared: n == 0}
		list = append(list, &shelf{member: n, lines: []signature{{Definition: d}}, names: mentions(text)})
	}
	weigh(list)
	if a, b := list[0].lines[0].named, list[1].lines[0].named; a <= b {
		t.Errorf("the contract counts %d, one that keeps it %d", a, b)
	}
}

// Of a file the longest exported member, and the longest function of its own, say what it is for; tests and short ones do not.
func TestDoesMost(t *testing.T) {
	def := func(name string, lines int, exported, bound bool) signature {
		return signature{Definition: Definition{Name: name, Line: 1, End: 1 + lines, Exported: exported, Bound: bound}, text: "1\tfunc " + name + "()\n", named: 1000}
	}
	test := def("testMoor", 90, false, false)
	test.Test = true
	for _, c := range []struct {
		name          string
		lines         []signature
		member, inner int
	}{
		{"both", []signature{def("Pier", 50, true, false), def("Pier.Length", 3, true, true), def("Pier.Moor", 40, true, true), def("Pier.Cast", 9, true, true), def("haul", 30, false, false)}, 2, 4},
		{"short", []signature{def("Pier.Length", 3, true, true), def("haul", 9, false, false)}, -1, -1},
		{"a test", []signature{test}, -1, -1},
	} {
		s := &shelf{lines: c.lines}
		if member, inner := s.doesMost(); member != c.member || inner != c.inner {
			t.Errorf("%s: %d and %d, want %d and %d", c.name, member, inner, c.member, c.inner)
		}
	}
}
