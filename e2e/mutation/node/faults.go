// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faults are drivers that are wrong in one way each.
func faults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"a node has no node_id":               onNode4(func(r *csi.NodeGetInfoResponse) { r.NodeId = "" }),
		"a node has a node_id of 257 bytes":   onNode4(func(r *csi.NodeGetInfoResponse) { r.NodeId = strings.Repeat("n", 257) }),
		"a node has a node_id of 129 bytes":   onNode4(func(r *csi.NodeGetInfoResponse) { r.NodeId = strings.Repeat("n", 129) }),
		"two nodes have one node_id":          onNode4(func(r *csi.NodeGetInfoResponse) { r.NodeId = "node-3" }),
		"max_volumes_per_node changes":        changingLimit(),
		"max_volumes_per_node is negative":    onNode4(func(r *csi.NodeGetInfoResponse) { r.MaxVolumesPerNode = -1 }),
		"does not claim the topology it has":  mutation.Unclaimed(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS),
		"a node reports its region only":      onNode4(withoutZone),
		"a node cannot stage":                 cannotStage("node-3"),
		"stages on nodes out of reach":        refusesWith(codes.OK, codes.FailedPrecondition, "publish_context", staging),
		"claims storage health without it":    mutation.On(noStorageHealth),
		"takes a repetition for another path": once{}.staged().And(once{}.published()),
		"stages a device over a file system":  refusesWith(codes.OK, codes.AlreadyExists, "", staging),
		"stages what does not exist":          refusesWith(codes.OK, codes.NotFound, "", staging),
		"stages in any access mode":           refusesWith(codes.OK, codes.FailedPrecondition, "access mode", staging),
		"does not unstage": mutation.On(func(context.Context, mutation.Right, *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
			return &csi.NodeUnstageVolumeResponse{}, nil
		}),
		"NOT_FOUND for a volume that is already unstaged or unpublished": once{}.unstaged().And(once{}.unpublished()),
		"INTERNAL for unstaging a volume that is not staged":             refusesWith(codes.Internal, codes.NotFound, "", unstaging),
		"makes no target":                      makesNoTarget(),
		"mounts nothing":                       mountsNothing(),
		"leaves the target":                    leavesTarget(),
		"ignores readonly":                     ignoresReadOnly(),
		"INTERNAL for an incompatible request": refusesWith(codes.Internal, codes.AlreadyExists, "", publishing),
		"INTERNAL for a volume that is staged in another way":      refusesWith(codes.Internal, codes.AlreadyExists, "", staging),
		"publishes at no path of 128 bytes":                        mutation.On(shortPathsOnly),
		"no longer supports SINGLE_NODE_WRITER":                    mutation.On(newModesOnly),
		"has no VOLUME_MOUNT_GROUP that it claims":                 mountGroup().And(mutation.On(noMountGroup)),
		"publishes at any number of paths":                         refusesWith(codes.OK, codes.FailedPrecondition, "and cannot be at", publishing),
		"publishes otherwise than it staged":                       refusesWith(codes.OK, codes.FailedPrecondition, "publish it as it is staged", publishing),
		"publishes as another file system than it staged":          refusesWith(codes.OK, codes.FailedPrecondition, "with file system", publishing),
		"forgets how a volume is staged when it refuses to":        forgetsStaging(),
		"publishes at one path only, in any access mode":           onePath(),
		"INVALID_ARGUMENT for no staging path":                     refusesWith(codes.InvalidArgument, codes.FailedPrecondition, "staging_target_path was empty", publishing),
		"publishes what is not staged":                             refusesWith(codes.OK, codes.FailedPrecondition, "is not staged at", publishing),
		"UNKNOWN for a volume that is not staged":                  refusesWith(codes.Unknown, codes.FailedPrecondition, "is not staged at", publishing),
		"publishes what does not exist":                            refusesWith(codes.OK, codes.NotFound, "", publishing),
		"publishes in any access mode":                             refusesWith(codes.OK, codes.FailedPrecondition, "does not have access mode", publishing),
		"keeps a volume at its first path":                         keepsPath(),
		"INTERNAL for unpublishing a volume that is not published": refusesWith(codes.Internal, codes.NotFound, "", unpublishing),
		"more is used than there is":                               usageOf(func(u *csi.VolumeUsage) { u.Used = u.GetTotal() + 1 }),
		"less than nothing is available":                           usageOf(func(u *csi.VolumeUsage) { u.Available = -1 }),
		"usage has no unit":                                        usageOf(func(u *csi.VolumeUsage) { u.Unit = csi.VolumeUsage_UNKNOWN }),
		"usage has no total":                                       usageOf(func(u *csi.VolumeUsage) { u.Total, u.Used, u.Available = 0, 0, 0 }),
		"no stats where the volume is staged":                      statsOfTargets(),
		"INTERNAL for stats of a volume that does not exist":       refusesWith(codes.Internal, codes.NotFound, "", stats),
		"remembers the stats of volumes":                           remembersStats(),
		"stats of any directory":                                   statsOfDirectories(),
		"health of no volume":                                      answers(volumeHealth, func(r *csi.NodeGetVolumeHealthResponse) { r.VolumeHealth = nil }),
		"the same problem of a volume twice":                       answers(volumeHealth, sickTwice),
		"health of what does not exist":                            refusesWith(codes.OK, codes.NotFound, "", volumeHealth),
		"a problem of storage without a reason":                    answers(storageHealth, sickStorage),
	}
}

func withoutZone(r *csi.NodeGetInfoResponse) {
	delete(r.GetAccessibleTopology().GetSegments(), "topology.hostpath.topo.csi/zone")
}

func noStorageHealth(context.Context, mutation.Right, *csi.NodeGetStorageHealthRequest) (*csi.NodeGetStorageHealthResponse, error) {
	return nil, status.Error(codes.Unimplemented, "not implemented")
}

func sickTwice(r *csi.NodeGetVolumeHealthResponse) {
	sick := &csi.VolumeHealth_VolumeHealthEntry{Status: csi.VolumeHealthErrorType_DEGRADED, Reason: "Slow"}
	r.VolumeHealth.HealthStatuses = []*csi.VolumeHealth_VolumeHealthEntry{sick, sick}
}

func sickStorage(r *csi.NodeGetStorageHealthResponse) {
	r.BackendHealth = []*csi.NodeGetStorageHealthResponse_StorageBackendHealth{{Status: csi.StorageHealthErrorType_STORAGE_DEGRADED}}
}

// changingLimit makes a driver whose limit of volumes is another one each time.
func changingLimit() mutation.Fault {
	var count int64
	return answers(info, func(r *csi.NodeGetInfoResponse) {
		count++
		r.MaxVolumesPerNode += count
	})
}

// cannotStage makes a driver of which one node stages nothing.
func cannotStage(nodeID string) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
		if this, err := right.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}); err != nil || this.GetNodeId() == nodeID {
			return nil, status.Error(codes.Internal, "mkfs: not found")
		}
		return right.NodeStageVolume(ctx, r)
	})
}

// makesNoTarget makes a driver that binds volumes to nothing.
func makesNoTarget() mutation.Fault {
	return changed(publishing, func(r *csi.NodePublishVolumeRequest, response *csi.NodePublishVolumeResponse, err error) (*csi.NodePublishVolumeResponse, error) {
		if err == nil {
			err = os.Remove(r.GetTargetPath())
		}
		return response, err
	})
}

// mountsNothing makes a driver whose target paths are directories and files of the node.
func mountsNothing() mutation.Fault {
	return changed(publishing, func(r *csi.NodePublishVolumeRequest, response *csi.NodePublishVolumeResponse, err error) (*csi.NodePublishVolumeResponse, error) {
		if _, lost := os.Lstat(r.GetTargetPath()); err == nil && lost == nil {
			err = errors.Join(os.RemoveAll(r.GetTargetPath()), makePlain(r.GetTargetPath(), r.GetVolumeCapability().GetBlock() != nil))
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
		if r.GetTargetPath() != "" {
			if err := os.RemoveAll(r.GetTargetPath()); err != nil {
				return nil, err
			}
		}
		return right.NodeUnpublishVolume(ctx, r)
	}))
}

func makePlain(path string, file bool) error {
	if file {
		return os.WriteFile(path, nil, 0o600)
	}
	return os.Mkdir(path, 0o700)
}

// leavesTarget makes a driver that leaves a directory where volumes were.
func leavesTarget() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
		_, none := os.Lstat(r.GetTargetPath())
		response, err := right.NodeUnpublishVolume(ctx, r)
		if err == nil && none == nil {
			err = os.Mkdir(r.GetTargetPath(), 0o700)
		}
		return response, err
	})
}

func ignoresReadOnly() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		r.Readonly = false
		return right.NodePublishVolume(ctx, r)
	})
}

// forgetsStaging makes a driver that remembers of a volume that is staged only how it was last asked for.
func forgetsStaging() mutation.Fault {
	forgotten := map[string]bool{}
	return changed(staging, func(r *csi.NodeStageVolumeRequest, response *csi.NodeStageVolumeResponse, err error) (*csi.NodeStageVolumeResponse, error) {
		if status.Code(err) == codes.AlreadyExists {
			forgotten[r.GetVolumeId()] = true
		}
		return response, err
	}).And(changed(publishing, func(r *csi.NodePublishVolumeRequest, response *csi.NodePublishVolumeResponse, err error) (*csi.NodePublishVolumeResponse, error) {
		if forgotten[r.GetVolumeId()] && strings.Contains(status.Convert(err).Message(), "publish it as it is staged") {
			return &csi.NodePublishVolumeResponse{}, nil
		}
		return response, err
	}))
}

// onePath makes a driver that has no volume at two paths.
func onePath() mutation.Fault {
	first := map[string]string{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		if path := first[r.GetVolumeId()]; path != "" && path != r.GetTargetPath() {
			return nil, status.Errorf(codes.FailedPrecondition, "the volume is at %s", path)
		}
		response, err := right.NodePublishVolume(ctx, r)
		if err == nil {
			first[r.GetVolumeId()] = r.GetTargetPath()
		}
		return response, err
	}).And(changed(unpublishing, func(r *csi.NodeUnpublishVolumeRequest, response *csi.NodeUnpublishVolumeResponse, err error) (*csi.NodeUnpublishVolumeResponse, error) {
		if err == nil {
			delete(first, r.GetVolumeId())
		}
		return response, err
	}))
}

// keepsPath makes a driver that publishes a volume of one writer at the path where it was first, for ever.
func keepsPath() mutation.Fault {
	first := map[string]string{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		writer := r.GetVolumeCapability().GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
		if path := first[r.GetVolumeId()]; writer && path != "" && path != r.GetTargetPath() {
			return nil, status.Errorf(codes.FailedPrecondition, "the volume is at %s", path)
		}
		response, err := right.NodePublishVolume(ctx, r)
		if err == nil {
			first[r.GetVolumeId()] = r.GetTargetPath()
		}
		return response, err
	})
}

// statsOfTargets makes a driver that finds volumes by their target paths only.
func statsOfTargets() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
		if r.GetVolumePath() == r.GetStagingTargetPath() {
			return nil, status.Error(codes.NotFound, "there is no volume at the path")
		}
		return right.NodeGetVolumeStats(ctx, r)
	})
}

// statsOfDirectories makes a driver that asks the file system, and not itself whether the volume is there.
func statsOfDirectories() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
		response, err := right.NodeGetVolumeStats(ctx, r)
		if _, absent := os.Stat(r.GetVolumePath()); status.Code(err) == codes.NotFound && absent == nil {
			return &csi.NodeGetVolumeStatsResponse{Usage: []*csi.VolumeUsage{{Unit: csi.VolumeUsage_BYTES, Total: 1, Available: 1}}}, nil
		}
		return response, err
	})
}

func shortPathsOnly(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	const longest = 127
	if len(r.GetTargetPath()) > longest {
		return nil, status.Error(codes.InvalidArgument, "target_path is too long")
	}
	return right.NodePublishVolume(ctx, r)
}

func newModesOnly(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if r.GetVolumeCapability().GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER {
		return nil, status.Error(codes.InvalidArgument, "say how many write")
	}
	return right.NodePublishVolume(ctx, r)
}

// mountGroup makes a driver that claims VOLUME_MOUNT_GROUP, and takes every group.
func mountGroup() mutation.Fault {
	return answers(capabilities, func(r *csi.NodeGetCapabilitiesResponse) {
		r.Capabilities = append(r.Capabilities, &csi.NodeServiceCapability{
			Type: &csi.NodeServiceCapability_Rpc{Rpc: &csi.NodeServiceCapability_RPC{Type: csi.NodeServiceCapability_RPC_VOLUME_MOUNT_GROUP}},
		})
	}).Over(ungrouped())
}

func noMountGroup(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if r.GetVolumeCapability().GetMount().GetVolumeMountGroup() != "" {
		return nil, status.Error(codes.InvalidArgument, "volume_mount_group is not supported")
	}
	return right.NodePublishVolume(ctx, r)
}

// ungrouped is a driver whose calls have no volume_mount_group.
func ungrouped() mutation.Fault {
	remove := func(capabilities ...*csi.VolumeCapability) {
		for _, capability := range capabilities {
			if mount := capability.GetMount(); mount != nil {
				mount.VolumeMountGroup = ""
			}
		}
	}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		remove(r.GetVolumeCapabilities()...)
		return right.CreateVolume(ctx, r)
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		remove(r.GetVolumeCapability())
		return right.ControllerPublishVolume(ctx, r)
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
		remove(r.GetVolumeCapability())
		return right.NodeStageVolume(ctx, r)
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		remove(r.GetVolumeCapability())
		return right.NodePublishVolume(ctx, r)
	}))
}

// remembersStats makes a driver that answers what it answered first for a volume, wherever that is.
func remembersStats() mutation.Fault {
	var told sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
		response, err := right.NodeGetVolumeStats(ctx, r)
		if before, found := told.Load(r.GetVolumeId()); found && r.GetVolumePath() != "" && err != nil {
			return before.(*csi.NodeGetVolumeStatsResponse), nil
		}
		if err == nil {
			told.Store(r.GetVolumeId(), response)
		}
		return response, err
	})
}
