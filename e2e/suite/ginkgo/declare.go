// SPDX-License-Identifier: Apache-2.0

package ginkgo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Declare makes a container for each area and a spec for each of its cases, for a suite that is run with ginkgo.RunSpecs.
// Ginkgo chooses the cases and their order; the runner runs each alone, and the spec ends with its result. grace is how long
// an interrupted case may take to end and to clean up.
func Declare[T any](areas []suite.Area[T], runner *suite.Runner[T], grace time.Duration) {
	for _, area := range areas {
		listed := suite.List([]suite.Area[T]{area})
		ginkgo.Describe(area.Name, ginkgo.Serial, func() {
			for i, c := range area.Cases {
				ginkgo.It(c.ID+" "+c.Text, ginkgo.Label(c.AllLabels()...), ginkgo.GracePeriod(grace), types.NewCustomCodeLocation("case "+c.ID),
					func(ctx context.Context) { say(runner.One(ctx, c, listed[i])) })
			}
		})
	}
}

// say reports the result of a case in the running spec, and ends the spec unless the case passed.
func say(r suite.Result) {
	for _, proof := range r.Evidence {
		ginkgo.AddReportEntry(proof.Name, string(proof.Value), types.ReportEntryVisibilityFailureOrVerbose)
	}
	switch r.Verdict {
	case suite.Failed, suite.Errored:
		ginkgo.Fail(strings.TrimPrefix(r.Reason+": ", ": ") + r.Message)
	case suite.Skipped:
		ginkgo.Skip(fmt.Sprintf("%s: %s", r.DecidedBy, r.Reason))
	case suite.Warned:
		ginkgo.AddReportEntry(string(suite.Warned), r.Message, types.ReportEntryVisibilityAlways)
	case suite.Passed:
	}
}
