// SPDX-License-Identifier: Apache-2.0

// Package listing has drivers that list volumes wrongly, and report their health wrongly, and right ones that lack something.
package listing

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// catches has every fault, and which cases must catch it for which reason.
func catches() map[string][]mutation.Case {
	return map[string][]mutation.Case{
		"ListVolumes is not implemented": {
			mutation.Fails("list_volumes_has_each_once list_volumes_max_entries list_volumes_pages list_volumes_capacity "+
				"list_volumes_published_nodes get_volume_as_listed", "LV-20"),
			mutation.Errs("list_volumes_while_volumes_change"),
		},
		"lists the volumes of one zone only": {
			mutation.Fails("list_volumes_has_each_once", "LV-01"),
		},
		"lists its last volume twice": {
			mutation.Warns("list_volumes_has_each_once", "LV-01"),
			mutation.Warns("list_volumes_pages list_volumes_in_one_page", "LV-04"),
		},
		"lists deleted volumes": {
			mutation.Warns("list_volumes_without_deleted", "CV-07 LV-01"),
		},
		"ignores max_entries": {
			mutation.Fails("list_volumes_max_entries", "LV-03"),
			mutation.Passes("list_volumes_pages list_volumes_in_one_page"),
		},
		"ignores max_entries after the first page": {
			mutation.Fails("list_volumes_max_entries", "LV-03"),
		},
		"lists no volumes by pages": {
			mutation.Fails("list_volumes_pages", "LV-04"),
			mutation.Errs("list_volumes_max_entries"),
		},
		"has no small pages": {
			mutation.Warns("list_volumes_max_entries list_volumes_pages list_volumes_in_one_page", "LV-03"),
			mutation.Warns("list_volumes_while_volumes_change list_volumes_number_as_token", "LV-03"),
		},
		"has no next_token": {
			mutation.Fails("list_volumes_pages", "LV-04"),
		},
		"page 2 is empty": {
			mutation.Fails("list_volumes_pages", "LV-04"),
		},
		"page 2 is page 1 again": {
			mutation.Fails("list_volumes_pages", "LV-04"),
		},
		"the last entry of a page is passed over": {
			mutation.Fails("list_volumes_pages", "LV-04"),
		},
		"a page that is just full lacks the last": {
			mutation.Fails("list_volumes_in_one_page", "LV-04"),
		},
		"refuses its own next_token": {
			mutation.Fails("list_volumes_pages", "LV-04"),
			mutation.Fails("list_volumes_while_volumes_change list_volumes_number_as_token", "LV-17"),
		},
		"its pages are empty now and then": {
			mutation.Passes("list_volumes_pages list_volumes_in_one_page"),
		},
		"its process ends with a number as token": {
			mutation.Fails("list_volumes_number_as_token", "GEN-08"),
		},
		"its process ends after a number as token": {
			mutation.Fails("list_volumes_number_as_token", "GEN-08"),
		},
		"INVALID_ARGUMENT for an invalid token": {
			mutation.Fails("list_volumes_invalid_token", "LV-17"),
			mutation.Fails("list_volumes_number_as_token", "LV-17"),
		},
		"takes any token for the beginning": {
			mutation.Warns("list_volumes_invalid_token", "LV-17"),
		},
		"takes a negative max_entries for none": {
			mutation.Warns("list_volumes_negative_max_entries", "LV-18"),
		},
		"INTERNAL for a negative max_entries": {
			mutation.Warns("list_volumes_negative_max_entries", "GEN-12"),
		},
		"INTERNAL for a page after volumes came": {
			mutation.Fails("list_volumes_while_volumes_change", "LV-17"),
			mutation.Fails("list_volumes_number_as_token", "LV-17"),
		},
		"entries without accessible_topology": {
			mutation.Passes("get_volume_as_listed"),
		},
		"entries with another capacity": {
			mutation.Warns("list_volumes_capacity", "LV-08"),
		},
		"entries with a negative capacity": {
			mutation.Fails("list_volumes_capacity", "VOL-02"),
		},
		"entries with a capacity of their own": {
			mutation.Warns("get_volume_as_listed", "LV-08"),
		},
		"entries with another volume_context": {
			mutation.Fails("list_volumes_capacity", "VOL-12"),
		},
		"entries without a volume": {
			mutation.Fails("list_volumes_has_each_once", "LV-08"),
		},
		"entries without a status": {
			mutation.Fails("list_volumes_published_nodes", "LV-10"),
		},
		"entries without nodes": {
			mutation.Fails("list_volumes_published_nodes", "LV-10"),
		},
		"entries keep a node after it is unpublished": {
			mutation.Warns("list_volumes_published_nodes", "LV-07"),
		},
		"leaves out volume_context but in CreateVolume": {
			mutation.Warns("list_volumes_capacity", "VOL-12"),
			mutation.Warns("get_volume_as_created", "VOL-12"),
		},
		"ControllerGetVolume is not implemented": {
			mutation.Fails("get_volume_as_created", "LV-11"),
			mutation.Errs("get_volume_as_listed get_volume_published_nodes"),
		},
		"gets a volume without a status": {
			mutation.Fails("get_volume_as_created", "LV-19"),
			mutation.Fails("get_volume_published_nodes", "LV-14"),
		},
		"gets a volume without nodes": {
			mutation.Fails("get_volume_published_nodes", "LV-14"),
		},
		"gets a volume without its topology": {
			mutation.Passes("get_volume_as_created get_volume_as_listed"),
		},
		"gets a volume with another volume_context": {
			mutation.Fails("get_volume_as_created", "VOL-12"),
		},
		"gets what never was": {
			mutation.Fails("get_volume_unknown", "LV-13"),
		},
		"gets what is deleted": {
			mutation.Warns("get_volume_unknown", "LV-13"),
		},
		"INTERNAL for what is deleted": {
			mutation.Fails("get_volume_unknown", "LV-13"),
		},
		"says nothing of a sound volume": {
			mutation.Fails("volume_health_of_new_volume", "VH-14"),
		},
		"says the same twice of a volume": {
			mutation.Fails("volume_health_of_new_volume", "VH-09"),
		},
		"says that volumes are ill, and not why": {
			mutation.Fails("volume_health_list", "VH-08"),
		},
		"lists the health of nothing": {
			mutation.Fails("volume_health_list", "VH-07"),
		},
		"lists sound volumes as well": {
			mutation.Warns("volume_health_list", "VH-04"),
		},
		"lists the health of deleted volumes": {
			mutation.Warns("volume_health_list_of_deleted", "VH-03"),
		},
		"the pages of health never end": {
			mutation.Fails("volume_health_list", "VH-06"),
		},
		"does not page the health of volumes": {
			mutation.Fails("volume_health_list", "VH-05"),
		},
		"forgives in the list of health": {
			mutation.Warns("volume_health_list_invalid_token", "VH-11"),
			mutation.Warns("volume_health_list_negative_max_entries", "VH-10"),
		},
		"the health of no volume is good": {
			mutation.Fails("volume_health_unknown", "VH-15"),
		},
	}
}

// wide are the faults that show in other cases as well.
func wide() []string {
	return []string{
		"the pages of health never end",
		"ListVolumes is not implemented",
		"lists the volumes of one zone only",
		"lists its last volume twice",
		"lists deleted volumes",
		"ignores max_entries",
		"lists no volumes by pages",
		"entries without a volume",
		"ControllerGetVolume is not implemented",
		"gets a volume without a status",
	}
}

// Drivers are the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := maps.Clone(lacks())
	maps.Copy(wanted, mutation.Wrong(faults(), catches(), func(name string) bool { return slices.Contains(wide(), name) }))
	return wanted
}
