// SPDX-License-Identifier: Apache-2.0

// Package nodes changes nodes until the case ends.
package nodes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Label gives nodes a label of the case, until the case ends, and waits until the scheduler has seen it.
func Label(ctx context.Context, s *harness.Scenario, key, value string, nodes ...topology.Node) {
	changeAll(ctx, s, nodes, "labelling", func(node *corev1.Node) { node.Labels[key] = value }, func(node *corev1.Node) { delete(node.Labels, key) })
}

// Taint taints nodes, until the case ends, and waits until the scheduler has seen it.
func Taint(ctx context.Context, s *harness.Scenario, taint corev1.Taint, nodes ...topology.Node) {
	changeAll(ctx, s, nodes, "tainting",
		func(node *corev1.Node) { node.Spec.Taints = append(node.Spec.Taints, taint) },
		Without(taint))
}

// Without returns a change that removes the taint from a node.
func Without(taint corev1.Taint) func(*corev1.Node) {
	return func(node *corev1.Node) {
		node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) })
	}
}

// Cordon keeps new pods off nodes, until Uncordon or the end of the case, and waits until the scheduler has seen it.
func Cordon(ctx context.Context, s *harness.Scenario, nodes ...topology.Node) {
	changeAll(ctx, s, nodes, "cordoning",
		func(node *corev1.Node) { node.Spec.Unschedulable = true },
		func(node *corev1.Node) { node.Spec.Unschedulable = false })
}

// changeAll changes the nodes, and undoes the changes when the case is torn down. Both times it waits until the
// scheduler has seen them.
func changeAll(ctx context.Context, s *harness.Scenario, nodes []topology.Node, doing string, change, undo func(*corev1.Node)) {
	asideOf(ctx, s)
	s.OnCleanUp(func(ctx context.Context) error { // after the following changes are undone
		if err := awaitScheduler(ctx, s, nodes); !apierrors.IsNotFound(err) { // the node may be gone
			return err
		}
		return nil
	})
	for _, n := range nodes {
		Change(ctx, s, n, doing, change, undo)
	}
	s.Need(awaitScheduler(ctx, s, nodes), "%s nodes", doing)
}

// aside is a namespace for pods that are not part of the case's workload, and are not counted with it.
type aside struct{ namespace string }

func asideOf(ctx context.Context, s *harness.Scenario) string {
	found := harness.Kept[aside](s)
	if found.namespace == "" {
		found.namespace = s.CreateNamespace(ctx)
	}
	return found.namespace
}

// awaitScheduler waits until the scheduler has seen the current state of the nodes. It watches nodes and pods separately,
// so it can see a pod before an earlier change to a node. It sees changes to nodes in order: once it places a pod that
// needs one more change, a label on the last of the nodes, it has seen all earlier changes.
func awaitScheduler(ctx context.Context, s *harness.Scenario, nodes []topology.Node) error {
	at, key, value := nodes[len(nodes)-1], "known.csi-topo/"+s.Namespace, string(uuid.NewUUID())
	err := Update(ctx, s, at, func(node *corev1.Node) { node.Labels[key] = value })
	if err != nil {
		return err
	}
	waiting := workload.SleepingPod().Withheld().In(predicate.Segment{key: value}).ToleratingAll()
	probe, err := pods.TryCreateIn(ctx, s, asideOf(ctx, s), waiting)
	if err == nil {
		err = s.Within(ctx, s.Target.Timeouts.Schedule, s.Look(probe, func() error { return predicate.PodScheduled(probe) }))
		err = errors.Join(err, s.Delete(ctx, probe))
	}
	err = errors.Join(err, Update(ctx, s, at, func(node *corev1.Node) { delete(node.Labels, key) }))
	if err != nil {
		return fmt.Errorf("waiting for the scheduler to know of a change of node %s: %w", at.Name, err)
	}
	return nil
}

// Uncordon allows pods again on nodes that the case has cordoned.
func Uncordon(ctx context.Context, s *harness.Scenario, nodes ...topology.Node) {
	for _, n := range nodes {
		s.Need(Update(ctx, s, n, func(node *corev1.Node) { node.Spec.Unschedulable = false }), "uncordoning node %s", n.Name)
	}
}

// Change changes the node, and undoes the change when the case is torn down.
func Change(ctx context.Context, s *harness.Scenario, n topology.Node, doing string, change, undo func(*corev1.Node)) {
	s.OnCleanUp(func(ctx context.Context) error {
		if err := Update(ctx, s, n, undo); !apierrors.IsNotFound(err) { // if the node is gone, nothing is left to undo
			return err
		}
		return nil
	})
	s.Need(Update(ctx, s, n, change), "%s node %s", doing, n.Name)
}

// OnConflict repeats a change of an object that others change as well, as concurrent cases do to a node.
func OnConflict(change func() error) error {
	return retry.RetryOnConflict(wait.Backoff{Duration: 10 * time.Millisecond, Factor: 1.5, Jitter: 1, Steps: 12}, change)
}

// Update changes the node now, and registers no undo.
func Update(ctx context.Context, s *harness.Scenario, n topology.Node, change func(*corev1.Node)) error {
	err := OnConflict(func() error {
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
