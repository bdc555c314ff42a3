// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

// insteadOf returns clauses that no failure names, each with the clause that failures name instead: for an example of a
// rule, the rule; for a duty to fail, the clause about the code; and for a clause that binds the caller, the clause about
// the driver's reaction to the mistake.
func insteadOf() map[string]string {
	return map[string]string{
		"CAP-11":    "CAP-12", // the available capacity for these parameters is a part of the available capacity
		"CAP-15":    "CAP-04",
		"CAP-21":    "CAP-20",
		"CAP-26":    "GEN-12",
		"CP-28":     "CP-31",
		"CREATE-01": "CREATE-05",
		"CU-04":     "CU-10",
		"CU-14":     "CU-17",
		"CU-15":     "CU-17",
		"CV-15":     "CV-14",
		"LS-08":     "GEN-12",
		"NE-27":     "NE-02",
		"NE-28":     "CR-03",
		"NI-19":     "NI-06",
		"PF-02":     "GEN-12",
		"PF-04":     "TR-04",
		"TR-01":     "TR-04",
		"TR-03":     "GEN-12",
		"TR-09":     "TR-04",
		"TR-10":     "TR-11",
		"TR-14":     "TR-11",
		"TR-18":     "TR-17",
	}
}

// WithoutMutant returns the clauses of the CSI specification that bind every driver, have a case in the spec tier, and that
// no driver of the catalogue contradicts in such a way that one of these cases fails or warns by the clause, or by its
// substitute in insteadOf.
func WithoutMutant() []requirement.Requirement {
	verifying := map[string][]string{} // cases by clause
	for _, area := range spec.Areas() {
		for _, c := range area.Cases {
			for _, id := range c.Requirements {
				verifying[id] = append(verifying[id], c.ID)
			}
		}
	}
	all := All()
	shown := func(clause string) bool {
		named, found := insteadOf()[clause]
		if !found {
			named = clause
		}
		return slices.ContainsFunc(all, func(m mutation.Mutant) bool { return m.Contradicts(named, verifying[clause]) })
	}
	return slices.DeleteFunc(requirement.All(), func(r requirement.Requirement) bool {
		ofKubernetes := strings.HasPrefix(r.ID, "K8S-")
		return ofKubernetes || r.Level != requirement.Must || r.Grades != requirement.Vendor || len(verifying[r.ID]) == 0 || shown(r.ID)
	})
}
