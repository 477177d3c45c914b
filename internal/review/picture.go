package review

import (
	"cmp"
	"slices"
	"strings"
)

// Bounds of a picture: more cannot be read at 800 pixels.
const (
	maxPicture = 12
	// maxEdges bounds the edges of a picture.
	maxEdges = 16
)

// Picture is the neighbourhood of a change: its files and those next to them, or, where these are too many, their folders.
type Picture struct {
	// Folders says that nodes are folders.
	Folders bool
	Nodes   []Node
	Edges   []Edge
	// Left counts the nodes that it has no room for, Undrawn the edges between those that it has.
	Left, Undrawn int
}

// Node is a file or a folder; a changed one holds something that the change touches.
type Node struct {
	Name    string
	Changed bool
}

// Edge says that files of one node import files of another; Weight counts such imports.
type Edge struct{ From, To, Weight int } // places in Picture.Nodes

// picture draws the neighbourhood of a change; nil where there is no import to show.
func (c *changeView) picture() *Picture {
	changed := map[string]bool{}
	for i := range c.list {
		changed[c.list[i].Path] = true
	}
	names := map[string]bool{}
	for from, list := range c.imports {
		for _, to := range list {
			if changed[from] || changed[to] {
				names[from], names[to] = true, true
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	p := &Picture{Folders: len(names) > maxPicture}
	nodes := make(map[string]string, len(names)) // the node of each file
	of := func(name string) string { return name }
	if p.Folders {
		of = func(name string) string {
			node, ok := nodes[name]
			if !ok {
				node = folder(name) + "/"
				nodes[name] = node
			}
			return node
		}
	}
	joined, weight, touched := map[[2]string]int{}, map[string]int{}, map[string]bool{}
	for name := range changed {
		touched[of(name)] = true
	}
	for name, list := range c.imports {
		for _, target := range list {
			if !changed[name] && !changed[target] {
				continue
			}
			if from, to := of(name), of(target); from != to {
				joined[[2]string{from, to}]++
				weight[from]++
				weight[to]++
			}
		}
	}
	if len(joined) == 0 {
		return nil
	}
	order := make([]string, 0, len(weight))
	for name := range weight {
		order = append(order, name)
	}
	first := func(name string) int {
		if touched[name] {
			return 0
		}
		return 1
	}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(weight[b], weight[a]), strings.Compare(a, b))
	})
	// A third of the room is for the neighbours, if there are any.
	all := order
	if inner := slices.IndexFunc(order, func(name string) bool { return !touched[name] }); inner > maxPicture*2/3 && len(order) > maxPicture {
		order = slices.Concat(order[:maxPicture*2/3], order[inner:])
	}
	order = order[:min(len(order), maxPicture)]
	place := map[string]int{}
	for i, name := range order {
		place[name] = i
		p.Nodes = append(p.Nodes, Node{name, touched[name]})
	}
	p.Left = len(all) - len(order)
	for e, n := range joined {
		from, ok := place[e[0]]
		to, too := place[e[1]]
		if ok && too {
			p.Edges = append(p.Edges, Edge{from, to, n})
		}
	}
	slices.SortFunc(p.Edges, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	if len(p.Edges) == 0 {
		return nil
	}
	p.drop()
	p.thin()
	return p
}

// thin takes edges out until there are few enough to be followed, the lightest first: of those alike, one that leads where two
// others lead together. A node keeps one of its edges.
func (p *Picture) thin() {
	joined := map[[2]int]bool{}
	degree := make([]int, len(p.Nodes))
	for _, e := range p.Edges {
		joined[[2]int{e.From, e.To}] = true
		degree[e.From]++
		degree[e.To]++
	}
	around := func(e Edge) int {
		for i := range p.Nodes {
			if joined[[2]int{e.From, i}] && joined[[2]int{i, e.To}] {
				return 0
			}
		}
		return 1
	}
	order := slices.Clone(p.Edges)
	slices.SortStableFunc(order, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(around(a), around(b)))
	})
	for _, e := range order {
		if len(joined) <= maxEdges {
			break
		}
		if degree[e.From] > 1 && degree[e.To] > 1 {
			delete(joined, [2]int{e.From, e.To})
			degree[e.From]--
			degree[e.To]--
		}
	}
	p.Undrawn = len(p.Edges) - len(joined)
	p.Edges = slices.DeleteFunc(p.Edges, func(e Edge) bool { return !joined[[2]int{e.From, e.To}] })
}

// drop takes out the nodes that no edge leads to or from, and counts them as left.
func (p *Picture) drop() {
	used := make([]bool, len(p.Nodes))
	for _, e := range p.Edges {
		used[e.From], used[e.To] = true, true
	}
	place := make([]int, len(p.Nodes))
	var kept []Node
	for i, n := range p.Nodes {
		place[i] = len(kept)
		if used[i] {
			kept = append(kept, n)
		}
	}
	p.Left += len(p.Nodes) - len(kept)
	p.Nodes = kept
	for i, e := range p.Edges {
		p.Edges[i].From, p.Edges[i].To = place[e.From], place[e.To]
	}
}

// Shared is the folder that holds all nodes, with its slash; "" where that is the root.
func (p *Picture) Shared() string {
	at := folder(p.Nodes[0].Name) + "/"
	for _, n := range p.Nodes {
		at = common(at, folder(n.Name)+"/")
	}
	if at == "/" {
		return ""
	}
	return at
}
