// SPDX-License-Identifier: Apache-2.0

// Package attach has drivers that attach and detach volumes wrongly, or confirm capabilities wrongly, and correct drivers
// that lack something.
package attach

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(faultsAtOnce(), mutation.Serially(mutation.Union(lacks(), faults(), detachFaults(), confirmationFaults())))
}

type (
	publishRequest    = csi.ControllerPublishVolumeRequest
	publishResponse   = csi.ControllerPublishVolumeResponse
	unpublishRequest  = csi.ControllerUnpublishVolumeRequest
	unpublishResponse = csi.ControllerUnpublishVolumeResponse
	question          = csi.ValidateVolumeCapabilitiesRequest
	answer            = csi.ValidateVolumeCapabilitiesResponse
)

// placed is a volume on a node.
type placed struct{ volume, node string }

// limitOf makes a driver whose nodes report that they take the given number of volumes.
func limitOf(volumes int64) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		response.MaxVolumesPerNode = volumes
	})
}

// onNodes tracks the nodes of volumes, and refuses calls based on that.
func onNodes(publish, unpublish func(on map[placed]bool, p placed) error) mutation.Fault {
	on := map[placed]bool{}
	return mutation.Checking(func(r *publishRequest) error { return publish(on, placed{r.GetVolumeId(), r.GetNodeId()}) }).
		Over(mutation.OnOK(func(r *publishRequest) { on[placed{r.GetVolumeId(), r.GetNodeId()}] = true })).
		And(mutation.Checking(func(r *unpublishRequest) error {
			p := placed{r.GetVolumeId(), r.GetNodeId()}
			if err := unpublish(on, p); err != nil {
				return err
			}
			for other := range on {
				if other == p || p.node == "" && other.volume == p.volume {
					delete(on, other)
				}
			}
			return nil
		}))
}

func anyway(map[placed]bool, placed) error { return nil }

const (
	every = ofOneNode + " " + ofTwoNodes + " attach_out_of_reach detach_out_of_reach attach_limit " + ofReadOnly
	// ofReadOnly lists the cases that publish read-only, on one node.
	ofReadOnly = "attach_read_only attach_again_read_only attach_read_only_protects"
	ofOneNode  = "attach_every_node attach_same_node_again attach_again_other_mode attach_unknown_volume attach_unknown_node " +
		"attach_unknown_mode attach_without_context " +
		"detach_again detach_never_attached detach_unknown_volume detach_unknown_node detach_from_all detach_given_up"
	ofTwoNodes = ofMultiNode + " attach_second_node detach_other_node detach_then_other_node"
	// ofMultiNode lists the cases with a MULTI_NODE access mode.
	ofMultiNode = "attach_multi_writer attach_multi_writer_block attach_multi_reader attach_single_writer detach_one_of_two"
	validations = "validate_confirms validate_unknown_mode validate_unknown_volume"
)

func oneTopologyOnly(t *harness.Target) { t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1]) }

// lacks returns correct drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no capability PUBLISH_UNPUBLISH_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME,
			mutation.Skips(every, suite.ByCapability), mutation.Passes(validations)),
		"no capability PUBLISH_READONLY": mutation.Without(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY,
			mutation.Skips(ofReadOnly+" attach_single_writer", suite.ByCapability), mutation.Passes("attach_multi_reader")),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips(ofOneNode, suite.ByEnvironment), mutation.Skips(ofTwoNodes, suite.ByEnvironment),
			mutation.Passes(validations)),
		"no volumes of two topologies": mutation.Told(oneTopologyOnly, mutation.Skips(ofTwoNodes, suite.ByEnvironment)),
		"two nodes in a segment": mutation.Expect(mutation.Driver{Options: mutation.InZones("Z2", "Z2"), Target: oneTopologyOnly},
			mutation.Passes(ofTwoNodes), mutation.Skips("attach_out_of_reach detach_out_of_reach", suite.ByEnvironment)),
		"no topology": mutation.Expect(mutation.Driver{Options: mutation.InOneSegment, Fault: mutation.Lacking(mutation.Topology...), Target: oneTopologyOnly},
			mutation.Passes(ofOneNode+" "+ofTwoNodes+" attach_read_only attach_again_read_only attach_limit"),
			mutation.Skips("attach_out_of_reach detach_out_of_reach", suite.ByCapability)),
		"no node out of reach": mutation.Expect(mutation.Driver{Options: mutation.InZones("Z2", "Z2"), Target: func(t *harness.Target) {
			t.Profile.Segments = []map[string]string{{topology.RegionKey: "R1", topology.ZoneKey: "Z3"}}
			t.Profile.Capacity = profile.Untracked
		}}, mutation.Skips("attach_out_of_reach detach_out_of_reach", suite.ByEnvironment)),
		"no volumes for several nodes": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "no such access mode", func(r *csi.CreateVolumeRequest) bool {
				return r.GetVolumeCapabilities()[0].GetAccessMode().GetMode() != csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
			}), mutation.Skips(ofMultiNode, suite.ByCapability)),
		"raw block volumes for several nodes only": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "no such access mode for a file system", func(r *csi.CreateVolumeRequest) bool {
				first := r.GetVolumeCapabilities()[0]
				return first.GetBlock() == nil && first.GetAccessMode().GetMode() != csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
			}), mutation.Passes(ofMultiNode)),
		"no limit of volumes": mutation.Started(func(o *embedded.Options) { o.MaxVolumesPerNode = 0 },
			mutation.Skips("attach_limit", suite.ByEnvironment)),
		"a large limit of volumes": mutation.Started(func(o *embedded.Options) { o.MaxVolumesPerNode = 65 },
			mutation.Skips("attach_limit", suite.ByEnvironment)),
		"no room for the volumes of the limit": mutation.Told(func(t *harness.Target) { t.Profile.VolumeBytes = 1 << 27 },
			mutation.Skips("attach_limit", suite.ByEnvironment)),
		"ignores readonly, where nodes mount": mutation.ExpectWide(mutation.Driver{Fault: ignoresReadonly(), Target: mutation.Mounting(false)},
			mutation.Fails("attach_read_only_protects", "CP-14")),
		"nodes that mount what is attached read-only": mutation.Told(mutation.Mounting(true),
			mutation.Passes("attach_read_only_protects")),
		"NOT_FOUND where OK should be": mutation.Wrong(refusesUnknown(codes.NotFound),
			mutation.Passes(ofOneNode+" "+ofTwoNodes+" attach_out_of_reach detach_out_of_reach attach_limit")),
		"deletes in the background for longer than cases wait": mutation.Expect(mutation.Driver{Fault: mutation.DeletingLate(), Focus: "attach_unknown_volume|validate_unknown_volume"},
			mutation.Errs("attach_unknown_volume validate_unknown_volume")),
		"another access mode is compatible": mutation.Wrong(mutation.Recoding[*publishRequest](codes.AlreadyExists, codes.OK),
			mutation.Passes("attach_again_other_mode"), mutation.Fails("attach_read_only attach_again_read_only", "CP-33")),
	}
}
