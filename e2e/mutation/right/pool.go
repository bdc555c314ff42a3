// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// onePool simulates a driver whose zones all take from one pool. Behind it, each zone has as much room as the pool, and
// each object in some zones has a shadow of the same size in each of the other zones.
type onePool struct {
	mu      sync.Mutex
	shadows map[string][]string // the ids of the shadows, by the id of the volume or snapshot
}

// shadow is the prefix of the names of shadows, which are hidden.
const shadow = "shadow-of-"

func (p *onePool) fault() mutation.Fault {
	p.shadows = map[string][]string{}
	return mutation.On(p.createVolume).And(mutation.On(p.deleteVolume)).
		And(mutation.On(p.createSnapshot)).And(mutation.On(p.deleteSnapshot)).
		And(mutation.On(p.expand)).And(mutation.On(p.capacity)).And(mutation.On(p.list))
}

func (p *onePool) createVolume(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	response, err := right.CreateVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	v := response.GetVolume()
	return response, p.cast(ctx, right, v.GetVolumeId(), v.GetCapacityBytes(), v.GetAccessibleTopology())
}

func (p *onePool) createSnapshot(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	response, err := right.CreateSnapshot(ctx, r)
	if err != nil {
		return nil, err
	}
	s := response.GetSnapshot()
	return response, p.cast(ctx, right, s.GetSnapshotId(), s.GetSizeBytes(), s.GetAccessibleTopology())
}

// cast creates the shadows of an object in the topologies, unless they exist.
func (p *onePool) cast(ctx context.Context, right mutation.Right, id string, bytes int64, in []*csi.Topology) error {
	if _, there := p.shadows[id]; there {
		return nil
	}
	p.shadows[id] = []string{}
	for _, zone := range []string{"Z2", "Z3", "Z4", "Z5"} {
		if slices.ContainsFunc(in, func(t *csi.Topology) bool { return mutation.ZoneOf(t) == zone }) {
			continue
		}
		response, err := right.CreateVolume(ctx, shadowOf(id+"-"+zone, bytes, mutation.Zone(zone)))
		if err != nil {
			return err
		}
		p.shadows[id] = append(p.shadows[id], response.GetVolume().GetVolumeId())
	}
	return nil
}

// shadowOf returns a request for a shadow of the given size in the topology.
func shadowOf(id string, bytes int64, in *csi.Topology) *csi.CreateVolumeRequest {
	return &csi.CreateVolumeRequest{
		Name: shadow + id, CapacityRange: &csi.CapacityRange{RequiredBytes: bytes},
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		}},
		AccessibilityRequirements: &csi.TopologyRequirement{Requisite: []*csi.Topology{in}},
	}
}

func (p *onePool) deleteVolume(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	response, err := right.DeleteVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	return response, p.fade(ctx, right, r.GetVolumeId())
}

func (p *onePool) deleteSnapshot(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	response, err := right.DeleteSnapshot(ctx, r)
	if err != nil {
		return nil, err
	}
	return response, p.fade(ctx, right, r.GetSnapshotId())
}

// fade removes the shadows of a removed object.
func (p *onePool) fade(ctx context.Context, right mutation.Right, id string) error {
	for _, of := range p.shadows[id] {
		if _, err := right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: of}); err != nil {
			return err
		}
	}
	delete(p.shadows, id)
	return nil
}

func (p *onePool) expand(ctx context.Context, right mutation.Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	response, err := right.ControllerExpandVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, of := range p.shadows[r.GetVolumeId()] {
		same := &csi.CapacityRange{RequiredBytes: response.GetCapacityBytes()}
		if _, err := right.ControllerExpandVolume(ctx, &csi.ControllerExpandVolumeRequest{VolumeId: of, CapacityRange: same}); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// capacity returns the capacity of the pool, whether the request is for one zone or for several.
func (p *onePool) capacity(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	response, err := right.GetCapacity(ctx, r)
	if err != nil {
		return nil, err
	}
	r.AccessibleTopology = mutation.Zone("Z2")
	one, err := right.GetCapacity(ctx, r)
	if err != nil {
		return nil, err
	}
	response.AvailableCapacity = min(response.GetAvailableCapacity(), one.GetAvailableCapacity())
	return response, nil
}

// hidden returns the ids of all shadows.
func (p *onePool) hidden() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Concat(slices.Collect(maps.Values(p.shadows))...)
}

func (p *onePool) list(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	all, err := allVolumes(ctx, right, r)
	if err != nil {
		return nil, err
	}
	hidden := p.hidden()
	return pageOfVolumes(slices.DeleteFunc(all, func(e *csi.ListVolumesResponse_Entry) bool {
		return slices.Contains(hidden, e.GetVolume().GetVolumeId())
	}), r)
}

// pooled returns drivers with more than one pool of room in each segment.
func pooled() []Driver {
	return []Driver{{Name: "devices-from-another-pool",
		Is:     "makes raw block devices from a separate pool, which GetCapacity reports if volume_capabilities is empty",
		Driver: mutation.Driver{Profile: noBlock, Fault: mutation.Answering(capacityOfFileSystems).And(mutation.On(refuseDevices))}}}
}

// capacityOfFileSystems reports the pool of raw block devices, which is full, unless the request is for file systems.
func capacityOfFileSystems(r *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
	mounted := len(r.GetVolumeCapabilities()) > 0
	for _, c := range r.GetVolumeCapabilities() {
		mounted = mounted && c.GetMount() != nil
	}
	if !mounted {
		response.AvailableCapacity, response.MaximumVolumeSize = 0, nil
	}
}

// refuseDevices refuses raw block devices, for which there is no room.
func refuseDevices(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	response, err := right.CreateVolume(ctx, r)
	for _, c := range r.GetVolumeCapabilities() {
		if err == nil && c.GetBlock() != nil {
			_, _ = right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: response.GetVolume().GetVolumeId()})
			return nil, status.Error(codes.ResourceExhausted, "the pool of raw block devices is full")
		}
	}
	return response, err
}
