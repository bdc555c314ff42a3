// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Placement returns the volumes in the answers of CreateVolume, each once, with the known segments that they are
// accessible from.
func (t *Log) Placement() suite.Placement {
	t.mu.Lock()
	defer t.mu.Unlock()
	return suite.Placement{Volumes: slices.Clone(t.placed.Volumes)}
}

// place records the segments of a volume once.
func (t *Log) place(request, response any, known model.Set) {
	asked, isCreation := request.(*csi.CreateVolumeRequest)
	answer, created := response.(*csi.CreateVolumeResponse)
	if !isCreation || !created || t.seen[answer.GetVolume().GetVolumeId()] {
		return
	}
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	t.seen[answer.GetVolume().GetVolumeId()] = true
	t.placed.Volumes = append(t.placed.Volumes, suite.PlacedVolume{
		Name: asked.GetName(), Bytes: answer.GetVolume().GetCapacityBytes(),
		Segments: namesOf(answer.GetVolume().GetAccessibleTopology(), known, t.edited),
	})
}

// namesOf returns the names of the known segments that are in one of the topologies, or the topology itself if none is,
// edited.
func namesOf(topologies []*csi.Topology, known model.Set, edited func(string) string) []string {
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
			names = append(names, suite.CutName(edited(segment.String())))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
