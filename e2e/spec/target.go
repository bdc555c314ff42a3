package spec

import (
	"time"

	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Target is the driver under test. Its connections are the caller's to dial and to close.
type Target struct {
	// Controller serves the Identity and Controller services.
	Controller grpc.ClientConnInterface
	// Nodes serve the Node service, one for each node; a segment counts once however many nodes are in it.
	Nodes []grpc.ClientConnInterface
	// Profile is what the vendor says of the driver.
	Profile profile.Profile
	// Timeouts bound every wait.
	Timeouts Timeouts
}

// Timeouts are the longest waits. A wait that reaches its end is the harness's error, never the driver's failure.
type Timeouts struct {
	// Provision is for CreateVolume and DeleteVolume.
	Provision time.Duration
	// Query is for a call that only asks.
	Query time.Duration
	// Settle is how long a driver's capacity may take to show what was created or deleted.
	Settle time.Duration
}

// DefaultTimeouts are long enough for a driver that makes its volumes over a network.
func DefaultTimeouts() Timeouts {
	return Timeouts{Provision: 2 * time.Minute, Query: 15 * time.Second, Settle: 10 * time.Second}
}
