// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// RefuseGrowth has the driver's controller refuse to grow the volume to this size, until End or the end of the case. A
// smaller size reaches the driver.
func (s *Scenario) RefuseGrowth(ctx context.Context, volume *corev1.PersistentVolume, to resource.Quantity, code, message string) *Injected {
	match := s.match(map[string]any{
		"volume_id":      HandleOf(volume),
		"capacity_range": map[string]int64{"required_bytes": to.Value()},
	})
	return s.injectInto(ctx, s.record(ctx).Client, trace.Rule{Method: "ControllerExpandVolume", Match: match, Code: code, Message: message})
}

// MustAskToGrow waits for calls of ControllerExpandVolume for the volume that satisfy the predicate, oldest first.
func (s *Scenario) MustAskToGrow(ctx context.Context, volume *corev1.PersistentVolume, judged func([]trace.Call) error) {
	var calls []trace.Call
	s.Until(ctx, s.Target.Timeouts.Expand, "calls of ControllerExpandVolume for volume "+volume.Name,
		s.asksToGrow(volume, &calls, judged))
	suite.Evidence(ctx, "ControllerExpandVolume", calls)
}

// MustAskForLess waits for the controller to grow the volume to the lower size that its claim has been given. csi-resizer
// 2.2 misses the change when it writes its own of the moment before into what it knows of claims; it is told again then.
func (s *Scenario) MustAskForLess(ctx context.Context, requirement string, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume) {
	const soon = 30 * time.Second
	var calls []trace.Call
	grown := predicate.AnsweredAs("OK", 1)
	if s.Within(ctx, soon, s.asksToGrow(volume, &calls, grown)) == nil {
		suite.Evidence(ctx, "ControllerExpandVolume", calls)
		return
	}
	s.Touch(ctx, claim)
	s.MustAskToGrow(ctx, volume, grown)
	suite.Warn(ctx, requirement, "the driver was not asked to grow the volume of claim %s to the lower size within %s, and was when the claim was changed once more", claim.Name, soon)
}

// asksToGrow observes the calls of ControllerExpandVolume for the volume.
func (s *Scenario) asksToGrow(volume *corev1.PersistentVolume, calls *[]trace.Call, judged func([]trace.Call) error) func(context.Context) error {
	return func(ctx context.Context) error {
		all, err := s.Calls(ctx, volume)
		if err != nil {
			return err
		}
		*calls = predicate.CallsOf(all, "ControllerExpandVolume")
		return judged(*calls)
	}
}

// MustPassGrowth wants what the claim's status said of its growth, from WatchGrowth until now, to have been these values in
// this order, and to be the last of them.
func (s *Scenario) MustPassGrowth(ctx context.Context, requirement string, claim *corev1.PersistentVolumeClaim, recorded *History, wanted ...corev1.ClaimResourceStatus) {
	passed := s.complete(ctx, claim, recorded)
	suite.Evidence(ctx, "allocatedResourceStatuses of "+claim.Name, passed)
	s.PlatformCheck(ctx, requirement, predicate.GrowthEnded(passed, wanted...))
}
