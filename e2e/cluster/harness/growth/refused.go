// SPDX-License-Identifier: Apache-2.0

package growth

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Refuse makes the driver's controller refuse to grow the volume to this size, until End or the end of the case. A
// smaller size reaches the driver.
func Refuse(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume, to resource.Quantity, code, message string) *recorder.Injected {
	match := recorder.Match(s, map[string]any{
		"volume_id":      harness.HandleOf(volume),
		"capacity_range": map[string]int64{"required_bytes": to.Value()},
	})
	return recorder.InjectInto(ctx, s, recorder.Of(ctx, s).Client, trace.Rule{Method: "ControllerExpandVolume", Match: match, Code: code, Message: message})
}

// MustBeAsked waits for calls of ControllerExpandVolume for the volume that satisfy the predicate, oldest first.
func MustBeAsked(ctx context.Context, s *harness.Scenario, volume *corev1.PersistentVolume, judged func([]trace.Call) error) {
	var calls []trace.Call
	s.Until(ctx, s.Target.Timeouts.Expand, "calls of ControllerExpandVolume for volume "+volume.Name,
		asked(s, volume, &calls, judged))
	suite.Evidence(ctx, "ControllerExpandVolume", calls)
}

// MustBeAskedForLess waits for the controller to grow the volume to the lower size in its claim. csi-resizer 2.2 misses the
// change if it overwrites its copy of the claim with its own earlier update; the claim is then changed again, with a
// warning by the requirement.
func MustBeAskedForLess(ctx context.Context, s *harness.Scenario, requirement string, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) {
	const soon = 30 * time.Second
	var calls []trace.Call
	grown := predicate.AnsweredAs("OK", 1)
	if s.Within(ctx, soon, asked(s, volume, &calls, grown)) == nil {
		suite.Evidence(ctx, "ControllerExpandVolume", calls)
		return
	}
	claims.Touch(ctx, s, claim)
	MustBeAsked(ctx, s, volume, grown)
	suite.Warn(ctx, requirement, "the driver was not asked to grow the volume of claim %s to the lower size within %s, and was when the claim was changed once more", claim.Name, soon)
}

// asked returns an observation of the calls of ControllerExpandVolume for the volume, which it keeps in calls.
func asked(s *harness.Scenario, volume *corev1.PersistentVolume, calls *[]trace.Call, judged func([]trace.Call) error) func(context.Context) error {
	return func(ctx context.Context) error {
		all, err := recorder.CallsFor(ctx, s, volume)
		if err != nil {
			return err
		}
		*calls = predicate.CallsOf(all, "ControllerExpandVolume")
		return judged(*calls)
	}
}

// MustPass warns by the requirement unless the growth in the claim's status had exactly these values, in this order, since
// WatchGrowth, and has ended.
func MustPass(ctx context.Context, s *harness.Scenario, requirement string, claim *corev1.PersistentVolumeClaim, recorded *claims.History, wanted ...corev1.ClaimResourceStatus) {
	passed := claims.Complete(ctx, s, claim, recorded)
	suite.Evidence(ctx, "allocatedResourceStatuses of "+claim.Name, passed)
	s.PlatformCheck(ctx, requirement, predicate.GrowthEnded(passed, wanted...))
}
