package harness

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// connection is one of the target's for one case: its calls have deadlines, are recorded, and are entered in the ledger.
type connection struct {
	grpc.ClientConnInterface
	name   string
	driver *Driver
}

// Invoke performs one call. A call without an answer ends the case as an error, for there is nothing to judge: unless
// the context says that the caller deals with it.
func (c connection) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	limit := c.driver.target.Timeouts.of(request)
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c.driver.ledger.sent(request)
	if !onlyAsks(request) {
		c.driver.changes.Add(1)
		defer c.driver.changes.Add(1)
	}
	begin := time.Now()
	err := c.ClientConnInterface.Invoke(bounded, method, request, response, opts...)
	if !isUnrecorded(ctx) {
		c.driver.calls.add(callOf(c.name, method, request, response, err, time.Since(begin)))
	}
	c.driver.ledger.answered(c.node(), request, response, err)

	switch {
	case err == nil || isTolerant(ctx):
		return err
	case ctx.Err() != nil:
		verdict.CouldNotTell("%s was interrupted: %v", method, err)
	case bounded.Err() != nil:
		verdict.CouldNotTell("%s at %s did not answer within %s", method, c.name, limit)
	case status.Code(err) == codes.Unavailable:
		verdict.CouldNotTell("%s at %s could not be asked: %s", method, c.name, describe(err))
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

// Tolerant returns a context whose calls return every error, those of calls without an answer too.
func Tolerant(ctx context.Context) context.Context {
	return context.WithValue(ctx, tolerance{}, true)
}

func isTolerant(ctx context.Context) bool {
	return ctx.Value(tolerance{}) != nil
}

type silence struct{}

// Unrecorded returns a context whose calls are no evidence: attempts by the hundred, of which a case tells the outcome.
func Unrecorded(ctx context.Context) context.Context {
	return context.WithValue(ctx, silence{}, true)
}

func isUnrecorded(ctx context.Context) bool {
	return ctx.Value(silence{}) != nil
}

// Need returns the answer of a call that a case depends on and does not judge. A failure ends the case as an error.
//
//	volume := harness.Need(under.Controller.CreateVolume(ctx, request)).GetVolume()
func Need[Response any](response Response, err error) Response {
	if err != nil {
		verdict.CouldNotTell("a call that the case needs failed: %s", describe(err))
	}
	return response
}

// describe is a failed call's status in a line.
func describe(err error) string {
	failed := status.Convert(err)
	return fmt.Sprintf("%s: %q", model.CodeName(failed.Code()), failed.Message())
}
