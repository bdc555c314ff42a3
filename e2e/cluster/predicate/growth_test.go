// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestFileSystemBytes(t *testing.T) {
	const heading = "Filesystem           1024-blocks    Used Available Capacity Mounted on\n"
	tests := []struct {
		name, df  string
		want      int64
		wantError bool
	}{
		{name: "a line of df", df: heading + "/dev/loop3   323584  6224  317360   2% /data\n", want: 323584 * 1024},
		{name: "nothing", df: "", wantError: true},
		{name: "the heading alone", df: heading, wantError: true},
		{name: "too few columns", df: heading + "/dev/loop3 323584 6224\n", wantError: true},
		{name: "no number", df: heading + "/dev/loop3 many 1 1 2% /data\n", wantError: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := FileSystemBytes(test.df)
			if (err != nil) != test.wantError || got != test.want {
				t.Errorf("%d, %v; wanted %d, error: %v", got, err, test.want, test.wantError)
			}
		})
	}
}

func TestGrown(t *testing.T) {
	wantVerdict(t, Grown(300, 600, 300), satisfied)
	wantVerdict(t, Grown(300, 540, 300), satisfied)
	wantVerdict(t, Grown(300, 539, 300), differs)
	wantVerdict(t, Grown(300, 300, 300), differs)
}

// TestOnceGrown checks that a wait for a growth gives no verdict on a driver that was
// not asked for it.
func TestOnceGrown(t *testing.T) {
	wanted := resource.MustParse("2Mi")
	small, enough := Grown(300, 300, 300), Grown(300, 600, 300)
	claim := &corev1.PersistentVolumeClaim{}
	claim.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Mi")}
	wantVerdict(t, OnceGrown(claim, wanted, small), notYet)
	wantVerdict(t, OnceGrown(claim, wanted, enough), satisfied)
	wantVerdict(t, OnceGrownByController(claim, wanted, small), notYet)

	claim.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{
		corev1.ResourceStorage: corev1.PersistentVolumeClaimNodeResizePending,
	}
	wantVerdict(t, OnceGrown(claim, wanted, small), notYet)
	wantVerdict(t, OnceGrownByController(claim, wanted, small), differs)

	claim.Status.AllocatedResourceStatuses = nil
	claim.Status.Capacity[corev1.ResourceStorage] = wanted
	wantVerdict(t, OnceGrown(claim, wanted, small), differs)
	wantVerdict(t, OnceGrownByController(claim, wanted, small), differs)
	wantVerdict(t, OnceGrown(claim, wanted, enough), satisfied)
}

func TestGrowthEnded(t *testing.T) {
	const controller, pending, node = corev1.PersistentVolumeClaimControllerResizeInProgress,
		corev1.PersistentVolumeClaimNodeResizePending, corev1.PersistentVolumeClaimNodeResizeInProgress
	all := []corev1.ClaimResourceStatus{controller, pending, node, ""}
	tests := []struct {
		name    string
		history []string
		wanted  []corev1.ClaimResourceStatus
		want    string
	}{
		{"in order", []string{"", string(controller), string(pending), string(node), ""}, all, satisfied},
		{"repeated", []string{"", string(controller), string(pending), string(node), string(pending), string(node), ""}, all, satisfied},
		{"nothing at all", []string{""}, all, differs},
		{"without a node", []string{"", string(controller), ""}, all, differs},
		{"not cleared", []string{"", string(controller), string(pending), string(node)}, all, differs},
		{"goes on", []string{"", string(controller), string(pending)}, all[:1], differs},
		{"a word that nobody knows", []string{"", string(controller), "Resizing", string(pending), string(node), ""}, all, forGood},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, GrowthEnded(test.history, test.wanted...), test.want) })
	}
}

func TestGrowthPassedWhatDidNotLast(t *testing.T) {
	const infeasible, pending = corev1.PersistentVolumeClaimNodeResizeInfeasible, corev1.PersistentVolumeClaimNodeResizePending
	wantVerdict(t, GrowthPassed([]string{string(infeasible), string(pending), ""}, infeasible, pending), satisfied)
	wantVerdict(t, GrowthPassed([]string{string(pending), string(infeasible), ""}, infeasible, pending), differs)
}

func TestGrowthInfeasible(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{}
	wantVerdict(t, GrowthInfeasible(claim, "too large"), differs)
	claim.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{
		corev1.ResourceStorage: corev1.PersistentVolumeClaimControllerResizeInfeasible,
	}
	wantVerdict(t, GrowthInfeasible(claim, "too large"), unsaid)
	claim.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{
		Type: corev1.PersistentVolumeClaimControllerResizeError, Status: corev1.ConditionTrue, Message: "failed to expand: too large",
	}}
	wantVerdict(t, GrowthInfeasible(claim, "too large"), satisfied)
	wantVerdict(t, GrowthInfeasible(claim, "too small"), unsaid)
}
