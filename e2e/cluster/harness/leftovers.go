// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// mustLeaveNothing tears the case down, and judges what is still there once it had time to go. A deleted volume that the
// driver still lists warns, since how long a volume is being deleted on the storage system is not said; room that does not
// return fails. Who left anything else nobody can tell.
func mustLeaveNothing(ctx context.Context, s *Scenario) {
	s.Need(tearDown(ctx, s), "after the case")
	limit := s.Target.Timeouts.Delete
	var now predicate.Holdings
	err := s.Within(ctx, limit, func(ctx context.Context) (err error) {
		if now, err = Holdings(ctx, s); err != nil {
			return err
		}
		return predicate.NothingLeft(s.Before, now)
	})
	if err != nil && !predicate.IsMismatch(err) {
		suite.CouldNotTell("looking for what the case left: not within %s: %v", limit, err)
	}
	left := predicate.LeftOf(s.Before, now, slices.Collect(maps.Values(s.ours)))
	if len(left.Listed) > 0 {
		suite.Warn(ctx, "LV-01", "ListVolumes still has %s, %s after the deletion of the PersistentVolume, which DeleteVolume was answered OK for: nothing shows that its room is free again",
			strings.Join(left.Listed, ", "), limit)
	}
	if left.Others != nil {
		suite.CouldNotTell("not within %s: %v\nno claim of the case is known to have had it: Kubernetes may have lost it, the driver may have made two volumes of one name, or others may use a driver that the profile calls exclusive", limit, left.Others)
	}
	if left.Room != nil {
		suite.Fail("CAP-12", "the case's volumes were deleted, and their room did not return within %s, though the profile says that capacity is exact\n%v", limit, left.Room)
	}
	for _, check := range s.atEnd {
		check(ctx)
	}
}
