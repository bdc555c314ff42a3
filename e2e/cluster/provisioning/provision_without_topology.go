// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// An answer without accessible_topology is a volume that is accessible from everywhere: the PersistentVolume has no node
// affinity.
func provisionWithoutTopology() harness.Case {
	return harness.Case{
		ID:           "provision_without_topology",
		Text:         "gives a volume no node affinity when the answer has no accessible_topology",
		Requirements: []string{"K8S-B10"},
		Needs:        harness.Needs(harness.Zones(1), harness.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			s.Inject(ctx, claim, trace.Rule{Patch: []byte(`{"volume": {"accessible_topology": []}}`)})
			s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))

			volume := s.MustBind(ctx, claim)

			if affinity := volume.Spec.NodeAffinity; affinity != nil {
				s.Fail("node affinity of volume %s:\n  wanted none\n  found  %s", volume.Name, affinity.Required)
			}
		},
	}
}
