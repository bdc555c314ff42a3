// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"encoding/json"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// Recording gives the calls of one case, each a JSON object.
type Recording func() []json.RawMessage

// Calls adds the calls that the case makes to its report. They are asked for once the run is over: writing them down
// costs more than many of them do.
func Calls(recorded Recording) {
	ginkgo.AddReportEntry("calls", recorded, types.ReportEntryVisibilityNever, ginkgo.Offset(1))
}

// CallsOf returns a finished case's calls, oldest first.
func CallsOf(spec types.SpecReport) []json.RawMessage {
	var found []json.RawMessage
	for _, entry := range spec.ReportEntries {
		if recorded, ok := entry.GetRawValue().(Recording); ok {
			found = append(found, recorded()...)
		}
	}
	return found
}
