package node_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const (
	ofInfo    = "node_id_set node_info_again node_limit node_topology_claimed health_of_storage"
	ofStaging = "stage_again stage_again_as_block stage_unknown_volume stage_unknown_mode " +
		"unstage_undoes_stage unstage_again unstage_unknown_volume publish_without_staging publish_before_stage"
	ofPublishing = ofBlock + " " + ofWriters + " publish_makes_target publish_again publish_read_only publish_again_read_only publish_unknown_volume " +
		"publish_unknown_mode publish_second_target publish_second_target_multi_node " +
		"unpublish_again unpublish_frees_volume unpublish_unknown_volume"
	ofBlock   = "publish_block_target stats_block"
	ofWriters = "publish_second_target_single_writer publish_second_target_multi_writer"
	ofStats   = "stats_usage stats_unknown_path stats_unknown_volume stats_block"
)

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]spectest.Expectation{
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
		Cases: []spectest.Case{
			spectest.Skips(ofInfo+" "+ofStaging+" "+ofPublishing, "there are 0 node endpoints, and the case needs 1"),
			spectest.Skips("node_id_unique", "there are 0 node endpoints, and the case needs 2"),
		},
	},
	"no attaching": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Attach = true }},
		Cases:  []spectest.Case{spectest.Passes("node_uses_volumes node_out_of_reach "+ofInfo+" "+ofStaging+" "+ofPublishing, "")},
	},
	"no topology": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
		Cases: []spectest.Case{
			spectest.Skips("node_out_of_reach node_topology_same_keys node_topology_of_volumes", "does not list VOLUME_ACCESSIBILITY_CONSTRAINTS"),
			spectest.Passes("node_uses_volumes node_id_unique "+ofInfo+" "+ofStaging+" "+ofPublishing, ""),
		},
	},
	"no staging": {
		Driver: spectest.Driver{Fault: withoutStaging()},
		Cases: []spectest.Case{
			spectest.Skips(ofStaging, "does not list STAGE_UNSTAGE_VOLUME"),
			spectest.Passes("node_uses_volumes node_out_of_reach stats_usage health_of_volume "+ofInfo+" "+ofPublishing, ""),
		},
	},
	"no stats": {
		Driver: spectest.Driver{Fault: spectest.WithoutNode(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)},
		Cases:  []spectest.Case{spectest.Skips(ofStats+" unstage_undoes_stage", "does not list GET_VOLUME_STATS")},
	},
	"no volume health": {
		Driver: spectest.Driver{Fault: spectest.WithoutNode(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH)},
		Cases:  []spectest.Case{spectest.Skips("health_of_volume health_unknown_volume", "does not list GET_VOLUME_HEALTH")},
	},
	"no storage health": {
		Driver: spectest.Driver{Fault: spectest.WithoutNode(csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH)},
		Cases:  []spectest.Case{spectest.Skips("health_of_storage", "does not list GET_STORAGE_HEALTH")},
	},
	"no writers of one node": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)},
		Cases:  []spectest.Case{spectest.Skips(ofWriters, "does not list SINGLE_NODE_MULTI_WRITER")},
	},
	"no block volumes": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.Block = false }},
		Cases:  []spectest.Case{spectest.Skips(ofBlock+" stage_again_as_block", "no raw block volumes")},
	},
	"a segment that the profile has with other keys": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.Segments = []map[string]string{{"zone": "Z9"}} }},
		Cases:  []spectest.Case{spectest.Warns("node_topology_same_keys", `the profile declares a segment with the keys ["zone"]`)},
	},
}

// withoutStaging makes a driver whose nodes stage volumes when they publish them, in a directory of their own.
func withoutStaging() spectest.Fault {
	beside := func(target string) string { return filepath.Dir(target) + "-staged" }
	return spectest.WithoutNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME).
		And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
			r.StagingTargetPath = beside(r.GetTargetPath())
			if err := os.MkdirAll(r.GetStagingTargetPath(), 0o700); err != nil {
				return nil, err
			}
			_, err := right.NodeStageVolume(ctx, &csi.NodeStageVolumeRequest{
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
		And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
			response, err := right.NodeUnpublishVolume(ctx, r)
			if err != nil {
				return response, err
			}
			if err := os.RemoveAll(beside(r.GetTargetPath())); err != nil {
				return nil, err
			}
			_, err = right.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: r.GetVolumeId(), StagingTargetPath: beside(r.GetTargetPath())})
			return response, err
		}))
}
