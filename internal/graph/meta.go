package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Meta is a graph of canonical ids, as dependency.meta.json (v2) holds it: one
// edge for each pair of files, no hashes, no absolute paths.
type Meta struct {
	Nodes map[string]MetaNode
}

// MetaNode is a node of a Meta.
type MetaNode struct {
	Kind Kind
	// Size in bytes; 0 for what is no file.
	Size        int64
	Description string
	// Edges are sorted by target, one for each. Uses and Resolution are unions.
	Edges []Edge
}

// Encode writes the meta as it is archived: minified, ids sorted, LF at the end.
func (m *Meta) Encode() []byte {
	b := []byte(`{"v":2,"n":{`)
	for i, id := range slices.Sorted(maps.Keys(m.Nodes)) {
		n := m.Nodes[id]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, id)
		b = append(b, `:{"k":`...)
		b = strconv.AppendUint(b, uint64(n.Kind), 10)
		if n.Kind.File() {
			b = append(b, `,"s":`...)
			b = strconv.AppendInt(b, n.Size, 10)
		}
		if n.Description != "" {
			b = append(b, `,"d":`...)
			b = appendString(b, n.Description)
		}
		for j, e := range n.Edges {
			if j == 0 {
				b = append(b, `,"e":[`...)
			} else {
				b = append(b, ',')
			}
			b = append(b, '[')
			b = appendString(b, e.Target)
			b = append(b, ',')
			b = strconv.AppendUint(b, uint64(e.Uses), 10)
			if e.Resolution != Explicit {
				b = append(b, ',')
				b = strconv.AppendUint(b, uint64(e.Resolution), 10)
			}
			b = append(b, ']')
		}
		if len(n.Edges) > 0 {
			b = append(b, ']')
		}
		b = append(b, '}')
	}
	return append(b, "}}\n"...)
}

// Linked returns m less the files that need nothing and that nothing needs,
// unless keep names them, and how many that leaves out: styles, documents, data.
func (m *Meta) Linked(keep []string) (linked *Meta, left int) {
	want := make(map[string]bool, len(m.Nodes))
	for _, id := range keep {
		want[id] = true
	}
	for id, n := range m.Nodes {
		for _, e := range n.Edges {
			want[id], want[e.Target] = true, true
		}
	}
	linked = &Meta{Nodes: make(map[string]MetaNode, len(want))}
	for id, n := range m.Nodes {
		if want[id] || !n.Kind.File() {
			linked.Nodes[id] = n
		}
	}
	return linked, len(m.Nodes) - len(linked.Nodes)
}

// Near returns of m the nodes of ids and those one edge away from them, with the edges
// between nodes that it holds, and how many nodes that leaves out.
func (m *Meta) Near(ids []string) (near *Meta, left int) {
	keep := make(map[string]bool, len(ids))
	for _, id := range ids {
		keep[id] = true
	}
	want := maps.Clone(keep)
	for id, n := range m.Nodes {
		for _, e := range n.Edges {
			if keep[id] {
				want[e.Target] = true
			}
			if keep[e.Target] {
				want[id] = true
			}
		}
	}
	near = &Meta{Nodes: make(map[string]MetaNode, len(want))}
	for id, n := range m.Nodes {
		if !want[id] {
			continue
		}
		n.Edges = slices.DeleteFunc(slices.Clone(n.Edges), func(e Edge) bool { return !want[e.Target] })
		near.Nodes[id] = n
	}
	return near, len(m.Nodes) - len(near.Nodes)
}

// Rewritten returns m with every node as node returns it, under the id that it
// returns; one that is returned under "" is dropped, with the edges to it. Nodes that
// come to share an id become one, with the edges of all.
func (m *Meta) Rewritten(node func(id string, n MetaNode) (string, MetaNode)) *Meta {
	out := &Meta{Nodes: make(map[string]MetaNode, len(m.Nodes))}
	renamed := map[string]string{}
	for _, old := range slices.Sorted(maps.Keys(m.Nodes)) {
		id, n := node(old, m.Nodes[old])
		if id != old {
			renamed[old] = id
		}
		if id == "" {
			continue
		}
		if first, ok := out.Nodes[id]; ok {
			first.Edges = slices.Concat(first.Edges, n.Edges)
			n = first
		}
		out.Nodes[id] = n
	}
	if len(renamed) == 0 {
		return out
	}
	for id, n := range out.Nodes {
		edges := slices.Clone(n.Edges)
		for i, e := range edges {
			if to, ok := renamed[e.Target]; ok {
				edges[i].Target = to
			}
		}
		edges = slices.DeleteFunc(edges, func(e Edge) bool { return e.Target == "" })
		n.Edges = mergeEdges(edges)
		out.Nodes[id] = n
	}
	return out
}

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	plain := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			plain = false
			break
		}
	}
	if plain {
		return append(append(append(b, '"'), s...), '"')
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// ParseMeta reads a dependency.meta.json. Edges to ids that are no nodes are
// kept; duplicates are merged.
func ParseMeta(b []byte) (*Meta, error) {
	var file struct {
		V int `json:"v"`
		N map[string]struct {
			K *int            `json:"k"`
			S int64           `json:"s"`
			D string          `json:"d"`
			R json.RawMessage `json:"e"`
		} `json:"n"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, fmt.Errorf("reading meta: %w", err)
	}
	if file.V != 2 || file.N == nil {
		return nil, fmt.Errorf("reading meta: v is %d and n %s, want v 2 and an object n", file.V, present(file.N != nil))
	}
	m := &Meta{Nodes: make(map[string]MetaNode, len(file.N))}
	for _, id := range slices.Sorted(maps.Keys(file.N)) {
		in := file.N[id]
		if in.K == nil || *in.K < 0 || *in.K > int(Missing) || in.S < 0 {
			return nil, fmt.Errorf("reading meta: node %q: k is 0 to 3 and s is not negative", id)
		}
		n := MetaNode{Kind: Kind(*in.K), Size: in.S, Description: in.D}
		if len(in.R) > 0 {
			var tuples [][]any
			if err := json.Unmarshal(in.R, &tuples); err != nil {
				return nil, fmt.Errorf("reading meta: node %q: e: %w", id, err)
			}
			for i, t := range tuples {
				e, ok := tuple(t)
				if !ok {
					return nil, fmt.Errorf("reading meta: node %q: e[%d]: an edge is [id, kinds 1 to 7] or [id, kinds, resolution 1 to 3]", id, i)
				}
				n.Edges = append(n.Edges, e)
			}
			n.Edges = mergeEdges(n.Edges)
		}
		m.Nodes[id] = n
	}
	return m, nil
}

func present(is bool) string {
	if is {
		return "present"
	}
	return "absent"
}

func tuple(t []any) (Edge, bool) {
	if len(t) != 2 && len(t) != 3 {
		return Edge{}, false
	}
	id, ok := t[0].(string)
	kinds, ok2 := bits(t[1], uint8(All))
	e := Edge{Target: id, Uses: Uses(kinds), Resolution: Explicit}
	if len(t) == 3 {
		r, ok := bits(t[2], 3)
		if !ok {
			return Edge{}, false
		}
		e.Resolution = Resolution(r)
	}
	return e, ok && ok2
}

// bits reads a number of 1 to limit.
func bits(v any, limit uint8) (uint8, bool) {
	f, ok := v.(float64)
	if !ok || f < 1 || f > float64(limit) || f != float64(uint8(f)) {
		return 0, false
	}
	return uint8(f), true
}

// mergeEdges leaves one edge for each target, with the unions of the others.
func mergeEdges(edges []Edge) []Edge {
	slices.SortFunc(edges, func(a, b Edge) int { return strings.Compare(a.Target, b.Target) })
	out := edges[:0]
	for _, e := range edges {
		if n := len(out); n > 0 && out[n-1].Target == e.Target {
			out[n-1].Uses |= e.Uses
			out[n-1].Resolution |= e.Resolution
			continue
		}
		out = append(out, e)
	}
	return out
}

// Inflate returns the meta as a Graph, for those who only walk it: one edge for
// each use, and all of them explicit.
func (m *Meta) Inflate() *Graph {
	g := &Graph{Nodes: make(map[string]*Node, len(m.Nodes)), Edges: make(map[string][]Edge, len(m.Nodes))}
	for id, n := range m.Nodes {
		g.Nodes[id] = &Node{Kind: n.Kind, Language: Language(id), Size: n.Size, Description: n.Description}
		for _, e := range n.Edges {
			for _, u := range []Uses{Runtime, Type, Dynamic} {
				if e.Uses&u != 0 {
					g.Edges[id] = append(g.Edges[id], Edge{e.Target, u, Explicit})
				}
			}
		}
	}
	return g
}

// Map is dependency.map.json (v1): where the files of external nodes are, and
// what they must hold. It is of this machine and never archived.
type Map struct {
	Nodes map[string]ExternalFile
}

// ExternalFile is a file of an external node.
type ExternalFile struct {
	// Locator is its absolute path.
	Locator string
	Size    int64
	// SHA256 in lower hex.
	SHA256 string
}

// Encode writes the map: minified, ids sorted, LF at the end.
func (m *Map) Encode() []byte {
	b := []byte(`{"v":1,"nodes":{`)
	for i, id := range slices.Sorted(maps.Keys(m.Nodes)) {
		n := m.Nodes[id]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, id)
		b = append(b, `:{"id":`...)
		b = appendString(b, id)
		b = append(b, `,"locatorAbs":`...)
		b = appendString(b, n.Locator)
		b = append(b, `,"size":`...)
		b = strconv.AppendInt(b, n.Size, 10)
		b = append(b, `,"sha256":`...)
		b = appendString(b, n.SHA256)
		b = append(b, '}')
	}
	return append(b, "}}\n"...)
}

// ParseMap reads a dependency.map.json.
func ParseMap(b []byte) (*Map, error) {
	var file struct {
		V     int `json:"v"`
		Nodes map[string]struct {
			ID         string `json:"id"`
			LocatorAbs string `json:"locatorAbs"`
			Size       int64  `json:"size"`
			SHA256     string `json:"sha256"`
		} `json:"nodes"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, fmt.Errorf("reading map: %w", err)
	}
	if file.V != 1 || file.Nodes == nil {
		return nil, fmt.Errorf("reading map: v is %d and nodes %s, want v 1 and an object nodes", file.V, present(file.Nodes != nil))
	}
	m := &Map{Nodes: make(map[string]ExternalFile, len(file.Nodes))}
	for _, id := range slices.Sorted(maps.Keys(file.Nodes)) {
		n := file.Nodes[id]
		if n.ID != id || n.LocatorAbs == "" || n.Size < 0 || !isSHA256(n.SHA256) {
			return nil, fmt.Errorf("reading map: node %q: want the same id, a locator, a size and a sha256 in lower hex", id)
		}
		m.Nodes[id] = ExternalFile{n.LocatorAbs, n.Size, n.SHA256}
	}
	return m, nil
}

func isSHA256(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}
