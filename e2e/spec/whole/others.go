// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// leavesOthersAlone warns about a driver that deletes objects of others, or creates objects that were not requested. No
// clause forbids either: an object that is not listed any more may still exist, which contradicts LV-01 or LS-01.
func leavesOthersAlone() harness.Case {
	return harness.Case{
		ID:           "run_leaves_others_alone",
		Text:         "should list what it listed before the run, and nothing else that was not requested",
		Requirements: []string{"LV-01", "LS-01"},
		Closing:      true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			if !driver.Profile().Exclusive {
				suite.Skip(suite.ByProfile, "the profile does not say that the back end is exclusive to the run, and others may make and delete volumes meanwhile")
			}
			compared := false
			for _, of := range []struct {
				kind   own.Kind
				clause string
			}{{own.Volume, "LV-01"}, {own.Snapshot, "LS-01"}} {
				missing, unasked, told := driver.Strangers(ctx, of.kind)
				compared = compared || told
				if len(missing) > 0 {
					suite.Warn(ctx, of.clause, "each %s here was listed before the run, nobody deleted it, and it is not listed any more: it is lost, or the list leaves it out\n%s", of.kind, strings.Join(missing, "\n"))
				}
				if len(unasked) > 0 {
					suite.Warn(ctx, of.clause, "each %s here is listed, was not listed before the run, and was returned for no request\n%s", of.kind, strings.Join(unasked, "\n"))
				}
			}
			if !compared {
				suite.Skip(suite.ByCapability, "the driver lists neither volumes nor snapshots, or did not before the first case")
			}
		},
	}
}
