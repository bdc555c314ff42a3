// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Table prints the number of cases by area and verdict, areas in the order of their cases. Cases that were not selected
// are left out.
func Table(w io.Writer, r *ConformanceReport) {
	var areas []string
	sums := map[string]*Summary{}
	all := Summary{Seconds: r.Summary.Seconds}
	for _, c := range r.Cases {
		if c.DecidedBy == suite.ByFilter {
			continue
		}
		if sums[c.Area] == nil {
			sums[c.Area] = &Summary{}
			areas = append(areas, c.Area)
		}
		sums[c.Area].count(c)
		sums[c.Area].Seconds += c.Seconds
		all.count(c)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nAREA\tPASS\tFAIL\tWARN\tERROR\tSKIP\tSECONDS")
	for _, area := range areas {
		row(table, area, *sums[area])
	}
	row(table, "all", all)
	table.Flush()
}

func row(w io.Writer, name string, sum Summary) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f\n", name, sum.Pass, sum.Fail, sum.Warn, sum.Error, sum.Skip, sum.Seconds)
}
