package spec

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// driver is the driver under test as one case sees it.
type driver struct {
	// Z2 to Z5 are four of the driver's segments, by the names that the specification's examples give them.
	Z2, Z3, Z4, Z5 model.Segment

	target     *Target
	identity   csi.IdentityClient
	controller csi.ControllerClient
	nodes      []csi.NodeClient
	claims     map[csi.ControllerServiceCapability_RPC_Type]bool
	segments   model.Set
	world      model.World
	ledger     []string // ids of the volumes to delete, oldest first
}

// discover asks the driver for its capabilities, segments and room. It ends the case as skipped when the driver does not
// claim what every case needs, or has fewer than four segments with room.
func discover(ctx context.Context, target *Target, calls *trace) *driver {
	conn := recorded{target.Controller, calls}
	d := &driver{
		target:     target,
		identity:   csi.NewIdentityClient(conn),
		controller: csi.NewControllerClient(conn),
	}
	for _, node := range target.Nodes {
		d.nodes = append(d.nodes, csi.NewNodeClient(recorded{node, calls}))
	}
	d.needPluginCapability(ctx, csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)
	d.readControllerCapabilities(ctx)
	d.need(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME)
	d.segments = d.readSegments(ctx)
	d.world = d.readWorld(ctx)
	d.nameZones()
	return d
}

// World is the driver's segments and the room in each: as it was before the case made its volumes, and with nothing in
// the segments that the case has filled.
func (d *driver) World() model.World {
	return slices.Clone(d.world)
}

// nameZones gives the first four segments the names of the specification's zones.
func (d *driver) nameZones() {
	const zones = 4
	if len(d.segments) < zones {
		verdict.Skip(verdict.ByEnvironment, "the node endpoints report %d topology segments, and the case needs %d: %s", len(d.segments), zones, d.segments)
	}
	// What a case makes in one segment, itself and by filling others, fits in this many volumes.
	const volumes = 4
	for _, place := range d.world[:zones] {
		if need := volumes * d.size(); place.Room < need {
			verdict.Skip(verdict.ByEnvironment, "%s has room for %d bytes, and the case needs %d", place.Segment, place.Room, need)
		}
	}
	d.Z2, d.Z3, d.Z4, d.Z5 = d.segments[0], d.segments[1], d.segments[2], d.segments[3]
}

// size is the size in bytes of the volumes that a case asks for.
func (d *driver) size() int64 {
	return d.target.Profile.VolumeBytes
}

// ask performs a call that only asks something of the driver. Without an answer there is nothing to judge: the case ends
// as an error.
func ask[Request, Response any](ctx context.Context, d *driver, name string,
	rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), request Request,
) Response {
	response, err := query(ctx, d, rpc, request)
	if err != nil {
		verdict.CouldNotTell("%s, which the case needs to be answered, failed: %v", name, err)
	}
	return response
}

// query performs a call within the time that queries have.
func query[Request, Response any](ctx context.Context, d *driver,
	rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), request Request,
) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, d.target.Timeouts.Query)
	defer cancel()
	return rpc(ctx, request)
}
