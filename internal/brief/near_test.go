package brief

import (
	"slices"
	"strings"
	"testing"
)

// What the touched definition calls, and what calls it, is near; what is long, what is only named, and what many call is not.
func TestNearTouched(t *testing.T) {
	text := `func coil(n int) int {
	return wind(n) + len(rope)
}

func wind(n int) int { return n }

func user() {
	coil(2)
}

func named() { f := coil; _ = f }

func far() { named() }
`
	lines := strings.SplitAfter(text, "\n")
	e := &entry{Source: &Source{Text: text, Touched: []int{2}, blocks: []Block{{From: 1, To: 4, Name: "coil"}, {From: 5, To: 6, Name: "wind"},
		{From: 7, To: 10, Name: "user"}, {From: 11, To: 12, Name: "named"}, {From: 13, To: 13, Name: "far"}}}, lines: lines}
	if got, want := e.nearTouched(calling{}), []bool{false, true, true, false, false}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	near := []bool{false, true, true, false, true}
	if room := e.keepNear(near, []int64{9, 1, 5, 9, 3}, 60); !slices.Equal(near, []bool{false, false, true, false, true}) || room != 60-len("func user() {\n\tcoil(2)\n}\n\n")-len("func far() { named() }\n") {
		t.Errorf("kept %v, left %d", near, room)
	}
	e.blocks[2].To = e.blocks[2].From + maxNear
	if e.nearTouched(calling{})[2] {
		t.Error("a long block is near")
	}
	other := "func other() { wind(1); named(2) }\n"
	calls := callingOf([]*entry{e, {Source: &Source{Path: "o.go", Text: other, Touched: []int{1}, blocks: []Block{{From: 1, To: 1, Name: "other"}}}, lines: strings.SplitAfter(other, "\n")}})
	if !e.nearTouched(calls)[3] {
		t.Error("what another changed file calls is not near")
	}
	var many []Block
	all := "func coil() {}\n"
	for range maxCallers + 1 {
		all += "func user() { coil() }\n"
	}
	for n := range maxCallers + 2 {
		many = append(many, Block{From: n + 1, To: n + 1, Name: "user"})
	}
	many[0].Name = "coil"
	e = &entry{Source: &Source{Text: all, Touched: []int{1}, blocks: many}, lines: strings.SplitAfter(all, "\n")}
	if slices.Contains(e.nearTouched(calling{}), true) {
		t.Error("what many call is near to each of them")
	}
}

// TestNearConstructors: another class's constructor is not called by its name where it is defined, and one that calls its parent's is a caller.
func TestNearConstructors(t *testing.T) {
	text := "class Crane:\n    def __init__(self, load):\n        self.load = load\n\nclass Berth:\n    def __init__(self, ship):\n        self.ship = ship\n\n" +
		"class Tower(Crane):\n    def __init__(self, load):\n        super().__init__(load + 1)\n"
	e := &entry{Source: &Source{Path: "a.py", Text: text, Touched: []int{3}, blocks: []Block{{From: 1, To: 1, Name: "Crane"},
		{From: 2, To: 4, Name: "Crane.__init__", Signature: [2]int{2, 2}}, {From: 5, To: 5, Name: "Berth"}, {From: 6, To: 8, Name: "Berth.__init__", Signature: [2]int{6, 6}},
		{From: 9, To: 9, Name: "Tower"}, {From: 10, To: 11, Name: "Tower.__init__", Signature: [2]int{10, 10}}}}, lines: strings.SplitAfter(text, "\n")}
	if got, want := e.nearTouched(calling{}), []bool{false, false, false, false, false, true}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What calls the change from another file is needed more as far as there is room, but for tests, for what defines the name itself, and for
// names that many call.
func TestRaiseCallers(t *testing.T) {
	changed := &entry{Source: &Source{Path: "rope.go", Touched: []int{1, 2}, blocks: []Block{{From: 1, To: 1, Name: "Rope.coil"}, {From: 2, To: 2, Name: "cut"}}},
		lines: []string{"func (r Rope) coil(n int) {}\n", "func cut() {}\n"}}
	names := touchedNames([]*entry{changed})
	if len(names) != 1 || !names["coil"] {
		t.Fatalf("names: %v", names)
	}
	text := "func user(r Rope) { r.coil(2) }\nfunc coil() { other.coil(1) }\nfunc far() { f := r.coil }\n"
	source := func(path string) *Source {
		s := &Source{Path: path, Text: text, Needs: make([]int64, 3), blocks: []Block{{From: 1, To: 1, Name: "user"}, {From: 2, To: 2, Name: "coil"}, {From: 3, To: 3, Name: "far"}}}
		for _, line := range strings.SplitAfter(text, "\n")[:3] {
			s.sizes = append(s.sizes, int32(len(line)))
		}
		return s
	}
	raised := func(room int, paths ...string) (list []int64) {
		var those []*Source
		var callers []map[int][]string
		for _, p := range paths {
			those = append(those, source(p))
			callers = append(callers, those[len(those)-1].callersOf(names))
		}
		raiseCallers(those, callers, room)
		for _, s := range those {
			list = append(list, s.Needs...)
		}
		return list
	}
	if got, want := raised(1000, "a.go", "a_test.go"), []int64{ofCaller, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := raised(40, "a.go", "b.go"), []int64{ofCaller, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("little room: got %v, want %v", got, want)
	}
	if got := raised(1000, "a.go", "b.go", "c.go", "d.go", "e.go", "f.go", "g.go", "h.go", "i.go"); slices.Max(got) > 0 {
		t.Errorf("many callers: %v", got)
	}
	if (Budget{Tokens: filesFrom - 1}).forCallers() != 0 || (Budget{Tokens: filesFrom}).forCallers() == 0 || (Budget{}).forCallers() == 0 {
		t.Error("the room of callers")
	}
}
