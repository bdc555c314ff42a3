// SPDX-License-Identifier: Apache-2.0

package deployed

import "slices"

// mounting are drivers that do not do on a node what they say they did.
func mounting() []Driver {
	return []Driver{
		{
			ID: "leaves_staged", Text: "answers OK to NodeUnstageVolume, and leaves the volume mounted at its staging path",
			Rules:   node(instead("NodeUnstageVolume", `{}`)),
			Clauses: "NS-03 NS-06 NS-16 K8S-Q5 K8S-Q9",
			Caught:  []string{"stage_refused", "stage_refused_deleted", "kubelet_restarts"},
		},
	}
}

// attachments change the status of a VolumeAttachment.
func attachments() []Policy {
	return Policy{Group: "storage.k8s.io", Version: "v1", Resource: "volumeattachments/status"}.each([]Policy{{
		ID: "hides_refusals", Text: "never says why a volume is not attached or detached",
		When: `has(object.status.attachError) || has(object.status.detachError)`,
		Patch: `(has(object.status.attachError) ? [JSONPatch{op: "remove", path: "/status/attachError"}] : []) +
			(has(object.status.detachError) ? [JSONPatch{op: "remove", path: "/status/detachError"}] : [])`,
		Clauses: "K8S-I11 K8S-I12",
		Caught:  []string{"attach_refused", "detach_refused"},
	}})
}

// usedClaims change a PersistentVolumeClaim, what its status says, or the pod that it is made for.
func usedClaims() []Policy {
	of := Policy{Version: "v1", Resource: "persistentvolumeclaims"}
	statuses := Policy{Version: "v1", Resource: "persistentvolumeclaims/status"}
	pods := Policy{Version: "v1", Resource: "pods"}
	return slices.Concat(pods.each([]Policy{{
		ID: "keeps_ephemeral_claims", Text: "keeps the claims of generic ephemeral volumes when their pods are gone",
		When:    `request.operation == 'CREATE' && object.spec.volumes.exists(volume, has(volume.ephemeral))`,
		Patch:   `[JSONPatch{op: "add", path: "/metadata/finalizers", value: dyn(["orphan"])}]`,
		Clauses: "K8S-P7",
		Caught:  []string{"ephemeral_volume_goes_with_pod"},
	}}), of.each([]Policy{
		{
			ID: "shares_with_pods", Text: "takes ReadWriteOncePod for ReadWriteOnce",
			When:    `request.operation == 'CREATE' && 'ReadWriteOncePod' in object.spec.accessModes`,
			Patch:   `[JSONPatch{op: "replace", path: "/spec/accessModes", value: dyn(["ReadWriteOnce"])}]`,
			Clauses: "K8S-P6",
			Caught:  []string{"read_write_once_pod"},
		},
		{
			ID: "forgets_to_shrink", Text: "answers OK to a claim that asks for less, and leaves it as it is",
			When:    `request.operation == 'UPDATE' && quantity(object.spec.resources.requests.storage).compareTo(quantity(oldObject.spec.resources.requests.storage)) < 0`,
			Patch:   `[JSONPatch{op: "replace", path: "/spec/resources/requests/storage", value: oldObject.spec.resources.requests.storage}]`,
			Clauses: "K8S-H10",
			Caught:  []string{"grow_less_refused"},
		},
	}), statuses.each([]Policy{{
		ID: "grows_in_silence", Text: "does not say in a condition of a claim that its volume has yet to grow on the node",
		When: `has(object.status.conditions) && object.status.conditions.size() > 0 && object.status.conditions[0].type == 'FileSystemResizePending'
			&& object.status.conditions[0].status == 'True'`,
		Patch:   `[JSONPatch{op: "replace", path: "/status/conditions/0/status", value: "False"}]`,
		Clauses: "K8S-H11",
		Caught:  []string{"growth_states"},
	}}))
}

// modifiedVolumes change a VolumeAttributesClass, a claim that names one, or a PersistentVolume.
func modifiedVolumes() []Policy {
	return slices.Concat(
		Policy{Version: "v1", Resource: "persistentvolumeclaims"}.each([]Policy{{
			ID: "creates_without_attributes", Text: "creates volumes as no VolumeAttributesClass says",
			When:    `request.operation == 'CREATE' && has(object.spec.volumeAttributesClassName)`,
			Patch:   `[JSONPatch{op: "remove", path: "/spec/volumeAttributesClassName"}]`,
			Clauses: "K8S-H12",
			Caught:  []string{"modify_by_class"},
		}}),
		Policy{Version: "v1", Resource: "persistentvolumeclaims/status"}.each([]Policy{{
			ID: "tries_what_is_infeasible", Text: "never says that a VolumeAttributesClass is infeasible",
			When:    `object.status.?modifyVolumeStatus.?status.orValue('') == 'Infeasible'`,
			Patch:   `[JSONPatch{op: "replace", path: "/status/modifyVolumeStatus/status", value: "InProgress"}]`,
			Clauses: "K8S-H13",
			Caught:  []string{"modify_by_class"},
		}}),
		Policy{Version: "v1", Resource: "persistentvolumes"}.each([]Policy{{
			ID: "loses_modify_secret", Text: "makes volumes that name no secret for ControllerModifyVolume",
			When:    `has(object.metadata.annotations) && 'volume.kubernetes.io/controller-modify-secret-name' in object.metadata.annotations`,
			Patch:   `[JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey("volume.kubernetes.io/controller-modify-secret-name")}]`,
			Clauses: "K8S-L5",
			Caught:  []string{"modify_by_class"},
		}}))
}

// registrations change what a kubelet says of a driver in the Node, or what a node plugin of a case says when it registers.
func registrations() []Policy {
	const ids = "csi.volume.kubernetes.io/nodeid"
	return slices.Concat(
		Policy{Version: "v1", Resource: "nodes/status"}.each([]Policy{{
			ID: "forgets_node_ids", Text: "does not say in the Node which id a driver has for it",
			When: `has(object.metadata.annotations) && object.metadata.annotations[?'` + ids + `'].orValue('').matches('[.](late|leaving)"')
				&& oldObject.metadata.?annotations[?'` + ids + `'].hasValue()`,
			Patch: `[JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey("` + ids + `"),
				value: oldObject.metadata.annotations["` + ids + `"]}]`,
			Clauses: "K8S-Q6",
			Caught:  []string{"registration_repeated", "plugin_goes"},
		}}),
		Policy{Version: "v1", Resource: "pods"}.each([]Policy{{
			// The kubelet takes a plugin of a higher version at once, and then forgets the driver when the earlier plugin goes.
			ID: "updates_to_a_higher_version", Text: "forgets the later of two node plugins of a driver when the earlier goes",
			When:    `request.operation == 'CREATE' && object.metadata.?generateName.orValue('') == 'node-plugin-2-'`,
			Patch:   `[JSONPatch{op: "replace", path: "/spec/containers/1/args/2", value: object.spec.containers[1].args[2].replace('1.0.0', '1.1.0')}]`,
			Clauses: "K8S-Q8",
			Caught:  []string{"driver_updated"},
		}}))
}

// kubelets change a CSIDriver of a case, by which a right kubelet does what a wrong one would do.
func kubelets() []Policy {
	return Policy{Group: "storage.k8s.io", Version: "v1", Resource: "csidrivers"}.each([]Policy{
		{
			ID: "tells_nobody", Text: "tells no driver which pod a volume is for",
			When: `object.metadata.name.endsWith('.told')`, Patch: `[JSONPatch{op: "add", path: "/spec/podInfoOnMount", value: false}]`,
			Clauses: "K8S-Q1",
			Caught:  []string{"info_of_pod"},
		},
		{
			ID: "tells_everybody", Text: "tells every driver which pod a volume is for",
			When: `object.metadata.name.endsWith('.untold')`, Patch: `[JSONPatch{op: "add", path: "/spec/podInfoOnMount", value: true}]`,
			Clauses: "K8S-Q1",
			Caught:  []string{"info_of_pod"},
		},
		{
			ID: "sends_one_token", Text: "sends a driver the token for one audience, however many it asks for",
			When: `object.metadata.name.endsWith('.context')`, Patch: `[JSONPatch{op: "remove", path: "/spec/tokenRequests/0"}]`,
			Clauses: "K8S-Q4",
			Caught:  []string{"token_of_pod"},
		},
		{
			ID: "sends_tokens_in_the_open", Text: "sends tokens in volume_context, also where they are to be secrets",
			When: `object.metadata.name.endsWith('.secrets')`, Patch: `[JSONPatch{op: "add", path: "/spec/serviceAccountTokenInSecrets", value: false}]`,
			Clauses: "K8S-Q4",
			Caught:  []string{"token_of_pod"},
		},
		{
			ID: "publishes_all_again", Text: "publishes every volume again and again",
			When: `object.metadata.name.endsWith('.once')`, Patch: `[JSONPatch{op: "add", path: "/spec/requiresRepublish", value: true}]`,
			Clauses: "K8S-Q4",
			Caught:  []string{"republish"},
		},
		{
			ID: "publishes_none_again", Text: "publishes no volume again",
			When: `object.metadata.name.endsWith('.again')`, Patch: `[JSONPatch{op: "add", path: "/spec/requiresRepublish", value: false}]`,
			Clauses: "K8S-Q4",
			Caught:  []string{"republish"},
		},
		{
			ID: "gives_to_the_group_always", Text: "gives every volume to the group of its pod, whatever the fsGroupPolicy is",
			When: `object.metadata.name.endsWith('.none') && object.spec.?fsGroupPolicy.orValue('') == 'None'`, Patch: `[JSONPatch{op: "add", path: "/spec/fsGroupPolicy", value: "File"}]`,
			Clauses: "K8S-Q3",
			Caught:  []string{"fs_group"},
		},
		{
			ID: "gives_to_the_group_never", Text: "gives no volume to the group of its pod",
			When: `object.metadata.name.endsWith('.file')`, Patch: `[JSONPatch{op: "add", path: "/spec/fsGroupPolicy", value: "None"}]`,
			Clauses: "K8S-Q3",
			Caught:  []string{"fs_group"},
		},
		{
			ID: "inlines_every_driver", Text: "publishes inline volumes of every driver, whatever its volumeLifecycleModes are",
			When: `object.metadata.name.endsWith('.unable')`, Patch: `[JSONPatch{op: "replace", path: "/spec/volumeLifecycleModes", value: dyn(["Ephemeral"])}]`,
			Clauses: "K8S-Q2",
			Caught:  []string{"inline_volume"},
		},
	})
}
