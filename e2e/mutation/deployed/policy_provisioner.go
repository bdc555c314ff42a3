// SPDX-License-Identifier: Apache-2.0

package deployed

import "slices"

// ownProvisioners changes what a case's own provisioner reads about its driver, and what it
// writes.
func ownProvisioners() []Policy {
	const proxy = `object.spec.template.spec.initContainers[0].args`
	return slices.Concat(Policy{Group: "apps", Version: "v1", Resource: "deployments",
		When: `request.operation == 'CREATE' && object.metadata.name == 'provisioner'`}.each([]Policy{
		{
			// To the case it is a provisioner that does not wait.
			ID: "ready_at_once", Text: "asks for volumes before the driver is ready",
			Patch: `[JSONPatch{op: "replace", path: "/spec/template/spec/initContainers/0/args",
					value: ` + proxy + `.map(arg, dyn(arg.replace('"ready":false', '"ready":true')))}]`,
			Clauses: "K8S-R5", Caught: []string{"provisioner_waits_for_driver"},
		},
		{
			// To the case it is a provisioner that publishes what no driver said.
			ID: "publishes_unclaimed", Text: "publishes capacity of a driver without GET_CAPACITY",
			Patch: `[JSONPatch{op: "add", path: "/spec/template/spec/initContainers/0/args/-",
					value: '--rule={"id":"unclaimed","method":"GetCapacity","answer":{"available_capacity":"1073741824"}}'}]`,
			Clauses: "K8S-D18", Caught: []string{"published_unclaimed"},
		},
	}), Policy{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}.each([]Policy{{
		ID: "never_renews", Text: "never renews the Lease of a provisioner",
		When:  `request.operation == 'UPDATE' && object.metadata.name.endsWith('-stand-in')`,
		Patch: `[JSONPatch{op: "add", path: "/spec/renewTime", value: "2020-01-01T00:00:00.000000Z"}]`, Clauses: "K8S-R1",
		Caught: []string{"lease_of_provisioner", "lease_of_provisioner_elsewhere"},
	}}), Policy{Version: "v1", Resource: "events"}.each([]Policy{{
		ID: "provisions_in_silence", Text: "does not say in an event that a volume is provisioned",
		When:  `object.?reason.orValue('') == 'Provisioning'`,
		Patch: `[JSONPatch{op: "replace", path: "/reason", value: "Working"}]`, Clauses: "K8S-O20",
		Caught: []string{"provision_events"},
	}}), Policy{Version: "v1", Resource: "persistentvolumeclaims"}.each([]Policy{{
		// The class is where provisioners look for it, and their metrics do not.
		ID: "counts_for_no_class", Text: "counts volumes of no class in the provisioner's metrics",
		When: `request.operation == 'CREATE' && has(object.spec.storageClassName) && object.spec.storageClassName.startsWith(object.metadata.namespace)`,
		Patch: `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"volume.beta.kubernetes.io/storage-class": object.spec.storageClassName}},
				JSONPatch{op: "remove", path: "/spec/storageClassName"}]`,
		Clauses: "K8S-K4", Caught: []string{"metrics_of_provisioner"},
	}}))
}
