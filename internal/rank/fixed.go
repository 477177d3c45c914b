package rank

import "math/bits"

// Scores are integers from the first count to the last sum: floating point may
// be fused differently on another machine, and two files may then change places.

// unit is what 1 is in scores and amounts: they are millionths.
const unit = 1_000_000

// one is what 1 is inside of signals: 16 bits behind the point.
const one = 1 << 16

// ln2 is the natural logarithm of 2, 62 bits behind the point.
const ln2 = 3196577161300663915

// ln returns the natural logarithm of x, 32 bits behind the point; of 0, that of 1.
func ln(x uint64) uint64 {
	if x < 2 {
		return 0
	}
	whole := uint64(bits.Len64(x) - 1)
	m := x << (63 - whole) // 1 ≤ m < 2, 63 bits behind the point
	log := whole
	for range 32 {
		hi, lo := bits.Mul64(m, m)
		log <<= 1
		if hi>>63 != 0 {
			log |= 1
			m = hi
		} else {
			m = hi<<1 | lo>>63
		}
	}
	hi, lo := bits.Mul64(log, ln2) // 94 bits behind the point
	return hi<<2 | lo>>62
}

// lnRatio returns ln(a/b), 16 bits behind the point, for a ≥ b; else 0.
func lnRatio(a, b uint64) uint64 {
	la, lb := ln(a), ln(b)
	if la <= lb {
		return 0
	}
	return (la - lb) >> 16
}

// Root returns the largest r with r*r ≤ x.
func Root(x uint64) uint64 {
	if x == 0 {
		return 0
	}
	r := uint64(1) << ((bits.Len64(x) + 1) / 2)
	for {
		next := (r + x/r) / 2
		if next >= r {
			return r
		}
		r = next
	}
}

// mulDiv returns a*b/c without overflow on the way, for a*b/c < 2^64; else the
// largest number there is. c is not 0.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi >= c {
		return 1<<64 - 1
	}
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// rootShare returns √(x/most) in units, for x ≤ most.
func rootShare(x, most uint64) int64 {
	if x == 0 || most == 0 {
		return 0
	}
	return int64(Root(mulDiv(x, unit*unit, most)))
}
