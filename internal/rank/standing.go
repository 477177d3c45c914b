package rank

// rounds and damping of Standing: what is left of a start weighs less than a fiftieth after them.
const (
	standingRounds  = 24
	standingDamping = 85 // hundredths
)

// Standing returns how much of a repository depends on each of its files, in millionths of what it would be were all
// alike: PageRank, in which a file hands what it has to those that it imports. edges lead from a file to those that it
// imports, each by its place; what lies outside of the files is passed over. All is of integers, so that the order is
// the same on every machine.
func Standing(files int, edges [][]int32) []int64 {
	const full = int64(1) << 32 // what one file has at first
	have := make([]int64, files)
	for i := range have {
		have[i] = full
	}
	next := make([]int64, files)
	for range standingRounds {
		var lost int64 // of those that import nothing, which is everybody's
		for i := range next {
			next[i] = 0
		}
		for i, list := range edges {
			if len(list) == 0 {
				lost += have[i]
				continue
			}
			share := have[i] / int64(len(list))
			for _, to := range list {
				next[to] += share
			}
		}
		all := lost / int64(max(files, 1))
		for i := range next {
			next[i] = full/100*(100-standingDamping) + (next[i]+all)/100*standingDamping
		}
		have, next = next, have
	}
	for i := range have {
		have[i] = have[i] >> 12 * unit >> 20
	}
	return have
}

// Prominence returns how much each file of a repository tells of it, in the scale of Standing: the geometric mean of what
// Standing gives it and of what it would give if edges led the other way. What all depends on, its types and helpers, is half of
// what is asked of a program; the other half brings much together and does something with it, and little depends on that.
func Prominence(files int, edges [][]int32) []int64 {
	back := make([][]int32, files)
	for from, list := range edges {
		for _, to := range list {
			back[to] = append(back[to], int32(from))
		}
	}
	used, using := Standing(files, edges), Standing(files, back)
	for i := range used {
		used[i] = int64(Root(uint64(max(used[i], 1)) * uint64(max(using[i], 1))))
	}
	return used
}
