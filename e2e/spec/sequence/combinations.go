// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// part is one of the cases about pairs of conditions, with its lives.
type part struct {
	id, text string
	needs    []harness.Need
	has      func(life) bool
	// restarts says that the driver restarts during the lives.
	restarts bool
}

func parts() []part {
	as := func(accesses ...string) func(life) bool {
		return func(l life) bool { return l[restarted] == neverRestarted && slices.Contains(accesses, l[access]) }
	}
	const pairs = "answers as the specification allows for each pair of conditions, with "
	return []part{
		{"combinations_file_system", pairs + "file systems that one node uses", nil, as(asOne, asPods), false},
		{"combinations_block", pairs + "block devices that one node uses", harness.Block(), as(asDevice), false},
		{"combinations_shared", pairs + "volumes that several nodes use", nil, as(asShared, asSharedDevice), false},
		{
			"combinations_restarted", "answers as the specification allows for each condition, when the driver restarts in between", harness.Restart(),
			func(l life) bool { return l[restarted] != neverRestarted }, true,
		},
	}
}

// combinations returns the cases about pairs of conditions. Each carries out the lives of some volumes, from creation
// to deletion. All lives together contain each pair of conditions, whatever the seed.
func combinations() []harness.Case {
	var cases []harness.Case
	for _, p := range parts() {
		cases = append(cases, combination(p))
	}
	return cases
}

// Combination is one row of the covering array: the case that carries it out, the number of the life there, and the
// values of the dimensions.
type Combination struct {
	Case   string   `json:"case"`
	Life   int      `json:"life"`
	Values []string `json:"values"`
}

// Combinations returns the dimensions, and the rows for a driver that has all of their values.
func Combinations() (names []string, rows []Combination) {
	for _, d := range dimensions() {
		names = append(names, d.name)
	}
	all, _ := lives(Shape{
		Segments: 4, Kinds: []int{1, 2, 3}, Uses: []Use{Device, Shared, SharedDevice}, Nodes: 2, Pods: true,
		Snapshots: true, Clones: true, Grow: true, Restart: true,
	})
	for _, p := range parts() {
		for i, l := range p.own(all) {
			rows = append(rows, Combination{p.id, i + 1, l})
		}
	}
	return names, rows
}

// own returns the lives that belong to the case.
func (p part) own(all []life) []life {
	return slices.DeleteFunc(slices.Clone(all), func(l life) bool { return !p.has(l) })
}

// combination makes the case for its lives.
func combination(p part) harness.Case {
	return harness.Case{
		ID: p.id, Text: p.text, Requirements: clauses(), Long: true, Deadly: p.restarts,
		Needs: harness.Needs(p.needs, harness.Shows(4), harness.Volumes(leastUnits), harness.Attaches(mostAttached)),
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
				if p.has(l) {
					own, begins = append(own, l), append(begins, len(plan))
					plan = append(plan, watched(planOf(i, l, shape), shape)...)
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
			suite.Evidence(ctx, "left out because of the driver's claims", left)
			c.conclude(ctx, plan, fmt.Sprintf("the requests of %d of %d lives", begun, len(own)), end)
		},
	}
}
