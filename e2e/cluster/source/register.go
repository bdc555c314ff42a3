// SPDX-License-Identifier: Apache-2.0

// Package source has the cluster tier's cases about volumes that are created from other data: clones of volumes, and
// restored snapshots.
package source

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "source", Cases: slices.Concat(copyInZone(), copyElsewhere(), []harness.Case{cloneSourceDeleted(), snapshotOutlivesVolume(), snapshotDeleted(), groupSnapshotRestored(), groupSnapshotCalls()})}
}
