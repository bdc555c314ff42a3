// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nodeInUse returns the cases about where the volume is on the node: at its staging path, at its target path, as a
// block device.
func nodeInUse() []harness.Case {
	return []harness.Case{nodeGrowStaged(), nodeGrowOnline(), nodeGrowBlock()}
}

// nodeGrowStaged asks at the staging path of a volume that is not published.
func nodeGrowStaged() harness.Case {
	return harness.Case{
		ID:           "node_grow_staged",
		Text:         "grows a volume that is staged and not published",
		Requirements: []string{"NE-01", "NE-04", "NE-06", "NE-23", "NE-24", "NE-27", "CR-03", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(nodeGrowth(), harness.NodeClaims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			publication.Unpublish(ctx, h.node, h.published)
			request := h.request()
			request.VolumePath = h.published.GetStagingTargetPath()

			if h.mustGrow(ctx, request, "NE-01") == nil {
				return
			}
			h.published.TargetPath = h.node.TargetPath(ctx)
			harness.NeedOK(h.node.NodePublishVolume(ctx, h.published))
			h.expectLarger(ctx, describeNodeGrowth(request))
		},
	}
}

// nodeGrowOnline grows a volume at the controller and then on the node, both while it is published.
func nodeGrowOnline() harness.Case {
	return harness.Case{
		ID:           "node_grow_online",
		Text:         "grows a volume at the controller and on the node while it is published",
		Requirements: []string{"PC-07", "PC-08", "NE-01", "NE-06", "NE-27", "CR-03", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Expansion(csi.PluginCapability_VolumeExpansion_ONLINE), nodeGrowth()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())

			if h.mustGrow(ctx, h.request(), "NE-01") != nil {
				h.expectLarger(ctx, describeNodeGrowth(h.request()))
			}
		},
	}
}

// nodeGrowBlock grows a raw block volume, which has no file system to grow: the call is OK nevertheless. It reads the size
// once, at the end, because a driver may cache it.
func nodeGrowBlock() harness.Case {
	return harness.Case{
		ID:           "node_grow_block",
		Text:         "grows a block volume that is published, and grows it once more",
		Requirements: []string{"NE-01", "NE-20", "NE-27", "CR-03", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(nodeGrowth(), harness.Block()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Block())

			if h.mustGrow(ctx, h.request(), "NE-01") == nil {
				return
			}
			if more := h.growMore(ctx); more != nil {
				h = more
			}
			h.expectLarger(ctx, describeNodeGrowth(h.request()))
		},
	}
}

// nodeData returns the cases about the data in a volume that grows: written data stays, and a device can be written to up to
// its new end. A node that formats the volume again passes every case that does not read.
func nodeData() []harness.Case {
	var cases []harness.Case
	for _, variant := range []struct {
		id, text     string
		requirements []string
		kind         []harness.Need
		capability   func(*harness.Driver) *csi.VolumeCapability
	}{{
		"node_grow_keeps_data", "keeps the data in a file system that grows",
		[]string{"NE-01", "NE-27"}, harness.Mount(), (*harness.Driver).Mount,
	}, {
		"node_grow_block_keeps_data", "keeps the data on a block device that grows, and lets a workload write up to its new end",
		[]string{"NE-01", "NE-27", "CR-03"}, harness.Block(), (*harness.Driver).Block,
	}} {
		cases = append(cases, harness.Case{
			ID:           variant.id,
			Text:         variant.text,
			Requirements: append(variant.requirements, "GEN-15", "GEN-16"),
			Needs:        harness.Needs(nodeGrowth(), variant.kind, harness.Data()),
			Run: func(ctx context.Context, driver *harness.Driver) {
				growWritten(ctx, driver, variant.capability(driver))
			},
		})
	}
	return cases
}

func growWritten(ctx context.Context, driver *harness.Driver, capability *csi.VolumeCapability) {
	const before, after = "written before it grew", "written after it grew"
	h := holdWith(ctx, driver, capability, func(h *held) { data.Write(ctx, h.node, h.published, before) })

	if h.mustGrow(ctx, h.request(), "NE-01") == nil {
		return
	}

	got := data.Read(ctx, h.node, h.published)
	suite.Must("NE-01", got == before, "%q was written to volume %s, and %q is read after %s: expansion keeps the data in a volume", before, h.volume.GetVolumeId(), got, describeNodeGrowth(h.request()))
	if capability.GetBlock() == nil {
		return
	}
	end := h.bytes - int64(len(after))
	err := data.WriteAt(ctx, h.node, h.published, end, after)
	suite.Must("CR-03", err == nil, "%s answered OK, and writing the last bytes of the device, from %d on, fails: %v", describeNodeGrowth(h.request()), end, err)
	got = data.ReadAt(ctx, h.node, h.published, end)
	suite.Must("CR-03", got == after, "%s answered OK, %q was written to the last bytes of the device, from %d on, and %q is read", describeNodeGrowth(h.request()), after, end, got)
}
