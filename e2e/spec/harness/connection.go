// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// connection is one of the target's for one case: its calls have limits, are repeated, are recorded, and are entered in
// the ledger.
type connection struct {
	grpc.ClientConnInterface
	name   string
	driver *Driver
}

// Invoke performs one call, which is repeated until it has an answer to judge. A call without one ends the case: as a
// failure where the driver dies of it or never answers it. If the context says that the caller deals with errors, it does
// not.
func (c connection) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if why := c.driver.health.stoppedSince(); why != "" {
		err := &noAnswer{error: status.Error(codes.Unavailable, why), text: why}
		if !isTolerant(ctx) {
			err.end()
		}
		return err
	}
	c.driver.ledger.sent(request)
	if !onlyAsks(request) {
		c.driver.changes.Add(1)
		defer c.driver.changes.Add(1)
	}
	err := c.perform(ctx, method, request, response, opts)
	c.driver.noteSilence(err)
	if !isTolerant(ctx) {
		mustBeAnswered(err)
	}
	return err
}

// node is the node at the other end, nil for the controller.
func (c connection) node() *Node {
	for _, node := range c.driver.Nodes {
		if node.name == c.name {
			return node
		}
	}
	return nil
}

type tolerance struct{}

// Tolerant returns a context whose calls return every error, those of calls without an answer too. They are repeated like
// others.
func Tolerant(ctx context.Context) context.Context {
	return context.WithValue(ctx, tolerance{}, true)
}

func isTolerant(ctx context.Context) bool {
	return ctx.Value(tolerance{}) != nil
}

type once struct{}

// Once returns a context whose calls are not repeated when the driver answers one of the codes: for cases that judge that
// themselves. Without codes they are not repeated at all, not even when the connection breaks.
func Once(ctx context.Context, answers ...codes.Code) context.Context {
	return context.WithValue(ctx, once{}, answers)
}

// isOnce reports whether a call is not to be repeated after the answer.
func isOnce(ctx context.Context, answer codes.Code) bool {
	answers, found := ctx.Value(once{}).([]codes.Code)
	return found && (len(answers) == 0 || slices.Contains(answers, answer))
}

type unbroken struct{}

// Unbroken returns a context in which a connection that breaks during a call fails the case at once (GEN-08): for cases
// that send what is known to have ended the process of a driver. Elsewhere a connection may break once.
func Unbroken(ctx context.Context) context.Context {
	return context.WithValue(ctx, unbroken{}, true)
}

type silence struct{}

// Unrecorded returns a context whose calls are no evidence: attempts by the hundred, of which a case tells the outcome.
func Unrecorded(ctx context.Context) context.Context {
	return context.WithValue(ctx, silence{}, true)
}

func isUnrecorded(ctx context.Context) bool {
	return ctx.Value(silence{}) != nil
}

// Need returns the answer of a call that a case depends on and does not judge. A failure ends the case as an error, or as
// skipped where it says that there is no room or quota.
//
//	volume := harness.Need(under.Controller.CreateVolume(ctx, request)).GetVolume()
func Need[Response any](response Response, err error) Response {
	if status.Code(err) == codes.ResourceExhausted {
		suite.Skip(suite.ByEnvironment, "there is no room or quota for what the case needs: %s", Describe(err))
	}
	if err != nil {
		suite.CouldNotTell("a call that the case needs failed: %s", Describe(err))
	}
	return response
}

// Describe is a call's status in a line.
func Describe(err error) string {
	if err == nil {
		return model.CodeName(codes.OK)
	}
	failed := status.Convert(err)
	return fmt.Sprintf("%s: %q", model.CodeName(failed.Code()), failed.Message())
}
