// SPDX-License-Identifier: Apache-2.0

package nodeplugin

import (
	"context"
	"errors"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// MustRestart deletes the driver's pods on its node, waits for the DaemonSet's new ones to be
// ready, and then for the driver to be registered there as the same node.
func MustRestart(ctx context.Context, s *harness.Scenario, plugin *Plugin) {
	deletePods(ctx, s, plugin)
	s.Until(ctx, s.Target.Timeouts.Restart, "driver's pods on node "+plugin.node.Name+" replaced", func(ctx context.Context) error {
		now, err := pods.On(ctx, s, plugin.node)
		if err != nil {
			return err
		}
		return predicate.Replaced(plugin.Pods, now)
	})
	mustRegister(ctx, s, plugin)
}

// deletePods deletes the driver's pods on its node, which a DaemonSet recreates.
func deletePods(ctx context.Context, s *harness.Scenario, plugin *Plugin) {
	var deleted []string
	for _, pod := range plugin.Pods {
		deleted = append(deleted, pod.Namespace+"/"+pod.Name)
		s.Need(s.Resources().Delete(ctx, &pod), "deleting pod %s/%s", pod.Namespace, pod.Name)
	}
	suite.Evidence(ctx, "pods deleted on node "+plugin.node.Name, deleted)
}

// mustRegister waits for the driver to be registered again, as the same node.
func mustRegister(ctx context.Context, s *harness.Scenario, plugin *Plugin) {
	var info *csi.NodeGetInfoResponse
	s.Until(ctx, s.Target.Timeouts.Restart, "driver registered again on node "+plugin.node.Name, func(ctx context.Context) (err error) {
		info, err = Registration(ctx, s, plugin.node)
		return err
	})
	suite.Evidence(ctx, "NodeGetInfo of "+plugin.node.Name, info)
	harness.Reconnect(ctx, s)
}

// Registration returns the driver's answer to NodeGetInfo on the node, and an error unless the node's id is the same as
// when the case began, since a CO may ask for it only once, and the cluster shows the driver's answer.
func Registration(ctx context.Context, s *harness.Scenario, at topology.Node) (*csi.NodeGetInfoResponse, error) {
	sockets, err := s.Target.SocketsOf(ctx, s.Target.Node)
	if err != nil {
		return nil, err
	}
	socket, there := sockets[at.Name]
	if !there {
		return nil, fmt.Errorf("no pod of the driver runs on node %s", at.Name)
	}
	info, err := nodeInfo(ctx, s, socket)
	if err != nil {
		return nil, err
	}
	if info.GetNodeId() != at.ID {
		return info, &predicate.Mismatch{
			Subject: "node_id on node " + at.Name, Wanted: at.ID + ", as before the restart", Found: info.GetNodeId(), Final: true,
		}
	}
	registered, labelled := &storagev1.CSINode{}, &corev1.Node{}
	registered.Name, labelled.Name = at.Name, at.Name
	if err := errors.Join(s.Reread(ctx, registered), s.Reread(ctx, labelled)); err != nil {
		return info, err
	}
	return info, predicate.SameTopology(s.Target.Driver, registered, labelled, info.GetNodeId(), info.GetAccessibleTopology().GetSegments())
}
