package graph

import (
	"cmp"
	"container/heap"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Wish is what a selection is made from.
type Wish struct {
	State State
	// Changed are the files that a change touches, by id.
	Changed []string
	// ChangedDepth is how far to follow what the changed files need,
	// DependentsDepth how far to follow what needs them; both count edges.
	// Negative: the changed files are no seeds in this direction.
	ChangedDepth, DependentsDepth int
	// StanPath is the folder with reserved paths, ".stan" by default.
	StanPath string
	// Asker is who the entries are of, as reasons have it: "state" by default.
	Asker string
}

// Selection is a closure: which files, and why each of them.
type Selection struct {
	// IDs are the selected ids, sorted. All are files, or unknown to the meta.
	IDs      []string
	Warnings []Warning

	meta    *Meta
	reached map[string]reach
	asker   string
}

// reach is a way on which an id came into a selection.
type reach struct {
	// prev is the way to the id before it, nil for a seed; from is that id. A way
	// is of one walk: its edges are of the seed's uses, and no more of them than
	// the seed's depth.
	prev *reach
	from string
	// seed says what made it a seed.
	seed string
	// first is the seed that the way begins with, and root the reason for it.
	first, root string
	edge        Edge
	// dependent is set where from needs not it, but it needs from.
	dependent bool
	distance  int
}

// Select makes the closure of a wish: every seed, what it leads to, and nothing
// else. Excludes win over all of it. Built-in and missing modules are passed
// over, reserved paths refused; ids that the meta does not know are kept. It
// ends on cycles and does not depend on the order of entries.
func Select(m *Meta, w Wish) *Selection {
	s := &Selection{meta: m, reached: map[string]reach{}, asker: cmp.Or(w.Asker, "state")}
	stan := cmp.Or(w.StanPath, ".stan")
	include := s.seeds(w.State.Include, stan, true)
	s.walk(include, m.forward, false)
	var changed []seed
	for _, id := range w.Changed {
		if rule := Reserved(id, stan); rule == "" {
			changed = append(changed, seed{id: id, uses: All, why: "changed"})
		}
	}
	if w.ChangedDepth >= 0 {
		s.walk(withDepth(changed, w.ChangedDepth), m.forward, false)
	}
	if w.DependentsDepth >= 0 && len(changed) > 0 {
		s.walk(withDepth(changed, w.DependentsDepth), m.backward(), true)
	}
	out := &Selection{meta: m, reached: map[string]reach{}}
	out.walk(out.seeds(w.State.Exclude, stan, false), m.forward, false)
	for _, id := range slices.Sorted(maps.Keys(s.reached)) {
		if _, excluded := out.reached[id]; excluded {
			continue
		}
		if n, known := m.Nodes[id]; known && !n.Kind.File() {
			continue
		}
		if Reserved(id, stan) != "" {
			continue
		}
		s.IDs = append(s.IDs, id)
	}
	s.Warnings = SortWarnings(append(s.Warnings, out.Warnings...))
	return s
}

// seed is where a walk begins.
type seed struct {
	id    string
	depth int
	uses  Uses
	why   string
}

func withDepth(list []seed, depth int) []seed {
	out := slices.Clone(list)
	for i := range out {
		out[i].depth = depth
	}
	return out
}

// seeds judges the entries of a state by what the meta knows.
func (s *Selection) seeds(entries []Entry, stan string, include bool) []seed {
	var list []seed
	folders := s.meta.folders()
	wrong := 0
	for _, e := range sortEntries(entries) {
		id := e.ID
		n, known := s.meta.Nodes[id]
		if !known {
			id = path.Clean(id)
			n, known = s.meta.Nodes[id]
		}
		warn := func(format string, args ...any) {
			if include {
				s.Warnings = append(s.Warnings, Warning{id, fmt.Sprintf(format, args...)})
			}
		}
		if rule := Reserved(id, stan); rule != "" {
			warn("reserved (%s), never archived", rule)
			continue
		}
		switch {
		case known && !n.Kind.File():
			warn("a %s module, no file; passed over", n.Kind)
			continue
		case !known && folders[id]:
			warn("a folder; name the files in it")
		case !known:
			hint := ""
			if wrong++; wrong <= maxWrong {
				hint = s.meta.near(id)
			}
			warn("not in the graph, which knows neither its size nor what it needs%s", hint)
		}
		list = append(list, seed{id, e.Depth, e.Uses, s.asker + " " + e.String()})
	}
	return list
}

// folders returns the folders that nodes lie in.
func (m *Meta) folders() map[string]bool {
	set := map[string]bool{}
	for id := range m.Nodes {
		// Cut, not cleaned anew for each folder: a path may have thousands.
		for dir := path.Dir(id); dir != "." && dir != "/" && dir != "" && !set[dir]; dir = dir[:max(strings.LastIndexByte(dir, '/'), 0)] {
			set[dir] = true
		}
	}
	return set
}

// Reserved names the rule that keeps an id out of every archive, or "".
func Reserved(id, stan string) string {
	for elem := range strings.SplitSeq(id, "/") {
		if strings.EqualFold(elem, ".git") {
			return ".git/**"
		}
	}
	if rel, ok := Below(stan, path.Clean(id)); ok {
		first, _, _ := strings.Cut(rel, "/")
		switch first {
		case "diff", "patch", "output", "session":
			return stan + "/" + first + "/**"
		}
		if rel == "context/dependency.map.json" || rel == "context/.gitignore" {
			return stan + "/" + rel
		}
	}
	return ""
}

func (m *Meta) forward(id string) []Edge { return m.Nodes[id].Edges }

// backward returns the edges against their direction.
func (m *Meta) backward() func(id string) []Edge {
	in := map[string][]Edge{}
	for _, id := range slices.Sorted(maps.Keys(m.Nodes)) {
		for _, e := range m.Nodes[id].Edges {
			in[e.Target] = append(in[e.Target], Edge{id, e.Uses, e.Resolution})
		}
	}
	return func(id string) []Edge { return in[id] }
}

// at is a stop of a walk: an id, how many edges may follow, and the way to it.
type at struct {
	id   string
	left int
	way  *reach
}

// maxVisits bounds how often a walk comes to ids again with more edges left than before, beyond
// which it no longer looks for the shortest ways: what it reaches stays the same.
const maxVisits = 500_000

// walk adds what the seeds reach, breadth first. Seeds are walked together by
// what they follow, so that thousands of them cost what a few do.
func (s *Selection) walk(seeds []seed, edges func(string) []Edge, dependents bool) {
	for u := Uses(0); u <= All; u++ {
		left := map[string]int{}
		visits := 0
		var level []at
		add := func(id string, n int, r reach) {
			if old, ok := s.reached[id]; !ok || better(r, old) {
				s.reached[id] = r
			}
			old, ok := left[id]
			if ok && n <= old {
				return
			}
			if ok {
				visits++
			}
			left[id] = n
			way := r
			level = append(level, at{id, n, &way})
		}
		for _, sd := range seeds {
			if sd.uses == u {
				// No walk is longer than there are nodes.
				add(sd.id, min(sd.depth, len(s.meta.Nodes)), reach{seed: sd.why, first: sd.id, root: sd.why})
			}
		}
		follow := func(a at, distance int) {
			for _, e := range edges(a.id) {
				if e.Uses&u == 0 || dependents && !s.meta.Nodes[e.Target].Kind.File() {
					continue
				}
				add(e.Target, a.left-1, reach{prev: a.way, from: a.id, first: a.way.first, root: a.way.root, edge: e, dependent: dependents, distance: distance})
			}
		}
		for distance := 1; len(level) > 0; distance++ {
			this := level
			level = nil
			if visits > maxVisits {
				// Those with most edges left come first: no id is come to again.
				queue := widest(this)
				heap.Init(&queue)
				for len(queue) > 0 {
					a := heap.Pop(&queue).(at)
					if a.left == 0 || left[a.id] != a.left {
						continue
					}
					follow(a, a.way.distance+1)
					for _, next := range level {
						heap.Push(&queue, next)
					}
					level = nil
				}
				break
			}
			slices.SortStableFunc(this, func(a, b at) int { return strings.Compare(a.id, b.id) })
			for _, a := range this {
				if a.left == 0 || left[a.id] != a.left {
					continue
				}
				follow(a, distance)
			}
		}
	}
}

// widest is a queue of stops, that with most edges left first.
type widest []at

func (w widest) Len() int { return len(w) }
func (w widest) Less(i, j int) bool {
	if w[i].left != w[j].left {
		return w[i].left > w[j].left
	}
	return w[i].id < w[j].id
}
func (w widest) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w *widest) Push(x any)   { *w = append(*w, x.(at)) }
func (w *widest) Pop() any {
	n := len(*w) - 1
	x := (*w)[n]
	*w = (*w)[:n]
	return x
}

// better reports whether r is a better reason than old: nearer, needed rather
// than needing, loaded sooner, and else first by name.
func better(r, old reach) bool {
	if r.distance != old.distance {
		return r.distance < old.distance
	}
	if r.dependent != old.dependent {
		return old.dependent
	}
	if a, b := weight(r.edge.Uses), weight(old.edge.Uses); a != b {
		return a < b
	}
	if r.from != old.from {
		return r.from < old.from
	}
	return r.seed < old.seed
}

// weight orders uses by how much is lost without them: runtime before type
// before dynamic.
func weight(u Uses) int {
	switch {
	case u&Runtime != 0:
		return 0
	case u&Type != 0:
		return 1
	}
	return 2
}

// Step is one link of the chain that brought an id into a selection.
type Step struct {
	ID string
	// Seed says what asked for the first of a chain: "state ..." (Wish.Asker) or "changed".
	Seed string
	// Uses and Resolution are the edge between this step and the one before.
	Uses       Uses
	Resolution Resolution
	// Dependent is set when this file needs the one before; else that needs this.
	Dependent bool
}

func (s Step) String() string {
	switch {
	case s.Seed != "":
		return fmt.Sprintf("%s (%s)", s.ID, s.Seed)
	case s.Dependent:
		return fmt.Sprintf("%s (%s%s, needs it)", s.ID, s.Uses, s.implied())
	}
	return fmt.Sprintf("%s (%s%s)", s.ID, s.Uses, s.implied())
}

// implied says of a step whose edge no import names that it is so.
func (s Step) implied() string {
	if s.Resolution == Implicit {
		return ", implicit"
	}
	return ""
}

// Why returns the shortest chain from a seed to id: each step an edge of the
// graph. Of one that is longer than most, which is at least two, it returns the seed and the last steps, and
// how many it passes over between them. It is nil for ids that are not selected.
func (s *Selection) Why(id string, most int) (chain []Step, passed int) {
	if _, ok := slices.BinarySearch(s.IDs, id); !ok {
		return nil, 0
	}
	first := s.reached[id]
	for r := &first; r != nil; r = r.prev {
		if len(chain) == most-1 && r.prev != nil {
			chain = append(chain, Step{ID: first.first, Seed: first.root})
			passed = first.distance + 1 - most
			break
		}
		chain = append(chain, Step{id, r.seed, r.edge.Uses, r.edge.Resolution, r.dependent})
		id = r.from
	}
	slices.Reverse(chain)
	return chain, passed
}

// Distance is how many edges lie between id and the nearest seed; -1 for ids
// that are not selected.
func (s *Selection) Distance(id string) int {
	if _, ok := slices.BinarySearch(s.IDs, id); !ok {
		return -1
	}
	return s.reached[id].distance
}

// Size is the number of bytes that the meta gives for id, 0 if it is unknown.
func (s *Selection) Size(id string) int64 { return s.meta.Nodes[id].Size }
