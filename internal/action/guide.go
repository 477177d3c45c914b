package action

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/haversack-dev/haversack/internal/graph"
)

// guideText tells the assistant what an archive holds and how to ask for more:
// the decode tables of seed 001 and the rules of seed 002.
//
//go:embed guide.md
var guideText string

// guide is the assistant's guide for this repository. It holds nothing that
// differs between clones.
func (r *run) guide(string) []byte {
	s := strings.ReplaceAll(guideText, "{{stan}}", r.in.Stan)
	return []byte(strings.ReplaceAll(s, "{{examples}}", r.examples()))
}

// examples are states that fit this repository: its file that needs most
// others, and the dependency that most files need.
func (r *run) examples() string {
	source, external := "src/index.ts", ""
	if r.deps != nil {
		meta := r.deps.canonical.Meta
		most := 0
		for id, n := range meta.Nodes {
			if n.Kind != graph.Source || strings.ContainsAny(id, "`\n\"\\") {
				continue
			}
			if e := len(n.Edges); e > most || e == most && e > 0 && id < source {
				source, most = id, e
			}
		}
		for _, d := range meta.MostUsed(200) {
			if meta.Nodes[d.ID].Kind == graph.External && !strings.ContainsAny(d.ID, "`\n\"\\") {
				external = d.ID
				break
			}
		}
	}
	s := fmt.Sprintf("The file and what it needs at run time, two steps deep: `{\"v\":2,\"i\":[[\"%s\",2,1]]}`.", source)
	if external != "" {
		s += fmt.Sprintf("\nThe same, and one file of a dependency: `{\"v\":2,\"i\":[[\"%s\",2,1],\"%s\"]}`.", source, external)
	}
	return s
}
