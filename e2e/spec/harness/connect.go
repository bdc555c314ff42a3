// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/holdings"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// connect returns the driver of one case. Nothing is known about it yet.
func connect(target *Target, health *health.Health, caseID string) *Driver {
	d := &Driver{Target: target, Pages: &health.Pages, health: health, caseID: caseID, calls: &wire.Log{CaseID: caseID, Spool: target.Calls}, crashes: health.Crashes(), unusableLists: len(health.Pages.AllUnusable())}
	d.ledger, d.named = &ledger.Ledger{}, &atomic.Int64{}
	controller := connection{target.Controller, "the controller", d}
	d.Identity, d.Controller = csi.NewIdentityClient(controller), csi.NewControllerClient(controller)
	d.Room = &room.Rooms{
		Controller: d.Controller, Profile: target.Profile, Hooked: target.Exhaust != nil, InRun: &health.Rooms, InCase: &room.Seen{}, Books: &health.Books,
		Capabilities: []*csi.VolumeCapability{messages.Capability(target.Profile)},
	}
	d.Held = &holdings.Reader{
		Controller: d.Controller, Profile: target.Profile, Rooms: d.Room, Made: &d.Made,
		Patience: &health.Patience, Settle: target.Timeouts.Settle, Lingers: &health.Lingers,
		Pages: &health.Pages, Many: &health.Many,
	}
	d.Groups, d.Metadata = csi.NewGroupControllerClient(controller), csi.NewSnapshotMetadataClient(controller)
	for i, conn := range target.Nodes {
		d.Nodes = append(d.Nodes, newNode(connection{conn, fmt.Sprintf("node endpoint %d", i+1), d}))
	}
	return d
}

// know sets the driver's claims, and derives its segments from them.
func (d *Driver) know(c *claims) {
	d.claims = c
	if c.inexact != "" {
		d.takeForAtLeast()
	}
	for i, node := range d.Nodes {
		node.ID, node.MaxVolumes, node.Segment, node.claims = c.nodes[i].id, c.nodes[i].maxVolumes, c.nodes[i].segment, c.nodes[i].capabilities
		node.unknown = c.nodes[i].unknown
	}
	// A node without topology beside others with it reaches no volume that cases create in a segment: choose it last.
	slices.SortStableFunc(d.Nodes, func(a, b *Node) int { return min(1, len(b.Segment)) - min(1, len(a.Segment)) })
	d.Room.Tells = d.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	d.Room.Constrained = d.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)
	d.Held.ListsVolumes = d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)
	d.Held.ListsSnapshots = d.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)
	d.Room.Segments = segmentsKnown(d)
	d.keepTo(d.Room.Segments)
}

// keepTo restricts the case to these segments.
func (d *Driver) keepTo(usable model.Set) {
	d.Room.Usable = usable
	for i, zone := range []*model.Segment{&d.Z2, &d.Z3, &d.Z4, &d.Z5} {
		*zone = nil
		if i < len(usable) {
			*zone = usable[i]
		}
	}
}

func newNode(conn connection) *Node {
	return &Node{NodeClient: csi.NewNodeClient(conn), Identity: csi.NewIdentityClient(conn), name: conn.name, Driver: conn.driver}
}
