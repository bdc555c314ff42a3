// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// provisionAsksForZone shows that with --strict-topology the provisioner requests only the topology of the selected node.
// The PersistentVolume's node affinity equals the driver's answer, term by term.
func provisionAsksForZone() harness.Case {
	return harness.Case{
		ID:           "provision_asks_for_zone",
		Text:         "asks for the topology of the selected node alone, with strict topology, and gives the volume the node affinity of the answer",
		Requirements: []string{"K8S-B6", "K8S-B9", "TR-05"},
		Needs:        needs.All(needs.Zones(2), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(2)[1]
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			claims.MustBindBy(ctx, s, []string{"K8S-B9"}, claim, zone)

			request, err := recorder.Request(recorder.MustBeAsked(ctx, s, claim, predicate.AskedOnce)[0], &csi.CreateVolumeRequest{})
			s.Need(err, "reading the provisioner's requests")
			asked := request.GetAccessibilityRequirements()
			if len(asked.GetRequisite()) > 1 {
				suite.Skip(suite.ByEnvironment, "the provisioner runs without --strict-topology: it asked for %d topologies", len(asked.GetRequisite()))
			}
			suite.About([]string{"K8S-B6", "TR-05"}, func() { s.Check(predicate.Asked("requisite", asked.GetRequisite(), zone.Segment)) })
			suite.About([]string{"K8S-B6"}, func() { s.Check(predicate.Asked("preferred", asked.GetPreferred(), zone.Segment)) })
		},
	}
}
