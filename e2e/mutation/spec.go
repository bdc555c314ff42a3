// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Cases are the cases that are run against a driver.
type Cases struct {
	Areas []harness.Area
	// Guest returns another suite that runs with the cases; nil if there is none.
	Guest func(ctx context.Context, tier *harness.Suite) suite.Guest
}

// RunSpec starts the driver, runs the cases against it, and returns their report. The seed determines the order of the
// cases, and the generated cases. Many drivers can run in one process, concurrently.
func (d Driver) RunSpec(ctx context.Context, cases Cases, seed int64) (result *report.ConformanceReport, err error) {
	started, err := d.start(ctx, seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, started.stop()) }()
	tier := harness.New(started.target)
	plan := suite.Plan[*harness.Driver]{Areas: cases.Areas, Seed: seed, Shuffle: true}
	if cases.Guest != nil {
		plan.Guest = cases.Guest(ctx, tier)
		if plan.Guests, err = plan.Guest.List(ctx); err != nil {
			return nil, err
		}
	}
	if plan.Chosen, err = d.chosen(plan.All()); err != nil {
		return nil, err
	}
	runner := &suite.Runner[*harness.Driver]{Lookup: requirement.Lookup, Watch: d.Watch}
	tier.Set(runner)
	if d.Preflight {
		if err := tier.Preflight(ctx); err != nil {
			return nil, err
		}
		if _, err := publication.Try(ctx, tier); err != nil {
			return nil, err
		}
	}
	run := report.Finished{Tier: "spec", Seed: seed, Shuffle: true, Began: time.Now()}
	run.Results, run.Waivers = runner.Run(ctx, plan), runner.Waivers
	run.Took = time.Since(run.Began)
	return report.FromResults(run, requirement.Lookup), nil
}

// chosen returns the ids of the cases that run.
func (d Driver) chosen(all []suite.Listed) ([]string, error) {
	o := suite.Options{Cases: d.Only}
	if d.Focus != "" {
		if _, err := regexp.Compile(d.Focus); err != nil {
			return nil, fmt.Errorf("choosing cases: %w", err)
		}
		o.Focus = []string{d.Focus}
	}
	chosen, err := o.Choose(all, func([]string) bool { return true })
	return suite.IDs(chosen), err
}
