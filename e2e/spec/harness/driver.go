// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/health"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/holdings"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/inventory"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// Driver is the driver under test as one case sees it. It has the clients of the CSI module; see connection for their
// additional behaviour.
type Driver struct {
	// Z2 to Z5 are the first four of the driver's segments that have the kinds of volume that the case makes. They are named
	// like the zones in the specification's examples. Segments that the driver does not have are nil.
	Z2, Z3, Z4, Z5 model.Segment
	// Identity, Controller, Groups and Metadata connect to the controller endpoint, Nodes to the node endpoints.
	Identity   csi.IdentityClient
	Controller csi.ControllerClient
	Groups     csi.GroupControllerClient
	Metadata   csi.SnapshotMetadataClient
	Nodes      []*Node
	// Target is the driver that the case runs against, and Made tracks the objects that the case has made there.
	Target *Target
	Made   inventory.Made
	// Room holds the known room of the driver's segments, and Held reads the state of the driver.
	Room *room.Rooms
	Held *holdings.Reader
	// Pages reads lists page by page.
	Pages *pages.Reader

	caseID string
	calls  *wire.Log
	ledger *ledger.Ledger
	health *health.Health
	silent atomic.Pointer[attempt.NoAnswer] // of the first call that the driver died of, or never answered
	broken atomic.Pointer[health.Breakage]  // the first
	named  *atomic.Int64                    // how many names the case has used, over all its runs
	// underWay holds the calls of the case that are in flight, and crashes the number of the driver's crashes when the
	// case began.
	underWay atomic.Int64
	crashes  int64
	// undisturbed is set while the case excludes calls of other cases that change room.
	undisturbed atomic.Bool
	// unusableLists is the number of unusable lists when the case began, and unlisted is set once the case was ended by
	// one.
	unusableLists int
	unlisted      atomic.Bool
	beside        *string // the suite's finding about cases that ran concurrently

	recalled *Recalled // the earlier run that the calls are for; nil for a case
	// unusable explains why no volume can be used, once a call of the case has failed for that reason.
	unusable atomic.Pointer[string]

	// advice suggests what to check before the driver is blamed, by the answer that suggests it.
	advice sync.Map

	claims *claims
	// holdsExisting reports that the case has the profile's existing volume.
	holdsExisting bool
	demand        demand
	// reserved holds the attachments to each node that the case has, and release gives them back.
	reserved int64
	release  func(attachments int64)
	before   holdings.State // when the case began
}

// HealthOf returns the run's knowledge about the driver as a whole.
func HealthOf(d *Driver) *health.Health { return d.health }

// Profile returns the vendor's profile of the driver, with capacity as the case judges it.
func (d *Driver) Profile() profile.Profile {
	described := d.Target.Profile
	described.Capacity = d.Room.Profile.Capacity
	return described
}

// Segments returns all of the driver's segments that have the kinds of volume that the case makes, sorted by name.
func (d *Driver) Segments() model.Set {
	return slices.Clone(d.Room.Usable)
}

// Sample returns the first of those segments: all of them, unless there are many. It is for checks that hardly depend on the
// choice of the segment.
func (d *Driver) Sample() model.Set {
	return d.Zones(room.Sample)
}

// Zones returns the first of those segments, at most the given number.
func (d *Driver) Zones(most int) model.Set {
	return slices.Clone(d.Room.Usable[:min(most, len(d.Room.Usable))])
}

// Size returns the size in bytes of the volumes that a case requests.
func (d *Driver) Size() int64 {
	return d.Target.Profile.VolumeBytes
}

// Name returns a new name for something that the case makes. It contains the run and the case. It is an RFC 1035 label, like
// the names that Kubernetes gives: cases about names check that a driver accepts others.
func (d *Driver) Name() string {
	id := strings.ReplaceAll(strings.ToLower(d.caseID), "_", "-")
	return fmt.Sprintf("%s-%s-%d", d.Profile().Names(d.Target.Run), id, d.named.Add(1))
}

// demand is the room that the needs of a case require: a number of volumes of the case's size in each of a number of
// segments.
type demand struct {
	segments, volumes int
}

// Node is one node endpoint of the driver under test.
type Node struct {
	csi.NodeClient
	// Identity is the Identity service of the same endpoint.
	Identity csi.IdentityClient
	// ID, MaxVolumes and Segment come from NodeGetInfo's answer when the run began. Segment is empty if the node
	// reports none.
	ID         string
	MaxVolumes int64
	Segment    model.Segment

	name   string
	Driver *Driver
	claims map[csi.NodeServiceCapability_RPC_Type]bool
	// unknown reports that NodeGetInfo does not return the node's id.
	unknown bool
}

// String returns the node's id, or names the endpoint before the id is known.
func (n *Node) String() string {
	if n.ID == "" {
		return n.name
	}
	return "node " + n.ID
}

// Claims reports whether ControllerGetCapabilities lists the capability.
func (d *Driver) Claims(capability csi.ControllerServiceCapability_RPC_Type) bool {
	return d.claims.controller[capability]
}

// ClaimsGroups reports whether GroupControllerGetCapabilities lists the capability.
func (d *Driver) ClaimsGroups(capability csi.GroupControllerServiceCapability_RPC_Type) bool {
	return d.claims.groups[capability]
}

// ListsVolumes reports whether the driver claims LIST_VOLUMES and the list works in this run. It is for cases about
// something else, which check less without the list.
func (d *Driver) ListsVolumes() bool {
	return d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) && d.Pages.Unusable("ListVolumes") == nil
}

// ListsSnapshots is like ListsVolumes, for LIST_SNAPSHOTS.
func (d *Driver) ListsSnapshots() bool {
	return d.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) && d.Pages.Unusable("ListSnapshots") == nil
}

// WhyVolumesUnlisted explains why ListsVolumes is false: the driver does not claim the list, or claims it but the list
// does not work.
func (d *Driver) WhyVolumesUnlisted() string {
	return d.whyUnlisted(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, "ListVolumes")
}

// WhySnapshotsUnlisted is like WhyVolumesUnlisted, for LIST_SNAPSHOTS.
func (d *Driver) WhySnapshotsUnlisted() string {
	return d.whyUnlisted(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS, "ListSnapshots")
}

func (d *Driver) whyUnlisted(claim csi.ControllerServiceCapability_RPC_Type, list string) string {
	if unusable := d.Pages.Unusable(list); d.Claims(claim) && unusable != nil {
		return fmt.Sprintf("%s is claimed and does not work: %v", claim, unusable)
	}
	return claim.String() + " is not claimed"
}

// ClaimsPlugin reports whether GetPluginCapabilities lists the service.
func (d *Driver) ClaimsPlugin(service csi.PluginCapability_Service_Type) bool {
	return d.claims.plugin[service]
}

// ClaimsExpansion reports whether GetPluginCapabilities lists the way of expansion.
func (d *Driver) ClaimsExpansion(way csi.PluginCapability_VolumeExpansion_Type) bool {
	return d.claims.expansion[way]
}

// Settled calls holds until it returns true, for as long as a driver may take to show the effect, and reports whether it
// did. After a failed wait, it waits less for the same effect.
func (d *Driver) Settled(ctx context.Context, effect effect.Effect, holds func() bool) bool {
	return d.health.Patience.Settled(ctx, d.Target.Timeouts.Settle, effect, holds)
}
