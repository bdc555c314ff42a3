// SPDX-License-Identifier: Apache-2.0

package deployed

import "slices"

// attachments change the status of a VolumeAttachment.
func attachments() []Policy {
	return Policy{Group: "storage.k8s.io", Version: "v1", Resource: "volumeattachments/status"}.each([]Policy{{
		ID: "hides_refusals", Text: "never says why a volume is not attached or detached",
		When: `has(object.status.attachError) || has(object.status.detachError)`,
		Patch: `(has(object.status.attachError) ? [JSONPatch{op: "remove", path: "/status/attachError"}] : []) +
			(has(object.status.detachError) ? [JSONPatch{op: "remove", path: "/status/detachError"}] : [])`,
		Clauses: "K8S-I11 K8S-I12", Caught: []string{"attach_refused", "detach_refused"},
	}})
}

// usedClaims change a PersistentVolumeClaim, what its status says, or the pod that it is made for.
func usedClaims() []Policy {
	of := Policy{Version: "v1", Resource: "persistentvolumeclaims"}
	statuses := Policy{Version: "v1", Resource: "persistentvolumeclaims/status"}
	pods := Policy{Version: "v1", Resource: "pods"}
	return slices.Concat(pods.each([]Policy{{
		ID: "keeps_ephemeral_claims", Text: "keeps the claims of generic ephemeral volumes when their pods are gone",
		When:  `request.operation == 'CREATE' && object.spec.volumes.exists(volume, has(volume.ephemeral))`,
		Patch: `[JSONPatch{op: "add", path: "/metadata/finalizers", value: dyn(["orphan"])}]`, Clauses: "K8S-P7",
		Caught: []string{"ephemeral_volume_goes_with_pod"},
	}}), of.each([]Policy{
		{ID: "shares_with_pods", Text: "takes ReadWriteOncePod for ReadWriteOnce",
			When:  `request.operation == 'CREATE' && 'ReadWriteOncePod' in object.spec.accessModes`,
			Patch: `[JSONPatch{op: "replace", path: "/spec/accessModes", value: dyn(["ReadWriteOnce"])}]`, Clauses: "K8S-P6",
			Caught: []string{"read_write_once_pod"}},
		{ID: "forgets_to_shrink", Text: "answers OK to a claim that asks for less, and leaves it as it is",
			When:    `request.operation == 'UPDATE' && quantity(object.spec.resources.requests.storage).compareTo(quantity(oldObject.spec.resources.requests.storage)) < 0`,
			Patch:   `[JSONPatch{op: "replace", path: "/spec/resources/requests/storage", value: oldObject.spec.resources.requests.storage}]`,
			Clauses: "K8S-H10", Caught: []string{"grow_less_refused"}},
	}), statuses.each([]Policy{{
		ID: "grows_in_silence", Text: "does not say in a condition of a claim that its volume has yet to grow on the node",
		When: `has(object.status.conditions) && object.status.conditions.exists(c, c.type == 'FileSystemResizePending')`,
		Patch: `[JSONPatch{op: "remove",
			path: "/status/conditions/" + string(object.status.conditions.map(c, c.type).indexOf('FileSystemResizePending'))}]`,
		Clauses: "K8S-H11", Caught: []string{"growth_states"},
	}}))
}

// modifiedVolumes change a VolumeAttributesClass, a claim that names one, or a PersistentVolume.
func modifiedVolumes() []Policy {
	return slices.Concat(Policy{Version: "v1", Resource: "persistentvolumeclaims"}.each([]Policy{{
		ID: "creates_without_attributes", Text: "creates volumes as no VolumeAttributesClass says",
		When:  `request.operation == 'CREATE' && has(object.spec.volumeAttributesClassName)`,
		Patch: `[JSONPatch{op: "remove", path: "/spec/volumeAttributesClassName"}]`, Clauses: "K8S-H12",
		Caught: []string{"modify_by_class"},
	}}), Policy{Version: "v1", Resource: "persistentvolumeclaims/status"}.each([]Policy{{
		ID: "tries_what_is_infeasible", Text: "never says that a VolumeAttributesClass is infeasible",
		When:    `object.status.?modifyVolumeStatus.?status.orValue('') == 'Infeasible'`,
		Patch:   `[JSONPatch{op: "replace", path: "/status/modifyVolumeStatus/status", value: "InProgress"}]`,
		Clauses: "K8S-H13", Caught: []string{"modify_by_class"},
	}}), Policy{Version: "v1", Resource: "persistentvolumes"}.each([]Policy{{
		ID: "loses_modify_secret", Text: "makes volumes that name no secret for ControllerModifyVolume",
		When:    `has(object.metadata.annotations) && 'volume.kubernetes.io/controller-modify-secret-name' in object.metadata.annotations`,
		Patch:   `[JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey("volume.kubernetes.io/controller-modify-secret-name")}]`,
		Clauses: "K8S-L5", Caught: []string{"modify_by_class"},
	}}))
}

// groupSnapshots changes a VolumeGroupSnapshotContent: the request to the driver, or its secret.
func groupSnapshots() []Policy {
	const prefix = "groupsnapshot.storage.kubernetes.io/"
	of := Policy{Group: "groupsnapshot.storage.k8s.io", Version: "v1", Resource: "volumegroupsnapshotcontents"}
	return of.each([]Policy{
		{ID: "groups_all_but_one", Text: "leaves one of the volumes of a VolumeGroupSnapshot out",
			When:  `request.operation == 'CREATE' && object.spec.source.?volumeHandles.orValue([]).size() > 1`,
			Patch: `[JSONPatch{op: "remove", path: "/spec/source/volumeHandles/1"}]`, Clauses: "K8S-N6",
			Caught: []string{"group_snapshot_restored", "group_snapshot_calls"}},
		{
			// CreateVolumeGroupSnapshot and GetVolumeGroupSnapshot have carried the secret by then.
			ID: "deletes_groups_without_secret", Text: "deletes group snapshots without the secret of their class",
			When: `object.metadata.?annotations[?'` + prefix + `volumegroupsnapshot-being-deleted'].hasValue()
				&& object.metadata.annotations[?'` + prefix + `deletion-secret-name'].hasValue()`,
			Patch: `['name', 'namespace'].map(end, JSONPatch{op: "remove",
				path: "/metadata/annotations/" + jsonpatch.escapeKey('` + prefix + `deletion-secret-' + end)})`,
			Clauses: "VGS-34", Caught: []string{"group_snapshot_calls"},
		},
	})
}
