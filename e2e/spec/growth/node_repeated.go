// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nodeRepeated returns the cases about a growth that is repeated on the node: it is idempotent.
func nodeRepeated() []harness.Case {
	return []harness.Case{nodeGrowAgain(), nodeGrowCutShort(), nodeGrowToSmaller()}
}

// nodeGrowAgain repeats a growth, and then asks for more. It reads the size once, at the end, because a driver may cache it.
func nodeGrowAgain() harness.Case {
	return harness.Case{
		ID:           "node_grow_again",
		Text:         "grows a volume on the node, returns OK for the same growth again, and grows it once more",
		Requirements: []string{"NE-01", "NE-02", "NE-03", "CR-03"},
		Needs:        nodeGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			first := h.mustGrow(ctx, h.request(), "NE-01")
			if first == nil {
				return
			}

			again, err := h.node.NodeExpandVolume(ctx, h.request())

			harness.ExpectOK("NE-02", err, "NodeExpandVolume is idempotent: a volume that already has the size is OK")
			h.expectAnswered(h.request(), again)
			if a, b := first.GetCapacityBytes(), again.GetCapacityBytes(); a != 0 && b != 0 { // they are optional
				suite.Should(ctx, "NE-02", a == b, "%s answered capacity_bytes %d, and %d when repeated", describeNodeGrowth(h.request()), a, b)
			}
			if more := h.growMore(ctx); more != nil {
				h = more
			}
			h.expectLarger(ctx, describeNodeGrowth(h.request()))
		},
	}
}

// nodeGrowCutShort cancels the call and repeats it, as a kubelet does after a restart.
func nodeGrowCutShort() harness.Case {
	return harness.Case{
		ID:           "node_grow_cut_short",
		Text:         "finishes a growth on the node when the call is cut short and repeated",
		Requirements: []string{"NE-02", "NE-27", "CR-03", "GEN-02", "GEN-07", "GEN-15", "GEN-16"},
		Needs:        nodeGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			grow := func(ctx context.Context) (*csi.NodeExpandVolumeResponse, error) {
				return h.node.NodeExpandVolume(ctx, h.request())
			}

			answers, err := calls.CutShort(ctx, driver, grow)

			if len(answers) > 0 {
				harness.ExpectOK("NE-02", err, describeNodeGrowth(h.request())+" was OK, and is idempotent: a volume that already has the size is OK")
			}
			if h.judge(ctx, h.request(), last(answers), err, "NE-02") != nil {
				h.expectLarger(ctx, describeNodeGrowth(h.request()))
			}
		},
	}
}

// nodeGrowToSmaller requests less than the volume has. The call should be OK; a refusal is a warning. A volume never
// shrinks.
func nodeGrowToSmaller() harness.Case {
	return harness.Case{
		ID:           "node_grow_to_smaller",
		Text:         "keeps the size of a volume on the node when asked for less",
		Requirements: []string{"NE-01", "NE-03", "NE-24", "GEN-15", "GEN-16"},
		Needs:        nodeGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			if h.mustGrow(ctx, h.request(), "NE-01") == nil {
				return
			}
			total, told := data.TotalBytes(ctx, h.node, h.published)
			request := growth.NodeRequest(h.node, h.published, driver.Size())

			smaller, err := h.node.NodeExpandVolume(ctx, request)

			if err != nil {
				harness.ExpectRefused(ctx, "NE-03", err, "a volume that is already large enough is OK")
				suite.Warn(ctx, "NE-03", "the volume has %d bytes, and %s should be OK\ngot: %s", h.bytes, describeNodeGrowth(request), describe.Status(err))
			}
			if got := smaller.GetCapacityBytes(); got != 0 {
				suite.Should(ctx, "NE-24", got > sizeOf(driver, h.volume), "the volume has %d bytes, and %s answered capacity_bytes %d, which is the size of the volume", h.bytes, describeNodeGrowth(request), got)
			}
			if now, _ := data.TotalBytes(ctx, h.node, h.published); told {
				// A total that follows the free room of a shared pool may fall, but not to the size before the growth.
				suite.Must("NE-01", now >= total || now > sizeOf(driver, h.volume), "NodeGetVolumeStats has %d bytes in total after %s, and had %d: expansion does not shrink a volume", now, describeNodeGrowth(request), total)
			}
		},
	}
}
