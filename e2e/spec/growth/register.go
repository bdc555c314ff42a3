// SPDX-License-Identifier: Apache-2.0

// Package growth has the spec tier's cases about ControllerExpandVolume and NodeExpandVolume: which sizes a volume
// grows to, how much capacity of its segments that takes, which data it has afterwards, and which requests are
// refused without changing anything. A volume never shrinks.
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
