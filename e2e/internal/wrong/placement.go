// SPDX-License-Identifier: Apache-2.0

package wrong

// placement are drivers that put volumes elsewhere, or say that they are elsewhere.
func placement() []Driver {
	return []Driver{
		{
			ID: "ignores_topology", Text: "never reads accessibility_requirements",
			Rules:  controller(asking("CreateVolume", `{"accessibility_requirements": null}`)),
			Caught: []string{"immediate_one_zone", "immediate_stateful_set_round_robin", "wffc_each_zone_2"},
		},
		{
			ID: "names_no_topology", Text: "answers no accessible_topology",
			Rules:  controller(answering("CreateVolume", `{"volume": {"accessible_topology": null}}`)),
			Caught: []string{"wffc_each_zone_1", "immediate_pod_elsewhere", "provision_asks_for_zone", "two_zones_both"},
		},
		{
			ID: "names_a_ghost", Text: "answers a topology that no node has",
			Rules: controller(answering("CreateVolume", `{"volume": {"accessible_topology": [{"segments": {
				"topology.hostpath.topo.csi/region": "R1", "topology.hostpath.topo.csi/zone": "ghost"}}]}}`)),
			Caught: []string{"wffc_each_zone_1", "immediate_one_zone", "immediate_two_zones", "provision_without_topology", "block_each_zone"},
		},
		{
			ID: "names_one_of_two", Text: "answers one topology, whichever there are",
			Rules: controller(answering("CreateVolume", `{"volume": {"accessible_topology": [{"segments": {
				"topology.hostpath.topo.csi/region": "R1", "topology.hostpath.topo.csi/zone": "Z2"}}]}}`)),
			Caught: []string{"two_zones_both", "two_zones_failover", "two_zones_more_than_requisite", "wffc_allowed_two_zones", "immediate_takes_free_zone",
				"wffc_each_zone_3", "wffc_each_zone_4"},
		},
		{
			ID: "full_is_internal", Text: "answers INTERNAL where it should say RESOURCE_EXHAUSTED",
			Rules:  controller(refusing("CreateVolume", "INTERNAL")),
			Caught: []string{"stale_reschedules", "two_zones_one_full", "immediate_full_zone_retries", "provision_asks_in_vain"},
		},
	}
}
