// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func attachmentTo(node, volume string, attached bool) storagev1.VolumeAttachment {
	a := storagev1.VolumeAttachment{}
	a.Name = "csi-" + node
	a.Spec.Attacher, a.Spec.NodeName, a.Spec.Source.PersistentVolumeName = "hostpath.topo.csi", node, &volume
	a.Status.Attached = attached
	return a
}

func TestAttachmentOf(t *testing.T) {
	one := []storagev1.VolumeAttachment{attachmentTo("w1", "pv-1", true), attachmentTo("w2", "pv-2", true)}
	found, err := AttachmentOf(one, "pv-1")
	wantVerdict(t, err, satisfied)
	wantVerdict(t, Attached(found, "hostpath.topo.csi", "w1"), satisfied)
	wantVerdict(t, Attached(found, "hostpath.topo.csi", "w2"), differs, "w2", "w1")
	wantVerdict(t, Attached(found, "other.csi", "w1"), differs)
	waiting := attachmentTo("w1", "pv-1", false)
	wantVerdict(t, Attached(&waiting, "hostpath.topo.csi", "w1"), notYet)

	_, err = AttachmentOf(one, "pv-3")
	wantVerdict(t, err, notYet)
	_, err = AttachmentOf(append(one, attachmentTo("w3", "pv-1", true)), "pv-1")
	wantVerdict(t, err, differs)

	wantVerdict(t, Detached(one, "pv-3"), satisfied)
	wantVerdict(t, Detached(one, "pv-1"), differs, "w1")
}

func TestAttachRefused(t *testing.T) {
	refused := func(change func(*storagev1.VolumeAttachment)) *storagev1.VolumeAttachment {
		a := attachmentTo("w1", "pv-1", false)
		a.Status.AttachError = &storagev1.VolumeError{Message: "no room"}
		change(&a)
		return &a
	}
	wantVerdict(t, AttachRefused(refused(func(*storagev1.VolumeAttachment) {})), satisfied)
	wantVerdict(t, AttachRefused(refused(func(a *storagev1.VolumeAttachment) { a.Status.AttachError = nil })), differs, "attachError: none")
	wantVerdict(t, AttachRefused(refused(func(a *storagev1.VolumeAttachment) { a.Status.Attached = true })), differs, "attached: true", "no room")
}

func TestDetachRefused(t *testing.T) {
	refused := func(change func(*storagev1.VolumeAttachment)) *storagev1.VolumeAttachment {
		a := attachmentTo("w1", "pv-1", true)
		a.DeletionTimestamp = &metav1.Time{}
		a.Status.DetachError = &storagev1.VolumeError{Message: "in use"}
		change(&a)
		return &a
	}
	wantVerdict(t, DetachRefused(refused(func(*storagev1.VolumeAttachment) {})), satisfied)
	wantVerdict(t, DetachRefused(refused(func(a *storagev1.VolumeAttachment) { a.Status.DetachError = nil })), differs, "detachError: none")
	wantVerdict(t, DetachRefused(refused(func(a *storagev1.VolumeAttachment) { a.Status.Attached = false })), differs, "attached: false")
	wantVerdict(t, DetachRefused(refused(func(a *storagev1.VolumeAttachment) { a.DeletionTimestamp = nil })), differs, "being deleted: false")
}

func TestPublishedExactlyTo(t *testing.T) {
	wantVerdict(t, PublishedExactlyTo("v1", nil), satisfied)
	wantVerdict(t, PublishedExactlyTo("v1", []string{"b", "a"}, "a", "b"), satisfied)
	wantVerdict(t, PublishedExactlyTo("v1", []string{"a"}), differs, "[a]")
	wantVerdict(t, PublishedExactlyTo("v1", nil, "a"), differs)
}

func TestInOrder(t *testing.T) {
	wantVerdict(t, InOrder("attached", 10, "started", 11), satisfied)
	wantVerdict(t, InOrder("attached", 11, "started", 10), differs, "attached before started")
	wantVerdict(t, InOrder("attached", 10, "started", 10), differs)
	wantVerdict(t, InOrder("attached", 0, "started", 10), notYet)
	wantVerdict(t, InOrder("attached", 10, "started", 0), notYet)
}

func TestSameTopology(t *testing.T) {
	registered := &storagev1.CSINode{}
	registered.Name = "w1"
	registered.Spec.Drivers = []storagev1.CSINodeDriver{{Name: "hostpath.topo.csi", NodeID: "id-1", TopologyKeys: []string{"zone", "region"}}}
	node := &corev1.Node{}
	node.Name = "w1"
	node.Labels = Segment{"region": "R1", "zone": "Z2", "kubernetes.io/os": "linux"}
	tests := []struct {
		name, driver, id string
		segment          Segment
		want             string
	}{
		{"all the same", "hostpath.topo.csi", "id-1", z2, satisfied},
		{"not registered", "other.csi", "id-1", z2, differs},
		{"another id", "hostpath.topo.csi", "id-2", z2, differs},
		{"another zone", "hostpath.topo.csi", "id-1", z3, differs},
		{"a key less", "hostpath.topo.csi", "id-1", Segment{"region": "R1"}, differs},
		{"a key more", "hostpath.topo.csi", "id-1", Segment{"region": "R1", "zone": "Z2", "rack": "1"}, differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, SameTopology(test.driver, registered, node, test.id, test.segment), test.want)
		})
	}
}
