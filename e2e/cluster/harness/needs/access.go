// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// NodeService declares that the case calls the driver on nodes.
func NodeService() []harness.Need {
	return []harness.Need{ofProfile("node", func(t *harness.Target) bool { return t.Node != nil },
		"asks the driver on nodes, and the profile does not say where its socket is: cluster.node")}
}

// Logs declares that the case reads the logs of the driver's pods.
func Logs() []harness.Need {
	return []harness.Need{ofProfile("logs", hasController,
		"reads the logs of the driver's pods, and the profile does not say where its controller is: cluster.controller")}
}

// DriverRestart declares that the case deletes pods of the driver on nodes.
func DriverRestart() []harness.Need {
	allowed := ofProfile("driver-restart", func(t *harness.Target) bool { return t.Disturb.Driver },
		"deletes pods of the driver, which the run may not do here: cluster.disturb would have to name driver")
	allowed.Alone = true
	return append(NodeService(), allowed)
}

// Recorder declares that the case looks at the calls that reach the driver's controller, or injects answers to some of
// them, which requires a recording proxy in front of it.
func Recorder() []harness.Need {
	return []harness.Need{
		ofProfile("recorder", func(t *harness.Target) bool { return !t.ControllerPerNode },
			"looks at what Kubernetes asks the driver's one controller, and the profile says that each node has its own: controllerPerNode"),
		ofProfile("", func(t *harness.Target) bool { return t.Controller != nil && t.Controller.Control != "" },
			"looks at what Kubernetes asks the driver, and the profile names no recording proxy before its controller: cluster.controller.control"),
	}
}

// RecorderOnNodes declares that the case looks at the calls that reach the driver on nodes, or injects answers to
// some of them.
func RecorderOnNodes() []harness.Need {
	return []harness.Need{ofProfile("node-recorder", func(t *harness.Target) bool { return t.Node != nil && t.Node.Control != "" },
		"looks at what kubelets ask the driver, and the profile names no recording proxy on nodes: cluster.node.control")}
}

// ChangesLimits declares that the case makes the driver report a lower limit of volumes per node, and makes kubelets call
// it again.
func ChangesLimits() []harness.Need {
	allowed := ofProfile("", func(t *harness.Target) bool { return t.Disturb.Driver },
		"changes the driver's CSIDriver for a while, which the run may not do here: cluster.disturb would have to name driver")
	allowed.Alone = true
	return append(RecorderOnNodes(), allowed)
}

// OwnProvisioner declares that the case runs its own csi-provisioner, for a stand-in that it registers on nodes.
func OwnProvisioner() []harness.Need {
	return []harness.Need{mayChangeNodes("provisioner"), ofProfile("", hasController,
		"runs the csi-provisioner that is beside the driver's controller, and the profile does not say where that is: cluster.controller")}
}

// OwnScheduler declares that the case runs its own kube-scheduler, with the image of the cluster's scheduler.
func OwnScheduler() []harness.Need { return []harness.Need{{Label: "scheduler"}} }

// ChangesNodes declares that the case labels or taints nodes.
func ChangesNodes() []harness.Need { return []harness.Need{mayChangeNodes("changes-nodes")} }

func mayChangeNodes(label string) harness.Need {
	return ofProfile(label, func(t *harness.Target) bool { return t.Disturb.Nodes },
		"changes nodes, which the run may not do here: cluster.disturb would have to name nodes")
}

// StopsMachines declares that the case stops machines that nodes run on, and starts them again.
func StopsMachines() []harness.Need {
	able := harness.Need{Label: "machines", By: suite.ByEnvironment, Alone: true, Missing: func(_ context.Context, s *harness.Scenario) string {
		return lacking(s.Target.Machines != nil, "stops machines of nodes, which the run can do only on a cluster that it created")
	}}
	return append(ChangesNodes(), able, ofProfile("", hasController,
		"stops nodes, but none that the driver's controller runs on, and the profile does not say where that is: cluster.controller"))
}

// OwnNodePlugin declares that the case runs its own node plugin, which the kubelet of a node registers.
func OwnNodePlugin() []harness.Need { return append(Zones(1), mayChangeNodes("node-plugin")) }
