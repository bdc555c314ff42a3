// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nodeEachPath returns the cases about a volume that is at several paths of a node: where it is staged, and at one or two target
// paths. It can grow at each of them, and grows at all.
func nodeEachPath() []harness.Case {
	var cases []harness.Case
	for _, variant := range []struct {
		id, text   string
		kind       []harness.Need
		capability func(*harness.Driver) *csi.VolumeCapability
	}{
		{"node_grow_each_path", "grows a file system at each path where it is on the node, and reports its size at all of them", harness.Mount(), (*harness.Driver).Mount},
		{"node_grow_block_each_path", "grows a block device at each path where it is on the node, and reports its size at all of them", harness.Block(), (*harness.Driver).Block},
	} {
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         variant.text,
			Requirements: []string{"NE-01", "NE-27", "CR-03", "NV-03", "GEN-15", "GEN-16"},
			Needs:        harness.Needs(harness.Expansion(csi.PluginCapability_VolumeExpansion_ONLINE), nodeGrowth(), variant.kind),
			Run: func(ctx context.Context, driver *harness.Driver) {
				capability := variant.capability(driver)
				if driver.Claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER) && driver.Nodes[0].Claims(csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER) {
					capability = messages.As(capability, csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER)
				}
				growAtEach(ctx, driver, capability)
			},
		})
	}
	return cases
}

// growAtEach reads the size at the first target path alone before the volume grows: a size that a driver remembers by path
// is outdated there.
func growAtEach(ctx context.Context, driver *harness.Driver, capability *csi.VolumeCapability) {
	var paths []*csi.NodePublishVolumeRequest
	var before int64
	volume := driver.NeedVolumeWith(ctx, driver.VolumeFor(driver.Nodes[0]), capability)
	h := holdVolume(ctx, driver, volume, capability, func(h *held) {
		before, _ = data.TotalBytes(ctx, h.node, h.published)
		second := proto.CloneOf(h.published)
		second.TargetPath = h.node.TargetPath(ctx)
		paths = append(paths, h.published)
		if _, err := h.node.NodePublishVolume(ctx, second); err != nil {
			suite.Reduced(ctx, "the plugin does not publish the volume at a second target_path: %s", describe.Status(err))
			return
		}
		paths = append(paths, second)
	})
	if h.published.GetStagingTargetPath() != "" {
		request := h.request()
		request.VolumePath = request.GetStagingTargetPath()
		if _, err := h.node.NodeExpandVolume(ctx, request); err == nil { // otherwise node_grow_staged judges it
			h.expectSizeAtBoth(ctx, request, paths, before)
		}
	}
	for _, published := range paths {
		request := h.request()
		request.VolumePath = published.GetTargetPath()
		if h.mustGrow(ctx, request, "NE-01") == nil {
			return
		}
		h.expectSizeAtBoth(ctx, request, paths, before)
	}
}

// expectSizeAtBoth fails the case if the size at the first path remains the same as before the growth, and is larger at the
// second. A driver that remembers the size of the volume, and not of its paths, may report both later.
func (h *held) expectSizeAtBoth(ctx context.Context, grown *csi.NodeExpandVolumeRequest, paths []*csi.NodePublishVolumeRequest, before int64) {
	var now, other int64
	h.driver.Settled(ctx, effect.NodeGrowth, func() bool {
		now, _ = data.TotalBytes(ctx, h.node, paths[0])
		other, _ = data.TotalBytes(ctx, h.node, paths[len(paths)-1])
		return now != before || other <= before
	})
	suite.Must("NV-03", now != before || other <= before, "NodeExpandVolume at %s was OK, and NodeGetVolumeStats has %d bytes in total at %s\nbut has %d at %s, as before",
		grown.GetVolumePath(), other, paths[len(paths)-1].GetTargetPath(), now, paths[0].GetTargetPath())
}
