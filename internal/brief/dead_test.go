package brief

import (
	"strings"
	"testing"
)

// TestDead: a block of code that a comment takes out is dead; what a comment says is not, nor is code with a remark.
func TestDead(t *testing.T) {
	code := "    func moor(_ ship: Ship) throws {\n        let berth = try harbour.berth(for: ship)\n        guard berth.isFree else {\n            return\n        }\n        berth.take(ship)\n    }\n\n"
	said := "The harbour has as many berths as it had when it was built,\nand no ship is moored twice: a berth is free (or is not).\n"
	out := func(mark, text string) string {
		return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
	}
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a.swift", out("//", code+code), true},
		{"a.swift", out("//", code+code) + "}\n", true},
		{"a.swift", out("//", code), false}, // short
		{"a.swift", code + code, false},
		{"a.swift", out("/// ", said+said+said+said+said), false},
		{"a.swift", out("//", code) + code, false},
		{"a.rb", out("# ", "def moor(ship)\n  berths.each { |b| b.take(ship) }\nend\n\ndef sail(ship)\n  berth.leave(ship)\nend\n\ndef rest()\n  wait(1)\nend\n"), true},
		{"a.md", out("//", code+code), false},
	} {
		e := &entry{Source: &Source{Path: c.name}, lines: strings.SplitAfter(c.text, "\n")}
		e.blocks = []Block{{From: 1, To: strings.Count(c.text, "\n")}}
		if got := e.isDead(0); got != c.want {
			t.Errorf("%s %q: %v", c.name, c.text, got)
		}
	}
}
