package rank

// Forest tells the log odds that something is needed: the sum of what its trees tell. All of them ask Depth times.
type Forest struct {
	Depth int
	// Splits are the nodes that ask, tree by tree, each before the two that follow it: those of a tree's node n are 2n+1 and 2n+2.
	Splits []Split
	// Leaves are what the trees tell, in thousandths, tree by tree.
	Leaves []int16
}

// Split leads a row to the second node that follows if a feature is over a value.
type Split struct {
	Feature uint8
	Over    int16
}

// Need returns what the trees tell of a row together, in millionths.
func (f *Forest) Need(row []int16) int64 {
	sum, leaves := int64(0), 1<<f.Depth
	for tree := range len(f.Leaves) / leaves {
		splits, n := f.Splits[tree*(leaves-1):][:leaves-1], 0
		for n < len(splits) {
			s := splits[n]
			if n = 2*n + 1; row[s.Feature] > s.Over {
				n++
			}
		}
		sum += int64(f.Leaves[tree*leaves+n-len(splits)])
	}
	return sum * 1000
}
