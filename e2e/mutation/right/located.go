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
	everywhere := []Endpoints{All, OneNode, Controller} // where volumes are is what the suite learns from nodes
	return []Driver{{
		Name:   "zonal",
		Is:     "the reference driver: one segment for each zone",
		Given:  everywhere,
		Driver: mutation.Driver{Profile: exactDisks},
	}, {
		Name: "more-node-keys",
		Is:   "nodes report zone, operating system and host, and volumes only their zone, as a cluster of mixed nodes does",
		// A CO that has seen one node only sends the host of that one.
		Given:  everywhere,
		Driver: mutation.Driver{Profile: exactDisks, Options: zones("Z2", "Z3", "Z4", "Z5"), Fault: hosts(4).fault()},
	}, {
		Name:   "two-nodes-in-each-zone",
		Is:     "as more-node-keys, with two nodes in each of two zones, so that two of the requisite topologies are one zone",
		Driver: mutation.Driver{Profile: exactDisks, Options: zones("Z2", "Z2", "Z3", "Z3"), Fault: hosts(4).fault()},
	}, {
		Name:   "fewer-volume-keys",
		Is:     "nodes report region and zone, and volumes and snapshots only the zone, which names a segment as well",
		Driver: mutation.Driver{Profile: exactDisks, Fault: topologies{node: asItIs, answered: without(topology.RegionKey)}.fault()},
	}, {
		Name:  "behind-all-zones",
		Is:    "an array behind all zones of the region: a volume is accessible from each, and answers name them all",
		Given: everywhere,
		Driver: mutation.Driver{Profile: fromEverywhere, Options: regions("R1", "R1", "R1", "R1"), Fault: topologies{
			node: inZone, asked: without(topology.ZoneKey), answered: inEveryZone,
		}.fault()},
	}, {
		Name:  "region-term",
		Is:    "nodes report region and zone, and the answer for a volume, which is accessible from all zones of the region, names the region only",
		Given: everywhere,
		Driver: mutation.Driver{Profile: asAnswered, Options: regions("R1", "R1", "R1", "R1"), Fault: topologies{
			node: inZone, asked: without(topology.ZoneKey),
		}.fault()},
	}, {
		Name:  "topology-as-a-hint",
		Is:    "claims constraints and answers no accessible_topology: volumes are accessible from everywhere, as the file shares of clouds are",
		Given: everywhere,
		Driver: mutation.Driver{Profile: fromEverywhere, Options: regions("R1", "R1", "R1", "R1"), Fault: topologies{
			node: inZone, asked: without(topology.ZoneKey), answered: func([]*csi.Topology) []*csi.Topology { return nil },
		}.fault().Over(mutation.Lacking(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS))},
	}, {
		Name:   "one-segment",
		Is:     "all nodes are in one zone",
		Driver: mutation.Driver{Profile: exactDisks, Options: zones("Z2")},
	}, {
		Name:   "no-topology",
		Is:     "has no topology at all",
		Driver: mutation.Driver{Profile: exactDisks, Options: mutation.InOneSegment, Fault: mutation.Lacking(mutation.Topology...)},
	}, {
		Name: "no-node-info",
		Is:   "attaches nothing and has no topology, and does not have NodeGetInfo, either",
		Driver: mutation.Driver{Profile: exactDisks, Options: mutation.InOneSegment,
			Fault: mutation.Unimplemented("NodeGetInfo").Over(mutation.Lacking(slices.Concat(mutation.Topology, mutation.Attaching)...))},
	}, {
		Name: "local-volumes",
		Is:   "volumes are on the disks of one node, which is the only topology; there is nothing to attach",
		Driver: mutation.Driver{Profile: onNodes, Fault: mutation.Lacking(mutation.Attaching...), Options: func(o *embedded.Options) {
			for _, host := range []string{"a", "b", "c", "d"} {
				o.Segments = append(o.Segments, topology.Segment{topology.NodeKey: host})
			}
		}},
	}}
}

// anyDisks says nothing of kinds of volume.
const anyDisks = `driver: hostpath.topo.csi
volumeBytes: 16777216
mutableParameters: {allocation: thick}
block: true
`

const (
	// asAnswered has volumes that are accessible from as many topologies as the answer says, fromEverywhere has volumes that
	// are accessible from all, and onNodes has volumes of one node each.
	asAnswered     = anyDisks + "volumes: [{parameters: {}}]\n"
	fromEverywhere = anyDisks + "volumes: [{accessibleFrom: everywhere}]\n"
	onNodes        = anyDisks + "volumes: [{accessibleFrom: 1}]\ncapacity: exact\n"
)

// zones has a node in each of the zones, which are topologies without a region.
func zones(names ...string) func(*embedded.Options) {
	return func(o *embedded.Options) {
		for _, name := range names {
			o.Segments = append(o.Segments, topology.Segment{topology.ZoneKey: name})
		}
	}
}

// regions has a node in each of the regions, for one that does not tell zones apart.
func regions(names ...string) func(*embedded.Options) {
	return func(o *embedded.Options) {
		for _, name := range names {
			o.Segments = append(o.Segments, topology.Segment{topology.RegionKey: name})
		}
	}
}

func asItIs(string, map[string]string) {}

// zoneOf are the zones of the nodes of one region.
var zoneOf = map[string]string{"node-1": "Z2", "node-2": "Z3", "node-3": "Z4", "node-4": "Z5"}

func inZone(id string, segments map[string]string) { segments[topology.ZoneKey] = zoneOf[id] }

// hosts has nodes that report their operating system and their host beside the zone, which alone matters for a volume.
func hosts(nodes int) topologies {
	return topologies{
		node:  func(id string, segments map[string]string) { segments[osKey], segments[hostKey] = "linux", id },
		asked: without(osKey, hostKey),
	}
}

// without leaves the keys, in any case (TO-07), out of topologies, and says what is then the same once. A topology of
// these keys alone is kept: it is for the driver behind to refuse.
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

// inEveryZone says of what is in a region that it is in each of its zones.
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
