// SPDX-License-Identifier: Apache-2.0

package deployed

// lifecycle returns drivers that do not do what they answer, for an existing volume.
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
			// To the case it is a csi-provisioner that does not compare: the answer that is too small never arrives.
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
			// What is not mounted grows when it is staged.
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
			// The reference driver's node plugin does not need an attachment, but refuses one that names another node.
			ID: "attaches_elsewhere", Text: "attaches volumes to another node than it is asked for, as its publish_context says",
			Rules:   controller(answering("ControllerPublishVolume", `{"publish_context": {"node": "elsewhere"}}`)),
			Clauses: "CP-02 NS-02 K8S-I1", Caught: []string{"attached_before_running"},
		},
		{ID: "mounts_read_only", Text: "mounts read-only what was asked for to be written",
			Rules: node(asking("NodePublishVolume", `{"readonly": true}`)), Clauses: "VOL-15 CP-02 CP-07 NS-20 K8S-B21",
			Caught: []string{"many_nodes_two_zones"}},
	}
}
