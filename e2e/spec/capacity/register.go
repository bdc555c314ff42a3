// SPDX-License-Identifier: Apache-2.0

// Package capacity contains the spec tier's cases on GetCapacity: its answers for a segment, for a kind of volume and for
// capabilities, their changes as volumes take room, and the largest and smallest volume, which are tested at their limits;
// and the pace of calls that a sidecar makes for every topology, claim or volume.
package capacity

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Areas returns the cases of this package.
func Areas() []harness.Area {
	return []harness.Area{
		{Name: "answers of GetCapacity", Cases: answers()},
		{Name: "capacity by segment", Cases: segments()},
		{Name: "capacity by kind of volume", Cases: kindsOfVolume()},
		{Name: "capacity as volumes come and go", Cases: changes()},
		{Name: "capacity of full segments", Cases: full()},
		{Name: "largest volume", Cases: largestVolume()},
		{Name: "smallest volume", Cases: smallestVolume()},
		{Name: "pace", Cases: []harness.Case{creationKeepsUp(), listKeepsUp()}},
	}
}
