// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// readiness returns the case about Probe. The suite waits for a plugin that is still starting before the first case,
// as the sidecars do; a plugin that is not ready afterwards keeps them waiting, though no clause limits how long that
// may take.
func readiness() []harness.Case {
	return []harness.Case{{
		ID:           "identity_ready",
		Text:         "answers Probe at every endpoint, and is ready",
		Requirements: []string{"GI-03", "PR-01", "PR-02"},
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Each(endpoints(driver), func(endpoint endpoint) {
				response, err := endpoint.Probe(ctx, &csi.ProbeRequest{})
				suite.Must("PR-01", status.Code(err) != codes.Unimplemented, "Probe is UNIMPLEMENTED at %s, and every plugin must implement it", endpoint.name)
				if err != nil {
					harness.ExpectRefused(ctx, "PR-01", err, "Probe at "+endpoint.name+" fails with a status")
					suite.Should(ctx, "PR-02", status.Code(err) == codes.FailedPrecondition, "Probe at %s of a plugin that is not healthy is FAILED_PRECONDITION\ngot: %s", endpoint.name, describe.Status(err))
					suite.Warn(ctx, "PR-01", "Probe at %s says that the plugin is not healthy: %s\nThe sidecars give up on it, and are started again until it is healthy", endpoint.name, describe.Status(err))
					return
				}
				// A response without the field says that the plugin is ready.
				suite.Should(ctx, "PR-01", response.GetReady() == nil || response.GetReady().GetValue(),
					"Probe at %s returns ready: false, long after the run began: the sidecars call nothing else until it is true", endpoint.name)
			})
		},
	}}
}
