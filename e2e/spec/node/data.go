// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// A pod that is restarted finds what it wrote. A node that creates target_path and mounts nothing there passes every case
// that does not write.
func publishKeepsData() []harness.Case {
	var cases []harness.Case
	for _, variant := range []struct {
		id, text, clause string
		needs            harness.Needs
		capability       func(*harness.Driver) *csi.VolumeCapability
	}{
		{
			"publish_keeps_data", "publishes a file system with the data that was written to it before",
			"NS-20", harness.Needs{Mount: true}, (*harness.Driver).Mount,
		},
		{
			"publish_block_keeps_data", "publishes a block device with the data that was written to it before",
			"NS-19", harness.Needs{Block: true}, (*harness.Driver).Block,
		},
	} {
		needs := needsNode()
		needs.Mount, needs.Block, needs.Data = variant.needs.Mount, variant.needs.Block, true
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         variant.text,
			Requirements: []string{variant.clause, "NS-16"},
			Needs:        needs,
			Run: func(ctx context.Context, driver *harness.Driver) {
				node, capability := driver.Nodes[0], variant.capability(driver)
				volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), capability)
				const text = "written by csi-topo"
				first := node.PublishAs(ctx, volume, capability)
				node.Write(ctx, first, text)
				hint := node.HintAtFake(ctx, first)
				harness.ExpectOK("NS-16", unpublish(ctx, node, first), "NodeUnpublishVolume undoes what NodePublishVolume did, whatever was written to the volume"+hint)
				if stages(node) {
					harness.Need(node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: volume.GetVolumeId(), StagingTargetPath: first.GetStagingTargetPath()}))
				}
				if driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
					harness.Need(driver.Controller.ControllerUnpublishVolume(ctx, driver.ControllerUnpublishVolumeRequest(volume, node)))
				}

				again := node.PublishAs(ctx, volume, capability)

				got := node.Read(ctx, again)
				suite.Must(variant.clause, got == text, "%q was written to volume %s at %s of %s; after NodeUnpublishVolume it was published at %s, where %q is read: the plugin places the volume at target_path%s",
					text, volume.GetVolumeId(), first.GetTargetPath(), node, again.GetTargetPath(), got, node.HintAtFake(ctx, again))
			},
		})
	}
	return cases
}
