// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const (
	neighbours    = "unpublish_leaves_neighbour long_paths_differ unstage_leaves_neighbour"
	secondReaders = "second_target_reads_multi_writer second_target_reads_multi_node"
)

// neighbourFaults returns drivers that mix up several paths.
func neighbourFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"takes away what is at paths that begin with the one": mutation.Wrong(removesBeginning(),
			mutation.Fails("unpublish_leaves_neighbour long_paths_differ "+secondReaders, "NS-16"),
			mutation.Fails("unstage_leaves_neighbour", "NS-06")),
		"leaves a target path that another in use begins with": mutation.Wrong(leavesBeginning(func(*publishRequest) string { return "" }),
			mutation.Fails("unpublish_leaves_neighbour long_paths_differ "+secondReaders, "NS-29")),
		"leaves a target path that another of the volume begins with": mutation.Wrong(leavesBeginning((*publishRequest).GetVolumeId),
			mutation.Fails(secondReaders, "NS-29")),
		"leaves a staging path that another in use begins with": mutation.Wrong(staysStaged(), mutation.Fails("unstage_leaves_neighbour", "NS-06")),
		"looks at 128 bytes of a path":                          mutation.Wrong(truncatesPathsOf(func(*publishRequest) string { return "" }), mutation.Fails("long_paths_differ", "NS-20")),
		"compares readonly of file systems, and not of devices": mutation.Wrong(mutation.Where(func(r *publishRequest) bool { return r.GetVolumeCapability().GetBlock() != nil }, mutation.Recoding[*publishRequest](codes.AlreadyExists, codes.OK)), mutation.Warns("publish_block_target publish_again_as_block", "NS-25")),
		"keeps readonly of a volume, and not of its paths": mutation.Wrong(keepsReadOnly(),
			mutation.Fails(secondReaders, "NS-13")),
		"takes readonly away at any path but the first": mutation.Wrong(checksFirstPath(), mutation.Warns(secondReaders, "NS-25")),
		"unpublishes a volume from all of its paths":    mutation.Wrong(unpublishesAll(), mutation.Fails(secondReaders, "NS-16")),
		"stages whatever is in use":                     mutation.Wrong(stagesPublished(), mutation.Warns("stage_published_as_block", "NS-05")),
		"looks at 128 bytes of a path of the same volume": mutation.Wrong(truncatesPathsOf(func(r *publishRequest) string { return r.GetVolumeId() }),
			mutation.Fails("long_paths_differ", "NS-20")),
		"answers with the usage of what is at the path, whichever volume that is": mutation.Wrong(statsOfPaths(), mutation.Fails("stats_of_another_volume", "NV-04")),
		"remembers health by paths, whichever volume that is": mutation.Wide(
			mutation.Remembering(func(r *csi.NodeGetVolumeHealthRequest) string {
				return r.GetVolumePublishPath() + r.GetStagingTargetPath()
			}), mutation.Fails("unpublish_leaves_neighbour", "GEN-05")),
		"stages anew what is staged otherwise": mutation.Wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *stageRequest) (*stageResponse, error) {
			response, err := right.NodeStageVolume(ctx, r)
			if status.Code(err) != codes.AlreadyExists {
				return response, err
			}
			if _, used := right.NodeUnstageVolume(ctx, &unstageRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: r.GetStagingTargetPath()}); used != nil {
				return response, err
			}
			return right.NodeStageVolume(ctx, r)
		}), mutation.Warns("stage_again_as_block stage_published_as_block", "NS-05")),
	}
}

func removesBeginning() mutation.Fault {
	published, staged := map[string]string{}, map[string]string{} // volume ids by paths
	beginning := func(all map[string]string, path string) map[string]string {
		found := map[string]string{}
		for at, volume := range all {
			if isLonger(at, path) {
				found[at] = volume
			}
		}
		return found
	}
	noting := mutation.OnOK(func(r *publishRequest) {
		published[r.GetTargetPath()] = r.GetVolumeId()
	}).And(mutation.OnOK(func(r *stageRequest) { staged[r.GetStagingTargetPath()] = r.GetVolumeId() }))
	return noting.And(mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
		for at, volume := range beginning(published, r.GetTargetPath()) {
			if _, err := right.NodeUnpublishVolume(ctx, &unpublishRequest{VolumeId: volume, TargetPath: at}); err != nil {
				return nil, err
			}
		}
		return right.NodeUnpublishVolume(ctx, r)
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *unstageRequest) (*unstageResponse, error) {
		for at, volume := range beginning(staged, r.GetStagingTargetPath()) {
			if _, err := right.NodeUnstageVolume(ctx, &unstageRequest{VolumeId: volume, StagingTargetPath: at}); err != nil {
				return nil, err
			}
		}
		return right.NodeUnstageVolume(ctx, r)
	}))
}

// leavesBeginning makes a driver that does not unpublish from a path while something of the same owner is published at a
// path that begins with it.
func leavesBeginning(owner func(*publishRequest) string) mutation.Fault {
	owners := map[string]string{} // by target paths
	return mutation.OnOK(func(r *publishRequest) {
		owners[r.GetTargetPath()] = owner(r)
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
		for at, of := range owners {
			if of == owners[r.GetTargetPath()] && isLonger(at, r.GetTargetPath()) {
				return &unpublishResponse{}, nil
			}
		}
		delete(owners, r.GetTargetPath())
		return right.NodeUnpublishVolume(ctx, r)
	}))
}

func staysStaged() mutation.Fault {
	staged := map[string]bool{}
	return mutation.OnOK(func(r *stageRequest) {
		staged[r.GetStagingTargetPath()] = true
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *unstageRequest) (*unstageResponse, error) {
		for at := range staged {
			if isLonger(at, r.GetStagingTargetPath()) {
				return &unstageResponse{}, nil
			}
		}
		delete(staged, r.GetStagingTargetPath())
		return right.NodeUnstageVolume(ctx, r)
	}))
}

// isLonger reports whether the path begins with the other one, and is not the same.
func isLonger(path, other string) bool {
	return other != "" && path != other && strings.HasPrefix(path, other)
}

// truncatesPathsOf makes a driver that mistakes a target path for an earlier one if both have the same first 128 bytes and
// the same owner.
func truncatesPathsOf(owner func(*publishRequest) string) mutation.Fault {
	const most = 128
	first, owners := map[at]string{}, map[string]string{} // target paths by prefix, and their owners
	key := func(owner, path string) at { return at{owner, path[:min(len(path), most)]} }
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		here := key(owner(r), r.GetTargetPath())
		if before := first[here]; before != "" && before != r.GetTargetPath() {
			return &publishResponse{}, nil
		}
		response, err := right.NodePublishVolume(ctx, r)
		if err == nil {
			first[here], owners[r.GetTargetPath()] = r.GetTargetPath(), owner(r)
		}
		return response, err
	}).And(mutation.OnOK(func(r *unpublishRequest) { delete(first, key(owners[r.GetTargetPath()], r.GetTargetPath())) }))
}

func statsOfPaths() mutation.Fault {
	published := map[string]string{} // volumes by target paths
	return mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
		if err == nil {
			published[r.GetTargetPath()] = r.GetVolumeId()
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
		response, err := right.NodeGetVolumeStats(ctx, r)
		if there := published[r.GetVolumePath()]; status.Code(err) == codes.NotFound && there != "" {
			r.VolumeId = there
			return right.NodeGetVolumeStats(ctx, r)
		}
		return response, err
	}))
}

// keepsReadOnly makes a driver that compares a repeated publication with the volume's last one, at any path.
func keepsReadOnly() mutation.Fault {
	readOnly, published := map[string]bool{}, map[at]bool{}
	return mutation.RefusingSome(codes.AlreadyExists, "the volume is published with another readonly", func(r *publishRequest) bool {
		return published[at{r.GetVolumeId(), r.GetTargetPath()}] && readOnly[r.GetVolumeId()] != r.GetReadonly()
	}).Over(mutation.OnOK(func(r *publishRequest) {
		readOnly[r.GetVolumeId()], published[at{r.GetVolumeId(), r.GetTargetPath()}] = r.GetReadonly(), true
	})).And(mutation.OnOK(func(r *unpublishRequest) { delete(published, at{r.GetVolumeId(), r.GetTargetPath()}) }))
}

func checksFirstPath() mutation.Fault {
	first := map[string]string{}
	return mutation.Ending(func(r *publishRequest, response *publishResponse, err error) (*publishResponse, error) {
		before := first[r.GetVolumeId()]
		if err == nil && before == "" {
			first[r.GetVolumeId()] = r.GetTargetPath()
		}
		if status.Code(err) == codes.AlreadyExists && before != r.GetTargetPath() {
			return &publishResponse{}, nil
		}
		return response, err
	}).And(mutation.OnOK(func(r *unpublishRequest) {
		if first[r.GetVolumeId()] == r.GetTargetPath() {
			delete(first, r.GetVolumeId())
		}
	}))
}

func unpublishesAll() mutation.Fault {
	paths := map[string]map[string]bool{}
	return mutation.OnOK(func(r *publishRequest) {
		if paths[r.GetVolumeId()] == nil {
			paths[r.GetVolumeId()] = map[string]bool{}
		}
		paths[r.GetVolumeId()][r.GetTargetPath()] = true
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
		for path := range paths[r.GetVolumeId()] {
			if path == r.GetTargetPath() {
				continue
			}
			if _, err := right.NodeUnpublishVolume(ctx, &unpublishRequest{VolumeId: r.GetVolumeId(), TargetPath: path}); err != nil {
				return nil, err
			}
		}
		delete(paths, r.GetVolumeId())
		return right.NodeUnpublishVolume(ctx, r)
	}))
}

// stagesPublished makes a driver that considers a volume staged correctly once it is published.
func stagesPublished() mutation.Fault {
	published := map[at]bool{} // by the paths where the volumes are staged
	staging := map[at]at{}     // those, by target paths
	return mutation.OnOK(func(r *publishRequest) {
		staged := at{r.GetVolumeId(), r.GetStagingTargetPath()}
		published[staged], staging[at{r.GetVolumeId(), r.GetTargetPath()}] = true, staged
	}).And(mutation.OnOK(func(r *unpublishRequest) {
		delete(published, staging[at{r.GetVolumeId(), r.GetTargetPath()}])
	})).And(mutation.Ending(func(r *stageRequest, response *stageResponse, err error) (*stageResponse, error) {
		if err != nil && published[at{r.GetVolumeId(), r.GetStagingTargetPath()}] {
			return &stageResponse{}, nil
		}
		return response, err
	}))
}
