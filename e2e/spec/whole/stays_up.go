// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// staysUp fails a driver whose process ended for good. If several cases were calling it, none of them fails.
func staysUp() harness.Case {
	return harness.Case{
		ID:           health.StaysUp,
		Text:         "still answers after all other cases, and no call ended its process except those that cases name",
		Requirements: []string{"GEN-08"},
		Closing:      true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			askAll(ctx, driver)
			of := harness.HealthOf(driver)
			for _, calls := range of.Unexplained() {
				suite.Warn(ctx, "GEN-08", "%s\nIt was started again, and did not end again when they were repeated one at a time", health.During(calls))
			}
			if calls := of.Ended(); len(calls) > 0 {
				suite.Fail("GEN-08", "%s\n%s", health.During(calls), advice)
			}
		},
	}
}

// advice describes what to do about a driver that is not started again.
const advice = "Nothing started it again, and no other case could run from then on.\n" +
	"Run the driver under something that starts it again when it ends, such as a loop in a shell, systemd or the kubelet, or name a program as restart in the profile. " +
	"The run then goes on after that: it repeats the calls that were under way one at a time, and names the one that ends the driver again."
