// SPDX-License-Identifier: Apache-2.0

// Package deployed has the faulty drivers that the cases of the cluster tier must catch: each is the correct driver behind
// recording proxies that change its requests or answers. For the cases that grade the platform, there are faulty
// schedulers, and API servers that change objects. The package refers to cases only by their ids.
//
// Some cases need no faulty driver, because they already warn about Kubernetes and its sidecars: provision_empty_topology,
// scheduler_requeues_untracked, scheduler_scores_maximum_size, claim_deleted_while_created_killed and _again, and
// snapshot_deleted_while_created_several.
package deployed

import (
	"encoding/json"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Driver is a driver with one fault, or a csi-provisioner with one fault, for the cases that grade it.
type Driver struct {
	// ID names it, and Text describes it.
	ID, Text string
	// Rules turn a correct driver into it.
	Rules harness.Rules
	// Caught lists the ids of the cases that must fail for it, or warn about it.
	Caught []string
	// Clauses lists the clauses that these cases must name, space separated.
	Clauses string
}

// Drivers returns all these drivers. The topologies in their answers are segments of the cluster.
func Drivers() []Driver {
	return slices.Concat(placement(), capacity(), lifecycle(), block(), mounting(), provisioner(), source())
}

func rule(method string, change func(*trace.Rule)) trace.Rule {
	r := trace.Rule{ID: "wrong-" + method, Method: method}
	change(&r)
	return r
}

func asking(method, change string) trace.Rule {
	return rule(method, func(r *trace.Rule) { r.PatchRequest = json.RawMessage(change) })
}

func answering(method, change string) trace.Rule {
	return rule(method, func(r *trace.Rule) { r.Patch = json.RawMessage(change) })
}

func instead(method, answer string) trace.Rule {
	return rule(method, func(r *trace.Rule) { r.Answer = json.RawMessage(answer) })
}

func refusing(method, code string) trace.Rule {
	return rule(method, func(r *trace.Rule) { r.Code, r.Message = code, "said by a wrong driver" })
}

func controller(rules ...trace.Rule) harness.Rules { return harness.Rules{Controller: rules} }

func node(rules ...trace.Rule) harness.Rules { return harness.Rules{Node: rules} }

func both(controller, node harness.Rules) harness.Rules {
	return harness.Rules{Controller: controller.Controller, Node: node.Node}
}

// placement returns drivers that place volumes in wrong segments, or report other segments.
func placement() []Driver {
	return []Driver{
		{ID: "ignores_topology", Text: "never reads accessibility_requirements",
			// The zone with the most room is chosen, which may be the first one, as immediate_one_zone requests.
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

// lifecycle returns drivers whose answers about an existing volume are false.
func lifecycle() []Driver {
	return []Driver{
		{
			ID: "keeps_volumes", Text: "answers OK to DeleteVolume, and deletes nothing",
			Rules:   controller(instead("DeleteVolume", `{}`)),
			Clauses: "CAP-07 CAP-11 CAP-12 K8S-A11 K8S-D6 K8S-D7 K8S-E8 LV-01",
			Caught:  []string{"capacity_follows_volume", "freed_room_schedules", "claim_deleted_while_created", "delete_volume_before_claim"},
		},
		{
			// The provisioner refuses such an answer, so that the claim gets no volume at all.
			ID: "too_small", Text: "answers that volumes are smaller than they have to be",
			Rules: controller(answering("CreateVolume", `{"volume": {"capacity_bytes": "4096"}}`)), Clauses: "CR-03 K8S-A3",
			Caught: []string{"wffc_each_zone_1"},
		},
		{ID: "forgets_volumes", Text: "answers CreateVolume with a volume_id that it does not know afterwards",
			Rules: controller(answering("CreateVolume", `{"volume": {"volume_id": "forgotten"}}`)), Clauses: "K8S-A11 LV-01",
			Caught: []string{"retain"}},
		{
			// To the case, this is a csi-provisioner that does not compare sizes: it never gets the size that is too small.
			ID: "says_no_size", Text: "does not answer how large volumes are",
			Rules: controller(answering("CreateVolume", `{"volume": {"capacity_bytes": "0"}}`)), Clauses: "K8S-F9",
			Caught: []string{"provision_too_small"},
		},
		{
			ID: "never_grows", Text: "answers OK to ControllerExpandVolume and NodeExpandVolume, and does nothing",
			Rules: both(controller(instead("ControllerExpandVolume", `{"capacity_bytes": "1073741824", "node_expansion_required": true}`)),
				node(instead("NodeExpandVolume", `{}`))),
			Clauses: "PC-07 CE-05 CE-13 K8S-H2 CE-14 K8S-H3 K8S-H8 CAP-07 K8S-H7 K8S-H4 K8S-H9",
			Caught: []string{"grow_mounted", "grow_unmounted", "grow_two_zones", "grow_takes_room", "grow_statuses", "block_grows",
				"grow_after_restart"},
		},
		{
			// Unmounted volumes grow when they are staged.
			ID: "file_system_never_grows", Text: "answers OK to NodeExpandVolume, and does nothing",
			Rules: node(instead("NodeExpandVolume", `{}`)), Clauses: "PC-07 CE-05 CE-13 K8S-H2 CAP-07 K8S-H6",
			Caught: []string{"grow_mounted", "grow_full_zone"},
		},
		{ID: "needs_no_node_to_grow", Text: "says that no node has to grow the file system",
			Rules:   controller(answering("ControllerExpandVolume", `{"node_expansion_required": false}`)),
			Clauses: "PC-07 CE-05 CE-13 K8S-H2", Caught: []string{"grow_mounted"}},
		{ID: "stays_attached", Text: "answers OK to ControllerUnpublishVolume, and leaves the volume on the node",
			Rules:   controller(instead("ControllerUnpublishVolume", `{}`)),
			Clauses: "CU-10 LV-05 LV-10 K8S-I2 K8S-I7 CU-03 NS-01 K8S-B17 CP-34 VOL-15 CP-02 K8S-B18 K8S-M2 K8S-M1 K8S-I5 K8S-I8",
			Caught: []string{"detached_after_pod", "moves_within_zone", "single_writer_one_node", "two_zones_failover", "block_detached_after_pod", "block_moves_within_zone",
				"node_out_of_service", "zone_fails"}},
		{
			// The reference driver's node plugin does not need an attachment, but refuses an attachment to another node.
			ID: "attaches_elsewhere", Text: "attaches volumes to another node than it is asked for, as its publish_context says",
			Rules:   controller(answering("ControllerPublishVolume", `{"publish_context": {"node": "elsewhere"}}`)),
			Clauses: "CP-02 NS-02 K8S-I1", Caught: []string{"attached_before_running"},
		},
		{ID: "mounts_read_only", Text: "mounts read-only what was asked for to be written",
			Rules: node(asking("NodePublishVolume", `{"readonly": true}`)), Clauses: "VOL-15 CP-02 CP-07 NS-20 K8S-B21",
			Caught: []string{"many_nodes_two_zones"}},
	}
}

// block returns drivers that are wrong about raw block volumes, or about the contents of volumes.
func block() []Driver {
	return []Driver{
		{ID: "publishes_nothing", Text: "answers OK to NodePublishVolume, and puts nothing at target_path",
			Rules: node(instead("NodePublishVolume", `{}`)), Clauses: "NS-19 TR-01 VOL-16 K8S-M1 CU-03 K8S-M2",
			Caught: []string{"block_each_zone", "block_moves_within_zone"}},
		{ID: "stays_published", Text: "answers OK to NodeUnpublishVolume and NodeUnstageVolume, and leaves the volume there",
			Rules:   node(instead("NodeUnpublishVolume", `{}`), instead("NodeUnstageVolume", `{}`)),
			Clauses: "CU-10 K8S-M2 K8S-I7", Caught: []string{"block_detached_after_pod"}},
		{ID: "refuses_stats", Text: "claims GET_VOLUME_STATS, and refuses NodeGetVolumeStats",
			Rules: node(refusing("NodeGetVolumeStats", "INTERNAL")), Clauses: "NV-01 NV-02 NV-03 K8S-K1 K8S-K2",
			Caught: []string{"metrics_of_volume", "metrics_of_block_volume"}},
		{ID: "stats_without_total", Text: "answers usage without a total",
			Rules:   node(answering("NodeGetVolumeStats", `{"usage": [{"unit": "BYTES", "used": "1"}]}`)),
			Clauses: "NV-01 NV-02 NV-03 K8S-K1", Caught: []string{"metrics_of_volume"}},
		{ID: "stats_of_another_volume", Text: "answers the same usage whatever the volume holds",
			Rules:   node(answering("NodeGetVolumeStats", `{"usage": [{"unit": "BYTES", "total": "4096", "used": "1024", "available": "3072"}]}`)),
			Clauses: "NV-01 NV-02 NV-03 K8S-K1 K8S-K2", Caught: []string{"metrics_of_volume", "metrics_of_block_volume"}},
	}
}

// source returns drivers that are wrong about volumes with the data of other volumes.
func source() []Driver {
	return []Driver{
		{
			ID: "copies_nothing", Text: "creates an empty volume where it should copy a source, and says that it copied",
			Rules: controller(rule("CreateVolume", func(r *trace.Rule) {
				r.Match = json.RawMessage(`{"volume_content_source": {}}`)
				r.PatchRequest = json.RawMessage(`{"volume_content_source": null}`)
				r.Patch = json.RawMessage(`{"volume": {"content_source": {"volume": {"volume_id": "copied"}}}}`)
			})),
			Clauses: "CS-02 VS-02 CV-18 TR-01 K8S-N1 CS-01 K8S-N2 K8S-B20 CREATE-08 CREATE-04 TR-04 DV-05 DV-03",
			Caught: []string{"copy_in_zone_clone", "copy_in_zone_restore", "copy_elsewhere_clone", "copy_elsewhere_restore",
				"clone_source_deleted", "snapshot_outlives_volume"},
		},
		{
			ID: "copies_where_the_source_is", Text: "never reads accessibility_requirements of a volume that it copies",
			Rules: controller(rule("CreateVolume", func(r *trace.Rule) {
				r.Match = json.RawMessage(`{"volume_content_source": {}}`)
				r.PatchRequest = json.RawMessage(`{"accessibility_requirements": null}`)
			})),
			Clauses: "K8S-B20 CREATE-08 CREATE-04 TR-04", Caught: []string{"copy_elsewhere_clone", "copy_elsewhere_restore"},
		},
		{
			ID: "out_of_reach_is_internal", Text: "answers INTERNAL where a source cannot be reached",
			Rules: controller(rule("CreateVolume", func(r *trace.Rule) {
				r.Match = json.RawMessage(`{"volume_content_source": {}}`)
				r.Code, r.Message = "INTERNAL", "said by a wrong driver"
			})),
			Clauses: "K8S-B20 CREATE-08 CREATE-04 TR-04", Caught: []string{"copy_elsewhere_clone", "copy_elsewhere_restore"},
		},
		{
			ID: "loses_snapshots", Text: "answers NOT_FOUND where a snapshot that it lists is to be restored",
			Rules: controller(rule("CreateVolume", func(r *trace.Rule) {
				r.Match = json.RawMessage(`{"volume_content_source": {"snapshot": {}}}`)
				r.Code, r.Message = "NOT_FOUND", "said by a wrong driver"
			})),
			Clauses: "CS-01 VS-02 CV-18 TR-01 K8S-N2 K8S-B20 CREATE-08 CREATE-04 TR-04 DV-03",
			Caught:  []string{"copy_in_zone_restore", "snapshot_outlives_volume"},
		},
		{ID: "keeps_snapshots", Text: "answers OK to DeleteSnapshot, and deletes nothing",
			Rules: controller(instead("DeleteSnapshot", `{}`)), Clauses: "LS-01 K8S-N3",
			Caught: []string{"snapshot_deleted", "snapshot_deleted_while_created", "snapshot_deleted_while_created_lost"}},
	}
}
