// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

// made is what a case knows of the volumes and snapshots that it made. What has other ids is somebody else's: another
// case's, which may run at the same time, or another user's of the back end.
type made struct {
	names   sync.Map // by the name that was asked for, the volume_id or snapshot_id
	ids     sync.Map // by volume_id or snapshot_id, whether it is still to be there
	modes   sync.Map // by volume_id, the first access mode that it was created with
	volumes sync.Map // by volume_id, as the driver told it last; by snapshot_id, as it told the volume of the snapshot then
}

// answered remembers what a call made or deleted.
func (m *made) answered(request, response any) {
	switch r := request.(type) {
	case *csi.DeleteVolumeRequest:
		m.delete(r.GetVolumeId())
	case *csi.DeleteSnapshotRequest:
		m.delete(r.GetSnapshotId())
	}
	switch r := response.(type) {
	case *csi.CreateVolumeResponse:
		m.ids.Store(r.GetVolume().GetVolumeId(), true)
		m.volumes.Store(r.GetVolume().GetVolumeId(), r.GetVolume())
		m.noteMode(request, r.GetVolume())
		m.noteName(request, r.GetVolume().GetVolumeId())
	case *csi.ControllerExpandVolumeResponse:
		m.noteSize(request.(*csi.ControllerExpandVolumeRequest).GetVolumeId(), r.GetCapacityBytes())
	case *csi.CreateSnapshotResponse:
		m.ids.Store(r.GetSnapshot().GetSnapshotId(), true)
		m.noteName(request, r.GetSnapshot().GetSnapshotId())
		m.volumes.Store(r.GetSnapshot().GetSnapshotId(), m.volume(request.(*csi.CreateSnapshotRequest).GetSourceVolumeId()))
	}
}

func (m *made) noteName(request any, id string) {
	if named, ok := request.(interface{ GetName() string }); ok {
		m.names.Store(named.GetName(), id)
	}
}

// keepsName reports whether the case made a volume or snapshot of the name and has not deleted it.
func (m *made) keepsName(name string) bool {
	id, found := m.names.Load(name)
	return found && m.keeps(id.(string))
}

func (m *made) noteMode(request any, volume *csi.Volume) {
	if asked, _ := request.(*csi.CreateVolumeRequest); len(asked.GetVolumeCapabilities()) > 0 {
		m.modes.LoadOrStore(volume.GetVolumeId(), asked.GetVolumeCapabilities()[0].GetAccessMode().GetMode())
	}
}

func (m *made) noteSize(id string, bytes int64) {
	grown := proto.CloneOf(m.volume(id))
	grown.CapacityBytes = bytes
	m.volumes.Store(id, grown)
}

// reach are the topologies of the volume that the source is, or is a snapshot of; none where that is not known.
func (m *made) reach(source *csi.VolumeContentSource) []*csi.Topology {
	if source.GetSnapshot() != nil {
		return m.volume(source.GetSnapshot().GetSnapshotId()).GetAccessibleTopology()
	}
	return m.volume(source.GetVolume().GetVolumeId()).GetAccessibleTopology()
}

// volume is what the driver told of a volume that the case made, and empty for any other.
func (m *made) volume(id string) *csi.Volume {
	if told, found := m.volumes.Load(id); found {
		return told.(*csi.Volume)
	}
	return &csi.Volume{}
}

func (m *made) delete(id string) {
	if m.made(id) {
		m.ids.Store(id, false)
	}
}

// made reports whether the case made the volume or snapshot.
func (m *made) made(id string) bool {
	_, found := m.ids.Load(id)
	return found
}

// keeps reports whether the case made the volume or snapshot and has not deleted it.
func (m *made) keeps(id string) bool {
	kept, found := m.ids.Load(id)
	return found && kept.(bool)
}

// kept are the ids of what the case has made and not deleted.
func (m *made) kept() map[string]bool {
	found := map[string]bool{}
	for id, kept := range m.ids.Range {
		if kept.(bool) {
			found[id.(string)] = true
		}
	}
	return found
}
