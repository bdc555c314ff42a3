// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// RestartKubelet restarts the kubelet of the node, and waits until it has reported that the node is ready, and the
// driver is registered there.
func RestartKubelet(ctx context.Context, s *harness.Scenario, at topology.Node) {
	node := &corev1.Node{}
	node.Name = at.Name
	s.Need(s.Reread(ctx, node), "reading node %s", at.Name)
	before := predicate.Readiness(node).LastHeartbeatTime
	s.Need(s.Target.Machines.RestartKubelet(ctx, at.Name), "restarting the kubelet of node %s", at.Name)
	s.Until(ctx, s.Target.Timeouts.Restart, "node "+at.Name+" ready again", s.Look(node, func() error {
		if now := predicate.Readiness(node).LastHeartbeatTime; now.Equal(&before) {
			return errors.New("its kubelet has not reported since it was restarted")
		}
		if err := predicate.NodeReady(node); err != nil {
			return err
		}
		_, err := nodeplugin.Registration(ctx, s, at)
		return err
	}))
	harness.Reconnect(ctx, s)
}
