// SPDX-License-Identifier: Apache-2.0

package claims

import (
	"slices"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
)

func TestHistoryKeepsEachChangeOnce(t *testing.T) {
	version := 0
	claimOn := func(node string) *corev1.PersistentVolumeClaim {
		claim := &corev1.PersistentVolumeClaim{}
		version++
		claim.ResourceVersion = strconv.Itoa(version)
		if node != "" {
			claim.Annotations = map[string]string{selectedNodeAnnotation: node}
		}
		return claim
	}
	watcher := watch.NewFakeWithChanSize(7, false)
	for _, node := range []string{"", "w1", "w1", "", "w3", "w3"} {
		watcher.Modify(claimOn(node))
	}
	watcher.Delete(claimOn(""))
	watcher.Stop()
	recorded := &History{of: selectedNodeOf}
	recorded.follow(watcher)
	nodes, seen := recorded.Seen()
	if want := []string{"", "w1", "", "w3"}; !slices.Equal(nodes, want) {
		t.Errorf("history %q, wanted %q", nodes, want)
	}
	if want := "6"; seen != want {
		t.Errorf("history is at version %s, wanted %s, the last that was not a deletion", seen, want)
	}
}
