package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Failures prints every case that failed, could not tell or warned, in full, and then the ids of those that the end of
// the run left out. What stood in the way of several cases is printed once, with all of their ids.
func Failures(w io.Writer, r *ConformanceReport) {
	var notRun []string
	stuck := map[string][]string{}
	for _, c := range r.Cases {
		if c.Verdict == verdict.Error {
			stuck[c.Message] = append(stuck[c.Message], c.ID)
		}
	}
	for _, c := range r.Cases {
		if c.Verdict == verdict.Pass || c.Verdict == verdict.Skipped {
			continue
		}
		if c.Reason == verdict.NotRun {
			notRun = append(notRun, c.ID)
			continue
		}
		if c.Verdict == verdict.Error && stuck[c.Message][0] != c.ID {
			continue
		}
		fmt.Fprintf(w, "\n%s %s %s\n", strings.ToUpper(string(c.Verdict)), c.ID, c.Text)
		if len(c.Blamed) > 0 {
			fmt.Fprintf(w, "    about %s\n", strings.Join(c.Blamed, ", "))
		} else if len(c.Requirements) > 0 {
			fmt.Fprintf(w, "    verifies %s\n", strings.Join(c.Requirements, ", "))
		}
		if c.Verdict == verdict.Error {
			fmt.Fprintf(w, "    %s\n", c.Reason)
		}
		fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(c.Message, "\n", "\n    "))
		if same := stuck[c.Message]; c.Verdict == verdict.Error && len(same) > 1 {
			fmt.Fprintf(w, "    likewise %d more: %s\n", len(same)-1, strings.Join(same[1:], ", "))
		}
	}
	if len(notRun) > 0 {
		fmt.Fprintf(w, "\nERROR not run: %s\n", strings.Join(notRun, ", "))
	}
}

// Table prints the number of cases by area and verdict, areas in the order of their cases.
func Table(w io.Writer, r *ConformanceReport) {
	var areas []string
	sums := map[string]*Summary{}
	for _, c := range r.Cases {
		if sums[c.Area] == nil {
			sums[c.Area] = &Summary{}
			areas = append(areas, c.Area)
		}
		sums[c.Area].count(c.Verdict)
		sums[c.Area].Seconds += c.Seconds
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nAREA\tPASS\tFAIL\tWARN\tERROR\tSKIP\tSECONDS")
	for _, area := range areas {
		row(table, area, *sums[area])
	}
	row(table, "all", r.Summary)
	table.Flush()
}

func row(w io.Writer, name string, sum Summary) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f\n", name, sum.Pass, sum.Fail, sum.Warn, sum.Error, sum.Skip, sum.Seconds)
}
