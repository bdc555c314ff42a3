// SPDX-License-Identifier: Apache-2.0

package benchmark_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// comparison holds the durations of calls to two populations, by turn.
type comparison struct {
	small, large [][]time.Duration
}

// resamples is the number of resamplings for an interval.
const resamples = 400

// quantile returns the maximum duration of the given part of all calls.
func quantile(turns [][]time.Duration, part float64) time.Duration {
	all := slices.Concat(turns...)
	slices.Sort(all)
	return all[int(math.Ceil(part*float64(len(all))))-1]
}

// ratio returns the quantile of the large population divided by the quantile of the
// small one.
func (c comparison) ratio(part float64) float64 {
	return float64(quantile(c.large, part)) / float64(quantile(c.small, part))
}

// interval returns the limits of 95% of the ratios if turns are drawn from the measured ones with replacement
// (bootstrap). Whole turns are drawn, because a slow call often has slow neighbors.
func (c comparison) interval(part float64) (low, high float64) {
	random := rand.New(rand.NewPCG(1, 2))
	ratios := make([]float64, 0, resamples)
	for range resamples {
		var drawn comparison
		for range c.small {
			i := random.IntN(len(c.small))
			drawn.small = append(drawn.small, c.small[i])
			drawn.large = append(drawn.large, c.large[i])
		}
		ratios = append(ratios, drawn.ratio(part))
	}
	slices.Sort(ratios)
	return ratios[resamples*25/1000], ratios[resamples*975/1000-1]
}

func TestComparison(t *testing.T) {
	turn := func(times ...time.Duration) []time.Duration { return times }
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	for _, test := range []struct {
		name      string
		given     comparison
		part      float64
		ratio     float64
		low, high float64
	}{
		{"a population and itself", comparison{[][]time.Duration{hundred}, [][]time.Duration{hundred}}, 0.99, 1, 1, 1},
		{"the 99th of a hundred", comparison{[][]time.Duration{turn(1)}, [][]time.Duration{hundred}}, 0.99, 99, 99, 99},
		{"the median of a hundred", comparison{[][]time.Duration{turn(1)}, [][]time.Duration{hundred}}, 0.50, 50, 50, 50},
		{"turns that were slow for both", comparison{
			[][]time.Duration{turn(1, 1), turn(9, 9), turn(5, 5)},
			[][]time.Duration{turn(2, 2), turn(18, 18), turn(10, 10)},
		}, 0.99, 2, 2, 2},
		{"turns that do not agree", comparison{
			[][]time.Duration{turn(1), turn(2)},
			[][]time.Duration{turn(2), turn(2)},
		}, 0.99, 1, 1, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.given.ratio(test.part); got != test.ratio {
				t.Errorf("got the ratio %g, want %g", got, test.ratio)
			}
			if low, high := test.given.interval(test.part); low != test.low || high != test.high {
				t.Errorf("got the interval [%g %g], want [%g %g]", low, high, test.low, test.high)
			}
		})
	}
}
