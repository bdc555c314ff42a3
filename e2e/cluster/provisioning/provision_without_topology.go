// SPDX-License-Identifier: Apache-2.0

package provisioning

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// provisionWithoutTopology answers without accessible_topology, so the volume is accessible from everywhere: the
// PersistentVolume has no node affinity.
func provisionWithoutTopology() harness.Case {
	return harness.Case{
		ID:           "provision_without_topology",
		Text:         "gives a volume no node affinity when the answer has no accessible_topology",
		Requirements: []string{"K8S-B10"},
		Needs:        needs.All(needs.Zones(1), needs.Recorder()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			recorder.Inject(ctx, s, claim, trace.Rule{Patch: []byte(`{"volume": {"accessible_topology": []}}`)})
			pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))

			volume := claims.MustBind(ctx, s, claim)

			if affinity := volume.Spec.NodeAffinity; affinity != nil {
				s.Fail("node affinity of volume %s:\n  wanted none\n  found  %s", volume.Name, affinity.Required)
			}
		},
	}
}
