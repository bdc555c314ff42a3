// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// copiedWhileReadOnly checks that a copy takes only the data from its source: it does not matter how the source was attached
// at the time.
func copiedWhileReadOnly(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_attached_read_only",
		Text:         fmt.Sprintf("%s a %s, made while its volume was attached read-only, to a volume that can be written to", k.doing, k.noun),
		Requirements: []string{"CV-14"},
		Needs: harness.Needs(k.needs(), harness.Nodes(1), harness.Attaches(2), harness.Writer(),
			harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			attach := publication.AttachRequest(driver, volume, publication.For(node, volume))
			attach.Readonly = true
			harness.NeedOK(driver.Controller.ControllerPublishVolume(ctx, attach))
			from := k.takeAttached(ctx, driver, volume)

			got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, driver.VolumeFor(node).OfBytes(from.bytes))

			if got.Code != codes.OK {
				suite.Skip(suite.ByCapability, "the driver creates no volume from a %s while the volume is attached: %s", k.noun, got)
			}
			expectWritable(ctx, driver, got.Volume)
		},
	}
}

// takeAttached makes a source of an attached volume. It skips the case if the driver takes no snapshot of an attached
// volume.
func (k kind) takeAttached(ctx context.Context, driver *harness.Driver, volume *csi.Volume) content {
	if k.noun == "volume" {
		return k.take(ctx, driver, volume)
	}
	request := snapshots.CreateRequest(driver, volume)
	response, err := driver.Controller.CreateSnapshot(ctx, request)
	if err != nil {
		suite.Skip(suite.ByCapability, "the driver takes no snapshot of a volume that is attached: %s", describe.Status(err))
	}
	return contentOf(driver, waitReady(ctx, driver, request, response.GetSnapshot()), volume)
}

// expectWritable fails the case unless a workload can write to the volume, as to a volume without a source.
func expectWritable(ctx context.Context, driver *harness.Driver, volume *csi.Volume) {
	node := publication.For(driver.Nodes[0], volume)
	const why = "the volume was created for writing, whatever its source was used for, and"
	published := publication.PublishJudged(ctx, node, volume, driver.CapabilityOf(volume), func(rpc string, err error) {
		if err == nil || status.Code(err) == codes.ResourceExhausted {
			return
		}
		publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.VolumeFor(node)))
		suite.Fail("CV-14", "%s %s of volume %s on %s is refused, unlike for a volume without a source\ngot: %s", why, rpc, volume.GetVolumeId(), node, describe.Status(err))
	})
	if !data.ShowsData(driver) {
		return
	}
	err := data.TryWrite(ctx, node, published, textBefore)
	suite.Must("CV-14", err == nil, "%s writing to volume %s on %s fails: %v", why, volume.GetVolumeId(), node, err)
}
