package harness

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Target is the driver under test. Its connections are the caller's to dial and to close.
type Target struct {
	// Controller serves the Identity and Controller services.
	Controller grpc.ClientConnInterface
	// Nodes serve the Identity and Node services, one for each node; a segment counts once however many nodes are in it.
	Nodes []grpc.ClientConnInterface
	// Profile is what the vendor says of the driver.
	Profile profile.Profile
	// Run names the run: it is part of the name of everything that the run makes, so that two runs on one driver do not
	// meet, and what a killed run left behind can be found.
	Run string
	// Seed is what generated cases are generated from, and Steps how many requests they are.
	Seed  int64
	Steps int
	// Paths makes and removes directories where the nodes are.
	Paths Paths
	// Exhaust takes a segment's room away by other means than volumes; nil fills it with volumes.
	Exhaust Exhauster
	// Timeouts bound every wait.
	Timeouts Timeouts
}

// Paths makes and removes the directories that a CO gives a node's calls. The node's id says where.
type Paths interface {
	// Root is the absolute path under which the directories are.
	Root() string
	// Make makes a directory and its parents.
	Make(ctx context.Context, node, path string) error
	// Remove removes what Make made; a directory that is not there is no error.
	Remove(ctx context.Context, node, path string) error
	// Exists reports whether there is anything at the path.
	Exists(ctx context.Context, node, path string) (bool, error)
}

// Exhauster takes the room of a segment away, and gives it back.
type Exhauster interface {
	Exhaust(ctx context.Context, segment map[string]string) error
	GiveBack(ctx context.Context, segment map[string]string) error
}

// Timeouts are the longest waits. A wait that reaches its end is the harness's error, never the driver's failure.
type Timeouts struct {
	// Provision is for calls that make, grow, copy, move or remove something.
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

// of is how long the call of that request may take.
func (t Timeouts) of(request any) time.Duration {
	if onlyAsks(request) {
		return t.Query
	}
	return t.Provision
}

// onlyAsks reports whether the request is for a call that changes nothing.
func onlyAsks(request any) bool {
	switch request.(type) {
	case *csi.GetPluginInfoRequest, *csi.GetPluginCapabilitiesRequest, *csi.ProbeRequest,
		*csi.ControllerGetCapabilitiesRequest, *csi.NodeGetCapabilitiesRequest, *csi.NodeGetInfoRequest, *csi.NodeGetVolumeStatsRequest,
		*csi.GetCapacityRequest, *csi.ListVolumesRequest, *csi.ControllerGetVolumeRequest, *csi.ValidateVolumeCapabilitiesRequest,
		*csi.ListSnapshotsRequest, *csi.GetSnapshotRequest:
		return true
	default:
		return false
	}
}
