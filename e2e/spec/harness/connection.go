// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// Invoke performs one call, which is repeated until it has an answer to judge. A call without one ends the case: as a
// failure where the driver dies of it or never answers it. If the context says that the caller deals with errors, it does
// not.
func (c connection) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	unasked := c.unasked(ctx, request)
	if why, fails := c.driver.unasked(method, request); unasked == nil && why != "" {
		unasked = &attempt.NoAnswer{Last: status.Error(codes.Unavailable, why), Text: why, Fails: fails}
	}
	if unasked != nil {
		noteSurvey(ctx, c.driver, method, unasked)
		if !attempt.IsTolerant(ctx) {
			unasked.End()
		}
		return unasked
	}
	c.driver.underWay.Add(1)
	defer c.driver.underWay.Add(-1)
	noteSent(c.driver, request)
	if !onlyAsks(request) {
		c.driver.Held.Changed.Add(1)
		defer c.driver.Held.Changed.Add(1)
	}
	err := c.perform(ctx, method, request, response, opts)
	if mayHaveRoomAgain(ctx, c.driver, request, err) {
		err = c.performWithRoom(ctx, method, request, response, opts, err)
	}
	noteSurvey(ctx, c.driver, method, err)
	noteSilence(c.driver, err)
	noteAdvice(c.driver, request, err)
	if !attempt.IsTolerant(ctx) {
		attempt.MustBeAnswered(err)
	}
	return err
}

// performWithRoom makes a call again that was refused for want of room, as soon as there is room: more than once where others,
// who do not wait, have taken it first. One call of the run at a time waits, or all of them would ask for the same room.
func (c connection) performWithRoom(ctx context.Context, method string, request, response any, opts []grpc.CallOption, refused error) error {
	line := &c.driver.health.Line
	line.Lock()
	defer line.Unlock()
	err := refused
	for begin, again := time.Now(), false; !again || time.Since(begin) < c.driver.Target.Timeouts.Settle; again = true {
		if !isWithoutRoom(request, status.Code(err)) || !roomReturns(ctx, c.driver, request, !again) {
			break
		}
		err = c.perform(ctx, method, request, response, opts)
	}
	return err
}

// unasked says why the call is not made: the driver has stopped answering, or died of this very call twice, or it is for what
// is not the run's own. A list of which the driver died is asked for by cases about it alone, which fail.
func (d *Driver) unasked(method string, request any) (why string, fails bool) {
	if why := d.health.StoppedSince(); why != "" {
		return why, false
	}
	if d.health.HasDied() {
		if rpc := describeCall(method, request); d.health.IsDeadly(rpc) {
			return "the driver's process has ended twice during this call, which is not made again: " + rpc, isList(request)
		}
	}
	if err := d.health.Own.MayTouch(request); err != nil {
		return err.Error(), false
	}
	return "", false
}

// isList reports whether the call is one for a list of the driver's volumes or snapshots.
func isList(request any) bool {
	switch request.(type) {
	case *csi.ListVolumesRequest, *csi.ListSnapshotsRequest:
		return true
	default:
		return false
	}
}
