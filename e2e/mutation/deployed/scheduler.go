// SPDX-License-Identifier: Apache-2.0

package deployed

// Scheduler is a scheduler with one fault: it lacks plugins.
type Scheduler struct {
	// ID names it, and Text describes it.
	ID, Text string
	// Disabled lists the plugins that it lacks, by their names in KubeSchedulerConfiguration.
	Disabled []string
	// Caught lists the ids of the cases that must warn about it, or fail.
	Caught []string
	// Clauses lists the clauses that these cases must name, space separated.
	Clauses string
}

// Schedulers returns all faulty schedulers.
func Schedulers() []Scheduler {
	return []Scheduler{
		{
			ID: "never_spreads", Text: "never reads topologySpreadConstraints", Disabled: []string{"PodTopologySpread"},
			Clauses: "K8S-G1 K8S-G3 K8S-G4 K8S-G5 K8S-G10 K8S-G11 K8S-G13 K8S-G7 K8S-G8 K8S-G9 K8S-G14 K8S-E1 K8S-G18 K8S-G17 K8S-G12 K8S-G16 PC-03 K8S-G20 K8S-G15 K8S-G22",
			Caught: []string{
				"spread_max_skew_221_1", "spread_max_skew_221_1_volumes", "spread_max_skew_311_1", "spread_max_skew_311_1_volumes",
				"spread_max_skew_221_1_blocked", "spread_max_skew_221_1_blocked_volumes",
				"spread_max_skew_311_blocked", "spread_max_skew_311_blocked_volumes",
				"spread_min_domains_above", "spread_min_domains_above_volumes",
				"spread_node_affinity", "spread_node_affinity_volumes", "spread_node_taints", "spread_node_taints_volumes",
				"spread_missing_label", "spread_missing_label_volumes",
				"spread_two_constraints_one", "spread_two_constraints_one_volumes",
				"spread_two_constraints_both", "spread_two_constraints_both_volumes",
				"spread_two_constraints_conflict", "spread_two_constraints_conflict_volumes",
				"spread_counts_own", "spread_do_not_schedule", "spread_existing_volume", "spread_rolling_update",
				"spread_ignores_allowed_topologies", "spread_stateful_set", "spread_terminating", "spread_ignores_missing_keys",
			},
		},
		{
			ID: "never_counts_volumes", Text: "never reads how many volumes a node takes", Disabled: []string{"NodeVolumeLimits"},
			Clauses: "K8S-J1 K8S-J2 K8S-J3 K8S-J4", Caught: []string{"limit_of_node"},
		},
		{ID: "never_binds_volumes", Text: "never asks where a volume is or can be", Disabled: []string{"VolumeBinding"},
			Clauses: "K8S-E3 K8S-E4 K8S-E6 K8S-E8 K8S-E10 K8S-E7 K8S-E11 K8S-E5 K8S-A6",
			Caught: []string{
				"scheduler_maximum_size", "scheduler_incomplete_objects", "scheduler_ephemeral", "scheduler_requeues",
				"scheduler_each_claim_alone", "scheduler_keeps_node", "scheduler_untracked", "wffc_allowed_excludes_pod",
			}},
		{
			ID: "never_waits_for_volumes", Text: "puts pods on nodes before their claims have volumes", Disabled: []string{"VolumeBinding", "VolumeZone"},
			Clauses: "K8S-P8", Caught: []string{"immediate_unbound"},
		},
		{
			ID: "never_looks_at_nodes", Text: "puts pods on nodes that are cordoned", Disabled: []string{"NodeUnschedulable", "TaintToleration"},
			Clauses: "K8S-B19", Caught: []string{"zone_cordoned"},
		},
	}
}
