// SPDX-License-Identifier: Apache-2.0

package right

import (
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const (
	osKey   = "topology.hostpath.topo.csi/os"
	hostKey = "topology.hostpath.topo.csi/host"
)

func located() []Driver {
	everywhere := []Endpoints{All, OneNode, Controller} // the suite learns from nodes where volumes are
	return []Driver{
		{Name: "zonal", Is: "is the reference driver: one segment for each zone", Given: everywhere,
			Driver: mutation.Driver{Profile: exactDisks}},
		{Name: "more-node-keys",
			Is: "has nodes that report zone, operating system and host, and volumes that report only their zone, as in a cluster of mixed nodes",
			// A CO that has seen only one node sends only the host of that node.
			Given:  everywhere,
			Driver: mutation.Driver{Profile: exactDisks, Options: zones("Z2", "Z3", "Z4", "Z5"), Fault: hosts(4).fault()}},
		{Name: "two-nodes-in-each-zone",
			Is:     "is like more-node-keys, with two nodes in each of two zones, so that two of the requisite topologies are one zone",
			Driver: mutation.Driver{Profile: exactDisks, Options: zones("Z2", "Z2", "Z3", "Z3"), Fault: hosts(4).fault()}},
		{
			Name:   "fewer-volume-keys",
			Is:     "has nodes that report region and zone, and volumes and snapshots that report only the zone, which names a segment as well",
			Driver: mutation.Driver{Profile: exactDisks, Fault: topologies{node: asItIs, answered: without(topology.RegionKey)}.fault()},
		},
		{Name: "behind-all-zones",
			Is:    "has an array behind all zones of the region: a volume is accessible from each, and answers name them all",
			Given: everywhere,
			Driver: mutation.Driver{Profile: fromEverywhere, Options: regions("R1", "R1", "R1", "R1"), Fault: topologies{
				node: inZone, asked: without(topology.ZoneKey), answered: inEveryZone,
			}.fault()}},
		{Name: "region-term",
			Is:    "has nodes that report region and zone, and volumes that are accessible from all zones of the region and report the region only",
			Given: everywhere,
			Driver: mutation.Driver{Profile: asAnswered, Options: regions("R1", "R1", "R1", "R1"), Fault: topologies{
				node: inZone, asked: without(topology.ZoneKey),
			}.fault()}},
		{Name: "topology-as-a-hint",
			Is:    "claims constraints and answers no accessible_topology: volumes are accessible from everywhere, like the file shares of clouds",
			Given: everywhere,
			Driver: mutation.Driver{Profile: fromEverywhere, Options: regions("R1", "R1", "R1", "R1"), Fault: topologies{
				node: inZone, asked: without(topology.ZoneKey), answered: func([]*csi.Topology) []*csi.Topology { return nil },
			}.fault().Over(mutation.Lacking(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS))}},
		{Name: "one-segment", Is: "has all nodes in one zone",
			Driver: mutation.Driver{Profile: exactDisks, Options: zones("Z2")}},
		{
			Name: "no-topology", Is: "has no topology at all",
			Driver: mutation.Driver{Profile: exactDisks, Options: mutation.InOneSegment, Fault: mutation.Lacking(mutation.Topology...)},
		},
		{
			Name: "no-node-info", Is: "attaches nothing, and has neither topology nor NodeGetInfo",
			Driver: mutation.Driver{Profile: exactDisks, Options: mutation.InOneSegment,
				Fault: mutation.Unimplemented("NodeGetInfo").Over(mutation.Lacking(slices.Concat(mutation.Topology, mutation.Attaching)...))},
		},
		{Name: "local-volumes",
			Is: "has volumes on the disks of one node, which is the only topology; there is nothing to attach",
			Driver: mutation.Driver{Profile: onNodes, Fault: mutation.Lacking(mutation.Attaching...), Options: func(o *embedded.Options) {
				for _, host := range []string{"a", "b", "c", "d"} {
					o.Segments = append(o.Segments, topology.Segment{topology.NodeKey: host})
				}
			}}},
	}
}

// anyDisks is a profile without kinds of volumes.
const anyDisks = `driver: hostpath.topo.csi
volumeBytes: 16777216
mutableParameters: {allocation: thick}
block: true
`

const (
	// asAnswered has volumes that are accessible from the topologies in the answer, fromEverywhere has volumes that are
	// accessible from all, and onNodes has volumes of one node each.
	asAnswered     = anyDisks + "volumes: [{parameters: {}}]\n"
	fromEverywhere = anyDisks + "volumes: [{accessibleFrom: everywhere}]\n"
	onNodes        = anyDisks + "volumes: [{accessibleFrom: 1}]\ncapacity: exact\n"
)

// zones starts a node in each of the zones, which are topologies without a region.
func zones(names ...string) func(*embedded.Options) {
	return func(o *embedded.Options) {
		for _, name := range names {
			o.Segments = append(o.Segments, topology.Segment{topology.ZoneKey: name})
		}
	}
}

// regions starts a node in each of the regions, for a driver that does not distinguish zones.
func regions(names ...string) func(*embedded.Options) {
	return func(o *embedded.Options) {
		for _, name := range names {
			o.Segments = append(o.Segments, topology.Segment{topology.RegionKey: name})
		}
	}
}

func asItIs(string, map[string]string) {}

// zoneOf holds the zones of the nodes of one region.
var zoneOf = map[string]string{"node-1": "Z2", "node-2": "Z3", "node-3": "Z4", "node-4": "Z5"}

func inZone(id string, segments map[string]string) { segments[topology.ZoneKey] = zoneOf[id] }

// hosts starts nodes that report their operating system and their host in addition to the zone, though only the zone is
// relevant to a volume.
func hosts(nodes int) topologies {
	return topologies{
		node:  func(id string, segments map[string]string) { segments[osKey], segments[hostKey] = "linux", id },
		asked: without(osKey, hostKey),
	}
}

// without removes the keys, in any case (TO-07), from topologies, and merges topologies that are equal then. It keeps a
// topology that has only these keys: the driver behind refuses it.
func without(keys ...string) func([]*csi.Topology) []*csi.Topology {
	left := func(key string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(k, key) })
	}
	return func(terms []*csi.Topology) []*csi.Topology {
		var kept []*csi.Topology
		for _, term := range terms {
			short := &csi.Topology{Segments: map[string]string{}}
			for key, value := range term.GetSegments() {
				if !left(key) {
					short.Segments[key] = value
				}
			}
			if len(short.GetSegments()) == 0 {
				short = term
			}
			if !slices.ContainsFunc(kept, func(t *csi.Topology) bool { return proto.Equal(t, short) }) {
				kept = append(kept, short)
			}
		}
		return kept
	}
}

// inEveryZone replaces each region by all of its zones.
func inEveryZone(terms []*csi.Topology) []*csi.Topology {
	var all []*csi.Topology
	for _, term := range terms {
		for _, zone := range []string{"Z2", "Z3", "Z4", "Z5"} {
			in := proto.CloneOf(term)
			in.Segments[topology.ZoneKey] = zone
			all = append(all, in)
		}
	}
	return all
}
