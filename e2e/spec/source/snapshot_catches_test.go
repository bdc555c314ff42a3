package source_test

import "github.com/csi-topo/csi-topo/e2e/spec/spectest"

// snapshotCatches has every fault of snapshots, and which cases must catch it for which reason.
var snapshotCatches = map[string][]spectest.Case{
	"does not say of what a snapshot is": {
		spectest.Fails("snapshot_volume", "source_volume_id is that of the volume (SN-02)"),
	},
	"does not say when a snapshot was taken": {
		spectest.Fails("snapshot_volume", "creation_time is required (SN-03)"),
	},
	"says that a snapshot has a negative size": {
		spectest.Fails("snapshot_volume", "size_bytes is not negative (SN-04)"),
	},
	"is ready after the second call": {
		spectest.Passes("snapshot_volume snapshot_again snapshot_outlives_volume", ""),
	},
	"a repeated snapshot is an error": {
		spectest.Fails("snapshot_again", "the same request again is OK with the snapshot that it took (CS-03)\ngot: INTERNAL"),
		spectest.Fails("snapshot_at_once", "with no call pending, the request is OK"),
	},
	"a repeated snapshot is another one": {
		spectest.Fails("snapshot_again", "the same request again has the same snapshot (CS-03)"),
		spectest.Fails("snapshot_at_once", "one name is one snapshot (CS-03)"),
		spectest.Fails("snapshot_other_volume", "the call was not refused"),
	},
	"a repeated snapshot has another time": {
		spectest.Fails("snapshot_again", "creation_time is "),
	},
	"a name has its snapshot, whatever the volume": {
		spectest.Fails("snapshot_other_volume", "ALREADY_EXISTS (CS-18)\ngot: OK"),
	},
	"INTERNAL for a name that is taken": {
		spectest.Fails("snapshot_other_volume", "its code is INTERNAL, not ALREADY_EXISTS"),
	},
	"INTERNAL while another snapshot is pending": {
		spectest.Warns("snapshot_at_once", "several calls at once should be answered, or be ABORTED (GEN-02), and one was refused: rpc error: code = Internal"),
	},
	"ABORTED while another snapshot is pending": {
		spectest.Passes("snapshot_at_once", ""),
	},
	"takes two snapshots for one name at once": {
		spectest.Fails("snapshot_at_once", "one name is one snapshot (CS-03)"),
	},
	"a snapshot of an unknown volume is OK": {
		spectest.Fails("snapshot_unknown_volume", "there is no volume to take a snapshot of (CS-17)\ngot: OK"),
	},
	"a plain error for an unknown volume": {
		spectest.Fails("snapshot_unknown_volume", "a status has one of the codes that the specification knows (GEN-09)"),
	},
	"INTERNAL without room for a snapshot": {
		spectest.Fails("snapshot_full_segment", "its code is INTERNAL, not RESOURCE_EXHAUSTED"),
	},
	"a refused snapshot leaves another one": {
		spectest.Fails("snapshot_full_segment snapshot_other_volume snapshot_unknown_volume", "a call that is refused takes no snapshot (CS-17)"),
	},
	"snapshots go with their volume": {
		spectest.Fails("snapshot_outlives_volume", "appears in ListSnapshots (DV-03)"),
	},
	"lists no snapshots of volumes that have gone": {
		spectest.Fails("snapshot_outlives_volume", "finds the snapshot of a deleted volume by its id, as before (DV-03)"),
	},
	"restores no snapshots of volumes that have gone": {
		spectest.Fails("snapshot_outlives_volume", "acceptable as a source (DV-03)\ngot: NOT_FOUND"),
	},
	"a volume with snapshots is kept": {
		spectest.Passes("snapshot_outlives_volume", ""),
	},
	"a volume with snapshots is INTERNAL": {
		spectest.Fails("snapshot_outlives_volume", "its code is INTERNAL, not FAILED_PRECONDITION"),
	},
	"a volume with snapshots is refused and gone": {
		spectest.Fails("snapshot_outlives_volume", "is still there, and ValidateVolumeCapabilities finds it"),
	},
	"a snapshot that is gone is NOT_FOUND": {
		spectest.Fails("snapshot_deleted_again", "a snapshot that does not exist is OK (DS-02)\ngot: NOT_FOUND"),
	},
}

// listCatches has every fault of lists of snapshots.
var listCatches = map[string][]spectest.Case{
	"lists no snapshots": {
		spectest.Fails("snapshot_listed", "ListSnapshots has all snapshots (LS-01)"),
		spectest.Fails("snapshots_by_source", "the snapshots of source_volume_id and no others (LS-04)"),
		spectest.Fails("snapshots_by_id", "the list has snapshot_id and no other (LS-05)"),
		spectest.Fails("snapshots_paged", "the page has room for 2 (LS-02)"),
	},
	"lists snapshots with another size": {
		spectest.Fails("snapshot_listed", "size_bytes is 16777217, and was 16777216"),
	},
	"lists deleted snapshots": {
		spectest.Fails("snapshots_by_id", "a snapshot that is deleted is in no list (LS-05)"),
	},
	"ignores source_volume_id in a list": {
		spectest.Fails("snapshots_by_source", "the snapshots of source_volume_id and no others (LS-04)"),
	},
	"ignores snapshot_id in a list": {
		spectest.Fails("snapshots_by_id", "the list has snapshot_id and no other (LS-05)"),
	},
	"ignores max_entries": {
		spectest.Fails("snapshots_paged", "the page has room for 2 (LS-02)"),
	},
	"the second page is the first again": {
		spectest.Fails("snapshots_paged", "starting_token continues where the page before ended (LS-03)"),
		spectest.Fails("snapshots_invalid_token", "a starting_token that is not valid is ABORTED (LS-06)\ngot: OK"),
	},
	"pages have no next_token": {
		spectest.Fails("snapshots_paged", "next_token is set when more remain (LS-03)"),
	},
	"an invalid token is the beginning": {
		spectest.Fails("snapshots_invalid_token", "a starting_token that is not valid is ABORTED (LS-06)\ngot: OK"),
	},
	"an invalid token is INVALID_ARGUMENT": {
		spectest.Fails("snapshots_invalid_token", "its code is INVALID_ARGUMENT, not ABORTED"),
	},
	"gets no snapshots": {
		spectest.Fails("snapshot_got", "a plugin that claims GET_SNAPSHOT has it (GS-01)\ngot: UNIMPLEMENTED"),
		spectest.Fails("snapshot_get_unknown", "its code is UNIMPLEMENTED, not NOT_FOUND"),
	},
	"gets snapshots with another size": {
		spectest.Fails("snapshot_got", "size_bytes is 16777217, and was 16777216"),
	},
	"gets what there is not": {
		spectest.Fails("snapshot_get_unknown", "a snapshot that does not exist is NOT_FOUND (GS-02)\ngot: OK"),
	},
}
