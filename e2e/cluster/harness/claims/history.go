// SPDX-License-Identifier: Apache-2.0

package claims

import (
	"context"
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// selectedNodeAnnotation is the annotation with which the scheduler passes the pod's node to the provisioner.
const selectedNodeAnnotation = "volume.kubernetes.io/selected-node"

// History holds all values that a field of a claim has had, oldest first; "" is no value.
type History struct {
	of     func(*corev1.PersistentVolumeClaim) string
	mu     sync.Mutex
	values []string
	// version is the resource version at which the claim was last seen.
	version string
}

// WatchSelectedNode records the claim's selected node from the claim's creation until the case ends.
func WatchSelectedNode(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) *History {
	return watchClaim(ctx, s, claim, selectedNodeOf)
}

// WatchGrowth records the growth in the claim's status, from the last read of the claim until the case ends.
func WatchGrowth(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) *History {
	return watchClaim(ctx, s, claim, func(claim *corev1.PersistentVolumeClaim) string {
		return string(claim.Status.AllocatedResourceStatuses[corev1.ResourceStorage])
	})
}

func selectedNodeOf(claim *corev1.PersistentVolumeClaim) string {
	return claim.Annotations[selectedNodeAnnotation]
}

func watchClaim(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, of func(*corev1.PersistentVolumeClaim) string) *History {
	watcher, err := s.Kube.CoreV1().PersistentVolumeClaims(claim.Namespace).Watch(ctx, metav1.ListOptions{
		FieldSelector:   fields.OneTermEqualSelector(metav1.ObjectNameField, claim.Name).String(),
		ResourceVersion: claim.ResourceVersion,
	})
	s.Need(err, "watching claim %s", claim.Name)
	recorded := &History{of: of}
	recorded.add(claim)
	s.OnCleanUp(func(context.Context) error { watcher.Stop(); return nil })
	go recorded.follow(watcher)
	return recorded
}

func (h *History) follow(watcher watch.Interface) {
	for event := range watcher.ResultChan() {
		if claim, ok := event.Object.(*corev1.PersistentVolumeClaim); ok && event.Type != watch.Deleted {
			h.add(claim)
		}
	}
}

func (h *History) add(claim *corev1.PersistentVolumeClaim) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.version = claim.ResourceVersion
	value := h.of(claim)
	if len(h.values) == 0 || h.values[len(h.values)-1] != value {
		h.values = append(h.values, value)
	}
}

// Seen returns the values so far, and the resource version at which the claim was last seen.
func (h *History) Seen() (values []string, version string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.values), h.version
}

// MustNeverSelect fails the case if the history, once it has caught up with the claim, contains a node of these zones.
func MustNeverSelect(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, recorded *History, zones ...topology.Zone) {
	nodes := Complete(ctx, s, claim, recorded)
	suite.Evidence(ctx, "selected nodes of "+claim.Name, nodes)
	for _, z := range zones {
		s.Check(predicate.NeverSelected(nodes, z.NodeNames()))
	}
}

// Complete returns the values of the history once it has caught up with the claim.
func Complete(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, recorded *History) []string {
	var values []string
	s.Until(ctx, s.Target.Timeouts.Bind, "history of claim "+claim.Name+" complete", s.Look(claim, func() error {
		var version string
		if values, version = recorded.Seen(); version != claim.ResourceVersion {
			return fmt.Errorf("the claim is at version %s, its history at %s", claim.ResourceVersion, version)
		}
		return nil
	}))
	return values
}

// MustSelectAs waits for the history of the claim's selected node to satisfy the predicate, and adds it to the
// evidence.
func MustSelectAs(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, recorded *History, judged func(nodes []string) error) {
	var nodes []string
	s.Until(ctx, s.Target.Timeouts.Bind, "selected nodes of claim "+claim.Name, func(context.Context) error {
		nodes, _ = recorded.Seen()
		return judged(nodes)
	})
	suite.Evidence(ctx, "selected nodes of "+claim.Name, nodes)
}

// MustSelect waits for the scheduler to select a node of one of the zones for the claim, as the provisioner requires, and
// returns the node's name.
func MustSelect(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, zones ...topology.Zone) string {
	var nodes []string
	for _, z := range zones {
		nodes = append(nodes, z.NodeNames()...)
	}
	s.Until(ctx, s.Target.Timeouts.Schedule, "node selected for claim "+claim.Name, s.Look(claim, func() error {
		return predicate.ClaimSelects(claim, nodes)
	}))
	return claim.Annotations[selectedNodeAnnotation]
}
