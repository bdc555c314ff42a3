// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

const smokeLabel = "smoke"

// smoke returns the ids of the cases of a short run, which have the label smoke: the most informative quick cases of each
// area.
func smoke() []string {
	return []string{
		"wffc_each_zone_1", "wffc_each_zone_2", "immediate_one_zone",
		"provision_asks_for_zone", "provision_asks_for_all", "provision_too_small", "provision_node_unregistered",
		"csinode_topology", "two_zones_both", "two_zones_failover",
		"capacity_per_zone", "capacity_follows_volume", "full_zone_avoided", "published_zero",
		"scheduler_maximum_size", "scheduler_bound_claim",
		"spread_do_not_schedule", "spread_max_skew_311_1_volumes",
		"grow_mounted",
		"modify_by_class",
		"attached_before_running", "detached_after_pod", "moves_within_zone",
		"life_of_a_volume",
		"block_each_zone",
		"copy_in_zone_clone",
		"secrets_reach_calls",
		"metrics_of_sidecars",
		"limit_registered",
		"info_of_pod",
		"zone_cordoned",
	}
}

// labelled adds the label to the cases of a short run.
func labelled(areas []harness.Area) []harness.Area {
	short := smoke()
	for _, area := range areas {
		for i := range area.Cases {
			if slices.Contains(short, area.Cases[i].ID) {
				area.Cases[i].Labels = append(area.Cases[i].Labels, smokeLabel)
			}
		}
	}
	return areas
}
