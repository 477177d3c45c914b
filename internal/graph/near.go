package graph

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/haversack-dev/haversack/internal/text"
)

// Hint offers names of files that resemble an id which is none, or "".
func (m *Meta) Hint(id string) string { return m.near(id) }

// maxNear bounds the ids that a wrong one is compared with, and the wrong ones that
// are compared.
const (
	maxNear  = 20_000
	maxWrong = 20
)

// near suggests the files that a user may have meant by an id that is none: " (did
// you mean …?)", or "".
func (m *Meta) near(id string) string {
	type other struct {
		id       string
		distance int
	}
	var list []other
	n := 0
	for name, node := range m.Nodes {
		if !node.Kind.File() || len(name) > 500 || len(id) > 500 {
			continue
		}
		if n++; n > maxNear {
			return "" // map order must not show
		}
		switch far := len(id)/5 + 1; {
		case path.Base(name) == path.Base(id):
			list = append(list, other{name, 0})
		case max(len(name)-len(id), len(id)-len(name)) <= far:
			if d := levenshtein.ComputeDistance(id, name); d <= far {
				list = append(list, other{name, d})
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	slices.SortFunc(list, func(a, b other) int { return cmp.Or(a.distance-b.distance, strings.Compare(a.id, b.id)) })
	names := make([]string, 0, 3)
	for _, o := range list[:min(3, len(list))] {
		names = append(names, text.Name(o.id))
	}
	return fmt.Sprintf(" (did you mean %s?)", strings.Join(names, " or "))
}
