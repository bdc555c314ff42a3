// SPDX-License-Identifier: Apache-2.0

package deployed

import "slices"

// devices change StatefulSets of raw block volumes, or their pods.
func devices() []Policy {
	return slices.Concat(Policy{Group: "apps", Version: "v1", Resource: "statefulsets"}.each([]Policy{{
		ID: "forgets_volume_mode", Text: "creates claims of a StatefulSet for file systems, whatever it says",
		When:    `object.spec.?volumeClaimTemplates.orValue([]).exists(claim, claim.spec.?volumeMode.orValue('') == 'Block')`,
		Patch:   `[JSONPatch{op: "replace", path: "/spec/volumeClaimTemplates/0/spec/volumeMode", value: "Filesystem"}]`,
		Clauses: "K8S-M4", Caught: []string{"block_stateful_set"},
	}}), Policy{Version: "v1", Resource: "pods"}.each([]Policy{{
		ID: "gives_directories", Text: "gives pods of a StatefulSet an empty directory where they are to have a device",
		When: `request.operation == 'CREATE' && object.metadata.?ownerReferences.orValue([]).exists(owner, owner.kind == 'StatefulSet')
			&& has(object.spec.containers[0].volumeDevices)`,
		Patch: `[JSONPatch{op: "add", path: "/spec/volumes/-", value: {"name": dyn("directory"), "emptyDir": dyn({})}},
			JSONPatch{op: "add", path: "/spec/containers/0/volumeMounts", value: [{"name": dyn("directory"), "mountPath": object.spec.containers[0].volumeDevices[0].devicePath}]},
			JSONPatch{op: "remove", path: "/spec/containers/0/volumeDevices"}]`,
		Clauses: "K8S-M4", Caught: []string{"block_stateful_set"},
	}}))
}
