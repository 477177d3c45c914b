package diff

import "math"

// way is the search for the shortest way from one list of lines to another: Myers'
// algorithm from both ends in linear space (An O(ND) Difference Algorithm and Its
// Variations, 1986), which takes a good way for the best one where that is far.
type way struct {
	a, b sought
	// forward and backward hold for each diagonal (place in a - place in b) how far along a
	// it is reached from the start, and from the end; zero is where diagonal 0 stands.
	forward, backward []int32
	zero              int
	// far is after how many steps from both sides a good way is good enough.
	far    int
	most   *int
	coarse bool
}

// box is a part of both lists.
type box struct{ a0, a1, b0, b1 int }

const (
	// longRun is how many equal lines in a row make a way good.
	longRun = 20
	// leastFar is the least of far, and the steps before a good way is looked for.
	leastFar = 256
	// goodness is how many lines a step a good way has to get on.
	goodness = 4
)

func (w *way) begin() {
	n := len(w.a.class) + len(w.b.class) + 3
	w.forward, w.backward = make([]int32, n+1), make([]int32, n+1)
	w.zero = len(w.b.class) + 1
	w.far = max(root(n), leastFar)
}

// between marks what is changed in a box. best asks for the shortest way, however far.
func (w *way) between(x box, best bool) {
	for {
		for x.a0 < x.a1 && x.b0 < x.b1 && w.a.class[x.a0] == w.b.class[x.b0] {
			x.a0, x.b0 = x.a0+1, x.b0+1
		}
		for x.a0 < x.a1 && x.b0 < x.b1 && w.a.class[x.a1-1] == w.b.class[x.b1-1] {
			x.a1, x.b1 = x.a1-1, x.b1-1
		}
		if x.a0 == x.a1 || x.b0 == x.b1 || *w.most <= 0 {
			w.coarse = w.coarse || x.a0 < x.a1 && x.b0 < x.b1
			for i := x.a0; i < x.a1; i++ {
				w.a.changed[w.a.at[i]] = true
			}
			for i := x.b0; i < x.b1; i++ {
				w.b.changed[w.b.at[i]] = true
			}
			return
		}
		s := w.split(x, best)
		w.between(box{x.a0, s.a, x.b0, s.b}, s.bestBefore)
		x, best = box{s.a, x.a1, s.b, x.b1}, s.bestAfter
	}
}

// split is a place on the way through a box. bestBefore and bestAfter say that the way is
// the shortest one on that side.
type split struct {
	a, b                  int
	bestBefore, bestAfter bool
}

// front is the diagonals that are reached from one side, from low to high.
type front struct{ low, high int }

// widen lets a front grow by a diagonal on each side, as far as the box has more; limit is
// what a diagonal that was not reached holds.
func (f *front) widen(reached []int32, zero int, x box, limit int32) {
	if f.low > x.a0-x.b1 {
		f.low--
		reached[zero+f.low-1] = limit
	} else {
		f.low++
	}
	if f.high < x.a1-x.b0 {
		f.high++
		reached[zero+f.high+1] = limit
	} else {
		f.high--
	}
}

func (w *way) split(x box, best bool) split {
	from, to := x.a0-x.b0, x.a1-x.b1
	odd := (from-to)&1 != 0
	f, b := front{from, from}, front{to, to}
	w.forward[w.zero+from], w.backward[w.zero+to] = int32(x.a0), int32(x.a1)
	for steps := 1; ; steps++ {
		f.widen(w.forward, w.zero, x, -1)
		s, met, long := w.stepForward(x, f, b, odd)
		if met {
			return s
		}
		b.widen(w.backward, w.zero, x, math.MaxInt32)
		s, met, longBack := w.stepBackward(x, f, b, odd)
		if met {
			return s
		}
		*w.most -= f.high - f.low + b.high - b.low + 4
		if best && *w.most > 0 {
			continue
		}
		if (long || longBack) && steps > leastFar {
			if s, ok := w.goodForward(x, f, from, steps); ok {
				return s
			}
			if s, ok := w.goodBackward(x, b, to, steps); ok {
				return s
			}
		}
		if steps >= w.far || *w.most <= 0 {
			return w.furthest(x, f, b)
		}
	}
}

// stepForward goes one step on from the start on every diagonal; met says that the two
// fronts are one way now, long that a long run of equal lines was found.
func (w *way) stepForward(x box, f, b front, odd bool) (s split, met, long bool) {
	a, c, reached := w.a.class, w.b.class, w.forward
	for d := f.high; d >= f.low; d -= 2 {
		k := w.zero + d
		i := int(reached[k+1])
		if reached[k-1] >= reached[k+1] {
			i = int(reached[k-1]) + 1
		}
		first, j := i, i-d
		for i < x.a1 && j < x.b1 && a[i] == c[j] {
			i, j = i+1, j+1
		}
		*w.most -= (i - first) >> 4
		long = long || i-first > longRun
		reached[k] = int32(i)
		if odd && b.low <= d && d <= b.high && int(w.backward[k]) <= i {
			return split{i, j, true, true}, true, long
		}
	}
	return s, false, long
}

// stepBackward is the same from the end.
func (w *way) stepBackward(x box, f, b front, odd bool) (s split, met, long bool) {
	a, c, reached := w.a.class, w.b.class, w.backward
	for d := b.high; d >= b.low; d -= 2 {
		k := w.zero + d
		i := int(reached[k+1]) - 1
		if reached[k-1] < reached[k+1] {
			i = int(reached[k-1])
		}
		first, j := i, i-d
		for i > x.a0 && j > x.b0 && a[i-1] == c[j-1] {
			i, j = i-1, j-1
		}
		*w.most -= (first - i) >> 4
		long = long || first-i > longRun
		reached[k] = int32(i)
		if !odd && f.low <= d && d <= f.high && i <= int(w.forward[k]) {
			return split{i, j, true, true}, true, long
		}
	}
	return s, false, long
}

// goodForward looks for a diagonal that got far from the start for its steps and ends in a
// long run of equal lines.
func (w *way) goodForward(x box, f front, from, steps int) (s split, ok bool) {
	most := 0
	for d := f.high; d >= f.low; d -= 2 {
		i := int(w.forward[w.zero+d])
		j := i - d
		got := i - x.a0 + j - x.b0 - abs(d-from)
		if got <= goodness*steps || got <= most || i < x.a0+longRun || i >= x.a1 || j < x.b0+longRun || j >= x.b1 {
			continue
		}
		if w.equal(i-longRun, j-longRun) {
			most, s = got, split{i, j, true, false}
		}
	}
	return s, most > 0
}

// goodBackward is the same from the end.
func (w *way) goodBackward(x box, b front, to, steps int) (s split, ok bool) {
	most := 0
	for d := b.high; d >= b.low; d -= 2 {
		i := int(w.backward[w.zero+d])
		j := i - d
		got := x.a1 - i + x.b1 - j - abs(d-to)
		if got <= goodness*steps || got <= most || i <= x.a0 || i > x.a1-longRun || j <= x.b0 || j > x.b1-longRun {
			continue
		}
		if w.equal(i, j) {
			most, s = got, split{i, j, false, true}
		}
	}
	return s, most > 0
}

// equal reports whether a long run of equal lines begins here.
func (w *way) equal(i, j int) bool {
	for k := range longRun {
		if w.a.class[i+k] != w.b.class[j+k] {
			return false
		}
	}
	return true
}

// furthest is the place that was reached with the most lines behind it, from the start or
// from the end.
func (w *way) furthest(x box, f, b front) split {
	first, firstA := -1, -1
	for d := f.high; d >= f.low; d -= 2 {
		i := min(int(w.forward[w.zero+d]), x.a1)
		j := i - d
		if j > x.b1 {
			i, j = x.b1+d, x.b1
		}
		if i+j > first {
			first, firstA = i+j, i
		}
	}
	last, lastA := math.MaxInt, math.MaxInt
	for d := b.high; d >= b.low; d -= 2 {
		i := max(int(w.backward[w.zero+d]), x.a0)
		j := i - d
		if j < x.b0 {
			i, j = x.b0+d, x.b0
		}
		if i+j < last {
			last, lastA = i+j, i
		}
	}
	if x.a1+x.b1-last < first-x.a0-x.b0 {
		return split{firstA, first - firstA, true, false}
	}
	return split{lastA, last - lastA, false, true}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
