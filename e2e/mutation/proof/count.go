// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
	"fmt"
	"strings"
)

// Count is how many drivers of a group each suite caught.
type Count struct {
	// Group says which drivers these are.
	Group     string
	All       int
	Ours      int
	CSISanity int
}

// Counts are those of the wrong drivers, of those that were seen in real drivers, of those that are warned of, and, as
// false alarms, of the right ones.
func (p *Proof) Counts() []Count {
	groups := []struct {
		name string
		of   func(Driver) bool
	}{
		{"wrong drivers", func(d Driver) bool { return !d.Right && !d.Warned }},
		{"of these, seen in real drivers", func(d Driver) bool { return !d.Right && !d.Warned && d.Upstream() }},
		{"drivers to warn of", func(d Driver) bool { return d.Warned }},
		{"right drivers: false alarms", func(d Driver) bool { return d.Right }},
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
			if d.CSISanity.Caught {
				count.CSISanity++
			}
		}
		counts = append(counts, count)
	}
	return counts
}

// Summary is what the run showed, for the terminal.
func (p *Proof) Summary() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%-32s %8s %10s %12s\n", "", "drivers", "spec tier", "csi-sanity")
	for _, c := range p.Counts() {
		fmt.Fprintf(&text, "%-32s %8d %10d %12d\n", c.Group, c.All, c.Ours, c.CSISanity)
	}
	return text.String()
}

// Check says which drivers the spec tier judged wrongly: wrong ones that it let pass, and right ones that it did not.
func (p *Proof) Check() error {
	var problems []error
	for _, d := range p.Drivers {
		switch {
		case d.Error != "":
			problems = append(problems, fmt.Errorf("%s could not be judged: %s", d.ID, d.Error))
		case d.Right && d.Caught:
			problems = append(problems, fmt.Errorf("%s is right, and these cases fail or err: %s", d.ID, strings.Join(d.By, " ")))
		case !d.Right && !d.Caught:
			problems = append(problems, fmt.Errorf("%s contradicts %s, and no case says so", d.ID, d.Clause))
		}
	}
	return errors.Join(problems...)
}
