// SPDX-License-Identifier: Apache-2.0

package right

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// topologies simulates a driver whose requests and answers have other topologies than the reference driver's.
type topologies struct {
	// node changes the topology that a node reports; ids are the reference driver's, node-1 and so on.
	node func(id string, segments map[string]string)
	// asked changes the topologies of a request, and answered the topologies of a volume or snapshot; nil changes nothing.
	asked    func(terms []*csi.Topology) []*csi.Topology
	answered func(terms []*csi.Topology) []*csi.Topology
}

func (t topologies) fault() mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		t.node(response.GetNodeId(), response.GetAccessibleTopology().GetSegments())
	}).And(mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		v.AccessibleTopology = t.answer(v.GetAccessibleTopology())
	}).Over(mutation.Asking(func(r *csi.CreateVolumeRequest) { t.ask(r.GetAccessibilityRequirements()) }))).
		And(mutation.Answering(func(_ *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
			response.Snapshot.AccessibleTopology = t.answer(response.GetSnapshot().GetAccessibleTopology())
		}).Over(mutation.Asking(func(r *csi.CreateSnapshotRequest) { t.ask(r.GetAccessibilityRequirements()) }))).
		And(mutation.Asking(func(r *csi.GetCapacityRequest) {
			if r.GetAccessibleTopology() != nil && t.asked != nil {
				r.AccessibleTopology = t.asked([]*csi.Topology{r.GetAccessibleTopology()})[0]
			}
		})).
		And(mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
			response.Volume.AccessibleTopology = t.answer(response.GetVolume().GetAccessibleTopology())
		})).
		And(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			entry.Volume.AccessibleTopology = t.answer(entry.GetVolume().GetAccessibleTopology())
		})).
		And(mutation.Answering(func(_ *csi.GetSnapshotRequest, response *csi.GetSnapshotResponse) {
			response.Snapshot.AccessibleTopology = t.answer(response.GetSnapshot().GetAccessibleTopology())
		})).
		And(mutation.Answering(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
			for _, entry := range response.GetEntries() {
				entry.Snapshot.AccessibleTopology = t.answer(entry.GetSnapshot().GetAccessibleTopology())
			}
		}))
}

func (t topologies) ask(requirement *csi.TopologyRequirement) {
	if requirement == nil || t.asked == nil {
		return
	}
	requirement.Requisite = t.asked(requirement.GetRequisite())
	requirement.Preferred = t.asked(requirement.GetPreferred())
}

func (t topologies) answer(terms []*csi.Topology) []*csi.Topology {
	if t.answered == nil {
		return terms
	}
	return t.answered(terms)
}
