// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// plugins are the driver's controllers: one for the cluster, or one on each node for the
// volumes of that node.
type plugins struct {
	// byNode has the controllers by the node that they run on.
	byNode map[string]*plugin
	// perNode tells that each has the volumes of its own node alone.
	perNode bool
}

// first is a controller that answers what all of them answer alike.
func (p *plugins) first() *plugin {
	return p.byNode[slices.Sorted(maps.Keys(p.byNode))[0]]
}

// at returns the controller that has the volumes of the zone.
func (p *plugins) at(z Zone) (*plugin, error) {
	if !p.perNode {
		return p.first(), nil
	}
	for _, n := range z.Nodes {
		if found, ok := p.byNode[n.Name]; ok {
			return found, nil
		}
	}
	return nil, fmt.Errorf("zone %s has no node with a controller of the driver: %v", z, z.NodeNames())
}

// claims tells whether the controllers claim the capability; a driver that nobody can ask claims none.
func (p *plugins) claims(c capability) bool { return len(p.byNode) > 0 && p.first().claims(c) }

// Claims reports whether the driver's controller claims the capability.
func (s *Scenario) Claims(c capability) bool { return s.driver.claims(c) }

// Grows reports whether the plugin claims that volumes can be expanded.
func (s *Scenario) Grows() bool { return len(s.driver.byNode) > 0 && s.driver.first().grows }

// room is plugin.room at the controller of the zone.
func (p *plugins) room(ctx context.Context, parameters map[string]string, z Zone) (free, largest int64, err error) {
	here, err := p.at(z)
	if err != nil {
		return 0, 0, err
	}
	return here.room(ctx, parameters, z.Segment)
}

// holdsSnapshot reports whether a controller lists the snapshot.
func (p *plugins) holdsSnapshot(ctx context.Context, id string) (bool, error) {
	for _, node := range slices.Sorted(maps.Keys(p.byNode)) {
		if held, err := p.byNode[node].holdsSnapshot(ctx, id); held || err != nil {
			return held, err
		}
	}
	return false, nil
}

// volumes lists what all controllers hold.
func (p *plugins) volumes(ctx context.Context) (map[string]*csi.ListVolumesResponse_Entry, error) {
	all := map[string]*csi.ListVolumesResponse_Entry{}
	for _, node := range slices.Sorted(maps.Keys(p.byNode)) {
		volumes, err := p.byNode[node].volumes(ctx)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, volumes)
	}
	return all, nil
}
