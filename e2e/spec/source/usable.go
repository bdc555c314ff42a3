// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// expectUsableThere publishes a copy on a node of the requested segment: an answer may name this segment for a volume
// that is where its source is. A node that cannot use a plain volume of the segment shows nothing.
func expectUsableThere(ctx context.Context, driver *harness.Driver, volume *csi.Volume, segment model.Segment) {
	if !messages.Within(volume.GetAccessibleTopology(), segment) {
		return // the driver takes requirements of all segments only, and chose another one
	}
	reaching, _ := publication.Reaching(driver, messages.Topologies(model.Set{segment}))
	if len(reaching) == 0 {
		suite.Reduced(ctx, "there is no node endpoint in %s, so only the answer says that the volume is there", segment)
		return
	}
	node := reaching[0]
	publication.PublishJudged(ctx, node, volume, driver.CapabilityOf(volume), func(rpc string, err error) {
		if err == nil || status.Code(err) == codes.ResourceExhausted {
			return
		}
		publication.Publish(ctx, node, driver.NeedVolume(ctx, driver.Volume(1).Within(segment)))
		suite.Fail("TR-04", "the volume was created for %s, and cannot be used there, where a volume without a source can: %s of volume %s on %s\ngot: %s",
			segment, rpc, volume.GetVolumeId(), node, describe.Status(err))
	})
}
