package brief

import (
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// TestsIn reports of each definition of a file whether it is a test, or stands in a module of tests beside what they test: one that
// holds a test of its own, or is called so, with all that helps them.
func TestsIn(found []graph.Definition) []bool {
	tests := make([]bool, len(found))
	order := make([]int, len(found))
	for i := range found {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if n := found[a].From - found[b].From; n != 0 {
			return n
		}
		return found[b].End - found[a].End
	})
	within := func(do func(i int, open []int)) {
		var open []int // the modules that hold it, the innermost last
		for _, i := range order {
			for len(open) > 0 && found[open[len(open)-1]].End < found[i].From {
				open = open[:len(open)-1]
			}
			do(i, open)
			if found[i].Kind == "module" && found[i].End > found[i].Line {
				open = append(open, i)
			}
		}
	}
	within(func(i int, open []int) {
		d := &found[i]
		tests[i] = d.Kind == "test" || d.Kind == "module" && (called(d.Name, "tests") || called(d.Name, "test"))
		if d.Kind == "test" && len(open) > 0 {
			tests[open[len(open)-1]] = true
		}
	})
	within(func(i int, open []int) {
		tests[i] = tests[i] || len(open) > 0 && tests[open[len(open)-1]]
	})
	return tests
}

// called reports whether a qualified name ends with a name.
func called(qualified, name string) bool {
	return qualified == name || strings.HasSuffix(qualified, "."+name)
}
