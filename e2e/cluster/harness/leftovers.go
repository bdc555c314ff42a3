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

// mustLeaveNothing tears the case down, and judges everything that still exists after the limit. A deleted volume that the
// driver still lists is a warning, because the specification sets no time limit for storage systems; room that is not
// returned fails the case. Any other leftover is an error, since its cause is not known.
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
		suite.Warn(ctx, "LV-01", "ListVolumes still returns %s, %s after DeleteVolume returned OK: nothing shows that the room is free again",
			strings.Join(left.Listed, ", "), limit)
	}
	if left.Others != nil {
		suite.CouldNotTell("not within %s: %v\nIt belongs to no claim of the case: Kubernetes may have lost track of it, the driver may have created two volumes for one name, or someone else uses a driver that the profile calls exclusive", limit, left.Others)
	}
	if left.Room != nil {
		suite.Fail("CAP-12", "the case's volumes were deleted, and their room was not available again within %s, though the profile says that capacity is exact. If the driver frees it later, use capacity: at-least\n%v", limit, left.Room)
	}
	for _, check := range s.atEnd {
		check(ctx)
	}
}
