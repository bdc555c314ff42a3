// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// bearsOthersBeside warns of a driver that answers differently while it has other calls: cases with separate volumes then
// blame clauses that are not the cause.
func bearsOthersBeside() harness.Case {
	return harness.Case{
		ID:           "run_side_by_side",
		Text:         "answers concurrent calls for different volumes as it answers them one at a time",
		Requirements: []string{"GEN-02"},
		Closing:      true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			askAll(ctx, driver)
			if found := harness.BesideOthers(driver); found != "" {
				suite.Warn(ctx, "GEN-02", "%s", found)
			}
		},
	}
}
