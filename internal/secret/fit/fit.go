// Package fit finds what the features of candidates weigh: from examples, for internal/secret.
//
// It is a logistic regression with an L2 penalty. The weights are rounded to integers, a tenth of a natural logarithm of
// odds each, so that sums are the same on every machine. The same examples in the same order give the same weights.
package fit

import (
	"math"
	"math/rand/v2"

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
	orders  = 2
	every   = 500
	rounds  = 30
	rate    = 0.3
	penalty = 3
	// scale is how many units of a weight a unit of the logarithm of odds is.
	scale = 10
)

// Train returns the weights that tell the examples best. Its threshold is that of even odds. Where descent ends depends on the
// order of the examples: the weights are the mean of several orders.
func Train(examples []Example) *secret.Model {
	var sum [secret.Features + 1]float64
	for order := range orders {
		for i, w := range descend(examples, uint64(order)) {
			sum[i] += w
		}
	}
	m := &secret.Model{}
	for i := range m.Weights {
		m.Weights[i] = int16(math.Round(sum[i] / orders * scale))
	}
	m.Threshold = int(math.Round(-sum[secret.Features] / orders * scale))
	return m
}

// descend returns the weights, and the bias as the last, that a descent along the gradient ends at.
func descend(examples []Example, seed uint64) *[secret.Features + 1]float64 {
	var w, g2 [secret.Features + 1]float64
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	total := 0.0
	for _, e := range examples {
		total += e.Weight
	}
	rng := rand.New(rand.NewPCG(19, seed))
	step := func(i int, g float64) {
		g2[i] += g * g
		w[i] -= rate * g / math.Sqrt(g2[i]+1e-8)
	}
	samples := 0.0
	var mean [secret.Features + 1]float64
	for round := range rounds {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for n, at := range order {
			e := &examples[at]
			sum := w[secret.Features]
			for _, f := range e.Features {
				sum += w[f]
			}
			p := 1 / (1 + math.Exp(-sum))
			if e.Secret {
				p--
			}
			d := p * e.Weight
			for _, f := range e.Features {
				step(int(f), d+penalty*w[f]*e.Weight/total)
			}
			step(secret.Features, d)
			if round >= rounds/2 && n%every == 0 {
				samples++
				for i := range w {
					mean[i] += w[i]
				}
			}
		}
	}
	for i := range mean {
		mean[i] /= samples
	}
	return &mean
}
