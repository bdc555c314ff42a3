// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestNamedAfter(t *testing.T) {
	claim, volume := &corev1.PersistentVolumeClaim{}, &corev1.PersistentVolume{}
	claim.UID = "a-b"
	for name, want := range map[string]string{"pvc-a-b": satisfied, "vol-a-b": satisfied, "pvc-a": forGood, "-a-b": forGood, "pvc-a-c": forGood, "a-b": forGood} {
		volume.Name = name
		if got := verdictOf(NamedAfter(volume, claim)); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestCreatedAs(t *testing.T) {
	calls := []trace.Call{{Method: "/csi.v1.Controller/CreateVolume", Request: []byte(`{"name":"pvc-1"}`), Response: []byte(`{"volume":{"volume_id":"a"}}`)}}
	wantVerdict(t, CreatedAs(calls, "a", "pvc-1"), satisfied)
	wantVerdict(t, CreatedAs(calls, "b", "pvc-1"), forGood)
	wantVerdict(t, CreatedAs(calls, "a", "pvc-2"), forGood)
}

func TestUnattached(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*storagev1.VolumeAttachment)
		want   string
	}{
		{"as created", func(*storagev1.VolumeAttachment) {}, satisfied},
		{"attached", func(a *storagev1.VolumeAttachment) { a.Status.Attached = true }, forGood},
		{"refused", func(a *storagev1.VolumeAttachment) { a.Status.AttachError = &storagev1.VolumeError{} }, forGood},
		{"kept", func(a *storagev1.VolumeAttachment) { a.Finalizers = []string{"external-attacher/x"} }, forGood},
	} {
		attachment := &storagev1.VolumeAttachment{}
		c.change(attachment)
		t.Run(c.name, func(t *testing.T) { wantVerdict(t, Unattached(attachment), c.want) })
	}
}

func TestUngrown(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*corev1.PersistentVolumeClaim)
		want   string
	}{
		{"asked for", func(*corev1.PersistentVolumeClaim) {}, satisfied},
		{"not used, as Kubernetes 1.37 says", func(c *corev1.PersistentVolumeClaim) {
			c.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: "Unused"}}
		}, satisfied},
		{"grown", func(c *corev1.PersistentVolumeClaim) {
			c.Status.Capacity[corev1.ResourceStorage] = resource.MustParse("2Gi")
		}, forGood},
		{"begun", func(c *corev1.PersistentVolumeClaim) {
			c.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{corev1.ResourceStorage: corev1.PersistentVolumeClaimControllerResizeInProgress}
		}, forGood},
		{"said", func(c *corev1.PersistentVolumeClaim) {
			c.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: corev1.PersistentVolumeClaimResizing}}
		}, forGood},
	} {
		claim := &corev1.PersistentVolumeClaim{}
		claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("2Gi")}
		claim.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
		c.change(claim)
		t.Run(c.name, func(t *testing.T) { wantVerdict(t, Ungrown(claim), c.want) })
	}
}
