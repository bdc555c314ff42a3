// SPDX-License-Identifier: Apache-2.0

package wrong

// plugins change the driver's pods on nodes: kubelets ask for what is registered as soon as these start.
func plugins() []Policy {
	of := Policy{Version: "v1", Resource: "pods", RestartsAfter: true, When: `request.operation == 'CREATE' && has(object.metadata.labels) &&
		object.metadata.labels[?'app.kubernetes.io/name'].orValue('') == 'hostpath-topo' && object.metadata.labels[?'app.kubernetes.io/component'].orValue('') == 'node'`}
	return of.each([]Policy{
		{
			ID: "registers_another_rack", RestartsBefore: true, Text: "registers nodes with a topology key that the driver does not have",
			Patch:  atStart(`{"id": "wrong-rack", "method": "NodeGetInfo", "patch": {"accessible_topology": {"segments": {"topology.hostpath.topo.csi/rack": "1"}}}}`),
			Caught: []string{"csinode_topology"},
		},
		{
			ID: "registers_another_limit", RestartsBefore: true, Text: "registers nodes as if they took fewer volumes than the driver says",
			Patch:  atStart(`{"id": "wrong-limit", "method": "NodeGetInfo", "patch": {"max_volumes_per_node": "7"}}`),
			Caught: []string{"limit_registered"},
		},
		{
			// The case replaces the pod.
			ID: "registers_without_topology", Text: "registers a node without comparing its labels with what the driver says",
			Patch:  atStart(`{"id": "wrong-topology", "method": "NodeGetInfo", "patch": {"accessible_topology": null}}`),
			Caught: []string{"csinode_collision"},
		},
	})
}

// atStart is a patch by which the proxy before a node plugin has the rule in force from the beginning.
func atStart(rule string) string {
	return `[JSONPatch{op: "add", path: "/spec/initContainers/0/args/-", value: '--rule=` + rule + `'}]`
}
