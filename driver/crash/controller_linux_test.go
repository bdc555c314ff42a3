// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// small is the size of a volume without a file system.
const small = mib / 4

// controllerScenarios returns all calls of the controller that change the state.
func controllerScenarios() []scenario {
	// Each has a bystander, which must not change.
	bystander := newVolume{name: "bystander", bytes: small, zones: 3}.mustCreate
	image := newVolume{name: "v", bytes: small, zones: 2}
	thick := newVolume{name: "v", bytes: small, allocated: true}
	dir := newVolume{name: "v", bytes: small, kind: volume.Dir, zones: 2}
	second := newVolume{name: "w", bytes: small, kind: volume.Dir}
	snapshot := newSnapshot{name: "s", of: "v"}
	return []scenario{
		{name: "CreateVolume thin image", rpc: "CreateVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander}, call: newVolume{name: "new", bytes: small}.create},
		{name: "CreateVolume allocated image in two zones", rpc: "CreateVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander}, call: newVolume{name: "new", bytes: small, zones: 2, allocated: true}.create},
		{name: "CreateVolume image from volume", rpc: "CreateVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander, image.mustCreate}, call: newVolume{name: "new", bytes: 2 * small, fromVolume: "v"}.create},
		{name: "CreateVolume image from snapshot in two zones", rpc: "CreateVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander, image.mustCreate, snapshot.mustCreate}, call: newVolume{name: "new", bytes: small, zones: 2, fromSnapshot: "s"}.create},
		{name: "CreateVolume dir in two zones", rpc: "CreateVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander}, call: newVolume{name: "new", bytes: small, zones: 2, kind: volume.Dir}.create},
		{name: "CreateVolume dir from volume", rpc: "CreateVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander, dir.mustCreate}, call: newVolume{name: "new", bytes: 2 * small, kind: volume.Dir, fromVolume: "v"}.create},
		{name: "CreateVolume dir from snapshot", rpc: "CreateVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander, dir.mustCreate, snapshot.mustCreate}, call: newVolume{name: "new", bytes: small, kind: volume.Dir, fromSnapshot: "s"}.create},
		{name: "CreateSnapshot of image", rpc: "CreateSnapshot", full: codes.ResourceExhausted,
			given: []func(*life){bystander, image.mustCreate}, call: newSnapshot{name: "new", of: "v"}.create},
		{name: "CreateSnapshot of dir in one zone of two", rpc: "CreateSnapshot", full: codes.ResourceExhausted,
			given: []func(*life){bystander, dir.mustCreate}, call: newSnapshot{name: "new", of: "v", zones: 1}.create},
		{name: "CreateVolumeGroupSnapshot of image and dir", rpc: "CreateVolumeGroupSnapshot", full: codes.ResourceExhausted,
			given: []func(*life){bystander, image.mustCreate, second.mustCreate}, call: newGroup{name: "new", of: []string{"v", "w"}}.create},
		{name: "CreateVolumeGroupSnapshot in one zone of two", rpc: "CreateVolumeGroupSnapshot", full: codes.ResourceExhausted,
			given: []func(*life){bystander, image.mustCreate}, call: newGroup{name: "new", of: []string{"v"}, zones: 1}.create},
		{name: "DeleteVolumeGroupSnapshot", rpc: "DeleteVolumeGroupSnapshot", full: codes.Internal,
			given: []func(*life){bystander, image.mustCreate, second.mustCreate, newGroup{name: "g", of: []string{"v", "w"}}.mustCreate}, call: deleteGroup("g")},
		{name: "DeleteVolume image", rpc: "DeleteVolume", full: codes.Internal,
			given: []func(*life){bystander, image.mustCreate}, call: deleteVolume("v")},
		{name: "DeleteVolume dir", rpc: "DeleteVolume", full: codes.Internal,
			given: []func(*life){bystander, dir.mustCreate}, call: deleteVolume("v")},
		{name: "DeleteSnapshot of image", rpc: "DeleteSnapshot", full: codes.Internal,
			given: []func(*life){bystander, image.mustCreate, snapshot.mustCreate}, call: deleteSnapshot("s")},
		{name: "DeleteSnapshot of dir", rpc: "DeleteSnapshot", full: codes.Internal,
			given: []func(*life){bystander, dir.mustCreate, snapshot.mustCreate}, call: deleteSnapshot("s")},
		{name: "ControllerExpandVolume thin image", rpc: "ControllerExpandVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander, image.mustCreate}, call: expandVolume("v", 2*small)},
		{name: "ControllerExpandVolume allocated image", rpc: "ControllerExpandVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander, thick.mustCreate}, call: expandVolume("v", 2*small)},
		{name: "ControllerExpandVolume dir", rpc: "ControllerExpandVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander, dir.mustCreate}, call: expandVolume("v", 2*small)},
		// Blocks may be allocated before it is recorded that they are.
		{name: "ControllerModifyVolume to allocated", rpc: "ControllerModifyVolume", full: codes.ResourceExhausted, between: true,
			given: []func(*life){bystander, image.mustCreate}, call: modifyVolume("v", "thick")},
		{name: "ControllerModifyVolume to thin", rpc: "ControllerModifyVolume", full: codes.ResourceExhausted,
			given: []func(*life){bystander, thick.mustCreate}, call: modifyVolume("v", "thin")},
		{name: "ControllerPublishVolume", rpc: "ControllerPublishVolume", full: codes.Internal,
			given: []func(*life){bystander, image.mustCreate}, call: publishVolume("v", "n2")},
		{name: "ControllerUnpublishVolume from one node", rpc: "ControllerUnpublishVolume", full: codes.Internal,
			given: []func(*life){bystander, dir.mustCreate, mustSend(publishVolume("v", "n2")), mustSend(publishVolume("v", "n3"))}, call: unpublishVolume("v", "n2")},
		// Each node has its own record.
		{name: "ControllerUnpublishVolume from all nodes", rpc: "ControllerUnpublishVolume", full: codes.Internal, between: true,
			given: []func(*life){bystander, dir.mustCreate, mustSend(publishVolume("v", "n2")), mustSend(publishVolume("v", "n3"))}, call: unpublishVolume("v", "")},
	}
}

func deleteVolume(name string) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		return l.controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: l.id(name)})
	}
}

func deleteSnapshot(name string) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		return l.controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: l.id(name)})
	}
}

func expandVolume(name string, bytes int64) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		return l.controller.ControllerExpandVolume(ctx, &csi.ControllerExpandVolumeRequest{
			VolumeId: l.id(name), CapacityRange: &csi.CapacityRange{RequiredBytes: bytes},
		})
	}
}

func modifyVolume(name, allocation string) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		return l.controller.ControllerModifyVolume(ctx, &csi.ControllerModifyVolumeRequest{
			VolumeId: l.id(name), MutableParameters: map[string]string{"allocation": allocation},
		})
	}
}

// publishVolume publishes a volume on a node, in an access mode for several nodes if its kind has one.
func publishVolume(name, node string) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		as := asMount("")
		if kind, _ := volume.KindOf(l.id(name)); kind.MultiNode() {
			as.AccessMode.Mode = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
		}
		return l.controller.ControllerPublishVolume(ctx, &csi.ControllerPublishVolumeRequest{
			VolumeId: l.id(name), NodeId: node, VolumeCapability: as,
		})
	}
}

func unpublishVolume(name, node string) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		return l.controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: l.id(name), NodeId: node})
	}
}
