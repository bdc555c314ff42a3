package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// source_volume_id asks for the snapshots of one volume.
func snapshotsBySource(s *harness.Suite) {
	labels := verdict.Case("snapshots_by_source", "LS-04")
	needs := snapshots()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)
	s.Case("lists the snapshots of one volume only", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume, other := under.NeedVolume(ctx, under.Volume(1)), under.NeedVolume(ctx, under.Volume(1))
		snapshot := under.NeedSnapshot(ctx, volume)
		under.NeedSnapshot(ctx, other)

		got := listed(ctx, under, &csi.ListSnapshotsRequest{SourceVolumeId: volume.GetVolumeId()})

		gomega.Expect(got).To(gomega.ConsistOf(snapshot.GetSnapshotId()), "the list has the snapshots of source_volume_id and no others (LS-04)")
	})
}
