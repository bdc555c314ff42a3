// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// generatedCase is the case whose requests depend on the seed.
const generatedCase = "generated_sequence"

func newSeedsCommand(o *options) *cobra.Command {
	const runs = 100
	var first, most int64
	var steps int
	command := &cobra.Command{
		Use:   "seeds",
		Short: "Run generated requests, with one seed after another, against every right driver",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if most < 1 {
				return fmt.Errorf("--runs is %d: want 1 or more", most)
			}
			if first < 1 {
				return fmt.Errorf("--first is %d: want 1 or more", first)
			}
			if steps < 1 {
				return fmt.Errorf("--steps is %d: want 1 or more", steps)
			}
			return o.runSeeds(command.Context(), command.OutOrStdout(), first, most, steps)
		},
	}
	command.Flags().Int64Var(&most, "runs", runs, "how many seeds")
	command.Flags().Int64Var(&first, "first", 1, "the seed to begin with")
	command.Flags().StringVar(&o.focus, "focus", "", "in addition to the reference driver, run only the drivers whose id this regular expression matches")
	command.Flags().IntVar(&steps, "steps", mutation.Steps, "how many requests each seed generates")
	return command
}

// runSeeds runs the generated case with the given number of seeds, from first on, against the reference driver and all
// other correct drivers. Any failure is a bug of the case or of a driver, since all of them conform to the specification.
func (o options) runSeeds(ctx context.Context, out io.Writer, first, most int64, steps int) error {
	drivers := []mutation.Mutant{{ID: reference, Kind: mutation.Conformant}}
	chosen, err := o.chosen()
	if err != nil {
		return err
	}
	for _, m := range chosen {
		if m.Kind == mutation.Conformant {
			drivers = append(drivers, m)
		}
	}
	var all []*one
	for seed := first; seed < first+most; seed++ {
		for _, m := range drivers {
			all = append(all, &one{mutants: []mutation.Mutant{m}, suite: bySpec, seed: seed, only: generatedCase, steps: steps})
		}
	}
	fmt.Fprintf(out, "mutation: %d right drivers, with %d seeds of %d requests each, %d at once\n", len(drivers), most, steps, o.parallel)
	interrupted := o.runAll(ctx, out, all)
	problems := []error{interrupted}
	passed, skipped := 0, 0
	for _, a := range answersIn(all) {
		if a.of.err != nil && interrupted != nil {
			continue // it was not judged
		}
		if a.of.err != nil {
			problems = append(problems, fmt.Errorf("%s, seed %d: %w", a.mutant.ID, a.of.seed, a.of.err))
		}
		for _, c := range a.Cases {
			switch c.Verdict {
			case suite.Failed, suite.Errored:
				problems = append(problems, fmt.Errorf("%s, seed %d: %s by %v\n%s", a.mutant.ID, a.of.seed, c.Verdict, c.Blamed, c.Message))
			case suite.Passed, suite.Warned:
				passed++
			case suite.Skipped: // the driver does not meet the needs of the case
				skipped++
			}
		}
	}
	fmt.Fprintf(out, "mutation: %d of %d runs passed, and %d were skipped\n", passed, len(all), skipped)
	return errors.Join(problems...)
}

// inSteps sets the number of requests of the generated case, without a time limit.
func inSteps(steps int, target func(*harness.Target)) func(*harness.Target) {
	return func(t *harness.Target) {
		if target != nil {
			target(t)
		}
		t.Steps, t.Timeouts.Generated = steps, patience
	}
}
