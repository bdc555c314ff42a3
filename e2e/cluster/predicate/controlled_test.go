// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

func TestControlledBy(t *testing.T) {
	pod, claim := &corev1.Pod{}, &corev1.PersistentVolumeClaim{}
	pod.UID = "one"
	wantVerdict(t, ControlledBy("claim", claim, pod), differs)
	claim.OwnerReferences = []metav1.OwnerReference{{UID: "one"}}
	wantVerdict(t, ControlledBy("claim", claim, pod), differs)
	claim.OwnerReferences[0].Controller = ptr.To(true)
	wantVerdict(t, ControlledBy("claim", claim, pod), satisfied)
	claim.OwnerReferences[0].UID = "another"
	wantVerdict(t, ControlledBy("claim", claim, pod), differs)

	wantVerdict(t, StillThere("claim", claim), differs, "it is not deleted")
	claim.DeletionTimestamp, claim.Finalizers = &metav1.Time{}, []string{"kubernetes.io/pvc-protection"}
	wantVerdict(t, StillThere("claim", claim), differs, "pvc-protection")
}
