// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"fmt"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// area is the result of a driver's cases in an area.
type area struct {
	ID, Name string
	Counts   []count
	Findings []finding
}

// count is a number of cases, with the word for their result and its colour.
type count struct {
	Class, Text string
}

// areaRow is an area with the result of each driver; nil for a driver without selected cases.
type areaRow struct {
	Name    string
	Drivers []*area
}

// marks are the words for the results of cases, in the order of the page.
var marks = []string{string(suite.Failed), markExplained, string(suite.Errored), string(suite.Warned), "waived", string(suite.Passed)}

// areasOfDriver returns the areas of a report with selected cases, in order.
func areasOfDriver(r *report.ConformanceReport, anchor func(...string) string, found []finding) []area {
	var made []area
	counts := map[string]map[string]int{}
	for _, c := range r.Cases {
		if c.DecidedBy == suite.ByFilter {
			continue
		}
		if counts[c.Area] == nil {
			counts[c.Area] = map[string]int{}
			made = append(made, area{ID: anchor("area", c.Area), Name: c.Area})
		}
		if c.Verdict == suite.Passed {
			counts[c.Area][string(suite.Passed)]++
		}
	}
	for _, f := range found {
		counts[f.Area][f.Mark]++
	}
	for i, a := range made {
		made[i].Findings = slices.DeleteFunc(slices.Clone(found), func(f finding) bool { return f.Area != a.Name })
		made[i].Counts = countsOf(counts[a.Name])
	}
	return made
}

func countsOf(numbers map[string]int) []count {
	var made []count
	for _, mark := range marks {
		if n := numbers[mark]; n > 0 {
			made = append(made, count{mark, fmt.Sprintf("%d %s", n, mark)})
		}
	}
	return made
}

// tier is a tier of the suite with the drivers that were judged on it. Each tier has its own areas.
type tier struct {
	ID, Name string
	Drivers  []driver
	Areas    []areaRow
}

// tiersOf returns the tiers of the drivers, in the order in which they first appear.
func tiersOf(drivers []driver, taken ids) []tier {
	var made []tier
	for _, d := range drivers {
		at := slices.IndexFunc(made, func(t tier) bool { return t.Name == d.Tier })
		if at < 0 {
			at = len(made)
			made = append(made, tier{ID: taken.free("areas", d.Tier), Name: d.Tier})
		}
		made[at].Drivers = append(made[at].Drivers, d)
	}
	for i := range made {
		made[i].Areas = areasOf(made[i].Drivers)
	}
	return made
}

// areasOf returns the areas of the drivers, in the order in which they first appear.
func areasOf(drivers []driver) []areaRow {
	var rows []areaRow
	for number, d := range drivers {
		for i := range d.Areas {
			at := slices.IndexFunc(rows, func(row areaRow) bool { return row.Name == d.Areas[i].Name })
			if at < 0 {
				at = len(rows)
				rows = append(rows, areaRow{Name: d.Areas[i].Name, Drivers: make([]*area, len(drivers))})
			}
			rows[at].Drivers[number] = &d.Areas[i]
		}
	}
	return rows
}
