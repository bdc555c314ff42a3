// SPDX-License-Identifier: Apache-2.0

// Package node has drivers that stage and publish volumes wrongly, or describe a node wrongly, and correct drivers that
// lack something.
package node

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/internal/target/hook"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Serially(mutation.Union(lacks(), faults(), forgettingFaults(), neighbourFaults()))
}

const (
	ofInfo    = "node_id_set node_info_again node_limit node_topology_claimed health_of_storage"
	ofStaging = "stage_again stage_again_as_block stage_published_as_block unstage_leaves_neighbour stage_unknown_volume stage_unknown_mode " +
		"unstage_undoes_stage unstage_again unstage_unknown_volume publish_without_staging publish_before_stage"
	ofPublishing = ofBlock + " " + ofWriters + " publish_makes_target publish_again publish_read_only publish_again_read_only publish_unknown_volume " +
		"publish_unknown_mode publish_second_target publish_second_target_multi_node " +
		"unpublish_again unpublish_frees_volume unpublish_unknown_volume"
	ofBlock   = "publish_block_target stats_block"
	ofWriters = "publish_second_target_single_writer publish_second_target_multi_writer"
	ofData    = "publish_keeps_data publish_block_keeps_data publish_read_only_protects"
	ofStats   = "stats_usage stats_unknown_path stats_unknown_volume stats_of_another_volume stats_block"
)

// lacks returns correct drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips(ofInfo+" "+ofStaging+" "+ofPublishing, suite.ByEnvironment),
			mutation.Skips("node_id_unique", suite.ByEnvironment)),
		"no attaching": mutation.Wrong(mutation.Lacking(mutation.Attaching...),
			mutation.Passes("node_uses_volumes node_out_of_reach "+ofInfo+" "+ofStaging+" "+ofPublishing)),
		"no topology": mutation.WithoutTopology(
			mutation.Skips("node_out_of_reach node_topology_same_keys node_topology_of_volumes", suite.ByCapability),
			mutation.Passes("node_uses_volumes node_id_unique "+ofInfo+" "+ofStaging+" "+ofPublishing)),
		"no staging": mutation.Wrong(withoutStaging(), mutation.Skips(ofStaging, suite.ByCapability),
			mutation.Passes("node_uses_volumes node_out_of_reach stats_usage health_of_volume "+ofInfo+" "+ofPublishing)),
		"no stats": mutation.Without(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS,
			mutation.Skips(ofStats+" unstage_undoes_stage", suite.ByCapability)),
		"no volume health": mutation.Without(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH,
			mutation.Skips("health_of_volume health_unknown_volume", suite.ByCapability)),
		"no storage health": mutation.Without(csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH,
			mutation.Skips("health_of_storage", suite.ByCapability)),
		"no writers of one node": mutation.Without(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER,
			mutation.Skips(ofWriters+" second_target_reads_multi_writer", suite.ByCapability)),
		"no block volumes": mutation.Told(func(t *harness.Target) { t.Profile.Block = false },
			mutation.Skips(ofBlock+" stage_again_as_block stage_published_as_block", suite.ByProfile)),
		"no file systems": mutation.Expect(mutation.Driver{Fault: mutation.Checking(func(r *csi.CreateVolumeRequest) error {
			for _, capability := range r.GetVolumeCapabilities() {
				if capability.GetMount() != nil {
					return status.Error(codes.InvalidArgument, "there are no file systems")
				}
			}
			return nil
		}), Target: func(t *harness.Target) { t.Profile.Mount = new(bool) }},
			mutation.Skips("publish_keeps_data stage_again_as_block", suite.ByProfile),
			mutation.Passes("publish_block_keeps_data node_uses_volumes stage_again publish_again "+ofBlock)),
		"claims VOLUME_MOUNT_GROUP": mutation.Wrong(mountGroup(), mutation.Passes("publish_mount_group")),
		"nodes report their region only": mutation.ExpectWide(mutation.Driver{
			Fault:  mutation.Answering(func(_ *csi.NodeGetInfoRequest, r *csi.NodeGetInfoResponse) { withoutZone(r) }),
			Target: func(t *harness.Target) { t.Profile.Segments = nil },
		}, mutation.Warns("node_topology_of_volumes", "VOL-19")),
		"ignores readonly, where nodes mount": mutation.ExpectWide(mutation.Driver{Fault: ignoresReadOnly(), Target: mutation.Mounting(false)},
			mutation.Fails("publish_read_only_protects "+secondReaders, "NS-21")),
		"ignores readonly at any path but the first, where nodes mount": mutation.ExpectWide(mutation.Driver{Fault: ignoresReadOnlyBeside(), Target: mutation.Mounting(false)},
			mutation.Fails(secondReaders, "NS-21")),
		"nodes that mount read-only": mutation.ExpectWide(mutation.Driver{Target: mutation.Mounting(true)},
			mutation.Passes("publish_read_only_protects")),
		"nodes of a fake": mutation.Expect(mutation.Driver{Fault: mountsNothing(), Target: func(t *harness.Target) { t.Profile.FakeNodes = true }},
			mutation.Skips(ofData, suite.ByProfile)),
		"no programs that write": mutation.ExpectWide(mutation.Driver{Target: func(t *harness.Target) {
			t.Paths = hook.Paths(profile.Directories{Root: t.Paths.Root(), Make: []string{"mkdir", "-p"}, Remove: []string{"rm", "-rf"}, Exists: []string{"sh", "-c", `test -e "$0" && echo true || echo false`}}, "", t.Timeouts)
		}}, mutation.Skips(ofData, suite.ByProfile), mutation.Passes("publish_makes_target")),
		"volumes in zones, and nodes without topology": mutation.ExpectWide(mutation.Driver{
			Fault:  mutation.Answering(func(_ *csi.NodeGetInfoRequest, r *csi.NodeGetInfoResponse) { r.AccessibleTopology = nil }),
			Target: func(t *harness.Target) { t.Profile.Segments = nil },
		}, mutation.Warns("node_topology_of_volumes", "VOL-19")),
		"a segment that the profile has with other keys": mutation.Told(func(t *harness.Target) { t.Profile.Segments = []map[string]string{{"zone": "Z9"}} },
			mutation.Warns("node_topology_same_keys", "NI-18")),
	}
}

// withoutStaging makes a driver whose nodes stage volumes when they publish them, in a separate directory.
func withoutStaging() mutation.Fault {
	beside := func(target string) string { return filepath.Dir(target) + "-staged" }
	return mutation.Lacking(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME).
		And(mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
			r.StagingTargetPath = beside(r.GetTargetPath())
			if err := os.MkdirAll(r.GetStagingTargetPath(), 0o700); err != nil {
				return nil, err
			}
			_, err := right.NodeStageVolume(ctx, &stageRequest{
				VolumeId: r.GetVolumeId(), StagingTargetPath: r.GetStagingTargetPath(), PublishContext: r.GetPublishContext(), VolumeCapability: r.GetVolumeCapability(),
			})
			if err != nil {
				return nil, errors.Join(err, os.Remove(r.GetStagingTargetPath()))
			}
			response, err := right.NodePublishVolume(ctx, r)
			if err != nil && status.Code(err) != codes.AlreadyExists {
				err = errors.Join(err, os.Remove(r.GetStagingTargetPath()))
			}
			return response, err
		})).
		And(mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
			response, err := right.NodeUnpublishVolume(ctx, r)
			if err != nil {
				return response, err
			}
			if err := os.RemoveAll(beside(r.GetTargetPath())); err != nil {
				return nil, err
			}
			_, err = right.NodeUnstageVolume(ctx, &unstageRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: beside(r.GetTargetPath())})
			return response, err
		}))
}
