// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/journal"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// Target is the driver under test. The caller dials and closes its connections.
type Target struct {
	// Controller serves the Identity and Controller services.
	Controller grpc.ClientConnInterface
	// Nodes serve the Identity and Node services, one for each node. Several nodes in one segment count as one segment.
	Nodes []grpc.ClientConnInterface
	// Endpoints are the gRPC targets of the controller and the nodes, such as unix:///csi/csi.sock.
	Endpoints []string
	// Profile is the vendor's profile of the driver.
	Profile profile.Profile
	// CSI is the version of the CSI specification that the driver implements, such as 1.5: later requirements are not
	// judged. Empty means the newest version.
	CSI string
	// Run names the run: it is part of the name of everything that the run makes, so that two runs on one driver do not
	// collide, and the objects of a killed run can be found.
	Run string
	// Seed is the seed of generated cases, and Steps the number of their requests.
	Seed  int64
	Steps int
	// Unexplained reports a generated case that fails with all of its requests. Finding the few requests that show the
	// failure takes most of the time of such a case.
	Unexplained bool
	// Parallel is the number of cases that run concurrently if they may; 0 and 1 run all of them one after another.
	Parallel int
	// Paths makes and removes directories where the nodes are, and writes to volumes there.
	Paths Paths
	// Exhaust takes a segment's room away by other means than volumes; nil fills it with volumes.
	Exhaust Exhauster
	// Restart ends the driver's processes at once, as SIGKILL does, and starts them again; nil if nothing can.
	Restart func(ctx context.Context) error
	// Journal records the objects that the run requests from the driver; nil records nothing.
	Journal *journal.Journal
	// Calls keeps the calls for the report; nil keeps none.
	Calls *wire.Spool
	// Timeouts limit every wait.
	Timeouts profile.Timeouts

	refused  refusedForms
	existing chan struct{} // holds a value while a case has the profile's existing volume
	unusable *unusable     // nil if a volume can be used, or if that was not tried
}

// Paths makes and removes the directories that a CO passes to a node, and uses volumes as a pod does. The node's id
// selects the node.
type Paths interface {
	// Root returns the absolute path of the directory that contains the directories.
	Root() string
	// Make makes a directory and its parents.
	Make(ctx context.Context, node, path string) error
	// Remove removes a directory that Make made. A missing directory is not an error.
	Remove(ctx context.Context, node, path string) error
	// Exists reports whether anything exists at the path.
	Exists(ctx context.Context, node, path string) (bool, error)
	// Data reports whether Write and Read work.
	Data() bool
	// Write writes to a file, which it creates, or to a device, from the offset on. The data is stored when it returns.
	Write(ctx context.Context, node, path string, offset int64, data []byte) error
	// Read reads the given number of bytes from the offset on, or as many as there are.
	Read(ctx context.Context, node, path string, offset int64, most int) ([]byte, error)
	// Mounted reports whether the path is a mount point or a device, where that is known.
	Mounted(ctx context.Context, node, path string) (mounted, known bool, err error)
	// Unmount unmounts the path, as a reboot of the node does. It returns errors.ErrUnsupported if it cannot.
	Unmount(ctx context.Context, node, path string) error
}

// Exhauster takes the room of a segment away, and gives it back.
type Exhauster interface {
	Exhaust(ctx context.Context, segment map[string]string) error
	GiveBack(ctx context.Context, segment map[string]string) error
}

// limitOf returns how long the call with that request may take, with its repetitions.
func limitOf(t profile.Timeouts, request any) time.Duration {
	if onlyAsks(request) {
		return t.Query
	}
	return t.Provision
}

// onlyAsks reports whether a call with the request changes nothing.
func onlyAsks(request any) bool {
	switch request.(type) {
	case *csi.GetPluginInfoRequest, *csi.GetPluginCapabilitiesRequest, *csi.ProbeRequest,
		*csi.ControllerGetCapabilitiesRequest, *csi.NodeGetCapabilitiesRequest, *csi.NodeGetInfoRequest, *csi.NodeGetVolumeStatsRequest,
		*csi.GetCapacityRequest, *csi.ListVolumesRequest, *csi.ControllerGetVolumeRequest, *csi.ValidateVolumeCapabilitiesRequest,
		*csi.ListSnapshotsRequest, *csi.GetSnapshotRequest,
		*csi.GroupControllerGetCapabilitiesRequest, *csi.GetVolumeGroupSnapshotRequest,
		*csi.GetMetadataAllocatedRequest, *csi.GetMetadataDeltaRequest:
		return true
	default:
		return false
	}
}
