// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// validRequests returns requests of the RPC that get OK, and together set all fields.
func (w *world) validRequests(r rpc) []proto.Message {
	secrets := map[string]string{"password": secret}
	context := map[string]string{"storage.kubernetes.io/csiProvisionerIdentity": "1-hostpath.topo.csi"}
	switch r.name {
	case "GetPluginInfo":
		return []proto.Message{&csi.GetPluginInfoRequest{}}
	case "GetPluginCapabilities":
		return []proto.Message{&csi.GetPluginCapabilitiesRequest{}}
	case "Probe":
		return []proto.Message{&csi.ProbeRequest{}}
	case "CreateVolume":
		return []proto.Message{
			w.creation("new", nil),
			w.creation("clone", &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{
				Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: w.idle},
			}}),
			w.creation("restored", &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
				Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: w.snapshot},
			}}),
		}
	case "DeleteVolume":
		return []proto.Message{&csi.DeleteVolumeRequest{VolumeId: w.idle, Secrets: secrets}}
	case "ControllerPublishVolume":
		return []proto.Message{&csi.ControllerPublishVolumeRequest{
			VolumeId: w.idle, NodeId: w.node, VolumeCapability: w.fullCapability(), Secrets: secrets, VolumeContext: context,
		}}
	case "ControllerUnpublishVolume":
		return []proto.Message{
			&csi.ControllerUnpublishVolumeRequest{VolumeId: w.published, NodeId: w.node, Secrets: secrets},
			&csi.ControllerUnpublishVolumeRequest{VolumeId: w.idle},
		}
	case "ValidateVolumeCapabilities":
		return []proto.Message{&csi.ValidateVolumeCapabilitiesRequest{
			VolumeId: w.idle, VolumeContext: context, VolumeCapabilities: []*csi.VolumeCapability{w.fullCapability()},
			Parameters: w.parameters(), MutableParameters: mutable(), Secrets: secrets,
		}}
	case "ListVolumes":
		return []proto.Message{&csi.ListVolumesRequest{MaxEntries: 2, StartingToken: w.idle}}
	case "ControllerGetVolume":
		return []proto.Message{&csi.ControllerGetVolumeRequest{VolumeId: w.published}}
	case "ControllerModifyVolume":
		return []proto.Message{&csi.ControllerModifyVolumeRequest{VolumeId: w.idle, MutableParameters: mutable(), Secrets: secrets}}
	case "ControllerGetVolumeHealth":
		return []proto.Message{&csi.ControllerGetVolumeHealthRequest{VolumeId: w.idle, Secrets: secrets}}
	case "ControllerListVolumeHealth":
		return []proto.Message{&csi.ControllerListVolumeHealthRequest{MaxEntries: 2, StartingToken: w.idle, Secrets: secrets}}
	case "ControllerExpandVolume":
		return []proto.Message{&csi.ControllerExpandVolumeRequest{
			VolumeId: w.idle, CapacityRange: &csi.CapacityRange{RequiredBytes: w.bytes}, VolumeCapability: w.fullCapability(), Secrets: secrets,
		}}
	case "ControllerGetCapabilities":
		return []proto.Message{&csi.ControllerGetCapabilitiesRequest{}}
	case "GetCapacity":
		return []proto.Message{&csi.GetCapacityRequest{
			VolumeCapabilities: []*csi.VolumeCapability{w.fullCapability()}, Parameters: w.parameters(), AccessibleTopology: w.topology(),
		}}
	case "CreateSnapshot":
		return []proto.Message{&csi.CreateSnapshotRequest{
			SourceVolumeId: w.idle, Name: "new", Parameters: map[string]string{"zones": "1"}, AccessibilityRequirements: w.requirement(), Secrets: secrets,
		}}
	case "DeleteSnapshot":
		return []proto.Message{&csi.DeleteSnapshotRequest{SnapshotId: w.snapshot, Secrets: secrets}}
	case "GetSnapshot":
		return []proto.Message{&csi.GetSnapshotRequest{SnapshotId: w.snapshot, Secrets: secrets}}
	case "ListSnapshots":
		return []proto.Message{
			&csi.ListSnapshotsRequest{MaxEntries: 2, StartingToken: w.idle, Secrets: secrets},
			&csi.ListSnapshotsRequest{SourceVolumeId: w.idle},
			&csi.ListSnapshotsRequest{SnapshotId: w.snapshot},
		}
	case "GroupControllerGetCapabilities":
		return []proto.Message{&csi.GroupControllerGetCapabilitiesRequest{}}
	case "CreateVolumeGroupSnapshot":
		return []proto.Message{&csi.CreateVolumeGroupSnapshotRequest{
			Name: "new", SourceVolumeIds: []string{w.idle}, Parameters: map[string]string{"zones": "1"}, Secrets: secrets,
		}}
	case "DeleteVolumeGroupSnapshot":
		return []proto.Message{&csi.DeleteVolumeGroupSnapshotRequest{GroupSnapshotId: w.group, SnapshotIds: []string{w.member}, Secrets: secrets}}
	case "GetVolumeGroupSnapshot":
		return []proto.Message{&csi.GetVolumeGroupSnapshotRequest{GroupSnapshotId: w.group, SnapshotIds: []string{w.member}, Secrets: secrets}}
	case "GetMetadataAllocated", "GetMetadataDelta":
		if !w.kind.Block() {
			return nil // it has no blocks
		}
		if r.name == "GetMetadataAllocated" {
			return []proto.Message{&csi.GetMetadataAllocatedRequest{SnapshotId: w.snapshot, StartingOffset: 1, MaxResults: 2, Secrets: secrets}}
		}
		return []proto.Message{&csi.GetMetadataDeltaRequest{BaseSnapshotId: w.snapshot, TargetSnapshotId: w.member, StartingOffset: 1, MaxResults: 2, Secrets: secrets}}
	default:
		return w.validNodeRequests(r, secrets, context)
	}
}

func (w *world) validNodeRequests(r rpc, secrets, context map[string]string) []proto.Message {
	switch r.name {
	case "NodeStageVolume":
		return []proto.Message{&csi.NodeStageVolumeRequest{
			VolumeId: w.idle, StagingTargetPath: w.idleStaging(), VolumeCapability: w.fullCapability(),
			PublishContext: map[string]string{"readonly": "true"}, VolumeContext: context, Secrets: secrets,
		}}
	case "NodeUnstageVolume":
		return []proto.Message{
			&csi.NodeUnstageVolumeRequest{VolumeId: w.published, StagingTargetPath: w.publishedStaging()},
			&csi.NodeUnstageVolumeRequest{VolumeId: w.idle, StagingTargetPath: w.idleStaging()},
		}
	case "NodePublishVolume":
		return []proto.Message{&csi.NodePublishVolumeRequest{
			VolumeId: w.published, StagingTargetPath: w.publishedStaging(), TargetPath: w.publishedTarget(), VolumeCapability: w.capability(),
			PublishContext: map[string]string{"readonly": "true"}, VolumeContext: context, Secrets: secrets, Readonly: true,
		}}
	case "NodeUnpublishVolume":
		return []proto.Message{&csi.NodeUnpublishVolumeRequest{VolumeId: w.mounted, TargetPath: w.mountedTarget()}}
	case "NodeGetVolumeStats":
		return []proto.Message{&csi.NodeGetVolumeStatsRequest{VolumeId: w.mounted, VolumePath: w.mountedTarget(), StagingTargetPath: w.mountedStaging()}}
	case "NodeGetVolumeHealth":
		return []proto.Message{&csi.NodeGetVolumeHealthRequest{VolumeId: w.mounted, VolumePublishPath: w.mountedTarget(), StagingTargetPath: w.mountedStaging()}}
	case "NodeGetStorageHealth":
		return []proto.Message{&csi.NodeGetStorageHealthRequest{Secrets: secrets}}
	case "NodeExpandVolume":
		return []proto.Message{&csi.NodeExpandVolumeRequest{
			VolumeId: w.mounted, VolumePath: w.mountedTarget(), StagingTargetPath: w.mountedStaging(), Secrets: secrets,
			CapacityRange: &csi.CapacityRange{RequiredBytes: w.bytes}, VolumeCapability: w.capability(),
		}}
	case "NodeGetCapabilities":
		return []proto.Message{&csi.NodeGetCapabilitiesRequest{}}
	case "NodeGetInfo":
		return []proto.Message{&csi.NodeGetInfoRequest{}}
	default:
		return nil
	}
}

// secret is in every valid request that takes secrets, and must be in no response and no log.
const secret = "xyzzy-is-the-password"

func (w *world) creation(name string, source *csi.VolumeContentSource) *csi.CreateVolumeRequest {
	return &csi.CreateVolumeRequest{
		Name:                      name,
		CapacityRange:             &csi.CapacityRange{RequiredBytes: w.bytes},
		VolumeCapabilities:        []*csi.VolumeCapability{w.fullCapability()},
		Parameters:                w.parameters(),
		MutableParameters:         mutable(),
		AccessibilityRequirements: w.requirement(),
		VolumeContentSource:       source,
		Secrets:                   map[string]string{"password": secret},
	}
}

func (w *world) parameters() map[string]string {
	return map[string]string{"kind": string(w.kind), "zones": "1", "class": ""}
}

func mutable() map[string]string { return map[string]string{"allocation": "thin"} }

func (w *world) requirement() *csi.TopologyRequirement {
	return &csi.TopologyRequirement{Requisite: []*csi.Topology{w.topology()}, Preferred: []*csi.Topology{w.topology()}}
}

func (w *world) topology() *csi.Topology { return &csi.Topology{Segments: w.segment} }

// fullCapability returns a capability with all options of the kind.
func (w *world) fullCapability() *csi.VolumeCapability {
	c := w.capability()
	c.GetMount().MountFlags = []string{"noatime"}
	if w.kind == volume.InMemory {
		c.GetMount().FsType = "xfs"
	}
	return c
}
