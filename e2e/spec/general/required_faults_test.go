package general_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// required are the cases on required fields, with the fields of the request that each is about, in the order of the case.
var required = map[string][]string{
	"required_create_volume":        {"name", "volume_capabilities"},
	"required_delete_volume":        {"volume_id"},
	"required_validate_volume":      {"volume_id", "volume_capabilities"},
	"required_get_volume":           {"volume_id"},
	"required_controller_publish":   {"volume_id", "node_id", "volume_capability"},
	"required_controller_unpublish": {"volume_id"},
	"required_controller_expand":    {"volume_id", "capacity_range"},
	"required_controller_modify":    {"volume_id", "mutable_parameters"},
	"required_create_snapshot":      {"name", "source_volume_id"},
	"required_delete_snapshot":      {"snapshot_id"},
	"required_node_stage":           {"volume_id", "staging_target_path", "volume_capability"},
	"required_node_unstage":         {"volume_id", "staging_target_path"},
	"required_node_publish":         {"volume_id", "target_path", "volume_capability"},
	"required_node_unpublish":       {"volume_id", "target_path"},
	"required_node_expand":          {"volume_id", "volume_path"},
	"required_node_stats":           {"volume_id", "volume_path"},
}

// wrongOfRequiredFields are drivers that do not look for one required field of each call: the first, the second, the third.
func wrongOfRequiredFields() map[string]spectest.Expectation {
	wanted := map[string]spectest.Expectation{
		"does not look into capabilities": wrong(
			carelessly(func(r *csi.CreateVolumeRequest) bool {
				return len(r.GetVolumeCapabilities()) > 0 && r.GetVolumeCapabilities()[0].GetMount() == nil
			}, right.CreateVolume).
				And(carelessly(func(r *csi.ControllerPublishVolumeRequest) bool {
					return r.GetVolumeCapability() != nil && r.GetVolumeCapability().GetAccessMode() == nil
				}, right.ControllerPublishVolume)),
			spectest.Fails("required_create_volume", "volume_capabilities.mount is REQUIRED"),
			spectest.Fails("required_controller_publish", "volume_capability.access_mode is REQUIRED")),
		"does what it is asked before it refuses it": wrong(
			spectest.On(func(ctx context.Context, driver right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
				if r.GetVolumeId() == "" {
					everything, _ := driver.ListVolumes(ctx, &csi.ListVolumesRequest{})
					for _, entry := range everything.GetEntries() {
						_, _ = driver.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: entry.GetVolume().GetVolumeId()})
					}
				}
				return driver.DeleteVolume(ctx, r)
			}),
			spectest.Fails("required_delete_volume", "a call without a field that is REQUIRED does nothing (GEN-11)")),
	}
	for place, ordinal := range []string{"first", "second", "third"} {
		var cases []spectest.Case
		for id, fields := range required {
			if place < len(fields) {
				cases = append(cases, spectest.Fails(id, fields[place]+" is REQUIRED"))
			}
		}
		wanted["does not look for the "+ordinal+" required field"] = wrong(carelessOf(place), cases...)
	}
	return wanted
}

// carelessOf makes a driver that does not look for the required field at that place, in any call.
func carelessOf(place int) spectest.Fault {
	return careless(place, "required_create_volume", right.CreateVolume).
		And(careless(place, "required_delete_volume", right.DeleteVolume)).
		And(careless(place, "required_validate_volume", right.ValidateVolumeCapabilities)).
		And(careless(place, "required_get_volume", right.ControllerGetVolume)).
		And(careless(place, "required_controller_publish", right.ControllerPublishVolume)).
		And(careless(place, "required_controller_unpublish", right.ControllerUnpublishVolume)).
		And(careless(place, "required_controller_expand", right.ControllerExpandVolume)).
		And(careless(place, "required_controller_modify", right.ControllerModifyVolume)).
		And(careless(place, "required_create_snapshot", right.CreateSnapshot)).
		And(careless(place, "required_delete_snapshot", right.DeleteSnapshot)).
		And(careless(place, "required_node_stage", right.NodeStageVolume)).
		And(careless(place, "required_node_unstage", right.NodeUnstageVolume)).
		And(careless(place, "required_node_publish", right.NodePublishVolume)).
		And(careless(place, "required_node_unpublish", right.NodeUnpublishVolume)).
		And(careless(place, "required_node_expand", right.NodeExpandVolume)).
		And(careless(place, "required_node_stats", right.NodeGetVolumeStats))
}

// careless makes a driver that does not look for one of the fields that the case is about, and breaks down without it.
func careless[Request, Response proto.Message](place int, caseID string,
	rpc func(right, context.Context, Request, ...grpc.CallOption) (Response, error),
) spectest.Fault {
	return carelessly(func(r Request) bool {
		fields := required[caseID]
		if place >= len(fields) {
			return false
		}
		message := r.ProtoReflect()
		return !message.Has(message.Descriptor().Fields().ByName(protoreflect.Name(fields[place])))
	}, rpc)
}

// carelessly makes a driver that breaks down at some requests.
func carelessly[Request, Response proto.Message](when func(Request) bool,
	rpc func(right, context.Context, Request, ...grpc.CallOption) (Response, error),
) spectest.Fault {
	return spectest.On(func(ctx context.Context, driver right, r Request) (Response, error) {
		if when(r) {
			var none Response
			return none, status.Error(codes.Internal, "the driver has a bug")
		}
		return rpc(driver, ctx, r)
	})
}
