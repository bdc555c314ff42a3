// SPDX-License-Identifier: Apache-2.0

package deployed

import "slices"

// Policy is an API server with one fault: it changes objects while they are written. So correct components behave like
// faulty ones, since they act only on objects.
type Policy struct {
	// ID names it, and Text describes the cluster's behaviour.
	ID, Text string
	// Group, Version and Resource select the objects that are changed, when they are created or updated.
	Group, Version, Resource string
	// When is the condition for the change, as a CEL expression of MutatingAdmissionPolicy.
	When string
	// Patch is the list of JSONPatch to apply, as a CEL expression.
	Patch string
	// RestartsBefore and RestartsAfter say that the driver's node plugins must restart after it is applied, and after it is
	// removed.
	RestartsBefore, RestartsAfter bool
	// Caught lists the ids of the cases that must warn about it, or fail.
	Caught []string
	// Clauses lists the clauses that these cases must name, space separated.
	Clauses string
}

// Worker is the placeholder in a Patch for a node of the cluster that runs pods.
const Worker = "$worker"

// Policies returns all policies.
func Policies() []Policy {
	return slices.Concat(classes(), claims(), tracking(), publishing(), constraints(), pods(), schedulers(), volumes(), lives(), plugins(), deployments(), sidecars(), nodes(),
		attachments(), usedClaims(), modifiedVolumes(), registrations(), kubelets(), deletions(), groupSnapshots(), spreads(), devices(), ownProvisioners(), passedOn(), snapshotSecrets(), leaders(), existingVolumes(), registeredKeys())
}

// classes change a StorageClass.
func classes() []Policy {
	of := Policy{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}
	return of.each([]Policy{
		{ID: "allows_every_topology", Text: "never reads allowedTopologies",
			When: `has(object.allowedTopologies)`, Patch: `[JSONPatch{op: "remove", path: "/allowedTopologies"}]`,
			Clauses: "K8S-A6 K8S-A10 K8S-A8 K8S-A9 K8S-A14 K8S-B23",
			Caught: []string{
				"wffc_allowed_excludes_pod", "wffc_allowed_patched", "provision_asks_for_ghost",
				"provision_region_alone", "provision_region_alone_any", "provision_region_alone_immediate",
				"provision_outside_allowed", "provision_outside_allowed_any",
			}},
		{
			ID: "allows_one_zone", Text: "asks for one zone where any will do",
			When: `!has(object.allowedTopologies)`, Patch: `[JSONPatch{op: "add", path: "/allowedTopologies", value:
				[{"matchLabelExpressions": [{"key": dyn("topology.hostpath.topo.csi/zone"), "values": dyn(["Z2"])}]}]}]`,
			Clauses: "K8S-B7", Caught: []string{"provision_asks_for_all"},
		},
		{ID: "lets_volumes_grow", Text: "never reads allowVolumeExpansion",
			When: `true`, Patch: `[JSONPatch{op: "add", path: "/allowVolumeExpansion", value: true}]`, Clauses: "K8S-H1",
			Caught: []string{"grow_forbidden"}},
		{
			ID: "knows_no_secrets", Text: "never reads parameters of a class that name a secret of the provisioner, misspelt or not",
			When: `has(object.parameters)`,
			Patch: `['provisioner-secret-name', 'provisioner-secret-namespace', 'provisioner-secret-nam'].map(name, 'csi.storage.k8s.io/' + name)
				.filter(key, key in object.parameters).map(key, JSONPatch{op: "remove", path: "/parameters/" + jsonpatch.escapeKey(key)})`,
			Clauses: "K8S-L2 K8S-L3 K8S-L1",
			Caught:  []string{"secrets_missing", "secrets_unknown_parameter", "secrets_reach_calls"},
		},
	})
}

// claims change a PersistentVolumeClaim.
func claims() []Policy {
	const (
		selected     = `volume.kubernetes.io/selected-node`
		byController = `pv.kubernetes.io/bound-by-controller`
	)
	of := Policy{Version: "v1", Resource: "persistentvolumeclaims"}
	return of.each([]Policy{
		{ID: "binds_immediately", Text: "never waits for a consumer of a volume", When: `request.operation == 'CREATE'`,
			Patch:   `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"` + selected + `": "` + Worker + `"}}]`,
			Clauses: "K8S-A1 K8S-A2 K8S-A13",
			Caught:  []string{"wffc_waits_for_consumer", "wffc_waits_for_scheduling", "wffc_node_name"}},
		{
			ID: "forgets_selected_node", Text: "takes the selected node back once, when the provisioner is asked",
			When: `request.operation == 'UPDATE' && has(object.metadata.annotations) && '` + selected + `' in object.metadata.annotations
				&& 'volume.kubernetes.io/storage-provisioner' in object.metadata.annotations
				&& !oldObject.metadata.?annotations[?'volume.kubernetes.io/storage-provisioner'].hasValue()`,
			Patch:   `[JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey("` + selected + `")}]`,
			Clauses: "K8S-F4 K8S-F5 K8S-F2",
			Caught: []string{
				"provision_code_deadline_exceeded", "provision_code_unavailable", "provision_code_aborted", "provision_code_internal", "provision_code_out_of_range",
				"provision_exhausted_without_topology",
			},
		},
		{
			ID: "never_reschedules", Text: "keeps the selected node, whatever the provisioner says",
			When: `request.operation == 'UPDATE' && has(oldObject.metadata.annotations) && '` + selected + `' in oldObject.metadata.annotations
				&& !(has(object.metadata.annotations) && '` + selected + `' in object.metadata.annotations)`,
			Patch:   `[JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey("` + selected + `"), value: oldObject.metadata.annotations["` + selected + `"]}]`,
			Clauses: "K8S-F7 K8S-B13 K8S-F8 K8S-E16",
			Caught:  []string{"provision_exhausted", "provision_node_gone", "published_race"},
		},
		{ID: "ignores_selectors", Text: "never reads the selector of a claim",
			When: `request.operation == 'CREATE' && has(object.spec.selector)`, Patch: `[JSONPatch{op: "remove", path: "/spec/selector"}]`,
			Clauses: "K8S-O3", Caught: []string{"provision_selector"}},
		{ID: "hides_who_bound", Text: "does not say in a claim that a controller has bound it",
			When:    `has(object.metadata.annotations) && '` + byController + `' in object.metadata.annotations`,
			Patch:   `[JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey("` + byController + `")}]`,
			Clauses: "K8S-P4", Caught: []string{"reserved_volume"}},
	})
}

// tracking change a CSIDriver of a case.
func tracking() []Policy {
	of := Policy{Group: "storage.k8s.io", Version: "v1", Resource: "csidrivers"}
	return of.each([]Policy{
		{ID: "never_tracks_capacity", Text: "never asks for room before it selects a node",
			When: `object.metadata.name.endsWith('.stand-in')`, Patch: `[JSONPatch{op: "add", path: "/spec/storageCapacity", value: false}]`,
			Clauses: "K8S-E6 K8S-D14 K8S-F11 K8S-E17",
			Caught:  []string{"scheduler_ephemeral", "published_orphans", "published_at_poll", "published_saves_attempts"}},
		{ID: "always_attaches", Text: "attaches volumes, also where the CSIDriver says that they are not attached",
			When: `object.metadata.name.endsWith('.direct')`, Patch: `[JSONPatch{op: "add", path: "/spec/attachRequired", value: true}]`,
			Clauses: "K8S-I3", Caught: []string{"attach_not_required"}},
		{ID: "schedules_without_driver", Text: "never reads preventPodSchedulingIfMissing",
			When: `object.metadata.name.endsWith('.demanding')`, Patch: `[JSONPatch{op: "add", path: "/spec/preventPodSchedulingIfMissing", value: false}]`,
			Clauses: "K8S-J5", Caught: []string{"scheduler_driver_missing"}},
	})
}

// publishing change a CSIStorageCapacity.
func publishing() []Policy {
	of := Policy{Group: "storage.k8s.io", Version: "v1", Resource: "csistoragecapacities"}
	return of.each([]Policy{
		{ID: "never_refreshes", Text: "publishes capacity once, and never changes it",
			When: `request.operation == 'UPDATE' && has(object.capacity) && has(oldObject.capacity)`, Patch: `[JSONPatch{op: "replace", path: "/capacity", value: oldObject.capacity}]`,
			Clauses: "K8S-D11 K8S-D10", Caught: []string{"published_after_error", "published_fewer_keys"}},
		{ID: "publishes_unmanaged", Text: "publishes objects that do not say who manages them",
			When:    `has(object.metadata.labels) && 'csi.storage.k8s.io/managed-by' in object.metadata.labels`,
			Patch:   `[JSONPatch{op: "remove", path: "/metadata/labels/" + jsonpatch.escapeKey("csi.storage.k8s.io/managed-by")}]`,
			Clauses: "K8S-D12 K8S-D3",
			Caught:  []string{"published_again_deleted", "published_again_label", "capacity_per_zone"}},
		{ID: "publishes_no_zero", Text: "publishes some room of a zone that has none",
			When:  `has(object.capacity) && quantity(object.capacity).compareTo(quantity('0')) == 0`,
			Patch: `[JSONPatch{op: "replace", path: "/capacity", value: "1Gi"}]`, Clauses: "K8S-D5",
			Caught: []string{"published_zero"}},
		{ID: "publishes_the_same", Text: "publishes 50 GiB of any zone that has more than 5",
			When:  `has(object.capacity) && quantity(object.capacity).compareTo(quantity('5Gi')) > 0`,
			Patch: `[JSONPatch{op: "replace", path: "/capacity", value: "50Gi"}]`, Clauses: "K8S-E14",
			Caught: []string{"scheduler_scores_by_default"}},
	})
}

// constraints change a pod's topologySpreadConstraints.
func constraints() []Policy {
	of := Policy{Version: "v1", Resource: "pods"}
	constraint := func(condition string) string {
		return `request.operation == 'CREATE' && has(object.spec.topologySpreadConstraints) && object.spec.topologySpreadConstraints.size() == 1
				&& object.spec.topologySpreadConstraints[0].` + condition
	}
	return of.each([]Policy{
		{ID: "spreads_evenly", Text: "takes every maxSkew for 1",
			When: constraint(`maxSkew > 1`), Patch: `[JSONPatch{op: "replace", path: "/spec/topologySpreadConstraints/0/maxSkew", value: 1}]`,
			Clauses: "K8S-G2", Caught: []string{"spread_max_skew_221_2", "spread_max_skew_221_2_volumes"}},
		{
			ID: "spreads_or_waits", Text: "takes ScheduleAnyway for DoNotSchedule",
			When: constraint(`whenUnsatisfiable == 'ScheduleAnyway'`), Patch: `[JSONPatch{op: "replace", path: "/spec/topologySpreadConstraints/0/whenUnsatisfiable", value: "DoNotSchedule"}]`,
			Clauses: "K8S-G4 K8S-E1 K8S-G18 K8S-G6",
			Caught:  []string{"spread_max_skew_311_anyway", "spread_max_skew_311_anyway_volumes", "spread_schedule_anyway", "spread_min_domains_invalid"},
		},
		{ID: "wants_a_domain_more", Text: "takes minDomains for one more than it says",
			When: constraint(`?minDomains.orValue(0) > 0`), Patch: `[JSONPatch{op: "replace", path: "/spec/topologySpreadConstraints/0/minDomains", value: object.spec.topologySpreadConstraints[0].minDomains + 1}]`,
			Clauses: "K8S-G6", Caught: []string{"spread_min_domains_met", "spread_min_domains_met_volumes"}},
	})
}

// pods change the volumes of a pod.
func pods() []Policy {
	return Policy{Version: "v1", Resource: "pods"}.each([]Policy{
		{
			// To the case, this looks like a scheduler that always checks room: the pod's new volume does not exist yet.
			ID: "asks_for_room_always", Text: "asks for room for pods whose volumes are there",
			When: `request.operation == 'CREATE' && object.spec.volumes.exists(volume, has(volume.persistentVolumeClaim))`,
			Patch: `[JSONPatch{op: "replace", path: "/spec/volumes/0", value: {"name": dyn(object.spec.volumes[0].name), "ephemeral": dyn({
				"volumeClaimTemplate": {"spec": {"accessModes": dyn(["ReadWriteOnce"]), "storageClassName": dyn(object.metadata.namespace + "-0"),
				"resources": dyn({"requests": {"storage": "5Gi"}})}}})}}]`,
			Clauses: "K8S-E15", Caught: []string{"scheduler_bound_claim"},
		},
		{ID: "scores_one_claim", Text: "asks for the room of one claim of a pod, however many it has",
			When:    `request.operation == 'CREATE' && object.spec.volumes.filter(volume, has(volume.persistentVolumeClaim)).size() > 1`,
			Patch:   `[JSONPatch{op: "replace", path: "/spec/volumes/1", value: {"name": dyn(object.spec.volumes[1].name), "emptyDir": dyn({})}}]`,
			Clauses: "K8S-E14", Caught: []string{"scheduler_scores_capacity_summed"}},
	})
}

// schedulers change the schedulers that cases start.
func schedulers() []Policy {
	return slices.Concat(Policy{Version: "v1", Resource: "configmaps"}.each([]Policy{
		{ID: "binds_for_an_hour", Text: "waits for a volume for an hour, whatever the scheduler is told",
			When:    `object.metadata.?name.orValue('') == 'scheduler'`,
			Patch:   `[JSONPatch{op: "replace", path: "/data/config.yaml", value: object.data["config.yaml"].replace('"bindTimeoutSeconds":3', '"bindTimeoutSeconds":3600')}]`,
			Clauses: "K8S-E12", Caught: []string{"scheduler_bind_timeout"}},
		{
			ID: "spreads_by_no_default", Text: "has no default constraints", When: `object.metadata.?name.orValue('') == 'scheduler'`,
			Patch:   `[JSONPatch{op: "replace", path: "/data/config.yaml", value: object.data["config.yaml"].replace('PodTopologySpread', 'ImageLocality')}]`,
			Clauses: "K8S-G19", Caught: []string{"spread_default"},
		},
		{
			ID: "scores_as_ever", Text: "never reads by which shape it is to score room", When: `object.metadata.?name.orValue('') == 'scheduler'`,
			Patch: `[JSONPatch{op: "replace", path: "/data/config.yaml",
					value: object.data["config.yaml"].replace(object.data["config.yaml"].find('"shape":[[][^]]*[]]'), '"shape":null')}]`,
			Clauses: "K8S-E14", Caught: []string{"scheduler_scores_capacity_reversed", "scheduler_scores_capacity_summed"},
		},
	}), Policy{Version: "v1", Resource: "pods"}.each([]Policy{{
		ID: "never_scores_capacity", Text: "never compares the room of nodes",
		When:    `request.operation == 'CREATE' && object.metadata.?name.orValue('') == 'scheduler'`,
		Patch:   `[JSONPatch{op: "add", path: "/spec/containers/0/args/-", value: "--feature-gates=StorageCapacityScoring=false"}]`,
		Clauses: "K8S-E14", Caught: []string{"scheduler_scores_capacity"},
	}}))
}

// volumes change a PersistentVolume.
func volumes() []Policy {
	of := Policy{Version: "v1", Resource: "persistentvolumes"}
	return of.each([]Policy{{ID: "loses_secret", Text: "makes volumes that name no secret for NodePublishVolume",
		When: `has(object.spec.csi) && has(object.spec.csi.nodePublishSecretRef)`, Patch: `[JSONPatch{op: "remove", path: "/spec/csi/nodePublishSecretRef"}]`,
		Clauses: "K8S-L1", Caught: []string{"secrets_reach_calls"}}})
}

// lives change the state of a volume in objects during its life cycle.
func lives() []Policy {
	return slices.Concat(Policy{Version: "v1", Resource: "persistentvolumes"}.each([]Policy{
		{
			ID: "changes_context", Text: "adds to the context of a volume",
			When: `request.operation == 'CREATE' && has(object.spec.csi)`,
			Patch: `[JSONPatch{op: "add", path: "/spec/csi/volumeAttributes", value: object.spec.csi.?volumeAttributes.orValue({}).transformMap(k, v, dyn(v))},
					JSONPatch{op: "add", path: "/spec/csi/volumeAttributes/" + jsonpatch.escapeKey("storage.kubernetes.io/of-another-volume"), value: "true"}]`,
			Clauses: "CP-19", Caught: []string{"life_of_a_volume"},
		},
		{ID: "forgets_where", Text: "makes volumes that are accessible from anywhere",
			When: `request.operation == 'CREATE' && has(object.spec.nodeAffinity)`, Patch: `[JSONPatch{op: "remove", path: "/spec/nodeAffinity"}]`,
			Clauses: "K8S-E18 K8S-E19", Caught: []string{"stuck_two_claims_room", "stuck_two_claims_deleted"}},
		{
			ID: "forgets_attacher", Text: "keeps no PersistentVolume for its attacher",
			When: `object.metadata.?finalizers.orValue([]).exists(f, f.startsWith('external-attacher/'))`,
			Patch: `[JSONPatch{op: "replace", path: "/metadata/finalizers",
					value: object.metadata.finalizers.filter(f, !f.startsWith('external-attacher/')).map(f, dyn(f))}]`,
			Clauses: "K8S-I13", Caught: []string{"life_of_a_volume"},
		},
	}), Policy{Group: "storage.k8s.io", Version: "v1", Resource: "volumeattachments/status"}.each([]Policy{{
		ID: "loses_publish_context", Text: "passes no publish_context to the node",
		When: `has(object.status.attachmentMetadata)`, Patch: `[JSONPatch{op: "remove", path: "/status/attachmentMetadata"}]`,
		Clauses: "CP-21 CP-27", Caught: []string{"life_of_a_volume"},
	}}))
}

// each fills in the fields that the policies share.
func (p Policy) each(policies []Policy) []Policy {
	for i := range policies {
		one := &policies[i]
		one.Group, one.Version, one.Resource, one.RestartsAfter = p.Group, p.Version, p.Resource, p.RestartsAfter
		if one.When == "" {
			one.When = p.When
		}
	}
	return policies
}
