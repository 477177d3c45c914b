package rank

import "slices"

// maxDistance is how many imports away from the change a file still counts.
const maxDistance = 6

// distances holds how far from the change each node is by imports.
type distances struct {
	net   *neighbours
	steps []uint8 // 0: not reached
	from  []int32 // the node before, on the way from the change
}

// neighbours are the nodes that import a node or that it imports.
type neighbours struct {
	start []int32
	list  []int32
}

func (g *neighbours) of(i int32) []int32 { return g.list[g.start[i]:g.start[i+1]] }

// connect turns edges between paths into edges between nodes; what is no node
// (a package, a module of the platform) connects nothing.
func connect(edges map[string][]string, nodes map[string]int32) *neighbours {
	g := &neighbours{start: make([]int32, len(nodes)+1)}
	each := func(do func(a, b int32)) {
		for from, list := range edges {
			a, ok := nodes[from]
			if !ok {
				continue
			}
			for _, to := range list {
				if b, ok := nodes[to]; ok && a != b {
					do(a, b)
				}
			}
		}
	}
	each(func(a, b int32) { g.start[a+1]++; g.start[b+1]++ })
	for i := range len(nodes) {
		g.start[i+1] += g.start[i]
	}
	g.list = make([]int32, g.start[len(nodes)])
	at := slices.Clone(g.start)
	each(func(a, b int32) {
		g.list[at[a]] = b
		at[a]++
		g.list[at[b]] = a
		at[b]++
	})
	// Sorted, and each once, so that the order of the map leaves no trace.
	end := int32(0)
	for i := range len(nodes) {
		list := g.list[g.start[i]:g.start[i+1]]
		slices.Sort(list)
		list = slices.Compact(list)
		g.start[i] = end
		end += int32(copy(g.list[end:], list))
	}
	g.start[len(nodes)] = end
	return g
}

func (g *neighbours) distances(starts []int32) distances {
	n := len(g.start) - 1
	d := distances{g, make([]uint8, n), make([]int32, n)}
	near := slices.Clone(starts)
	done := make([]bool, n)
	for _, s := range near {
		done[s] = true
		d.from[s] = -1
	}
	for step := uint8(1); step <= maxDistance && len(near) > 0; step++ {
		var far []int32
		for _, a := range near {
			for _, b := range g.of(a) {
				if done[b] {
					continue
				}
				if d.steps[b] == 0 {
					d.steps[b], d.from[b] = step, a
					far = append(far, b)
				}
			}
		}
		for _, b := range far {
			done[b] = true
		}
		slices.Sort(far)
		near = far
	}
	return d
}

// crowd is how many neighbours a changed file may have before each of them counts for less: who is one of
// three that import it is sooner concerned than who is one of three hundred.
const crowd = 8

// scoreImports makes the signal of the imports.
func (e *evidence) scoreImports(node map[string]int32) {
	e.most[Imports] = one
	needs, needed := map[int32][]int32{}, map[int32][]int32{} // of changed files
	for from, targets := range e.edges {
		a, ok := node[from]
		if !ok {
			continue
		}
		for _, to := range targets {
			b, ok := node[to]
			if !ok || a == b {
				continue
			}
			if e.changed[a] {
				needs[a] = append(needs[a], b)
			}
			if e.changed[b] {
				needed[b] = append(needed[b], a)
			}
		}
	}
	ties := make([]uint64, len(e.paths))
	for _, list := range needs {
		slices.Sort(list)
		list = slices.Compact(list)
		for _, i := range list {
			ties[i] += crowdShare(len(list))
		}
	}
	for to, list := range needed {
		slices.Sort(list)
		list = slices.Compact(list)
		uses := func(i int32) bool { _, ok := e.users.by[e.paths[i]][e.paths[to]]; return ok }
		using := 0
		for _, i := range list {
			if uses(i) {
				using++
			}
		}
		for _, i := range list {
			if uses(i) {
				ties[i] += crowdShare(using)
			} else {
				ties[i] += crowdShare(len(list))
			}
		}
	}
	idle := e.idle(node)
	for step := uint8(1); step <= maxDistance; step++ {
		for i := range e.files {
			switch {
			case e.far.steps[i] != step:
			case step > 1:
				e.raw[Imports][i] = e.handedOn(int32(i), step-1)
			default:
				e.raw[Imports][i] = mulDiv(one, min(unit, ties[i]), unit)
				if idle[e.files[i].Path] {
					e.raw[Imports][i] = e.raw[Imports][i] * 3 / 4
				}
			}
		}
	}
}

// handed is the part of its own tie that a file hands on to those beyond it. With 1/d for a file d imports off, however it was
// reached, half of a repository with a hub was as near as a file that three import, and rank found less than without any imports.
const handed = 3

// handedOn is the signal of a file by the strongest of its neighbours that are so many imports off the change: a part of
// theirs, the less the more neighbours they have.
func (e *evidence) handedOn(i int32, step uint8) (most uint64) {
	for _, a := range e.far.net.of(i) {
		if e.far.steps[a] == step && int(a) < len(e.files) {
			most = max(most, mulDiv(e.raw[Imports][a], crowdShare(len(e.far.net.of(a))), unit))
		}
	}
	return most / handed
}

// crowdShare is what one of so many neighbours counts for, in units.
func crowdShare(n int) uint64 { return uint64(rootShare(crowd, uint64(max(crowd, n)))) }

// usage is who uses what a change touches.
type usage struct {
	known map[string]bool           // changed files of which all users are known
	by    map[string]map[string]Use // by user and by changed file
}

func usageOf(list map[string]Users) usage {
	u := usage{known: make(map[string]bool, len(list)), by: map[string]map[string]Use{}}
	for changed, users := range list {
		if users.All {
			u.known[changed] = true
		}
		for _, use := range users.Uses {
			if u.by[use.Path] == nil {
				u.by[use.Path] = map[string]Use{}
			}
			if _, ok := u.by[use.Path][changed]; !ok {
				u.by[use.Path][changed] = use
			}
		}
	}
	return u
}

// idle are the files that import changed ones and are known to use nothing of what the
// change touches in them; what a changed file imports is none of them.
func (e *evidence) idle(node map[string]int32) map[string]bool {
	list := map[string]bool{}
	if len(e.users.known) == 0 {
		return list
	}
	needed := map[string]bool{}
	for i, changed := range e.changed {
		if changed {
			for _, to := range e.edges[e.paths[i]] {
				needed[to] = true
			}
		}
	}
	for from, targets := range e.edges {
		if needed[from] {
			continue
		}
		known, uses := 0, false
		for _, to := range targets {
			if at, ok := node[to]; ok && e.changed[at] {
				known++
				_, used := e.users.by[from][to]
				uses = uses || used || !e.users.known[to]
			}
		}
		if known > 0 && !uses {
			list[from] = true
		}
	}
	return list
}
