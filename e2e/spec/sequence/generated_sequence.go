// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// generatedSequence returns the case of generated requests: the specification must allow each answer, whatever was requested
// before. The sequence leaves out calls that a driver does not claim, and sizes if it does not report its room. After an
// answer that contradicts only waived clauses, the sequence continues.
func generatedSequence() harness.Case {
	return harness.Case{
		ID:           "generated_sequence",
		Text:         "answers each of a generated sequence of requests as the specification allows",
		Requirements: clauses(),
		Needs:        harness.Needs(harness.Shows(4), harness.Volumes(leastUnits), harness.Attaches(mostAttached)),
		Long:         true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			seed, steps := driver.Target.Seed, driver.Target.Steps
			end := time.Now().Add(driver.Target.Timeouts.Generated)
			c := &campaign{driver: driver, waived: waivedBy(driver.Profile()), by: fmt.Sprintf(", with seed %d", seed)}
			c.end = time.Now().Add(time.Until(end) * 2 / 3) // the rest is for showing failures with few requests
			c.learned.met = map[string]int{}
			run := c.begin(ctx)
			shape := run.shape()
			if len(shape.Kinds) == 0 {
				suite.Skip(suite.ByProfile, "the profile has no volumes that are accessible from as few segments as the driver has")
			}
			plan := Draw(seed, steps, shape)
			suite.Evidence(ctx, "generated", summary(seed, plan, shape))

			c.carryOut(ctx, run, plan)

			c.learned.reportMet(ctx, shape)
			c.conclude(ctx, plan, fmt.Sprintf("%d of %d generated requests", c.taken, len(plan)), end)
		},
	}
}

// conclude ends the case with the results of the plan. made describes the requests that were made.
func (c *campaign) conclude(ctx context.Context, plan []Step, made string, end time.Time) {
	if c.taken < len(plan) {
		suite.Reduced(ctx, "%s were made: there was no more time, or the driver fails too often", made)
	}
	for _, answer := range c.accepted { // the suite sets these aside
		suite.WarnAbout(ctx, clausesOf(answer.waived), "%s", answer)
	}
	for _, answer := range c.regrets {
		suite.WarnAbout(ctx, clausesOf(answer.regretted), "%s", answer)
	}
	if len(c.failures) > 0 {
		suite.FailAbout(c.broken(), "%s", c.explain(ctx, plan, end))
	}
}

// clauses returns the clauses by which a sequence judges answers.
func clauses() []string {
	return []string{
		"TR-04", "TR-06", "TR-07", "TR-08", "TR-11", "TR-12", "TR-15", "TR-16", "TR-17", "PF-03", "PF-05", "PF-06", "PF-07",
		"CV-02", "CV-03", "CV-05", "CV-07", "CV-16", "CV-23", "CREATE-01", "CREATE-02", "CREATE-05", "CREATE-06", "CREATE-08", "CREATE-11",
		"CR-03", "CR-05", "VOL-02", "VOL-03", "VOL-04", "VOL-12", "VS-01", "VS-02", "GEN-02", "GEN-08", "GEN-15", "GEN-16",
		"DV-01", "DV-02", "DV-04", "DV-05", "LV-01", "LV-07", "LV-08", "LV-10", "LV-13", "LV-14", "LV-15", "LV-19", "VV-01", "VV-02", "VV-03", "VV-04", "CAP-07",
		"CE-02", "CE-03", "CE-13", "CE-15", "CE-17", "CE-18", "CE-19", "NE-01", "NE-02", "NE-03", "PC-07",
		"CS-03", "CS-11", "CS-17", "CS-18", "CS-22", "CS-23", "SN-01", "SN-02", "SN-03", "SN-04", "DS-01", "DS-02", "DS-04", "GS-01", "GS-02", "LS-01",
		"CP-05", "CP-11", "CP-12", "CP-22", "CP-31", "CP-33", "CP-34", "CP-36", "CU-06", "CU-10", "CU-17",
		"NS-01", "NS-04", "NS-06", "NS-09", "NS-13", "NS-14", "NS-16", "NS-18", "NS-19", "NS-20", "NS-21", "NS-29", "NV-02", "NV-03", "NV-04",
	}
}

// mostAttached is the maximum number of volumes that a sequence has on one node, so that other cases can use the node as
// well.
const mostAttached = few

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "generated requests", Cases: []harness.Case{generatedSequence()}},
		{Name: "combinations", Cases: combinations()},
	}
}
