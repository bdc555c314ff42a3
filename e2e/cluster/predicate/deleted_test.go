// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestWhatBecomesOfAnObject(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Name, claim.Finalizers = "c", []string{ClaimInUse}
	wantVerdict(t, NotDeleting("claim", claim), satisfied)
	wantVerdict(t, Deleting("claim", claim), notYet)
	wantVerdict(t, StillThere("claim", claim), differs, "it is not deleted")
	wantVerdict(t, LetGoBy("claim", claim, VolumeMade), satisfied)
	wantVerdict(t, LetGoBy("claim", claim, VolumeMade, ClaimInUse), differs, ClaimInUse)
	claim.DeletionTimestamp = &metav1.Time{}
	wantVerdict(t, NotDeleting("claim", claim), forGood)
	wantVerdict(t, Deleting("claim", claim), satisfied)
	wantVerdict(t, StillThere("claim", claim), differs, ClaimInUse)
	wantVerdict(t, GoneEarly("claim", "c"), forGood, "gone")
}

func TestSameVolume(t *testing.T) {
	claim, volume := &corev1.PersistentVolumeClaim{}, &corev1.PersistentVolume{}
	claim.Spec.VolumeName, volume.Name = "pvc-1", "pvc-1"
	wantVerdict(t, SameVolume(claim, volume), satisfied)
	volume.Name = "pvc-2"
	wantVerdict(t, SameVolume(claim, volume), forGood, "pvc-1", "pvc-2")
}

func TestSavedLater(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Status.Phase = corev1.ClaimPending
	wantVerdict(t, SavedLater(claim, nil), differs, "Pending")
	wantVerdict(t, SavedLater(claim, []trace.Call{{Method: "DeleteVolume"}}), forGood, "DeleteVolume")
	claim.Status.Phase = corev1.ClaimBound
	wantVerdict(t, SavedLater(claim, nil), satisfied)
	wantVerdict(t, SavedLater(claim, []trace.Call{{Method: "DeleteVolume"}}), forGood)
}

func TestCounted(t *testing.T) {
	const text = "# TYPE retries counter\nretries{name=\"a\"} 3\nretries{name=\"b\"} 1\n"
	found, err := ReadSamples(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	wantVerdict(t, Counted(found, "retries", map[string]string{"name": "a"}, 3), satisfied)
	wantVerdict(t, Counted(found, "retries", map[string]string{"name": "b"}, 3), notYet, "found 1")
	wantVerdict(t, Counted(found, "retries", map[string]string{"name": "c"}, 1), notYet, "no such counter")
	wantVerdict(t, Counted(found, "others", nil, 1), notYet)
	for name, want := range map[string]float64{"a": 3, "b": 1, "c": 0} {
		if got := found.Counter("retries", map[string]string{"name": name}); got != want {
			t.Errorf("retries of %s: got %g, want %g", name, got, want)
		}
	}
	if got := found.Counter("retries", nil); got != 4 {
		t.Errorf("retries of all: got %g, want 4", got)
	}
}
