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

// unasked explains why the profile keeps the call from being made: no CO makes it if each node has a separate controller, or
// it would change the profile's existing volume. It is nil for a call that is made.
func (c connection) unasked(ctx context.Context, request any) *attempt.NoAnswer {
	text := c.driver.health.Own.ChangesLent(request)
	if why := refusedBy(ctx, c.ClientConnInterface, request); why != nil {
		text = "the profile says controllerPerNode, and each controller is called for its own node only: " + why.Error()
	}
	if text == "" {
		return nil
	}
	return &attempt.NoAnswer{Last: status.Error(codes.Unimplemented, text), SkippedBy: suite.ByProfile, Text: text}
}

// IsUnasked reports whether no CO makes the call, because each node has a separate controller.
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

// takesOne reports whether a requirement names one topology, because the driver accepts no more, or because each node has a
// separate controller.
func (t *Target) takesOne() bool { return t.refused.several || t.hasControllers() }

// hasControllers reports whether there are several nodes with a controller each: the segment in a request decides which
// controller is called.
func (t *Target) hasControllers() bool { return t.Profile.ControllerPerNode && len(t.Nodes) > 1 }
