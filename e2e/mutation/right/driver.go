// SPDX-License-Identifier: Apache-2.0

// Package right has unusual drivers that conform to the specification: they share their storage with others, finish their
// work in the background, have no topology, or answer differently where the specification leaves the answer open. Each is
// the reference driver with something in front of it, together with the profile that its vendor would write. No case may
// fail for any of them.
package right

import (
	"context"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Driver is a driver that conforms to the specification.
type Driver struct {
	// Name identifies it in tests and on the command line.
	Name string
	// Is describes what it does, and names real drivers with the same behaviour.
	Is string
	mutation.Driver
	// Long says that a run takes longer than with other drivers because its cases wait, so it starts first.
	Long bool
	// Given holds the sets of endpoints that the suite is run with; nil means all of the driver's.
	Given []Endpoints
}

// Endpoints is the subset of a driver's endpoints that the suite is given.
type Endpoints string

// The endpoints that a vendor may have.
const (
	All        Endpoints = "all"             // the controller, and every node
	OneNode    Endpoints = "one-node"        // the controller, and the first node
	TwoNodes   Endpoints = "two-nodes"       // the controller, and the first two nodes
	Controller Endpoints = "controller-only" // the controller
)

// cleanup is the time limit for removing everything that a case created, and restart for restarting: a correct driver is
// fast enough, even on a busy machine.
const cleanup, restart = 30 * time.Second, 30 * time.Second

// Drivers returns all these drivers, with separate state.
func Drivers() []Driver {
	return slices.Concat(sharedBackEnds(), asynchronous(), ratesLimited(), sized(), inLargeUnits(), growing(), located(),
		limited(), snapshotting(), answering(), accessed(), ofOneMode(), named(), served(), lingering(), requiring(),
		serving(), copied(), keeping(), described(), leavingUntilUndone(), roomReturning(), pooled(), crowded(), attaching(),
		permitting(), versioned(), claiming())
}

// Sets returns the sets of endpoints that the driver is run with.
func (d Driver) Sets() []Endpoints {
	if d.Given == nil {
		return []Endpoints{All}
	}
	return d.Given
}

// With returns the driver for a suite that is given only the endpoints.
func (d Driver) With(given Endpoints) mutation.Driver {
	variant := d.Driver
	variant.Preflight = true
	running := variant.Running
	variant.Running = func(driver *embedded.Driver, target *harness.Target) {
		if running != nil {
			running(driver, target)
		}
		target.Nodes = given.of(target.Nodes)
		target.Timeouts.Cleanup, target.Timeouts.Restart = cleanup, restart
	}
	return variant
}

func (e Endpoints) of(nodes []grpc.ClientConnInterface) []grpc.ClientConnInterface {
	switch e {
	case OneNode:
		return nodes[:1]
	case TwoNodes:
		return nodes[:2]
	case Controller:
		return nil
	default:
		return nodes
	}
}

// wait waits for the given time, and returns an error if the caller gives up first.
func wait(ctx context.Context, takes time.Duration) error {
	timer := time.NewTimer(takes)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
}
