// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// combinations are the cases on pairs of conditions. Each carries out the lives of some volumes, from creation to deletion. All
// lives together have each pair of conditions, whatever the seed.
func combinations() []harness.Case {
	var cases []harness.Case
	for _, part := range []struct {
		id, text string
		needs    []harness.Need
		has      func(life) bool
	}{
		{
			"combinations_file_system", "answers as the specification allows for each pair of conditions, with file systems that one node uses", nil,
			func(l life) bool { return l[access] == asOne || l[access] == asPods },
		},
		{
			"combinations_block", "answers as the specification allows for each pair of conditions, with block devices that one node uses", harness.Block(),
			func(l life) bool { return l[access] == asDevice },
		},
		{
			"combinations_shared", "answers as the specification allows for each pair of conditions, with volumes that several nodes use", nil,
			func(l life) bool { return l[access] == asShared || l[access] == asSharedDevice },
		},
	} {
		cases = append(cases, combination(part.id, part.text, part.needs, func(l life) bool { return part.has(l) && l[restarted] == neverRestarted }))
	}
	return append(cases, combination("combinations_restarted", "answers as the specification allows for each condition, when the driver restarts in between", harness.Restart(),
		func(l life) bool { return l[restarted] != neverRestarted }))
}

// combination makes the case of the lives that it has.
func combination(id, text string, needs []harness.Need, has func(life) bool) harness.Case {
	return harness.Case{
		ID: id, Text: text, Requirements: clauses(),
		Needs: harness.Needs(needs, harness.Shows(4), harness.Volumes(leastUnits), harness.Attaches(mostAttached)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			end := time.Now().Add(driver.Target.Timeouts.Generated)
			c := &campaign{driver: driver, waived: waivedBy(driver.Profile())}
			c.end = time.Now().Add(time.Until(end) * 2 / 3)
			run := c.begin(ctx)
			shape := run.shape()
			rows, left := lives(shape)
			var own []life
			var plan []Step
			var begins []int
			for i, l := range rows {
				if has(l) {
					own, begins = append(own, l), append(begins, len(plan))
					plan = append(plan, planOf(i, l, shape)...)
				}
			}
			if len(plan) == 0 {
				suite.Skip(suite.ByProfile, "the driver has no such volumes")
			}

			c.carryOut(ctx, run, plan)

			begun := 0
			for i, l := range own {
				if begins[i] < c.taken {
					begun++
					suite.Evidence(ctx, fmt.Sprintf("life %d", i+1), l.String())
				}
			}
			suite.Evidence(ctx, "left out for the driver's claims", left)
			c.conclude(ctx, plan, fmt.Sprintf("the requests of %d of %d lives", begun, len(own)), end)
		},
	}
}
