// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// required returns the REQUIRED fields of answers that can be seen to be missing, each with its clause. A number or a
// bool may have its zero value.
func required(message protoreflect.FullName) string {
	switch message {
	case "csi.v1.GetPluginInfoResponse":
		return "name=GI-01 vendor_version=GI-02"
	case "csi.v1.CreateVolumeResponse":
		return "volume=VOL-03"
	case "csi.v1.Volume":
		return "volume_id=VOL-03"
	case "csi.v1.VolumeContentSource.SnapshotSource":
		return "snapshot_id=GEN-05"
	case "csi.v1.VolumeContentSource.VolumeSource":
		return "volume_id=GEN-05"
	case "csi.v1.ListVolumesResponse.Entry":
		return "volume=LV-08"
	case "csi.v1.ControllerGetVolumeResponse":
		return "volume=LV-15 status=LV-19"
	case "csi.v1.ValidateVolumeCapabilitiesResponse.Confirmed":
		return "volume_capabilities=VV-02"
	case "csi.v1.CreateSnapshotResponse", "csi.v1.GetSnapshotResponse":
		return "snapshot=SN-01"
	case "csi.v1.Snapshot":
		return "snapshot_id=SN-01 source_volume_id=SN-02 creation_time=SN-03"
	case "csi.v1.ControllerExpandVolumeResponse":
		return "capacity_bytes=CE-13"
	case "csi.v1.NodeGetInfoResponse":
		return "node_id=NI-06"
	case "csi.v1.VolumeUsage":
		return "unit=NV-03"
	case "csi.v1.CreateVolumeGroupSnapshotResponse":
		return "group_snapshot=VGS-10"
	case "csi.v1.GetVolumeGroupSnapshotResponse":
		return "group_snapshot=VGS-33"
	case "csi.v1.VolumeGroupSnapshot":
		return "group_snapshot_id=VGS-10 snapshots=VGS-10 creation_time=VGS-15"
	case "csi.v1.ControllerGetVolumeHealthResponse":
		return "volume_health=VH-14"
	case "csi.v1.NodeGetVolumeHealthResponse":
		return "volume_health=GEN-05"
	case "csi.v1.VolumeHealth":
		return "volume_id=VH-07"
	case "csi.v1.VolumeHealth.VolumeHealthEntry":
		return "status=VH-08 reason=VH-08"
	case "csi.v1.NodeGetStorageHealthResponse.StorageBackendHealth":
		return "status=GEN-05 reason=GEN-05"
	case "csi.v1.GetMetadataAllocatedResponse", "csi.v1.GetMetadataDeltaResponse":
		return "block_metadata_type=SMD-04 volume_capacity_bytes=SMD-05"
	case "csi.v1.BlockMetadata":
		return "size_bytes=SMD-02"
	default:
		return ""
	}
}

// missing returns the REQUIRED fields that the message lacks.
func missing(m protoreflect.Message) []Flaw {
	var flaws []Flaw
	for of := range strings.FieldsSeq(required(m.Descriptor().FullName())) {
		name, clause, _ := strings.Cut(of, "=")
		field := m.Descriptor().Fields().ByName(protoreflect.Name(name))
		if !m.Has(field) {
			flaws = append(flaws, Flaw{Clause: clause, Field: string(field.FullName()), Text: fmt.Sprintf("%s is REQUIRED, and is missing or empty", field.FullName())})
		}
	}
	return flaws
}

// unsigned returns the numbers of answers that must not be negative, each with its clause.
func unsigned(message protoreflect.FullName) string {
	switch message {
	case "csi.v1.Volume":
		return "capacity_bytes=VOL-02"
	case "csi.v1.Snapshot":
		return "size_bytes=SN-04"
	case "csi.v1.GetCapacityResponse":
		return "available_capacity=CAP-13 maximum_volume_size=CAP-17 minimum_volume_size=CAP-23"
	case "csi.v1.ControllerExpandVolumeResponse":
		return "capacity_bytes=CE-13"
	case "csi.v1.NodeGetInfoResponse":
		return "max_volumes_per_node=NI-12"
	case "csi.v1.VolumeUsage":
		return "available=NV-03 total=NV-03 used=NV-03"
	case "csi.v1.BlockMetadata":
		return "byte_offset=SMD-10 size_bytes=SMD-02"
	case "csi.v1.GetMetadataAllocatedResponse", "csi.v1.GetMetadataDeltaResponse":
		return "volume_capacity_bytes=SMD-05"
	default:
		return ""
	}
}

// negative returns the numbers of the message that are negative and must not be.
func negative(m protoreflect.Message) []Flaw {
	var flaws []Flaw
	for of := range strings.FieldsSeq(unsigned(m.Descriptor().FullName())) {
		name, clause, _ := strings.Cut(of, "=")
		field := m.Descriptor().Fields().ByName(protoreflect.Name(name))
		value := m.Get(field)
		if field.Kind() == protoreflect.MessageKind { // a wrapper, which distinguishes 0 from unset
			value = value.Message().Get(field.Message().Fields().ByName("value"))
		}
		if value.Int() < 0 {
			flaws = append(flaws, Flaw{Clause: clause, Field: string(field.FullName()), Text: fmt.Sprintf("%s must not be negative, and is %d", field.FullName(), value.Int())})
		}
	}
	return flaws
}
