// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A snapshot goes with its VolumeSnapshot, and its volume stays. Afterwards the room of both is back, where the driver counts
// it.
func snapshotDeleted() harness.Case {
	return harness.Case{
		ID:           "snapshot_deleted",
		Text:         "deletes a snapshot with its VolumeSnapshot, and keeps the volume and its data",
		Requirements: []string{"LS-01", "K8S-N3"},
		Needs: harness.Needs(harness.Zones(1), harness.Snapshots(), harness.Apart(),
			harness.Controller(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			_, claim := written(ctx, s, zone)
			snapshot := s.TakeSnapshot(ctx, claim)
			s.MustListSnapshot(ctx, snapshot)

			s.MustDeleteSnapshot(ctx, snapshot)

			s.ShouldNotListSnapshot(ctx, snapshot)
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			s.MustRunIn(ctx, pod, zone)
			s.MustRead(ctx, pod, s.Namespace)
		},
	}
}
