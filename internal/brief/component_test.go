package brief

import (
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/tokens"
)

// TestStyleOfComponents: the style of a component stands beside a change that touches how something looks, and no other.
func TestStyleOfComponents(t *testing.T) {
	code := "<template>\n  <Card :title=\"title\" />\n</template>\n\n<script setup>\nconst title = words()\n" + strings.Repeat("words.of.code(\"that is long enough to be a block\")\n", 60) + "</script>\n"
	style := "\n<style scoped>\n" + strings.Repeat(".card { color: red; background: blue; margin: 12px }\n\n", 60) + "</style>\n"
	end := strings.Count(code+style, "\n")
	for _, c := range []struct {
		name    string
		touched int
		want    bool
	}{{"a.vue", 6, false}, {"a.vue", end - 20, true}, {"a.html", 6, true}} {
		s := Source{Path: c.name, Name: c.name, Text: code + style, Changed: true, Touched: []int{c.touched}}
		other := Source{Path: "b" + c.name, Name: "b" + c.name, Text: code + style}
		for range s.Blocks() {
			s.Needs = append(s.Needs, 0)
		}
		for range other.Blocks() {
			other.Needs = append(other.Needs, 0)
		}
		d := NewDocument([]Source{s, other}, new(tokens.Counter), 100, Budget{Tokens: 40_000, Least: -1})
		e := d.entries[1]
		taken := 0
		for b, block := range e.blocks {
			if e.taken[b] && block.From > strings.Count(code, "\n")+2 {
				taken++
			}
		}
		if (taken > 0) != c.want && !(e.bytes == len(e.Text)) {
			t.Errorf("%s, line %d: %d blocks of the style stand there", c.name, c.touched, taken)
		}
		list := d.candidates(-1)
		found := false
		for _, one := range list {
			found = found || d.entries[one.file].blocks[one.block].From > strings.Count(code, "\n")+2
		}
		if found != c.want {
			t.Errorf("%s, line %d: the style may stand there: %v", c.name, c.touched, found)
		}
	}
}
