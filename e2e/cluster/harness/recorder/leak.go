// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// DeleteLeftVolumes deletes the volumes that the driver created for the claim when the case ends, unless they were deleted
// already.
func DeleteLeftVolumes(s *harness.Scenario, claim *corev1.PersistentVolumeClaim) {
	s.OnceClaimsAreGone(func(ctx context.Context) error {
		calls, err := Calls(ctx, s)
		if err != nil || predicate.Volumes().LeavesNothing(calls, NameOf(claim)) == nil {
			return err
		}
		var problems []error
		for _, id := range predicate.Volumes().IDs(CreatedFor(calls, claim)) {
			problems = append(problems, s.Driver.First().Delete(ctx, id))
		}
		return errors.Join(problems...)
	})
}

// LeavesNoVolume waits until every volume that the driver created for the deleted claim is deleted. A volume that is not
// deleted is a warning by the requirement, and one that the driver still lists is a warning by LV-01.
func LeavesNoVolume(ctx context.Context, s *harness.Scenario, requirement string, claim *corev1.PersistentVolumeClaim) {
	var calls []trace.Call
	deleted := s.PlatformMust(ctx, s.Target.Timeouts.Delete, requirement, "volumes of claim "+claim.Name+" deleted", func(ctx context.Context) (err error) {
		if calls, err = Calls(ctx, s); err != nil {
			return err
		}
		return predicate.Volumes().LeavesNothing(calls, NameOf(claim))
	})
	created := CreatedFor(calls, claim)
	suite.Evidence(ctx, "CreateVolume of "+claim.Name, created)
	if !deleted || !s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) {
		return
	}
	err := s.Within(ctx, s.Target.Timeouts.Delete, func(ctx context.Context) error {
		listed, err := s.Driver.Volumes(ctx)
		if err != nil {
			return err
		}
		return predicate.NotListed(slices.Collect(maps.Keys(listed)), predicate.Volumes().IDs(created))
	})
	if predicate.IsMismatch(err) {
		suite.Warn(ctx, "LV-01", "%v\nthough DeleteVolume was answered OK: nothing shows that its room is free again", err)
		return
	}
	s.Need(err, "asking what the driver still holds")
}
