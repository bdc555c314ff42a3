// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// immediateStatefulSetRoundRobin creates claims with the names that a StatefulSet gives: for each ordinal, the provisioner
// starts preferred one zone further. A driver that tries preferred in order spreads the volumes over all zones in turn. The
// claims are created last to first, so that a driver does not pass by choosing the emptiest zone.
func immediateStatefulSetRoundRobin() harness.Case {
	return harness.Case{
		ID:           "immediate_stateful_set_round_robin",
		Text:         "creates the volumes of consecutive ordinals in consecutive zones",
		Requirements: []string{"PF-03", "TR-11", "K8S-A12"},
		Needs:        needs.All(needs.Zones(3), needs.OneProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.AllZones()
			class := claims.CreateClass(ctx, s, workload.Immediate())
			volumes := make([]*corev1.PersistentVolume, len(zones))
			for ordinal := len(zones) - 1; ordinal >= 0; ordinal-- {
				name := fmt.Sprintf("data-workload-%d", ordinal)
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Named(name))
				volumes[ordinal] = claims.MustBind(ctx, s, claim)
			}

			suite.About([]string{"TR-11"}, func() { s.Check(predicate.AccessibleFromSome(volumes[0], 1, nil, topology.SegmentsOf(zones...))) })
			first := slices.IndexFunc(zones, func(z topology.Zone) bool {
				return predicate.AccessibleExactlyFrom(volumes[0], z.Segment) == nil
			})
			for ordinal, volume := range volumes {
				suite.About([]string{"PF-03", "K8S-A12"}, func() {
					s.Check(predicate.AccessibleExactlyFrom(volume, zones[(first+ordinal)%len(zones)].Segment))
				})
			}
		},
	}
}
