// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// AddProof adds the evidence to the report of the case that Ginkgo runs now.
func AddProof(p suite.Proof) {
	ginkgo.AddReportEntry(p.Name, p, types.ReportEntryVisibilityNever, ginkgo.Offset(1))
}

// Proofs returns a finished case's evidence, oldest first.
func Proofs(spec types.SpecReport) []suite.Proof {
	var found []suite.Proof
	for _, entry := range spec.ReportEntries {
		if proof, ok := entry.GetRawValue().(suite.Proof); ok {
			found = append(found, proof)
		}
	}
	return found
}
