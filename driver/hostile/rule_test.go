// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// sizeLimit is the maximum size of a string in bytes (CSI spec, Size Limits).
const sizeLimit = 128

// rule describes the response to a hostile value in a field.
type rule struct {
	// rpc is the name of the RPC; "" matches any.
	rpc string
	// field is a path of fieldsOf; a * at its end or its beginning matches any text.
	field string
	// want lists the allowed codes.
	want []codes.Code
	// legal reports whether a value is harmless here, and gets OK; nil means that none is.
	legal func(value) bool
	// void is true if OK must return nothing: no entries, no confirmation, no capacity.
	void bool
	// why is the clause of the spec, or another reason, why the value is not refused.
	why string
}

// refusal returns the rule for every field without an exception.
func refusal() rule {
	return rule{want: []codes.Code{codes.InvalidArgument, codes.NotFound}}
}

// rules returns the exceptions, of which the first match applies. An unused exception fails the test.
func rules(kind volume.Kind) []rule {
	ok, invalid := codes.OK, codes.InvalidArgument
	all := []rule{
		{field: "secrets*", want: []codes.Code{ok}, why: "Secrets Requirements: the CO may pass the same secrets to all RPCs; this driver asks for none here"},

		{rpc: "ListVolumes", field: "starting_token", want: []codes.Code{codes.Aborted}, legal: isID, why: "ListVolumes Errors; a token is the id of a volume, which may have gone"},
		{rpc: "ListSnapshots", field: "starting_token", want: []codes.Code{codes.Aborted}, legal: isID, why: "ListSnapshots Errors"},
		{rpc: "ControllerListVolumeHealth", field: "starting_token", want: []codes.Code{codes.Aborted}, legal: isID, why: "ControllerListVolumeHealth Errors"},

		{rpc: "CreateVolume", field: "name", want: []codes.Code{invalid}, legal: isName, why: "CreateVolumeRequest.name: any Unicode string of 128 bytes without control characters is a name"},
		{rpc: "CreateSnapshot", field: "name", want: []codes.Code{invalid}, legal: isName, why: "CreateSnapshotRequest.name: as that of a volume"},

		{rpc: "DeleteVolume", field: "volume_id", want: []codes.Code{ok, invalid}, why: "DeleteVolume: a volume that does not exist is OK (DV-02)"},
		{rpc: "DeleteSnapshot", field: "snapshot_id", want: []codes.Code{ok, invalid}, why: "DeleteSnapshot: a snapshot that does not exist is OK"},
		{rpc: "CreateVolumeGroupSnapshot", field: "name", want: []codes.Code{invalid}, legal: isName, why: "CreateVolumeGroupSnapshotRequest.name: as that of a volume"},
		{rpc: "DeleteVolumeGroupSnapshot", field: "group_snapshot_id", want: []codes.Code{ok, invalid}, why: "DeleteVolumeGroupSnapshot: a group snapshot that does not exist is OK"},
		{rpc: "ControllerUnpublishVolume", field: "volume_id", want: []codes.Code{ok, invalid}, why: "ControllerUnpublishVolume: a volume that is assumed to be unpublished is OK (CU-06)"},
		{rpc: "ControllerUnpublishVolume", field: "node_id", want: []codes.Code{ok, invalid}, why: "ControllerUnpublishVolume: the same for a node (CU-07)"},

		{rpc: "ListSnapshots", field: "source_volume_id", want: []codes.Code{ok, invalid}, void: true, why: "ListSnapshotsRequest.source_volume_id: a filter that nothing fits"},
		{rpc: "ListSnapshots", field: "snapshot_id", want: []codes.Code{ok, invalid}, void: true, why: "ListSnapshotsRequest.snapshot_id: a filter that nothing fits"},

		{rpc: "GetCapacity", field: "accessible_topology.*", want: []codes.Code{ok, invalid}, void: true, why: "GetCapacity has no code for a topology that is unknown: 0 (gap A2)"},
		{rpc: "GetCapacity", field: "volume_capabilities.mount.mount_flags", want: []codes.Code{ok, invalid}, legal: areMountFlags, void: true, why: "MountVolume.mount_flags: opaque before there is a mount"},
		{rpc: "GetCapacity", field: "volume_capabilities.*", want: []codes.Code{ok, invalid}, void: true, why: "GetCapacityRequest.volume_capabilities: what no volume has has no capacity"},

		{rpc: "ValidateVolumeCapabilities", field: "volume_capabilities.mount.mount_flags", want: []codes.Code{ok, invalid}, legal: areMountFlags, void: true, why: "MountVolume.mount_flags: opaque before there is a mount"},
		{rpc: "ValidateVolumeCapabilities", field: "volume_context[value]", want: []codes.Code{ok}, why: "what Kubernetes adds to the context is its own"},
		{rpc: "ValidateVolumeCapabilities", field: "volume_id", want: refusal().want},
		{rpc: "ValidateVolumeCapabilities", field: "*", want: []codes.Code{ok, invalid}, void: true, why: "ValidateVolumeCapabilitiesResponse.message: what is not supported is not confirmed"},

		{rpc: "CreateVolume", field: "*.mount_flags", want: []codes.Code{invalid}, legal: areMountFlags, why: "MountVolume.mount_flags: opaque before there is a mount"},
		{rpc: "ControllerPublishVolume", field: "*.mount_flags", want: []codes.Code{invalid}, legal: areMountFlags, why: "MountVolume.mount_flags: opaque before there is a mount"},
		{rpc: "ControllerExpandVolume", field: "*.mount_flags", want: []codes.Code{invalid}, legal: areMountFlags, why: "MountVolume.mount_flags: opaque before there is a mount"},
		{rpc: "NodeExpandVolume", field: "*.mount_flags", want: []codes.Code{invalid}, legal: areMountFlags, why: "MountVolume.mount_flags: nothing is mounted"},
		{field: "volume_context[value]", want: []codes.Code{ok}, why: "what Kubernetes adds to the context is its own"},

		{rpc: "NodeStageVolume", field: "*.fs_type", want: []codes.Code{codes.FailedPrecondition}, why: "NodeStageVolume Errors: Exceeds capabilities"},
		{rpc: "NodeStageVolume", field: "*.volume_mount_group", want: []codes.Code{codes.FailedPrecondition}, why: "NodeStageVolume Errors: Exceeds capabilities"},
		{rpc: "NodePublishVolume", field: "volume_capability.*", want: []codes.Code{codes.FailedPrecondition}, why: "NodePublishVolume Errors: Exceeds capabilities"},
		{rpc: "NodePublishVolume", field: "staging_target_path", want: []codes.Code{codes.FailedPrecondition, invalid}, why: "NodePublishVolume: what is not staged there (NS-15)"},
		{rpc: "NodeUnstageVolume", field: "staging_target_path", want: []codes.Code{ok, invalid}, why: "NodeUnstageVolume: a path where it is not staged is OK (NS-09)"},
		{rpc: "NodeGetVolumeStats", field: "staging_target_path", want: []codes.Code{ok, invalid}, why: "NodeGetVolumeStatsRequest.staging_target_path: optional, the volume is found by volume_path"},
		{rpc: "NodeExpandVolume", field: "staging_target_path", want: []codes.Code{ok, invalid}, why: "NodeExpandVolumeRequest.staging_target_path: optional, the volume is found by volume_path"},
		{rpc: "NodeGetVolumeHealth", field: "*_path", want: []codes.Code{ok, invalid}, why: "NodeGetVolumeHealth: that it is not there is told as its health"},
	}
	switch kind {
	case volume.InMemory:
		all = append(all, rule{rpc: "NodeStageVolume", field: "*.mount_flags", want: []codes.Code{invalid, codes.FailedPrecondition}, legal: areMountFlags, why: "what is in memory has no mount"})
	default:
		all = append(all,
			rule{rpc: "NodeStageVolume", field: "*.mount_flags", want: []codes.Code{invalid, codes.FailedPrecondition}, why: "NodeStageVolume Errors: Exceeds capabilities"},
			rule{rpc: "NodeGetVolumeHealth", field: "volume_id", want: refusal().want, legal: isID, why: "NodeGetVolumeHealth: that what was a volume has gone from the disk is told as its health"})
	}
	return all
}

// ruleFor returns the rule for a field, and its index in the list, or -1 for refusal.
func ruleFor(all []rule, r rpc, f field) (rule, int) {
	place := slices.IndexFunc(all, func(candidate rule) bool {
		return (candidate.rpc == "" || candidate.rpc == r.name) && candidate.fits(f.path)
	})
	if place < 0 {
		return refusal(), place
	}
	return all[place], place
}

func (r rule) fits(path string) bool {
	if prefix, found := strings.CutSuffix(r.field, "*"); found {
		return strings.HasPrefix(path, prefix)
	}
	if suffix, found := strings.CutPrefix(r.field, "*"); found {
		return strings.HasSuffix(path, suffix)
	}
	return path == r.field
}

// opaque reports whether the driver ignores the content of the field.
func (r rule) opaque() bool {
	return r.legal == nil && slices.Equal(r.want, []codes.Code{codes.OK})
}

// codesFor returns the codes allowed for the value in the field.
func (r rule) codesFor(f field, v value) []codes.Code {
	isID := strings.HasSuffix(f.path, "volume_id") || strings.HasSuffix(f.path, "snapshot_id")
	if filter := r.void; isID && !filter && len(v.text) > sizeLimit {
		return []codes.Code{codes.InvalidArgument} // Size Limits
	}
	if r.legal != nil && r.legal(v) {
		return []codes.Code{codes.OK}
	}
	return r.want
}

// says describes the content of a response, or returns "" if it is empty.
func says(response proto.Message) string {
	switch answer := response.(type) {
	case *csi.ListSnapshotsResponse:
		if len(answer.GetEntries()) > 0 {
			return "that there are snapshots"
		}
	case *csi.ValidateVolumeCapabilitiesResponse:
		if answer.GetConfirmed() != nil || answer.GetMessage() == "" {
			return "that it is confirmed"
		}
	case *csi.GetCapacityResponse:
		if answer.GetAvailableCapacity() > 0 || answer.GetMaximumVolumeSize().GetValue() > 0 {
			return "that there is capacity"
		}
	}
	return ""
}
