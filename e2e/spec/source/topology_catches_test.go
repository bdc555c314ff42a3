package source_test

import "github.com/csi-topo/csi-topo/e2e/spec/spectest"

const snapshotsWithin = "snapshot_within snapshot_preferring snapshot_preferred_only snapshot_two_zones"

// topologyCatches has every fault of where snapshots can be used, and which cases must catch it for which reason.
var topologyCatches = map[string][]spectest.Case{
	"does not claim SNAPSHOT_ACCESSIBILITY_CONSTRAINTS": {
		spectest.Fails("snapshot_topology_claimed", "claims SNAPSHOT_ACCESSIBILITY_CONSTRAINTS (CS-12)"),
		spectest.Skips(snapshotsWithin+" snapshot_restorable snapshot_out_of_reach snapshot_unknown_topology snapshot_empty_requirement snapshot_topology_again snapshot_topology_reported",
			"does not list SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"),
	},
	"says that a snapshot is usable from where no node is": {
		spectest.Fails("snapshot_topology_claimed", "which no node reports (CS-13)"),
		spectest.Fails(snapshotsWithin, "zone=Z9}, and was to be from"),
		spectest.Fails("snapshot_topology_reported", "and CreateSnapshot from"),
	},
	"says that a snapshot is usable from a zone more": {
		spectest.Fails("snapshot_restorable snapshot_preferring", "volumes made from it are accessible from there (CS-05)"),
	},
	"says nothing of where a snapshot is usable": {
		spectest.Fails("snapshot_restorable snapshot_preferring", "volumes made from it are accessible from there (CS-05)"),
		spectest.Fails("snapshot_topology_reported", "and CreateSnapshot from {}"),
	},
	"ignores the requirement of a snapshot": {
		spectest.Fails("snapshot_out_of_reach snapshot_topology_again", "zone=Z3} (CS-05)"),
		spectest.Fails("snapshot_unknown_topology", "the call was not refused"),
	},
	"does not know the requirement of a snapshot": {
		spectest.Fails(snapshotsWithin+" snapshot_topology_again", "usable from accessibility_requirements (CS-05)\ngot: INVALID_ARGUMENT"),
		spectest.Fails("snapshot_out_of_reach", "its code is INVALID_ARGUMENT, not RESOURCE_EXHAUSTED"),
	},
	"looks only at what is preferred for a snapshot": {
		spectest.Fails("snapshot_preferring", "usable from accessibility_requirements (CS-05)\ngot: RESOURCE_EXHAUSTED"),
	},
	"INTERNAL where a snapshot cannot be": {
		spectest.Fails("snapshot_out_of_reach", "its code is INTERNAL, not RESOURCE_EXHAUSTED"),
	},
	"an empty requirement is INTERNAL": {
		spectest.Fails("snapshot_empty_requirement", "its code is INTERNAL, not INVALID_ARGUMENT"),
	},
	"a repeated snapshot is refused for its requirement": {
		spectest.Fails("snapshot_topology_again", "it is the answer (CS-04)\ngot: INTERNAL"),
	},
	"a name has its snapshot, wherever it is asked for": {
		spectest.Fails("snapshot_topology_again", "zone=Z3} (CS-05)"),
	},
	"lists snapshots without topology": {
		spectest.Fails("snapshot_topology_reported", "ListSnapshots has the snapshot usable from {}"),
	},
	"gets snapshots without topology": {
		spectest.Fails("snapshot_topology_reported", "GetSnapshot has the snapshot usable from {}"),
	},
	"a refused snapshot leaves one": {
		spectest.Fails("snapshot_out_of_reach snapshot_unknown_topology", "a call that is refused takes no snapshot (CS-17)"),
		spectest.Fails("snapshot_topology_again snapshot_empty_requirement", "the case leaked"),
	},
}
