package cluster

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// selectedNodeAnnotation is how the scheduler tells the provisioner the node of the pod.
const selectedNodeAnnotation = "volume.kubernetes.io/selected-node"

// history is every value that a claim's selected node has had, "" for none, oldest first.
type history struct {
	mu    sync.Mutex
	nodes []string
	// version is the resource version of the claim that was seen last.
	version string
}

// watchSelectedNode records the claim's selected node from the claim's creation on, until
// the case ends.
func (s *scenario) watchSelectedNode(ctx context.Context, claim *corev1.PersistentVolumeClaim) *history {
	ginkgo.GinkgoHelper()
	watcher, err := s.kube.CoreV1().PersistentVolumeClaims(claim.Namespace).Watch(ctx, metav1.ListOptions{
		FieldSelector:   fields.OneTermEqualSelector(metav1.ObjectNameField, claim.Name).String(),
		ResourceVersion: claim.ResourceVersion,
	})
	s.need(err, "watching claim %s", claim.Name)
	recorded := &history{}
	recorded.add(claim)
	ginkgo.DeferCleanup(watcher.Stop)
	go recorded.follow(watcher)
	return recorded
}

func (h *history) follow(watcher watch.Interface) {
	for event := range watcher.ResultChan() {
		if claim, ok := event.Object.(*corev1.PersistentVolumeClaim); ok && event.Type != watch.Deleted {
			h.add(claim)
		}
	}
}

func (h *history) add(claim *corev1.PersistentVolumeClaim) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.version = claim.ResourceVersion
	node := claim.Annotations[selectedNodeAnnotation]
	if len(h.nodes) == 0 || h.nodes[len(h.nodes)-1] != node {
		h.nodes = append(h.nodes, node)
	}
}

func (h *history) seen() (nodes []string, version string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.nodes), h.version
}

// mustNeverSelect wants none of the zones' nodes in the history, once that has caught up
// with the claim.
func (s *scenario) mustNeverSelect(ctx context.Context, claim *corev1.PersistentVolumeClaim, recorded *history, zones ...zone) {
	ginkgo.GinkgoHelper()
	var nodes []string
	s.until(ctx, s.target.Timeouts.Bind, "history of claim "+claim.Name+" complete", s.look(claim, func() error {
		var version string
		if nodes, version = recorded.seen(); version != claim.ResourceVersion {
			return fmt.Errorf("the claim is at version %s, its history at %s", claim.ResourceVersion, version)
		}
		return nil
	}))
	verdict.Evidence("selected nodes of "+claim.Name, nodes)
	for _, z := range zones {
		s.check(predicate.NeverSelected(nodes, z.nodeNames()))
	}
}
