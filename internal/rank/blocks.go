package rank

import "strings"

// Passage is a stretch of a file that is ranked by itself.
type Passage struct {
	Text []byte
	// Defines is the name that it defines, qualified or not; "" where it defines none.
	Defines string
}

// Evidence is what speaks for one passage, each in a unit of its own.
type Evidence struct {
	// Text is BM25 of the parts of its identifiers, asked for by those of the patches; Rare adds up 1/df over the rare
	// identifiers that it shares with them; Left counts the names that the patches take away and do not write again, and that
	// it still says. Uses and Defines tell whether it says, and defines, a name that the change's lines define or remove.
	Text, Rare, Left uint64
	Uses, Defines    bool
}

// Need returns what speaks for a file whatever its size, in millionths.
func (o *Order) Need(path string) int64 {
	i, ok := o.node[path]
	if !ok || int(i) >= len(o.files) || o.changed[i] {
		return 0
	}
	n := int64(0)
	for s, amount := range o.amounts(int(i)) {
		if Signal(s) != Size {
			n += amount
		}
	}
	return n
}

// passageLength is the length, in parts of identifiers, that a passage has in the mean.
const passageLength = 40

// Passages returns what speaks for each passage of a file.
func (o *Order) Passages(list []Passage) []Evidence {
	parts, idents := newTable(hashes(o.query.parts)), newTable(hashes(o.query.idents))
	out := make([]Evidence, len(list))
	counts := make([]uint64, len(o.query.parts))
	for i, p := range list {
		length := uint64(0)
		var said []int32
		held := map[int32]bool{}
		eachWord(p.Text[:min(len(p.Text), maxText)], func(word []byte, _ int) {
			if n := idents.find(hash(word)); n >= 0 && !held[n] {
				held[n] = true
				t := &o.query.idents[n]
				out[i].Rare += o.rare[n]
				if t.removed > 0 && t.added == 0 && o.rare[n] > 0 {
					out[i].Left++
				}
				out[i].Uses = out[i].Uses || t.defined
			}
			eachPart(word, func(part []byte) {
				length++
				if t := parts.find(hashPart(part)); t >= 0 {
					if counts[t] == 0 {
						said = append(said, t)
					}
					counts[t]++
				}
			})
		})
		for _, t := range said {
			out[i].Text += bm25(counts[t], length, passageLength*one, o.idf[t], one)
			counts[t] = 0
		}
		name := p.Defines[strings.LastIndexByte(p.Defines, '.')+1:]
		if n := idents.find(hash(name)); len(name) > 2 && n >= 0 && (o.query.idents[n].added > 0 || o.query.idents[n].removed > 0) {
			out[i].Defines = true
		}
	}
	return out
}

// Share returns √(n/most) in millionths.
func Share(n, most uint64) int64 { return rootShare(n, most) }

// Log returns the natural logarithm of n in millionths, n at least 1.
func Log(n int) int64 { return int64(mulDiv(ln(uint64(max(1, n))), unit, 1<<32)) }
