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

// Target is the driver under test. Its connections are the caller's to dial and to close.
type Target struct {
	// Controller serves the Identity and Controller services.
	Controller grpc.ClientConnInterface
	// Nodes serve the Identity and Node services, one for each node; a segment counts once however many nodes are in it.
	Nodes []grpc.ClientConnInterface
	// Endpoints are the gRPC targets of the controller and the nodes, such as unix:///csi/csi.sock.
	Endpoints []string
	// Profile is what the vendor says of the driver.
	Profile profile.Profile
	// CSI is the version of the CSI specification that the driver implements, such as 1.5: what came later is not judged.
	// It is the newest when empty.
	CSI string
	// Run names the run: it is part of the name of everything that the run makes, so that two runs on one driver do not
	// meet, and what a killed run left behind can be found.
	Run string
	// Seed is what generated cases are generated from, and Steps how many requests they are.
	Seed  int64
	Steps int
	// Unexplained leaves a generated case that fails at all of its requests. To find the few that show the failure takes
	// most of the time of such a case.
	Unexplained bool
	// Parallel is how many cases run at once that may run side by side; 0 and 1 run all of them one after another.
	Parallel int
	// Paths makes and removes directories where the nodes are, and writes to volumes there.
	Paths Paths
	// Exhaust takes a segment's room away by other means than volumes; nil fills it with volumes.
	Exhaust Exhauster
	// Restart ends the driver's processes at once, as SIGKILL does, and starts them again; nil where nothing can.
	Restart func(ctx context.Context) error
	// Journal keeps what the run asks the driver to make; nil keeps nothing.
	Journal *journal.Journal
	// Calls keeps the calls for the report; nil where nobody wants to know them.
	Calls *wire.Spool
	// Timeouts limit every wait.
	Timeouts profile.Timeouts

	refused  refusedForms
	existing chan struct{} // has one while a case has the profile's existing volume
	unusable *unusable     // nil where a volume can be used, or nobody tried
}

// Paths makes and removes the directories that a CO gives a node's calls, and uses volumes as a pod does. The node's id
// says where.
type Paths interface {
	// Root is the absolute path under which the directories are.
	Root() string
	// Make makes a directory and its parents.
	Make(ctx context.Context, node, path string) error
	// Remove removes what Make made; a directory that is not there is no error.
	Remove(ctx context.Context, node, path string) error
	// Exists reports whether there is anything at the path.
	Exists(ctx context.Context, node, path string) (bool, error)
	// Data reports whether Write and Read work.
	Data() bool
	// Write writes to a file, which it creates, or to a device, from the offset on; what it wrote outlives the node's memory.
	Write(ctx context.Context, node, path string, offset int64, data []byte) error
	// Read reads so many bytes from the offset on, or as many as there are.
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

// limitOf is how long the call of that request may take, with its repetitions.
func limitOf(t profile.Timeouts, request any) time.Duration {
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
		*csi.ListSnapshotsRequest, *csi.GetSnapshotRequest,
		*csi.GroupControllerGetCapabilitiesRequest, *csi.GetVolumeGroupSnapshotRequest,
		*csi.GetMetadataAllocatedRequest, *csi.GetMetadataDeltaRequest:
		return true
	default:
		return false
	}
}
