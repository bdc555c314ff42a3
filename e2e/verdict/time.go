// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// duration is the value of the report entry that says how long a case took, where Ginkgo's own node did not run it.
type duration time.Duration

// Took says how long the case took, which ran before Ginkgo's node that reports it.
func Took(d time.Duration) {
	ginkgo.AddReportEntry("took", duration(d), types.ReportEntryVisibilityNever, ginkgo.Offset(1))
}

// TimeOf is how long a finished case took.
func TimeOf(spec types.SpecReport) time.Duration {
	for _, entry := range spec.ReportEntries {
		if took, ok := entry.GetRawValue().(duration); ok {
			return time.Duration(took)
		}
	}
	return spec.RunTime
}
