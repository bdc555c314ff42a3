// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Placement are the volumes that CreateVolume was answered with, each once, with those of the known segments that they are
// accessible from.
func (t *Log) Placement(known model.Set) suite.Placement {
	t.mu.Lock()
	calls := slices.Clone(t.calls)
	t.mu.Unlock()
	var placed suite.Placement
	seen := map[string]bool{}
	for _, c := range calls {
		request, asked := c.request.(*csi.CreateVolumeRequest)
		answer, made := c.response.(*csi.CreateVolumeResponse)
		if !asked || !made || seen[answer.GetVolume().GetVolumeId()] {
			continue
		}
		seen[answer.GetVolume().GetVolumeId()] = true
		placed.Volumes = append(placed.Volumes, suite.PlacedVolume{
			Name: request.GetName(), Bytes: answer.GetVolume().GetCapacityBytes(),
			Segments: namesOf(answer.GetVolume().GetAccessibleTopology(), known),
		})
	}
	return placed
}

// namesOf are the names of the known segments that are in one of the topologies, and a topology's own where none is.
func namesOf(topologies []*csi.Topology, known model.Set) []string {
	var names []string
	for _, topology := range topologies {
		within := slices.DeleteFunc(slices.Clone(known), func(segment model.Segment) bool {
			for key, value := range topology.GetSegments() {
				if segment[key] != value {
					return true
				}
			}
			return false
		})
		if len(within) == 0 {
			within = model.Set{topology.GetSegments()}
		}
		for _, segment := range within {
			names = append(names, segment.String())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
