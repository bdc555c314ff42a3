// SPDX-License-Identifier: Apache-2.0

package listing_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/listing"
)

// catches has every fault, and which cases must catch it for which reason.
var catches = map[string][]spectest.Case{
	"ListVolumes is not implemented": {
		spectest.Fails("list_volumes_has_each_once list_volumes_max_entries list_volumes_pages list_volumes_capacity "+
			"list_volumes_published_nodes get_volume_as_listed", "LV-20"),
		spectest.Errs("list_volumes_while_volumes_change"),
	},
	"lists the volumes of one zone only": {
		spectest.Fails("list_volumes_has_each_once", "LV-01"),
	},
	"lists its last volume twice": {
		spectest.Warns("list_volumes_has_each_once", "LV-01"),
		spectest.Warns("list_volumes_pages list_volumes_in_one_page", "LV-04"),
	},
	"lists deleted volumes": {
		spectest.Warns("list_volumes_without_deleted", "CV-07 LV-01"),
	},
	"ignores max_entries": {
		spectest.Fails("list_volumes_max_entries", "LV-03"),
		spectest.Passes("list_volumes_pages list_volumes_in_one_page"),
	},
	"ignores max_entries after the first page": {
		spectest.Fails("list_volumes_max_entries", "LV-03"),
	},
	"has no next_token": {
		spectest.Fails("list_volumes_pages", "LV-04"),
	},
	"page 2 is empty": {
		spectest.Fails("list_volumes_pages", "LV-04"),
	},
	"page 2 is page 1 again": {
		spectest.Fails("list_volumes_pages", "LV-04"),
	},
	"the last entry of a page is passed over": {
		spectest.Fails("list_volumes_pages", "LV-04"),
	},
	"a page that is just full lacks the last": {
		spectest.Fails("list_volumes_in_one_page", "LV-04"),
	},
	"refuses its own next_token": {
		spectest.Fails("list_volumes_pages", "LV-04"),
		spectest.Fails("list_volumes_while_volumes_change list_volumes_number_as_token", "LV-17"),
	},
	"its pages are empty now and then": {
		spectest.Passes("list_volumes_pages list_volumes_in_one_page"),
	},
	"its process ends with a number as token": {
		spectest.Fails("list_volumes_number_as_token", "GEN-08"),
	},
	"its process ends after a number as token": {
		spectest.Fails("list_volumes_number_as_token", "GEN-08"),
	},
	"INVALID_ARGUMENT for an invalid token": {
		spectest.Fails("list_volumes_invalid_token", "LV-17"),
		spectest.Fails("list_volumes_number_as_token", "LV-17"),
	},
	"takes any token for the beginning": {
		spectest.Warns("list_volumes_invalid_token", "LV-17"),
	},
	"takes a negative max_entries for none": {
		spectest.Warns("list_volumes_negative_max_entries", "LV-18"),
	},
	"INTERNAL for a negative max_entries": {
		spectest.Fails("list_volumes_negative_max_entries", "GEN-12"),
	},
	"INTERNAL for a page after volumes came": {
		spectest.Fails("list_volumes_while_volumes_change", "LV-17"),
		spectest.Fails("list_volumes_number_as_token", "LV-17"),
	},
	"entries without accessible_topology": {
		spectest.Passes("get_volume_as_listed"),
	},
	"entries with another capacity": {
		spectest.Warns("list_volumes_capacity", "LV-08"),
	},
	"entries with a negative capacity": {
		spectest.Fails("list_volumes_capacity", "VOL-02"),
	},
	"entries with a capacity of their own": {
		spectest.Warns("get_volume_as_listed", "LV-08"),
	},
	"entries with another volume_context": {
		spectest.Fails("list_volumes_capacity", "VOL-12"),
	},
	"entries without a volume": {
		spectest.Fails("list_volumes_has_each_once", "LV-08"),
	},
	"entries without a status": {
		spectest.Fails("list_volumes_published_nodes", "LV-10"),
	},
	"entries without nodes": {
		spectest.Fails("list_volumes_published_nodes", "LV-10"),
	},
	"entries keep a node after it is unpublished": {
		spectest.Warns("list_volumes_published_nodes", "LV-07"),
	},
	"leaves out volume_context but in CreateVolume": {
		spectest.Warns("list_volumes_capacity", "VOL-12"),
		spectest.Warns("get_volume_as_created", "VOL-12"),
	},
	"ControllerGetVolume is not implemented": {
		spectest.Fails("get_volume_as_created", "LV-11"),
		spectest.Errs("get_volume_as_listed get_volume_published_nodes"),
	},
	"gets a volume without a status": {
		spectest.Fails("get_volume_as_created", "LV-19"),
		spectest.Fails("get_volume_published_nodes", "LV-14"),
	},
	"gets a volume without nodes": {
		spectest.Fails("get_volume_published_nodes", "LV-14"),
	},
	"gets a volume without its topology": {
		spectest.Passes("get_volume_as_created get_volume_as_listed"),
	},
	"gets a volume with another volume_context": {
		spectest.Fails("get_volume_as_created", "VOL-12"),
	},
	"gets what never was": {
		spectest.Fails("get_volume_unknown", "LV-13"),
	},
	"gets what is deleted": {
		spectest.Warns("get_volume_unknown", "LV-13"),
	},
	"INTERNAL for what is deleted": {
		spectest.Fails("get_volume_unknown", "LV-13"),
	},
	"says nothing of a sound volume": {
		spectest.Fails("volume_health_of_new_volume", "VH-14"),
	},
	"says the same twice of a volume": {
		spectest.Fails("volume_health_of_new_volume", "VH-09"),
	},
	"says that volumes are ill, and not why": {
		spectest.Fails("volume_health_list", "VH-08"),
	},
	"lists the health of nothing": {
		spectest.Fails("volume_health_list", "VH-07"),
	},
	"lists sound volumes as well": {
		spectest.Warns("volume_health_list", "VH-04"),
	},
	"lists the health of deleted volumes": {
		spectest.Warns("volume_health_list_of_deleted", "VH-03"),
	},
	"does not page the health of volumes": {
		spectest.Fails("volume_health_list", "VH-05"),
	},
	"forgives in the list of health": {
		spectest.Warns("volume_health_list_invalid_token", "VH-11"),
		spectest.Warns("volume_health_list_negative_max_entries", "VH-10"),
	},
	"the health of no volume is good": {
		spectest.Fails("volume_health_unknown", "VH-15"),
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
	os.Exit(spectest.Main(m, listing.Areas, spectest.Drivers(drivers())))
}

// reduced are cases that find nothing to judge where all volumes are sound.
const reduced = "volume_health_of_new_volume volume_health_list"

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers(), spectest.Passes(reduced))
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	maps.Copy(wanted, spectest.Wrong(faults, catches, func(name string) bool { return slices.Contains(wide, name) }))
	return wanted
}
