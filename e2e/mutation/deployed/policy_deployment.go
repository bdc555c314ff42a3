// SPDX-License-Identifier: Apache-2.0

package deployed

import "fmt"

// deployments change the provisioners that cases start.
func deployments() []Policy {
	of := Policy{Group: "apps", Version: "v1", Resource: "deployments"}
	return of.each([]Policy{{ID: "provisions_twice", Text: "runs two provisioners, and none that leads",
		When:  `request.operation == 'CREATE' && object.metadata.name == 'provisioner' && object.spec.replicas == 1`,
		Patch: `[JSONPatch{op: "replace", path: "/spec/replicas", value: 2}]`, Clauses: "K8S-F4",
		Caught: []string{"provisioner_killed"}}})
}

// sidecars change the flags of those beside the driver's controller, which every run installs again.
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
		// The last flag of a name is in force. To the case it is a provisioner that counts nothing.
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
