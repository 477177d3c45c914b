package brief

import "testing"

func TestIsOfFile(t *testing.T) {
	for _, c := range []struct {
		name, file string
		is         bool
	}{
		{"BackupHandler", "main/operation/BackupHandler.cs", true},
		{"NextLayer", "addons/next_layer.py", true},
		{"harbour.Pilot", "harbour/pilot.go", true},
		{"requestFilter", "utils/request-filter/index.ts", true},
		{"Pilot", "harbour/harbour.go", false},
		{"", "harbour/__init__.py", false},
		{"_", "_.go", false},
	} {
		if got := isOfFile(c.name, c.file); got != c.is {
			t.Errorf("isOfFile(%q, %q) = %v", c.name, c.file, got)
		}
	}
}

// Behind the first layer what others may use has half of all, whatever depends on its file, and what does most has more of the rest.
func TestShare(t *testing.T) {
	hub := &shelf{lines: []signature{{Definition: Definition{Name: "Hub", Line: 1, End: 2, Exported: true}, cost: 8}, {Definition: Definition{Name: "hidden", Line: 3, End: 4}, cost: 8}}}
	far := &shelf{member: 1, lines: []signature{{Definition: Definition{Name: "Pilot", Line: 1, End: 90, Exported: true}, cost: 8}, {Definition: Definition{Name: "Buoy", Line: 91, End: 92, Exported: true}, cost: 8}}}
	for _, s := range []*shelf{hub, far} {
		for n := range s.lines {
			s.lines[n].named = 1000
		}
	}
	offers := []offer{{hub, 0, 9_000_000, 0}, {hub, 1, 5_000_000, 0}, {far, 0, 400_000, 0}, {far, 1, 100_000, 0}}
	share(offers, []*shelf{hub, far}, func(s *shelf) string { return []string{"hub.go", "pilot.go"}[s.member] })
	if offers[2].gain <= offers[1].gain || offers[3].gain <= offers[1].gain {
		t.Errorf("what no other file may use of what all depend on comes first: %d, %d, %d", offers[1].gain, offers[2].gain, offers[3].gain)
	}
	if offers[2].gain <= offers[3].gain {
		t.Errorf("what does most of a file comes last: %d, %d", offers[2].gain, offers[3].gain)
	}
	sum := int64(0)
	for _, o := range offers {
		sum += o.gain
	}
	if sum < halfOfAll || sum > 2*halfOfAll {
		t.Errorf("all have %d", sum)
	}
}
