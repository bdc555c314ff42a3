// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"os"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// faults returns drivers that are wrong in one way each.
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"a node has no node_id": mutation.Wrong(onNode4(func(r *csi.NodeGetInfoResponse) { r.NodeId = "" }),
			mutation.Fails("node_id_set", "NI-06"), mutation.Fails("node_uses_volumes", "NI-02")),
		"a node has a node_id of 257 bytes": mutation.Wrong(
			onNode4(func(r *csi.NodeGetInfoResponse) { r.NodeId = strings.Repeat("n", 257) }),
			mutation.Fails("node_id_set", "NI-09"), mutation.Fails("node_uses_volumes", "NI-02")),
		"a node has a node_id of 129 bytes": mutation.Wrong(
			onNode4(func(r *csi.NodeGetInfoResponse) { r.NodeId = strings.Repeat("n", 129) }),
			mutation.Warns("node_id_set", "NI-10"), mutation.Fails("node_uses_volumes", "NI-02")),
		"two nodes have one node_id": mutation.Wrong(onNode4(func(r *csi.NodeGetInfoResponse) { r.NodeId = "node-3" }),
			mutation.Fails("node_id_unique", "NI-07"), mutation.Fails("node_uses_volumes", "NI-02")),
		"max_volumes_per_node changes": mutation.Wrong(changingLimit(), mutation.Warns("node_info_again", "NI-05")).Seen("csi-driver-host-path"),
		"max_volumes_per_node is negative": mutation.Wrong(onNode4(func(r *csi.NodeGetInfoResponse) { r.MaxVolumesPerNode = -1 }),
			mutation.Fails("node_limit node_uses_volumes", "NI-12")),
		"max_volumes_per_node is less by each volume that the node has": mutation.Wide(countsDown(), mutation.Fails("node_uses_volumes", "NI-12")),
		"does not claim the topology it has": mutation.Wide(
			mutation.Unclaimed(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS),
			mutation.Fails("node_topology_claimed", "NI-14")),
		"a node reports its region only": mutation.Wide(onNode4(withoutZone), mutation.Warns("node_topology_same_keys", "NI-18")),
		"a node cannot stage":            mutation.Wrong(cannotStage("node-3"), mutation.Fails("node_uses_volumes", "NS-01")),
		"stages on nodes out of reach": mutation.Wrong(
			mutation.Where(func(r *stageRequest) bool { return !isUnheardOf(r.GetVolumeCapability()) },
				mutation.Recoding[*stageRequest](codes.FailedPrecondition, codes.OK)),
			mutation.Warns("node_out_of_reach", "NS-01")),
		"claims storage health without it": mutation.Wrong(mutation.Unimplemented("NodeGetStorageHealth"),
			mutation.Fails("health_of_storage", "GEN-14")),
		"takes a repetition for another path": mutation.Wrong(once(codes.AlreadyExists, (*stageRequest).GetStagingTargetPath).
			And(once(codes.AlreadyExists, (*publishRequest).GetTargetPath)), mutation.Fails("stage_again", "NS-04"),
			mutation.Fails("publish_again publish_read_only publish_again_read_only "+secondReaders, "NS-13"),
			mutation.Fails("publish_block_target", "NS-16")),
		"stages a device over a file system": mutation.Wrong(mutation.Recoding[*stageRequest](codes.AlreadyExists, codes.OK),
			mutation.Warns("stage_again_as_block stage_published_as_block", "NS-05")),
		"stages what does not exist": mutation.Wrong(mutation.Recoding[*stageRequest](codes.NotFound, codes.OK),
			mutation.Warns("stage_unknown_volume", "NS-22")),
		"stages in any access mode": mutation.Wrong(
			mutation.Where(func(r *stageRequest) bool { return isUnheardOf(r.GetVolumeCapability()) },
				mutation.Recoding[*stageRequest](codes.FailedPrecondition, codes.OK)),
			mutation.Warns("stage_unknown_mode", "NS-23")),
		"does not unstage": mutation.Wrong(mutation.Instead(func(*unstageRequest) *unstageResponse { return &unstageResponse{} }), mutation.Fails("unstage_undoes_stage unstage_leaves_neighbour", "NS-06")),
		"NOT_FOUND for a volume that is already unstaged or unpublished": mutation.Wrong(
			once(codes.NotFound, (*unstageRequest).GetStagingTargetPath).
				And(once(codes.NotFound, (*unpublishRequest).GetTargetPath)), mutation.Fails("unstage_again", "NS-09"),
			mutation.Fails("unpublish_again publish_block_target", "NS-16")).Seen("scaleway-csi v0.3.6"),
		"INTERNAL for unstaging a volume that is not staged": mutation.Wrong(
			mutation.Recoding[*unstageRequest](codes.NotFound, codes.Internal),
			mutation.Fails("unstage_unknown_volume", "NS-10")),
		"makes no target": mutation.Wrong(mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
			if err == nil {
				err = os.Remove(r.GetTargetPath())
			}
			return response, err
		}),
			mutation.Fails("publish_makes_target publish_read_only_protects publish_keeps_data "+neighbours+" "+secondReaders, "NS-20"),
			mutation.Fails("publish_block_target publish_block_keeps_data", "NS-19")),
		"mounts nothing": mutation.Wrong(mountsNothing(), mutation.Fails("publish_keeps_data", "NS-20"),
			mutation.Fails("publish_block_keeps_data", "NS-19"), mutation.Errs("unstage_leaves_neighbour")),
		"a directory for a device": mutation.Wrong(placesDirectory(),
			mutation.Fails("publish_block_target publish_block_keeps_data", "NS-19")),
		"leaves the target, and has Identity and Node alone": mutation.ExpectWide(mutation.NodeAlone(mutation.Driver{Fault: leavesTarget()}),
			mutation.Fails("publish_makes_target", "NS-29")),
		"leaves the target": mutation.Wrong(leavesTarget(),
			mutation.Fails("publish_makes_target publish_block_target unpublish_leaves_neighbour long_paths_differ "+secondReaders, "NS-29")),
		"the health of a volume that is not published names no volume": mutation.Wrong(namesPublished(), mutation.Fails("health_of_volume unpublish_leaves_neighbour", "GEN-05")),
		"leaves a target that is read-only":                            mutation.Wrong(leavesReadOnlyTarget(), mutation.Fails(secondReaders, "NS-29")),
		"ignores readonly":                                             mutation.Wrong(ignoresReadOnly(), mutation.Warns("publish_read_only publish_again_read_only publish_block_target "+secondReaders, "NS-25")),
		"INTERNAL for an incompatible request": mutation.Wrong(mutation.Recoding[*publishRequest](codes.AlreadyExists, codes.Internal),
			mutation.Fails("publish_read_only publish_again_read_only publish_again_as_block publish_block_target "+secondReaders, "NS-25")),
		"INTERNAL for a volume that is staged in another way": mutation.Wrong(
			mutation.Recoding[*stageRequest](codes.AlreadyExists, codes.Internal),
			mutation.Fails("stage_again_other_mount stage_again_as_block stage_published_as_block", "NS-05")),
		"publishes at no path of 128 bytes": mutation.Wrong(pathsUpTo(127), mutation.Fails("long_paths", "NS-18"), mutation.Warns("longest_paths", "NS-32")),
		"publishes at no path of 512 bytes": mutation.Wrong(pathsUpTo(511), mutation.Warns("longest_paths", "NS-32")),
		"knows no health at a path of 128 bytes": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "volume_publish_path is too long", func(r *csi.NodeGetVolumeHealthRequest) bool { return len(r.GetVolumePublishPath()) > 127 }),
			mutation.Fails("long_paths", "NV-08"), mutation.Warns("longest_paths", "NS-32")),
		"no longer supports SINGLE_NODE_WRITER": mutation.Wide(mutation.RefusingSome(codes.InvalidArgument, "say how many write", func(r *publishRequest) bool {
			return r.GetVolumeCapability().GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
		}), mutation.Fails("publish_single_node_writer", "NS-31")),
		"has no VOLUME_MOUNT_GROUP that it claims": mutation.Wrong(mountGroup().And(mutation.RefusingSome(codes.InvalidArgument, "volume_mount_group is not supported", func(r *publishRequest) bool {
			return r.GetVolumeCapability().GetMount().GetVolumeMountGroup() != ""
		})), mutation.Fails("publish_mount_group", "NS-30")),
		"publishes at any number of paths": mutation.Wrong(
			passing(codes.OK, func(s *states, r *publishRequest) bool { return s.isElsewhere(r) }),
			mutation.Warns("publish_second_target_other_mode publish_other_capability", "NS-27"),
			mutation.Warns("publish_second_target publish_second_target_single_writer", "NS-14"),
			mutation.Fails("long_paths_differ", "NS-20")),
		"publishes otherwise than it staged": mutation.Wrong(
			passing(codes.OK, func(s *states, r *publishRequest) bool { return s.isStagedOtherwise(r) }),
			mutation.Warns("publish_staged_as_mount publish_staged_for_reading publish_after_refused_staging publish_other_file_system", "NS-26")),
		"publishes as another file system than it staged": mutation.Wrong(
			passing(codes.OK, func(s *states, r *publishRequest) bool { return s.hasOtherFileSystem(r) }),
			mutation.Warns("publish_other_file_system", "NS-26")),
		"forgets how a volume is staged when it refuses to": mutation.Wrong(forgetsStaging(),
			mutation.Warns("publish_after_refused_staging", "NS-26")),
		"publishes at one path only, in any access mode": mutation.Wrong(onePath(),
			mutation.Warns("publish_second_target_multi_writer publish_second_target_multi_node", "NS-14")),
		"INVALID_ARGUMENT for no staging path": mutation.Wrong(
			mutation.Where(func(r *publishRequest) bool { return r.GetStagingTargetPath() == "" },
				mutation.Recoding[*publishRequest](codes.FailedPrecondition, codes.InvalidArgument)),
			mutation.Warns("publish_without_staging", "NS-15")),
		"needs no staging path where it has published": mutation.Wrong(
			passing(codes.OK, func(s *states, r *publishRequest) bool {
				return r.GetStagingTargetPath() == "" && s.published[at{r.GetVolumeId(), r.GetTargetPath()}]
			}), mutation.Warns("publish_without_staging", "NS-15")),
		"publishes what is not staged": mutation.Wrong(
			passing(codes.OK, func(s *states, r *publishRequest) bool { return s.isNotStaged(r) }),
			mutation.Warns("publish_before_stage", "NS-15")),
		"UNKNOWN for a volume that is not staged": mutation.Wrong(
			passing(codes.Unknown, func(s *states, r *publishRequest) bool { return s.isNotStaged(r) }),
			mutation.Warns("publish_before_stage", "GEN-09")),
		"publishes what does not exist": mutation.Wrong(mutation.Recoding[*publishRequest](codes.NotFound, codes.OK),
			mutation.Warns("publish_unknown_volume", "NS-24")),
		"publishes in any access mode": mutation.Wrong(
			mutation.Where(func(r *publishRequest) bool { return isUnheardOf(r.GetVolumeCapability()) },
				mutation.Recoding[*publishRequest](codes.FailedPrecondition, codes.OK)),
			mutation.Warns("publish_unknown_mode", "NS-26")),
		"keeps a volume at its first path": mutation.Wrong(atFirstPath(map[string]string{}, func(r *publishRequest) bool {
			return r.GetVolumeCapability().GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
		}), mutation.Fails("unpublish_frees_volume", "NS-16"), mutation.Fails("publish_read_only", "NS-13"),
			mutation.Fails("publish_read_only_protects", "NS-21"),
			mutation.Fails("publish_keeps_data publish_block_keeps_data", "NS-16"), mutation.Errs("unstage_leaves_neighbour")),
		"mounts a volume each time that it is published": mutation.Wrong(
			stacks((*publishRequest).GetTargetPath, (*unpublishRequest).GetTargetPath),
			mutation.Fails("publish_again publish_block_target "+secondReaders, "NS-16"),
			mutation.Passes("publish_read_only publish_again_read_only")),
		"mounts a volume each time that it is staged": mutation.Wrong(
			stacks((*stageRequest).GetStagingTargetPath, (*unstageRequest).GetStagingTargetPath),
			mutation.Fails("stage_again", "NS-06")),
		"INTERNAL for unpublishing a volume that is not published": mutation.Wrong(
			mutation.Recoding[*unpublishRequest](codes.NotFound, codes.Internal),
			mutation.Fails("unpublish_unknown_volume", "NS-28")),
		"more is used than there is": mutation.Wrong(usageOf(func(u *csi.VolumeUsage) { u.Used = u.GetTotal() + 1 }),
			mutation.Warns("stats_usage stats_block", "NV-03")),
		"less than nothing is available": mutation.Wrong(usageOf(func(u *csi.VolumeUsage) { u.Available = -1 }),
			mutation.Fails("stats_usage stats_block", "NV-03")),
		"usage has no unit": mutation.Wrong(usageOf(func(u *csi.VolumeUsage) { u.Unit = csi.VolumeUsage_UNKNOWN }),
			mutation.Fails("stats_usage stats_block", "NV-03")),
		"usage has no total": mutation.Wrong(usageOf(func(u *csi.VolumeUsage) { u.Total, u.Used, u.Available = 0, 0, 0 }),
			mutation.Fails("stats_usage stats_block", "NV-03")),
		"no stats where the volume is staged": mutation.Wrong(mutation.RefusingSome(codes.NotFound, "there is no volume at the path", func(r *csi.NodeGetVolumeStatsRequest) bool {
			return r.GetVolumePath() == r.GetStagingTargetPath()
		}), mutation.Warns("stats_usage", "NV-02"), mutation.Skips("unstage_undoes_stage", suite.ByCapability)),
		"INTERNAL for stats of a volume that does not exist": mutation.Wrong(
			mutation.Recoding[*csi.NodeGetVolumeStatsRequest](codes.NotFound, codes.Internal),
			mutation.Fails("stats_unknown_path stats_unknown_volume stats_of_another_volume", "NV-04")),
		"remembers the stats of volumes": mutation.Wrong(
			mutation.Where(func(r *csi.NodeGetVolumeStatsRequest) bool { return r.GetVolumePath() != "" },
				mutation.RememberingInsteadOf(codes.NotFound, (*csi.NodeGetVolumeStatsRequest).GetVolumeId)),
			mutation.Fails("stats_unknown_path", "NV-04"), mutation.Warns("stats_of_another_volume", "NV-04")),
		"stats of any directory": mutation.Wrong(mutation.Ending(func(r *csi.NodeGetVolumeStatsRequest, response *csi.NodeGetVolumeStatsResponse, err error) (*csi.NodeGetVolumeStatsResponse, error) {
			if _, absent := os.Stat(r.GetVolumePath()); status.Code(err) == codes.NotFound && absent == nil {
				return &csi.NodeGetVolumeStatsResponse{Usage: []*csi.VolumeUsage{{Unit: csi.VolumeUsage_BYTES, Total: 1, Available: 1}}}, nil
			}
			return response, err
		}), mutation.Warns("stats_unknown_path stats_of_another_volume", "NV-04"),
			mutation.Skips("unstage_undoes_stage", suite.ByCapability)).Seen("cinder-csi-plugin c453fb7c9"),
		"health of no volume": mutation.Wrong(
			mutation.Answering(func(_ *csi.NodeGetVolumeHealthRequest, r *csi.NodeGetVolumeHealthResponse) { r.VolumeHealth = nil }),
			mutation.Fails("health_of_volume unpublish_leaves_neighbour", "GEN-05")),
		"the same problem of a volume twice": mutation.Wrong(mutation.Answering(func(_ *csi.NodeGetVolumeHealthRequest, r *csi.NodeGetVolumeHealthResponse) {
			sick := &csi.VolumeHealth_VolumeHealthEntry{Status: csi.VolumeHealthErrorType_DEGRADED, Reason: "Slow"}
			r.VolumeHealth.HealthStatuses = []*csi.VolumeHealth_VolumeHealthEntry{sick, sick}
		}), mutation.Fails("health_of_volume", "VH-09")),
		"the same problem of storage twice": mutation.Wrong(mutation.Answering(func(_ *csi.NodeGetStorageHealthRequest, r *csi.NodeGetStorageHealthResponse) {
			slow := &csi.NodeGetStorageHealthResponse_StorageBackendHealth{Status: csi.StorageHealthErrorType_STORAGE_DEGRADED, Reason: "Slow"}
			r.BackendHealth = []*csi.NodeGetStorageHealthResponse_StorageBackendHealth{slow, slow}
		}), mutation.Fails("health_of_storage", "NV-07")),
		"different problems of storage": mutation.Wrong(mutation.Answering(func(_ *csi.NodeGetStorageHealthRequest, r *csi.NodeGetStorageHealthResponse) {
			for _, mode := range []csi.VolumeCapability_AccessMode_Mode{csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER, csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER} {
				r.BackendHealth = append(r.BackendHealth, &csi.NodeGetStorageHealthResponse_StorageBackendHealth{
					Status: csi.StorageHealthErrorType_STORAGE_DEGRADED, Reason: "Slow",
					VolumeCapability: &csi.VolumeCapability{AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode}},
				})
			}
		}), mutation.Passes("health_of_storage")),
		"health of what does not exist": mutation.Wrong(mutation.Recoding[*csi.NodeGetVolumeHealthRequest](codes.NotFound, codes.OK),
			mutation.Fails("health_unknown_volume", "NV-06")),
		"a problem of storage without a reason": mutation.Wrong(mutation.Answering(func(_ *csi.NodeGetStorageHealthRequest, r *csi.NodeGetStorageHealthResponse) {
			r.BackendHealth = []*csi.NodeGetStorageHealthResponse_StorageBackendHealth{{Status: csi.StorageHealthErrorType_STORAGE_DEGRADED}}
		}), mutation.Fails("health_of_storage", "GEN-05")),
	}
}

func withoutZone(r *csi.NodeGetInfoResponse) {
	delete(r.GetAccessibleTopology().GetSegments(), topology.ZoneKey)
}

func changingLimit() mutation.Fault {
	var count int64
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, r *csi.NodeGetInfoResponse) {
		count++
		r.MaxVolumesPerNode += count
	})
}

// countsDown makes a driver without a limit of volumes that reports the negative number of published volumes.
func countsDown() mutation.Fault {
	var published int64
	return mutation.OnOK(func(*publishRequest) { published++ }).And(mutation.OnOK(func(*unpublishRequest) { published-- })).
		And(mutation.Answering(func(_ *csi.NodeGetInfoRequest, r *csi.NodeGetInfoResponse) { r.MaxVolumesPerNode = -published }))
}

func cannotStage(nodeID string) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *stageRequest) (*stageResponse, error) {
		if this, err := right.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}); err != nil || this.GetNodeId() == nodeID {
			return nil, status.Error(codes.Internal, "mkfs: not found")
		}
		return right.NodeStageVolume(ctx, r)
	})
}

func pathsUpTo(longest int) mutation.Fault {
	return mutation.RefusingSome(codes.InvalidArgument, "target_path is too long", func(r *publishRequest) bool { return len(r.GetTargetPath()) > longest })
}

// mountGroup makes a driver that claims VOLUME_MOUNT_GROUP, and accepts every group.
func mountGroup() mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetCapabilitiesRequest, r *csi.NodeGetCapabilitiesResponse) {
		r.Capabilities = append(r.Capabilities, &csi.NodeServiceCapability{
			Type: &csi.NodeServiceCapability_Rpc{Rpc: &csi.NodeServiceCapability_RPC{Type: csi.NodeServiceCapability_RPC_VOLUME_MOUNT_GROUP}},
		})
	}).Over(ungrouped())
}

// ungrouped returns a driver whose calls have no volume_mount_group.
func ungrouped() mutation.Fault {
	return mutation.AskingCapabilities(func(capability *csi.VolumeCapability) {
		if mount := capability.GetMount(); mount != nil {
			mount.VolumeMountGroup = ""
		}
	})
}
