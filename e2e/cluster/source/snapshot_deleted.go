// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// snapshotDeleted deletes a snapshot with its VolumeSnapshot, and its volume stays. At the end the room of both is free
// again, if the driver counts it.
func snapshotDeleted() harness.Case {
	return harness.Case{
		ID:           "snapshot_deleted",
		Text:         "deletes a snapshot with its VolumeSnapshot, and keeps the volume and its data",
		Requirements: []string{"LS-01", "K8S-N3"},
		Needs: needs.All(needs.Zones(1), needs.Snapshots(), needs.Apart(),
			needs.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			_, claim := written(ctx, s, zone)
			snapshot := snapshots.Take(ctx, s, claim)
			snapshots.MustList(ctx, s, snapshot)

			snapshots.MustDelete(ctx, s, snapshot)

			snapshots.ShouldNotList(ctx, s, snapshot)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			pods.MustRunIn(ctx, s, pod, zone)
			data.MustRead(ctx, s, pod, s.Namespace)
		},
	}
}
