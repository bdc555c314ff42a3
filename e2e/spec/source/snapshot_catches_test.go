// SPDX-License-Identifier: Apache-2.0

package source_test

import "github.com/csi-topo/csi-topo/e2e/internal/spectest"

// snapshotCatches has every fault of snapshots, and which cases must catch it for which reason.
var snapshotCatches = map[string][]spectest.Case{
	"does not say of what a snapshot is": {
		spectest.Fails("snapshot_volume", "SN-02"),
	},
	"does not say when a snapshot was taken": {
		spectest.Fails("snapshot_volume", "SN-03"),
	},
	"says that a snapshot was taken in 1970": {
		spectest.Warns("snapshot_volume", "SN-03"),
	},
	"says where a snapshot is usable, and does not claim to": {
		spectest.Fails("snapshot_volume", "CS-12"),
	},
	"says that a snapshot is usable from where no node is": {
		spectest.Warns("snapshot_volume", "CS-13"),
	},
	"says that a snapshot has a negative size": {
		spectest.Fails("snapshot_volume", "SN-04"),
	},
	"is ready after the second call": {
		spectest.Passes("snapshot_volume snapshot_again snapshot_outlives_volume"),
	},
	"a repeated snapshot is an error": {
		spectest.Fails("snapshot_again snapshot_at_once snapshot_cut_short", "CS-03"),
	},
	"a repeated snapshot is another one": {
		spectest.Fails("snapshot_again snapshot_at_once snapshot_cut_short", "CS-03"),
		spectest.Fails("snapshot_other_volume", "CS-18"),
	},
	"a repeated snapshot has another time": {
		spectest.Fails("snapshot_again", "CS-03"),
	},
	"a snapshot is always taken just now": {
		spectest.Fails("snapshot_again", "CS-03"),
	},
	"a name has its snapshot, whatever the volume": {
		spectest.Fails("snapshot_other_volume", "CS-18"),
	},
	"INTERNAL for a name that is taken": {
		spectest.Fails("snapshot_other_volume", "CS-18"),
	},
	"INTERNAL while another snapshot is pending": {
		spectest.Warns("snapshot_at_once", "GEN-02"),
	},
	"ABORTED while another snapshot is pending": {
		spectest.Passes("snapshot_at_once"),
	},
	"takes two snapshots for one name at once": {
		spectest.Fails("snapshot_at_once", "CS-03"),
	},
	"a snapshot of an unknown volume is OK": {
		spectest.Fails("snapshot_unknown_volume", "CS-17"),
	},
	"a plain error for an unknown volume": {
		spectest.Warns("snapshot_unknown_volume", "GEN-09"),
	},
	"a refused snapshot leaves another one": {
		spectest.Warns("snapshot_other_volume", "CS-17 CV-07"),
	},
	"a snapshot that was given up is taken a second time": {
		spectest.Fails("snapshot_cut_short", "CS-03"),
	},
	"a snapshot that was given up cannot be taken again": {
		spectest.Fails("snapshot_cut_short", "CS-03"),
	},
	"lists a snapshot before it is cut": {
		spectest.Fails("snapshot_cut_short", "LS-07"),
	},
	"a deletion that was given up cannot be repeated": {
		spectest.Fails("snapshot_deleted_again", "DS-01"),
	},
	"says that a snapshot is deleted, and keeps it": {
		spectest.Warns("snapshot_deleted_again", "DS-01 CV-07"),
	},
	"snapshots are deleted with their volume": {
		spectest.Fails("snapshot_outlives_volume", "DV-03"),
	},
	"lists no snapshots of deleted volumes": {
		spectest.Fails("snapshot_outlives_volume", "DV-03"),
	},
	"restores no snapshots of deleted volumes": {
		spectest.Fails("snapshot_outlives_volume", "DV-03"),
	},
	"FAILED_PRECONDITION for a volume with snapshots": {
		spectest.Warns("snapshot_outlives_volume", "DV-06"),
	},
	"INTERNAL for a volume with snapshots": {
		spectest.Fails("snapshot_outlives_volume", "DV-04"),
	},
	"refuses to delete a volume with snapshots, and deletes it": {
		spectest.Fails("snapshot_outlives_volume", "DV-04"),
	},
	"NOT_FOUND for the deletion of a deleted snapshot": {
		spectest.Fails("snapshot_deleted_again", "DS-02"),
	},
}

// listCatches has every fault of lists of snapshots.
var listCatches = map[string][]spectest.Case{
	"lists no snapshots": {
		spectest.Fails("snapshot_listed snapshots_by_source snapshots_paged snapshots_while_snapshots_change", "LS-01"),
	},
	"lists snapshots with another size": {
		spectest.Fails("snapshot_listed", "LS-01"),
	},
	"lists deleted snapshots by their id": {
		spectest.Warns("snapshots_by_source", "LS-05"),
	},
	"lists snapshots forever": {
		spectest.Warns("snapshot_listed", "DS-01 CV-07"),
	},
	"NOT_FOUND for an unknown snapshot_id in a list": {
		spectest.Warns("snapshots_by_source", "LS-05"),
	},
	"ignores source_volume_id in a list": {
		spectest.Fails("snapshots_by_source", "LS-01"),
	},
	"ignores snapshot_id in a list": {
		spectest.Fails("snapshots_by_source", "LS-01"),
	},
	"ignores max_entries": {
		spectest.Fails("snapshots_paged", "LS-02"),
		spectest.Warns("snapshots_negative_max_entries", "LS-08"),
	},
	"INTERNAL for a negative max_entries": {
		spectest.Fails("snapshots_negative_max_entries", "GEN-12"),
	},
	"has no small pages": {
		spectest.Warns("snapshots_paged", "LS-02"),
		spectest.Passes("snapshots_while_snapshots_change"),
	},
	"others begin a list meanwhile": {
		spectest.Passes("snapshots_paged"),
	},
	"has pages of one entry": {
		spectest.Passes("snapshots_paged snapshots_while_snapshots_change"),
	},
	"tokens end when snapshots change": {
		spectest.Passes("snapshots_while_snapshots_change"),
	},
	"INTERNAL when snapshots change": {
		spectest.Fails("snapshots_while_snapshots_change", "LS-06"),
	},
	"the second page is the first again": {
		spectest.Fails("snapshots_paged", "LS-03"),
		spectest.Fails("snapshots_invalid_token", "LS-06"),
	},
	"pages have no next_token": {
		spectest.Fails("snapshots_paged", "LS-03"),
	},
	"an invalid token is the beginning": {
		spectest.Fails("snapshots_invalid_token", "LS-06"),
	},
	"an invalid token is INVALID_ARGUMENT": {
		spectest.Fails("snapshots_invalid_token", "LS-06"),
	},
	"gets no snapshots": {
		spectest.Fails("snapshot_got", "GS-01"),
		spectest.Fails("snapshot_get_unknown", "GS-02"),
	},
	"gets snapshots with another size": {
		spectest.Fails("snapshot_got", "GS-01"),
	},
	"gets snapshots that do not exist": {
		spectest.Fails("snapshot_get_unknown", "GS-02"),
	},
	"gets no snapshot that is not ready to use": {
		spectest.Fails("snapshot_got", "GS-04"),
	},
	"says that a snapshot is ready to use before it is": {
		spectest.Fails("snapshot_got", "CS-24"),
	},
}
