// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// topologies simulates a driver whose requests and answers have other topologies than the reference driver's.
type topologies struct {
	// node changes what a node reports; ids are the reference driver's, node-1 and so on.
	node func(id string, segments map[string]string)
	// asked changes the topologies of a request, and answered the topologies of a volume or snapshot; nil changes nothing.
	asked    func(terms []*csi.Topology) []*csi.Topology
	answered func(terms []*csi.Topology) []*csi.Topology
}

func (t topologies) fault() mutation.Fault {
	return mutation.On(t.nodeGetInfo).
		And(mutation.On(t.createVolume)).And(mutation.On(t.createSnapshot)).And(mutation.On(t.getCapacity)).
		And(mutation.On(t.controllerGetVolume)).And(mutation.On(t.listVolumes)).
		And(mutation.On(t.getSnapshot)).And(mutation.On(t.listSnapshots))
}

func (t topologies) nodeGetInfo(ctx context.Context, right mutation.Right, r *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	response, err := right.NodeGetInfo(ctx, r)
	if err != nil {
		return nil, err
	}
	t.node(response.GetNodeId(), response.GetAccessibleTopology().GetSegments())
	return response, nil
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

func (t topologies) createVolume(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	t.ask(r.GetAccessibilityRequirements())
	response, err := right.CreateVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	response.Volume.AccessibleTopology = t.answer(response.GetVolume().GetAccessibleTopology())
	return response, nil
}

func (t topologies) createSnapshot(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
	t.ask(r.GetAccessibilityRequirements())
	response, err := right.CreateSnapshot(ctx, r)
	if err != nil {
		return nil, err
	}
	response.Snapshot.AccessibleTopology = t.answer(response.GetSnapshot().GetAccessibleTopology())
	return response, nil
}

func (t topologies) getCapacity(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	if r.GetAccessibleTopology() != nil && t.asked != nil {
		r.AccessibleTopology = t.asked([]*csi.Topology{r.GetAccessibleTopology()})[0]
	}
	return right.GetCapacity(ctx, r)
}

func (t topologies) controllerGetVolume(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
	response, err := right.ControllerGetVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	response.Volume.AccessibleTopology = t.answer(response.GetVolume().GetAccessibleTopology())
	return response, nil
}

func (t topologies) listVolumes(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	response, err := right.ListVolumes(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, entry := range response.GetEntries() {
		entry.Volume.AccessibleTopology = t.answer(entry.GetVolume().GetAccessibleTopology())
	}
	return response, nil
}

func (t topologies) getSnapshot(ctx context.Context, right mutation.Right, r *csi.GetSnapshotRequest) (*csi.GetSnapshotResponse, error) {
	response, err := right.GetSnapshot(ctx, r)
	if err != nil {
		return nil, err
	}
	response.Snapshot.AccessibleTopology = t.answer(response.GetSnapshot().GetAccessibleTopology())
	return response, nil
}

func (t topologies) listSnapshots(ctx context.Context, right mutation.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
	response, err := right.ListSnapshots(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, entry := range response.GetEntries() {
		entry.Snapshot.AccessibleTopology = t.answer(entry.GetSnapshot().GetAccessibleTopology())
	}
	return response, nil
}
