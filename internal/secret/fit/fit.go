// Package fit finds what the features of candidates weigh: from examples, for internal/secret.
//
// It is a logistic regression with an L2 penalty. The weights are rounded to integers, a tenth of a natural logarithm of
// odds each, so that sums are the same on every machine. The same examples give the same weights, in whatever order.
package fit

import (
	"math"

	"github.com/haversack-dev/haversack/internal/secret"
)

// Example is a candidate of which somebody said what it is.
type Example struct {
	Features []uint16
	Secret   bool
	// Weight says how much it counts; 1 is usual.
	Weight float64
}

const (
	// penalty is the weight of the squares of weights beside that of examples.
	penalty = 0.35
	// scale is how many units of a weight a unit of the logarithm of odds is.
	scale = 10
	// steps bounds the steps of Newton's method, which needs about ten; it ends when no weight moves by more than least.
	steps = 50
	least = 1e-6
)

// size is the number of unknowns: the weights, and the bias as the last.
const size = secret.Features + 1

// Train returns the weights that tell the examples best, which are the only ones: it is a convex problem, solved by Newton's
// method. Its threshold is that of even odds.
func Train(examples []Example) *secret.Model {
	var w [size]float64
	for range steps {
		if newton(examples, &w) < least {
			break
		}
	}
	m := &secret.Model{}
	for i := range m.Weights {
		m.Weights[i] = int16(math.Round(w[i] * scale))
	}
	m.Threshold = int(math.Round(-w[secret.Features] * scale))
	return m
}

// newton moves the weights to where the loss, were it quadratic, is least. It returns the largest move.
func newton(examples []Example, w *[size]float64) float64 {
	h := make([][size]float64, size) // of which the lower half is read
	var g [size]float64
	for i := range secret.Features {
		g[i] = penalty * w[i]
		h[i][i] = penalty
	}
	h[secret.Features][secret.Features] = 1e-9
	var list []uint16
	for n := range examples {
		e := &examples[n]
		list = append(append(list[:0], e.Features...), uint16(secret.Features))
		sum := 0.0
		for _, f := range list {
			sum += w[f]
		}
		p := 1 / (1 + math.Exp(-sum))
		d, curve := p*e.Weight, p*(1-p)*e.Weight
		if e.Secret {
			d -= e.Weight
		}
		for _, f := range list {
			g[f] += d
			row := &h[f]
			for _, o := range list {
				row[o] += curve
			}
		}
	}
	solve(h, &g)
	largest := 0.0
	for i := range w {
		w[i] -= g[i]
		largest = max(largest, math.Abs(g[i]))
	}
	return largest
}

// solve solves h·x = g, by Cholesky's method, and leaves x in g.
func solve(h [][size]float64, g *[size]float64) {
	for i := range h {
		for j := range i + 1 {
			sum := h[i][j]
			for k := range j {
				sum -= h[i][k] * h[j][k]
			}
			if i == j {
				h[i][i] = math.Sqrt(sum)
			} else {
				h[i][j] = sum / h[j][j]
			}
		}
	}
	for i := range h {
		for k := range i {
			g[i] -= h[i][k] * g[k]
		}
		g[i] /= h[i][i]
	}
	for i := size - 1; i >= 0; i-- {
		for k := i + 1; k < size; k++ {
			g[i] -= h[k][i] * g[k]
		}
		g[i] /= h[i][i]
	}
}
