// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// Invoke performs one call, which is repeated until it has an answer to judge. A call without one ends the case: as a
// failure where the driver dies of it or never answers it. If the context says that the caller deals with errors, it does
// not.
func (c connection) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if why := c.driver.health.StoppedSince(); why != "" {
		err := &attempt.NoAnswer{Last: status.Error(codes.Unavailable, why), Text: why}
		if !attempt.IsTolerant(ctx) {
			err.End()
		}
		return err
	}
	c.driver.underWay.Add(1)
	defer c.driver.underWay.Add(-1)
	noteSent(c.driver, request)
	if !onlyAsks(request) {
		c.driver.Held.Changed.Add(1)
		defer c.driver.Held.Changed.Add(1)
	}
	err := c.perform(ctx, method, request, response, opts)
	noteSilence(c.driver, err)
	if !attempt.IsTolerant(ctx) {
		attempt.MustBeAnswered(err)
	}
	return err
}
