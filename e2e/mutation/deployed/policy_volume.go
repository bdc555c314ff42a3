// SPDX-License-Identifier: Apache-2.0

package deployed

import (
	"fmt"
	"slices"
)

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

// usedClaims change a PersistentVolumeClaim, its status, or the pod that it is created for.
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
			// CreateVolumeGroupSnapshot and GetVolumeGroupSnapshot have already carried the secret.
			ID: "deletes_groups_without_secret", Text: "deletes group snapshots without the secret of their class",
			When: `object.metadata.?annotations[?'` + prefix + `volumegroupsnapshot-being-deleted'].hasValue()
				&& object.metadata.annotations[?'` + prefix + `deletion-secret-name'].hasValue()`,
			Patch: `['name', 'namespace'].map(end, JSONPatch{op: "remove",
				path: "/metadata/annotations/" + jsonpatch.escapeKey('` + prefix + `deletion-secret-' + end)})`,
			Clauses: "VGS-34", Caught: []string{"group_snapshot_calls"},
		},
	})
}

// passedOn change a StorageClass, or the PersistentVolumes created from it.
func passedOn() []Policy {
	return slices.Concat(Policy{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}.each([]Policy{
		{ID: "reads_no_mount_options", Text: "never reads mountOptions of a class",
			When: `has(object.mountOptions)`, Patch: `[JSONPatch{op: "remove", path: "/mountOptions"}]`,
			Clauses: "K8S-O2 K8S-O23", Caught: []string{"class_reaches_calls"}},
		{ID: "reads_no_file_system", Text: "never reads which file system the volumes of a class are to have",
			When:    `has(object.parameters) && 'csi.storage.k8s.io/fstype' in object.parameters`,
			Patch:   `[JSONPatch{op: "remove", path: "/parameters/" + jsonpatch.escapeKey("csi.storage.k8s.io/fstype")}]`,
			Clauses: "K8S-O2 K8S-O23", Caught: []string{"class_reaches_calls"}},
		{ID: "adds_parameters", Text: "passes parameters on that a class does not have",
			When: `has(object.parameters) && object.provisioner.endsWith('.stand-in')`, Patch: `[JSONPatch{op: "add", path: "/parameters/of-another-class", value: "true"}]`,
			Clauses: "K8S-O21", Caught: []string{"class_reaches_calls", "class_reaches_calls_unnamed"}},
	}), Policy{Version: "v1", Resource: "persistentvolumes"}.each([]Policy{
		{ID: "loses_mount_options", Text: "makes PersistentVolumes without mountOptions",
			When: `request.operation == 'CREATE' && has(object.spec.mountOptions)`, Patch: `[JSONPatch{op: "remove", path: "/spec/mountOptions"}]`,
			Clauses: "K8S-O2 K8S-O23", Caught: []string{"class_reaches_calls"}},
		{ID: "loses_file_system", Text: "makes PersistentVolumes that do not say which file system they have",
			When: `request.operation == 'CREATE' && has(object.spec.csi) && has(object.spec.csi.fsType)`, Patch: `[JSONPatch{op: "remove", path: "/spec/csi/fsType"}]`,
			Clauses: "K8S-O2 K8S-O23", Caught: []string{"class_reaches_calls"}},
		{ID: "makes_no_devices", Text: "makes PersistentVolumes of volumeMode Filesystem for claims of volumeMode Block",
			When:  `request.operation == 'CREATE' && object.spec.?volumeMode.orValue('') == 'Block'`,
			Patch: `[JSONPatch{op: "replace", path: "/spec/volumeMode", value: "Filesystem"}]`, Clauses: "K8S-O2",
			Caught: []string{"class_reaches_calls"}},
		{ID: "shares_with_nobody", Text: "makes PersistentVolumes that one node uses, whatever the claim says",
			When:  `request.operation == 'CREATE' && has(object.spec.csi) && object.spec.accessModes.size() > 1`,
			Patch: `[JSONPatch{op: "replace", path: "/spec/accessModes", value: dyn(["ReadWriteOnce"])}]`, Clauses: "K8S-O2",
			Caught: []string{"class_reaches_calls"}},
		{
			// The driver logs volume_context, and accepts keys that the provisioner may have added. To the case, this is a
			// driver that logs the secrets of NodePublishVolume. That shows GEN-23 only: no sidecar and no kubelet logs a
			// secret, as SEC-06 forbids.
			ID: "logs_secrets", Text: "has a secret of NodePublishVolume written to the log of the driver",
			When: `request.operation == 'CREATE' && has(object.spec.csi) && has(object.spec.csi.nodePublishSecretRef) && has(object.spec.claimRef)`,
			Patch: `[JSONPatch{op: "add", path: "/spec/csi/volumeAttributes", value: object.spec.csi.?volumeAttributes.orValue({}).transformMap(k, v, dyn(v))},
					JSONPatch{op: "add", path: "/spec/csi/volumeAttributes/" + jsonpatch.escapeKey("storage.kubernetes.io/token"),
						value: "secret-" + object.spec.csi.nodePublishSecretRef.name + "-of-" + object.spec.claimRef.namespace}]`,
			Clauses: "GEN-23", Caught: []string{"secrets_not_logged"},
		},
	}))
}

// snapshotSecrets change a VolumeSnapshotClass, or a VolumeSnapshotContent, that names secrets.
func snapshotSecrets() []Policy {
	const group = "snapshot.storage.k8s.io"
	knowsNo := func(id, text, parameter string) Policy {
		return Policy{
			ID: id, Text: text,
			When: `has(object.parameters) && 'csi.storage.k8s.io/` + parameter + `-name' in object.parameters`,
			Patch: `['name', 'namespace'].map(end, JSONPatch{op: "remove",
				path: "/parameters/" + jsonpatch.escapeKey('csi.storage.k8s.io/` + parameter + `-' + end)})`,
			Clauses: "K8S-L4", Caught: []string{"secrets_reach_snapshots"},
		}
	}
	return slices.Concat(Policy{Group: group, Version: "v1", Resource: "volumesnapshotclasses"}.each([]Policy{
		knowsNo("knows_no_snapshotter_secret", "never reads which secret the calls that make and delete a snapshot carry", "snapshotter-secret"),
		knowsNo("knows_no_list_secret", "never reads which secret ListSnapshots carries", "snapshotter-list-secret"),
	}), Policy{Group: group, Version: "v1", Resource: "volumesnapshotcontents"}.each([]Policy{{
		ID: "deletes_snapshots_without_secret", Text: "deletes snapshots without the secret of their class",
		When: `object.metadata.?annotations[?'snapshot.storage.kubernetes.io/volumesnapshot-being-deleted'].hasValue()
				&& object.metadata.annotations[?'snapshot.storage.kubernetes.io/deletion-secret-name'].hasValue()`,
		Patch: `['name', 'namespace'].map(end, JSONPatch{op: "remove",
				path: "/metadata/annotations/" + jsonpatch.escapeKey('snapshot.storage.kubernetes.io/deletion-secret-' + end)})`,
		Clauses: "K8S-L4", Caught: []string{"secrets_reach_snapshots"},
	}}))
}

// existingVolumes change PersistentVolumes that cases create by hand.
func existingVolumes() []Policy {
	const static = `request.operation == 'CREATE' && has(object.spec.nodeAffinity) && object.spec.?csi.?driver.orValue('').endsWith('.static')`
	return Policy{Version: "v1", Resource: "persistentvolumes"}.each([]Policy{
		{ID: "creates_always", Text: "has a volume created for every claim, whatever volumes there are",
			When: static, Patch: `[JSONPatch{op: "replace", path: "/spec/storageClassName", value: "csi-topo-nobody"}]`,
			Clauses: "K8S-P3", Caught: []string{"static_first"}},
		{ID: "takes_from_anywhere", Text: "gives a claim the smallest volume that fits, wherever its pod is to run",
			When: static, Patch: `[JSONPatch{op: "remove", path: "/spec/nodeAffinity"}]`, Clauses: "K8S-P3",
			Caught: []string{"static_first"}},
		{
			ID: "forgets_reservations", Text: "gives a volume that names a claim to any claim",
			When: `request.operation == 'CREATE' && has(object.spec.claimRef) && object.spec.claimRef.?uid.orValue('') == ''
				&& object.spec.?csi.?driver.orValue('').endsWith('.stand-in')`,
			Patch: `[JSONPatch{op: "remove", path: "/spec/claimRef"}]`, Clauses: "K8S-P4", Caught: []string{"reserved_volume"},
		},
		{
			ID: "wants_topology", Text: "finds no node for a volume without topological constraints",
			When: `request.operation == 'CREATE' && !has(object.spec.nodeAffinity) && object.spec.?csi.?driver.orValue('').endsWith('.placeless')`,
			Patch: `[JSONPatch{op: "add", path: "/spec/nodeAffinity", value: {"required": {"nodeSelectorTerms": dyn([{"matchExpressions": dyn([
				{"key": dyn("csi-topo/nowhere"), "operator": dyn("Exists")}])}])}}}]`,
			Clauses: "NI-17", Caught: []string{"csinode_without_topology"},
		},
	})
}

// registeredKeys change the topology keys of a stand-in's registration in a CSINode.
func registeredKeys() []Policy {
	const keys = `driver.?topologyKeys.orValue([])` // null where a client wrote none
	of := Policy{Group: "storage.k8s.io", Version: "v1", Resource: "csinodes"}
	with := func(condition, patch string, p Policy) Policy {
		p.When = fmt.Sprintf(`object.spec.drivers.exists(driver, %s)`, condition)
		p.Patch = fmt.Sprintf(`object.spec.drivers.filter(driver, %s).map(driver, JSONPatch{%s,
			path: "/spec/drivers/" + string(object.spec.drivers.map(d, d.name).indexOf(driver.name)) + "/topologyKeys"})`, condition, patch)
		return p
	}
	return of.each([]Policy{
		with(`driver.name.endsWith('.stand-in') && dyn(`+keys+`) != null && `+keys+`.size() == 1`, `op: "remove"`, Policy{
			ID: "registers_finest_keys", Text: "knows of no topology of nodes that have fewer keys than others",
			Clauses: "K8S-B22", Caught: []string{"provision_different_keys"},
		}),
		with(`driver.name.endsWith('.placeless') && (dyn(`+keys+`) == null || `+keys+`.size() == 0)`, `op: "add", value: ["kubernetes.io/hostname"]`, Policy{
			ID: "registers_host_name", Text: "takes a node without topology for one whose topology is its host name",
			Clauses: "NI-16", Caught: []string{"csinode_without_topology"},
		}),
	})
}
