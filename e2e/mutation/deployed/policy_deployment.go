// SPDX-License-Identifier: Apache-2.0

package deployed

import (
	"fmt"
	"slices"
)

// deployments change the provisioners that cases start.
func deployments() []Policy {
	of := Policy{Group: "apps", Version: "v1", Resource: "deployments"}
	return of.each([]Policy{{ID: "provisions_twice", Text: "runs two provisioners, and none that leads",
		When:  `request.operation == 'CREATE' && object.metadata.name == 'provisioner' && object.spec.replicas == 1`,
		Patch: `[JSONPatch{op: "replace", path: "/spec/replicas", value: 2}]`, Clauses: "K8S-F4",
		Caught: []string{"provisioner_killed"}}})
}

// sidecars change the flags of the driver's sidecars, which every run reinstalls.
func sidecars() []Policy {
	of := Policy{Group: "apps", Version: "v1", Resource: "deployments"}
	return of.each([]Policy{
		withFlag("csi-resizer", "-", "--feature-gates=RecoverVolumeExpansionFailure=false", Policy{
			ID: "never_recovers", Text: "says nothing of a growth that is infeasible, and never asks for less",
			Clauses: "K8S-H4 K8S-H5 PC-07 K8S-H6",
			Caught: []string{
				"grow_infeasible_invalid_argument", "grow_infeasible_out_of_range", "grow_infeasible_not_found",
				"grow_exhausted", "grow_lowered", "grow_node_infeasible",
			},
		}),
		withFlag("csi-provisioner", "-", "--capacity-for-immediate-binding=true", Policy{
			ID: "publishes_for_every_class", Text: "publishes capacity of classes that bind immediately, too", Clauses: "K8S-D4",
			Caught: []string{"capacity_only_waiting"},
		}),
		// The last flag of a name takes effect. To the case, this is a provisioner that counts nothing.
		withFlag("csi-provisioner", "0", "--http-endpoint=:8082", Policy{
			ID: "counts_nothing", Text: "says that the provisioner's metrics are where the attacher serves its own",
			Clauses: "K8S-K3", Caught: []string{"metrics_of_sidecars"},
		}),
		withFlag("csi-attacher", "-", "--feature-gates=MutableCSINodeAllocatableCount=false", Policy{
			ID: "says_no_code", Text: "does not say with which code the driver refused to attach a volume", Clauses: "K8S-J4",
			Caught: []string{"limit_at_attach"},
		}),
	})
}

// withFlag makes the policy add a flag to a container of the driver's controller, once.
func withFlag(container, position, flag string, p Policy) Policy {
	const containers = `object.spec.template.spec.containers`
	p.When = fmt.Sprintf(`object.metadata.name == 'hostpath-topo-controller' && !%s.exists(container, container.name == '%s' && '%s' in container.args)`,
		containers, container, flag)
	p.Patch = fmt.Sprintf(`[JSONPatch{op: "add", path: "/spec/template/spec/containers/" + string(%s.map(container, container.name).indexOf('%s')) + "/args/%s", value: "%s"}]`,
		containers, container, position, flag)
	return p
}

// ownProvisioners change the input of a case's own provisioner about its driver, and its output.
func ownProvisioners() []Policy {
	const proxy = `object.spec.template.spec.initContainers[0].args`
	return slices.Concat(Policy{Group: "apps", Version: "v1", Resource: "deployments",
		When: `request.operation == 'CREATE' && object.metadata.name == 'provisioner'`}.each([]Policy{
		{
			// To the case, this is a provisioner that does not wait.
			ID: "ready_at_once", Text: "asks for volumes before the driver is ready",
			Patch: `[JSONPatch{op: "replace", path: "/spec/template/spec/initContainers/0/args",
					value: ` + proxy + `.map(arg, dyn(arg.replace('"ready":false', '"ready":true')))}]`,
			Clauses: "K8S-R5", Caught: []string{"provisioner_waits_for_driver"},
		},
		{
			// To the case, this is a provisioner that publishes capacity that no driver reported.
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
		// Provisioners read the class from this annotation, but their metrics do not.
		ID: "counts_for_no_class", Text: "counts volumes of no class in the provisioner's metrics",
		When: `request.operation == 'CREATE' && has(object.spec.storageClassName) && object.spec.storageClassName.startsWith(object.metadata.namespace)`,
		Patch: `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"volume.beta.kubernetes.io/storage-class": object.spec.storageClassName}},
				JSONPatch{op: "remove", path: "/spec/storageClassName"}]`,
		Clauses: "K8S-K4", Caught: []string{"metrics_of_provisioner"},
	}}))
}

// leaders change the flags of the sidecars that cases start in two pods.
func leaders() []Policy {
	deposed := []string{"sidecar_deposed_attacher", "sidecar_deposed_resizer", "sidecar_deposed_snapshotter"}
	flagged := func(id, text, flag string) Policy {
		return Policy{ID: id, Text: text, When: `request.operation == 'CREATE' && object.metadata.name == 'sidecar'`,
			Patch:   `[JSONPatch{op: "add", path: "/spec/template/spec/containers/0/args/-", value: "` + flag + `"}]`,
			Clauses: "K8S-R3", Caught: deposed}
	}
	return Policy{Group: "apps", Version: "v1", Resource: "deployments"}.each([]Policy{
		flagged("leads_always", "runs sidecars that work also where another leads", "--leader-election=false"),
		flagged("leads_forever", "runs sidecars that wait for an hour before they lead in place of one that is gone", "--leader-election-lease-duration=1h"),
	})
}
