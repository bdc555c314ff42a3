// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
	"fmt"
	"strings"
)

// Count is the number of drivers of a group that each suite caught.
type Count struct {
	// Group describes these drivers.
	Group string
	All   int
	Ours  int
	// Asked is the number of drivers that the other suite was run against, and Other the number of these that it caught.
	Asked int
	Other int
}

// group is a named group of drivers.
type group struct {
	name string
	of   func(Driver) bool
}

// Counts returns the counts of the faulty drivers, of the faulty drivers that resemble real drivers, of the drivers that
// get warnings, and, as false alarms, of the correct ones. In the cluster tier, it counts by the faulty component: driver,
// scheduler, or cluster.
func (p *Proof) Counts() []Count {
	groups := []group{
		{"wrong drivers", func(d Driver) bool { return !d.Right && !d.Warned }},
		{"of these, seen in real drivers", func(d Driver) bool { return !d.Right && !d.Warned && d.Upstream() }},
		{"drivers to warn of", func(d Driver) bool { return d.Warned }},
		{"right drivers: false alarms", func(d Driver) bool { return d.Right }},
	}
	if p.Tier == Cluster {
		groups = []group{
			{"wrong drivers", func(d Driver) bool { return strings.HasPrefix(d.ID, "driver/") }},
			{"wrong schedulers", func(d Driver) bool { return strings.HasPrefix(d.ID, "scheduler/") }},
			{"wrong clusters", func(d Driver) bool { return strings.HasPrefix(d.ID, "cluster/") }},
			{"right drivers: false alarms", func(d Driver) bool { return d.Right }},
		}
	}
	var counts []Count
	for _, g := range groups {
		count := Count{Group: g.name}
		for _, d := range p.Drivers {
			if !g.of(d) {
				continue
			}
			count.All++
			if d.Caught {
				count.Ours++
			}
			if other := d.Other(); other != nil {
				count.Asked++
				if other.Caught {
					count.Other++
				}
			}
		}
		counts = append(counts, count)
	}
	return counts
}

// Summary returns a summary of the run for the terminal.
func (p *Proof) Summary() string {
	var text strings.Builder
	as := p.words()
	fmt.Fprintf(&text, "%-32s %8s %13s %16s\n", "", "all", as.tier, as.other)
	for _, c := range p.Counts() {
		fmt.Fprintf(&text, "%-32s %8d %13d %16s\n", c.Group, c.All, c.Ours, c.ofAsked())
	}
	return text.String()
}

// ofAsked returns the number that the other suite caught, with the total if it was not run against all.
func (c Count) ofAsked() string {
	switch c.Asked {
	case c.All:
		return fmt.Sprint(c.Other)
	case 0:
		return notAsked
	}
	return fmt.Sprintf("%d of %d", c.Other, c.Asked)
}

// Check returns an error for drivers that the spec tier judged wrongly: faulty drivers that it did not catch, or that cases
// judged differently than expected, and correct drivers that it did not pass.
func (p *Proof) Check() error {
	var problems []error
	for _, d := range p.Drivers {
		switch {
		case d.Error != "":
			problems = append(problems, fmt.Errorf("%s could not be judged: %s", d.ID, d.Error))
		case d.Right && d.Caught:
			problems = append(problems, fmt.Errorf("%s is right, and these cases fail or err: %s%s", d.ID, strings.Join(d.By, " "), d.Said))
		case !d.Right && !d.Caught:
			problems = append(problems, fmt.Errorf("%s contradicts %s, and no case says so%s", d.ID, d.Clause, d.Said))
		case len(d.Unexpected) > 0:
			problems = append(problems, fmt.Errorf("%s: %s", d.ID, strings.Join(d.Unexpected, "\n")))
		}
	}
	return errors.Join(problems...)
}
