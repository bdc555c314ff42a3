// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// stagedOtherwise has the cases that publish a volume otherwise than it was staged, though it has both capabilities. A driver that
// mounts in NodePublishVolume only may take it.
func stagedOtherwise() []harness.Case {
	both := needsStaging()
	both.Mount, both.Block = true, true
	return []harness.Case{{
		ID:           "publish_staged_as_mount",
		Text:         "should refuse to publish a volume as a block device that is staged as a file system",
		Requirements: []string{"NS-26", "GEN-15", "GEN-16"},
		Needs:        both,
		Run: func(ctx context.Context, driver *harness.Driver) {
			publishOtherwise(ctx, driver, driver.Mount(), driver.Block())
		},
	}, {
		ID:           "publish_staged_for_reading",
		Text:         "should refuse to publish a volume for a writer that is staged for a reader",
		Requirements: []string{"NS-26", "GEN-15", "GEN-16"},
		Needs:        needsStaging(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			driver.NeedWriter()
			publishOtherwise(ctx, driver, driver.Reader(), driver.Capability())
		},
	}}
}

func publishOtherwise(ctx context.Context, driver *harness.Driver, staged, published *csi.VolumeCapability) {
	node := driver.Nodes[0]
	volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), published, staged)
	request := node.NodePublishVolumeRequest(ctx, node.StageAs(ctx, volume, staged))
	request.VolumeCapability, request.Readonly = published, false

	harness.ExpectMistakeRefused(ctx, "NS-26", publish(ctx, node, request), fmt.Sprintf("volume %s is staged with %s, and asked for with %s",
		volume.GetVolumeId(), harness.DescribeCapability(staged), harness.DescribeCapability(published)))
}
