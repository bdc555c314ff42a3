// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"io"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// waiversOf returns the waivers of a run, with the findings that each of them set aside.
func waiversOf(run Finished) []Waiver {
	var all []Waiver
	for _, w := range run.Waivers {
		if w.Newer {
			continue
		}
		ids, notNeeded := w.SetAsideBy(run.Results)
		all = append(all, Waiver{Waiver: w, Cases: append([]string{}, ids...), NotNeeded: notNeeded})
	}
	return all
}

// NotNeeded returns the requirements and cases of the report's waivers that are no longer needed.
func (r *ConformanceReport) NotNeeded() []string {
	var ids []string
	for _, w := range r.Waivers {
		if w.NotNeeded {
			ids = append(ids, cmp.Or(w.Requirement, w.Case))
		}
	}
	return ids
}

// Waivers prints the findings that the profile's waivers set aside, and the waivers that are no longer needed.
func Waivers(w io.Writer, r *ConformanceReport) {
	if len(r.Waivers) == 0 {
		return
	}
	fmt.Fprintf(w, "\nwaived: %d of the skipped cases, which found nothing but what the profile waives\n", r.Summary.Waived)
	for _, c := range r.Cases {
		for _, aside := range c.Waived {
			if c.DecidedBy != suite.ByWaiver {
				fmt.Fprintf(w, "  set aside in %s, which contradicts something else too: %s\n", c.ID, aside)
			}
		}
	}
	if ids := r.NotNeeded(); len(ids) > 0 {
		printIDs(w, "  no longer needed, as all cases that they could apply to hold: ", ids)
	}
}
