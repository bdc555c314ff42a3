// SPDX-License-Identifier: Apache-2.0

package deployed

// placement returns drivers that put volumes into other segments, or report other segments.
func placement() []Driver {
	return []Driver{
		{ID: "ignores_topology", Text: "never reads accessibility_requirements",
			// The zone with most room is chosen, which may be the first one, as immediate_one_zone requests.
			Rules: controller(asking("CreateVolume", `{"accessibility_requirements": null}`)), Clauses: "TR-01 TR-11 PF-03",
			Caught: []string{"immediate_stateful_set_round_robin", "wffc_each_zone_2"}},
		{ID: "names_no_topology", Text: "answers no accessible_topology",
			Rules:   controller(answering("CreateVolume", `{"volume": {"accessible_topology": null}}`)),
			Clauses: "K8S-A5 K8S-B9", Caught: []string{"immediate_pod_elsewhere", "provision_asks_for_zone", "two_zones_both"}},
		{
			ID: "names_a_ghost", Text: "answers a topology that no node has",
			Rules: controller(answering("CreateVolume", `{"volume": {"accessible_topology": [{"segments": {
				"topology.hostpath.topo.csi/region": "R1", "topology.hostpath.topo.csi/zone": "ghost"}}]}}`)),
			Clauses: "TR-01 TR-09 VOL-16 PC-03 K8S-A3 K8S-C18 TR-07 VOL-19 K8S-A4 K8S-B9 K8S-C1 TR-04 TR-11 TR-13 K8S-A8 K8S-C4 K8S-B10 NS-19 K8S-M1",
			Caught:  []string{"wffc_each_zone_1", "immediate_one_zone", "immediate_two_zones", "provision_without_topology", "block_each_zone"},
		},
		{
			ID: "names_one_of_two", Text: "answers one topology, whichever there are",
			Rules: controller(answering("CreateVolume", `{"volume": {"accessible_topology": [{"segments": {
				"topology.hostpath.topo.csi/region": "R1", "topology.hostpath.topo.csi/zone": "Z2"}}]}}`)),
			Clauses: "TR-01 TR-07 TR-10 VOL-15 VOL-20 K8S-B9 K8S-C2 CP-02 CU-03 K8S-B18 TR-15 TR-16 TR-18 K8S-C7 TR-11 TR-13 K8S-A7 PF-05 K8S-C4 TR-09 VOL-16 PC-03 K8S-A3 K8S-C18",
			Caught: []string{"two_zones_both", "two_zones_failover", "two_zones_more_than_requisite", "wffc_allowed_two_zones", "immediate_takes_free_zone",
				"wffc_each_zone_3", "wffc_each_zone_4"},
		},
		{
			ID: "full_is_internal", Text: "answers INTERNAL where it should say RESOURCE_EXHAUSTED",
			Rules:   controller(refusing("CreateVolume", "INTERNAL")),
			Clauses: "CREATE-08 CREATE-10 TR-08 K8S-D8 K8S-F1 K8S-F10 K8S-C3 PF-07 K8S-F3 K8S-F6",
			Caught:  []string{"stale_reschedules", "two_zones_one_full", "immediate_full_zone_retries", "provision_asks_in_vain"},
		},
	}
}
