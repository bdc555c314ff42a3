// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"os"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

const (
	ofNode = "node_grow_online node_grow_again node_grow_cut_short node_grow_to_smaller node_grow_block " +
		"node_grow_no_range node_grow_no_staging_path node_grow_no_capability node_grow_long_paths node_grow_keeps_data node_grow_block_keeps_data"
	// looking lists the cases that check whether the volume has grown on the node.
	eachPath = "node_grow_each_path node_grow_block_each_path"
	looking  = "node_grow_staged node_grow_online node_grow_again node_grow_cut_short node_grow_block node_grow_no_staging_path node_grow_no_capability"
	notThere = "node_grow_unknown_volume node_grow_not_on_node"
)

// nodeFaults returns drivers with one fault each on nodes.
func nodeFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"knows no staging paths": mutation.Wrong(
			mutation.RefusingSome(codes.NotFound, "the volume is not published there", func(r *nodeExpandRequest) bool {
				return r.GetVolumePath() == r.GetStagingTargetPath()
			}), mutation.Fails("node_grow_staged", "NE-01")),
		"knows no target paths": mutation.Wide(
			mutation.RefusingSome(codes.NotFound, "the volume is not staged there", func(r *nodeExpandRequest) bool {
				return r.GetStagingTargetPath() != "" && r.GetVolumePath() != r.GetStagingTargetPath()
			}), mutation.Fails("node_grow_online node_grow_again node_grow_to_smaller", "NE-01"),
			mutation.Fails("node_grow_cut_short", "NE-02")),
		"knows the last target path only":                                    mutation.Wrong(nodeKnowsLast(), mutation.Fails(eachPath, "NE-01")),
		"keeps the size at a target path until the volume is expanded there": mutation.Wrong(nodeKeepsSizes(), mutation.Fails(eachPath, "NV-03")),
		"answers with the old size": mutation.Wide(mutation.Answering(func(_ *nodeExpandRequest, response *nodeExpandResponse) {
			response.CapacityBytes = size
		}), mutation.Fails("node_grow_staged node_grow_online node_grow_block", "CR-03")),
		"says no size": mutation.Wrong(
			mutation.Answering(func(_ *nodeExpandRequest, response *nodeExpandResponse) { response.CapacityBytes = 0 }), mutation.Passes(ofNode+" node_grow_staged")),
		"says OK, and does nothing": mutation.Wrong(
			mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
				small, err := right.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: r.GetVolumeId(), VolumePath: r.GetVolumePath()})
				if err != nil || small.GetUsage()[0].GetTotal() >= r.GetCapacityRange().GetRequiredBytes() {
					return right.NodeExpandVolume(ctx, r)
				}
				return &nodeExpandResponse{}, nil
			}), mutation.Fails("node_grow_limit", "CR-03"), mutation.Warns("node_grow_invalid_range", "CR-05"),
			mutation.Warns("node_grow_as_block node_grow_unsupported_capability", "NE-25"), mutation.Fails(looking, "CR-03"),
			mutation.Warns("node_grow_beyond_volume", "CR-03")).Seen("csi-driver-host-path v1.18.0"),
		"cannot grow in use": mutation.Wrong(refusesInUse(codes.FailedPrecondition, "the file system does not grow while it is mounted"),
			mutation.Warns("node_grow_limit", "NE-04"),
			mutation.Warns(ofNode+" node_grow_staged node_grow_longest_paths "+eachPath, "NE-04")),
		"cannot grow in use, and says INTERNAL": mutation.Wide(
			refusesInUse(codes.Internal, "the file system does not grow while it is mounted"),
			mutation.Fails("node_grow_online node_grow_again node_grow_to_smaller node_grow_block node_grow_no_range node_grow_no_staging_path node_grow_no_capability node_grow_long_paths node_grow_keeps_data node_grow_block_keeps_data", "NE-01"),
			mutation.Fails("node_grow_staged", "NE-01"), mutation.Fails("node_grow_cut_short", "NE-02")),
		"refuses to grow in use without a message": mutation.Wide(
			refusesInUse(codes.FailedPrecondition, ""), mutation.Fails(ofNode+" node_grow_staged", "GEN-15")),
		"a repeated growth is an error": mutation.Wrong(nodeRefusesRepeats(),
			mutation.Warns("node_grow_invalid_range", "GEN-12"), mutation.Fails(eachPath, "NE-01"),
			mutation.Fails("node_grow_again node_grow_cut_short", "NE-02")),
		"a repeated growth is an error, nodes alone grow volumes, and capacity is not exact": mutation.ExpectWide(mutation.Driver{
			Target: func(t *harness.Target) { t.Profile.Capacity = profile.AtLeast },
			Fault:  nodeGrowsOnce().Over(mutation.Lacking(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)),
		}, mutation.Fails("node_grow_again node_grow_cut_short", "NE-02")),
		"formats the volume again": mutation.Wrong(
			mutation.Ending(func(r *nodeExpandRequest, response *nodeExpandResponse, err error) (*nodeExpandResponse, error) {
				if err != nil {
					return nil, err
				}
				if r.GetVolumeCapability().GetBlock() != nil {
					return response, os.Truncate(r.GetVolumePath(), 0)
				}
				return response, mutation.RemoveFiles(r.GetVolumePath())
			}), mutation.Fails("node_grow_keeps_data node_grow_block_keeps_data", "NE-01")),
		"is stuck once a call was cut short": mutation.Wrong(nodeIsStuck(), mutation.Fails("node_grow_cut_short", "NE-02")),
		"is stuck once a call was cut short, and grows volumes on nodes alone": mutation.Wide(
			nodeIsStuck().Over(mutation.Lacking(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)), mutation.Fails("node_grow_cut_short", "NE-02")),
		"remembers that it has grown a volume": mutation.Wrong(nodeGrewBefore(),
			mutation.Fails("node_grow_again node_grow_block", "CR-03")),
		"answers another size again": mutation.Wrong(
			mutation.Again((*nodeExpandRequest).GetVolumeId, mutation.Answering(func(_ *nodeExpandRequest, response *nodeExpandResponse) { response.CapacityBytes++ })), mutation.Warns("node_grow_again", "NE-02")),
		"shrinks": mutation.Wrong(
			mutation.Ending(func(r *nodeExpandRequest, response *nodeExpandResponse, err error) (*nodeExpandResponse, error) {
				if required := r.GetCapacityRange().GetRequiredBytes(); err == nil && required > 0 {
					response.CapacityBytes = required
				}
				return response, err
			}), mutation.Warns("node_grow_to_smaller", "NE-24")),
		"shrinks, and says nothing": mutation.Wrong(nodeShrinks(), mutation.Fails("node_grow_to_smaller", "NE-01")),
		"a smaller size is out of range": mutation.Wrong(
			mutation.RefusingSome(codes.OutOfRange, "a volume does not shrink", func(r *nodeExpandRequest) bool {
				return r.GetCapacityRange().GetRequiredBytes() == size
			}), mutation.Warns("node_grow_to_smaller", "NE-03")),
		"needs capacity_range": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "capacity_range is missing", func(r *nodeExpandRequest) bool {
				return r.GetCapacityRange() == nil
			}), mutation.Warns("node_grow_no_range", "NE-16")),
		"takes no limit_bytes": mutation.Wrong(
			mutation.RefusingSome(codes.OutOfRange, "the size is not that of the limit", func(r *nodeExpandRequest) bool {
				return r.GetCapacityRange().GetLimitBytes() > 0
			}), mutation.Warns("node_grow_limit", "NE-28")),
		"needs staging_target_path": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "staging_target_path is missing", func(r *nodeExpandRequest) bool {
				return r.GetStagingTargetPath() == ""
			}), mutation.Warns("node_grow_no_staging_path", "NE-18")),
		"needs volume_capability": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "volume_capability is missing", func(r *nodeExpandRequest) bool {
				return r.GetVolumeCapability() == nil
			}), mutation.Warns("node_grow_no_capability", "NE-22")),
		"ignores volume_capability": mutation.Wrong(mutation.Asking(func(r *nodeExpandRequest) { r.VolumeCapability = nil }),
			mutation.Warns("node_grow_as_block node_grow_unsupported_capability", "NE-25")),
		"ignores volume_capability, and validates nothing": mutation.Wrong(
			mutation.Asking(func(r *nodeExpandRequest) { r.VolumeCapability = nil }).And(
				mutation.RefusingAll[*csi.ValidateVolumeCapabilitiesRequest](codes.NotFound, "there is no such volume")),
			mutation.Warns("node_grow_as_block node_grow_unsupported_capability", "NE-25")),
		"takes no paths of 128 bytes": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "a path is too long", func(r *nodeExpandRequest) bool {
				return len(r.GetVolumePath()) >= 128
			}), mutation.Fails("node_grow_long_paths", "NE-13"), mutation.Warns("node_grow_longest_paths", "NE-12")),
		"takes no paths of 256 bytes": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "a path is too long", func(r *nodeExpandRequest) bool {
				return len(r.GetVolumePath()) > 255
			}), mutation.Warns("node_grow_longest_paths", "NE-12")),
		"does not grow block volumes": mutation.Wrong(
			mutation.RefusingSome(codes.Internal, "resize2fs: bad magic number", func(r *nodeExpandRequest) bool {
				return r.GetVolumeCapability().GetBlock() != nil
			}), mutation.Fails("node_grow_block node_grow_block_keeps_data node_grow_block_each_path", "NE-01")),
		"OK to what is invalid": mutation.Wrong(mutation.InsteadOf(codes.InvalidArgument, nodeAgree),
			mutation.Warns("node_grow_as_block node_grow_unsupported_capability", "NE-25"),
			mutation.Warns("node_grow_invalid_range", "CR-02 CR-04 CR-05 CR-06")),
		"INTERNAL to what is invalid": mutation.Wrong(mutation.Recoding[*nodeExpandRequest](codes.InvalidArgument, codes.Internal),
			mutation.Warns("node_grow_invalid_range", "GEN-12"), mutation.Fails("node_grow_unsupported_capability", "NE-25")),
		"OK for a volume that is not on the node": mutation.Wrong(mutation.InsteadOf(codes.NotFound, nodeAgree),
			mutation.Warns("node_grow_not_on_node_no_fields node_grow_not_on_node", "NE-04"),
			mutation.Warns("node_grow_unknown_volume", "NE-26")),
		"INTERNAL for a volume that is not on the node": mutation.Wrong(
			mutation.Recoding[*nodeExpandRequest](codes.NotFound, codes.Internal), mutation.Warns("node_grow_unknown_volume", "NE-26")),
		"a plain error for a volume that is not on the node": mutation.Wrong(
			mutation.Recoding[*nodeExpandRequest](codes.NotFound, codes.Unknown),
			mutation.Warns("node_grow_not_on_node_no_fields node_grow_not_on_node", "GEN-09"),
			mutation.Warns("node_grow_unknown_volume", "GEN-09 NE-26")),
		"OK to more than the volume has": mutation.Wrong(mutation.InsteadOf(codes.OutOfRange, nodeAgree),
			mutation.Warns("node_grow_limit_below_size", "CR-05"), mutation.Warns("node_grow_beyond_volume", "CR-03")),
		"INTERNAL to more than the volume has": mutation.Wrong(mutation.Recoding[*nodeExpandRequest](codes.OutOfRange, codes.Internal),
			mutation.Passes("node_grow_beyond_volume")),
		"UNAVAILABLE to more than the volume has": mutation.Wrong(
			mutation.Recoding[*nodeExpandRequest](codes.OutOfRange, codes.Unavailable), mutation.Passes("node_grow_beyond_volume node_grow_limit_below_size")),
	}
}

// refusesInUse makes a driver that performs a growth, and then answers with the code.
func refusesInUse(code codes.Code, message string) mutation.Fault {
	return mutation.InsteadOf(codes.OK, func(context.Context, mutation.Right, *nodeExpandRequest, error) (*nodeExpandResponse, error) {
		return nil, status.Error(code, message)
	})
}

// nodeRefusesRepeats makes a driver that answers INTERNAL to a repeated growth of a volume, regardless of its first answer.
func nodeRefusesRepeats() mutation.Fault {
	var seen sync.Map
	return mutation.RefusingSome(codes.Internal, "the volume has that size", func(r *nodeExpandRequest) bool {
		_, again := seen.LoadOrStore(r.GetVolumeId(), true)
		return again && r.GetCapacityRange().GetRequiredBytes() == grown
	})
}

// nodeGrowsOnce makes a driver that answers OK to the first growth of a volume, and INTERNAL from then on. A call that is
// given up has no effect.
func nodeGrowsOnce() mutation.Fault {
	var seen, given sync.Map
	return mutation.On(func(ctx context.Context, _ mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		if cutShort(ctx, &given, r.GetVolumeId()) && ctx.Err() != nil {
			return nil, status.FromContextError(ctx.Err()).Err()
		}
		if _, again := seen.LoadOrStore(r.GetVolumeId(), true); again {
			return nil, status.Error(codes.Internal, "the volume has that size")
		}
		return &nodeExpandResponse{CapacityBytes: r.GetCapacityRange().GetRequiredBytes()}, nil
	})
}

// nodeIsStuck makes a driver that answers INTERNAL for a volume once a call for it was given up.
func nodeIsStuck() mutation.Fault {
	var stuck sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		if cutShort(ctx, &stuck, r.GetVolumeId()) {
			return nil, status.Error(codes.Internal, "the volume is being resized")
		}
		return right.NodeExpandVolume(ctx, r)
	})
}

func nodeGrewBefore() mutation.Fault {
	var done sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *nodeExpandRequest) (*nodeExpandResponse, error) {
		if _, grew := done.Load(r.GetVolumePath()); grew {
			return &nodeExpandResponse{}, nil
		}
		response, err := right.NodeExpandVolume(ctx, r)
		if err == nil {
			done.Store(r.GetVolumePath(), true)
		}
		return response, err
	})
}

func nodeKnowsLast() mutation.Fault {
	var last sync.Map
	return mutation.OnOK(func(r *csi.NodePublishVolumeRequest) { last.Store(r.GetVolumeId(), r.GetTargetPath()) }).
		And(mutation.RefusingSome(codes.NotFound, "the volume is not at volume_path", func(r *nodeExpandRequest) bool {
			path, published := last.Load(r.GetVolumeId())
			return published && path != r.GetVolumePath() && r.GetVolumePath() != r.GetStagingTargetPath()
		}))
}

func nodeKeepsSizes() mutation.Fault {
	var kept sync.Map // sizes by path
	return mutation.Answering(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
		total, _ := kept.LoadOrStore(r.GetVolumePath(), response.GetUsage()[0].GetTotal())
		response.GetUsage()[0].Total = total.(int64)
	}).And(mutation.OnOK(func(r *nodeExpandRequest) { kept.Delete(r.GetVolumePath()) }))
}

// nodeShrinks makes a driver that reports the last required size as the size of the file system.
func nodeShrinks() mutation.Fault {
	var last sync.Map
	return mutation.Answering(func(r *nodeExpandRequest, response *nodeExpandResponse) {
		last.Store(r.GetVolumeId(), r.GetCapacityRange().GetRequiredBytes())
		response.CapacityBytes = 0
	}).And(mutation.Answering(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse) {
		if bytes, found := last.Load(r.GetVolumeId()); found {
			response.GetUsage()[0].Total = bytes.(int64)
		}
	}))
}
