// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// CapacityCalls returns the calls of GetCapacity for the segment.
func CapacityCalls(calls []trace.Call, segment Segment) []trace.Call {
	return slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool {
		var request struct {
			Topology struct{ Segments Segment } `json:"accessible_topology"`
		}
		return call.Method != csi.Controller_GetCapacity_FullMethodName || json.Unmarshal(call.Request, &request) != nil ||
			!maps.Equal(request.Topology.Segments, segment)
	})
}

// OneObjectPerSegment requires exactly one of a class's CSIStorageCapacity objects for each segment. A missing object may
// still appear, and an extra one disappear.
func OneObjectPerSegment(objects []storagev1.CSIStorageCapacity, segments ...Segment) error {
	found := make([]Segment, 0, len(objects))
	for _, object := range objects {
		if object.NodeTopology == nil {
			return mismatch("nodeTopology of CSIStorageCapacity "+object.Name, "matchLabels", "none")
		}
		found = append(found, object.NodeTopology.MatchLabels)
	}
	if wanted, got := canonicalSet(segments), canonicalSet(found); wanted != got {
		return mismatch("CSIStorageCapacity objects of the class", wanted, got)
	}
	return nil
}

// NotHurried requires repeated calls after failures to be at least this far apart on average: a caller that does not wait
// would make hundreds per second.
func NotHurried(calls []trace.Call, gap time.Duration) error {
	if len(calls) < 2 {
		return errors.New("no call was repeated")
	}
	took := calls[len(calls)-1].Time.Sub(calls[0].Time)
	if least := time.Duration(len(calls)-1) * gap; took < least {
		return finalMismatch(calls[0].Method+", repeated", fmt.Sprintf("%d calls in %s or more", len(calls), least), fmt.Sprintf("in %s", took))
	}
	return nil
}

// Begins requires the first topology of a list to be this one.
func Begins(list string, found []*csi.Topology, wanted Segment) error {
	got := canonicals(found)
	if len(got) == 0 || got[0] != Canonical(wanted) {
		return finalMismatch(list+" of the request", "beginning with "+Canonical(wanted), strings.Join(got, "; "))
	}
	return nil
}

// Kept requires the history of a claim's selected node to end with this node, and the node not to have been removed.
func Kept(nodes []string, node string) error {
	chosen := slices.Index(nodes, node)
	if chosen < 0 {
		return fmt.Errorf("node %s was not selected: %q", node, nodes)
	}
	if chosen != len(nodes)-1 {
		return finalMismatch("selected nodes", node+", which is kept", historyText(nodes))
	}
	return nil
}
