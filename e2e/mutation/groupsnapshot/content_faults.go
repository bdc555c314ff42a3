// SPDX-License-Identifier: Apache-2.0

package groupsnapshot

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// contentFaults returns drivers that are wrong in one way each, in the contents of the snapshots of a group.
func contentFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"takes the snapshots of a group one after another while volumes are written to": mutation.Wide(Composed(false),
			mutation.Fails(order, "VGS-01"), mutation.Passes(taken+" "+kept+" "+inUse)),
		"INTERNAL for a group of volumes that nodes have": mutation.Wrong(mutation.Recoding[*takeRequest](codes.FailedPrecondition, codes.Internal),
			mutation.Warns(order, "VGS-19")),
		"NOT_FOUND for a group that is taken again after its volumes were deleted": mutation.Wrong(mutation.On(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
			for _, id := range r.GetSourceVolumeIds() {
				_, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
				if status.Code(err) == codes.NotFound {
					return nil, err
				}
			}
			return driver.CreateVolumeGroupSnapshot(ctx, r)
		}), mutation.Fails(kept, "VGS-02")),
		"restores what a volume has now from a snapshot of a group": mutation.Wide(restoring(cloneInstead).And(mutation.On(func(ctx context.Context, driver right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
			for _, snapshot := range snapshotsOf(ctx, driver, r.GetVolumeId()) {
				if snapshot.GetGroupSnapshotId() != "" {
					return nil, status.Error(codes.FailedPrecondition, "the volume is in a group snapshot")
				}
			}
			return driver.DeleteVolume(ctx, r)
		})), mutation.Fails(kept, "VGS-01")),
		"restores what a volume has now from a snapshot of a group, while there is the volume": mutation.Wide(restoring(func(ctx context.Context, driver right, r *csi.CreateVolumeRequest, from *csi.Snapshot) (*csi.CreateVolumeResponse, error) {
			if _, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: from.GetSourceVolumeId()}); err != nil {
				return driver.CreateVolume(ctx, r)
			}
			return cloneInstead(ctx, driver, r, from)
		}), mutation.Fails(kept, "VGS-01")),
		"says that all snapshots of a group are usable where the first is": mutation.Wrong(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			for _, member := range g.GetSnapshots() {
				member.AccessibleTopology = g.GetSnapshots()[0].GetAccessibleTopology()
			}
		}), mutation.Fails(topology, "TR-07")),
		"says that the snapshots of a group are usable from everywhere one of them is": mutation.Wrong(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			var all []*csi.Topology
			for _, member := range g.GetSnapshots() {
				all = append(all, member.GetAccessibleTopology()...)
			}
			for _, member := range g.GetSnapshots() {
				member.AccessibleTopology = all
			}
		}), mutation.Fails(topology, "TR-07")),
		"mixes up the snapshots of a group": mutation.Wide(answering(func(_ *takeRequest, g *csi.VolumeGroupSnapshot) {
			if len(g.GetSnapshots()) > 1 {
				a, b := g.GetSnapshots()[0], g.GetSnapshots()[1]
				a.SourceVolumeId, b.SourceVolumeId = b.GetSourceVolumeId(), a.GetSourceVolumeId()
			}
		}), mutation.Fails(kept, "VS-02")),
		"creates no volume from a snapshot of a group": mutation.Wide(
			restoring(func(context.Context, right, *csi.CreateVolumeRequest, *csi.Snapshot) (*csi.CreateVolumeResponse, error) {
				return nil, status.Error(codes.InvalidArgument, "the snapshot is part of a group")
			}), mutation.Fails(kept+" "+inUse, "VGS-09")),
		"deletes what was restored with the group": mutation.Wrong(goingWithSource(), mutation.Fails(inUse, "VGS-28")),
		"INTERNAL for a group that a volume was restored from": mutation.Wide(keepingSources(codes.Internal),
			mutation.Fails(inUse, "VGS-28")),
		"FAILED_PRECONDITION for a group that a volume was restored from": mutation.Wrong(keepingSources(codes.FailedPrecondition),
			mutation.Passes(inUse)),
		"FAILED_PRECONDITION for a group that a volume was restored from, which it has deleted": mutation.Wrong(deletingSources(),
			mutation.Fails(inUse, "VGS-28")),
		"INTERNAL for a group across zones": mutation.Wrong(across(codes.Internal), mutation.Fails(topology, "VGS-19")),
		"INVALID_ARGUMENT for a group across zones": mutation.Wrong(across(codes.InvalidArgument),
			mutation.Warns(topology, "VGS-19")),
		"restores all snapshots of a group in one zone": mutation.Wide(
			restoring(func(ctx context.Context, driver right, r *csi.CreateVolumeRequest, _ *csi.Snapshot) (*csi.CreateVolumeResponse, error) {
				response, err := driver.CreateVolume(ctx, r)
				if err == nil {
					response.Volume.AccessibleTopology = []*csi.Topology{mutation.Zone("Z2")}
				}
				return response, err
			}), mutation.Fails(topology, "TR-04")),
	}
}

func cloneInstead(ctx context.Context, driver right, r *csi.CreateVolumeRequest, from *csi.Snapshot) (*csi.CreateVolumeResponse, error) {
	clone := proto.CloneOf(r)
	clone.VolumeContentSource = &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{
		Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: from.GetSourceVolumeId()},
	}}
	response, err := driver.CreateVolume(ctx, clone)
	if err == nil {
		response.Volume.ContentSource = r.GetVolumeContentSource()
	}
	return response, err
}

// copies holds the volumes that were restored from snapshots of groups, with the group of each.
type copies struct{ groups sync.Map }

func (c *copies) noting() mutation.Fault {
	return restoring(func(ctx context.Context, driver right, r *csi.CreateVolumeRequest, from *csi.Snapshot) (*csi.CreateVolumeResponse, error) {
		response, err := driver.CreateVolume(ctx, r)
		if err == nil {
			c.groups.Store(response.GetVolume().GetVolumeId(), from.GetGroupSnapshotId())
		}
		return response, err
	})
}

func (c *copies) of(group string) []string {
	var ids []string
	for id, from := range c.groups.Range {
		if from == group {
			ids = append(ids, id.(string))
		}
	}
	return ids
}

func goingWithSource() mutation.Fault {
	c := &copies{}
	return c.noting().And(mutation.On(func(ctx context.Context, driver right, r *deleteRequest) (*deleteResponse, error) {
		for _, id := range c.of(r.GetGroupSnapshotId()) {
			_, _ = driver.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id})
		}
		return driver.DeleteVolumeGroupSnapshot(ctx, r)
	}))
}

// keepingSources makes a driver that refuses to delete a group while a volume that was restored from it exists.
func keepingSources(code codes.Code) mutation.Fault {
	c := &copies{}
	return c.noting().And(mutation.Checking(func(r *deleteRequest) error {
		if ids := c.of(r.GetGroupSnapshotId()); len(ids) > 0 {
			return status.Errorf(code, "volumes were restored from it: %v", ids)
		}
		return nil
	})).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) { c.groups.Delete(r.GetVolumeId()) }))
}

func deletingSources() mutation.Fault {
	c := &copies{}
	return c.noting().And(mutation.Ending(func(r *deleteRequest, response *deleteResponse, err error) (*deleteResponse, error) {
		if ids := c.of(r.GetGroupSnapshotId()); err == nil && len(ids) > 0 {
			return nil, status.Errorf(codes.FailedPrecondition, "volumes were restored from it: %v", ids)
		}
		return response, err
	})).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) { c.groups.Delete(r.GetVolumeId()) }))
}

// across makes a driver that refuses a group of volumes in different segments with the code.
func across(code codes.Code) mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *takeRequest) (*takeResponse, error) {
		var first []*csi.Topology
		for _, id := range r.GetSourceVolumeIds() {
			volume, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
			in := volume.GetVolume().GetAccessibleTopology()
			if err != nil || len(in) == 0 {
				continue
			}
			if first != nil && !proto.Equal(first[0], in[0]) {
				return nil, status.Errorf(code, "volume %s is in another zone than the others", id)
			}
			first = in
		}
		return driver.CreateVolumeGroupSnapshot(ctx, r)
	})
}

// Careful makes a correct driver: a group is ready to use when the call is repeated, has volumes of one zone only, and is
// not deleted while volumes that were restored from it exist.
func Careful() mutation.Fault {
	return keepingSources(codes.FailedPrecondition).Over(oneZone().Over(readyLater()))
}

// oneZone makes a correct driver that has no groups across zones.
func oneZone() mutation.Fault { return across(codes.FailedPrecondition) }
