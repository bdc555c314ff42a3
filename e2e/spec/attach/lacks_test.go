// SPDX-License-Identifier: Apache-2.0

package attach_test

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

const (
	every = ofOneNode + " " + ofTwoNodes + " attach_out_of_reach detach_out_of_reach attach_limit " + ofReadOnly
	// ofReadOnly are those that publish read-only, on one node.
	ofReadOnly = "attach_read_only attach_again_read_only attach_read_only_protects"
	ofOneNode  = "attach_every_node attach_same_node_again attach_again_other_mode attach_unknown_volume attach_unknown_node " +
		"attach_unknown_mode attach_without_context " +
		"detach_again detach_never_attached detach_unknown_volume detach_unknown_node detach_from_all"
	ofTwoNodes = ofMultiNode + " attach_second_node detach_other_node detach_then_other_node"
	// ofMultiNode are those with a MULTI_NODE access mode.
	ofMultiNode = "attach_multi_writer attach_multi_writer_block attach_multi_reader attach_single_writer detach_one_of_two"
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
			spectest.Skips(every, verdict.ByCapability),
			spectest.Passes(validations),
		},
	},
	"no capability PUBLISH_READONLY": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)},
		Cases: []spectest.Case{
			spectest.Skips(ofReadOnly+" attach_single_writer", verdict.ByCapability),
			spectest.Passes("attach_multi_reader"),
		},
	},
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
		Cases: []spectest.Case{
			spectest.Skips(ofOneNode, verdict.ByEnvironment),
			spectest.Skips(ofTwoNodes, verdict.ByEnvironment),
			spectest.Passes(validations),
		},
	},
	"no volumes of two topologies": {
		Driver: spectest.Driver{Target: oneTopologyOnly},
		Cases:  []spectest.Case{spectest.Skips(ofTwoNodes, verdict.ByEnvironment)},
	},
	"two nodes in a segment": {
		Driver: spectest.Driver{Options: twoInZ2, Target: oneTopologyOnly},
		Cases: []spectest.Case{
			spectest.Passes(ofTwoNodes),
			spectest.Skips("attach_out_of_reach detach_out_of_reach", verdict.ByEnvironment),
		},
	},
	"no topology": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }, Target: oneTopologyOnly},
		Cases: []spectest.Case{
			spectest.Passes(ofOneNode + " " + ofTwoNodes + " attach_read_only attach_again_read_only attach_limit"),
			spectest.Skips("attach_out_of_reach detach_out_of_reach", verdict.ByCapability),
		},
	},
	"no node out of reach": {
		Driver: spectest.Driver{Options: twoInZ2, Target: func(t *harness.Target) {
			t.Profile.Segments = []map[string]string{{topology.RegionKey: "R1", topology.ZoneKey: "Z3"}}
			t.Profile.Capacity = profile.Untracked
		}},
		Cases: []spectest.Case{spectest.Skips("attach_out_of_reach detach_out_of_reach", verdict.ByEnvironment)},
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
		Cases: []spectest.Case{spectest.Skips(ofMultiNode, verdict.ByCapability)},
	},
	"raw block volumes for several nodes only": {
		Driver: spectest.Driver{Fault: spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			first := r.GetVolumeCapabilities()[0]
			if first.GetBlock() == nil && first.GetAccessMode().GetMode() != csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER {
				return nil, status.Error(codes.InvalidArgument, "no such access mode for a file system")
			}
			return right.CreateVolume(ctx, r)
		})},
		Cases: []spectest.Case{spectest.Passes(ofMultiNode)},
	},
	"no limit of volumes": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.MaxVolumesPerNode = 0 }},
		Cases:  []spectest.Case{spectest.Skips("attach_limit", verdict.ByEnvironment)},
	},
	"a large limit of volumes": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.MaxVolumesPerNode = 65 }},
		Cases:  []spectest.Case{spectest.Skips("attach_limit", verdict.ByEnvironment)},
	},
	"no room for the volumes of the limit": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.VolumeBytes = 1 << 27 }},
		Cases:  []spectest.Case{spectest.Skips("attach_limit", verdict.ByEnvironment)},
	},
	"ignores readonly, where nodes mount": {
		Driver: spectest.Driver{Fault: faults["ignores readonly"], Target: spectest.Mounting(false)},
		Cases:  []spectest.Case{spectest.Fails("attach_read_only_protects", "CP-14")},
		Wide:   true,
	},
	"nodes that mount what is attached read-only": {
		Driver: spectest.Driver{Target: spectest.Mounting(true)},
		Cases:  []spectest.Case{spectest.Passes("attach_read_only_protects")},
	},
	"NOT_FOUND where OK should be": {
		Driver: spectest.Driver{Fault: refusesUnknown(codes.NotFound)},
		Cases:  []spectest.Case{spectest.Passes(ofOneNode + " " + ofTwoNodes + " attach_out_of_reach detach_out_of_reach attach_limit")},
	},
	"deletes in the background for longer than cases wait": {
		Driver: spectest.Driver{Fault: deletesLate(), Focus: "attach_unknown_volume|validate_unknown_volume"},
		Cases:  []spectest.Case{spectest.Errs("attach_unknown_volume validate_unknown_volume")},
	},
	"another access mode is compatible": {
		Driver: spectest.Driver{Fault: publishesIn(codes.AlreadyExists)},
		Cases: []spectest.Case{
			spectest.Passes("attach_again_other_mode"),
			spectest.Fails("attach_read_only attach_again_read_only", "CP-33"),
		},
	},
}

// deletesLate makes a driver that deletes a volume when it is asked again, and lists it until then.
func deletesLate() spectest.Fault {
	asked := map[string]bool{}
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		if !asked[r.GetVolumeId()] {
			asked[r.GetVolumeId()] = true
			return &csi.DeleteVolumeResponse{}, nil
		}
		return right.DeleteVolume(ctx, r)
	})
}
