// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Needs is what a case takes for granted of the driver, its profile and the cluster.
type Needs struct {
	// Zones is how many zones have nodes with the driver.
	Zones int
	// Neighbours is how many of them differ in nothing but the value of the zone key.
	Neighbours int
	// NodesInZone is how many nodes one of the zones has.
	NodesInZone int
	// AccessibleFrom is the number of topologies that volumes of the case are accessible from; 0 and 1 ask for nothing special.
	AccessibleFrom int
	// OneProvisioner says that one provisioner chooses among all zones. Where each node has its own, they take claims that
	// bind immediately as they come.
	OneProvisioner bool
	// Room says that the case asks the driver for the room of zones, which takes GET_CAPACITY.
	Room bool
	// ExactCapacity says that the case counts the bytes which a volume takes.
	ExactCapacity bool
	// Published says that the CSIDriver announces CSIStorageCapacity objects.
	Published bool
	// Node says that the case asks the driver on nodes.
	Node bool
	// DriverRestart says that the case deletes pods of the driver on nodes; it needs Node besides.
	DriverRestart bool
	// Recorder says that the case looks at the calls that reach the driver's controller, or has some of them answered in its
	// stead, which takes a recording proxy before it.
	Recorder bool
	// Provisioner says that the case runs a csi-provisioner of its own, for a stand-in that it registers on nodes.
	Provisioner bool
	// Scheduler says that the case runs a kube-scheduler of its own, of the image that the cluster's has.
	Scheduler bool
	// Exhaustion says that the case takes away the room of zones; it needs Room besides.
	Exhaustion bool
	// NodeRecorder says that the case looks at the calls that reach the driver on nodes, or has some of them answered in its
	// stead.
	NodeRecorder bool
	// Limits says that the case has the driver answer that a node takes fewer volumes, and the kubelets ask it again: it
	// needs NodeRecorder.
	Limits bool
	// Block says that the driver has raw block volumes.
	Block bool
	// ReadWriteMany says that the driver has volumes that pods in several zones mount and write at once.
	ReadWriteMany bool
	// Expansion says that volumes can be expanded, by the controller or on nodes.
	Expansion bool
	// Snapshots says that the case takes snapshots.
	Snapshots bool
	// Nodes says that the case changes nodes: it labels or taints them.
	Nodes bool
	// Machines says that the case stops machines that nodes run on, and starts them again.
	Machines bool
	// Slow says that the case takes minutes, so that it runs only where slow cases are asked for.
	Slow bool
	// Apart says that the case looks at all that the driver holds: nobody else may take room where it does.
	Apart bool
	// Alone says that the case cannot be judged while others run for another reason: it disturbs nodes or sidecars, or counts
	// on a provisioner that does nothing else.
	Alone bool
	// Controller are capabilities that the driver's controller must claim.
	Controller []csi.ControllerServiceCapability_RPC_Type
}

// apart reports whether nobody else may take room where the case does: it is counted or taken away.
func (n Needs) apart() bool {
	return n.Apart || n.Room || n.ExactCapacity || n.Exhaustion
}

// alone reports whether no other case may run beside one with these needs, on a target with or without pools.
func (n Needs) alone(pools bool) bool {
	return n.disturbs() || n.apart() && !pools
}

// disturbs reports whether no other case may run beside one with these needs, on any target.
func (n Needs) disturbs() bool {
	return n.Alone || n.DriverRestart || n.Limits || n.Machines
}

// limit is how long a case with these needs may take, where others may take so long.
func (n Needs) limit(others time.Duration) time.Duration {
	const slower = 3
	if n.Slow {
		return slower * others
	}
	return others
}

// labels are the needs as labels of the case, by which they are listed and filtered.
func (n Needs) labels() ginkgo.Labels {
	var needs []string
	count := func(name string, number, least int) {
		if number >= least {
			needs = append(needs, fmt.Sprintf("%s=%d", name, number))
		}
	}
	count("zones", n.Zones, 1)
	count("neighbours", n.Neighbours, 1)
	count("nodes-in-zone", n.NodesInZone, 1)
	count("accessible-from", n.AccessibleFrom, 2)
	state := func(name string, needed bool) {
		if needed {
			needs = append(needs, name)
		}
	}
	state("one-provisioner", n.OneProvisioner)
	state("exact-capacity", n.ExactCapacity)
	state("published-capacity", n.Published)
	state("node", n.Node || n.DriverRestart)
	state("block", n.Block)
	state("read-write-many", n.ReadWriteMany)
	state("driver-restart", n.DriverRestart)
	state("recorder", n.Recorder)
	state("provisioner", n.Provisioner)
	state("scheduler", n.Scheduler)
	state("node-recorder", n.NodeRecorder || n.Limits)
	state("exhaustion", n.Exhaustion)
	state("expansion", n.Expansion)
	state("snapshots", n.Snapshots)
	state("changes-nodes", n.Nodes || n.Machines)
	state("machines", n.Machines)
	state("slow", n.Slow)
	state("apart", n.apart())
	state("alone", n.disturbs())
	for _, capability := range n.controller() {
		needs = append(needs, capability.String())
	}
	return verdict.Needing(needs...)
}

func (n Needs) controller() []csi.ControllerServiceCapability_RPC_Type {
	all := slices.Clone(n.Controller)
	if n.Room || n.Exhaustion {
		all = append(all, csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	}
	if n.Snapshots {
		all = append(all, csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)
	}
	return all
}

// grows reports whether the case needs volumes to be expanded.
func (n Needs) grows() bool {
	return n.Expansion || slices.Contains(n.Controller, csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
}

// meet ends the case as skipped when something that it needs is missing.
func (s *Scenario) meet(ctx context.Context, n Needs) {
	n.meetTarget(s.Target)
	for _, capability := range n.controller() {
		if !s.driver.claims(capability) {
			suite.Skip(suite.ByCapability, "the driver's controller does not claim %s", capability)
		}
	}
	if n.Published && !s.capacityTracked {
		suite.Skip(suite.ByEnvironment, "the driver's CSIDriver does not say storageCapacity: true")
	}
	if n.Expansion && !s.driver.first().grows {
		suite.Skip(suite.ByCapability, "the plugin does not claim VolumeExpansion")
	}
	if n.grows() {
		s.meetSidecar(ctx, resizer)
	}
	if n.Snapshots {
		s.meetSnapshots(ctx)
	}
	if n.AccessibleFrom > 1 && s.Target.AccessibleFrom(n.AccessibleFrom) == nil {
		suite.Skip(suite.ByProfile, "the profile names no parameters for volumes accessible from %d topologies", n.AccessibleFrom)
	}
	if n.OneProvisioner && s.driver.perNode {
		suite.Skip(suite.ByEnvironment, "needs one provisioner for all zones, found one on each node")
	}
	if n.Zones > 0 || n.Neighbours > 0 || n.NodesInZone > 0 {
		s.meetZones(n)
	}
}

// meetTarget skips a case for which the target does not say enough, or which it does not allow.
func (n Needs) meetTarget(t *Target) {
	switch {
	case n.Slow && !t.Slow:
		suite.Skip(suite.ByFilter, "takes minutes, and the run leaves such cases out: --slow has them run")
	case n.Machines && t.Machines == nil:
		suite.Skip(suite.ByEnvironment, "stops machines of nodes, which the run can do only on a cluster that it created")
	case t.Controller == nil && (n.Expansion || len(n.controller()) > 0):
		suite.Skip(suite.ByProfile, "asks the driver's controller, and the profile does not say where its socket is: cluster.controller")
	case (n.Nodes || n.Machines || n.Provisioner) && !t.Disturb.Nodes:
		suite.Skip(suite.ByProfile, "changes nodes, which the run may not do here: cluster.disturb would have to name nodes")
	case n.Block && !t.Block:
		suite.Skip(suite.ByProfile, "uses raw block volumes, and the profile does not say block: true")
	case n.ReadWriteMany && t.ReadWriteMany == nil:
		suite.Skip(suite.ByProfile, "uses volumes that several nodes mount at once, and the profile names no parameters for them: cluster.readWriteMany")
	case n.ReadWriteMany && (t.ReadWriteMany.AccessibleFrom == 0 || t.ReadWriteMany.AccessibleFrom == 1):
		suite.Skip(suite.ByProfile, "uses volumes that nodes of several zones mount at once: the profile would have to name such volumes as cluster.readWriteMany, and has %s", t.ReadWriteMany.AccessibleFrom)
	case (n.NodeRecorder || n.Limits) && (t.Node == nil || t.Node.Control == ""):
		suite.Skip(suite.ByProfile, "looks at what kubelets ask the driver, and the profile names no recording proxy on nodes: cluster.node.control")
	case t.Node == nil && (n.Node || n.DriverRestart):
		suite.Skip(suite.ByProfile, "asks the driver on nodes, and the profile does not say where its socket is: cluster.node")
	case n.ExactCapacity && !t.Capacity.Exact():
		suite.Skip(suite.ByProfile, "counts the bytes that a volume takes, and the profile does not say capacity: exact")
	case (n.Room || n.Exhaustion) && t.Capacity.Untracked():
		suite.Skip(suite.ByProfile, "reads what the driver reports of its capacity, from which nothing follows, as the profile says: capacity: untracked")
	case n.Exhaustion && !t.Disturb.Capacity:
		suite.Skip(suite.ByProfile, "fills a zone, which the run may not do here: cluster.disturb would have to name capacity")
	case n.Recorder && t.ControllerPerNode:
		suite.Skip(suite.ByProfile, "looks at what Kubernetes asks the driver's one controller, and the profile says that each node has its own: cluster.controllerPerNode")
	case n.Recorder && (t.Controller == nil || t.Controller.Control == ""):
		suite.Skip(suite.ByProfile, "looks at what Kubernetes asks the driver, and the profile names no recording proxy before its controller: cluster.controller.control")
	case n.Machines && t.Controller == nil:
		suite.Skip(suite.ByProfile, "stops nodes, but none that the driver's controller runs on, and the profile does not say where that is: cluster.controller")
	case n.Provisioner && t.Controller == nil:
		suite.Skip(suite.ByProfile, "runs the csi-provisioner that is beside the driver's controller, and the profile does not say where that is: cluster.controller")
	case n.Limits && !t.Disturb.Driver:
		suite.Skip(suite.ByProfile, "changes the driver's CSIDriver for a while, which the run may not do here: cluster.disturb would have to name driver")
	case n.DriverRestart && !t.Disturb.Driver:
		suite.Skip(suite.ByProfile, "deletes pods of the driver, which the run may not do here: cluster.disturb would have to name driver")
	}
}

func (s *Scenario) meetZones(n Needs) {
	s.Need(s.unzoned, "looking for zones")
	if len(s.all) < n.Zones {
		suite.Skip(suite.ByEnvironment, "needs %d zones with the driver, found %d: %s", n.Zones, len(s.all), strings.Join(ZoneNames(s.all...), ", "))
	}
	if n.Neighbours > 0 && s.neighbours(n.Neighbours) == nil {
		suite.Skip(suite.ByEnvironment, "needs %d zones in one region, found %s", n.Neighbours, strings.Join(ZoneNames(s.all...), ", "))
	}
	if n.NodesInZone > 0 && len(s.zoneWithNodes(n.NodesInZone).Nodes) == 0 {
		suite.Skip(suite.ByEnvironment, "needs a zone with %d nodes, found none", n.NodesInZone)
	}
}

// Claims reports whether the driver's controller claims the capability.
func (s *Scenario) Claims(c csi.ControllerServiceCapability_RPC_Type) bool { return s.driver.claims(c) }
