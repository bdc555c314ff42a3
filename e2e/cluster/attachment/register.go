// SPDX-License-Identifier: Apache-2.0

// Package attachment has the cluster tier's cases about attaching, detaching and mounting volumes.
package attachment

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "attachment", Cases: slices.Concat([]harness.Case{
		attachedBeforeRunning(),
		detachedAfterPod(),
		movesWithinZone(),
		singleWriterOneNode(),
		manyNodesTwoZones(),
		nodePluginRestarts(),
		attachNotRequired(),
		attachRefused(),
		detachRefused(),
		readWriteOncePod(),
	}, stageRefused())}
}
