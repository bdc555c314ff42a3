// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// snapshotDeletedByPath calls DeleteSnapshot with ids that no snapshot has. A driver that uses ids as paths deletes another
// snapshot, or its data, by them.
func snapshotDeletedByPath() harness.Case {
	return harness.Case{
		ID:           "snapshot_deleted_by_path",
		Text:         "keeps a snapshot, and its data, when DeleteSnapshot gets an id that leads to it as a path, or that begins or ends like its id",
		Requirements: []string{"DS-02", "SN-06", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(needsSnapshots(), harness.Volumes(4), harness.Attaches(1)),
		Long:         true,
		Run: func(ctx context.Context, driver *harness.Driver) {
			asked := driver.Volume(1)
			writes := data.ShowsData(driver)
			if len(driver.Nodes) > 0 {
				asked = driver.VolumeFor(driver.Nodes[0])
			}
			volume := driver.NeedVolume(ctx, asked)
			if writes {
				data.WriteTo(ctx, driver.Nodes[0], volume, textBefore)
			} else {
				suite.Reduced(ctx, "the data of the snapshot was not looked at")
			}
			request := snapshots.CreateRequest(driver, volume)
			snapshot, other := snapshots.NeedReady(ctx, driver, request), snapshots.Need(ctx, driver, volume)
			if writes {
				data.WriteTo(ctx, driver.Nodes[0], volume, textAfter) // a snapshot that is taken anew has this text
			}
			ids := append(absent.PathsTo(snapshot.GetSnapshotId(), other.GetSnapshotId()), absent.Longer(snapshot.GetSnapshotId())...)
			if len(ids) == 0 {
				suite.Skip(suite.ByCapability, "no other id of at most 128 bytes leads to snapshot %s", snapshot.GetSnapshotId())
			}
			named, listed := isNamed(ctx, driver, request, snapshot), isListed(ctx, driver, snapshot)
			restorable, had := restored(ctx, driver, snapshot, volume, asked, writes)
			what := ""
			for _, id := range ids {
				_, err := driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, &csi.Snapshot{SnapshotId: id}))

				what = fmt.Sprintf("DeleteSnapshot was called for the snapshot_id %q, which no snapshot has", id)
				harness.ExpectOKOrRefused(ctx, "DS-02", err, what)
				suite.Must("SN-06", !listed || isListed(ctx, driver, snapshot), "%s\nListSnapshots had snapshot %s before, and does not have it any more", what, snapshot.GetSnapshotId())
				suite.Must("SN-06", !named || isNamed(ctx, driver, request, snapshot), "%s\nCreateSnapshot of the name of snapshot %s was answered with it before, and no longer is", what, snapshot.GetSnapshotId())
			}
			code, got := restored(ctx, driver, snapshot, volume, asked, writes)
			suite.Must("SN-06", restorable != codes.OK || code != codes.NotFound, "%s\nsnapshot %s was restored before, and is not found any more", what, snapshot.GetSnapshotId())
			suite.Must("SN-06", had != textBefore || code != codes.OK || got == had, "%s\nsnapshot %s was restored with %q before, and is now restored with %q", what, snapshot.GetSnapshotId(), had, got)
		},
	}
}

// restored restores the snapshot of the volume, and returns the code and, if reads is set, the data.
func restored(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot, volume *csi.Volume, asked model.Request, reads bool) (code codes.Code, text string) {
	from := contentOf(driver, snapshot, volume)
	copied := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked.OfBytes(from.bytes))
	if reads && copied.Code == codes.OK {
		text = data.ReadFrom(ctx, driver.Nodes[0], copied.Volume)
	}
	return copied.Code, text
}

// isNamed reports whether CreateSnapshot of the name is answered with the snapshot.
func isNamed(ctx context.Context, driver *harness.Driver, request *csi.CreateSnapshotRequest, snapshot *csi.Snapshot) bool {
	again, err := driver.Controller.CreateSnapshot(ctx, request)
	return err == nil && again.GetSnapshot().GetSnapshotId() == snapshot.GetSnapshotId()
}

// isListed reports whether ListSnapshots has the snapshot, if the driver claims it.
func isListed(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot) bool {
	return driver.ListsSnapshots() &&
		driver.Settled(ctx, effect.Creation, func() bool { return snapshots.Listed(ctx, driver, snapshot.GetSnapshotId()) != nil })
}
