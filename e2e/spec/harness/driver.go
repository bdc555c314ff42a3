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

// Driver is the driver under test as one case sees it. Its clients are those of the CSI module; see connection for what
// they do besides.
type Driver struct {
	// Z2 to Z5 are the first four of the driver's segments which have the kinds of volume that the case makes, by the names
	// that the specification's examples give zones; those that the driver does not have are nil.
	Z2, Z3, Z4, Z5 model.Segment
	// Identity, Controller, Groups and Metadata are the controller endpoint's, Nodes the node endpoints'.
	Identity   csi.IdentityClient
	Controller csi.ControllerClient
	Groups     csi.GroupControllerClient
	Metadata   csi.SnapshotMetadataClient
	Nodes      []*Node
	// Target is what the case runs against, and Made what it has made there so far.
	Target *Target
	Made   inventory.Made
	// Room is what is known of the driver's segments, and Held reads what it holds.
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
	named  *atomic.Int64                    // how many names of the case's id there are, whenever it ran
	// underWay are the calls of the case that are, and crashes how many of the driver there had been when it began.
	underWay atomic.Int64
	crashes  int64
	// unusableLists is how many lists were not to be used when the case began, and unlisted says that one ended it.
	unusableLists int
	unlisted      atomic.Bool
	beside        *string // what the suite found of cases that ran beside others

	recalled *Recalled // the earlier run that the calls are for; nil for a case
	// unusable is why no volume can be used, once a call of the case has failed for that.
	unusable atomic.Pointer[string]

	// advice is what to look at before the driver is blamed, by the answer that suggests it.
	advice sync.Map

	claims *claims
	// holdsExisting says that the case has the profile's existing volume.
	holdsExisting bool
	demand        demand
	// reserved are the attachments to each node that the case has, and release gives them back.
	reserved int64
	release  func(attachments int64)
	before   holdings.State // when the case began
}

// HealthOf is what the run knows of the driver as a whole.
func HealthOf(d *Driver) *health.Health { return d.health }

// Profile is what the vendor says of the driver, with capacity as the case takes it.
func (d *Driver) Profile() profile.Profile {
	described := d.Target.Profile
	described.Capacity = d.Room.Profile.Capacity
	return described
}

// Segments are all of the driver's segments which have the kinds of volume that the case makes, in the order of their
// names.
func (d *Driver) Segments() model.Set {
	return slices.Clone(d.Room.Usable)
}

// Zones are the first of those segments: so many, or all that there are.
func (d *Driver) Zones(most int) model.Set {
	return slices.Clone(d.Room.Usable[:min(most, len(d.Room.Usable))])
}

// Size is the size in bytes of the volumes that a case asks for.
func (d *Driver) Size() int64 {
	return d.Target.Profile.VolumeBytes
}

// Name is a new name for something that the case makes: it tells the run and the case. It is a label of RFC 1035, as the
// names are that Kubernetes gives: what names a driver takes besides is for the cases on names to judge.
func (d *Driver) Name() string {
	id := strings.ReplaceAll(strings.ToLower(d.caseID), "_", "-")
	return fmt.Sprintf("%s-%s-%d", d.Profile().Names(d.Target.Run), id, d.named.Add(1))
}

// demand is for how much room the needs of a case ask: so many volumes of the case's size in each of so many segments, of which
// so many are attached to one node at a time.
type demand struct {
	segments, volumes int
	attached          int64
}

// Node is one node endpoint of the driver under test.
type Node struct {
	csi.NodeClient
	// Identity is the Identity service of the same endpoint.
	Identity csi.IdentityClient
	// ID, MaxVolumes and Segment are NodeGetInfo's answer when the run began. Segment is empty where the node reports none.
	ID         string
	MaxVolumes int64
	Segment    model.Segment

	name   string
	Driver *Driver
	claims map[csi.NodeServiceCapability_RPC_Type]bool
	// unknown says that NodeGetInfo does not answer which node it is.
	unknown bool
}

// String is the node's id, or which endpoint it is before the id is known.
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

// ListsVolumes reports whether the driver claims LIST_VOLUMES and the list works in this run: for cases about something else,
// which see less without it.
func (d *Driver) ListsVolumes() bool {
	return d.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) && d.Pages.Unusable("ListVolumes") == nil
}

// ListsSnapshots is ListsVolumes for LIST_SNAPSHOTS.
func (d *Driver) ListsSnapshots() bool {
	return d.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) && d.Pages.Unusable("ListSnapshots") == nil
}

// WhyVolumesUnlisted says why ListsVolumes does not hold: the driver does not claim the list, or claims it and the run goes on
// without it.
func (d *Driver) WhyVolumesUnlisted() string {
	return d.whyUnlisted(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, "ListVolumes")
}

// WhySnapshotsUnlisted is WhyVolumesUnlisted for LIST_SNAPSHOTS.
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

// Settled asks again and again until holds does, for as long as a driver may take to show the effect, and reports whether
// it does. Once that was in vain, later waits for the same effect are short.
func (d *Driver) Settled(ctx context.Context, effect effect.Effect, holds func() bool) bool {
	return d.health.Patience.Settled(ctx, d.Target.Timeouts.Settle, effect, holds)
}
