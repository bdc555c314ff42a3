// SPDX-License-Identifier: Apache-2.0

package deployed

// plugins change the driver's pods on nodes: kubelets ask for the registered data as soon as these start.
func plugins() []Policy {
	of := Policy{Version: "v1", Resource: "pods", RestartsAfter: true, When: `request.operation == 'CREATE' && has(object.metadata.labels) &&
		object.metadata.labels[?'app.kubernetes.io/name'].orValue('') == 'hostpath-topo' && object.metadata.labels[?'app.kubernetes.io/component'].orValue('') == 'node'`}
	return of.each([]Policy{
		{
			ID: "registers_another_rack", RestartsBefore: true, Text: "registers nodes with a topology key that the driver does not have",
			Patch:   atStart(`{"id": "wrong-rack", "method": "NodeGetInfo", "patch": {"accessible_topology": {"segments": {"topology.hostpath.topo.csi/rack": "1"}}}}`),
			Clauses: "NI-06 NI-15 NI-18 K8S-B2", Caught: []string{"csinode_topology"},
		},
		{
			ID: "registers_another_limit", RestartsBefore: true, Text: "registers nodes as if they took fewer volumes than the driver says",
			Patch:   atStart(`{"id": "wrong-limit", "method": "NodeGetInfo", "patch": {"max_volumes_per_node": "7"}}`),
			Clauses: "K8S-J1", Caught: []string{"limit_registered"},
		},
		{
			// The case replaces the pod.
			ID: "registers_without_topology", Text: "registers a node without comparing its labels with what the driver says",
			Patch:   atStart(`{"id": "wrong-topology", "method": "NodeGetInfo", "patch": {"accessible_topology": null}}`),
			Clauses: "K8S-B3", Caught: []string{"csinode_collision"},
		},
		{
			// The case replaces the pod, so volumes that are then staged were staged without the rule.
			ID: "forgets_staged", Text: "refuses NodeUnstageVolume once it has restarted, as one that no longer knows what it staged",
			Patch:   atStart(`{"id": "wrong-unstage", "method": "NodeUnstageVolume", "code": "INTERNAL", "message": "it is not known here"}`),
			Clauses: "NI-04 NI-05 NS-06 NS-16 K8S-B2 K8S-I7", Caught: []string{"node_plugin_restarts"},
		},
	})
}

// atStart returns a patch that makes the rule active in the proxy of a node plugin from the start.
func atStart(rule string) string {
	return `[JSONPatch{op: "add", path: "/spec/initContainers/0/args/-", value: '--rule=` + rule + `'}]`
}

// nodes change the taints of a Node.
func nodes() []Policy {
	const (
		outOfService = "node.kubernetes.io/out-of-service"
		has          = `object.spec.?taints.orValue([]).exists(taint, taint.key == '` + outOfService + `')`
		unreachable  = `object.spec.?taints.orValue([]).exists(taint, taint.key == 'node.kubernetes.io/unreachable')`
		takeAway     = `[JSONPatch{op: "replace", path: "/spec/taints", value: object.spec.taints.filter(taint, taint.key != '` + outOfService + `')}]`
	)
	of := Policy{Version: "v1", Resource: "nodes"}
	return of.each([]Policy{
		{ID: "never_out_of_service", Text: "never reads that a node is out of service", When: has, Patch: takeAway,
			Clauses: "CU-03 CU-10 K8S-I5", Caught: []string{"node_out_of_service_collected"}},
		{
			ID: "out_of_service_at_once", Text: "takes a node that is not heard of for one that is out of service",
			When: has + ` != ` + unreachable,
			Patch: has + ` ? ` + takeAway + ` : [JSONPatch{op: "add", path: "/spec/taints/-", value:
				{"key": "` + outOfService + `", "value": "nodeshutdown", "effect": "NoExecute"}}]`,
			Clauses: "CU-03 K8S-I4", Caught: []string{"node_force_detach"},
		},
	})
}
