// SPDX-License-Identifier: Apache-2.0

package deployed

// capacity returns drivers that report their room wrongly.
func capacity() []Driver {
	return []Driver{
		{ID: "endless_capacity", Text: "reports more room than any zone has",
			Rules:   controller(answering("GetCapacity", `{"available_capacity": "9223372036854775807", "maximum_volume_size": null}`)),
			Clauses: "CAP-04 CAP-07 CAP-12 K8S-D2 CAP-11 K8S-A11 K8S-D6 K8S-D7 PC-03 K8S-E1 K8S-E2",
			Caught:  []string{"capacity_equals_driver", "capacity_follows_volume", "full_zone_avoided", "full_everywhere"}},
		{ID: "no_capacity", Text: "reports no room at all",
			Rules:   controller(answering("GetCapacity", `{"available_capacity": "0", "maximum_volume_size": null}`)),
			Clauses: "CAP-04 CAP-07 CAP-12 K8S-D2 K8S-A3", Caught: []string{"capacity_equals_driver", "wffc_each_zone_1"}},
		{ID: "capacity_of_everything", Text: "never reads accessible_topology of GetCapacity",
			Rules: controller(asking("GetCapacity", `{"accessible_topology": null}`)), Clauses: "CAP-04 CAP-07 CAP-12 K8S-D2",
			Caught: []string{"capacity_equals_driver"}},
		{ID: "capacity_of_another_class", Text: "never reads parameters of GetCapacity",
			Rules:   controller(asking("GetCapacity", `{"parameters": null}`)),
			Clauses: "CAP-04 CAP-07 CAP-12 K8S-D2 CAP-11 K8S-A11 K8S-D6 K8S-D7",
			Caught:  []string{"capacity_equals_driver", "capacity_follows_volume"}},
	}
}
