package attach_test

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const (
	every = ofOneNode + " " + ofTwoNodes + " attach_out_of_reach attach_limit " + ofReadOnly
	// ofReadOnly are those that publish read-only, on one node.
	ofReadOnly = "attach_read_only attach_again_read_only"
	ofOneNode  = "attach_every_node attach_same_node_again attach_again_other_mode attach_unknown_volume attach_unknown_node " +
		"attach_unknown_mode attach_without_secrets attach_without_context " +
		"detach_again detach_never_attached detach_unknown_volume detach_unknown_node"
	ofTwoNodes = ofMultiNode + " attach_second_node detach_other_node detach_then_other_node detach_without_node_id"
	// ofMultiNode are those with a MULTI_NODE access mode.
	ofMultiNode = "attach_multi_writer attach_multi_reader attach_single_writer detach_from_all detach_one_of_two"
	validations = "validate_confirms validate_unknown_mode validate_unknown_volume"
)

// twoInZ2 are two nodes in one segment.
func twoInZ2(o *embedded.Options) {
	z2 := topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}
	o.Segments = []topology.Segment{z2, z2}
}

func oneTopologyOnly(t *harness.Target) {
	t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1])
}

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]spectest.Expectation{
	"no capability PUBLISH_UNPUBLISH_VOLUME": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)},
		Cases: []spectest.Case{
			spectest.Skips(every, "ControllerGetCapabilities does not list PUBLISH_UNPUBLISH_VOLUME"),
			spectest.Passes(validations, ""),
		},
	},
	"no capability PUBLISH_READONLY": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)},
		Cases: []spectest.Case{
			spectest.Skips(ofReadOnly+" attach_single_writer", "ControllerGetCapabilities does not list PUBLISH_READONLY"),
			spectest.Passes("attach_multi_reader", ""),
		},
	},
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
		Cases: []spectest.Case{
			spectest.Skips(ofOneNode, "there are 0 node endpoints, and the case needs 1"),
			spectest.Skips(ofTwoNodes, "there are 0 node endpoints, and the case needs 2"),
			spectest.Passes(validations, ""),
		},
	},
	"no volumes of two topologies": {
		Driver: spectest.Driver{Target: oneTopologyOnly},
		Cases:  []spectest.Case{spectest.Skips(ofTwoNodes, "needs two nodes that reach one volume, and of the 4 node endpoints 1 is in")},
	},
	"two nodes in a segment": {
		Driver: spectest.Driver{Options: twoInZ2, Target: oneTopologyOnly},
		Cases: []spectest.Case{
			spectest.Passes(ofTwoNodes, ""),
			spectest.Skips("attach_out_of_reach", "the driver has 1 topology segments, and the case needs 2"),
		},
	},
	"no topology": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }, Target: oneTopologyOnly},
		Cases: []spectest.Case{
			spectest.Passes(ofOneNode+" "+ofTwoNodes+" "+ofReadOnly+" attach_limit", ""),
			spectest.Skips("attach_out_of_reach", "GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS"),
		},
	},
	"no node out of reach": {
		Driver: spectest.Driver{Options: twoInZ2, Target: func(t *harness.Target) {
			t.Profile.Segments = []map[string]string{{topology.RegionKey: "R1", topology.ZoneKey: "Z3"}}
			t.Profile.Capacity = profile.Untracked
		}},
		Cases: []spectest.Case{spectest.Skips("attach_out_of_reach", "every node endpoint reaches the volume")},
	},
	"no volumes for several nodes": {
		Driver: spectest.Driver{Fault: spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			switch r.GetVolumeCapabilities()[0].GetAccessMode().GetMode() {
			case csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER:
				return right.CreateVolume(ctx, r)
			default:
				return nil, status.Error(codes.InvalidArgument, "no such access mode")
			}
		})},
		Cases: []spectest.Case{spectest.Skips(ofMultiNode, "CreateVolume does not take the capabilities")},
	},
	"raw block volumes for several nodes only": {
		Driver: spectest.Driver{Fault: spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			first := r.GetVolumeCapabilities()[0]
			if first.GetBlock() == nil && first.GetAccessMode().GetMode() != csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER {
				return nil, status.Error(codes.InvalidArgument, "no such access mode for a file system")
			}
			return right.CreateVolume(ctx, r)
		})},
		Cases: []spectest.Case{spectest.Passes(ofMultiNode, "")},
	},
	"no limit of volumes": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.MaxVolumesPerNode = 0 }},
		Cases:  []spectest.Case{spectest.Skips("attach_limit", "no node has a max_volumes_per_node")},
	},
	"a large limit of volumes": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.MaxVolumesPerNode = 65 }},
		Cases:  []spectest.Case{spectest.Skips("attach_limit", "the lowest max_volumes_per_node is 65, and the case makes 64 volumes at most")},
	},
	"no room for the volumes of the limit": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.VolumeBytes = 1 << 27 }},
		Cases:  []spectest.Case{spectest.Skips("attach_limit", "has room for 1073741824 bytes, and the case needs 1342177280")},
	},
	"secrets": {
		Driver: spectest.Driver{Target: func(t *harness.Target) {
			t.Profile.Secrets.ControllerPublishVolume = map[string]string{"token": "t"}
		}},
		Cases: []spectest.Case{spectest.Skips("attach_without_secrets", "the profile has secrets for ControllerPublishVolume")},
	},
	"NOT_FOUND where OK should be": {
		Driver: spectest.Driver{Fault: notFoundForUnknown()},
		Cases:  []spectest.Case{spectest.Passes(every, "")},
	},
	"another access mode is compatible": {
		Driver: spectest.Driver{Fault: publishesIn(codes.AlreadyExists)},
		Cases: []spectest.Case{
			spectest.Passes("attach_again_other_mode", ""),
			spectest.Fails(ofReadOnly, "the call was not refused"),
		},
	},
}

// notFoundForUnknown makes a driver that does not assume anything of what it does not know.
func notFoundForUnknown() spectest.Fault {
	deleted := map[string]bool{}
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		response, err := right.DeleteVolume(ctx, r)
		deleted[r.GetVolumeId()] = err == nil
		return response, err
	}).And(unpublishing(func(ctx context.Context, right spectest.Right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
		if deleted[r.GetVolumeId()] || r.GetNodeId() == harness.Unlike("node-1") {
			return nil, status.Error(codes.NotFound, "not found")
		}
		return right.ControllerUnpublishVolume(ctx, r)
	}))
}
