// SPDX-License-Identifier: Apache-2.0

package hostile

import "google.golang.org/grpc/codes"

// line is a line of the spec's tables of errors: a condition and its code.
type line struct {
	// section is the heading in spec.md, "CreateVolume Errors".
	section   string
	condition string
	code      codes.Code
}

// specTable returns the tables of CSI spec 1.13 for the services that the driver has.
func specTable() []line {
	return []line{
		{"Error Scheme", "Missing required field", codes.InvalidArgument},
		{"Error Scheme", "Invalid or unsupported field in the request", codes.InvalidArgument},
		{"Error Scheme", "Permission denied", codes.PermissionDenied},
		{"Error Scheme", "Operation pending for volume", codes.Aborted},
		{"Error Scheme", "Call not implemented", codes.Unimplemented},
		{"Error Scheme", "Not authenticated", codes.Unauthenticated},

		{"Probe Errors", "Plugin not healthy", codes.FailedPrecondition},
		{"Probe Errors", "Missing required dependency", codes.FailedPrecondition},

		{"CreateVolume Errors", "Source incompatible or not supported", codes.InvalidArgument},
		{"CreateVolume Errors", "Source does not exist", codes.NotFound},
		{"CreateVolume Errors", "Volume already exists but is incompatible", codes.AlreadyExists},
		{"CreateVolume Errors", "Unable to provision in `accessible_topology`", codes.ResourceExhausted},
		{"CreateVolume Errors", "Unsupported `capacity_range`", codes.OutOfRange},

		{"DeleteVolume Errors", "Volume in use", codes.FailedPrecondition},

		{"ControllerPublishVolume Errors", "Volume does not exist", codes.NotFound},
		{"ControllerPublishVolume Errors", "Node does not exist", codes.NotFound},
		{"ControllerPublishVolume Errors", "Volume published but is incompatible", codes.AlreadyExists},
		{"ControllerPublishVolume Errors", "Volume published to another node", codes.FailedPrecondition},
		{"ControllerPublishVolume Errors", "Max volumes attached", codes.ResourceExhausted},

		{"ControllerUnpublishVolume Errors", "Volume does not exist and volume not assumed ControllerUnpublished from node", codes.NotFound},
		{"ControllerUnpublishVolume Errors", "Node does not exist and volume not assumed ControllerUnpublished from node", codes.NotFound},

		{"ValidateVolumeCapabilities Errors", "Volume does not exist", codes.NotFound},

		{"ListVolumes Errors", "Invalid `starting_token`", codes.Aborted},

		{"ControllerListVolumeHealth Errors", "Invalid `starting_token`", codes.Aborted},

		{"ControllerGetVolumeHealth Errors", "Volume does not exist", codes.NotFound},

		{"ControllerGetVolume Errors", "Volume does not exist", codes.NotFound},

		{"ControllerModifyVolume Errors", "Parameters not supported", codes.InvalidArgument},
		{"ControllerModifyVolume Errors", "Volume does not exist", codes.NotFound},

		{"CreateSnapshot Errors", "Snapshot already exists but is incompatible", codes.AlreadyExists},
		{"CreateSnapshot Errors", "Operation pending for snapshot", codes.Aborted},
		{"CreateSnapshot Errors", "Not enough resources to create snapshot", codes.ResourceExhausted},

		{"DeleteSnapshot Errors", "Snapshot is part of a group", codes.InvalidArgument},
		{"DeleteSnapshot Errors", "Snapshot in use", codes.FailedPrecondition},
		{"DeleteSnapshot Errors", "Operation pending for snapshot", codes.Aborted},

		{"ListSnapshots Errors", "Invalid `starting_token`", codes.Aborted},

		{"GetSnapshot Errors", "Snapshot does not exist", codes.NotFound},

		{"ControllerExpandVolume Errors", "Exceeds capabilities", codes.InvalidArgument},
		{"ControllerExpandVolume Errors", "Volume does not exist", codes.NotFound},
		{"ControllerExpandVolume Errors", "Volume in use", codes.FailedPrecondition},
		{"ControllerExpandVolume Errors", "Unsupported `capacity_range`", codes.OutOfRange},

		{"CreateVolumeGroupSnapshot Errors", "Group snapshot already exists but is incompatible", codes.AlreadyExists},
		{"CreateVolumeGroupSnapshot Errors", "Cannot snapshot multiple volumes together", codes.FailedPrecondition},
		{"CreateVolumeGroupSnapshot Errors", "Operation pending for group snapshot", codes.Aborted},
		{"CreateVolumeGroupSnapshot Errors", "Not enough space to create group snapshot", codes.ResourceExhausted},

		{"DeleteVolumeGroupSnapshot Errors", "Snapshot list mismatch", codes.InvalidArgument},
		{"DeleteVolumeGroupSnapshot Errors", "Volume group snapshot in use", codes.FailedPrecondition},

		{"GetVolumeGroupSnapshot Errors", "Snapshot list mismatch", codes.InvalidArgument},
		{"GetVolumeGroupSnapshot Errors", "Volume group snapshot does not exist", codes.NotFound},

		{"GetMetadataAllocated Errors", "Missing or otherwise invalid argument", codes.InvalidArgument},
		{"GetMetadataAllocated Errors", "Invalid `snapshot_id`", codes.NotFound},
		{"GetMetadataAllocated Errors", "Invalid `starting_offset`", codes.OutOfRange},

		{"GetMetadataDelta Errors", "Missing or otherwise invalid argument", codes.InvalidArgument},
		{"GetMetadataDelta Errors", "Invalid `base_snapshot_id` or `target_snapshot_id`", codes.NotFound},
		{"GetMetadataDelta Errors", "Changed block tracking is not enabled", codes.FailedPrecondition},
		{"GetMetadataDelta Errors", "Invalid `starting_offset`", codes.OutOfRange},

		{"NodeStageVolume Errors", "Volume does not exist", codes.NotFound},
		{"NodeStageVolume Errors", "Volume published but is incompatible", codes.AlreadyExists},
		{"NodeStageVolume Errors", "Exceeds capabilities", codes.FailedPrecondition},

		{"NodeUnstageVolume Errors", "Volume does not exist", codes.NotFound},

		{"NodePublishVolume Errors", "Volume does not exist", codes.NotFound},
		{"NodePublishVolume Errors", "Volume published but is incompatible", codes.AlreadyExists},
		{"NodePublishVolume Errors", "Exceeds capabilities", codes.FailedPrecondition},
		{"NodePublishVolume Errors", "Staging target path not set", codes.FailedPrecondition},

		{"NodeUnpublishVolume Errors", "Volume does not exist", codes.NotFound},

		{"NodeGetVolumeStats Errors", "Volume does not exist", codes.NotFound},

		{"NodeGetVolumeHealth Errors", "Volume does not exist", codes.NotFound},

		{"NodeExpandVolume Errors", "Exceeds capabilities", codes.InvalidArgument},
		{"NodeExpandVolume Errors", "Volume does not exist", codes.NotFound},
		{"NodeExpandVolume Errors", "Volume in use", codes.FailedPrecondition},
		{"NodeExpandVolume Errors", "Unsupported capacity_range", codes.OutOfRange},
	}
}
