// SPDX-License-Identifier: Apache-2.0

// Package growth contains the spec tier's cases about ControllerExpandVolume and NodeExpandVolume: the sizes that a volume
// grows to, the capacity of its segments that this takes, the data afterwards, and the requests that are refused without
// changing anything. A volume never shrinks.
package growth

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "controller growth", Cases: slices.Concat(repeated(), inUse(), capabilities(), []harness.Case{growKeepsTopology()}, growNodeExpansion())},
		{Name: "controller growth, size", Cases: limits()},
		{Name: "controller growth, capacity", Cases: slices.Concat(taken(), withoutRoom())},
		{Name: "controller growth, errors", Cases: append(invalidRanges(), growUnknownVolume(), growUnsupportedCapability())},
		{Name: "node growth", Cases: slices.Concat(nodeInUse(), nodeEachPath(), nodeData(), nodeRepeated())},
		{Name: "node growth, optional fields", Cases: append(nodeOptional(), nodePaths()...)},
		{Name: "node growth, errors", Cases: slices.Concat(notOnNode(), nodeRefused(), nodeLimits())},
	}
}
