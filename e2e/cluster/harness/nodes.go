// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/util/retry"
)

// Label gives nodes a label of the case's own, until the case ends.
func (s *Scenario) Label(ctx context.Context, key, value string, nodes ...Node) {
	for _, n := range nodes {
		s.changeNode(ctx, n, "labelling", func(node *corev1.Node) { node.Labels[key] = value }, func(node *corev1.Node) { delete(node.Labels, key) })
	}
}

// Taint gives nodes a taint, until the case ends.
func (s *Scenario) Taint(ctx context.Context, taint corev1.Taint, nodes ...Node) {
	for _, n := range nodes {
		s.changeNode(ctx, n, "tainting",
			func(node *corev1.Node) { node.Spec.Taints = append(node.Spec.Taints, taint) },
			without(taint))
	}
}

// without takes the taint from a node.
func without(taint corev1.Taint) func(*corev1.Node) {
	return func(node *corev1.Node) {
		node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) })
	}
}

// Cordon keeps new pods off nodes, until Uncordon or the end of the case.
func (s *Scenario) Cordon(ctx context.Context, nodes ...Node) {
	for _, n := range nodes {
		s.changeNode(ctx, n, "cordoning",
			func(node *corev1.Node) { node.Spec.Unschedulable = true },
			func(node *corev1.Node) { node.Spec.Unschedulable = false })
	}
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
