// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Restart ends the driver's processes and starts them again, and returns when all endpoints answer. Where the restart
// fails, a connection outlives it, or an endpoint does not answer within its limit, the case could not tell.
func (d *Driver) Restart(ctx context.Context) {
	failed := d.restart(ctx)
	for _, endpoint := range d.endpoints() {
		if !endpoint.lives(Unrecorded(ctx)) {
			d.health.gone(d.caseID)
			suite.CouldNotTell("the driver was restarted, and %s did not answer within %s%s\nIf the driver needs longer to start, raise restart in the profile's timeouts",
				endpoint.name, d.target.Timeouts.Restart, failed)
		}
	}
	if failed != "" {
		suite.CouldNotTell("the driver was to be restarted%s", failed)
	}
}

// restart restarts the driver, and says why that failed, as the next line of a message; it is empty if it did not.
func (d *Driver) restart(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, d.target.Timeouts.Restart)
	defer cancel()
	d.changes.Add(1) // what was read of the state is not to be relied on
	if d.health.keptConnections.Load() {
		return "\nThe restart is not tried again: in an earlier case, a connection to the driver stayed open"
	}
	witnesses := witnessesOf(ctx, d.target.Endpoints)
	defer func() {
		for _, w := range witnesses {
			_ = w.conn.Close() // it says only that it is closed already
		}
	}()
	if err := d.target.Restart(ctx); err != nil {
		return fmt.Sprintf("\nThe restart failed: %v", err)
	}
	for _, w := range witnesses {
		if !w.ends(ctx) {
			d.health.keptConnections.Store(true)
			return fmt.Sprintf("\nThe restart succeeded, but a connection to %s that was opened before it is still open after %s: end the process that listens there, and start it again",
				w.endpoint, d.target.Timeouts.Restart)
		}
	}
	return ""
}

// endpoints are the connections to all endpoints.
func (d *Driver) endpoints() []connection {
	all := []connection{{d.target.Controller, "the controller", d}}
	for i, node := range d.target.Nodes {
		all = append(all, connection{node, fmt.Sprintf("node endpoint %d", i+1), d})
	}
	return all
}

type breakable struct{}

// Breaking returns a context whose calls are made once, and return every error: for calls that are under way while the case
// restarts the driver, so that they say nothing of it.
func Breaking(ctx context.Context) context.Context {
	return context.WithValue(Tolerant(ctx), breakable{}, true)
}

func isBreaking(ctx context.Context) bool {
	return ctx.Value(breakable{}) != nil
}

// gone says that the driver does not answer since the case restarted it.
func (h *health) gone(caseID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped == "" {
		h.stopped = fmt.Sprintf("the driver does not answer since it was restarted: see the case %s", caseID)
	}
}
