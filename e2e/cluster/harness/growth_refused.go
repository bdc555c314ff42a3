package harness

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/judge"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// RefuseGrowth has the driver's controller refuse to grow the volume to this size, until End or the end of the case. A
// smaller size reaches the driver.
func (s *Scenario) RefuseGrowth(ctx context.Context, volume *corev1.PersistentVolume, to resource.Quantity, code, message string) *Injected {
	match, err := json.Marshal(map[string]any{
		"volume_id":      HandleOf(volume),
		"capacity_range": map[string]int64{"required_bytes": to.Value()},
	})
	s.Need(err, "writing a rule")
	return s.injectInto(ctx, s.record(ctx).Client, trace.Rule{Method: "ControllerExpandVolume", Match: match, Code: code, Message: message})
}

// MustAskToGrow waits for calls of ControllerExpandVolume for the volume that satisfy the predicate, oldest first.
func (s *Scenario) MustAskToGrow(ctx context.Context, volume *corev1.PersistentVolume, judged func([]trace.Call) error) {
	var calls []trace.Call
	s.Until(ctx, s.Target.Timeouts.Expand, "calls of ControllerExpandVolume for volume "+volume.Name, func(ctx context.Context) error {
		all, err := s.Calls(ctx, volume)
		if err != nil {
			return err
		}
		calls = predicate.CallsOf(all, "ControllerExpandVolume")
		return judged(calls)
	})
	judge.Evidence(ctx, "ControllerExpandVolume", calls)
}

// MustPassGrowth wants what the claim's status said of its growth, from WatchGrowth until now, to have been these values in
// this order, and to be the last of them.
func (s *Scenario) MustPassGrowth(ctx context.Context, requirement string, claim *corev1.PersistentVolumeClaim, recorded *History, wanted ...corev1.ClaimResourceStatus) {
	passed := s.complete(ctx, claim, recorded)
	judge.Evidence(ctx, "allocatedResourceStatuses of "+claim.Name, passed)
	s.PlatformCheck(ctx, requirement, predicate.GrowthEnded(passed, wanted...))
}
