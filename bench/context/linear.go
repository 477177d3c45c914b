package main

import (
	"math"
	"sync"

	"github.com/haversack-dev/haversack/internal/rank"
)

// columns is how many features a row has.
const columns = len(rank.Row{})

// linear tells the log odds of a row: weights by feature, the last one what every row has.
type linear [columns + 1]float64

func (w *linear) need(r *rank.Row) int64 {
	z := int64(math.Round(w[columns] * 1e6))
	for f, v := range r {
		z += int64(math.Round(w[f]*1e6)) * int64(v)
	}
	return z
}

const (
	newtonRounds = 9
	ridge        = 20 // how much speaks against weights, in examples
)

// fitLinear fits a logistic regression over the features, each brought to mean 0 and spread 1, by Newton's method.
func fitLinear(list []example) *linear {
	var mean, spread [columns]float64
	total := 0.0
	for _, e := range list {
		for f, v := range e.row {
			mean[f] += e.weight * float64(v)
		}
		total += e.weight
	}
	for f := range mean {
		mean[f] /= total
	}
	for _, e := range list {
		for f, v := range e.row {
			d := float64(v) - mean[f]
			spread[f] += e.weight * d * d
		}
	}
	for f := range spread {
		spread[f] = math.Sqrt(spread[f]/total) + 1e-9
	}
	const n = columns + 1
	var w [n]float64
	w[columns] = -6
	for range newtonRounds {
		const workers = 2
		type sums struct {
			g [n]float64
			h [n][n]float64
		}
		var parts [workers]*sums
		var wait sync.WaitGroup
		for k := range workers {
			parts[k] = &sums{}
			wait.Go(func() {
				s := parts[k]
				var x [n]float64
				x[columns] = 1
				for i := k; i < len(list); i += workers {
					e := &list[i]
					z := w[columns]
					for f, v := range e.row {
						x[f] = (float64(v) - mean[f]) / spread[f]
						z += w[f] * x[f]
					}
					p := 1 / (1 + math.Exp(-z))
					d := p
					if e.needed {
						d--
					}
					d *= e.weight
					h := e.weight * p * (1 - p)
					for f := range x {
						s.g[f] += d * x[f]
						hx := h * x[f]
						row := &s.h[f]
						for j := 0; j <= f; j++ {
							row[j] += hx * x[j]
						}
					}
				}
			})
		}
		wait.Wait()
		s := parts[0]
		for f := range n {
			s.g[f] += parts[1].g[f]
			for j := range n {
				s.h[f][j] += parts[1].h[f][j]
			}
			if f < columns {
				s.g[f] += ridge * w[f]
				s.h[f][f] += ridge
			}
		}
		step := solve(&s.h, &s.g)
		far := 0.0
		for _, v := range step {
			far = max(far, math.Abs(v))
		}
		for f := range w {
			w[f] -= step[f] * min(1, 2/far)
		}
	}
	out := &linear{}
	out[columns] = w[columns]
	for f := range columns {
		out[f] = w[f] / spread[f]
		out[columns] -= w[f] * mean[f] / spread[f]
	}
	return out
}

// solve returns x of a·x = b, a symmetric and given by its lower half, by Cholesky's method.
func solve(a *[columns + 1][columns + 1]float64, b *[columns + 1]float64) (x [columns + 1]float64) {
	const n = columns + 1
	for i := range n {
		for j := 0; j <= i; j++ {
			s := a[i][j]
			for k := range j {
				s -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(s, 1e-9))
			} else {
				a[i][j] = s / a[j][j]
			}
		}
	}
	for i := range n {
		s := b[i]
		for k := range i {
			s -= a[i][k] * x[k]
		}
		x[i] = s / a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		for k := i + 1; k < n; k++ {
			s -= a[k][i] * x[k]
		}
		x[i] = s / a[i][i]
	}
	return x
}
