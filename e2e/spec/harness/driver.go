package harness

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Driver is the driver under test as one case sees it. Its clients are those of the CSI module; see connection for what
// they do besides.
type Driver struct {
	// Z2 to Z5 are the first four of the driver's segments, by the names that the specification's examples give zones;
	// those that the driver does not have are nil.
	Z2, Z3, Z4, Z5 model.Segment
	// Identity, Controller and Groups are the controller endpoint's, Nodes the node endpoints'.
	Identity   csi.IdentityClient
	Controller csi.ControllerClient
	Groups     csi.GroupControllerClient
	Nodes      []*Node

	target *Target
	caseID string
	calls  *trace
	ledger *ledger
	named  atomic.Int64

	claims    *claims
	segments  model.Set
	world     model.World
	available []int64 // in each place of the world, when the case began

	changes   atomic.Int64 // counts what may have changed the driver's state
	lastState *state       // the latest that was read
}

// connect makes the driver of one case, of which nothing is known yet.
func connect(target *Target, caseID string) *Driver {
	d := &Driver{target: target, caseID: caseID, calls: &trace{caseID: caseID}}
	d.ledger = &ledger{driver: d}
	controller := connection{target.Controller, "the controller", d}
	d.Identity, d.Controller = csi.NewIdentityClient(controller), csi.NewControllerClient(controller)
	d.Groups = csi.NewGroupControllerClient(controller)
	for i, conn := range target.Nodes {
		d.Nodes = append(d.Nodes, newNode(connection{conn, fmt.Sprintf("node endpoint %d", i+1), d}))
	}
	return d
}

// know takes the driver's claims for what it is, and its segments from them.
func (d *Driver) know(c *claims) {
	d.claims = c
	for i, node := range d.Nodes {
		node.ID, node.MaxVolumes, node.Segment, node.claims = c.nodes[i].id, c.nodes[i].maxVolumes, c.nodes[i].segment, c.nodes[i].capabilities
	}
	d.segments = d.segmentsOfNodes()
	for i, zone := range []*model.Segment{&d.Z2, &d.Z3, &d.Z4, &d.Z5} {
		if i < len(d.segments) {
			*zone = d.segments[i]
		}
	}
}

// Profile is what the vendor says of the driver.
func (d *Driver) Profile() profile.Profile {
	return d.target.Profile
}

// Seed is what the run's random choices follow from, and Steps how many requests a generated case has.
func (d *Driver) Seed() (seed int64, steps int) {
	return d.target.Seed, d.target.Steps
}

// Segments are all of the driver's segments, in the order of their names.
func (d *Driver) Segments() model.Set {
	return slices.Clone(d.segments)
}

// Zones are the first of the driver's segments: so many, or all that there are.
func (d *Driver) Zones(most int) model.Set {
	return slices.Clone(d.segments[:min(most, len(d.segments))])
}

// World is the driver's segments and the room in each: as it was before the case made its volumes, and with nothing in
// the segments that the case has filled.
func (d *Driver) World() model.World {
	return slices.Clone(d.world)
}

// Available is how many bytes volumes could have in the segment altogether before the case made its own: more than can be
// counted where the driver does not tell.
func (d *Driver) Available(segment model.Segment) int64 {
	for i, place := range d.world {
		if place.Segment.Equal(segment) {
			return d.available[i]
		}
	}
	return math.MaxInt64
}

// Size is the size in bytes of the volumes that a case asks for.
func (d *Driver) Size() int64 {
	return d.target.Profile.VolumeBytes
}

// Name is a new name for something that the case makes: it tells the run and the case. It is a label of RFC 1035, as the
// names are that Kubernetes gives: what names a driver takes besides is for the cases on names to judge.
func (d *Driver) Name() string {
	id := strings.ReplaceAll(strings.ToLower(d.caseID), "_", "-")
	return fmt.Sprintf("csi-topo-%s-%s-%d", d.target.Run, id, d.named.Add(1))
}

// ask performs a call that only asks something of the driver. Without an answer there is nothing to judge: the case ends
// as an error.
func ask[Request, Response any](ctx context.Context, name string,
	rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), request Request,
) Response {
	response, err := rpc(ctx, request)
	if err != nil {
		verdict.CouldNotTell("%s, which every case needs to be answered, failed: %s", name, describe(err))
	}
	return response
}
