package known

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// TestUnion: values keep their files and the rule whose name comes first; a file that
// one set gives up is given up in all; the sets stay as they are.
func TestUnion(t *testing.T) {
	of := func(n byte) string { return "q7Zk2LxT9vBn" + string(n) + "4Rw8YcMd5Hs1" }
	text := func(n byte) ([]byte, []value.Finding) {
		b := []byte(of(n))
		return b, []value.Finding{{Rule: "b-rule", Line: 1, Start: 0, End: len(b)}}
	}
	a, b := new(Values), new(Values)
	x, found := text('A')
	a.AddFile("one", x, found)
	b.Add("a-rule", []byte(of('A')))
	b.Give("given", "sesame-open")
	y, found := text('B')
	b.AddFile("two", y, found)
	u := Union(a, nil, b)
	if u.Len() != 3 || a.Len() != 1 || b.Len() != 3 {
		t.Errorf("%d values of %d and %d", u.Len(), a.Len(), b.Len())
	}
	got := u.Find([]byte("see "+of('A')+" and "+of('B')+" and sesame-open"), nil)
	var rules []string
	for _, f := range got {
		rules = append(rules, f.Rule)
	}
	if s := strings.Join(rules, " "); s != "a-rule b-rule given" {
		t.Errorf("found %s", s)
	}
	c := new(Values)
	c.locked().leave("one")
	c.mu.Unlock()
	if got := Union(a, c).Over(); len(got) != 1 || got[0] != "one" {
		t.Errorf("given up: %s", got)
	}
	if Union(a, c).Len() != 0 {
		t.Error("a file that is given up still teaches")
	}
}
