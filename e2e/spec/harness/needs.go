// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Needs is what a case takes for granted. A driver or an environment without it skips the case, with the reason.
type Needs struct {
	// Segments is how many topology segments the driver must have; 0 for a case that says nothing of topology. Any other
	// number needs VOLUME_ACCESSIBILITY_CONSTRAINTS as well.
	Segments int
	// Shows is how many segments the case shows all of its subject with; with fewer it runs and says so. 0 is Segments. A
	// driver without any, where the case needs none, has no more to show.
	Shows int
	// AccessibleFrom is the largest number of topologies that a volume of the case is accessible from; 0 and 1 ask for
	// nothing special.
	AccessibleFrom int
	// Volumes is how many volumes of the profile's size the case makes in each segment that it uses; more than none needs
	// CREATE_DELETE_VOLUME. Where GET_CAPACITY tells the room, there must be that much.
	Volumes int
	// Exhaustion says that the case takes away all the room of segments, which needs GET_CAPACITY or the profile's hook.
	Exhaustion bool
	// TrackedCapacity says that the case holds GetCapacity to what volumes can have, which needs GET_CAPACITY.
	TrackedCapacity bool
	// ExactCapacity says that the case holds GetCapacity to the byte, which needs GET_CAPACITY.
	ExactCapacity bool
	// Nodes is how many node endpoints there must be.
	Nodes int
	// NodeInfo says that the case looks at what NodeGetInfo answers; it needs Nodes besides.
	NodeInfo bool
	// Mount says that the case makes volumes with file systems: any other takes the driver's Capability.
	Mount bool
	// Block says that the case makes raw block volumes.
	Block bool
	// RealNodes says that the case looks at what nodes mount, which the nodes of a fake do not show.
	RealNodes bool
	// Data says that the case writes to volumes on a node; it needs RealNodes besides.
	Data bool
	// Mutable says that the case changes the profile's mutable parameters.
	Mutable bool
	// Restart says that the case restarts the driver, so that no other case may run beside it.
	Restart bool

	// Alone says that the case cannot be judged while others run: what it looks at is the driver's as a whole.
	Alone bool

	Plugin     []csi.PluginCapability_Service_Type
	Expansion  []csi.PluginCapability_VolumeExpansion_Type
	Controller []csi.ControllerServiceCapability_RPC_Type
	Node       []csi.NodeServiceCapability_RPC_Type
	// NotExpansion are ways of expansion that the driver must not claim.
	NotExpansion []csi.PluginCapability_VolumeExpansion_Type
}

// alone reports whether no other case may run beside one with these needs: it takes a segment's room away, looks at
// capacity, or restarts the driver.
func (n Needs) alone() bool {
	return n.Alone || n.Exhaustion || n.TrackedCapacity || n.ExactCapacity || n.Restart
}

// labels are the needs as labels of the case, by which they are listed and filtered.
func (n Needs) labels() ginkgo.Labels {
	var needs []string
	add := func(format string, args ...any) { needs = append(needs, fmt.Sprintf(format, args...)) }
	if n.Segments > 0 {
		add("segments=%d", n.Segments)
	}
	if n.AccessibleFrom > 1 {
		add("accessible-from=%d", n.AccessibleFrom)
	}
	if n.Nodes > 0 {
		add("node-endpoints=%d", n.Nodes)
	}
	if n.NodeInfo {
		add("node-info")
	}
	if n.Exhaustion {
		add("exhaustion")
	}
	if n.TrackedCapacity {
		add("tracked-capacity")
	}
	if n.ExactCapacity {
		add("exact-capacity")
	}
	if n.Mount {
		add("mount")
	}
	if n.Block {
		add("block")
	}
	if n.alone() {
		add("alone")
	}
	if n.RealNodes || n.Data {
		add("real-nodes")
	}
	if n.Data {
		add("data")
	}
	if n.Mutable {
		add("mutable-parameters")
	}
	if n.Restart {
		add("restart")
	}
	for _, capability := range n.plugin() {
		add("%s", capability)
	}
	for _, capability := range n.Expansion {
		add("expansion-%s", capability)
	}
	for _, capability := range n.NotExpansion {
		add("no-expansion-%s", capability)
	}
	for _, capability := range n.controller() {
		add("%s", capability)
	}
	for _, capability := range n.Node {
		add("node-%s", capability)
	}
	return verdict.Needing(needs...)
}

func (n Needs) plugin() []csi.PluginCapability_Service_Type {
	needed := slices.Clone(n.Plugin)
	if n.Segments > 0 && !slices.Contains(needed, csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS) {
		needed = append(needed, csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)
	}
	return needed
}

func (n Needs) controller() []csi.ControllerServiceCapability_RPC_Type {
	needed := slices.Clone(n.Controller)
	if n.TrackedCapacity || n.ExactCapacity {
		needed = append(needed, csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	}
	if n.Volumes > 0 && !slices.Contains(needed, csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
		needed = append([]csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME}, needed...)
	}
	return needed
}

// meet ends the case as skipped when the driver or the environment lacks what it needs.
func (d *Driver) meet(ctx context.Context, n Needs) {
	d.meetCapabilities(n)
	if n.AccessibleFrom > 1 && !d.Makes(n.AccessibleFrom) {
		suite.Skip(suite.ByProfile, "the profile has no volumes that are accessible from %d topologies", n.AccessibleFrom)
	}
	d.keepTo(d.having(n.AccessibleFrom))
	if n.Mount && !d.Profile().HasMount() {
		suite.Skip(suite.ByProfile, "the profile says that the driver has no volumes with file systems")
	}
	if n.Block && !d.Profile().Block {
		suite.Skip(suite.ByProfile, "the profile says that the driver has no raw block volumes")
	}
	if n.RealNodes || n.Data {
		d.needRealNodes()
	}
	if n.Data {
		d.needData()
	}
	if n.Mutable && len(d.Profile().MutableParameters) == 0 {
		suite.Skip(suite.ByProfile, "the profile names no mutable parameters")
	}
	if n.Restart && d.target.Restart == nil {
		suite.Skip(suite.ByProfile, "the profile has no restart: name a program that ends the driver's processes as SIGKILL does and starts them again, and the case asks whether what was answered is still true")
	}
	if got := len(d.Nodes); got < n.Nodes {
		suite.Skip(suite.ByEnvironment, "there are %d node endpoints, and the case needs %d", got, n.Nodes)
	}
	if got := len(d.segments); got < n.Segments {
		suite.Skip(suite.ByEnvironment, "the driver has %d topology segments, and the case needs %d: %s%s", got, n.Segments, d.segments, d.more())
	}
	if got := len(d.usable); got < n.Segments {
		suite.Skip(suite.ByProfile, "the profile says that %d topology segments have the kinds of volume which the case makes, and it needs %d: %s", got, n.Segments, d.usable)
	}
	if got := len(d.usable); 0 < got && got < n.Shows {
		suite.Reduced(ctx, "shown with %d topology segments of the %d that the case has in full", got, n.Shows)
	}
}

// more says how to have more segments known, where there may be any.
func (d *Driver) more() string {
	if len(d.Profile().Segments) > 0 {
		return ""
	}
	if len(d.Nodes) == 0 {
		return "; no node endpoint was given, and the first volumes name no others: if the driver has more segments, name a node endpoint in each, or list the segments in the profile"
	}
	return fmt.Sprintf("; if it has more than the %d node endpoints report, name one endpoint in each, or list the segments in the profile", len(d.Nodes))
}

// meetNodes ends a case that needs nodes where NodeGetInfo is UNIMPLEMENTED. A driver that attaches volumes must have it: the
// case on that clause says so, and others cannot tell. Without attaching and topology, nodes are all alike.
func (d *Driver) meetNodes(c Case) {
	const implemented = "NI-01"
	i := slices.IndexFunc(d.Nodes, func(node *Node) bool { return node.unknown })
	if i < 0 || c.Needs.Nodes == 0 || slices.Contains(c.Requirements, implemented) {
		return
	}
	if d.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		suite.CouldNotTell("NodeGetInfo of %s is UNIMPLEMENTED (%s), so that the case does not know which node it is", d.Nodes[i], implemented)
	}
	if c.Needs.NodeInfo || d.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS) {
		suite.Skip(suite.ByCapability, "NodeGetInfo of %s is UNIMPLEMENTED, as it may be without PUBLISH_UNPUBLISH_VOLUME", d.Nodes[i])
	}
}

func (d *Driver) meetCapabilities(n Needs) {
	for _, wanted := range n.plugin() {
		if !d.ClaimsPlugin(wanted) {
			suite.Skip(suite.ByCapability, "GetPluginCapabilities does not list %s", wanted)
		}
	}
	for _, wanted := range n.Expansion {
		if !d.ClaimsExpansion(wanted) {
			suite.Skip(suite.ByCapability, "GetPluginCapabilities does not list VolumeExpansion %s", wanted)
		}
	}
	for _, unwanted := range n.NotExpansion {
		if d.ClaimsExpansion(unwanted) {
			suite.Skip(suite.ByCapability, "GetPluginCapabilities lists VolumeExpansion %s, and the case is about drivers without it", unwanted)
		}
	}
	for _, wanted := range n.controller() {
		if !d.Claims(wanted) {
			suite.Skip(suite.ByCapability, "ControllerGetCapabilities does not list %s", wanted)
		}
	}
	for _, wanted := range n.Node {
		for _, node := range d.Nodes {
			if !node.Claims(wanted) {
				suite.Skip(suite.ByCapability, "NodeGetCapabilities of %s does not list %s", node, wanted)
			}
		}
	}
	measured := d.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	if n.Exhaustion && !measured && d.target.Exhaust == nil {
		suite.Skip(suite.ByCapability, "ControllerGetCapabilities does not list GET_CAPACITY, and the profile has no hook that exhausts a segment")
	}
	if n.Exhaustion && d.Profile().Capacity.Untracked() && d.target.Exhaust == nil {
		suite.Skip(suite.ByProfile, "the profile says that capacity is untracked, and has no hook that exhausts a segment")
	}
	if n.TrackedCapacity && d.Profile().Capacity.Untracked() {
		suite.Skip(suite.ByProfile, "the profile says that capacity is untracked")
	}
	if n.ExactCapacity && !d.Profile().Capacity.Exact() {
		suite.Skip(suite.ByProfile, "the profile says that capacity is %s, not exact", d.Profile().Capacity)
	}
}

// meetRoom asks for room for the case's volumes in the first segments, which are those that it uses. Where the driver does
// not tell the room, the case finds out.
func (d *Driver) meetRoom(n Needs) {
	for _, segment := range d.Zones(max(n.Segments, n.Shows)) {
		there := d.rooms[segment.String()]
		if !there.told {
			continue
		}
		if need := int64(n.Volumes) * d.Size(); there.available < need {
			suite.Skip(suite.ByEnvironment, "%s has room for %d bytes, and the case needs %d", segment, there.available, need)
		}
		if n.Volumes > 0 && there.largest < d.Size() {
			suite.Skip(suite.ByEnvironment, "%s has room for volumes of %d bytes, and the case needs %d for each", segment, there.largest, d.Size())
		}
	}
}
