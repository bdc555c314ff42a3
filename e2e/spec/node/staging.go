// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// staging returns the cases about a volume that cannot be staged: it is refused, if the plugin can know.
func staging() []harness.Case {
	return []harness.Case{{
		ID:           "stage_unknown_volume",
		Text:         "should return NOT_FOUND from NodeStageVolume for a volume that does not exist",
		Requirements: []string{"NS-22", "GEN-15", "GEN-16"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume, publishContext := needDeleted(ctx, driver, node)

			expectUnknown(ctx, "NS-22", "NodeStageVolume", volume, stage(ctx, node, publication.StageRequest(ctx, node, volume, publishContext)))
		},
	}, {
		ID:           "stage_unknown_mode",
		Text:         "should refuse to stage a volume with an access mode that no version of the specification has",
		Requirements: []string{"NS-23", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			request := publication.StageRequest(ctx, node, volume, publication.Attach(ctx, driver, volume, node))
			request.VolumeCapability = messages.As(driver.Capability(), unknownMode)

			expectUnknownMode(ctx, "NS-23", stage(ctx, node, request))
		},
	}}
}

// stagingAgain returns the cases about a repeated NodeStageVolume, which is idempotent. The plugin decides which requests
// are compatible with the existing staging of a volume.
func stagingAgain() []harness.Case {
	mount := harness.Needs(needsStaging(), harness.Mount())
	return []harness.Case{{
		ID:           "stage_again",
		Text:         "stages a volume at the same path twice, and removes it by unstaging it once",
		Requirements: []string{"NS-04", "NS-06"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Stage(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))

			harness.ExpectOK("NS-04", stage(ctx, node, request), fmt.Sprintf("volume %s is staged at the path in the same way, and NodeStageVolume is idempotent", request.GetVolumeId()))

			// NodeUnstageVolume is called once for each staging_target_path, not for each call of NodeStageVolume.
			harness.ExpectOK("NS-06", unstage(ctx, node, request), "NodeUnstageVolume undoes what NodeStageVolume did, which was called twice for the path")
			mounted, _ := data.Mounted(ctx, node, request.GetStagingTargetPath())
			suite.Must("NS-06", !mounted, "volume %s was staged twice at %s, NodeUnstageVolume was OK, and something is still mounted there", request.GetVolumeId(), request.GetStagingTargetPath())
		},
	}, {
		ID:           "stage_again_as_block",
		Text:         "should return ALREADY_EXISTS for a volume that is staged as a file system and asked for as a block device",
		Requirements: []string{"NS-05", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(mount, harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Stage(ctx, node, driver.NeedVolumeWith(ctx, driver.VolumeFor(node), driver.Mount(), driver.Block()))
			request.VolumeCapability = driver.Block()

			harness.ExpectMistakeRefused(ctx, "NS-05", stage(ctx, node, request),
				fmt.Sprintf("volume %s is staged at the path as a file system, and asked for as a block device: ALREADY_EXISTS if that is incompatible", request.GetVolumeId()), codes.AlreadyExists)
		},
	}, {
		// The specification has FAILED_PRECONDITION for a request that is possible once the volume is unpublished on the
		// node.
		ID:           "stage_published_as_block",
		Text:         "should return ALREADY_EXISTS for a volume that is staged and published as a file system and asked for as a block device",
		Requirements: []string{"NS-05", "NS-23", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(mount, harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Stage(ctx, node, driver.NeedVolumeWith(ctx, driver.VolumeFor(node), driver.Mount(), driver.Block()))
			published := publication.Request(ctx, node, request)
			harness.NeedOK(published, publish(ctx, node, published))
			request.VolumeCapability = driver.Block()

			harness.ExpectMistakeRefused(ctx, "NS-05", stage(ctx, node, request),
				fmt.Sprintf("volume %s is staged at the path and published as a file system, and asked for as a block device: ALREADY_EXISTS if that is incompatible, FAILED_PRECONDITION until it is unpublished (NS-23)", request.GetVolumeId()),
				codes.AlreadyExists, codes.FailedPrecondition)
		},
	}, {
		// The plugin may not support the flag or the file system, which is INVALID_ARGUMENT, or the volume may not, which is
		// FAILED_PRECONDITION.
		ID:           "stage_again_other_mount",
		Text:         "returns OK or ALREADY_EXISTS for a volume that is already staged with other mount_flags or another fs_type",
		Requirements: []string{"NS-04", "NS-05", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        mount,
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			first := publication.Stage(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
			for _, change := range []struct {
				what string
				to   func(*csi.VolumeCapability_MountVolume)
			}{
				{"the mount flag noatime", func(m *csi.VolumeCapability_MountVolume) { m.MountFlags = []string{"noatime"} }},
				{"another fs_type", func(m *csi.VolumeCapability_MountVolume) { m.FsType = otherThan(m.GetFsType()) }},
			} {
				again := proto.CloneOf(first)
				change.to(again.GetVolumeCapability().GetMount())

				harness.ExpectOKOrRefused(ctx, "NS-05", stage(ctx, node, again),
					fmt.Sprintf("volume %s is staged at the path, and asked for with %s: OK if that is compatible (NS-04), ALREADY_EXISTS if not, INVALID_ARGUMENT if the plugin does not support it (GEN-12), FAILED_PRECONDITION if the volume does not (NS-23)", again.GetVolumeId(), change.what),
					codes.AlreadyExists, codes.InvalidArgument, codes.FailedPrecondition)
			}
		},
	}}
}

// otherThan returns another file system.
func otherThan(fsType string) string {
	if fsType == "xfs" {
		return "ext4"
	}
	return "xfs"
}

// expectUnknown judges a call for a volume that was deleted. The request breaks the CO's promise to attach a volume first,
// and a node plugin need not know which volumes exist: any canonical code is accepted.
func expectUnknown(ctx context.Context, clause, rpc string, volume *csi.Volume, err error) {
	why := fmt.Sprintf("volume %s was deleted: it is NOT_FOUND for %s", volume.GetVolumeId(), rpc)
	if err == nil {
		suite.Warn(ctx, clause, "%s\ngot: OK, though the volume does not exist: a pod would write to the node's own disk", why)
		return
	}
	harness.ExpectRefused(ctx, clause, err, why)
	suite.Should(ctx, clause, status.Code(err) == codes.NotFound, "%s\ngot: %v", why, err)
}

// expectUnknownMode judges the answer to an access mode that no CO sends.
func expectUnknownMode(ctx context.Context, clause string, err error) {
	harness.ExpectMistakeRefused(ctx, clause, err, "no specification has the access mode 1000: it exceeds what the volume can do, which is FAILED_PRECONDITION, and is an invalid value, which is INVALID_ARGUMENT (GEN-12)",
		codes.FailedPrecondition, codes.InvalidArgument)
}

// orderOfStaging returns the cases about the order of calls: a CO stages a volume before it publishes it, and passes the
// staging path.
func orderOfStaging() []harness.Case {
	return []harness.Case{{
		ID:           "publish_without_staging",
		Text:         "returns FAILED_PRECONDITION from NodePublishVolume without a staging_target_path, also where the volume is published",
		Requirements: []string{"NS-15", "GEN-11", "GEN-15", "GEN-16"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			complete := publication.Request(ctx, node, publication.Stage(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node))))
			request := proto.CloneOf(complete)
			request.StagingTargetPath = ""
			for _, where := range []string{"", " that is published at the path"} {
				got := publish(ctx, node, request)

				why := fmt.Sprintf("the plugin has STAGE_UNSTAGE_VOLUME: NodePublishVolume of volume %s%s without staging_target_path is FAILED_PRECONDITION", request.GetVolumeId(), where)
				harness.ExpectMistakeRefused(ctx, "NS-15", got, why, codes.FailedPrecondition, codes.InvalidArgument)
				suite.Should(ctx, "NS-15", status.Code(got) != codes.InvalidArgument, "%s\ngot: %v", why, got)
				if got == nil {
					return
				}
				harness.NeedOK(complete, publish(ctx, node, complete))
			}
		},
	}, {
		ID:           "publish_before_stage",
		Text:         "refuses to publish a volume that is not staged, or stages it itself",
		Requirements: []string{"NS-15", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			request := publication.Request(ctx, node, publication.StageRequest(ctx, node, volume, publication.Attach(ctx, driver, volume, node)))

			got := publish(ctx, node, request)

			if got == nil {
				suite.Warn(ctx, "NS-15", "volume %s was published from %s, where it was never staged: unless the plugin stages it itself, a pod writes to the node's own disk", volume.GetVolumeId(), request.GetStagingTargetPath())
				return
			}
			harness.ExpectRefused(ctx, "NS-15", got, fmt.Sprintf("volume %s, which is not staged, is refused with a status", volume.GetVolumeId()))
		},
	}}
}
