// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// needsSnapshots returns the needs of the cases about snapshots, with further capabilities of the controller.
func needsSnapshots(more ...csi.ControllerServiceCapability_RPC_Type) []harness.Need {
	return harness.Needs(restoring().needs(), harness.Claims(more...))
}

// reachOf returns the segments that a snapshot is usable from: the segments that match its topologies, or the
// topologies themselves if no segments are known.
func reachOf(driver *harness.Driver, snapshot *csi.Snapshot) model.Set {
	topologies := messages.Segments(snapshot.GetAccessibleTopology())
	if segments := driver.Segments().StandingFor(topologies); len(segments) > 0 {
		return segments
	}
	return topologies
}

// usableFrom reports whether the snapshot is usable from the segment. Without accessible_topology it is usable from everywhere
// (CS-15).
func usableFrom(snapshot *csi.Snapshot, segment model.Segment) bool {
	topologies := messages.Segments(snapshot.GetAccessibleTopology())
	return len(topologies) == 0 || matchAny(topologies, segment)
}

// snapshotExists reports whether the driver finds the snapshot by its id; false if no call shows that.
func snapshotExists(ctx context.Context, driver *harness.Driver, snapshot *csi.Snapshot) bool {
	switch {
	case driver.Claims(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT):
		_, err := driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(driver, snapshot))
		return status.Code(err) != codes.NotFound
	case driver.ListsSnapshots():
		return slices.Contains(ids(snapshots.Of(ctx, driver, snapshot.GetSourceVolumeId())), snapshot.GetSnapshotId())
	default:
		return false
	}
}

// expectOnly fails the case if ListSnapshots has another snapshot of the volume than the one whose name was requested
// several times.
func expectOnly(ctx context.Context, driver *harness.Driver, volume *csi.Volume, snapshot *csi.Snapshot) {
	if !driver.ListsSnapshots() {
		suite.Reduced(ctx, "whether the volume has other snapshots cannot be seen: %s", driver.WhySnapshotsUnlisted())
		return
	}
	listed := ids(snapshots.Of(ctx, driver, volume.GetVolumeId()))
	others := slices.DeleteFunc(listed, func(id string) bool { return id == snapshot.GetSnapshotId() })
	suite.Must("CS-03", len(others) == 0, "one name stands for one snapshot\nCreateSnapshot answered %s, and ListSnapshots has %v of the same volume as well", snapshot.GetSnapshotId(), others)
}

// shouldLeaveNothing warns if a refused call has left a snapshot of the volume, which may not exist. If the list cannot be
// used, the case is only reduced: a leftover would only be a warning.
func shouldLeaveNothing(ctx context.Context, driver *harness.Driver, volume *csi.Volume, but ...string) {
	if !driver.ListsSnapshots() {
		return
	}
	listed, err := snapshots.Read(ctx, driver, &csi.ListSnapshotsRequest{SourceVolumeId: volume.GetVolumeId()})
	if err != nil {
		suite.Reduced(ctx, "whether a refused CreateSnapshot left a snapshot of the volume cannot be seen: ListSnapshots failed with %s", describe.Status(err))
		return
	}
	listed = slices.DeleteFunc(listed, func(s *csi.Snapshot) bool { return s.GetSourceVolumeId() != volume.GetVolumeId() })
	left := ids(listed)
	left = slices.DeleteFunc(left, func(id string) bool { return slices.Contains(but, id) })
	suite.Should(ctx, "CS-17", len(left) == 0, "CreateSnapshot was refused, and ListSnapshots has a new snapshot of the volume: %v", left)
}

func ids(snapshots []*csi.Snapshot) []string {
	found := make([]string, 0, len(snapshots))
	for _, snapshot := range snapshots {
		found = append(found, snapshot.GetSnapshotId())
	}
	return found
}

// skipWithoutSpace skips the case if CreateSnapshot returns that space is missing (CS-19): no call reports how much
// snapshots need.
func skipWithoutSpace(err error) {
	if status.Code(err) == codes.ResourceExhausted {
		suite.Skip(suite.ByEnvironment, "the storage system has no space for the snapshot that the case takes: %s", status.Convert(err).Message())
	}
}

// matchesSome reports whether the topology contains one of the segments.
func matchesSome(segments model.Set, topology model.Segment) bool {
	return slices.ContainsFunc(segments, func(segment model.Segment) bool { return segment.Matches(topology) })
}
