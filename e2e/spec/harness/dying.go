// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"path"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// silence returns the error for a call that was not answered. died reports that the driver died of the call again when
// it was repeated alone. The error is nil if the driver answers other calls, or answers again, and if the driver may
// wait for as long as its caller does.
func (p *performance) silence(ctx context.Context, call health.Cut, late, died bool) error {
	h := p.driver.health
	restart := p.driver.Target.Timeouts.Restart
	switch lives, revived := p.answersAgain(ctx); {
	case ctx.Err() != nil:
		return attempt.Interrupted(p.method, call.Err)
	case late && revived && h.UnderWay() > 0:
		return &attempt.NoAnswer{Last: call.Err, Text: fmt.Sprintf(
			"%s at %s was not answered within its limit, nor did the Identity service there answer until the driver was restarted. Other calls were in flight, and it is not known which of them it hung on",
			call.RPC, p.name)}
	case !lives:
		calls, first := h.Stop(call)
		if sole := first && len(calls) == 1 && (p.suspect != nil || late && h.UnderWay() == 0); !sole && !died {
			return &attempt.NoAnswer{Last: call.Err, Text: h.StoppedSince()}
		}
		return &attempt.NoAnswer{Last: call.Err, Fails: true, Text: fmt.Sprintf(
			"%s\nIts Identity service there did not answer within %s. A call that cannot be completed returns a status that is not OK (GEN-08)",
			health.During([]health.Cut{call}), restart)}
	case late && p.absent:
		h.NoteAnswer()
		return nil
	case late && !h.NoteHanging(path.Base(p.method)) && attempt.IsCleaningUp(ctx):
		return &attempt.NoAnswer{Last: call.Err, Text: fmt.Sprintf("%s at %s was not answered either", call.RPC, p.name)}
	case late:
		return &attempt.NoAnswer{Last: call.Err, Fails: true, Text: fmt.Sprintf(
			"%s at %s was not answered within its limit, though the Identity service there answers. A call that cannot be completed returns a status that is not OK (GEN-08); if the driver needs more time, raise the limit in the profile's timeouts, which does not help where it waits, until the caller gives up, for something that never comes, such as a lock or an event",
			call.RPC, p.name)}
	case died:
		return &attempt.NoAnswer{Last: call.Err, Fails: true, Text: fmt.Sprintf(
			"the driver's process ended, or closed the connection, during %s at %s, and again when the call was repeated alone: %s\nA call that cannot be completed returns a status that is not OK (GEN-08)",
			call.RPC, p.name, describe.Status(call.Err))}
	default:
		h.NoteAnswer()
		return nil
	}
}

// answersAgain reports whether the endpoint answers, and whether the driver was restarted for that: a driver that does
// not answer is restarted by the program in the profile, if there is one.
func (c connection) answersAgain(ctx context.Context) (lives, revived bool) {
	t := c.driver.Target
	if t.Restart == nil {
		return c.lives(ctx), false
	}
	answersSoon := func() bool {
		const part = 10 // of the limit, within which something else may restart it
		soon, cancel := context.WithTimeout(ctx, t.Timeouts.Restart/part)
		defer cancel()
		return c.lives(soon)
	}
	if answersSoon() {
		return true, false
	}
	revived = ctx.Err() == nil && c.driver.health.Revive(answersSoon, func() error {
		ctx, cancel := suite.CleanUp(ctx, t.Timeouts.Restart)
		defer cancel()
		c.driver.Held.Changed.Add(1)
		return t.Restart(ctx)
	}) == nil
	return revived && c.lives(ctx), revived
}

// lives reports whether the Identity service of the endpoint answers, within the time that a driver takes to be
// restarted.
func (c connection) lives(ctx context.Context) bool {
	restart := c.driver.Target.Timeouts.Restart
	ctx, cancel := context.WithTimeout(ctx, restart)
	defer cancel()
	delays := attempt.Backoff(restart)
	for {
		answered, _ := c.attempt(ctx, csi.Identity_GetPluginInfo_FullMethodName, &csi.GetPluginInfoRequest{}, &csi.GetPluginInfoResponse{},
			[]grpc.CallOption{grpc.WaitForReady(true)})
		if answered {
			return true
		}
		if attempt.Pause(ctx, delays.Step()) != nil {
			return false
		}
	}
}
