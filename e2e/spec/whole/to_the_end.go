// SPDX-License-Identifier: Apache-2.0

package whole

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// worksToTheEnd warns of a driver, or a back end, that broke during the run: cases then blame clauses that are not the
// cause. It does not judge the room that others have left.
func worksToTheEnd() harness.Case {
	return harness.Case{
		ID:           "run_still_works",
		Text:         "creates a volume after the last case as it created one before",
		Requirements: []string{"CV-01"},
		Closing:      true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			askAll(ctx, driver)
			last := harness.HealthOf(driver).LastCreated()
			if last == nil {
				suite.Skip(suite.ByEnvironment, "CreateVolume answered OK to no request of the run")
			}
			request := proto.CloneOf(last)
			request.Name = driver.CreateVolumeRequest(driver.Volume(1)).GetName()
			_, err := driver.Controller.CreateVolume(attempt.Tolerant(ctx), request)
			if err == nil || status.Code(err) == codes.ResourceExhausted {
				return
			}
			if ctx.Err() != nil {
				suite.CouldNotTell("the run was interrupted while a volume was created after the last case")
			}
			if harness.HealthOf(driver).StoppedSince() != "" {
				suite.Skip(suite.ByEnvironment, "the driver has stopped answering: see the case run_stays_up")
			}
			suite.Warn(ctx, "CV-01", "CreateVolume is refused after the last case, and was OK for a request that differs by its name alone earlier in the run\ngot: %s\nWhatever broke may be why other cases failed or could not tell: look for the first call that was answered like this, fix the cause, and run again",
				describe.Status(err))
		},
	}
}
