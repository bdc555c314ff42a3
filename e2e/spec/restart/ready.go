// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ready returns the case about Probe while a driver starts. The sidecars wait for it, and make calls as soon as it
// says that the plugin is ready.
func ready() []harness.Case {
	return []harness.Case{{
		ID:           "restart_ready",
		Text:         "serves calls after a restart as soon as Probe says that the plugin is ready",
		Requirements: []string{"PR-04"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			request := validation.Request(driver, volume, driver.Capability())

			harness.RestartDriver(ctx, driver)

			mustBecomeReady(ctx, driver, "the controller endpoint", driver.Identity)
			_, err := driver.Controller.ValidateVolumeCapabilities(attempt.Once(attempt.Tolerant(ctx)), request)
			shouldServe(ctx, "ValidateVolumeCapabilities at the controller endpoint", err)
			for _, node := range driver.Nodes {
				mustBecomeReady(ctx, driver, node.String(), node.Identity)
				_, err := node.NodeGetCapabilities(attempt.Once(attempt.Tolerant(ctx)), &csi.NodeGetCapabilitiesRequest{})
				shouldServe(ctx, "NodeGetCapabilities of "+node.String(), err)
			}
		},
	}}
}

// mustBecomeReady calls Probe, which was answered before the restart, until it says that the plugin is ready. The
// specification does not limit how long that may take.
func mustBecomeReady(ctx context.Context, driver *harness.Driver, name string, identity csi.IdentityClient) {
	const polling = 20 * time.Millisecond
	limit := driver.Target.Timeouts.Restart
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		response, err := identity.Probe(attempt.Once(attempt.Tolerant(ctx)), &csi.ProbeRequest{})
		if err == nil && (response.GetReady() == nil || response.GetReady().GetValue()) {
			return // without the field it is ready (PR-05)
		}
		if attempt.Pause(bounded, polling) != nil {
			suite.CouldNotTell("the driver was restarted, and Probe at %s did not say within %s that it is ready: %s %s\nIf the driver needs longer to start, raise restart in the profile's timeouts", name, limit, response, describe.Status(err))
		}
	}
}

// shouldServe warns if a call was refused with a temporary code.
func shouldServe(ctx context.Context, call string, err error) {
	waits := status.Code(err) == codes.Unavailable || status.Code(err) == codes.FailedPrecondition || status.Code(err) == codes.Aborted
	suite.Should(ctx, "PR-04", !waits, "the driver was restarted, and Probe said that it is ready to service calls; %s was refused right after that: %s", call, describe.Status(err))
}
