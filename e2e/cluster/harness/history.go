package harness

import (
	"context"
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/judge"
)

// selectedNodeAnnotation is how the scheduler tells the provisioner the node of the pod.
const selectedNodeAnnotation = "volume.kubernetes.io/selected-node"

// History is every value that a claim's selected node has had, "" for none, oldest first.
type History struct {
	mu    sync.Mutex
	nodes []string
	// version is the resource version of the claim that was seen last.
	version string
}

// WatchSelectedNode records the claim's selected node from the claim's creation on, until
// the case ends.
func (s *Scenario) WatchSelectedNode(ctx context.Context, claim *corev1.PersistentVolumeClaim) *History {
	watcher, err := s.kube.CoreV1().PersistentVolumeClaims(claim.Namespace).Watch(ctx, metav1.ListOptions{
		FieldSelector:   fields.OneTermEqualSelector(metav1.ObjectNameField, claim.Name).String(),
		ResourceVersion: claim.ResourceVersion,
	})
	s.Need(err, "watching claim %s", claim.Name)
	recorded := &History{}
	recorded.add(claim)
	s.watches = append(s.watches, watcher.Stop)
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
	node := claim.Annotations[selectedNodeAnnotation]
	if len(h.nodes) == 0 || h.nodes[len(h.nodes)-1] != node {
		h.nodes = append(h.nodes, node)
	}
}

// Seen returns the nodes so far, and the resource version of the claim that was seen last.
func (h *History) Seen() (nodes []string, version string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.nodes), h.version
}

// MustNeverSelect wants none of the zones' nodes in the history, once that has caught up
// with the claim.
func (s *Scenario) MustNeverSelect(ctx context.Context, claim *corev1.PersistentVolumeClaim, recorded *History, zones ...Zone) {
	var nodes []string
	s.Until(ctx, s.Target.Timeouts.Bind, "history of claim "+claim.Name+" complete", s.Look(claim, func() error {
		var version string
		if nodes, version = recorded.Seen(); version != claim.ResourceVersion {
			return fmt.Errorf("the claim is at version %s, its history at %s", claim.ResourceVersion, version)
		}
		return nil
	}))
	judge.Evidence(ctx, "selected nodes of "+claim.Name, nodes)
	for _, z := range zones {
		s.Check(predicate.NeverSelected(nodes, z.NodeNames()))
	}
}

// MustSelectAs waits for the history of the claim's selected node to satisfy the predicate, and shows it.
func (s *Scenario) MustSelectAs(ctx context.Context, claim *corev1.PersistentVolumeClaim, recorded *History, judged func(nodes []string) error) {
	var nodes []string
	s.Until(ctx, s.Target.Timeouts.Bind, "selected nodes of claim "+claim.Name, func(context.Context) error {
		nodes, _ = recorded.Seen()
		return judged(nodes)
	})
	judge.Evidence(ctx, "selected nodes of "+claim.Name, nodes)
}
