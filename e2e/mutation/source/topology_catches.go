// SPDX-License-Identifier: Apache-2.0

package source

import (
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const snapshotsWithin = "snapshot_within snapshot_preferring snapshot_preferred_only snapshot_two_zones"

// topologyCatches has every fault of where snapshots can be used, and which cases must catch it for which reason.
func topologyCatches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"does not claim SNAPSHOT_ACCESSIBILITY_CONSTRAINTS": {
			mutation.Skips(snapshotsWithin+" snapshot_restorable snapshot_out_of_reach snapshot_unknown_topology snapshot_empty_requirement snapshot_topology_again snapshot_topology_reported", suite.ByCapability),
		},
		"says that a snapshot is usable from where no node is": {
			mutation.Fails(snapshotsWithin, "CS-05"),
			mutation.Warns("snapshot_topology_reported", "CS-13"),
		},
		"says that a snapshot is usable from a zone more": {
			mutation.Fails("snapshot_restorable snapshot_preferring", "TR-07"),
		},
		"says nothing of where a snapshot is usable": {
			mutation.Fails("snapshot_restorable snapshot_preferring", "TR-07"),
			mutation.Warns("snapshot_topology_reported", "CS-13"),
		},
		"ignores the requirement of a snapshot": {
			mutation.Fails("snapshot_out_of_reach snapshot_topology_again snapshot_unknown_topology", "CS-05"),
		},
		"does not know the requirement of a snapshot": {
			mutation.Fails(snapshotsWithin+" snapshot_topology_again", "CS-05"),
			mutation.Fails("snapshot_out_of_reach", "CS-19"),
		},
		"looks only at preferred for a snapshot": {
			mutation.Fails("snapshot_preferring", "CS-05"),
		},
		"INTERNAL where a snapshot cannot be": {
			mutation.Fails("snapshot_out_of_reach", "CS-19"),
		},
		"says that a snapshot is usable from everywhere, whatever the request": {
			mutation.Warns("snapshot_unknown_topology", "GEN-12"),
			mutation.Fails("snapshot_out_of_reach snapshot_topology_again snapshot_preferring snapshot_restorable", "TR-07"),
			mutation.Warns("snapshot_topology_reported", "CS-13"),
		},
		"takes another snapshot of the name in another zone": {
			mutation.Fails("snapshot_topology_again", "CS-05"),
		},
		"an empty requirement is INTERNAL": {
			mutation.Fails("snapshot_empty_requirement", "GEN-12"),
		},
		"a repeated snapshot is refused for its requirement": {
			mutation.Fails("snapshot_topology_again", "CS-04"),
		},
		"a name has its snapshot, wherever it is asked for": {
			mutation.Fails("snapshot_topology_again", "CS-05"),
		},
		"lists snapshots without topology": {
			mutation.Warns("snapshot_topology_reported", "CS-13"),
		},
		"gets snapshots without topology": {
			mutation.Warns("snapshot_topology_reported", "CS-13"),
		},
		"a refused snapshot leaves one": {
			mutation.Warns("snapshot_out_of_reach snapshot_unknown_topology", "CS-17 CV-07"),
			mutation.Warns("snapshot_topology_again snapshot_empty_requirement", "CV-07"),
		},
	}
}
