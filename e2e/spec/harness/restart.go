// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// RestartDriver ends the driver's processes and starts them again, and returns when all endpoints answer. If the restart
// fails, a connection outlives it, or an endpoint does not answer within its limit, the case ends as an error. An interrupt
// of the run does not end a restart: a driver that is down cannot remove the objects of cases.
func RestartDriver(ctx context.Context, d *Driver) {
	all := endpoints(d)
	ctx, cancel := suite.CleanUp(ctx, time.Duration(1+len(all))*d.Target.Timeouts.Restart)
	defer cancel()
	failed := restart(ctx, d)
	for _, endpoint := range all {
		if !endpoint.lives(attempt.Unrecorded(ctx)) {
			d.health.Gone(d.caseID)
			suite.CouldNotTell("the driver was restarted, and %s did not answer within %s%s\nIf the driver needs longer to start, raise restart in the profile's timeouts",
				endpoint.name, d.Target.Timeouts.Restart, failed)
		}
	}
	if failed != "" {
		suite.CouldNotTell("the driver was to be restarted%s", failed)
	}
}

// restart restarts the driver. If that fails, it returns the reason as the next line of a message.
func restart(ctx context.Context, d *Driver) string {
	ctx, cancel := context.WithTimeout(ctx, d.Target.Timeouts.Restart)
	defer cancel()
	d.Held.Changed.Add(1) // an earlier reading of the state may no longer hold
	if d.health.KeptConnections.Load() {
		return "\nThe restart is not tried again: in an earlier case, a connection to the driver stayed open"
	}
	witnesses := wire.WitnessesOf(ctx, d.Target.Endpoints)
	defer func() {
		for _, w := range witnesses {
			_ = w.Conn.Close() // it says only that it is closed already
		}
	}()
	if err := d.Target.Restart(ctx); err != nil {
		return fmt.Sprintf("\nThe restart failed: %v", err)
	}
	for _, w := range witnesses {
		if !w.Ends(ctx) {
			d.health.KeptConnections.Store(true)
			return fmt.Sprintf("\nThe restart succeeded, but a connection to %s that was opened before it is still open after %s: end the process that listens there, and start it again",
				w.Endpoint, d.Target.Timeouts.Restart)
		}
	}
	return ""
}

// endpoints returns the connections to all endpoints.
func endpoints(d *Driver) []connection {
	all := []connection{{d.Target.Controller, "the controller", d}}
	for i, node := range d.Target.Nodes {
		all = append(all, connection{node, fmt.Sprintf("node endpoint %d", i+1), d})
	}
	return all
}
