package plan

import (
	"github.com/haversack-dev/haversack/internal/graph"
	"github.com/haversack-dev/haversack/internal/record"
	"github.com/haversack-dev/haversack/internal/tokens"
)

// NewBudget is what the record says of a plan's budget; nil where every file is taken.
func NewBudget(p *Plan) *record.Budget {
	b := p.budget
	if b == nil {
		return nil
	}
	out := &record.Budget{LimitTokens: p.Limit, Files: b.Files, SizeBytes: b.Bytes, EstimatedTokens: b.Tokens, Base: share(b.BaseOnly),
		Closure: share(b.ClosureOnly), Overlap: share(b.Overlap), Changed: share(b.Changed), Largest: []record.Size{}, Unlisted: p.unlisted}
	if p.Limit > 0 {
		out.Tokens, out.Tokenizer = p.tokens, tokens.Name
	}
	for _, l := range b.Largest {
		p, _ := record.DisplayPath(l.Path)
		out.Largest = append(out.Largest, record.Size{Path: p, SizeBytes: l.Bytes})
	}
	return out
}

func share(p graph.Part) record.Share { return record.Share{Files: p.Files, SizeBytes: p.Bytes} }
