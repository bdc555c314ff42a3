package listing_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/spec/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// catches has every fault, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"ListVolumes is not implemented": {
		spectest.Fails("list_volumes_has_each_once list_volumes_of_every_segment list_volumes_max_entries", "LIST_VOLUMES is claimed"),
		spectest.Errs("list_volumes_pages list_volumes_while_volumes_change list_volumes_capacity list_volumes_context "+
			"list_volumes_published_nodes list_volumes_after_unpublish get_volume_as_listed", "UNIMPLEMENTED"),
	},
	"lists the volumes of one zone only": {
		spectest.Fails("list_volumes_of_every_segment", "and all are known (LV-01)"),
	},
	"lists its last volume twice": {
		spectest.Fails("list_volumes_has_each_once", "a list of all volumes has each of them (LV-01) once"),
	},
	"lists deleted volumes": {
		spectest.Fails("list_volumes_without_deleted", "was deleted, and is listed (LV-01)"),
	},
	"ignores max_entries": {
		spectest.Fails("list_volumes_max_entries", "no more than max_entries are returned (LV-03), on page 1 too"),
		spectest.Passes("list_volumes_pages list_volumes_in_one_page", ""),
	},
	"ignores max_entries after the first page": {
		spectest.Fails("list_volumes_max_entries", "no more than max_entries are returned (LV-03), on page 2 too"),
	},
	"has no next_token": {
		spectest.Fails("list_volumes_pages", "there is a next_token (LV-04)"),
	},
	"page 2 is empty": {
		spectest.Fails("list_volumes_pages", "the page of next_token has none (LV-04)"),
	},
	"page 2 is page 1 again": {
		spectest.Fails("list_volumes_pages", "and not the first again (LV-04)"),
	},
	"the last entry of a page is passed over": {
		spectest.Fails("list_volumes_pages", "every volume comes (LV-01) once (LV-04)"),
	},
	"a page that is just full lacks the last": {
		spectest.Fails("list_volumes_in_one_page", "over pages of 3, every volume comes (LV-01) once (LV-04)"),
	},
	"its process ends with a number as token": {
		spectest.Fails("list_volumes_number_as_token", "UNAVAILABLE"),
	},
	"its process ends after a number as token": {
		spectest.Fails("list_volumes_number_as_token", "after starting_token \"0\" the driver is there as before\ngot: UNAVAILABLE"),
	},
	"INVALID_ARGUMENT for an invalid token": {
		spectest.Fails("list_volumes_invalid_token", "an invalid starting_token is ABORTED (LV-17)\ngot: INVALID_ARGUMENT"),
		spectest.Fails("list_volumes_number_as_token", "its code is INVALID_ARGUMENT, not ABORTED"),
	},
	"takes any token for the beginning": {
		spectest.Fails("list_volumes_invalid_token", "an invalid starting_token is ABORTED (LV-17)\ngot: OK"),
	},
	"takes a negative max_entries for none": {
		spectest.Fails("list_volumes_negative_max_entries", "max_entries is not negative (LV-18)"),
	},
	"INTERNAL for a page after volumes came": {
		spectest.Fails("list_volumes_while_volumes_change", "not valid any more is ABORTED (LV-17)\ngot: INTERNAL"),
		spectest.Fails("list_volumes_number_as_token", "got: INTERNAL"),
	},
	"entries without accessible_topology": {
		spectest.Passes("get_volume_as_listed", ""),
	},
	"entries with another capacity": {
		spectest.Warns("list_volumes_capacity", "has 16777217 bytes, and CreateVolume said 16777216"),
	},
	"entries with a negative capacity": {
		spectest.Fails("list_volumes_capacity", "capacity_bytes is not negative (VOL-02)"),
	},
	"entries with a capacity of their own": {
		spectest.Warns("get_volume_as_listed", "say different things of one volume (LV-08, LV-15): capacity_bytes is 16777216 and 16777217"),
	},
	"entries with another volume_context": {
		spectest.Fails("list_volumes_context", "a volume has the same volume_context always (VOL-12)"),
	},
	"entries without a volume": {
		spectest.Fails("list_volumes_has_each_once", "every entry has a volume (LV-08)"),
	},
	"entries without a status": {
		spectest.Fails("list_volumes_published_nodes list_volumes_after_unpublish", "the status of an entry is set where LIST_VOLUMES_PUBLISHED_NODES is claimed (LV-10)"),
	},
	"entries without nodes": {
		spectest.Fails("list_volumes_published_nodes", "and published_node_ids has all such nodes (LV-10)"),
	},
	"entries keep a node after it is unpublished": {
		spectest.Warns("list_volumes_after_unpublish", "which it was unpublished from (LV-07)"),
	},
	"leaves out volume_context but in CreateVolume": {
		spectest.Warns("list_volumes_context", "ListVolumes leaves out the volume_context"),
		spectest.Warns("get_volume_as_created", "ControllerGetVolume leaves out the volume_context"),
	},
	"ControllerGetVolume is not implemented": {
		spectest.Fails("get_volume_answers", "ControllerGetVolume is implemented (LV-11)"),
		spectest.Errs("get_volume_as_created get_volume_as_listed get_volume_published_nodes", "UNIMPLEMENTED"),
	},
	"gets a volume without a status": {
		spectest.Fails("get_volume_answers", "the status is REQUIRED (LV-19)"),
	},
	"gets a volume without nodes": {
		spectest.Fails("get_volume_published_nodes", "and published_node_ids has all such nodes (LV-14)"),
	},
	"gets a volume without its topology": {
		spectest.Passes("get_volume_as_created get_volume_as_listed", ""),
	},
	"gets a volume with another volume_context": {
		spectest.Fails("get_volume_as_created", "a volume has the same volume_context always (VOL-12)"),
	},
	"gets what never was": {
		spectest.Fails("get_volume_unknown", "does not exist: that is NOT_FOUND (LV-13)\ngot: OK"),
	},
	"gets what is deleted": {
		spectest.Fails("get_volume_unknown", "does not exist: that is NOT_FOUND (LV-13)\ngot: OK"),
	},
	"says nothing of a sound volume": {
		spectest.Fails("volume_health_of_new_volume", "volume_health is REQUIRED (VH-14)"),
	},
	"says the same twice of a volume": {
		spectest.Fails("volume_health_of_new_volume", "have the same status and reason (VH-09)"),
	},
	"says that volumes are ill, and not why": {
		spectest.Fails("volume_health_list", "an entry has a status and a reason (VH-08)"),
	},
	"lists the health of nothing": {
		spectest.Fails("volume_health_list", "volume_id is REQUIRED (VH-07)"),
	},
	"lists sound volumes as well": {
		spectest.Warns("volume_health_list", "with which nothing is wrong: leave it out (VH-04)"),
	},
	"lists the health of deleted volumes": {
		spectest.Fails("volume_health_list_of_deleted", "the list is of the volumes that the driver knows (VH-03)"),
	},
	"does not page the health of volumes": {
		spectest.Fails("volume_health_list", "no more than max_entries are returned (VH-05)"),
	},
	"forgives in the list of health": {
		spectest.Fails("volume_health_list_invalid_token", "an invalid starting_token is ABORTED (VH-11)"),
		spectest.Fails("volume_health_list_negative_max_entries", "max_entries is not negative (VH-10)"),
	},
	"the health of no volume is good": {
		spectest.Fails("volume_health_unknown", "does not exist: that is NOT_FOUND (VH-15)"),
	},
}

// wide are the faults that show in other cases as well.
var wide = []string{
	"ListVolumes is not implemented",
	"lists the volumes of one zone only",
	"lists its last volume twice",
	"lists deleted volumes",
	"ignores max_entries",
	"entries without a volume",
	"ControllerGetVolume is not implemented",
	"gets a volume without a status",
}

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, listing.Register, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	maps.Copy(wanted, spectest.Wrong(faults, catches, func(name string) bool { return slices.Contains(wide, name) }))
	return wanted
}
