// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// worksToTheEnd warns of a driver, or a back end, that broke during the run: cases then blame clauses that have no part in it.
// How much room others have left is not judged.
func worksToTheEnd() harness.Case {
	return harness.Case{
		ID:           "run_still_works",
		Text:         "creates a plain volume after the last case, if it created volumes before",
		Requirements: []string{"CV-01"},
		Closing:      true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			askAll(ctx, driver)
			if !harness.HealthOf(driver).WasOK(csi.Controller_CreateVolume_FullMethodName) {
				suite.Skip(suite.ByEnvironment, "CreateVolume answered OK to no request of the run")
			}
			_, err := driver.Controller.CreateVolume(attempt.Tolerant(ctx), driver.CreateVolumeRequest(driver.Volume(1)))
			if err == nil || status.Code(err) == codes.ResourceExhausted {
				return
			}
			if harness.HealthOf(driver).StoppedSince() != "" {
				suite.Skip(suite.ByEnvironment, "the driver has stopped answering: see the case run_stays_up")
			}
			suite.Warn(ctx, "CV-01", "CreateVolume of a plain volume, which was OK earlier in the run, is refused after the last case\ngot: %s\nWhatever broke may be why other cases failed or could not tell: look for the first call that was answered so, mend that, and run again",
				describe.Status(err))
		},
	}
}
