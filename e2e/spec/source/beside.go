// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// besideSource publishes a copy on the node where its source is published. A node that finds a file system by its UUID,
// which both may have, mistakes one for the other.
func besideSource(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_beside_source",
		Text:         fmt.Sprintf("%s a %s to a volume with its own data on the node where its source is published", k.doing, k.noun),
		Requirements: []string{"VS-02"},
		Needs:        harness.Needs(k.needsData(), harness.Attaches(2)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			asked := driver.VolumeFor(driver.Nodes[0])
			volume := driver.NeedVolume(ctx, asked)
			node := publication.For(driver.Nodes[0], volume)
			data.WriteTo(ctx, node, volume, textBefore)
			copied := k.mustCreate(ctx, driver, k.take(ctx, driver, volume), asked)
			if other := publication.For(node, copied.Volume); other != node {
				suite.Skip(suite.ByCapability, "volume %s and its copy are not accessible from one node", volume.GetVolumeId())
			}
			source := publication.Publish(ctx, node, volume)
			data.Write(ctx, node, source, textAfter)

			published := publication.PublishJudged(ctx, node, copied.Volume, driver.CapabilityOf(copied.Volume), func(rpc string, err error) {
				if code := status.Code(err); err != nil && code != codes.ResourceExhausted {
					suite.Warn(ctx, "VS-02", "a copy cannot be used on the node where its source is\n%s of volume %s on %s: %s", rpc, copied.VolumeID, node, describe.Status(err))
					suite.Skip(suite.ByCapability, "the node does not publish a copy beside its source: %s", describe.Status(err))
				}
			})

			what := fmt.Sprintf("a volume has the data of its source, and is a separate volume\n%q was written to volume %s, and volume %s was created from its %s; both are published on %s", textBefore, volume.GetVolumeId(), copied.VolumeID, k.noun, node)
			got := data.Read(ctx, node, published)
			suite.Must("VS-02", got == textBefore, "%s, and %q was written to the former\nthe latter has %q", what, textAfter, got)
			data.Write(ctx, node, published, textLatest)
			got = data.Read(ctx, node, source)
			suite.Must("VS-02", got == textAfter, "%s, %q was written to the former and %q to the latter\nthe former has %q", what, textAfter, textLatest, got)
		},
	}
}
