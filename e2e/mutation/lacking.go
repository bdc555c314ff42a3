// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"path"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// Topology lists the capabilities that a driver lacks if its volumes and snapshots are accessible from everywhere. Such a
// driver is started InOneSegment.
var Topology = []protoreflect.Enum{
	csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS,
	csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS,
}

// Attaching lists the capabilities of a driver that attaches volumes to nodes.
var Attaching = []protoreflect.Enum{
	csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME,
	csi.ControllerServiceCapability_RPC_PUBLISH_READONLY,
	csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES,
}

// InZones starts the reference driver with a node in each of the zones.
func InZones(zones ...string) func(*embedded.Options) {
	return func(o *embedded.Options) {
		for _, zone := range zones {
			o.Segments = append(o.Segments, topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: zone})
		}
	}
}

// InOneSegment starts the reference driver with four nodes in one segment, from which every volume is accessible.
func InOneSegment(o *embedded.Options) { InZones("Z2", "Z2", "Z2", "Z2")(o) }

// Lacking makes a driver that lacks the capabilities of the plugin, its controller and its nodes, as many drivers do: it
// does not claim them, RPCs that belong only to them are UNIMPLEMENTED, and no answer has their fields. Without
// PUBLISH_UNPUBLISH_VOLUME, NodeStageVolume refuses a volume that is not accessible from the node.
//
// Without CREATE_DELETE_SNAPSHOT there are no group snapshots either, because their snapshots could not be restored.
// The same holds without PUBLISH_UNPUBLISH_VOLUME, because the reference driver uses it to know that no volume of a
// group is written to.
func Lacking(capabilities ...protoreflect.Enum) Fault {
	if slices.Contains(capabilities, protoreflect.Enum(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)) ||
		slices.Contains(capabilities, protoreflect.Enum(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)) {
		capabilities = append(slices.Clone(capabilities), csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE)
	}
	if slices.Contains(capabilities, protoreflect.Enum(csi.PluginCapability_Service_SNAPSHOT_METADATA_SERVICE)) {
		return lacking(capabilities).And(withoutMetadata())
	}
	return lacking(capabilities)
}

func lacking(capabilities []protoreflect.Enum) Fault {
	rpcs := rpcsOf(capabilities)
	lacks := func(c protoreflect.Enum) bool { return slices.Contains(capabilities, c) }
	volumes := &accessibility{}
	return OnAll(func(ctx context.Context, right Right, call Call) (proto.Message, error) {
		err := refuse(call, rpcs, lacks)
		if err == nil && lacks(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
			err = volumes.check(ctx, right, call.Request)
		}
		if err != nil {
			return nil, err
		}
		response, err := call.Perform(ctx)
		if err != nil {
			return nil, err
		}
		volumes.learn(call.Request, response)
		unclaim(response, lacks)
		removeTopology(response, lacks)
		return response, nil
	})
}

// refuse returns UNIMPLEMENTED for one of the RPCs, and INVALID_ARGUMENT for an unsupported source of volumes.
func refuse(call Call, rpcs []string, lacks func(protoreflect.Enum) bool) error {
	if slices.Contains(rpcs, path.Base(call.Method)) {
		return unimplemented(call)
	}
	if r, creates := call.Request.(*csi.CreateVolumeRequest); creates {
		source := r.GetVolumeContentSource()
		if source.GetSnapshot() != nil && lacks(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) ||
			source.GetVolume() != nil && lacks(csi.ControllerServiceCapability_RPC_CLONE_VOLUME) {
			return status.Error(codes.InvalidArgument, "volume_content_source is not supported: volumes begin empty")
		}
	}
	return nil
}

// removeTopology removes the topology from an answer of a driver without topology.
func removeTopology(response proto.Message, lacks func(protoreflect.Enum) bool) {
	if lacks(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS) {
		switch r := response.(type) {
		case *csi.NodeGetInfoResponse:
			r.AccessibleTopology = nil
		case *csi.ListVolumesResponse:
			for _, entry := range r.GetEntries() {
				removeVolumeTopology(entry.GetVolume())
			}
		case interface{ GetVolume() *csi.Volume }:
			removeVolumeTopology(r.GetVolume())
		}
	}
	if lacks(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS) {
		switch r := response.(type) {
		case *csi.ListSnapshotsResponse:
			for _, entry := range r.GetEntries() {
				removeSnapshotTopology(entry.GetSnapshot())
			}
		case interface{ GetSnapshot() *csi.Snapshot }:
			removeSnapshotTopology(r.GetSnapshot())
		case interface {
			GetGroupSnapshot() *csi.VolumeGroupSnapshot
		}:
			for _, member := range r.GetGroupSnapshot().GetSnapshots() {
				removeSnapshotTopology(member)
			}
		}
	}
}

func removeVolumeTopology(volume *csi.Volume) {
	if volume != nil {
		volume.AccessibleTopology = nil
	}
}

func removeSnapshotTopology(snapshot *csi.Snapshot) {
	if snapshot != nil {
		snapshot.AccessibleTopology = nil
	}
}

// rpcsOf returns the RPCs that belong to no other capabilities.
func rpcsOf(capabilities []protoreflect.Enum) []string {
	all := map[protoreflect.Enum][]string{
		csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE: {
			"GroupControllerGetCapabilities", "CreateVolumeGroupSnapshot", "DeleteVolumeGroupSnapshot", "GetVolumeGroupSnapshot",
		},
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME:     {"CreateVolume", "DeleteVolume"},
		csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME: {"ControllerPublishVolume", "ControllerUnpublishVolume"},
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT:   {"CreateSnapshot", "DeleteSnapshot"},
		csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS:           {"ListSnapshots"},
		csi.ControllerServiceCapability_RPC_GET_SNAPSHOT:             {"GetSnapshot"},
		csi.ControllerServiceCapability_RPC_LIST_VOLUMES:             {"ListVolumes"},
		csi.ControllerServiceCapability_RPC_GET_VOLUME:               {"ControllerGetVolume"},
		csi.ControllerServiceCapability_RPC_EXPAND_VOLUME:            {"ControllerExpandVolume"},
		csi.ControllerServiceCapability_RPC_MODIFY_VOLUME:            {"ControllerModifyVolume"},
		csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH:        {"ControllerGetVolumeHealth"},
		csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH:       {"ControllerListVolumeHealth"},
		csi.ControllerServiceCapability_RPC_GET_CAPACITY:             {"GetCapacity"},
		csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME:           {"NodeStageVolume", "NodeUnstageVolume"},
		csi.NodeServiceCapability_RPC_EXPAND_VOLUME:                  {"NodeExpandVolume"},
		csi.NodeServiceCapability_RPC_GET_VOLUME_STATS:               {"NodeGetVolumeStats"},
		csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH:              {"NodeGetVolumeHealth"},
		csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH:             {"NodeGetStorageHealth"},
	}
	var rpcs []string
	for _, capability := range capabilities {
		rpcs = append(rpcs, all[capability]...)
	}
	return rpcs
}

// Unclaimed makes a faulty driver: it has the capabilities of the plugin, its controller and its nodes, but does not claim
// them. Lacking makes a driver that does not have them.
func Unclaimed(capabilities ...protoreflect.Enum) Fault {
	return OnAll(func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		response, err := call.Perform(ctx)
		if err != nil {
			return nil, err
		}
		unclaim(response, func(c protoreflect.Enum) bool { return slices.Contains(capabilities, c) })
		return response, nil
	})
}

// unclaim removes claims of the missing capabilities from an answer.
func unclaim(response proto.Message, lacks func(protoreflect.Enum) bool) {
	switch r := response.(type) {
	case *csi.GetPluginCapabilitiesResponse:
		r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c *csi.PluginCapability) bool {
			return lacks(c.GetService().GetType()) || lacks(c.GetVolumeExpansion().GetType())
		})
	case *csi.ControllerGetCapabilitiesResponse:
		r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c *csi.ControllerServiceCapability) bool { return lacks(c.GetRpc().GetType()) })
	case *csi.GroupControllerGetCapabilitiesResponse:
		r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c *csi.GroupControllerServiceCapability) bool { return lacks(c.GetRpc().GetType()) })
	case *csi.NodeGetCapabilitiesResponse:
		r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c *csi.NodeServiceCapability) bool { return lacks(c.GetRpc().GetType()) })
	}
}

// Unimplemented makes a driver that does not have the RPCs, such as NodeGetInfo, regardless of its claims.
func Unimplemented(rpcs ...string) Fault {
	return OnAll(func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		if slices.Contains(rpcs, path.Base(call.Method)) {
			return nil, unimplemented(call)
		}
		return call.Perform(ctx)
	})
}

func unimplemented(call Call) error {
	return status.Errorf(codes.Unimplemented, "method %s not implemented", path.Base(call.Method))
}
