// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// withClone takes a group snapshot of a volume and a copy of it, which a storage system may keep as one.
func withClone() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_with_clone",
		Text:         "takes a group snapshot of a volume and its clone, and returns one snapshot of each, or returns FAILED_PRECONDITION",
		Requirements: []string{"VGS-03", "VGS-19", "GEN-15", "GEN-16"},
		Needs:        needs(2, harness.Claims(csi.ControllerServiceCapability_RPC_CLONE_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := needVolumes(ctx, driver, 1)[0]
			asked := driver.Volume(1).Within(driver.Zones(1)...).OfBytes(max(driver.Size(), volume.GetCapacityBytes()))
			got := creation.CreateFrom(ctx, driver, messages.FromVolume(volume.GetVolumeId()), asked)
			switch got.Code {
			case codes.OK:
			case codes.ResourceExhausted:
				suite.Skip(suite.ByEnvironment, "the driver has no room for a clone: %s", got)
			default:
				suite.CouldNotTell("the case needs a clone of a volume: see clone_volume\ngot: %s", got)
			}
			volumes := []*csi.Volume{volume, got.Volume}

			expectTogether(ctx, driver, groups.CreateRequest(driver, volumes...), volumes)
		},
	}
}

// inTheirTopology checks that a snapshot of a group is usable where its volume is, whatever else is in the group, and
// whatever other topologies it reports.
func inTheirTopology() harness.Case {
	return harness.Case{
		ID:           "group_snapshot_topology",
		Text:         "takes a group snapshot of a volume in Z2 and one in Z3 and restores each where its volume was, or returns FAILED_PRECONDITION",
		Requirements: []string{"VGS-03", "VGS-09", "VGS-19", "CV-18", "TR-04", "TR-07", "GEN-15", "GEN-16"},
		Needs:        needs(3, harness.Segments(2)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			var volumes []*csi.Volume
			zones := model.Set{driver.Z2, driver.Z3}
			for _, zone := range zones {
				volumes = append(volumes, driver.NeedVolume(ctx, driver.Volume(1).Within(zone)))
			}
			request := groups.CreateRequest(driver, volumes...)
			if !expectTogether(ctx, driver, request, volumes) {
				return
			}
			group := groups.NeedReady(ctx, driver, request)

			var elsewhere []string
			for i, volume := range volumes {
				snapshot := member(group, volume)
				usable := snapshot.GetAccessibleTopology()
				for _, zone := range zones {
					if messages.Within(usable, zone) || len(usable) == 0 && zone.Equal(zones[i]) {
						asked := driver.Volume(1).Within(zone).OfBytes(max(driver.Size(), snapshot.GetSizeBytes()))
						got := creation.CreateFrom(ctx, driver, messages.FromSnapshot(snapshot.GetSnapshotId()), asked)
						creation.ExpectAllowed(ctx, got, model.AnswersTo(asked, driver.Room.World))
					}
				}
				if len(usable) > 0 && !messages.Within(usable, zones[i]) {
					elsewhere = append(elsewhere, fmt.Sprintf("the snapshot of a volume in %s is usable from %s only", zones[i], messages.Segments(usable)))
				}
			}
			if len(elsewhere) > 0 {
				suite.Skip(suite.ByCapability, "%s", strings.Join(elsewhere, "; "))
			}
		},
	}
}

// expectTogether takes a group snapshot of volumes that a driver may not snapshot together, and reports whether it does. It
// fails the case unless the driver refuses with the right code, or takes one snapshot of each.
func expectTogether(ctx context.Context, driver *harness.Driver, request *csi.CreateVolumeGroupSnapshotRequest, volumes []*csi.Volume) bool {
	response, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
	if err != nil {
		groups.SkipUngrouped(err)
		harness.ExpectRefused(ctx, "VGS-19", err, "volumes that cannot be snapshotted together are FAILED_PRECONDITION", codes.InvalidArgument)
		suite.Warn(ctx, "VGS-19", "volumes that cannot be snapshotted together are FAILED_PRECONDITION: the request itself is valid\ngot: %s", describe.Status(err))
		return false
	}
	expectEach(response.GetGroupSnapshot(), volumes)
	return true
}
