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

// Invoke performs one call, and repeats it until it has an answer to judge. A call without one ends the case: as a
// failure if the driver dies of it or never answers it. If the context says that the caller deals with errors, Invoke
// returns the error instead.
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
	leave, err := c.enter(ctx, method, request)
	if err != nil {
		if !attempt.IsTolerant(ctx) {
			attempt.MustBeAnswered(err)
		}
		return err
	}
	defer leave()
	c.driver.underWay.Add(1)
	defer c.driver.underWay.Add(-1)
	noteSent(c.driver, request)
	if !onlyAsks(request) {
		c.driver.Held.Changed.Add(1)
		defer c.driver.Held.Changed.Add(1)
	}
	err = c.perform(ctx, method, request, response, opts)
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

// performWithRoom makes a call again that was refused for lack of room, as soon as there is room. It repeats the call
// more than once if other users, who do not wait, have taken the room first. Only one call of the run waits at a time,
// because all of them would wait for the same room.
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

// unasked explains why the call is not made: the driver has stopped answering, this call has crashed it twice, or the call
// is for an object that the run did not create. If reading a list crashed the driver, only the cases about that list read it
// again, and they fail.
func (d *Driver) unasked(method string, request any) (why string, fails bool) {
	if why := d.health.StoppedSince(); why != "" {
		return why, false
	}
	if d.health.HasDied() {
		if rpc := describeCall(method, request); d.health.IsDeadly(rpc) {
			return "the driver's process has ended twice during this call; it is not made again: " + rpc, isList(request)
		}
	}
	if err := d.health.Own.MayTouch(request); err != nil {
		return err.Error(), false
	}
	return "", false
}

// isList reports whether the call lists the driver's volumes or snapshots.
func isList(request any) bool {
	switch request.(type) {
	case *csi.ListVolumesRequest, *csi.ListSnapshotsRequest:
		return true
	default:
		return false
	}
}
