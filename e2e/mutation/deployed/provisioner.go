// SPDX-License-Identifier: Apache-2.0

package deployed

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// provisioner returns csi-provisioners with flags that make them behave differently than the case expects. The driver is
// correct.
func provisioner() []Driver {
	return []Driver{
		{ID: "provisioner_strict", Text: "asks for the topology of the selected node alone, whatever the case says",
			Rules: flags("--strict-topology=true"), Clauses: "K8S-B4 K8S-B5",
			Caught: []string{"provision_prefers_node", "provision_prefers_node_of_allowed"}},
		{
			ID: "provisioner_aggregates", Text: "asks for all topologies of the cluster, though it is to ask for the selected node's alone",
			Rules: flags("--strict-topology=false"), Clauses: "K8S-B13 K8S-B14",
			Caught: []string{"provision_node_unlabelled", "provision_node_unregistered"},
		},
		{
			ID: "provisioner_immediate_topology", Text: "asks for all topologies of a volume that binds immediately, though it is to ask for none",
			Rules: flags("--immediate-topology=true"), Clauses: "K8S-B8", Caught: []string{"provision_asks_for_nothing"},
		},
		{ID: "provisioner_without_topology", Text: "never reads the topology of nodes",
			Rules: flags("--feature-gates=Topology=false"), Clauses: "K8S-B15 K8S-C19 K8S-B22 K8S-A14 K8S-B23",
			Caught: []string{
				"provision_new_zone", "provision_elsewhere", "provision_elsewhere_after_refusal", "provision_different_keys",
				"provision_region_alone", "provision_region_alone_any", "provision_region_alone_immediate",
				"provision_outside_allowed", "provision_outside_allowed_any",
			}},
		{
			ID: "provisioner_names_nobody", Text: "never tells the driver the names of claim and PersistentVolume, whatever the case says",
			Rules: flags("--extra-create-metadata=false"), Clauses: "K8S-O21", Caught: []string{"class_reaches_calls"},
		},
		{
			ID: "provisioner_names_everybody", Text: "tells the driver the names of claim and PersistentVolume, whatever the case says",
			Rules: flags("--extra-create-metadata=true"), Clauses: "K8S-O21", Caught: []string{"class_reaches_calls_unnamed"},
		},
		{ID: "provisioner_in_a_hurry", Text: "asks again without waiting",
			Rules: flags("--retry-interval-start=1ms", "--retry-interval-max=1ms"), Clauses: "K8S-F2 K8S-O8 K8S-O6",
			Caught: []string{"provision_exhausted_without_topology", "delete_refused", "provision_pauses"}},
		{
			// The case waits for a minute, and so does its clean-up.
			ID: "provisioner_repeats_late", Text: "repeats what failed after three quarters of a minute",
			Rules: flags("--retry-interval-start=45s", "--retry-interval-max=45s"), Clauses: "K8S-O7",
			Caught: []string{"delete_refused"},
		},
		{
			// The case waits for a minute, in which this one calls once.
			ID: "provisioner_gives_up", Text: "does not repeat what failed before an hour has passed",
			Rules: flags("--retry-interval-start=1h", "--retry-interval-max=1h"), Clauses: "K8S-O5",
			Caught: []string{"provision_repeated"},
		},
		{ID: "provisioner_loses_patience", Text: "repeats what failed in pauses that grow without a limit",
			Rules: flags("--retry-interval-max=1h"), Clauses: "K8S-O6", Caught: []string{"provision_pauses"}},
		{ID: "provisioner_waits_longer", Text: "waits for an answer for a minute, whatever the case says",
			Rules: flags("--timeout=1m"), Clauses: "K8S-O9", Caught: []string{"provision_late"}},
		{ID: "provisioner_leads_longer", Text: "holds its Lease for an hour, whatever the case says",
			Rules: flags("--leader-election-lease-duration=1h"), Clauses: "K8S-R1",
			Caught: []string{"lease_of_provisioner", "lease_of_provisioner_elsewhere"}},
		{ID: "provisioner_leads_elsewhere", Text: "holds its Lease in another namespace than the case says",
			Rules: flags("--leader-election-namespace=default"), Clauses: "K8S-R2",
			Caught: []string{"lease_of_provisioner", "lease_of_provisioner_elsewhere"}},
		{ID: "provisioner_leads_always", Text: "works also where another leads", Rules: flags("--leader-election=false"),
			Clauses: "K8S-F4", Caught: []string{"provisioner_killed_leader"}},
		{ID: "provisioner_publishes_nothing", Text: "publishes no CSIStorageCapacity objects",
			Rules: flags("--enable-capacity=false"), Clauses: "K8S-B16 K8S-D13 K8S-D15 K8S-D17",
			Caught: []string{"published_segments", "published_after_restart", "published_metrics"}},
		{ID: "provisioner_publishes_once", Text: "asks GetCapacity once an hour, whatever the case says",
			Rules: flags("--capacity-poll-interval=1h"), Clauses: "K8S-D9 K8S-F11", Caught: []string{"published_at_poll"}},
	}
}

func flags(flags ...string) harness.Rules { return harness.Rules{Provisioner: flags} }
