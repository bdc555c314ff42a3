// SPDX-License-Identifier: Apache-2.0

// Package growth has drivers that expand volumes wrongly, and right drivers that lack something.
package growth

import (
	"context"
	"syscall"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Drivers returns the faults, each with the cases of its side, and what is right and lacks
// something.
func Drivers() map[string]mutation.Expectation {
	wanted := lacks()
	add := func(side, focus string, faults map[string]mutation.Expectation) {
		for name, expectation := range faults {
			expectation.Focus, expectation.Options = focus, withoutLargest
			wanted[side+name] = expectation
		}
	}
	add("", "controller growth", faults())
	add("", "controller growth", nodeExpansionFaults())
	add("on the node: ", "node growth", nodeFaults())
	wanted["on the node: the end of a device cannot be written to"] = mutation.Expect(mutation.Driver{Focus: "node growth", Options: withoutLargest, Target: func(t *harness.Target) { t.Paths = shortDevices{t.Paths} }},
		mutation.Fails("node_grow_block_keeps_data", "CR-03"))
	return wanted
}

// shortDevices are nodes whose devices keep the size that they had.
type shortDevices struct{ harness.Paths }

func (s shortDevices) Write(ctx context.Context, node, path string, offset int64, data []byte) error {
	if offset >= size {
		return syscall.ENOSPC
	}
	return s.Paths.Write(ctx, node, path, offset, data)
}

// withoutLargest starts the driver without a largest size, so that growth is only limited by room.
func withoutLargest(o *embedded.Options) { o.Sizes.MaximumBytes = 0 }
