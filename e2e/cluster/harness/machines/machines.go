// SPDX-License-Identifier: Apache-2.0

// Package machines stops the machines that nodes run on.
package machines

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodes"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// outOfService is the taint with which an administrator says that a node is down and will not come back by itself.
var outOfService = corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute}

// StoppedNode is a node whose machine the case has stopped.
type StoppedNode struct {
	s    *harness.Scenario
	node topology.Node
	// heartbeat is when the kubelet last reported the node's status.
	heartbeat metav1.Time
	// containers are the ids of the containers in the node's pods.
	containers map[string]bool
	started    bool
}

// NodeToStop returns a node of the zone without a controller of the driver, because volumes cannot move while the
// controller is stopped.
func NodeToStop(ctx context.Context, s *harness.Scenario, zone topology.Zone) topology.Node {
	occupied := controllerNodes(ctx, s)
	at := slices.IndexFunc(zone.Nodes, func(n topology.Node) bool { return !slices.Contains(occupied, n.Name) })
	if at < 0 {
		suite.Skip(suite.ByEnvironment, "stops a node of zone %s, but controllers of the driver run on all nodes of the zone: %v", zone, occupied)
	}
	return zone.Nodes[at]
}

// ZoneToStop returns the smallest zone, by nodes, without a controller of the driver.
func ZoneToStop(ctx context.Context, s *harness.Scenario) topology.Zone {
	occupied := controllerNodes(ctx, s)
	free := slices.DeleteFunc(slices.Clone(s.AllZones()), func(z topology.Zone) bool {
		return slices.ContainsFunc(z.Nodes, func(n topology.Node) bool { return slices.Contains(occupied, n.Name) })
	})
	if len(free) == 0 {
		suite.Skip(suite.ByEnvironment, "stops a zone, but controllers of the driver run in all zones: %v", occupied)
	}
	return slices.MinFunc(free, func(a, b topology.Zone) int { return len(a.Nodes) - len(b.Nodes) })
}

// controllerNodes returns the names of the nodes with controllers of the driver.
func controllerNodes(ctx context.Context, s *harness.Scenario) []string {
	var occupied []string
	for _, pod := range harness.MustFindControllers(ctx, s) {
		occupied = append(occupied, pod.Spec.NodeName)
	}
	return occupied
}

// StopNode stops the machine of the node, until Start or the end of the case. The cluster is not notified.
func StopNode(ctx context.Context, s *harness.Scenario, at topology.Node) *StoppedNode {
	node := &corev1.Node{}
	node.Name = at.Name
	s.Need(s.Reread(ctx, node), "reading node %s", at.Name)
	there, err := pods.On(ctx, s, at)
	s.Need(err, "looking for what the node runs")
	stopped := &StoppedNode{s: s, node: at, heartbeat: predicate.Readiness(node).LastHeartbeatTime, containers: map[string]bool{}}
	for _, pod := range there {
		for _, container := range pod.Status.ContainerStatuses {
			stopped.containers[container.ContainerID] = true
		}
	}
	s.OnCleanUp(stopped.start)
	s.Need(s.Target.Machines.StopNode(ctx, at.Name), "stopping the machine of node %s", at.Name)
	return stopped
}

// PutOutOfService taints the node as out of service: Kubernetes deletes its pods, and detaches their volumes although no
// kubelet reports them unmounted. It lasts until Start or the end of the case.
func (n *StoppedNode) PutOutOfService(ctx context.Context) {
	nodes.Taint(ctx, n.s, outOfService, n.node)
}

// Start starts the machine, and waits until the node and the driver on it are as before.
func (n *StoppedNode) Start(ctx context.Context) {
	n.s.Need(n.start(ctx), "starting the machine of node %s again", n.node.Name)
}

func (n *StoppedNode) start(ctx context.Context) error {
	if n.started {
		return nil
	}
	if err := n.s.Target.Machines.StartNode(ctx, n.node.Name); err != nil {
		return err
	}
	// A scheduler that learns that the taint is gone before the eviction controller does would place a waiting pod
	// there, to be deleted. The driver's own pods tolerate a cordoned node.
	if err := nodes.Update(ctx, n.s, n.node, func(node *corev1.Node) {
		nodes.Without(outOfService)(node)
		node.Spec.Unschedulable = true
	}); err != nil {
		return err
	}
	if err := n.s.Within(ctx, n.s.Target.Timeouts.Restart, n.isBack); err != nil {
		return fmt.Errorf("waiting for node %s to be as before: %w", n.node.Name, err)
	}
	if err := nodes.Update(ctx, n.s, n.node, func(node *corev1.Node) { node.Spec.Unschedulable = false }); err != nil {
		return err
	}
	n.started = true
	return nil
}

// isBack returns an error unless the node is ready for pods, with the driver. State in the API server from before the stop
// does not count.
func (n *StoppedNode) isBack(ctx context.Context) error {
	node := &corev1.Node{}
	node.Name = n.node.Name
	if err := n.s.Reread(ctx, node); err != nil {
		return err
	}
	if heartbeat := predicate.Readiness(node).LastHeartbeatTime; heartbeat.Equal(&n.heartbeat) {
		return errors.New("its kubelet has not reported since it was started")
	}
	if err := predicate.NodeReady(node); err != nil {
		return err
	}
	if n.s.Target.Node == nil {
		return nil
	}
	there, err := pods.On(ctx, n.s, n.node)
	if err != nil {
		return err
	}
	plugin, err := nodeplugin.Find(there, n.s.Target.Node)
	if err != nil {
		return err
	}
	if err := predicate.StartedAgain(plugin.Pods, n.containers); err != nil {
		return err
	}
	_, err = nodeplugin.Registration(ctx, n.s, n.node)
	return err
}

// MustBeLost waits for the cluster to notice that the node no longer reports.
func (n *StoppedNode) MustBeLost(ctx context.Context) {
	node := &corev1.Node{}
	node.Name = n.node.Name
	n.s.Until(ctx, n.s.Target.Timeouts.Lost, "node "+node.Name+" no longer ready", n.s.Look(node, func() error { return predicate.NodeLost(node) }))
}

// MustForget waits for the restarted node to report the volume as no longer in use, although its directories still exist
// there. A lasting mismatch is a warning by the requirement.
func (n *StoppedNode) MustForget(ctx context.Context, requirement string, volume *corev1.PersistentVolume) {
	node := &corev1.Node{}
	node.Name = n.node.Name
	n.s.PlatformMust(ctx, n.s.Target.Timeouts.Detach, requirement, "node "+node.Name+" lets go of volume "+volume.Name, n.s.Look(node, func() error {
		return predicate.NotInUse(node, n.s.Target.Driver, harness.HandleOf(volume))
	}))
}
