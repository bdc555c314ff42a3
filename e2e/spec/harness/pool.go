// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Progress is how many cases have ended that Ginkgo was not told of yet, and which run side by side, by their ids.
func (s *Suite) Progress() (ahead int, running []string) {
	return s.pool.Progress()
}

// Choose tells the suite which of its cases will run, by their ids, and in which order. Without it each is taken for one
// that will.
func (s *Suite) Choose(ids []string) { s.chosen = ids }

// sideBySide reports whether the case may run while others do.
func (s *Suite) sideBySide(c Case) bool {
	return s.target.Parallel > 1 && !c.Needs.alone() && s.chosen.Has(c.ID)
}

// jobs are the cases that may run side by side.
func (s *Suite) jobs() []suite.Job {
	var jobs []suite.Job
	for _, c := range s.cases {
		if s.sideBySide(c) {
			driver := connect(s.target, &s.health, c.ID)
			jobs = append(jobs, suite.Job{ID: c.ID, Calls: driver.calls.lines, Placed: driver.placement, Run: func(ctx context.Context, o *suite.Outcome) {
				s.runBeside(ctx, c, driver, o)
			}})
		}
	}
	return jobs
}

// runBeside runs the case and removes what it made.
func (s *Suite) runBeside(ctx context.Context, c Case, driver *Driver, o *suite.Outcome) {
	s.judge(ctx, c, driver, o)
	var after suite.Outcome
	after.Run(func() { driver.giveBack(suite.With(context.WithoutCancel(ctx), &after)) })
	o.Then(&after)
}
