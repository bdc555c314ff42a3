// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/image"
)

// large is the size of a volume with room for an XFS.
const large = image.MinimumBytes

// nodeScenarios returns all calls of the node that change the state.
func nodeScenarios() []scenario {
	empty := newVolume{name: "v", bytes: large}.mustCreate
	image := newVolume{name: "v", bytes: large}
	raw := newVolume{name: "v", bytes: small}.mustCreate
	dir := newVolume{name: "v", bytes: small, kind: volume.Dir}.mustCreate
	smaller := newVolume{name: "v", bytes: 48 * mib}

	block := asBlock(writer)
	stage, stageBlock := stageVolume(asMount("")), stageVolume(block)
	publish, publishBlock := publishAt(asMount(""), false), publishAt(block, false)
	scenarios := []scenario{
		{name: "NodeStageVolume empty image", given: []func(*life){empty, removeMarker}, call: stage},
		{name: "NodeStageVolume xfs", given: []func(*life){image.mustCreate, withXFS}, call: stage},
		{name: "NodeStageVolume xfs smaller than its image", given: []func(*life){image.mustCreate, withXFS, mustSend(expandVolume("v", large+64*mib))}, call: stage},
		{name: "NodeStageVolume ext4 smaller than its image", given: []func(*life){smaller.mustCreate, removeMarker, withExt4(16 * mib)}, call: stageVolume(asMount("ext4"))},
		{name: "NodeStageVolume block", given: []func(*life){raw}, call: stageBlock},
		{name: "NodeStageVolume block read-only", given: []func(*life){raw}, call: stageVolume(asBlock(reader))},
		{name: "NodeStageVolume dir", given: []func(*life){dir}, call: stage},
		{name: "NodePublishVolume xfs", given: []func(*life){image.mustCreate, withXFS, mustSend(stage)}, call: publish},
		{name: "NodePublishVolume xfs read-only", given: []func(*life){image.mustCreate, withXFS, mustSend(stage)}, call: publishAt(asMount(""), true)},
		{name: "NodePublishVolume block", given: []func(*life){raw, mustSend(stageBlock)}, call: publishBlock},
		{name: "NodePublishVolume dir", given: []func(*life){dir, mustSend(stage)}, call: publish},
		{name: "NodePublishVolume dir read-only", given: []func(*life){dir, mustSend(stage)}, call: publishAt(asMount(""), true)},
		{name: "NodeUnpublishVolume xfs", given: []func(*life){image.mustCreate, withXFS, mustSend(stage), mustSend(publish)}, call: unpublish},
		{name: "NodeUnpublishVolume block", given: []func(*life){raw, mustSend(stageBlock), mustSend(publishBlock)}, call: unpublish},
		{name: "NodeUnpublishVolume dir", given: []func(*life){dir, mustSend(stage), mustSend(publish)}, call: unpublish},
		{name: "NodeUnstageVolume xfs", given: []func(*life){image.mustCreate, withXFS, mustSend(stage)}, call: unstage},
		{name: "NodeUnstageVolume block", given: []func(*life){raw, mustSend(stageBlock)}, call: unstage},
		{name: "NodeUnstageVolume dir", given: []func(*life){dir, mustSend(stage)}, call: unstage},
		{name: "NodeExpandVolume xfs", given: []func(*life){image.mustCreate, withXFS, mustSend(stage), mustSend(publish), mustSend(expandVolume("v", large+64*mib))}, call: expandAt(0)},
		{name: "NodeExpandVolume block", given: []func(*life){raw, mustSend(stageBlock), mustSend(publishBlock), mustSend(expandVolume("v", 2*small))}, call: expandAt(0)},
		{name: "NodeExpandVolume xfs node-local", full: codes.OutOfRange, given: []func(*life){image.mustCreate, withXFS, mustSend(stage), mustSend(publish)}, call: expandAt(large + 64*mib)},
	}
	for n, s := range scenarios {
		// A start does not undo an unfinished mount: pods go on.
		scenarios[n].rpc, scenarios[n].between = firstWord(s.name), true
		if s.full == codes.OK {
			scenarios[n].full = codes.Internal // the other RPCs have no code for a full disk
		}
	}
	return scenarios
}

const (
	writer = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	reader = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
)

// asMount returns the capability of a volume that one node mounts, with the given file
// system or, if it is empty, the default of its kind.
func asMount(fsType string) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: writer},
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: fsType}},
	}
}

// asBlock returns the capability of a volume that a node uses as a block device.
func asBlock(mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode},
		AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
	}
}

func stageVolume(as *csi.VolumeCapability) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		return l.node.NodeStageVolume(ctx, &csi.NodeStageVolumeRequest{
			VolumeId: l.id("v"), StagingTargetPath: l.at.staging(), VolumeCapability: as,
		})
	}
}

func publishAt(as *csi.VolumeCapability, readOnly bool) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		return l.node.NodePublishVolume(ctx, &csi.NodePublishVolumeRequest{
			VolumeId: l.id("v"), StagingTargetPath: l.at.staging(), TargetPath: l.at.target(), VolumeCapability: as, Readonly: readOnly,
		})
	}
}

func unpublish(ctx context.Context, l *life) (proto.Message, error) {
	return l.node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: l.id("v"), TargetPath: l.at.target()})
}

func unstage(ctx context.Context, l *life) (proto.Message, error) {
	return l.node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: l.id("v"), StagingTargetPath: l.at.staging()})
}

// expandAt expands the volume where it is published: to the given size, to which the volume itself grows first, or, if
// that is 0, to the size of the volume.
func expandAt(bytes int64) request {
	return func(ctx context.Context, l *life) (proto.Message, error) {
		r := &csi.NodeExpandVolumeRequest{VolumeId: l.id("v"), VolumePath: l.at.target(), StagingTargetPath: l.at.staging()}
		if bytes > 0 {
			r.CapacityRange = &csi.CapacityRange{RequiredBytes: bytes}
		}
		return l.node.NodeExpandVolume(ctx, r)
	}
}
