// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Place adds where the case's volumes and pods were to its report. It is asked for once the run is over.
func Place(placing suite.Placing) {
	ginkgo.AddReportEntry("placement", placing, types.ReportEntryVisibilityNever, ginkgo.Offset(1))
}

// PlacementOf returns where a finished case's volumes and pods were, or nil if nobody noted any.
func PlacementOf(spec types.SpecReport) *suite.Placement {
	var all suite.Placement
	for _, entry := range spec.ReportEntries {
		if placing, ok := entry.GetRawValue().(suite.Placing); ok {
			placed := placing()
			all.Volumes, all.Pods = append(all.Volumes, placed.Volumes...), append(all.Pods, placed.Pods...)
		}
	}
	if len(all.Volumes)+len(all.Pods) == 0 {
		return nil
	}
	return &all
}
