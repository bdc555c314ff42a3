// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// publishKeepsData returns the cases about a pod that is restarted and finds its data. A node that creates target_path and
// mounts nothing there passes every case that does not write.
func publishKeepsData() []harness.Case {
	var cases []harness.Case
	for _, variant := range []struct {
		id, text, clause string
		kind             []harness.Need
		capability       func(*harness.Driver) *csi.VolumeCapability
	}{
		{
			"publish_keeps_data", "publishes a file system with the data that was written to it before",
			"NS-20", harness.Mount(), (*harness.Driver).Mount,
		},
		{
			"publish_block_keeps_data", "publishes a block device with the data that was written to it before",
			"NS-19", harness.Block(), (*harness.Driver).Block,
		},
	} {
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         variant.text,
			Requirements: []string{variant.clause, "NS-16"},
			Needs:        harness.Needs(needsNode(), variant.kind, harness.Data()),
			Run: func(ctx context.Context, driver *harness.Driver) {
				node, capability := driver.Nodes[0], variant.capability(driver)
				volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(node), capability)
				const text = "written by csi-topo"
				first := publication.PublishAs(ctx, node, volume, capability)
				data.Write(ctx, node, first, text)
				hint := data.HintAtFake(ctx, node, first)
				harness.ExpectOK("NS-16", unpublish(ctx, node, first), "NodeUnpublishVolume undoes what NodePublishVolume did, whatever was written to the volume"+hint)
				if stages(node) {
					harness.NeedOK(node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: volume.GetVolumeId(), StagingTargetPath: first.GetStagingTargetPath()}))
				}
				if driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
					harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, node)))
				}

				again := publication.PublishJudged(ctx, node, volume, capability, expectUndone(volume))

				got := data.Read(ctx, node, again)
				suite.Must(variant.clause, got == text, "%q was written to volume %s at %s of %s; after NodeUnpublishVolume it was published at %s, where %q is read: the plugin places the volume at target_path%s",
					text, volume.GetVolumeId(), first.GetTargetPath(), node, again.GetTargetPath(), got, data.HintAtFake(ctx, node, again))
			},
		})
	}
	return cases
}

// expectUndone judges the calls that publish a volume on a node for the second time. They were OK before: if one is
// refused now, the calls in between did not undo it. Other cases judge attaching.
func expectUndone(volume *csi.Volume) func(rpc string, err error) {
	return func(rpc string, err error) {
		clauses := map[string][]string{"NodePublishVolume": {"NS-16"}, "NodeStageVolume": {"NS-06", "NS-16"}}[rpc]
		if err == nil || len(clauses) == 0 || status.Code(err) == codes.ResourceExhausted {
			return
		}
		suite.FailAbout(clauses, "a volume that was unpublished can be published again. Volume %s was published and removed from the node, by calls that answered OK, and now %s is refused\ngot: %s",
			volume.GetVolumeId(), rpc, describe.Status(err))
	}
}
