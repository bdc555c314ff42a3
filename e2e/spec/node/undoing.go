// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// unpublishing returns the cases about NodeUnpublishVolume, which removes a volume from a target path, if it is there.
func unpublishing() []harness.Case {
	return []harness.Case{{
		ID:           "unpublish_again",
		Text:         "unpublishes a volume twice, and from a path where it was never published",
		Requirements: []string{"NS-16"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
			harness.ExpectOK("NS-16", unpublish(ctx, node, request), "NodeUnpublishVolume undoes what NodePublishVolume did")

			harness.ExpectOK("NS-16", unpublish(ctx, node, request), "NodeUnpublishVolume is idempotent: a second one is OK")
			request.TargetPath = node.TargetPath(ctx)
			harness.ExpectOK("NS-16", unpublish(ctx, node, request), "a volume that was never published at the path is OK")
		},
	}, {
		ID:           "unpublish_frees_volume",
		Text:         "removes a volume from the path that it is unpublished from, and publishes it at another",
		Requirements: []string{"NS-16"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
			first := request.GetTargetPath()
			harness.ExpectOK("NS-16", unpublish(ctx, node, request), "NodeUnpublishVolume undoes what NodePublishVolume did")
			mounted, _ := data.Mounted(ctx, node, first)
			suite.Must("NS-16", !mounted, "NodeUnpublishVolume of volume %s was OK, and something is still mounted at %s", request.GetVolumeId(), first)

			request.TargetPath = node.TargetPath(ctx)

			harness.ExpectOK("NS-16", publish(ctx, node, request), fmt.Sprintf("volume %s was unpublished from %s, and is published nowhere", request.GetVolumeId(), first))
		},
	}, {
		ID:           "unpublish_unknown_volume",
		Text:         "returns OK or NOT_FOUND from NodeUnpublishVolume for a volume that does not exist",
		Requirements: []string{"NS-28", "GEN-15", "GEN-16"},
		Needs:        needsNode(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			deleted := deletion.Volume(ctx, driver)

			got := unpublish(ctx, node, &csi.NodePublishVolumeRequest{VolumeId: deleted.GetVolumeId(), TargetPath: node.TargetPath(ctx)})

			harness.ExpectOKOrRefused(ctx, "NS-28", got, fmt.Sprintf("volume %s was deleted: it is published nowhere, which is OK, or is NOT_FOUND", deleted.GetVolumeId()), codes.NotFound)
		},
	}}
}

// unstaging returns the cases about NodeUnstageVolume, which removes a volume from a staging path, if it is there.
func unstaging() []harness.Case {
	return []harness.Case{{
		ID:           "unstage_undoes_stage",
		Text:         "removes a volume from the path where it was staged",
		Requirements: []string{"NS-06"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			staged := publication.Stage(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
			if data.IsStaged(ctx, node, staged) == "" {
				suite.Skip(suite.ByCapability, "nothing shows where volume %s is staged: no mount is seen, and NodeGetVolumeStats does not distinguish the path from an empty directory", staged.GetVolumeId())
			}

			harness.ExpectOK("NS-06", unstage(ctx, node, staged), "NodeUnstageVolume undoes what NodeStageVolume did")

			evidence := data.IsStaged(ctx, node, staged)
			suite.Must("NS-06", evidence == "", "NodeUnstageVolume of volume %s was OK, and the volume is still at %s: %s", staged.GetVolumeId(), staged.GetStagingTargetPath(), evidence)
		},
	}, {
		ID:           "unstage_again",
		Text:         "unstages a volume twice, and from a path where it was never staged",
		Requirements: []string{"NS-06", "NS-09"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Stage(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
			harness.ExpectOK("NS-06", unstage(ctx, node, request), "NodeUnstageVolume undoes what NodeStageVolume did")

			harness.ExpectOK("NS-09", unstage(ctx, node, request), "NodeUnstageVolume is idempotent: a second one is OK")
			request.StagingTargetPath = node.StagingPath(ctx)
			harness.ExpectOK("NS-09", unstage(ctx, node, request), "a volume that was never staged at the path is OK")
		},
	}, {
		ID:           "unstage_unknown_volume",
		Text:         "returns OK or NOT_FOUND from NodeUnstageVolume for a volume that does not exist",
		Requirements: []string{"NS-09", "NS-10", "GEN-15", "GEN-16"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			deleted := deletion.Volume(ctx, driver)

			harness.ExpectOKOrRefused(ctx, "NS-10", unstage(ctx, node, publication.StageRequest(ctx, node, deleted, nil)),
				fmt.Sprintf("volume %s was deleted: it is staged nowhere, which is OK (NS-09), or is NOT_FOUND", deleted.GetVolumeId()), codes.NotFound)
		},
	}}
}
