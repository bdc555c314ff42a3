// SPDX-License-Identifier: Apache-2.0

// Package source contains the spec tier's cases about snapshots, and about volumes that are restored from a snapshot or
// cloned from a volume. Restoring and cloning are one table of cases over two kinds of source. The topology of such a volume
// depends on its source's, and the topology of a snapshot on its volume's. Since version 1.13 of the specification, a CO can
// request a topology for a snapshot.
package source

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	snapshot, volume := restoring(), cloning()
	return []harness.Area{
		{Name: "restoring", Cases: slices.Concat(copies(snapshot), dataCases(snapshot), sizes(snapshot), deletions(snapshot))},
		{Name: "restoring where the snapshot is usable", Cases: reach(snapshot)},
		{Name: "cloning", Cases: slices.Concat(copies(volume), dataCases(volume), sizes(volume), deletions(volume), []harness.Case{cloneLeavesNoSnapshot()})},
		{Name: "cloning where the source is", Cases: reach(volume)},
		{Name: "restoring and cloning from other sources", Cases: []harness.Case{sourceEmpty(), sourceUnsupported()}},
		{Name: "taking snapshots", Cases: slices.Concat(taking(), lifetime())},
		{Name: "listing snapshots", Cases: slices.Concat(listingCases(), getting())},
		{Name: "topology of snapshots", Cases: topology()},
	}
}
