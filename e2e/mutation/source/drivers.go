// SPDX-License-Identifier: Apache-2.0

// Package source has drivers that take, list and restore snapshots wrongly, or clone volumes wrongly, and right drivers
// that lack something.
package source

import (
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// group holds the faults of one part, with the areas whose cases are run against them.
type group struct {
	focus  string
	faults map[string]mutation.Expectation
}

func groups() []group {
	return []group{
		{"restoring|cloning|source_", faults()},
		{"restoring|cloning|source_", deviceFaults()},
		{"taking snapshots", snapshotFaults()},
		{"listing snapshots", listFaults()},
		{"topology of snapshots", topologyFaults()},
	}
}

// Drivers returns the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := lacks()
	wanted["takes no snapshots"] = mutation.Expect(mutation.Driver{Fault: mutation.Unimplemented("CreateSnapshot"), Focus: "snapshot_volume"},
		mutation.Fails("snapshot_volume", "CS-22"))
	wanted["creates an empty volume from a source that it does not claim"] = mutation.Expect(mutation.Driver{Fault: unclaimedIgnored(), Focus: "source_unsupported"},
		mutation.Fails("source_unsupported", "CREATE-04"))
	wanted["says of an empty volume that it has a source which it does not claim"] = mutation.Expect(mutation.Driver{Fault: unclaimedEmpty(), Focus: "source_unsupported"},
		mutation.Fails("source_unsupported", "CREATE-04"))
	wanted["an invalid token is INVALID_ARGUMENT once a snapshot is deleted"] = mutation.Expect(mutation.Driver{Fault: forgettingTokens(), Only: []string{"snapshots_invalid_token_later"}},
		mutation.Fails("snapshots_invalid_token_later", "LS-06"))
	wanted["deletes in the background for longer than cases wait"] = mutation.Expect(mutation.Driver{Fault: mutation.DeletingLate(), Focus: "unknown_source|snapshot_unknown_volume"},
		mutation.Errs(unknown+" snapshot_unknown_volume"))
	wanted["leaves the snapshot that a clone was made by"] = mutation.Expect(mutation.Driver{Fault: leavingHelpers(), Focus: "clone_leaves_no_snapshot"},
		mutation.Warns("clone_leaves_no_snapshot", "CV-07")).Seen("linstor-csi issue 90")
	for _, g := range groups() {
		for name, expectation := range g.faults {
			expectation.Focus = g.focus
			wanted[name] = expectation
		}
	}
	return wanted
}
