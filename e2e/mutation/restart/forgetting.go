// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// forgetting returns drivers that keep something only in memory.
func forgetting() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"makes a volume anew that it has forgotten, under the same id": wrong((&memory{}).driver(func(m *memory) mutation.Fault {
			return mutation.RefusingSome(codes.NotFound, "there is no such volume", func(r *csi.ValidateVolumeCapabilitiesRequest) bool { return m.isOld(r.GetVolumeId()) })
		}), mutation.Fails("restart_volume", "VV-03")),
		"lists only volumes that it has created since it was started": wrong((&memory{}).driver(unlisted),
			mutation.Fails("restart_volume", "LV-01")),
		"refuses each snapshot that is asked for again, and lists only those since it was started": wrong((&memory{}).driver(takingOnce),
			mutation.Fails("restart_snapshot", "LS-01")),
		"forgets what volumes take that it created before it was started": wrong((&memory{}).driver(uncounted),
			mutation.Fails("restart_capacity", "CAP-12")),
		"cannot undo on a node what it did before it was started": wrong((&memory{}).driver(stuckOnNodes),
			mutation.Fails("restart_published", "NS-16")),
		"leaves staged what was staged before it was started": wrong((&memory{}).driver(leavingStaged),
			mutation.Fails("restart_published", "NS-06")),
		"a node has another node_id each time it is started": wrong((&memory{}).driver(renamed),
			mutation.Fails("restart_node_info", "NI-07")),
		"claims no topology once it was started again, and its nodes have one": wrong((&memory{}).driver(unclaimed),
			mutation.Fails("restart_node_info", "NI-14")),
		"takes the time when it was started for that of the snapshots from before": wrong((&memory{}).driver(younger),
			mutation.Fails("restart_snapshot", "CS-03"), mutation.Fails("restart_group_snapshot", "VGS-02 VGS-33")),
		"forgets what is attached where": wrong(mutation.Driver{Restarting: detachAll},
			mutation.Fails("restart_attached", "CP-34")),
	}
}

// memory is the driver's state before it was started: volumes with their sizes in bytes, and staging and target paths.
type memory struct {
	mu        sync.Mutex
	starts    int
	started   time.Time // the last time
	volumes   map[string]int64
	published map[string]bool
	before    struct {
		volumes   map[string]int64
		published map[string]bool
	}
}

// driver returns a driver with a fault that uses the state before the start.
func (m *memory) driver(fault func(*memory) mutation.Fault) mutation.Driver {
	m.volumes, m.published = map[string]int64{}, map[string]bool{}
	return mutation.Driver{
		Fault: fault(m).Over(m.noting()),
		Restarting: func(ctx context.Context, process *mutation.Restartable) error {
			if err := process.Stop(); err != nil {
				return err
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			m.starts, m.started = m.starts+1, time.Now()
			m.before.volumes, m.before.published = m.volumes, m.published
			m.volumes, m.published = map[string]int64{}, map[string]bool{}
			return process.Start(ctx)
		},
	}
}

// noting makes a driver that records its calls.
func (m *memory) noting() mutation.Fault {
	return mutation.Answering(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.volumes[response.GetVolume().GetVolumeId()] = response.GetVolume().GetCapacityBytes()
	}).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.volumes, r.GetVolumeId())
	})).And(mutation.OnOK(func(r *csi.NodePublishVolumeRequest) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.published[r.GetTargetPath()] = true
	})).And(mutation.Answering(func(r *csi.NodeStageVolumeRequest, response *csi.NodeStageVolumeResponse) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.published[r.GetStagingTargetPath()] = true
	}))
}

// isOld reports whether the volume was created before the driver was started.
func (m *memory) isOld(volumeID string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, old := m.before.volumes[volumeID]
	return old
}

func unlisted(m *memory) mutation.Fault {
	return mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
		response.Entries = slices.DeleteFunc(response.Entries, func(e *csi.ListVolumesResponse_Entry) bool { return m.isOld(e.GetVolume().GetVolumeId()) })
	})
}

func uncounted(m *memory) mutation.Fault {
	return mutation.Answering(func(_ *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, bytes := range m.before.volumes {
			response.AvailableCapacity += bytes
		}
	})
}

// stuckOnNodes returns a driver that fails once for each target path.
func stuckOnNodes(m *memory) mutation.Fault {
	return mutation.Checking(func(r *csi.NodeUnpublishVolumeRequest) error {
		m.mu.Lock()
		old := m.before.published[r.GetTargetPath()]
		delete(m.before.published, r.GetTargetPath())
		m.mu.Unlock()
		if old {
			return status.Errorf(codes.Internal, "nothing is known of %s", r.GetTargetPath())
		}
		return nil
	})
}

// leavingStaged returns a driver that unstages nothing at a path where it has not staged a volume, or restaged it, since it
// was started.
func leavingStaged(m *memory) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
		m.mu.Lock()
		old := m.before.published[r.GetStagingTargetPath()] && !m.published[r.GetStagingTargetPath()]
		m.mu.Unlock()
		if old {
			return &csi.NodeUnstageVolumeResponse{}, nil
		}
		return right.NodeUnstageVolume(ctx, r)
	})
}

func renamed(m *memory) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.starts > 0 {
			response.NodeId += fmt.Sprintf("-%d", m.starts)
		}
	})
}

// younger returns a driver that keeps the time of a snapshot only in memory.
func younger(m *memory) mutation.Fault {
	since := func(taken *timestamppb.Timestamp) *timestamppb.Timestamp {
		m.mu.Lock()
		defer m.mu.Unlock()
		if taken.AsTime().Before(m.started) {
			return timestamppb.New(m.started)
		}
		return taken
	}
	return mutation.Answering(func(_ *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		response.Snapshot.CreationTime = since(response.GetSnapshot().GetCreationTime())
	}).And(mutation.Answering(func(_ *csi.CreateVolumeGroupSnapshotRequest, response *csi.CreateVolumeGroupSnapshotResponse) {
		response.GroupSnapshot.CreationTime = since(response.GetGroupSnapshot().GetCreationTime())
	})).And(mutation.Answering(func(_ *csi.GetVolumeGroupSnapshotRequest, response *csi.GetVolumeGroupSnapshotResponse) {
		response.GroupSnapshot.CreationTime = since(response.GetGroupSnapshot().GetCreationTime())
	}))
}

func unclaimed(m *memory) mutation.Fault {
	return mutation.Answering(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.starts > 0 {
			response.Capabilities = slices.DeleteFunc(response.GetCapabilities(), func(c *csi.PluginCapability) bool {
				return c.GetService().GetType() == csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS
			})
		}
	})
}

func detachAll(ctx context.Context, process *mutation.Restartable) error {
	if err := process.Stop(); err != nil {
		return err
	}
	if err := process.Start(ctx); err != nil {
		return err
	}
	controller, err := process.Controller()
	if err != nil {
		return err
	}
	volumes, err := controller.ListVolumes(ctx, &csi.ListVolumesRequest{})
	if err != nil {
		return err
	}
	for _, entry := range volumes.GetEntries() {
		for _, node := range entry.GetStatus().GetPublishedNodeIds() {
			if _, err := controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: entry.GetVolume().GetVolumeId(), NodeId: node}); err != nil {
				return err
			}
		}
	}
	return nil
}

// takingOnce makes a driver that is not idempotent, across restarts too, and lists only snapshots that it has taken since
// it was started.
func takingOnce(m *memory) mutation.Fault {
	var names, starts sync.Map
	now := func() int {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.starts
	}
	return mutation.Ending(func(r *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse, err error) (*csi.CreateSnapshotResponse, error) {
		if err != nil {
			return response, err
		}
		if _, again := names.LoadOrStore(r.GetName(), true); again {
			return nil, status.Error(codes.Internal, "the name is taken")
		}
		starts.Store(response.GetSnapshot().GetSnapshotId(), now())
		return response, nil
	}).And(mutation.Answering(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
		response.Entries = slices.DeleteFunc(response.Entries, func(e *csi.ListSnapshotsResponse_Entry) bool {
			start, found := starts.Load(e.GetSnapshot().GetSnapshotId())
			return found && start.(int) < now()
		})
	}))
}
