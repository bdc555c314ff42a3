package source_test

import "github.com/csi-topo/csi-topo/e2e/spec/spectest"

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
)

// catches has every fault of volumes with a source, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"makes nothing from a source": {
		spectest.Fails("restore_volume restore_again restore_name_taken", "makes volumes from snapshots (CS-01)"),
		spectest.Fails("clone_volume clone_again clone_name_taken", "makes volumes from its own volumes (CS-02)"),
		spectest.Errs(countedOnce, "a call that the case needs failed: INVALID_ARGUMENT"),
		spectest.Fails(inReach+" "+partly, "it is refused though"),
		spectest.Fails(larger, "is made, or is OUT_OF_RANGE (CV-05)"),
	},
	"does not say what a volume is made from": {
		spectest.Warns(made, "users in Kubernetes cannot use it (VS-01)"),
	},
	"answers with the source itself": {
		spectest.Fails("clone_volume", "volume_id identifies one volume (VOL-04)"),
	},
	"is where the source is, whatever is asked": {
		spectest.Fails(outOfReach, "is forbidden"),
	},
	"looks at the first of requisite only": {
		spectest.Fails(partly, "it is refused though"),
	},
	"does not fall back from preferred": {
		spectest.Warns(partly, "is not fallen back to (PF-05)"),
	},
	"INTERNAL without room": {
		spectest.Fails(outOfReach, "a source out of reach is RESOURCE_EXHAUSTED (CVE-08) or INVALID_ARGUMENT (CVE-04)\ngot: INTERNAL"),
		spectest.Fails(full, "a topology where nothing can be provisioned is RESOURCE_EXHAUSTED (CVE-08)"),
	},
	"INVALID_ARGUMENT without room": {
		spectest.Warns(outOfReach, "only RESOURCE_EXHAUSTED (CVE-08) makes Kubernetes look for a place"),
		spectest.Fails(full, "a topology where nothing can be provisioned is RESOURCE_EXHAUSTED (CVE-08)"),
	},
	"no message with a refusal": {
		spectest.Fails(outOfReach+" "+full+" "+unknown+" "+smaller+" "+nameTaken+" source_empty", "no message that a human could read (GEN-15)"),
	},
	"a refused copy leaves a volume": {
		spectest.Fails(outOfReach+" "+full+" "+unknown+" "+smaller+" "+nameTaken+" source_empty", "is listed, and was not"),
	},
	"an unknown source is an empty volume": {
		spectest.Fails(unknown, "a source that does not exist is NOT_FOUND (CVE-05)\ngot: OK"),
	},
	"INTERNAL for an unknown source": {
		spectest.Fails(unknown, "a source that does not exist is NOT_FOUND (CVE-05)\ngot: INTERNAL"),
	},
	"a source that is too large is cut off": {
		spectest.Fails(smaller, "a volume smaller than its source is OUT_OF_RANGE (CVE-11)\ngot: OK"),
	},
	"a source that is too large is INVALID": {
		spectest.Fails(smaller, "its code is INVALID_ARGUMENT, not OUT_OF_RANGE"),
	},
	"says that a copy is smaller than its source": {
		spectest.Fails(smaller, "the volume is not smaller than its source"),
	},
	"a copy is as large as its source, whatever is asked": {
		spectest.Fails(larger+" "+largerOnNode, "has the size that was asked for (CV-05, CR-03)"),
	},
	"a larger copy is refused": {
		spectest.Passes(larger+" "+largerOnNode, ""),
	},
	"a larger copy is INTERNAL": {
		spectest.Fails(larger+" "+largerOnNode, "is made, or is OUT_OF_RANGE (CV-05)\ngot: INTERNAL"),
	},
	"a larger copy has the old file system": {
		spectest.Fails(largerOnNode, "a workload gets the larger size (CV-05)"),
	},
	"a repeated copy is ALREADY_EXISTS": {
		spectest.Fails(again, "the same request again is OK with the volume that it made (CV-03)\ngot: ALREADY_EXISTS"),
	},
	"a repeated copy is another volume": {
		spectest.Fails(again, "which should be the same volume_id"),
		spectest.Fails(nameTaken, "the name has a volume with another volume_content_source (CVE-06)\ngot: OK"),
	},
	"a name has its volume, whatever the source": {
		spectest.Fails(nameTaken, "the name has a volume with another volume_content_source (CVE-06)\ngot: OK"),
	},
	"a copy is counted twice": {
		spectest.Fails(countedOnce, "16777216 should be taken, and 33554432 are"),
	},
	"does not say how large a copy is": {
		spectest.Passes(countedOnce+" "+made, ""),
	},
	"a copy is not counted": {
		spectest.Fails(countedOnce, "16777216 should be taken, and 0 are"),
	},
	"copies go with their source": {
		spectest.Fails(outlives, "is still there, and ValidateVolumeCapabilities finds it\ngot: NOT_FOUND"),
	},
	"a source that was copied cannot be deleted": {
		spectest.Passes(outlives, ""),
	},
	"INTERNAL for a source that was copied": {
		spectest.Fails(outlives, "its code is INTERNAL, not FAILED_PRECONDITION"),
	},
	"OK to an empty source": {
		spectest.Fails("source_empty", "one of the types of a source is required"),
	},
	"INTERNAL to an empty source": {
		spectest.Fails("source_empty", "one of the types of a source is required"),
	},
}
