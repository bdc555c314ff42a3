// SPDX-License-Identifier: Apache-2.0

package nodeplugin

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodes"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Mislabelled is a node whose label for the driver's zone key contradicts the driver, while the driver restarts there.
type Mislabelled struct {
	s           *harness.Scenario
	plugin      *Plugin
	right, said string
}

// Mislabel labels the node with a wrong zone and deletes the driver's pods there, which a DaemonSet recreates. When the
// case ends, the label is corrected and the driver registered.
func Mislabel(ctx context.Context, s *harness.Scenario, plugin *Plugin) *Mislabelled {
	m := &Mislabelled{s: s, plugin: plugin, said: "csi-topo-elsewhere"}
	node := &corev1.Node{}
	node.Name = plugin.node.Name
	s.Need(s.Reread(ctx, node), "reading the labels of node %s", node.Name)
	m.right = node.Labels[s.Target.ZoneKey]
	s.OnCleanUp(func(ctx context.Context) error { // after the label is corrected
		return s.Within(ctx, s.Target.Timeouts.Restart, func(ctx context.Context) error {
			_, err := Registration(ctx, s, plugin.node)
			return err
		})
	})
	nodes.Change(ctx, s, plugin.node, "labelling", m.label(m.said), m.label(m.right))
	deletePods(ctx, s, plugin)
	return m
}

// label returns a change of the label to the zone.
func (m *Mislabelled) label(zone string) func(*corev1.Node) {
	return func(node *corev1.Node) { node.Labels[m.s.Target.ZoneKey] = zone }
}

// MustNotRegister waits for the kubelet to have asked the driver twice for the node's zone, the second time because it did
// not accept the first answer. It warns by the requirement if the driver is in the CSINode, or the label was changed.
func (m *Mislabelled) MustNotRegister(ctx context.Context, requirement string) {
	node, s := m.plugin.node, m.s
	var answered []predicate.Segment
	registered, labelled := &storagev1.CSINode{}, &corev1.Node{}
	registered.Name, labelled.Name = node.Name, node.Name
	s.PlatformMust(ctx, s.Target.Timeouts.Restart, requirement, "driver refused on node "+node.Name, func(ctx context.Context) (err error) {
		if answered, err = m.answered(ctx); err != nil {
			return err
		}
		if answered[0][s.Target.ZoneKey] == m.said {
			suite.Skip(suite.ByEnvironment, "the driver reports for a node what the node's label %s says, so the label cannot be wrong", s.Target.ZoneKey)
		}
		if err := errors.Join(s.Reread(ctx, registered), s.Reread(ctx, labelled)); err != nil {
			return err
		}
		if err := predicate.NotRegistered(s.Target.Driver, registered, labelled, s.Target.ZoneKey, m.said); err != nil {
			return err // the registration from before the restart disappears, and a new one stays
		}
		if len(answered) < 2 {
			return fmt.Errorf("the kubelet asked the driver on node %s once since it restarted", node.Name)
		}
		return nil
	})
	suite.Evidence(ctx, "node "+node.Name, map[string]any{
		"label": labelled.Labels[s.Target.ZoneKey], "NodeGetInfo": answered, "CSINode": registered.Spec.Drivers,
	})
}

// answered returns the topologies in the driver's answers since it restarted, at least one.
func (m *Mislabelled) answered(ctx context.Context) ([]predicate.Segment, error) {
	sockets, err := m.s.Target.ControlSocketsOf(ctx, m.s.Target.Node)
	if err != nil {
		return nil, err
	}
	socket, found := sockets[m.plugin.node.Name]
	if !found {
		return nil, fmt.Errorf("no pod of the driver runs on node %s", m.plugin.node.Name)
	}
	calls, err := m.s.Lines.Recording(socket).All(ctx)
	if err != nil {
		return nil, err
	}
	answered := predicate.SaidOfNode(calls)
	if len(answered) == 0 {
		return nil, fmt.Errorf("the kubelet did not ask the driver on node %s since it restarted", m.plugin.node.Name)
	}
	return answered, nil
}

// MustRegister corrects the label, and waits for the driver to be registered.
func (m *Mislabelled) MustRegister(ctx context.Context) {
	s, node := m.s, m.plugin.node
	s.Need(nodes.Update(ctx, s, node, m.label(m.right)), "labelling node %s", node.Name)
	mustRegister(ctx, s, m.plugin)
}
