// SPDX-License-Identifier: Apache-2.0

package deployed

import "slices"

// passedOn change what a StorageClass says, or what the PersistentVolumes made by it do.
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
			// The driver logs volume_context, and takes what the provisioner may have added. To the case it is one that logs the
			// secrets of NodePublishVolume. That shows GEN-23 only: no sidecar and no kubelet logs a secret, as SEC-06 forbids.
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
