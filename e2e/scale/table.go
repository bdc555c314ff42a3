// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"fmt"
	"io"
	"slices"
)

// Print prints the results as two tables in Markdown: the median of the turns with the minimum and the maximum, and the
// ratio to the first row, as the minimum and the maximum over all pairs of runs.
func Print(out io.Writer, e Experiment, results []Result) {
	_, _ = fmt.Fprintf(out, "\n## %s\n\n%s. Runs of each row: %d.\n", e.Name, e.Question, len(results[0].turns))
	e.table(out, results, e.compared, Result.interval)
	if first := results[0]; len(results) > 1 {
		e.table(out, results[1:], "times "+first.Variant, func(r Result, of column) string { return r.times(first, of) })
	}
}

func (e Experiment) table(out io.Writer, results []Result, head string, cell func(Result, column) string) {
	heads, rule := "| "+head+" |", "| --- |"
	for _, c := range e.columns {
		heads, rule = heads+" "+string(c)+" |", rule+" --- |"
	}
	_, _ = fmt.Fprintf(out, "\n%s\n%s\n", heads, rule)
	for _, r := range results {
		row := "| " + r.Variant + " |"
		for _, c := range e.columns {
			row += " " + cell(r, c) + " |"
		}
		_, _ = fmt.Fprintln(out, row)
	}
}

// sorted returns the figures of a column in ascending order.
func (r Result) sorted(of column) []float64 {
	var values []float64
	for _, found := range r.turns {
		if value, measured := found[of]; measured {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return values
}

// interval returns the median, the minimum and the maximum.
func (r Result) interval(of column) string {
	values := r.sorted(of)
	if missed := len(r.turns) - len(values); missed > 0 {
		return fmt.Sprintf("not reached in %d of %d", missed, len(r.turns))
	}
	return between(values[len(values)/2], values[0], values[len(values)-1])
}

// times returns the ratio of the column to another result's, or a dash if one of them does not have it in every run, or the
// other has a 0.
func (r Result) times(first Result, of column) string {
	ours, theirs := r.sorted(of), first.sorted(of)
	if len(ours) < len(r.turns) || len(theirs) < len(first.turns) || theirs[0] == 0 {
		return "–"
	}
	last := len(ours) - 1
	return between(ours[len(ours)/2]/theirs[len(theirs)/2], ours[0]/theirs[len(theirs)-1], ours[last]/theirs[0])
}

func between(median, least, most float64) string {
	if least == most {
		return short(median)
	}
	return fmt.Sprintf("%s (%s to %s)", short(median), short(least), short(most))
}

// short returns the number with three digits, or with all digits before its point.
func short(number float64) string {
	if number >= 100 {
		return fmt.Sprintf("%.0f", number)
	}
	return fmt.Sprintf("%.3g", number)
}
