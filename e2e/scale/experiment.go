// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
)

// Experiment compares variants under one load.
type Experiment struct {
	// Name is the name for --focus, and Question the question that it answers, without a final full stop.
	Name, Question string
	// Long says that it runs only when it is named, because it takes long.
	Long bool

	// compared is the property in which the variants differ. The first variant is the baseline.
	compared string
	variants []variant
	columns  []column
}

// variant is one of the things that an experiment compares.
type variant struct {
	name string
	// sidecar is built for the run if it is not empty.
	sidecar sidecar
	// run measures every column once.
	run func(ctx context.Context, world *world) (figures, error)
}

// column is a measured quantity.
type column string

// figures are the measurements of a run. A column without a figure was not reached within the run's time limit.
type figures map[column]float64

// Experiments returns all experiments.
func Experiments() []Experiment {
	return slices.Concat(queues(), publishing(), schedulers(), provisioning(), attaching())
}

// Result holds the figures of a variant in each turn.
type Result struct {
	Variant string

	turns []figures
}

// Run runs each variant the given number of times, in an order that depends on the seed.
func (e Experiment) Run(ctx context.Context, programs Programs, turns int, seed uint64, out io.Writer) ([]Result, error) {
	results := make([]Result, len(e.variants))
	var order []int
	for i, v := range e.variants {
		results[i].Variant = v.name
		order = append(order, slices.Repeat([]int{i}, turns)...)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for n, turn := range order {
		v := e.variants[turn]
		found, err := v.once(ctx, programs)
		if err != nil {
			return nil, fmt.Errorf("experiment %s with %s: %w", e.Name, v.name, err)
		}
		_, _ = fmt.Fprintf(out, "%s: %s, run %d of %d: %s\n", e.Name, v.name, n+1, len(order), e.line(found))
		results[turn].turns = append(results[turn].turns, found)
	}
	return results, nil
}

// line formats the figures in the order of the columns.
func (e Experiment) line(found figures) string {
	var parts []string
	for _, c := range e.columns {
		value := "not reached"
		if figure, measured := found[c]; measured {
			value = short(figure)
		}
		parts = append(parts, string(c)+" "+value)
	}
	return strings.Join(parts, ", ")
}
