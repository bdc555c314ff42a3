// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// attachNotRequired mounts a volume of a driver whose CSIDriver says attachRequired: false: the kubelet does not wait for a
// VolumeAttachment. Here mounting fails because the driver does not run, which shows that the kubelet did not wait. The
// volume of a driver without attachRequired: false gets a VolumeAttachment.
func attachNotRequired() harness.Case {
	return harness.Case{
		ID:           "attach_not_required",
		Text:         "mounts a volume without a VolumeAttachment where the CSIDriver says attachRequired: false",
		Requirements: []string{"K8S-I3"},
		Needs:        needs.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			attached := standin.StartWith(ctx, s, standin.CreateAttaching(ctx, s, "attached", true), workload.SleepingPod().In(zone.Segment))
			direct := standin.StartWith(ctx, s, standin.CreateAttaching(ctx, s, "direct", false), workload.SleepingPod().In(zone.Segment))

			attached.MustWaitForAttachment(ctx)
			direct.MustBeMountedUnattached(ctx, "K8S-I3")

			attached.Remove(ctx)
			direct.Remove(ctx)
		},
	}
}
