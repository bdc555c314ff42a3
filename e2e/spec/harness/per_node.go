// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// unasked says why the profile keeps the call from being made: no CO makes it where each node has a controller of its own, or
// it would change the volume that exists already. It is nil for a call that is made.
func (c connection) unasked(ctx context.Context, request any) *attempt.NoAnswer {
	text := c.driver.health.Own.ChangesLent(request)
	if why := refusedBy(ctx, c.ClientConnInterface, request); why != nil {
		text = "the profile says controllerPerNode, and each controller is asked for its own node alone: " + why.Error()
	}
	if text == "" {
		return nil
	}
	return &attempt.NoAnswer{Last: status.Error(codes.Unimplemented, text), SkippedBy: suite.ByProfile, Text: text}
}

// IsUnasked reports whether no CO makes the call, as each node has a controller of its own.
func (d *Driver) IsUnasked(ctx context.Context, request any) bool {
	return refusedBy(ctx, d.Target.Controller, request) != nil
}

func refusedBy(ctx context.Context, controller grpc.ClientConnInterface, request any) error {
	if routes, ok := controller.(interface {
		Refuses(ctx context.Context, request any) error
	}); ok {
		return routes.Refuses(ctx, request)
	}
	return nil
}

// takesOne reports whether a requirement names one topology, as the driver takes no more, or as each node has a controller of
// its own.
func (t *Target) takesOne() bool { return t.refused.several || t.hasControllers() }

// hasControllers reports whether the nodes have a controller each, and there are several: which of them is asked follows from the
// segment that a request names.
func (t *Target) hasControllers() bool { return t.Profile.ControllerPerNode && len(t.Nodes) > 1 }
