// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// NodeRecorder is the recording proxy before the driver on one node, which the kubelet calls.
type NodeRecorder struct {
	s    *Scenario
	node Node
	*recording
}

// RecorderOn connects to the recording proxy on the node; the case needs one.
func (s *Scenario) RecorderOn(ctx context.Context, at Node) *NodeRecorder {
	socket, found := s.controlSockets(ctx, s.Target.Node)[at.Name]
	if !found {
		suite.CouldNotTell("no pod of the driver runs on node %s", at.Name)
	}
	return &NodeRecorder{s, at, s.lines.recording(socket)}
}

// Inject puts the rule in force on the node, until End or the end of the case.
func (r *NodeRecorder) Inject(ctx context.Context, rule trace.Rule) *Injected {
	return r.s.injectInto(ctx, r.Client, rule)
}

// InjectOn puts the rule in force on the node for calls for the volume, until End or the end of the case.
func (r *NodeRecorder) InjectOn(ctx context.Context, volume *corev1.PersistentVolume, rule trace.Rule) *Injected {
	rule.Match = r.s.match(map[string]any{"volume_id": HandleOf(volume)})
	return r.Inject(ctx, rule)
}

// Calls are those that reached the driver on the node for the volume, oldest first.
func (r *NodeRecorder) Calls(ctx context.Context, volume *corev1.PersistentVolume) ([]trace.Call, error) {
	calls, err := r.all(ctx)
	return predicate.CallsFor(calls, HandleOf(volume)), err
}

// Calls are those that reached the driver's controller for the volume, oldest first.
func (s *Scenario) Calls(ctx context.Context, volume *corev1.PersistentVolume) ([]trace.Call, error) {
	calls, err := s.Recorded(ctx)
	return predicate.CallsFor(calls, HandleOf(volume)), err
}
