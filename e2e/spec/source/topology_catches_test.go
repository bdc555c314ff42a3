// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

const snapshotsWithin = "snapshot_within snapshot_preferring snapshot_preferred_only snapshot_two_zones"

// topologyCatches has every fault of where snapshots can be used, and which cases must catch it for which reason.
var topologyCatches = map[string][]spectest.Case{
	"does not claim SNAPSHOT_ACCESSIBILITY_CONSTRAINTS": {
		spectest.Skips(snapshotsWithin+" snapshot_restorable snapshot_out_of_reach snapshot_unknown_topology snapshot_empty_requirement snapshot_topology_again snapshot_topology_reported", verdict.ByCapability),
	},
	"says that a snapshot is usable from where no node is": {
		spectest.Fails(snapshotsWithin, "CS-05"),
		spectest.Warns("snapshot_topology_reported", "CS-13"),
	},
	"says that a snapshot is usable from a zone more": {
		spectest.Fails("snapshot_restorable snapshot_preferring", "TR-07"),
	},
	"says nothing of where a snapshot is usable": {
		spectest.Fails("snapshot_restorable snapshot_preferring", "TR-07"),
		spectest.Warns("snapshot_topology_reported", "CS-13"),
	},
	"ignores the requirement of a snapshot": {
		spectest.Fails("snapshot_out_of_reach snapshot_topology_again snapshot_unknown_topology", "CS-05"),
	},
	"does not know the requirement of a snapshot": {
		spectest.Fails(snapshotsWithin+" snapshot_topology_again", "CS-05"),
		spectest.Fails("snapshot_out_of_reach", "CS-19"),
	},
	"looks only at preferred for a snapshot": {
		spectest.Fails("snapshot_preferring", "CS-05"),
	},
	"INTERNAL where a snapshot cannot be": {
		spectest.Fails("snapshot_out_of_reach", "CS-19"),
	},
	"says that a snapshot is usable from everywhere, whatever the request": {
		spectest.Warns("snapshot_unknown_topology", "GEN-12"),
		spectest.Fails("snapshot_out_of_reach snapshot_topology_again snapshot_preferring snapshot_restorable", "TR-07"),
		spectest.Warns("snapshot_topology_reported", "CS-13"),
	},
	"takes another snapshot of the name in another zone": {
		spectest.Fails("snapshot_topology_again", "CS-05"),
	},
	"an empty requirement is INTERNAL": {
		spectest.Fails("snapshot_empty_requirement", "GEN-12"),
	},
	"a repeated snapshot is refused for its requirement": {
		spectest.Fails("snapshot_topology_again", "CS-04"),
	},
	"a name has its snapshot, wherever it is asked for": {
		spectest.Fails("snapshot_topology_again", "CS-05"),
	},
	"lists snapshots without topology": {
		spectest.Warns("snapshot_topology_reported", "CS-13"),
	},
	"gets snapshots without topology": {
		spectest.Warns("snapshot_topology_reported", "CS-13"),
	},
	"a refused snapshot leaves one": {
		spectest.Warns("snapshot_out_of_reach snapshot_unknown_topology", "CS-17 CV-07"),
		spectest.Warns("snapshot_topology_again snapshot_empty_requirement", "CV-07"),
	},
}
