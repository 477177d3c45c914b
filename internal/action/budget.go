package action

import (
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// Budget says what a context archive costs.
type Budget struct {
	// LimitTokens is the budget, 0 without one. Tokens are counted where there is one,
	// by Tokenizer: those of the contents of all members.
	LimitTokens     int    `json:"limit_tokens"`
	Tokens          int    `json:"tokens,omitempty"`
	Tokenizer       string `json:"tokenizer,omitempty"`
	Files           int    `json:"files"`
	SizeBytes       int64  `json:"size_bytes"`
	EstimatedTokens int64  `json:"estimated_tokens"`
	Base            Share  `json:"base_only"`
	Closure         Share  `json:"closure_only"`
	Overlap         Share  `json:"overlap"`
	Changed         Share  `json:"changed"`
	Largest         []Size `json:"largest"`
	// Unlisted counts the files that the archive's map leaves out: the map is
	// large, and they need nothing and nothing needs them.
	Unlisted int `json:"unlisted_in_map"`
}

// Share is a part of a budget.
type Share struct {
	Files     int   `json:"files"`
	SizeBytes int64 `json:"size_bytes"`
}

// Size is a path and its bytes.
type Size struct {
	Path      string `json:"path"`
	SizeBytes int64  `json:"size_bytes"`
}

func newBudget(p *plan) *Budget {
	b := p.budget
	if b == nil {
		return nil
	}
	out := &Budget{LimitTokens: p.limit, Files: b.Files, SizeBytes: b.Bytes, EstimatedTokens: b.Tokens, Base: share(b.BaseOnly),
		Closure: share(b.ClosureOnly), Overlap: share(b.Overlap), Changed: share(b.Changed), Largest: []Size{}, Unlisted: p.unlisted}
	if p.limit > 0 {
		out.Tokens, out.Tokenizer = p.tokens, tokens.Name
	}
	for _, l := range b.Largest {
		p, _ := display(l.Path)
		out.Largest = append(out.Largest, Size{p, l.Bytes})
	}
	return out
}

func share(p graph.Part) Share { return Share{p.Files, p.Bytes} }

// Unresolved is an import that leads nowhere, and who imports it.
type Unresolved struct {
	Specifier string   `json:"specifier"`
	Importers []string `json:"importers"`
}
