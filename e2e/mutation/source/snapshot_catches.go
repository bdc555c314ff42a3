// SPDX-License-Identifier: Apache-2.0

package source

import "github.com/csi-topo/csi-topo/e2e/mutation"

// snapshotCatches has every fault of snapshots, and which cases must catch it for which reason.
func snapshotCatches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"gives no snapshot_id": {
			mutation.Fails("snapshot_volume", "SN-01"),
		},
		"does not say of what a snapshot is": {
			mutation.Fails("snapshot_volume", "SN-02"),
		},
		"does not say when a snapshot was taken": {
			mutation.Fails("snapshot_volume", "SN-03"),
		},
		"says that a snapshot was taken in 1970": {
			mutation.Warns("snapshot_volume", "SN-03"),
		},
		"says where a snapshot is usable, and does not claim to": {
			mutation.Fails("snapshot_volume", "CS-12"),
		},
		"says that a snapshot is usable from where no node is": {
			mutation.Warns("snapshot_volume", "CS-13"),
		},
		"says that a snapshot has a negative size": {
			mutation.Fails("snapshot_volume", "SN-04"),
		},
		"is ready after the second call": {
			mutation.Passes("snapshot_volume snapshot_again snapshot_outlives_volume"),
		},
		"a snapshot's name is taken forever": {
			mutation.Fails("snapshot_name_free_after_deletion", "CS-18"),
		},
		"a repeated snapshot is an error": {
			mutation.Warns("snapshot_name_free_after_deletion", "CS-18 CV-07"),
			mutation.Fails("snapshot_again snapshot_at_once snapshot_cut_short", "CS-03"),
		},
		"a repeated snapshot is another one": {
			mutation.Fails("snapshot_again snapshot_at_once snapshot_cut_short", "CS-03"),
			mutation.Fails("snapshot_other_volume", "CS-18"),
		},
		"a repeated snapshot has another time": {
			mutation.Fails("snapshot_again", "CS-03"),
		},
		"a snapshot is always taken just now": {
			mutation.Fails("snapshot_again", "CS-03"),
		},
		"a name has its snapshot, whatever the volume": {
			mutation.Fails("snapshot_other_volume", "CS-18"),
		},
		"INTERNAL for a name that is taken": {
			mutation.Fails("snapshot_other_volume", "CS-18"),
		},
		"INTERNAL while another snapshot is pending": {
			mutation.Warns("snapshot_at_once", "GEN-02"),
		},
		"ABORTED while another snapshot is pending": {
			mutation.Passes("snapshot_at_once"),
		},
		"takes two snapshots for one name at once": {
			mutation.Fails("snapshot_at_once", "CS-03"),
		},
		"a snapshot of an unknown volume is OK": {
			mutation.Fails("snapshot_unknown_volume", "CS-17"),
		},
		"a snapshot that was refused is OK when asked for again": {
			mutation.Fails("snapshot_unknown_volume", "CS-17"),
		},
		"a plain error for an unknown volume": {
			mutation.Warns("snapshot_unknown_volume", "GEN-09"),
		},
		"a refused snapshot leaves another one": {
			mutation.Warns("snapshot_other_volume", "CS-17 CV-07"),
		},
		"a snapshot that was given up is taken a second time": {
			mutation.Fails("snapshot_cut_short", "CS-03"),
		},
		"a snapshot that was given up cannot be taken again": {
			mutation.Fails("snapshot_cut_short", "CS-03"),
		},
		"lists a snapshot before it is cut": {
			mutation.Fails("snapshot_cut_short", "LS-07"),
		},
		"a deletion that was given up cannot be repeated": {
			mutation.Fails("snapshot_deleted_again", "DS-01"),
		},
		"says that a snapshot is deleted, and keeps it": {
			mutation.Warns("snapshot_deleted_again", "DS-01 CV-07"),
		},
		"snapshots are deleted with their volume": {
			mutation.Fails("snapshot_outlives_volume", "DV-03"),
		},
		"lists no snapshots of deleted volumes": {
			mutation.Fails("snapshot_outlives_volume", "DV-03"),
		},
		"restores no snapshots of deleted volumes": {
			mutation.Fails("snapshot_outlives_volume", "DV-03"),
		},
		"FAILED_PRECONDITION for a volume with snapshots": {
			mutation.Warns("snapshot_outlives_volume", "DV-06"),
		},
		"INTERNAL for a volume with snapshots": {
			mutation.Fails("snapshot_outlives_volume", "DV-04"),
		},
		"refuses to delete a volume with snapshots, and deletes it": {
			mutation.Fails("snapshot_outlives_volume", "DV-04"),
		},
		"deletes what a snapshot_id leads to as a path": {
			mutation.Fails("snapshot_deleted_by_path", "DS-02"),
		},
		"NOT_FOUND for the deletion of a deleted snapshot": {
			mutation.Fails("snapshot_deleted_again", "DS-02"),
		},
	}
}

// listCatches has every fault of lists of snapshots.
func listCatches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"lists no snapshots": {
			mutation.Fails("snapshots_by_both", "LS-01"),
			mutation.Fails("snapshot_listed snapshots_by_source snapshots_paged snapshots_paged_all snapshots_while_snapshots_change", "LS-01"),
		},
		"lists snapshots with another size": {
			mutation.Fails("snapshot_listed", "LS-01"),
		},
		"lists deleted snapshots by their id": {
			mutation.Warns("snapshots_by_both", "LS-01"),
			mutation.Warns("snapshots_by_source", "LS-05"),
		},
		"lists snapshots forever": {
			mutation.Warns("snapshot_listed", "DS-01 CV-07"),
		},
		"NOT_FOUND for an unknown snapshot_id in a list": {
			mutation.Warns("snapshots_by_source", "LS-05"),
		},
		"ignores source_volume_id in a list": {
			mutation.Warns("snapshots_by_both", "LS-01"),
			mutation.Fails("snapshots_by_source", "LS-01"),
		},
		"ignores snapshot_id in a list": {
			mutation.Fails("snapshots_by_source", "LS-01"),
		},
		"ignores max_entries": {
			mutation.Fails("snapshots_paged snapshots_paged_all", "LS-02"),
			mutation.Warns("snapshots_negative_max_entries", "LS-08"),
		},
		"INTERNAL for a negative max_entries": {
			mutation.Warns("snapshots_negative_max_entries", "GEN-12"),
		},
		"has no small pages": {
			mutation.Warns("snapshots_paged snapshots_paged_all", "LS-02"),
			mutation.Passes("snapshots_while_snapshots_change"),
		},
		"others begin a list meanwhile": {
			mutation.Passes("snapshots_paged snapshots_paged_all"),
		},
		"has pages of one entry": {
			mutation.Passes("snapshots_paged snapshots_paged_all snapshots_while_snapshots_change"),
		},
		"tokens end when snapshots change": {
			mutation.Passes("snapshots_while_snapshots_change"),
		},
		"INTERNAL when snapshots change": {
			mutation.Fails("snapshots_while_snapshots_change", "LS-06"),
		},
		"the second page is the first again": {
			mutation.Fails("snapshots_paged snapshots_paged_all", "LS-03"),
			mutation.Fails("snapshots_invalid_token", "LS-06"),
		},
		"pages of all snapshots have no next_token": {
			mutation.Fails("snapshots_paged_all", "LS-03"),
		},
		"pages have no next_token": {
			mutation.Fails("snapshots_paged snapshots_paged_all", "LS-03"),
		},
		"an invalid token is the beginning": {
			mutation.Fails("snapshots_invalid_token", "LS-06"),
		},
		"an invalid token is INVALID_ARGUMENT": {
			mutation.Fails("snapshots_invalid_token", "LS-06"),
		},
		"gets no snapshots": {
			mutation.Fails("snapshot_got", "GS-01"),
			mutation.Fails("snapshot_get_unknown", "GS-02"),
		},
		"gets snapshots with another size": {
			mutation.Fails("snapshot_got", "GS-01"),
		},
		"gets snapshots that do not exist": {
			mutation.Fails("snapshot_get_unknown", "GS-02"),
		},
		"gets no snapshot that is not ready to use": {
			mutation.Fails("snapshot_got", "GS-04"),
		},
		"says that a snapshot is ready to use before it is": {
			mutation.Fails("snapshot_got", "CS-24"),
		},
	}
}
