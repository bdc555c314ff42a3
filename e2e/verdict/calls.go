// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"encoding/json"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Calls adds the calls that the case makes to its report. They are asked for once the run is over: writing them down
// costs more than many of them do.
func Calls(recorded suite.Recording) {
	ginkgo.AddReportEntry("calls", recorded, types.ReportEntryVisibilityNever, ginkgo.Offset(1))
}

// CallsOf returns a finished case's calls, oldest first.
func CallsOf(spec types.SpecReport) []json.RawMessage {
	var found []json.RawMessage
	for _, entry := range spec.ReportEntries {
		if recorded, ok := entry.GetRawValue().(suite.Recording); ok {
			found = append(found, recorded()...)
		}
	}
	return found
}
