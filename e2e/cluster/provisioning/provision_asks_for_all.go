// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// provisionAsksForAll creates a claim that binds immediately, which may go anywhere: requisite has each topology of the
// cluster once, in order, and preferred has the same topologies, beginning at one that depends on the claim's name.
func provisionAsksForAll() harness.Case {
	return harness.Case{
		ID:           "provision_asks_for_all",
		Text:         "asks for every topology of the cluster when a claim binds immediately, in an order that preferred rotates",
		Requirements: []string{"K8S-B7", "TR-05"},
		Needs:        needs.All(needs.Zones(2), needs.OneProvisioner(), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			class := claims.CreateClass(ctx, s, workload.Immediate())
			for range 3 {
				claim := claims.Create(ctx, s, class)
				request, err := recorder.Request(recorder.MustBeAsked(ctx, s, claim, predicate.AskedOnce)[0], &csi.CreateVolumeRequest{})
				s.Need(err, "reading the provisioner's requests")
				asked := request.GetAccessibilityRequirements()
				if asked == nil {
					suite.Skip(suite.ByEnvironment, "the provisioner runs with --immediate-topology=false: it asked for no topology")
				}
				suite.About([]string{"K8S-B7"}, func() {
					s.Check(predicate.Asked("requisite", asked.GetRequisite(), s.Segments...))
					s.Check(predicate.Rotated(asked.GetRequisite(), asked.GetPreferred()))
				})
			}
		},
	}
}
