// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/util/retry"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Label gives nodes a label of the case's own, until the case ends, and waits until the scheduler knows.
func (s *Scenario) Label(ctx context.Context, key, value string, nodes ...Node) {
	s.changeNodes(ctx, nodes, "labelling", func(node *corev1.Node) { node.Labels[key] = value }, func(node *corev1.Node) { delete(node.Labels, key) })
}

// Taint gives nodes a taint, until the case ends, and waits until the scheduler knows.
func (s *Scenario) Taint(ctx context.Context, taint corev1.Taint, nodes ...Node) {
	s.changeNodes(ctx, nodes, "tainting",
		func(node *corev1.Node) { node.Spec.Taints = append(node.Spec.Taints, taint) },
		without(taint))
}

// without takes the taint from a node.
func without(taint corev1.Taint) func(*corev1.Node) {
	return func(node *corev1.Node) {
		node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) })
	}
}

// Cordon keeps new pods off nodes, until Uncordon or the end of the case, and waits until the scheduler knows.
func (s *Scenario) Cordon(ctx context.Context, nodes ...Node) {
	s.changeNodes(ctx, nodes, "cordoning",
		func(node *corev1.Node) { node.Spec.Unschedulable = true },
		func(node *corev1.Node) { node.Spec.Unschedulable = false })
}

// changeNodes changes the nodes, and has the changes undone when the case is torn down. Both times it waits until the
// scheduler knows.
func (s *Scenario) changeNodes(ctx context.Context, nodes []Node, doing string, change, undo func(*corev1.Node)) {
	s.aside(ctx)
	s.undo = append(s.undo, func(ctx context.Context) error { // after what follows is undone
		if err := s.awaitScheduler(ctx, nodes); !apierrors.IsNotFound(err) { // of a node that is gone
			return err
		}
		return nil
	})
	for _, n := range nodes {
		s.changeNode(ctx, n, doing, change, undo)
	}
	s.Need(s.awaitScheduler(ctx, nodes), "%s nodes", doing)
}

// awaitScheduler waits until the scheduler knows how the nodes are. It watches nodes and pods separately, so it can see a pod
// before a change to a node that was made earlier. It sees the changes to nodes in their order: when it places a pod that
// needs one more change, a label on the last of the nodes, it knows of all that came before.
func (s *Scenario) awaitScheduler(ctx context.Context, nodes []Node) error {
	at, key, value := nodes[len(nodes)-1], "known.csi-topo/"+s.Namespace, string(uuid.NewUUID())
	err := s.updateNode(ctx, at, func(node *corev1.Node) { node.Labels[key] = value })
	if err != nil {
		return err
	}
	waiting := workload.SleepingPod().Withheld().In(predicate.Segment{key: value}).ToleratingAll()
	probe, err := s.tryCreatePodIn(ctx, s.aside(ctx), waiting)
	if err == nil {
		err = s.Within(ctx, s.Target.Timeouts.Schedule, s.Look(probe, func() error { return predicate.PodScheduled(probe) }))
		err = errors.Join(err, s.delete(ctx, probe))
	}
	err = errors.Join(err, s.updateNode(ctx, at, func(node *corev1.Node) { delete(node.Labels, key) }))
	if err != nil {
		return fmt.Errorf("waiting for the scheduler to know of a change of node %s: %w", at.Name, err)
	}
	return nil
}

// Uncordon lets pods onto nodes that the case has cordoned.
func (s *Scenario) Uncordon(ctx context.Context, nodes ...Node) {
	for _, n := range nodes {
		s.Need(s.updateNode(ctx, n, func(node *corev1.Node) { node.Spec.Unschedulable = false }), "uncordoning node %s", n.Name)
	}
}

// changeNode changes the node, and has the change undone when the case is torn down.
func (s *Scenario) changeNode(ctx context.Context, n Node, doing string, change, undo func(*corev1.Node)) {
	s.undo = append(s.undo, func(ctx context.Context) error {
		if err := s.updateNode(ctx, n, undo); !apierrors.IsNotFound(err) { // of a node that is gone, nothing is left to undo
			return err
		}
		return nil
	})
	s.Need(s.updateNode(ctx, n, change), "%s node %s", doing, n.Name)
}

func (s *Scenario) updateNode(ctx context.Context, n Node, change func(*corev1.Node)) error {
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		node := &corev1.Node{}
		node.Name = n.Name
		if err := s.Reread(ctx, node); err != nil {
			return err
		}
		change(node)
		return s.Resources().Update(ctx, node)
	})
	if err != nil {
		return fmt.Errorf("changing node %s: %w", n.Name, err)
	}
	return nil
}

// undoAll undoes what the case changed outside of its namespace, the last change first.
func (s *Scenario) undoAll(ctx context.Context) error {
	var problems []error
	for _, undo := range slices.Backward(s.undo) {
		problems = append(problems, undo(ctx))
	}
	s.undo = nil
	return errors.Join(problems...)
}
