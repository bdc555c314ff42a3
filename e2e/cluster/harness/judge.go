// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/timeouts"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Fail ends the case as failed: the observation contradicts the requirement.
func (s *Scenario) Fail(format string, args ...any) {
	suite.FailAbout(nil, "%s\nevents of the case:\n%s", fmt.Sprintf(format, args...), predicate.EventLines(s.Events()))
}

// Check fails the case for a mismatch, and ends it as an error for any other error.
func (s *Scenario) Check(err error) {
	switch {
	case err == nil:
	case predicate.IsMismatch(err):
		s.Fail("%v", err)
	default:
		suite.CouldNotTell("%v", err)
	}
}

// Need ends the case as an error for an error that is not a verdict on the driver.
func (s *Scenario) Need(err error, format string, args ...any) {
	if err != nil {
		suite.CouldNotTell("%s: %v", fmt.Sprintf(format, args...), err)
	}
}

// Until calls observe repeatedly until it returns nil, or a final mismatch, which fails the case. At the limit the case
// fails if the last error was a mismatch, if the storage complained during the wait, or if the driver answered
// CreateVolume with a volume that cannot be used. In a case that injects answers, only a mismatch fails. Otherwise, and
// if only the expected words of an event are missing, the case ends as an error.
func (s *Scenario) Until(ctx context.Context, limit time.Duration, what string, observe func(context.Context) error) {
	before := s.Events()
	err := s.Within(ctx, limit, observe)
	if err == nil {
		return
	}
	if predicate.IsFinal(err) {
		s.Fail("%s: %v", what, err)
	}
	if ctx.Err() != nil {
		suite.CouldNotTell("%s: the case was ended while waiting: %v", what, err)
	}
	s.mustAnswerUsableVolumes(ctx, what, limit)
	events := s.Events()
	if predicate.IsUnsaid(err) {
		suite.CouldNotTell("%s: not within %s: %v; if this Kubernetes words it differently, please open an issue with these events:\n%s", what, limit, err, predicate.EventLines(events))
	}
	if predicate.IsMismatch(err) || !s.Injects && len(predicate.Complaints(before, events)) > 0 {
		s.Fail("%s: not within %s: %v", what, limit, err)
	}
	suite.CouldNotTell("%s: not within %s, and nothing says why: %v\nevents of the case:\n%s", what, limit, err, predicate.EventLines(events))
}

// mustAnswerUsableVolumes fails a case that has waited in vain, if the driver's answer to a CreateVolume request
// contradicts the request. Calls that were not recorded do not fail the case.
func (s *Scenario) mustAnswerUsableVolumes(ctx context.Context, what string, limit time.Duration) {
	if s.Injects {
		return
	}
	calls, _ := callsOf(ctx, s)
	if broken := predicate.UsableVolumes(calls); broken.Err != nil {
		suite.Fail(broken.Requirement, "%s: not within %s: %v", what, limit, broken.Err)
	}
}

// Within calls observe repeatedly until it returns nil or a final mismatch, at most until the limit, and returns its
// last error. It gives no verdict.
func (s *Scenario) Within(ctx context.Context, limit time.Duration, observe func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var last error
	err := pace(s.Target.Timeouts).Until(ctx, true, true, func(ctx context.Context) (bool, error) {
		seen := observe(ctx)
		// An observation that the limit cut short failed for that reason, and is no evidence.
		if seen == nil || last == nil || ctx.Err() == nil {
			last = seen
		}
		return seen == nil || predicate.IsFinal(seen), nil
	})
	if last != nil {
		return last
	}
	return err
}

// pace returns the delays between observations, which grow while nothing happens.
func pace(timeouts timeouts.Limits) wait.DelayFunc {
	return wait.Backoff{Duration: timeouts.Poll, Factor: 1.2, Cap: timeouts.LongPoll, Steps: math.MaxInt}.DelayFunc()
}

// Events returns the events in the case's namespace; none if they cannot be read.
func (s *Scenario) Events() []corev1.Event {
	ctx, cancel := context.WithTimeout(context.Background(), s.Target.Timeouts.Call)
	defer cancel()
	var events corev1.EventList
	if err := s.Resources().List(ctx, &events); err != nil {
		return nil
	}
	return events.Items
}

// Gone returns an error unless the read returned that the object does not exist. An object that still exists is never a
// mismatch.
func Gone(read error, what string) error {
	if apierrors.IsNotFound(read) {
		return nil
	}
	if read != nil {
		return read
	}
	return fmt.Errorf("%s is still there", what)
}
