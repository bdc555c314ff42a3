// SPDX-License-Identifier: Apache-2.0

package source

import "github.com/csi-topo/csi-topo/e2e/mutation"

const (
	outOfReach   = "restore_out_of_reach clone_out_of_reach"
	full         = "restore_full_segment clone_full_segment"
	unknown      = "restore_unknown_source clone_unknown_source"
	smaller      = "restore_smaller clone_smaller"
	sameSize     = "restore_same_size clone_same_size"
	larger       = "restore_larger clone_larger"
	largerOnNode = "restore_larger_on_node clone_larger_on_node"
	again        = "restore_again clone_again"
	nameTaken    = "restore_name_taken clone_name_taken"
	countedOnce  = "restore_counted_once clone_counted_once"
	outlives     = "restore_outlives_snapshot clone_outlives_source"
	partly       = "restore_partly_in_reach clone_partly_in_reach"
	inReach      = "restore_in_reach clone_in_reach"
	made         = "restore_volume clone_volume"
	keepsData    = "restore_data clone_data"
	largerData   = "restore_larger_data clone_larger_data"
	independent  = "restore_independent clone_independent"
)

// catches has every fault of volumes with a source, and which cases must catch it for which reason.
func catches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"makes nothing from a source": {
			mutation.Fails("restore_volume restore_again restore_name_taken restore_counted_once restore_outlives_snapshot restore_independent", "CS-01"),
			mutation.Fails("restore_data", "DV-03"),
			mutation.Fails("clone_volume clone_again clone_name_taken clone_counted_once clone_outlives_source clone_data clone_independent", "CS-02"),
			mutation.Fails(inReach, "TR-07"),
			mutation.Fails(partly, "TR-11"),
			mutation.Fails(larger+" "+largerData, "CV-05"),
		},
		"a copy is empty": {
			mutation.Fails(keepsData+" "+independent, "VS-02"),
			mutation.Fails(largerData, "CV-05"),
			mutation.Passes(made + " " + again),
		},
		"a larger copy is empty": {
			mutation.Fails(largerData, "CV-05"),
		},
		"a copy has what was written to the one before it": {
			mutation.Fails(independent, "VS-02"),
		},
		"what is written to a copy is in the volume it was made of": {
			mutation.Fails(independent, "VS-02"),
		},
		"a repeated call copies once more": {
			mutation.Fails(independent, "CV-02"),
		},
		"a repeated call takes the snapshot once more": {
			mutation.Fails("restore_independent", "CS-03"),
		},
		"says what a volume is made from at first only": {
			mutation.Warns(again, "VS-01"),
		},
		"says no size of snapshots, and passes over limit_bytes": {
			mutation.Fails("restore_smaller", "CR-05"),
		},
		"a snapshot is cut when its volume is deleted": {
			mutation.Fails("restore_data", "CS-23"),
		},
		"lists no copies": {
			mutation.Fails(made, "LV-01"),
		},
		"does not say what a volume is made from": {
			mutation.Warns(made, "VS-01"),
		},
		"answers with the source itself": {
			mutation.Fails("clone_volume", "VOL-04"),
		},
		"is where the source is, whatever the request": {
			mutation.Fails(outOfReach, "TR-04"),
		},
		"looks at the first of requisite only": {
			mutation.Fails(partly, "PF-03"),
		},
		"looks at the first of preferred only": {
			mutation.Fails(partly, "PF-03"),
		},
		"INTERNAL without room": {
			mutation.Fails(outOfReach, "CREATE-02 CREATE-08"),
			mutation.Fails(full, "CREATE-02 CREATE-08"),
		},
		"INVALID_ARGUMENT without room": {
			mutation.Warns(outOfReach, "CREATE-08"),
			mutation.Fails(full, "CREATE-02 CREATE-08"),
		},
		"no message with a refusal": {
			mutation.Fails(outOfReach+" "+full+" "+unknown+" "+smaller+" "+nameTaken+" source_empty", "GEN-15"),
		},
		"a refused copy leaves a volume": {
			mutation.Warns(outOfReach+" "+full+" "+unknown+" "+smaller+" "+nameTaken+" source_empty", "CV-07"),
		},
		"an unknown source is an empty volume": {
			mutation.Fails(unknown, "CREATE-05"),
		},
		"INTERNAL for an unknown source": {
			mutation.Fails(unknown, "CREATE-05"),
		},
		"a copy has room for a part of its source only": {
			mutation.Fails("restore_smaller", "CS-11"),
			mutation.Passes("clone_smaller"),
		},
		"INVALID_ARGUMENT for a source that is too large": {
			mutation.Fails("restore_smaller", "CREATE-11"),
			mutation.Warns("clone_smaller", "CREATE-11"),
		},
		"INTERNAL for a source that is too large": {
			mutation.Fails(smaller, "CREATE-11"),
		},
		"a copy ignores limit_bytes": {
			mutation.Fails(smaller, "CR-05"),
		},
		"a copy ignores limit_bytes, and does not say how large it is": {
			mutation.Warns("restore_smaller", "CS-11"),
			mutation.Passes("clone_smaller"),
		},
		"a copy cannot have the size of its source": {
			mutation.Warns(sameSize, "CREATE-11"),
		},
		"a copy has half of required_bytes": {
			mutation.Fails(made+" "+again+" "+nameTaken+" "+outlives+" "+countedOnce+" "+keepsData+" "+independent+" "+sameSize+" clone_smaller", "CV-11"),
			mutation.Fails("restore_smaller", "CV-11"),
			mutation.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05"),
		},
		"says that a copy is as small as was asked for": {
			mutation.Fails("restore_smaller", "CS-11"),
			mutation.Passes("clone_smaller"),
		},
		"a copy is as large as its source, whatever the request": {
			mutation.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05"),
		},
		"creates volumes in Z3 only": {
			mutation.Passes(largerOnNode + " " + largerData + " restore_data clone_data restore_independent clone_independent"),
		},
		"a larger copy is refused": {
			mutation.Passes(larger + " " + largerOnNode + " " + largerData),
		},
		"a larger copy is INTERNAL": {
			mutation.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05"),
		},
		"a larger copy has the old file system": {
			mutation.Fails(largerOnNode, "CV-05"),
		},
		"a repeated copy is ALREADY_EXISTS": {
			mutation.Fails(again, "CV-03"),
		},
		"a repeated copy is another volume": {
			mutation.Fails(again, "CV-02"),
			mutation.Fails(nameTaken, "CREATE-06"),
		},
		"a name has its volume, whatever the source": {
			mutation.Fails(nameTaken, "CREATE-06"),
		},
		"a copy is counted twice": {
			mutation.Fails(countedOnce, "CAP-07"),
		},
		"does not say how large a copy is": {
			mutation.Passes(countedOnce + " " + made),
		},
		"a copy is not counted": {
			mutation.Fails(countedOnce, "CAP-07"),
		},
		"copies go with their source": {
			mutation.Fails("restore_outlives_snapshot restore_data", "DS-04"),
			mutation.Fails("clone_outlives_source clone_data", "DV-05"),
		},
		"a source that was copied cannot be deleted": {
			mutation.Passes(outlives),
		},
		"INTERNAL for a source that was copied": {
			mutation.Fails("restore_outlives_snapshot", "DS-04"),
			mutation.Fails("clone_outlives_source", "DV-05"),
		},
		"OK to an empty source": {
			mutation.Fails("source_empty", "GEN-11"),
		},
		"INTERNAL to an empty source": {
			mutation.Fails("source_empty", "GEN-11"),
		},
	}
}
