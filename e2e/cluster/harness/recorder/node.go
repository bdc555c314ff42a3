// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Node is the recording proxy in front of the driver on one node. The kubelet calls it.
type Node struct {
	s    *harness.Scenario
	node topology.Node
	*connections.Recording
}

// On connects to the recording proxy on the node; the case must need RecorderOnNodes.
func On(ctx context.Context, s *harness.Scenario, at topology.Node) *Node {
	socket, found := controlSockets(ctx, s, s.Target.Node)[at.Name]
	if !found {
		suite.CouldNotTell("no pod of the driver runs on node %s", at.Name)
	}
	return &Node{s, at, s.Lines.Recording(socket)}
}

// Inject activates the rule on the node, until End or the end of the case.
func (r *Node) Inject(ctx context.Context, rule trace.Rule) *Injected {
	return InjectInto(ctx, r.s, r.Client, rule)
}

// InjectOn activates the rule on the node for calls for the volume, until End or the end of the case.
func (r *Node) InjectOn(ctx context.Context, volume *corev1.PersistentVolume, rule trace.Rule) *Injected {
	rule.Match = Match(r.s, map[string]any{"volume_id": harness.HandleOf(volume)})
	return r.Inject(ctx, rule)
}

// Calls returns the calls that reached the driver on the node for the volume, oldest first.
func (r *Node) Calls(ctx context.Context, volume *corev1.PersistentVolume) ([]trace.Call, error) {
	calls, err := r.All(ctx)
	return predicate.CallsFor(calls, harness.HandleOf(volume)), err
}

// MustRepeat waits for calls of the method on the node for the volume that satisfy the predicate. It warns by the
// requirement if their requests differ.
func (r *Node) MustRepeat(ctx context.Context, requirement string, volume *corev1.PersistentVolume, method string, judged func([]trace.Call) error) {
	mustRepeat(ctx, r.s, requirement, method, judged, func(ctx context.Context) ([]trace.Call, error) { return r.Calls(ctx, volume) })
}
