package graph

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// SummaryOptions are those of Summarize.
type SummaryOptions struct {
	// DefaultUses are followed where an entry does not say; nil means All.
	DefaultUses *Uses
	// Drop are the kinds that are left out; nil means builtin and missing.
	Drop []Kind
	// MaxLargest is how many of the largest are told; 0 means 10.
	MaxLargest int
}

// Summary is a closure in numbers.
type Summary struct {
	// SelectedNodeIDs are sorted.
	SelectedNodeIDs []string
	TotalBytes      int64
	// Largest by bytes, ties by id.
	Largest []FileSize
	// Warnings are sorted.
	Warnings []string
}

// Summarize selects and counts as the function summarizeDependencySelection of
// the npm package @karmaniverous/stan-context does. Entries are decoded JSON:
// "id", [id], [id, depth] or [id, depth, uses], with uses a mask or a list of
// names. It takes whatever it is given: what is wrong in an entry is a warning,
// and the sound rest counts. Excludes win.
func Summarize(g *Graph, include, exclude []any, o SummaryOptions) Summary {
	t := tolerant{options: o, warnings: map[string]bool{}}
	in := t.closure(g, include)
	out := t.closure(g, exclude)
	drop := o.Drop
	if drop == nil {
		drop = []Kind{Builtin, Missing}
	}
	var s Summary
	var list []FileSize
	for _, id := range slices.Sorted(maps.Keys(in)) {
		if out[id] {
			continue
		}
		n := g.Nodes[id]
		switch {
		case n == nil:
			t.warn("Selected nodeId not present in graph.nodes: %s", id)
			n = &Node{}
		case slices.Contains(drop, n.Kind):
			t.warn("Dropped %s node from selection: %s", n.Kind, id)
			continue
		}
		s.SelectedNodeIDs = append(s.SelectedNodeIDs, id)
		s.TotalBytes += n.Size
		list = append(list, FileSize{id, n.Size})
	}
	count := o.MaxLargest
	if count == 0 {
		count = largest
	}
	s.Largest = top(list, count)
	s.Warnings = slices.Sorted(maps.Keys(t.warnings))
	return s
}

type tolerant struct {
	options  SummaryOptions
	warnings map[string]bool
}

func (t *tolerant) warn(format string, args ...any) {
	t.warnings[fmt.Sprintf(format, args...)] = true
}

// closure is the union of the entries' closures.
func (t *tolerant) closure(g *Graph, entries []any) map[string]bool {
	all := map[string]bool{}
	for i, v := range entries {
		e, ok := t.entry(i, v)
		if !ok {
			continue
		}
		best := map[string]int{e.ID: e.Depth}
		for level := []string{e.ID}; len(level) > 0; {
			var next []string
			for _, id := range level {
				all[id] = true
				left := best[id]
				if left == 0 {
					continue
				}
				for _, edge := range g.Edges[id] {
					if old, ok := best[edge.Target]; edge.Uses&e.Uses != 0 && (!ok || left-1 > old) {
						best[edge.Target] = left - 1
						next = append(next, edge.Target)
					}
				}
			}
			level = next
		}
	}
	return all
}

func (t *tolerant) entry(i int, v any) (Entry, bool) {
	e := Entry{Uses: All}
	if t.options.DefaultUses != nil {
		e.Uses = *t.options.DefaultUses
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) > 0 {
		e.ID, _ = list[0].(string)
	}
	if e.ID == "" {
		t.warn("Invalid nodeId for entry[%d]: expected non-empty string.", i)
		return e, false
	}
	if len(list) > 1 {
		depth, ok := list[1].(float64)
		if !ok || depth < 0 || depth != math.Trunc(depth) {
			t.warn("Invalid depth for entry[%d]: expected integer >= 0; using 0.", i)
			depth = 0
		}
		e.Depth = int(min(depth, math.MaxInt32))
	}
	if len(list) > 2 {
		e.Uses = t.uses(i, list[2])
	}
	return e, true
}

func (t *tolerant) uses(i int, v any) Uses {
	var u Uses
	switch v := v.(type) {
	case float64:
		if v < 0 || v != math.Trunc(v) || v > math.MaxInt32 {
			t.warn("Invalid edgeKinds bitmask for entry[%d]: expected integer >= 0; using none.", i)
			return 0
		}
		if n := int(v); n > int(All) {
			t.warn("Invalid edgeKinds bit(s) for entry[%d]: %d; ignoring.", i, n&^int(All))
		}
		u = Uses(int(v)) & All
	case []any:
		for _, name := range v {
			s, _ := name.(string)
			bit, ok := ParseUses(s)
			if !ok || bit == All {
				t.warn("Invalid edgeKind for entry[%d]: %v; ignoring.", i, name)
				continue
			}
			u |= bit
		}
		if u == 0 {
			t.warn("No valid edgeKinds for entry[%d]; no edges will be traversed.", i)
		}
	default:
		t.warn("Invalid edgeKinds for entry[%d]: expected a bitmask or a list; using none.", i)
	}
	return u
}
