// SPDX-License-Identifier: Apache-2.0

// Package inventory tracks the volumes and snapshots of a case.
package inventory

import (
	"maps"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

// Made tracks the volumes and snapshots that a case made. Objects with other ids belong to someone else: another
// case, which may run at the same time, or another user of the back end.
type Made struct {
	names   sync.Map // the volume_id or snapshot_id, by the requested name
	ids     sync.Map // whether it should still exist, by volume_id or snapshot_id
	created sync.Map // the request that created the volume, by volume_id
	volumes sync.Map // the volume as the driver last reported it, by volume_id; the volume of the snapshot at the time, by snapshot_id
}

// Answered records the objects that a call made or deleted.
func (m *Made) Answered(request, response any) {
	switch r := request.(type) {
	case *csi.DeleteVolumeRequest:
		m.delete(r.GetVolumeId())
	case *csi.DeleteSnapshotRequest:
		m.delete(r.GetSnapshotId())
	case *csi.DeleteVolumeGroupSnapshotRequest:
		for _, id := range r.GetSnapshotIds() {
			m.delete(id)
		}
	}
	switch r := response.(type) {
	case *csi.CreateVolumeResponse:
		m.ids.Store(r.GetVolume().GetVolumeId(), true)
		m.volumes.Store(r.GetVolume().GetVolumeId(), r.GetVolume())
		m.noteRequest(request, r.GetVolume())
		m.noteName(request, r.GetVolume().GetVolumeId())
	case *csi.ControllerExpandVolumeResponse:
		m.noteSize(request.(*csi.ControllerExpandVolumeRequest).GetVolumeId(), r.GetCapacityBytes())
	case *csi.CreateSnapshotResponse:
		m.ids.Store(r.GetSnapshot().GetSnapshotId(), true)
		m.noteName(request, r.GetSnapshot().GetSnapshotId())
		m.volumes.Store(r.GetSnapshot().GetSnapshotId(), m.Volume(request.(*csi.CreateSnapshotRequest).GetSourceVolumeId()))
	case *csi.CreateVolumeGroupSnapshotResponse:
		for _, member := range r.GetGroupSnapshot().GetSnapshots() {
			m.ids.Store(member.GetSnapshotId(), true)
			m.volumes.Store(member.GetSnapshotId(), m.Volume(member.GetSourceVolumeId()))
		}
	}
}

func (m *Made) noteName(request any, id string) {
	if named, ok := request.(interface{ GetName() string }); ok {
		m.names.Store(named.GetName(), id)
	}
}

// KeepsName reports whether the case made a volume or snapshot of the name and has not deleted it.
func (m *Made) KeepsName(name string) bool {
	id, found := m.names.Load(name)
	return found && m.Keeps(id.(string))
}

func (m *Made) noteRequest(request any, volume *csi.Volume) {
	if asked, _ := request.(*csi.CreateVolumeRequest); asked != nil {
		m.created.LoadOrStore(volume.GetVolumeId(), proto.CloneOf(asked))
	}
}

// Mode returns the first access mode that the case created the volume with.
func (m *Made) Mode(id string) (mode csi.VolumeCapability_AccessMode_Mode, found bool) {
	created := m.request(id).GetVolumeCapabilities()
	if len(created) == 0 {
		return mode, false
	}
	return created[0].GetAccessMode().GetMode(), true
}

// IsCreatedWith reports whether the case created the volume with the capability, perhaps among others.
func (m *Made) IsCreatedWith(id string, capability *csi.VolumeCapability) bool {
	return slices.ContainsFunc(m.request(id).GetVolumeCapabilities(), func(c *csi.VolumeCapability) bool { return proto.Equal(c, capability) })
}

// Parameters returns the parameters that the case created the volume with, or none if it did not create the volume.
func (m *Made) Parameters(id string) map[string]string {
	return maps.Clone(m.request(id).GetParameters())
}

// request returns the request that created the volume, or nil if the case did not create it.
func (m *Made) request(id string) *csi.CreateVolumeRequest {
	created, _ := m.created.Load(id)
	request, _ := created.(*csi.CreateVolumeRequest)
	return request
}

func (m *Made) noteSize(id string, bytes int64) {
	grown := proto.CloneOf(m.Volume(id))
	grown.CapacityBytes = bytes
	m.volumes.Store(id, grown)
}

// Reach returns the topologies of the source's volume: the source itself, or the volume of the snapshot. There are
// none if that is not known.
func (m *Made) Reach(source *csi.VolumeContentSource) []*csi.Topology {
	if source.GetSnapshot() != nil {
		return m.Volume(source.GetSnapshot().GetSnapshotId()).GetAccessibleTopology()
	}
	return m.Volume(source.GetVolume().GetVolumeId()).GetAccessibleTopology()
}

// Volume returns a volume that the case made, as reported by the driver. It is empty for any other.
func (m *Made) Volume(id string) *csi.Volume {
	if told, found := m.volumes.Load(id); found {
		return told.(*csi.Volume)
	}
	return &csi.Volume{}
}

func (m *Made) delete(id string) {
	if m.Has(id) {
		m.ids.Store(id, false)
	}
}

// Any reports whether the case made any volume or snapshot.
func (m *Made) Any() bool {
	for range m.ids.Range {
		return true
	}
	return false
}

// Has reports whether the case made the volume or snapshot.
func (m *Made) Has(id string) bool {
	_, found := m.ids.Load(id)
	return found
}

// Keeps reports whether the case made the volume or snapshot and has not deleted it.
func (m *Made) Keeps(id string) bool {
	kept, found := m.ids.Load(id)
	return found && kept.(bool)
}

// Kept returns the ids of the objects that the case has made and not deleted.
func (m *Made) Kept() map[string]bool {
	found := map[string]bool{}
	for id, kept := range m.ids.Range {
		if kept.(bool) {
			found[id.(string)] = true
		}
	}
	return found
}
