package cluster

import (
	"context"
	"fmt"
	"time"

	"github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/e2e-framework/klient/wait"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// fail ends the case: what was seen contradicts the requirement.
func (s *scenario) fail(format string, args ...any) {
	ginkgo.GinkgoHelper()
	ginkgo.Fail(fmt.Sprintf(format, args...) + "\nevents of the case:\n" + predicate.EventLines(s.events()))
}

// check judges what was read: a mismatch fails, anything else could not be judged.
func (s *scenario) check(err error) {
	ginkgo.GinkgoHelper()
	switch {
	case err == nil:
	case predicate.IsMismatch(err):
		s.fail("%v", err)
	default:
		verdict.CouldNotTell("%v", err)
	}
}

// need ends the case when something that is no verdict on the driver went wrong.
func (s *scenario) need(err error, format string, args ...any) {
	ginkgo.GinkgoHelper()
	if err != nil {
		verdict.CouldNotTell("%s: %v", fmt.Sprintf(format, args...), err)
	}
}

// until looks again and again until observe has nothing to say, or something final. At
// the limit the case fails if a mismatch was seen last or the storage complained; else
// nobody can tell.
func (s *scenario) until(ctx context.Context, limit time.Duration, what string, observe func(context.Context) error) {
	ginkgo.GinkgoHelper()
	err := s.poll(ctx, limit, observe)
	if err == nil {
		return
	}
	if predicate.IsFinal(err) {
		s.fail("%s: %v", what, err)
	}
	if ctx.Err() != nil {
		verdict.CouldNotTell("%s: the case was ended while waiting: %v", what, err)
	}
	events := s.events()
	if predicate.IsMismatch(err) || len(predicate.StorageWarnings(events)) > 0 {
		s.fail("%s: not within %s: %v", what, limit, err)
	}
	verdict.CouldNotTell("%s: not within %s, and nothing says why: %v\nevents of the case:\n%s", what, limit, err, predicate.EventLines(events))
}

// poll returns nil as soon as observe does, or its last error at the limit or once that is
// final.
func (s *scenario) poll(ctx context.Context, limit time.Duration, observe func(context.Context) error) error {
	var last error
	err := wait.For(func(ctx context.Context) (bool, error) {
		seen := observe(ctx)
		// A look that the limit cut short failed for that, and has seen nothing.
		if seen == nil || last == nil || ctx.Err() == nil {
			last = seen
		}
		return seen == nil || predicate.IsFinal(seen), nil
	}, wait.WithContext(ctx), wait.WithTimeout(limit), wait.WithInterval(s.target.Timeouts.Poll), wait.WithImmediate())
	if last != nil {
		return last
	}
	return err
}

// events are those of the case's namespace; none when they cannot be read.
func (s *scenario) events() []corev1.Event {
	ctx, cancel := context.WithTimeout(context.Background(), s.target.Timeouts.Call)
	defer cancel()
	var events corev1.EventList
	if err := s.resources().List(ctx, &events); err != nil {
		return nil
	}
	return events.Items
}
