// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// AnsweringVolume makes a driver whose CreateVolume describes the volume differently than it made it.
func AnsweringVolume(change func(r *csi.CreateVolumeRequest, v *csi.Volume)) Fault {
	return Answering(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) { change(r, response.GetVolume()) })
}

// ListingEntries makes a driver whose ListVolumes changes the entry of each volume.
func ListingEntries(change func(*csi.ListVolumesResponse_Entry)) Fault {
	return Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
		for _, entry := range response.GetEntries() {
			change(entry)
		}
	})
}

// Describing makes a driver whose ControllerGetVolume and ListVolumes change what they report about each volume.
func Describing(change func(*csi.Volume)) Fault {
	return ListingEntries(func(entry *csi.ListVolumesResponse_Entry) { change(entry.GetVolume()) }).
		And(Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
			change(response.GetVolume())
		}))
}

// WithoutContext makes a driver that has a volume_context, and whose calls for the volume ignore it.
func WithoutContext() Fault {
	return Asking(func(r *csi.ValidateVolumeCapabilitiesRequest) { r.VolumeContext = nil }).
		And(Asking(func(r *csi.ControllerPublishVolumeRequest) { r.VolumeContext = nil })).
		And(Asking(func(r *csi.NodeStageVolumeRequest) { r.VolumeContext = nil })).
		And(Asking(func(r *csi.NodePublishVolumeRequest) { r.VolumeContext = nil }))
}

// AskingCapabilities makes a driver that reads a different volume_capability than it got, when it creates, attaches,
// stages or publishes a volume.
func AskingCapabilities(change func(*csi.VolumeCapability)) Fault {
	return Asking(func(r *csi.CreateVolumeRequest) {
		for _, capability := range r.GetVolumeCapabilities() {
			change(capability)
		}
	}).And(Asking(func(r *csi.ControllerPublishVolumeRequest) { change(r.GetVolumeCapability()) })).
		And(Asking(func(r *csi.NodeStageVolumeRequest) { change(r.GetVolumeCapability()) })).
		And(Asking(func(r *csi.NodePublishVolumeRequest) { change(r.GetVolumeCapability()) }))
}

// In makes a driver that creates volumes in the zone, whatever the request.
func In(zone string) Fault {
	return Asking(func(r *csi.CreateVolumeRequest) {
		r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{Zone(zone)}}
	})
}

// Zone returns the topology of a zone of the reference driver.
func Zone(name string) *csi.Topology {
	return &csi.Topology{Segments: map[string]string{topology.RegionKey: "R1", topology.ZoneKey: name}}
}

// ZoneOf returns the zone of a topology. It is empty if the topology names none.
func ZoneOf(t *csi.Topology) string { return t.GetSegments()[topology.ZoneKey] }

// Unknown reports whether a topology names a zone that the reference driver does not have.
func Unknown(t *csi.Topology) bool {
	zone, named := t.GetSegments()[topology.ZoneKey]
	return named && !slices.Contains([]string{"Z2", "Z3", "Z4", "Z5"}, zone)
}
