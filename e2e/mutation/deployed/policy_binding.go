// SPDX-License-Identifier: Apache-2.0

package deployed

import "fmt"

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

// registeredKeys change the topology keys with which a stand-in is registered in a CSINode.
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
