// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// The names of the volumes and snapshots of a world.
const (
	idleName      = "idle"
	publishedName = "published"
	mountedName   = "mounted"
	snapshotName  = "snapshot-of-idle"
	groupName     = "group-of-idle"
)

// world is a driver with a volume and a snapshot in every state that a valid request needs, and a caller for it.
type world struct {
	call caller
	tree trap
	// kind is the kind of its volumes, and bytes their size.
	kind  volume.Kind
	bytes int64
	// segment is the segment of the volumes, and node the node that has them.
	segment topology.Segment
	node    string

	// idle is an unused volume; published is published on the node and staged at
	// staging; mounted is published at target, too.
	idle, published, mounted string
	// snapshot is a snapshot of idle.
	snapshot string
	// group is a group snapshot of idle, and member the snapshot in it.
	group, member string
}

// idleStaging returns the path where the idle volume is staged; the methods below
// return the other paths of the node.
func (w *world) idleStaging() string      { return w.tree.path("node/idle") }
func (w *world) publishedStaging() string { return w.tree.path("node/published") }
func (w *world) publishedTarget() string  { return w.tree.path("node/pods/published") }
func (w *world) mountedStaging() string   { return w.tree.path("node/mounted") }
func (w *world) mountedTarget() string    { return w.tree.path("node/pods/mounted") }

// setUp restores the world, whatever calls have changed.
func (w *world) setUp(ctx context.Context) error {
	for _, dir := range []string{w.idleStaging(), w.publishedStaging(), w.mountedStaging()} {
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return err
		}
	}
	before := w.idle
	for name, id := range map[string]*string{idleName: &w.idle, publishedName: &w.published, mountedName: &w.mounted} {
		created, err := send[*csi.CreateVolumeResponse](ctx, w.call, "CreateVolume", &csi.CreateVolumeRequest{
			Name:                      name,
			CapacityRange:             &csi.CapacityRange{RequiredBytes: w.bytes},
			VolumeCapabilities:        []*csi.VolumeCapability{w.capability()},
			Parameters:                map[string]string{"kind": string(w.kind)},
			AccessibilityRequirements: &csi.TopologyRequirement{Requisite: []*csi.Topology{{Segments: w.segment}}},
		})
		if err != nil {
			return err
		}
		*id = created.GetVolume().GetVolumeId()
	}
	if before != w.idle {
		// An image gets its file system when first staged for writing.
		if err := errors.Join(w.stage(ctx, w.idle, w.idleStaging()), w.unstageIdle(ctx)); err != nil {
			return err
		}
	}
	if before != "" && before != w.idle {
		// The snapshot is of the volume that had the name before.
		if _, err := w.send(ctx, "DeleteSnapshot", &csi.DeleteSnapshotRequest{SnapshotId: w.snapshot}); err != nil {
			return err
		}
		if err := w.deleteGroup(ctx, w.group, w.member); err != nil {
			return err
		}
	}
	if err := w.withdraw(ctx); err != nil {
		return err
	}
	taken, err := send[*csi.CreateSnapshotResponse](ctx, w.call, "CreateSnapshot", &csi.CreateSnapshotRequest{Name: snapshotName, SourceVolumeId: w.idle})
	if err != nil {
		return err
	}
	w.snapshot = taken.GetSnapshot().GetSnapshotId()
	grouped, err := send[*csi.CreateVolumeGroupSnapshotResponse](ctx, w.call, "CreateVolumeGroupSnapshot", &csi.CreateVolumeGroupSnapshotRequest{Name: groupName, SourceVolumeIds: []string{w.idle}})
	if err != nil {
		return err
	}
	w.group, w.member = grouped.GetGroupSnapshot().GetGroupSnapshotId(), grouped.GetGroupSnapshot().GetSnapshots()[0].GetSnapshotId()
	return errors.Join(w.clear(ctx), w.bringUp(ctx))
}

// bringUp publishes the volumes that should be published.
func (w *world) bringUp(ctx context.Context) error {
	for _, v := range []struct{ id, staging, target string }{
		{w.published, w.publishedStaging(), ""},
		{w.mounted, w.mountedStaging(), w.mountedTarget()},
	} {
		if _, err := w.send(ctx, "ControllerPublishVolume", &csi.ControllerPublishVolumeRequest{VolumeId: v.id, NodeId: w.node, VolumeCapability: w.capability()}); err != nil {
			return err
		}
		if err := w.stage(ctx, v.id, v.staging); err != nil {
			return err
		}
		if v.target == "" {
			continue
		}
		if _, err := w.send(ctx, "NodePublishVolume", &csi.NodePublishVolumeRequest{
			VolumeId: v.id, StagingTargetPath: v.staging, TargetPath: v.target, VolumeCapability: w.capability(),
		}); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) stage(ctx context.Context, id, path string) error {
	_, err := w.send(ctx, "NodeStageVolume", &csi.NodeStageVolumeRequest{VolumeId: id, StagingTargetPath: path, VolumeCapability: w.capability()})
	return err
}

func (w *world) unstageIdle(ctx context.Context) error {
	_, err := w.send(ctx, "NodeUnstageVolume", &csi.NodeUnstageVolumeRequest{VolumeId: w.idle, StagingTargetPath: w.idleStaging()})
	return err
}

func (w *world) send(ctx context.Context, name string, request proto.Message) (proto.Message, error) {
	return send[proto.Message](ctx, w.call, name, request)
}

// send sends a request of the named RPC.
func send[Response proto.Message](ctx context.Context, call caller, name string, request proto.Message) (response Response, err error) {
	for _, r := range rpcs() {
		if r.name != name {
			continue
		}
		answered, err := call(ctx, r, request)
		if err != nil {
			return response, err
		}
		return answered.(Response), nil
	}
	return response, errors.New("there is no RPC " + name)
}

// capability returns a capability that all volumes of the world have. Images get ext4, which is much faster to copy when
// new than XFS.
func (w *world) capability() *csi.VolumeCapability {
	mount := &csi.VolumeCapability_MountVolume{}
	if w.kind == volume.Image {
		mount.FsType = "ext4"
	}
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		AccessType: &csi.VolumeCapability_Mount{Mount: mount},
	}
}

// testValidRequests checks that every valid request succeeds: a hostile value in a request that is refused anyway would
// show nothing.
func testValidRequests(t *testing.T, w *world) {
	t.Helper()
	for _, r := range rpcs() {
		for _, request := range w.validRequests(r) {
			if _, err := w.call(t.Context(), r, request); err != nil {
				t.Errorf("the valid request %s{%v} was refused: %v", r.name, request, err)
			}
			must(t, "bring the world back after "+r.name, w.setUp(t.Context()))
		}
	}
}
