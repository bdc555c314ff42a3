// SPDX-License-Identifier: Apache-2.0

package deployed

import "slices"

// mounting returns drivers whose answers on a node are false.
func mounting() []Driver {
	return []Driver{
		{ID: "leaves_staged", Text: "answers OK to NodeUnstageVolume, and leaves the volume mounted at its staging path",
			Rules: node(instead("NodeUnstageVolume", `{}`)), Clauses: "NS-03 NS-06 NS-16 K8S-Q5 K8S-Q9",
			Caught: []string{"stage_refused", "stage_refused_deleted", "kubelet_restarts"}},
	}
}

// registrations change a kubelet's entries about a driver in the Node, or the answers of a case's node plugin when it
// registers.
func registrations() []Policy {
	const ids = "csi.volume.kubernetes.io/nodeid"
	return slices.Concat(Policy{Version: "v1", Resource: "nodes/status"}.each([]Policy{{
		ID: "forgets_node_ids", Text: "does not say in the Node which id a driver has for it",
		When: `has(object.metadata.annotations) && object.metadata.annotations[?'` + ids + `'].orValue('').matches('[.](late|leaving)"')
				&& oldObject.metadata.?annotations[?'` + ids + `'].hasValue()`,
		Patch: `[JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey("` + ids + `"),
				value: oldObject.metadata.annotations["` + ids + `"]}]`,
		Clauses: "K8S-Q6", Caught: []string{"registration_repeated", "plugin_goes"},
	}}), Policy{Version: "v1", Resource: "pods"}.each([]Policy{{
		// The kubelet accepts a plugin of a higher version at once, and then forgets the driver when the earlier plugin is
		// removed.
		ID: "updates_to_a_higher_version", Text: "forgets the later of two node plugins of a driver when the earlier goes",
		When:    `request.operation == 'CREATE' && object.metadata.?generateName.orValue('') == 'node-plugin-2-'`,
		Patch:   `[JSONPatch{op: "replace", path: "/spec/containers/1/args/2", value: object.spec.containers[1].args[2].replace('1.0.0', '1.1.0')}]`,
		Clauses: "K8S-Q8", Caught: []string{"driver_updated"},
	}}))
}

// kubelets change a CSIDriver of a case, so that a correct kubelet behaves like a faulty one.
func kubelets() []Policy {
	return Policy{Group: "storage.k8s.io", Version: "v1", Resource: "csidrivers"}.each([]Policy{
		{ID: "tells_nobody", Text: "tells no driver which pod a volume is for",
			When: `object.metadata.name.endsWith('.told')`, Patch: `[JSONPatch{op: "add", path: "/spec/podInfoOnMount", value: false}]`,
			Clauses: "K8S-Q1", Caught: []string{"info_of_pod"}},
		{ID: "tells_everybody", Text: "tells every driver which pod a volume is for",
			When: `object.metadata.name.endsWith('.untold')`, Patch: `[JSONPatch{op: "add", path: "/spec/podInfoOnMount", value: true}]`,
			Clauses: "K8S-Q1", Caught: []string{"info_of_pod"}},
		{ID: "sends_one_token", Text: "sends a driver the token for one audience, however many it asks for",
			When: `object.metadata.name.endsWith('.context')`, Patch: `[JSONPatch{op: "remove", path: "/spec/tokenRequests/0"}]`,
			Clauses: "K8S-Q4", Caught: []string{"token_of_pod"}},
		{ID: "sends_tokens_in_the_open", Text: "sends tokens in volume_context, also where they are to be secrets",
			When: `object.metadata.name.endsWith('.secrets')`, Patch: `[JSONPatch{op: "add", path: "/spec/serviceAccountTokenInSecrets", value: false}]`,
			Clauses: "K8S-Q4", Caught: []string{"token_of_pod"}},
		{ID: "publishes_all_again", Text: "publishes every volume again and again",
			When: `object.metadata.name.endsWith('.once')`, Patch: `[JSONPatch{op: "add", path: "/spec/requiresRepublish", value: true}]`,
			Clauses: "K8S-Q4", Caught: []string{"republish"}},
		{ID: "publishes_none_again", Text: "publishes no volume again",
			When: `object.metadata.name.endsWith('.again')`, Patch: `[JSONPatch{op: "add", path: "/spec/requiresRepublish", value: false}]`,
			Clauses: "K8S-Q4", Caught: []string{"republish"}},
		{ID: "gives_to_the_group_always", Text: "gives every volume to the group of its pod, whatever the fsGroupPolicy is",
			When: `object.metadata.name.endsWith('.none') && object.spec.?fsGroupPolicy.orValue('') == 'None'`, Patch: `[JSONPatch{op: "add", path: "/spec/fsGroupPolicy", value: "File"}]`,
			Clauses: "K8S-Q3", Caught: []string{"fs_group"}},
		{ID: "gives_to_the_group_never", Text: "gives no volume to the group of its pod",
			When: `object.metadata.name.endsWith('.file')`, Patch: `[JSONPatch{op: "add", path: "/spec/fsGroupPolicy", value: "None"}]`,
			Clauses: "K8S-Q3", Caught: []string{"fs_group"}},
		{ID: "inlines_every_driver", Text: "publishes inline volumes of every driver, whatever its volumeLifecycleModes are",
			When: `object.metadata.name.endsWith('.unable')`, Patch: `[JSONPatch{op: "replace", path: "/spec/volumeLifecycleModes", value: dyn(["Ephemeral"])}]`,
			Clauses: "K8S-Q2", Caught: []string{"inline_volume"}},
	})
}
