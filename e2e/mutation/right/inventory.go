// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

const (
	// learns is the time before the inventory shows new objects, and forgets the time for which it shows deleted ones:
	// longer than the suite's polling interval.
	learns, forgets = 120 * time.Millisecond, 150 * time.Millisecond
)

// inventory is the data that lists are read from, which lags behind. Requests by id read from the back end itself.
type inventory struct {
	mu        sync.Mutex
	since     map[string]time.Time // when each volume or snapshot was made
	volumes   map[string]*csi.ListVolumesResponse_Entry
	snapshots map[string]*csi.ListSnapshotsResponse_Entry
	gone      map[string]time.Time // when each was deleted
}

func (i *inventory) fault() mutation.Fault {
	i.since, i.gone = map[string]time.Time{}, map[string]time.Time{}
	i.volumes, i.snapshots = map[string]*csi.ListVolumesResponse_Entry{}, map[string]*csi.ListSnapshotsResponse_Entry{}
	return mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.made(v.GetVolumeId())
		i.volumes[v.GetVolumeId()] = &csi.ListVolumesResponse_Entry{Volume: v}
	}).And(mutation.Answering(func(_ *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		i.mu.Lock()
		defer i.mu.Unlock()
		id := response.GetSnapshot().GetSnapshotId()
		i.made(id)
		i.snapshots[id] = &csi.ListSnapshotsResponse_Entry{Snapshot: response.GetSnapshot()}
	})).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) { i.deleted(r.GetVolumeId()) })).
		And(mutation.OnOK(func(r *csi.DeleteSnapshotRequest) { i.deleted(r.GetSnapshotId()) })).
		And(mutation.On(i.listVolumes)).And(mutation.On(i.listSnapshots))
}

// made records when something was first made.
func (i *inventory) made(id string) {
	if _, known := i.since[id]; !known {
		i.since[id] = time.Now()
	}
}

// deleted records when something was first deleted.
func (i *inventory) deleted(id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	_, known := i.since[id]
	if _, before := i.gone[id]; known && !before {
		i.gone[id] = time.Now()
	}
}

// shows reports whether a list already has a created object.
func (i *inventory) shows(id string) bool {
	since, known := i.since[id]
	return !known || time.Since(since) >= learns
}

// lingers reports whether a list still has a deleted object.
func (i *inventory) lingers(id string) bool {
	gone, deleted := i.gone[id]
	return deleted && time.Since(gone) < forgets && i.shows(id)
}

func (i *inventory) listVolumes(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	all, err := allVolumes(ctx, right, r)
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	all = slices.DeleteFunc(all, func(e *csi.ListVolumesResponse_Entry) bool {
		id := e.GetVolume().GetVolumeId()
		_, deleted := i.gone[id] // while this list was read
		return deleted || !i.shows(id)
	})
	for id, entry := range i.volumes {
		if i.lingers(id) {
			all = append(all, entry)
		}
	}
	return pageOfVolumes(all, r)
}

func (i *inventory) listSnapshots(ctx context.Context, right mutation.Right, r *csi.ListSnapshotsRequest) (*csi.ListSnapshotsResponse, error) {
	if r.GetSnapshotId() != "" {
		return right.ListSnapshots(ctx, r)
	}
	all, err := allSnapshots(ctx, right, r)
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	all = slices.DeleteFunc(all, func(e *csi.ListSnapshotsResponse_Entry) bool {
		id := e.GetSnapshot().GetSnapshotId()
		_, deleted := i.gone[id]
		return deleted || !i.shows(id)
	})
	for id, entry := range i.snapshots {
		source := r.GetSourceVolumeId()
		if i.lingers(id) && (source == "" || source == entry.GetSnapshot().GetSourceVolumeId()) {
			all = append(all, entry)
		}
	}
	return pageOfSnapshots(all, r)
}

// inventoried simulates a driver that frees the room of deleted volumes, but does not report it during a run.
type inventoried struct {
	mu   sync.Mutex
	gone []*csi.Volume
}

func (i *inventoried) fault() mutation.Fault {
	return mutation.On(i.delete).And(mutation.On(i.capacity))
}

func (i *inventoried) delete(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	before, unknown := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()})
	response, err := right.DeleteVolume(ctx, r)
	if err == nil && unknown == nil {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.gone = append(i.gone, before.GetVolume())
	}
	return response, err
}

// capacity returns the available room less the room of the deleted volumes, and no less than 0.
func (i *inventoried) capacity(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	response, err := right.GetCapacity(ctx, r)
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, v := range i.gone {
		in := func(t *csi.Topology) bool {
			return r.GetAccessibleTopology() == nil || mutation.ZoneOf(t) == mutation.ZoneOf(r.GetAccessibleTopology())
		}
		if slices.ContainsFunc(v.GetAccessibleTopology(), in) {
			response.AvailableCapacity = max(0, response.GetAvailableCapacity()-v.GetCapacityBytes())
		}
	}
	if response.GetMaximumVolumeSize() != nil {
		response.MaximumVolumeSize.Value = min(response.GetMaximumVolumeSize().GetValue(), response.GetAvailableCapacity())
	}
	return response, nil
}
