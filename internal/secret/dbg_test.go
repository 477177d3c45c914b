package secret

import (
	"os"
	"sort"
	"testing"
)

func TestDbg(t *testing.T) {
	p := os.Getenv("DBG")
	if p == "" {
		t.Skip()
	}
	s, _ := New()
	b, _ := os.ReadFile(p)
	r := s.runs.Get().(*run)
	r.reset(p, b)
	sp := map[string]int64{}
	n := map[string]int{}
	for lo := 0; lo < len(b); lo += chunk {
		s.table.auto.find(b, lo, min(lo+chunk, len(b)), &r.lanes)
		for i := range r.lanes {
			for _, h := range r.lanes[i] {
				for _, id := range s.table.auto.literals(h) {
					p := &s.table.patterns[id]
					x := r.spent
					r.look(p, h.end)
					k := p.literal
					if p.kind == byExpression {
						k += " " + s.table.rules[p.rule].id
					}
					sp[k] += r.spent - x
					n[k]++
				}
			}
		}
	}
	var ks []string
	for k := range sp {
		ks = append(ks, k)
	}
	sort.Slice(ks, func(i, j int) bool { return sp[ks[i]] > sp[ks[j]] })
	t.Log(r.spent, r.limit)
	for _, k := range ks[:min(12, len(ks))] {
		t.Log(k, n[k], sp[k])
	}
}
