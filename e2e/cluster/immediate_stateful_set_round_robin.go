package cluster

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// For claims named as a StatefulSet names them, the provisioner begins preferred one zone
// further with each ordinal: a driver that tries preferred in order spreads the volumes
// over all zones, each following the one before. The claims are made last to first, so that
// no driver passes by choosing the emptiest zone.
func immediateStatefulSetRoundRobin(t *suite) {
	t.it("makes the volumes of consecutive ordinals in consecutive zones",
		verdict.Case("immediate_stateful_set_round_robin", "PF-03", "TR-11", "K8S-A12"),
		func(ctx context.Context, s *scenario) {
			s.mustHaveOneProvisioner()
			zones := s.allZones(3)
			class := s.class(ctx, workload.Immediate())
			volumes := make([]*corev1.PersistentVolume, len(zones))
			for ordinal := len(zones) - 1; ordinal >= 0; ordinal-- {
				name := fmt.Sprintf("data-workload-%d", ordinal)
				claim := s.claimAs(ctx, workload.ClaimOf(class).Size(s.target.VolumeSize).Named(name))
				volumes[ordinal] = s.mustBind(ctx, claim)
			}

			s.check(predicate.AccessibleFromSome(volumes[0], 1, nil, segmentsOf(zones...)))
			first := slices.IndexFunc(zones, func(z zone) bool {
				return predicate.AccessibleExactlyFrom(volumes[0], z.segment) == nil
			})
			for ordinal, volume := range volumes {
				s.check(predicate.AccessibleExactlyFrom(volume, zones[(first+ordinal)%len(zones)].segment))
			}
		})
}
