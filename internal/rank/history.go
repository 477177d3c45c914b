package rank

// Commit is one commit of the base's history.
type Commit struct {
	// Files that it touched.
	Files []string
}

const (
	// maxTouched is how many files a commit may touch to say anything.
	maxTouched = 50
	// recent is how many commits back a file's own changes count.
	recent = 200
)

// past holds what history says of each node: how often it changed together with
// a changed file, and how much it changed of late. Counts are for the reasons.
type past struct {
	together, recent   []uint64
	nTogether, nRecent []int32
	partner            []int32
}

// remember reads commits, newest first.
func remember(commits []Commit, nodes map[string]int32, changed []bool) past {
	n := len(nodes)
	p := past{make([]uint64, n), make([]uint64, n), make([]int32, n), make([]int32, n), make([]int32, n)}
	touched := make([]uint64, n)
	for age, c := range commits {
		if len(c.Files) > maxTouched {
			continue
		}
		partner := int32(-1)
		for _, f := range c.Files {
			if i, ok := nodes[f]; ok && changed[i] && (partner < 0 || i < partner) {
				partner = i
			}
		}
		for _, f := range c.Files {
			i, ok := nodes[f]
			if !ok {
				continue
			}
			touched[i]++
			if age < recent {
				p.recent[i] += 50 * one / uint64(50+age)
				p.nRecent[i]++
			}
			if partner >= 0 && !changed[i] {
				// 1/log2(1+files)
				p.together[i] += (ln(2) >> 16) * one / (ln(uint64(1+len(c.Files))) >> 16)
				if p.nTogether[i] == 0 {
					p.partner[i] = partner
				}
				p.nTogether[i]++
			}
		}
	}
	for i := range p.together {
		// √(3+n), 16 bits behind the point
		p.together[i] = mulDiv(p.together[i], one, Root((3+max(1, touched[i]))<<32))
	}
	return p
}
