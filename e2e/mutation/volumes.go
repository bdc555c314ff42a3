// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// AnsweringVolume makes a driver whose CreateVolume describes the volume differently from the created one.
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

// Describing makes a driver whose ControllerGetVolume and ListVolumes report each volume with changes.
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

// In makes a driver that creates volumes in the zone, regardless of the request.
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

// creating lists the capabilities of a controller that creates volumes and snapshots, or reports them.
var creating = []protoreflect.Enum{
	csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
	csi.ControllerServiceCapability_RPC_GET_CAPACITY,
	csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
	csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS,
	csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
	csi.ControllerServiceCapability_RPC_CLONE_VOLUME,
	csi.ControllerServiceCapability_RPC_MODIFY_VOLUME,
	csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS,
}

// AttachingExisting changes a driver into one that attaches volumes that were provisioned elsewhere, each in one of its
// zones. Its profile names a volume that exists.
func AttachingExisting(d Driver) Driver {
	d.Fault = d.Fault.Over(Lacking(creating...))
	d.Running = func(driver *embedded.Driver, target *harness.Target) {
		if err := nameExisting(driver.Controller, target); err != nil {
			panic(fmt.Errorf("making the volume that exists: %w", err))
		}
	}
	return d
}

// NodeAlone changes a driver into one with only the Identity and Node services, for volumes that were provisioned
// elsewhere. Its profile names a volume that exists.
func NodeAlone(d Driver) Driver {
	lacks := slices.Concat([]protoreflect.Enum{csi.PluginCapability_Service_CONTROLLER_SERVICE}, Topology)
	for number := range csi.ControllerServiceCapability_RPC_Type_name {
		lacks = append(lacks, csi.ControllerServiceCapability_RPC_Type(number))
	}
	d.Options, d.Fault = InOneSegment, d.Fault.Over(Lacking(lacks...))
	d.Running = func(driver *embedded.Driver, target *harness.Target) {
		target.Controller = target.Nodes[0] // without the Controller service
		if err := nameExisting(driver.Controller, target); err != nil {
			panic(fmt.Errorf("making the volume that exists: %w", err))
		}
	}
	return d
}

// nameExisting creates a volume and adds it to the profile, like a pre-provisioned one.
func nameExisting(controller string, target *harness.Target) error {
	conn, err := wire.Dial(controller)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), target.Timeouts.Provision)
	defer cancel()
	capability := &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
	if !target.Profile.HasMount() {
		capability.AccessType = &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}
	}
	made, err := csi.NewControllerClient(conn).CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name: "existing", CapacityRange: &csi.CapacityRange{RequiredBytes: target.Profile.VolumeBytes}, VolumeCapabilities: []*csi.VolumeCapability{capability},
	})
	if err != nil {
		return err
	}
	existing := &profile.ExistingVolume{VolumeHandle: made.GetVolume().GetVolumeId(), VolumeAttributes: made.GetVolume().GetVolumeContext()}
	for _, topology := range made.GetVolume().GetAccessibleTopology() {
		existing.AccessibleTopology = append(existing.AccessibleTopology, topology.GetSegments())
	}
	target.Profile.ExistingVolume = existing
	return nil
}
