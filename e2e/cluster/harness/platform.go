// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// PlatformMust waits like Until, for a result that depends only on the platform: the scheduler, a sidecar, a kubelet. A
// lasting mismatch counts against the platform: it is a warning by the requirement, the case continues, and the result is
// false.
func (s *Scenario) PlatformMust(ctx context.Context, limit time.Duration, requirement, what string, observe func(context.Context) error) bool {
	err := s.Within(ctx, limit, observe)
	switch {
	case err == nil:
		return true
	case ctx.Err() != nil:
		suite.CouldNotTell("%s: the case was ended while waiting: %v", what, err)
	case !predicate.IsMismatch(err):
		suite.CouldNotTell("%s: not within %s, and nothing says why: %v\nevents of the case:\n%s", what, limit, err, predicate.EventLines(s.Events()))
	}
	WarnPlatform(ctx, s, requirement, fmt.Sprintf("%s: not within %s: %v", what, limit, err))
	return false
}

// PlatformCheck warns by the requirement for a mismatch, and ends the case as an error for any other error.
func (s *Scenario) PlatformCheck(ctx context.Context, requirement string, err error) {
	switch {
	case err == nil:
	case predicate.IsMismatch(err):
		WarnPlatform(ctx, s, requirement, err.Error())
	default:
		suite.CouldNotTell("%v", err)
	}
}

// WarnPlatform warns by the requirement about the platform's behaviour, with the events of the case.
func WarnPlatform(ctx context.Context, s *Scenario, requirement, what string) {
	suite.Warn(ctx, requirement, "%s\nevents of the case:\n%s", what, predicate.EventLines(s.Events()))
}
