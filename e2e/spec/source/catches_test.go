// SPDX-License-Identifier: Apache-2.0

package source_test

import "github.com/csi-topo/csi-topo/e2e/internal/spectest"

const (
	outOfReach   = "restore_out_of_reach clone_out_of_reach"
	full         = "restore_full_segment clone_full_segment"
	unknown      = "restore_unknown_source clone_unknown_source"
	smaller      = "restore_smaller clone_smaller"
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
var catches = map[string][]spectest.Case{
	"makes nothing from a source": {
		spectest.Fails("restore_volume restore_again restore_name_taken restore_counted_once restore_outlives_snapshot restore_independent", "CS-01"),
		spectest.Fails("restore_data", "DV-03"),
		spectest.Fails("clone_volume clone_again clone_name_taken clone_counted_once clone_outlives_source clone_data clone_independent", "CS-02"),
		spectest.Fails(inReach, "TR-07"),
		spectest.Fails(partly, "TR-11"),
		spectest.Fails(larger+" "+largerData, "CV-05"),
	},
	"a copy is empty": {
		spectest.Fails(keepsData+" "+independent, "VS-02"),
		spectest.Fails(largerData, "CV-05"),
		spectest.Passes(made + " " + again),
	},
	"a larger copy is empty": {
		spectest.Fails(largerData, "CV-05"),
	},
	"a copy has what was written to the one before it": {
		spectest.Fails(independent, "VS-02"),
	},
	"what is written to a copy is in the volume it was made of": {
		spectest.Fails(independent, "VS-02"),
	},
	"a snapshot is cut when its volume is deleted": {
		spectest.Fails("restore_data", "CS-23"),
	},
	"lists no copies": {
		spectest.Fails(made, "LV-01"),
	},
	"does not say what a volume is made from": {
		spectest.Warns(made, "VS-01"),
	},
	"answers with the source itself": {
		spectest.Fails("clone_volume", "VOL-04"),
	},
	"is where the source is, whatever the request": {
		spectest.Fails(outOfReach, "TR-04"),
	},
	"looks at the first of requisite only": {
		spectest.Fails(partly, "PF-03"),
	},
	"looks at the first of preferred only": {
		spectest.Fails(partly, "PF-03"),
	},
	"INTERNAL without room": {
		spectest.Fails(outOfReach, "CREATE-08"),
		spectest.Fails(full, "CREATE-02 CREATE-08"),
	},
	"INVALID_ARGUMENT without room": {
		spectest.Warns(outOfReach, "CREATE-08"),
		spectest.Fails(full, "CREATE-02 CREATE-08"),
	},
	"no message with a refusal": {
		spectest.Fails(outOfReach+" "+full+" "+unknown+" "+smaller+" "+nameTaken+" source_empty", "GEN-15"),
	},
	"a refused copy leaves a volume": {
		spectest.Warns(outOfReach+" "+full+" "+unknown+" "+smaller+" "+nameTaken+" source_empty", "CV-07"),
	},
	"an unknown source is an empty volume": {
		spectest.Fails(unknown, "CREATE-05"),
	},
	"INTERNAL for an unknown source": {
		spectest.Fails(unknown, "CREATE-05"),
	},
	"a copy has room for a part of its source only": {
		spectest.Fails("restore_smaller", "CS-11"),
		spectest.Passes("clone_smaller"),
	},
	"INVALID_ARGUMENT for a source that is too large": {
		spectest.Fails("restore_smaller", "CREATE-11"),
		spectest.Warns("clone_smaller", "CREATE-11"),
	},
	"INTERNAL for a source that is too large": {
		spectest.Fails(smaller, "CREATE-11"),
	},
	"a copy ignores limit_bytes": {
		spectest.Fails(smaller, "CR-05"),
	},
	"a copy ignores limit_bytes, and does not say how large it is": {
		spectest.Warns("restore_smaller", "CS-11"),
		spectest.Passes("clone_smaller"),
	},
	"a copy has half of required_bytes": {
		spectest.Fails(made+" "+again+" "+nameTaken+" "+outlives+" "+countedOnce+" "+keepsData+" "+independent+" clone_smaller", "CV-11"),
		spectest.Fails("restore_smaller", "CV-11"),
		spectest.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05"),
	},
	"says that a copy is as small as was asked for": {
		spectest.Fails("restore_smaller", "CS-11"),
		spectest.Passes("clone_smaller"),
	},
	"a copy is as large as its source, whatever the request": {
		spectest.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05"),
	},
	"creates volumes in Z3 only": {
		spectest.Passes(largerOnNode + " " + largerData + " restore_data clone_data restore_independent clone_independent"),
	},
	"a larger copy is refused": {
		spectest.Passes(larger + " " + largerOnNode + " " + largerData),
	},
	"a larger copy is INTERNAL": {
		spectest.Fails(larger+" "+largerOnNode+" "+largerData, "CV-05"),
	},
	"a larger copy has the old file system": {
		spectest.Fails(largerOnNode, "CV-05"),
	},
	"a repeated copy is ALREADY_EXISTS": {
		spectest.Fails(again, "CV-03"),
	},
	"a repeated copy is another volume": {
		spectest.Fails(again, "CV-02"),
		spectest.Fails(nameTaken, "CREATE-06"),
	},
	"a name has its volume, whatever the source": {
		spectest.Fails(nameTaken, "CREATE-06"),
	},
	"a copy is counted twice": {
		spectest.Fails(countedOnce, "CAP-07"),
	},
	"does not say how large a copy is": {
		spectest.Passes(countedOnce + " " + made),
	},
	"a copy is not counted": {
		spectest.Fails(countedOnce, "CAP-07"),
	},
	"copies go with their source": {
		spectest.Fails("restore_outlives_snapshot restore_data", "DS-04"),
		spectest.Fails("clone_outlives_source clone_data", "DV-05"),
	},
	"a source that was copied cannot be deleted": {
		spectest.Passes(outlives),
	},
	"INTERNAL for a source that was copied": {
		spectest.Fails("restore_outlives_snapshot", "DS-04"),
		spectest.Fails("clone_outlives_source", "DV-05"),
	},
	"OK to an empty source": {
		spectest.Fails("source_empty", "GEN-11"),
	},
	"INTERNAL to an empty source": {
		spectest.Fails("source_empty", "GEN-11"),
	},
}
