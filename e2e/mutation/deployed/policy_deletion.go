// SPDX-License-Identifier: Apache-2.0

package deployed

import "slices"

// deletions change the fields that decide whether, when and by whom something is deleted.
func deletions() []Policy {
	return slices.Concat(Policy{Version: "v1", Resource: "persistentvolumes"}.each([]Policy{
		{
			ID: "retains_volumes", Text: "keeps volumes that are to be deleted with their claims",
			When:    `request.operation == 'CREATE' && has(object.spec.csi) && object.spec.persistentVolumeReclaimPolicy == 'Delete'`,
			Patch:   `[JSONPatch{op: "replace", path: "/spec/persistentVolumeReclaimPolicy", value: "Retain"}]`,
			Clauses: "K8S-O4 K8S-O11",
			Caught:  []string{"claim_deleted_while_created", "claim_deleted_while_created_lost", "volume_not_saved_for_a_while"},
		},
		{ID: "never_retains", Text: "deletes volumes with their claims that are to be retained",
			When:    `request.operation == 'CREATE' && has(object.spec.csi) && object.spec.persistentVolumeReclaimPolicy == 'Retain'`,
			Patch:   `[JSONPatch{op: "replace", path: "/spec/persistentVolumeReclaimPolicy", value: "Delete"}]`,
			Clauses: "K8S-P2", Caught: []string{"retained_again"}},
		{ID: "forgets_provisioner", Text: "keeps no PersistentVolume until its volume is deleted",
			When:  `object.metadata.?finalizers.orValue([]).exists(f, f == 'external-provisioner.volume.kubernetes.io/finalizer')`,
			Patch: withoutFinalizer(`external-provisioner.volume.kubernetes.io/finalizer`), Clauses: "K8S-O12 K8S-O13",
			Caught: []string{"delete_refused", "delete_volume_before_claim"}},
		{ID: "never_protects_volumes", Text: "keeps no PersistentVolume while it is bound",
			When:  `object.metadata.?finalizers.orValue([]).exists(f, f == 'kubernetes.io/pv-protection')`,
			Patch: withoutFinalizer(`kubernetes.io/pv-protection`), Clauses: "K8S-P1", Caught: []string{"claim_in_use_stays"}},
		{ID: "saves_for_another_claim", Text: "saves PersistentVolumes for a claim that was there before",
			When:    `request.operation == 'CREATE' && has(object.spec.claimRef) && object.spec.?csi.?driver.orValue('').endsWith('.stand-in')`,
			Patch:   `[JSONPatch{op: "replace", path: "/spec/claimRef/uid", value: "00000000-0000-0000-0000-000000000000"}]`,
			Clauses: "K8S-O10", Caught: []string{"volume_not_saved_for_a_while"}},
		{
			ID: "takes_others_volumes", Text: "takes a PersistentVolume for one of the driver, whoever made it",
			When: `request.operation == 'CREATE' && object.metadata.?annotations[?'pv.kubernetes.io/provisioned-by'].orValue('').endsWith('.other')`,
			Patch: `[JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey("pv.kubernetes.io/provisioned-by"),
					value: "hostpath.topo.csi"}]`,
			Clauses: "K8S-O16", Caught: []string{"others_claims_untouched"},
		},
		{ID: "serves_others_volumes", Text: "grows a volume of another driver",
			When:  `request.operation == 'CREATE' && object.spec.?csi.?driver.orValue('').endsWith('.other')`,
			Patch: `[JSONPatch{op: "replace", path: "/spec/csi/driver", value: "hostpath.topo.csi"}]`, Clauses: "K8S-O15",
			Caught: []string{"others_claims_untouched"}},
	}), Policy{Version: "v1", Resource: "persistentvolumeclaims"}.each([]Policy{
		{ID: "never_protects_claims", Text: "keeps no claim while a pod uses it",
			When:  `object.metadata.?finalizers.orValue([]).exists(f, f == 'kubernetes.io/pvc-protection')`,
			Patch: withoutFinalizer(`kubernetes.io/pvc-protection`), Clauses: "K8S-P1", Caught: []string{"claim_in_use_stays"}},
		{
			ID: "names_another_provisioner", Text: "says of claims of another driver that the driver is to make their volumes",
			When: `object.metadata.?annotations[?'volume.kubernetes.io/storage-provisioner'].orValue('').endsWith('.other')`,
			Patch: `[JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey("volume.kubernetes.io/storage-provisioner"),
					value: "hostpath.topo.csi"}]`,
			Clauses: "K8S-O22", Caught: []string{"others_claims_untouched"},
		},
	}), Policy{Group: "apps", Version: "v1", Resource: "statefulsets"}.each([]Policy{
		{ID: "deletes_claims_when_scaled", Text: "deletes the claims of a StatefulSet that is scaled down, whatever it says",
			When:    `object.spec.?persistentVolumeClaimRetentionPolicy.?whenScaled.orValue('Retain') == 'Retain'`,
			Patch:   `[JSONPatch{op: "add", path: "/spec/persistentVolumeClaimRetentionPolicy", value: {"whenScaled": "Delete", "whenDeleted": "Retain"}}]`,
			Clauses: "K8S-P5", Caught: []string{"scale_down_and_up"}},
		{
			ID: "keeps_claims_when_scaled", Text: "keeps the claims of a StatefulSet that is scaled down or deleted, whatever it says",
			When:    `object.spec.?persistentVolumeClaimRetentionPolicy.?whenScaled.orValue('Retain') == 'Delete'`,
			Patch:   `[JSONPatch{op: "add", path: "/spec/persistentVolumeClaimRetentionPolicy", value: {"whenScaled": "Retain", "whenDeleted": "Retain"}}]`,
			Clauses: "K8S-P9", Caught: []string{"scale_down_and_up_deletes"},
		},
	}), Policy{Group: "apps", Version: "v1", Resource: "deployments"}.each([]Policy{
		{
			ID: "never_looks_at_attachments", Text: "runs a provisioner that knows no VolumeAttachments",
			When: `request.operation == 'CREATE' && object.metadata.name == 'provisioner'`,
			Patch: `[JSONPatch{op: "replace", path: "/spec/template/spec/initContainers/0/args",
					value: object.spec.template.spec.initContainers[0].args.map(arg, dyn(arg.replace('PUBLISH_UNPUBLISH_VOLUME', 'LIST_VOLUMES')))}]`,
			Clauses: "K8S-O14", Caught: []string{"delete_waits_for_detach"},
		},
		withFlag("csi-provisioner", "-", "--volume-name-uuid-length=8", Policy{
			ID: "cuts_names", Text: "makes volumes whose names have a part of the claim's uid", Clauses: "K8S-O1",
			Caught: []string{"others_claims_untouched"},
		}),
	}))
}

// withoutFinalizer removes a finalizer from an object that has it.
func withoutFinalizer(finalizer string) string {
	return `[JSONPatch{op: "replace", path: "/metadata/finalizers", value: object.metadata.finalizers.filter(f, f != '` + finalizer + `').map(f, dyn(f))}]`
}
