package general_test

import (
	"context"
	"maps"
	"slices"
	"strings"

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
	"required_volume_health":        {"volume_id"},
	"required_controller_publish":   {"volume_id", "node_id", "volume_capability"},
	"required_controller_unpublish": {"volume_id"},
	"required_controller_expand":    {"volume_id", "capacity_range"},
	"required_controller_modify":    {"volume_id", "mutable_parameters"},
	"required_create_snapshot":      {"name", "source_volume_id"},
	"required_delete_snapshot":      {"snapshot_id"},
	"required_get_snapshot":         {"snapshot_id"},
	"required_node_stage":           {"volume_id", "staging_target_path", "volume_capability"},
	"required_node_unstage":         {"volume_id", "staging_target_path"},
	"required_node_publish":         {"volume_id", "target_path", "volume_capability"},
	"required_node_unpublish":       {"volume_id", "target_path"},
	"required_node_expand":          {"volume_id", "volume_path"},
	"required_node_stats":           {"volume_id", "volume_path"},
	"required_node_health":          {"volume_id"},
}

// everyRequired are the ids of those cases.
var everyRequired = strings.Join(slices.Sorted(maps.Keys(required)), " ")

// wrongOfRequiredFields are drivers that do not look for one required field of each call, the first, the second, the third;
// that look into no capabilities; that refuse an incomplete call in another way, or after it was done; and that refuse
// complete ones as well.
func wrongOfRequiredFields() map[string]spectest.Expectation {
	wanted := map[string]spectest.Expectation{
		"does not look into capabilities": wrong(
			carelessly(func(r *csi.CreateVolumeRequest) bool {
				return len(r.GetVolumeCapabilities()) > 0 && r.GetVolumeCapabilities()[0].GetMount() == nil
			}, right.CreateVolume).
				And(carelessly(func(r *csi.ControllerPublishVolumeRequest) bool { return lacksMode(r.GetVolumeCapability()) }, right.ControllerPublishVolume)).
				And(carelessly(func(r *csi.NodeStageVolumeRequest) bool { return lacksMode(r.GetVolumeCapability()) }, right.NodeStageVolume)).
				And(carelessly(func(r *csi.NodePublishVolumeRequest) bool {
					return r.GetVolumeCapability() != nil && r.GetVolumeCapability().GetMount() == nil
				}, right.NodePublishVolume)),
			spectest.Fails("required_create_volume", "volume_capabilities.access_type is REQUIRED"),
			spectest.Fails("required_controller_publish", "volume_capability.access_mode is REQUIRED (CP-13)"),
			spectest.Fails("required_node_stage", "volume_capability.access_mode is REQUIRED"),
			spectest.Fails("required_node_publish", "volume_capability.access_type is REQUIRED")),
		"takes an access mode of none for one": wrong(
			carelessly(func(r *csi.CreateVolumeRequest) bool {
				return len(r.GetVolumeCapabilities()) > 0 && lacksModeOnly(r.GetVolumeCapabilities()[0])
			}, right.CreateVolume).
				And(carelessly(func(r *csi.ControllerPublishVolumeRequest) bool { return lacksModeOnly(r.GetVolumeCapability()) }, right.ControllerPublishVolume)).
				And(carelessly(func(r *csi.NodeStageVolumeRequest) bool { return lacksModeOnly(r.GetVolumeCapability()) }, right.NodeStageVolume)).
				And(carelessly(func(r *csi.NodePublishVolumeRequest) bool { return lacksModeOnly(r.GetVolumeCapability()) }, right.NodePublishVolume)),
			spectest.Fails("required_create_volume", "volume_capabilities.access_mode.mode is REQUIRED"),
			spectest.Fails("required_controller_publish required_node_stage required_node_publish", "volume_capability.access_mode.mode is REQUIRED")),
		"does what it is asked before it refuses it": wrong(
			deletesFirst().And(takesFirst()).And(growsFirst()),
			spectest.Fails("required_delete_volume", "a call without a field that is REQUIRED does nothing (GEN-11)"),
			spectest.Fails("required_create_snapshot", "a call without a field that is REQUIRED does nothing (GEN-11)"),
			spectest.Fails("required_controller_expand", "had 16777216 bytes, and has 33554432 in ControllerGetVolume")),
		"says OK to what is invalid": onlyThese(
			whenInvalid(func(error) error { return nil }),
			spectest.Fails(everyRequired, "the call was not refused")),
		"says nothing of what is invalid": onlyThese(
			whenInvalid(func(error) error { return status.Error(codes.InvalidArgument, "") }),
			spectest.Fails(everyRequired, "no message that a human could read (GEN-15)")),
		"does not find what is not named": onlyThese(
			whenInvalid(func(refused error) error { return status.Error(codes.NotFound, status.Convert(refused).Message()) }),
			spectest.Fails(everyRequired, "its code is NOT_FOUND, not INVALID_ARGUMENT")),
		"says that it grows nothing in use": {
			Driver: spectest.Driver{Fault: ofEach(func(id string, _ proto.Message, perform func() error) error {
				if err := perform(); err != nil || id != "required_node_expand" {
					return err
				}
				return status.Error(codes.FailedPrecondition, "the file system does not grow while it is mounted")
			})},
			Cases: []spectest.Case{spectest.Passes("required_node_expand", "")},
		},
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
	// Calls that no other of these cases needs can all be refused at once; the others only one by one.
	alone := []string{"required_create_volume", "required_delete_volume", "required_controller_publish", "required_controller_unpublish",
		"required_create_snapshot", "required_delete_snapshot", "required_controller_expand",
		"required_node_stage", "required_node_unstage", "required_node_publish", "required_node_unpublish"}
	var rest []string
	for id := range required {
		if !slices.Contains(alone, id) {
			rest = append(rest, id)
		}
	}
	for _, ids := range append([][]string{rest}, slices.Collect(slices.Chunk(alone, 1))...) {
		for _, code := range []codes.Code{codes.InvalidArgument, codes.Unimplemented} {
			slices.Sort(ids)
			wanted[strings.Join(ids, " ")+" is always "+code.String()] = onlyThese(refusing(ids, code),
				spectest.Errs(strings.Join(ids, " "), "with all of its fields was to be answered"))
		}
	}
	return wanted
}

// onlyThese is a driver with a fault that shows in other cases too: in all, perhaps, that make or remove something.
func onlyThese(fault spectest.Fault, cases ...spectest.Case) spectest.Expectation {
	wide := wrong(fault, cases...)
	wide.Wide = true
	return wide
}

func lacksMode(c *csi.VolumeCapability) bool {
	return c != nil && c.GetAccessMode() == nil
}

func lacksModeOnly(c *csi.VolumeCapability) bool {
	return c.GetAccessMode() != nil && c.GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_UNKNOWN
}

// deletesFirst makes a driver that takes no volume_id for all of them.
func deletesFirst() spectest.Fault {
	return spectest.On(func(ctx context.Context, driver right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		if r.GetVolumeId() == "" {
			everything, _ := driver.ListVolumes(ctx, &csi.ListVolumesRequest{})
			for _, entry := range everything.GetEntries() {
				_, _ = driver.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: entry.GetVolume().GetVolumeId()})
			}
		}
		return driver.DeleteVolume(ctx, r)
	})
}

// takesFirst makes a driver that misses the name of a snapshot once it has taken it.
func takesFirst() spectest.Fault {
	return spectest.On(func(ctx context.Context, driver right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
		if r.GetName() == "" {
			_, _ = driver.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: "nameless", SourceVolumeId: r.GetSourceVolumeId()})
		}
		return driver.CreateSnapshot(ctx, r)
	})
}

// growsFirst makes a driver that misses the size of a volume once it has doubled it.
func growsFirst() spectest.Fault {
	return spectest.On(func(ctx context.Context, driver right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
		if r.GetCapacityRange() == nil {
			_, _ = driver.ControllerExpandVolume(ctx, &csi.ControllerExpandVolumeRequest{
				VolumeId: r.GetVolumeId(), CapacityRange: &csi.CapacityRange{RequiredBytes: 32 << 20},
			})
		}
		return driver.ControllerExpandVolume(ctx, r)
	})
}

// whenInvalid makes a driver that answers with something else whenever a call is INVALID_ARGUMENT.
func whenInvalid(instead func(refused error) error) spectest.Fault {
	return ofEach(func(_ string, _ proto.Message, perform func() error) error {
		err := perform()
		if status.Code(err) == codes.InvalidArgument {
			return instead(err)
		}
		return err
	})
}

// refusing makes a driver that refuses the calls of some of the cases, whatever they say.
func refusing(ids []string, code codes.Code) spectest.Fault {
	return ofEach(func(id string, _ proto.Message, perform func() error) error {
		if slices.Contains(ids, id) {
			return status.Error(code, "the driver has a bug")
		}
		return perform()
	})
}

// carelessOf makes a driver that does not look for the required field at that place, in any call, and breaks down without.
func carelessOf(place int) spectest.Fault {
	return ofEach(func(id string, r proto.Message, perform func() error) error {
		message, fields := r.ProtoReflect(), required[id]
		if place < len(fields) && !message.Has(message.Descriptor().Fields().ByName(protoreflect.Name(fields[place]))) {
			return status.Error(codes.Internal, "the driver has a bug")
		}
		return perform()
	})
}

// handling is how a driver treats the call of a case: perform does what the driver that is right does.
type handling func(caseID string, r proto.Message, perform func() error) error

// ofEach makes a driver that treats the call of each of the cases so.
func ofEach(handle handling) spectest.Fault {
	return of("required_create_volume", handle, right.CreateVolume).
		And(of("required_delete_volume", handle, right.DeleteVolume)).
		And(of("required_validate_volume", handle, right.ValidateVolumeCapabilities)).
		And(of("required_get_volume", handle, right.ControllerGetVolume)).
		And(of("required_volume_health", handle, right.ControllerGetVolumeHealth)).
		And(of("required_controller_publish", handle, right.ControllerPublishVolume)).
		And(of("required_controller_unpublish", handle, right.ControllerUnpublishVolume)).
		And(of("required_controller_expand", handle, right.ControllerExpandVolume)).
		And(of("required_controller_modify", handle, right.ControllerModifyVolume)).
		And(of("required_create_snapshot", handle, right.CreateSnapshot)).
		And(of("required_delete_snapshot", handle, right.DeleteSnapshot)).
		And(of("required_get_snapshot", handle, right.GetSnapshot)).
		And(of("required_node_stage", handle, right.NodeStageVolume)).
		And(of("required_node_unstage", handle, right.NodeUnstageVolume)).
		And(of("required_node_publish", handle, right.NodePublishVolume)).
		And(of("required_node_unpublish", handle, right.NodeUnpublishVolume)).
		And(of("required_node_expand", handle, right.NodeExpandVolume)).
		And(of("required_node_stats", handle, right.NodeGetVolumeStats)).
		And(of("required_node_health", handle, right.NodeGetVolumeHealth))
}

// of is ofEach for one case.
func of[Request, Response proto.Message](caseID string, handle handling,
	rpc func(right, context.Context, Request, ...grpc.CallOption) (Response, error),
) spectest.Fault {
	return spectest.On(func(ctx context.Context, driver right, r Request) (Response, error) {
		var empty Response
		response := empty.ProtoReflect().New().Interface().(Response)
		err := handle(caseID, r, func() error {
			answer, err := rpc(driver, ctx, r)
			if err == nil {
				response = answer
			}
			return err
		})
		return response, err
	})
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
