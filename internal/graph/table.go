package graph

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Counts are the numbers of a meta.
type Counts struct {
	// Nodes by Kind.
	Nodes [4]int
	// Edges is how many pairs of files there are; ByUse counts those that have
	// a use, in the order of its bits; Implicit those that no import names.
	Edges    int
	ByUse    [3]int
	Implicit int
}

// Count counts the nodes and edges.
func (m *Meta) Count() Counts {
	var c Counts
	for _, n := range m.Nodes {
		c.Nodes[n.Kind]++
		for _, e := range n.Edges {
			c.Edges++
			for i := range c.ByUse {
				if e.Uses&(1<<i) != 0 {
					c.ByUse[i]++
				}
			}
			if e.Resolution == Implicit {
				c.Implicit++
			}
		}
	}
	return c
}

// Degree is how many files use a node.
type Degree struct {
	ID   string
	Uses int
}

// MostUsed returns the n files that most others use, by count and then by id.
func (m *Meta) MostUsed(n int) []Degree {
	in := map[string]int{}
	for from, node := range m.Nodes {
		for _, e := range node.Edges {
			if e.Target != from && m.Nodes[e.Target].Kind.File() {
				in[e.Target]++
			}
		}
	}
	list := make([]Degree, 0, len(in))
	for _, id := range slices.Sorted(maps.Keys(in)) {
		list = append(list, Degree{id, in[id]})
	}
	slices.SortStableFunc(list, func(a, b Degree) int { return cmp.Compare(b.Uses, a.Uses) })
	return slices.Clip(list[:min(n, len(list))])
}

// WriteTable prints a graph in short: nodes and edges by kind, what is
// unresolved and who imports it, and the files that most others use. At most
// limit unresolved imports are printed, and three importers of each. Names are
// printed quoted: they are the repository's words.
func WriteTable(w io.Writer, m *Meta, unresolved []MissingImport, limit int) error {
	c := m.Count()
	var b strings.Builder
	b.WriteString("nodes")
	for k, n := range c.Nodes {
		fmt.Fprintf(&b, "  %s %d", Kind(k), n)
	}
	fmt.Fprintf(&b, "\nedges  all %d", c.Edges)
	for i, n := range c.ByUse {
		fmt.Fprintf(&b, "  %s %d", Uses(1<<i), n)
	}
	fmt.Fprintf(&b, "  only implicit %d\n", c.Implicit)
	if most := m.MostUsed(10); len(most) > 0 {
		b.WriteString("\nmost used\n")
		for _, d := range most {
			fmt.Fprintf(&b, "%6d  %s\n", d.Uses, quoted(d.ID))
		}
	}
	if len(unresolved) > 0 {
		fmt.Fprintf(&b, "\nunresolved %d\n", len(unresolved))
		for i, u := range unresolved {
			if i == limit {
				fmt.Fprintf(&b, "  and %d more\n", len(unresolved)-limit)
				break
			}
			fmt.Fprintf(&b, "  %q", u.Name)
			switch {
			case u.Ambient != "":
				fmt.Fprintf(&b, " (declared in %s)", quoted(u.Ambient))
			case u.File != "":
				fmt.Fprintf(&b, " (%s is no module)", quoted(u.File))
			}
			b.WriteString(" in")
			for j, p := range u.Importers {
				if j == 3 {
					fmt.Fprintf(&b, " and %d more", len(u.Importers)-3)
					break
				}
				b.WriteString(" " + quoted(p))
			}
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// quoted quotes a path that holds anything but plain characters.
func quoted(s string) string {
	if q := fmt.Sprintf("%q", s); q != `"`+s+`"` || strings.ContainsAny(s, " ") {
		return q
	}
	return s
}
