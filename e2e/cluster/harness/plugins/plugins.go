// SPDX-License-Identifier: Apache-2.0

package plugins

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
)

// All is the set of the driver's controllers: one for the cluster, or one on each node for the volumes of that node.
type All struct {
	// ByNode maps nodes to the controllers that run on them.
	ByNode map[string]*Plugin
	// PerNode says that each controller has only the volumes of its node.
	PerNode bool
}

// First returns one controller, for calls that all of them answer alike.
func (p *All) First() *Plugin {
	return p.ByNode[slices.Sorted(maps.Keys(p.ByNode))[0]]
}

// At returns the controller that has the volumes of the zone.
func (p *All) At(z topology.Zone) (*Plugin, error) {
	if !p.PerNode {
		return p.First(), nil
	}
	for _, n := range z.Nodes {
		if found, ok := p.ByNode[n.Name]; ok {
			return found, nil
		}
	}
	return nil, fmt.Errorf("zone %s has no node with a controller of the driver: %v", z, z.NodeNames())
}

// Claims reports whether the controllers claim the capability; without a known controller, the driver claims none.
func (p *All) Claims(c capability) bool { return len(p.ByNode) > 0 && p.First().claims(c) }

// Grows reports whether the plugin claims that volumes can be expanded.
func (p *All) Grows() bool { return len(p.ByNode) > 0 && p.First().Grows }

// Groups reports whether the controllers claim volume group snapshots.
func (p *All) Groups() (bool, error) {
	if len(p.ByNode) == 0 {
		return false, nil
	}
	return p.First().Groups, p.First().GroupsErr
}

// Room returns the room of the zone like Plugin.room, from the zone's controller.
func (p *All) Room(ctx context.Context, parameters map[string]string, z topology.Zone) (free, largest int64, err error) {
	here, err := p.At(z)
	if err != nil {
		return 0, 0, err
	}
	return here.room(ctx, parameters, z.Segment)
}

// HoldsSnapshot reports whether a controller lists the snapshot.
func (p *All) HoldsSnapshot(ctx context.Context, id string) (bool, error) {
	for _, node := range slices.Sorted(maps.Keys(p.ByNode)) {
		if held, err := p.ByNode[node].holdsSnapshot(ctx, id); held || err != nil {
			return held, err
		}
	}
	return false, nil
}

// Volumes lists the volumes of all controllers.
func (p *All) Volumes(ctx context.Context) (map[string]*csi.ListVolumesResponse_Entry, error) {
	all := map[string]*csi.ListVolumesResponse_Entry{}
	for _, node := range slices.Sorted(maps.Keys(p.ByNode)) {
		volumes, err := p.ByNode[node].volumes(ctx)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, volumes)
	}
	return all, nil
}
