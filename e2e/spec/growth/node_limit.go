// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nodeLimits returns the cases about limit_bytes, and about ranges that no volume can have.
func nodeLimits() []harness.Case {
	return []harness.Case{nodeGrowLimit(), nodeGrowLimitBelowSize(), nodeGrowInvalidRange()}
}

// nodeGrowLimit requests exactly the size in the controller's answer, as a CO does that passes its request on from the
// controller.
func nodeGrowLimit() harness.Case {
	return harness.Case{
		ID:           "node_grow_limit",
		Text:         "should grow a volume on the node where limit_bytes is the size that the controller gave it",
		Requirements: []string{"NE-01", "NE-03", "NE-28", "CR-03", "CR-05", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME), nodeGrowth()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			request := h.request()
			request.CapacityRange.LimitBytes = max(driver.Made.Volume(h.volume.GetVolumeId()).GetCapacityBytes(), h.bytes)

			response, err := h.node.NodeExpandVolume(ctx, request)

			if isRefused(err) && h.mustGrow(ctx, h.request(), "NE-01") != nil {
				harness.ExpectRefused(ctx, "NE-28", err, "NodeExpandVolume with limit_bytes is OK, or refused")
				suite.Warn(ctx, "NE-28", "%s was refused, and is OK without limit_bytes, which is what the controller said that the volume has\ngot: %s", describeNodeGrowth(request), describe.Status(err))
				return
			}
			if h.judge(ctx, request, response, err, "NE-01") == nil {
				return
			}
			suite.Should(ctx, "CR-05", response.GetCapacityBytes() <= request.GetCapacityRange().GetLimitBytes(), "%s answered OK and capacity_bytes %d, more than limit_bytes", describeNodeGrowth(request), response.GetCapacityBytes())
			h.expectLarger(ctx, describeNodeGrowth(request))
		},
	}
}

// nodeGrowLimitBelowSize sends a limit that the volume exceeds already. A driver that leaves sizes to its controller
// may answer OK; then the CO takes the volume for smaller than it is.
func nodeGrowLimitBelowSize() harness.Case {
	return harness.Case{
		ID:           "node_grow_limit_below_size",
		Text:         "should refuse to grow a volume on the node that is already larger than limit_bytes",
		Requirements: []string{"NE-28", "CR-05", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME), nodeGrowth()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			request := h.request()
			request.CapacityRange = &csi.CapacityRange{LimitBytes: h.bytes - 1}

			_, err := h.node.NodeExpandVolume(attempt.Once(ctx), request)

			harness.ExpectMistakeRefused(ctx, "CR-05", err, "the controller has made the volume larger than limit_bytes, and "+describeNodeGrowth(request)+" is OUT_OF_RANGE (NE-28)")
		},
	}
}

// nodeGrowInvalidRange sends ranges that a CO must not ask for.
func nodeGrowInvalidRange() harness.Case {
	return harness.Case{
		ID:           "node_grow_invalid_range",
		Text:         "should refuse a capacity_range on the node that is empty or negative, or has required_bytes above limit_bytes",
		Requirements: []string{"CR-02", "CR-04", "CR-05", "CR-06", "NE-28", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        nodeGrowth(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			h := hold(ctx, driver, driver.Capability())
			for _, invalid := range []struct {
				clause string
				asked  *csi.CapacityRange
			}{
				{"CR-02", &csi.CapacityRange{}},
				{"CR-04", &csi.CapacityRange{RequiredBytes: -h.bytes}},
				{"CR-06", &csi.CapacityRange{LimitBytes: -h.bytes}},
				{"CR-05", &csi.CapacityRange{RequiredBytes: h.bytes, LimitBytes: h.bytes - 1}},
			} {
				request := h.request()
				request.CapacityRange = invalid.asked

				_, err := h.node.NodeExpandVolume(ctx, request)

				if err == nil {
					suite.Warn(ctx, invalid.clause, "%s answered OK: that hides a mistake of the CO", describeNodeGrowth(request))
					continue
				}
				harness.ExpectInvalidRefused(ctx, "GEN-12", err, describeNodeGrowth(request)+" is INVALID_ARGUMENT (GEN-12) or OUT_OF_RANGE (NE-28)", codes.InvalidArgument, codes.OutOfRange, codes.FailedPrecondition)
			}
		},
	}
}
