// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"fmt"
	"io"
	"slices"
)

// Print prints the results as a table in Markdown: the median of the turns, and the least and the most of them.
func Print(out io.Writer, e Experiment, results []Result) {
	_, _ = fmt.Fprintf(out, "\n## %s\n\n%s. Runs of each version: %d.\n\n", e.Name, e.Question, len(results[0].turns))
	heads, rule := "| csi-provisioner |", "| --- |"
	for _, c := range e.columns {
		heads, rule = heads+" "+string(c)+" |", rule+" --- |"
	}
	_, _ = fmt.Fprintf(out, "%s\n%s\n", heads, rule)
	for _, r := range results {
		row := "| " + r.Version + " |"
		for _, c := range e.columns {
			row += " " + r.interval(c) + " |"
		}
		_, _ = fmt.Fprintln(out, row)
	}
}

// interval returns the median, and the least and the most.
func (r Result) interval(of column) string {
	var values []float64
	for _, found := range r.turns {
		if value, measured := found[of]; measured {
			values = append(values, value)
		}
	}
	if missed := len(r.turns) - len(values); missed > 0 {
		return fmt.Sprintf("not reached in %d of %d", missed, len(r.turns))
	}
	slices.Sort(values)
	median, least, most := values[len(values)/2], values[0], values[len(values)-1]
	if least == most {
		return fmt.Sprintf("%.0f", median)
	}
	return fmt.Sprintf("%.0f (%.0f to %.0f)", median, least, most)
}
