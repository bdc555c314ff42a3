// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// requiredField is a field of a request, and the clauses about it in addition to GEN-11.
type requiredField struct{ name, clauses string }

// requiredCase is a case about required fields of the requests of an RPC: some of them, in the order of the case.
type requiredCase struct {
	rpc    string
	fields []requiredField
}

// required returns the cases about required fields, by their ids.
func required() map[string]requiredCase {
	return map[string]requiredCase{
		"required_create_volume":        {"CreateVolume", []requiredField{{"name", ""}, {"volume_capabilities", "CV-17 GEN-06"}}},
		"required_delete_volume":        {"DeleteVolume", []requiredField{{"volume_id", ""}}},
		"required_validate_volume":      {"ValidateVolumeCapabilities", []requiredField{{"volume_id", ""}, {"volume_capabilities", "GEN-06"}}},
		"required_get_volume":           {"ControllerGetVolume", []requiredField{{"volume_id", ""}}},
		"required_volume_health":        {"ControllerGetVolumeHealth", []requiredField{{"volume_id", ""}}},
		"required_controller_publish":   {"ControllerPublishVolume", []requiredField{{"volume_id", "CP-08"}, {"node_id", "CP-09"}, {"volume_capability", "CP-13"}}},
		"required_controller_unpublish": {"ControllerUnpublishVolume", []requiredField{{"volume_id", "CU-08"}}},
		"required_controller_expand":    {"ControllerExpandVolume", []requiredField{{"volume_id", "CE-08"}, {"capacity_range", "CE-09"}}},
		"required_controller_modify":    {"ControllerModifyVolume", []requiredField{{"volume_id", "MV-03"}, {"mutable_parameters", "GEN-06 MV-03"}}},
		"required_create_snapshot":      {"CreateSnapshot", []requiredField{{"name", "SN-05"}, {"source_volume_id", "SN-05"}}},
		"required_delete_snapshot":      {"DeleteSnapshot", []requiredField{{"snapshot_id", "DS-03"}}},
		"required_get_snapshot":         {"GetSnapshot", []requiredField{{"snapshot_id", "GS-03"}}},

		"required_create_group_snapshot": {"CreateVolumeGroupSnapshot", []requiredField{{"name", "VGS-13"}, {"source_volume_ids", "GEN-06 VGS-13"}}},
		"required_delete_group_snapshot": {"DeleteVolumeGroupSnapshot", []requiredField{{"group_snapshot_id", "VGS-24"}}},
		"required_get_group_snapshot":    {"GetVolumeGroupSnapshot", []requiredField{{"group_snapshot_id", "VGS-30"}}},

		"required_node_stage":     {"NodeStageVolume", []requiredField{{"volume_id", ""}, {"staging_target_path", ""}, {"volume_capability", ""}}},
		"required_node_unstage":   {"NodeUnstageVolume", []requiredField{{"volume_id", ""}, {"staging_target_path", ""}}},
		"required_node_publish":   {"NodePublishVolume", []requiredField{{"volume_id", ""}, {"target_path", ""}, {"volume_capability", ""}}},
		"required_node_unpublish": {"NodeUnpublishVolume", []requiredField{{"volume_id", ""}, {"target_path", ""}}},
		"required_node_expand":    {"NodeExpandVolume", []requiredField{{"volume_id", "NE-10"}, {"volume_path", "NE-11"}}},
		"required_node_stats":     {"NodeGetVolumeStats", []requiredField{{"volume_id", ""}, {"volume_path", ""}}},
		"required_node_health":    {"NodeGetVolumeHealth", []requiredField{{"volume_id", ""}}},
	}
}

// wrongOfRequiredFields returns drivers that do not check one required field of each call: the first, the second or the
// third; that do not look into capabilities; that refuse an incomplete call in another way, or after performing it; and
// that also refuse complete calls.
func wrongOfRequiredFields() map[string]mutation.Expectation {
	wanted := map[string]mutation.Expectation{
		"does not look into capabilities": mutation.Wrong(careless(func(r *csi.CreateVolumeRequest) bool {
			return len(r.GetVolumeCapabilities()) > 0 && r.GetVolumeCapabilities()[0].GetMount() == nil
		}).
			And(careless(func(r *csi.ControllerPublishVolumeRequest) bool { return lacksMode(r.GetVolumeCapability()) })).
			And(careless(func(r *csi.NodeStageVolumeRequest) bool { return lacksMode(r.GetVolumeCapability()) })).
			And(careless(func(r *csi.NodePublishVolumeRequest) bool {
				return r.GetVolumeCapability() != nil && r.GetVolumeCapability().GetMount() == nil
			})),
			mutation.Warns("required_create_volume required_controller_publish required_node_stage required_node_publish", "GEN-11")),
		"takes an access mode of none for one": mutation.Wrong(careless(func(r *csi.CreateVolumeRequest) bool {
			return len(r.GetVolumeCapabilities()) > 0 && lacksModeOnly(r.GetVolumeCapabilities()[0])
		}).
			And(careless(func(r *csi.ControllerPublishVolumeRequest) bool { return lacksModeOnly(r.GetVolumeCapability()) })).
			And(careless(func(r *csi.NodeStageVolumeRequest) bool { return lacksModeOnly(r.GetVolumeCapability()) })).
			And(careless(func(r *csi.NodePublishVolumeRequest) bool { return lacksModeOnly(r.GetVolumeCapability()) })),
			mutation.Warns("required_create_volume required_controller_publish required_node_stage required_node_publish", "GEN-11")),
		"stages as a file system by default, and otherwise not again": mutation.Wrong(keepsDefault(),
			mutation.Warns("required_node_stage", "GEN-11")),
		"does what it is asked before it refuses it": mutation.Wrong(deletesFirst().And(takesFirst()).And(growsFirst()),
			mutation.Warns("required_delete_volume required_controller_expand", "GEN-11"),
			mutation.Warns("required_create_snapshot", "CV-07 GEN-11")),
		"completes the capabilities that it is asked for": mutation.Wrong(mutation.AskingCapabilities(complete),
			mutation.Warns("required_create_volume required_controller_publish required_node_stage required_node_publish", "GEN-11")),
		"says OK to what is invalid":                         mutation.Wide(whenInvalid(func(error) error { return nil }), failsForFields(1)...),
		"knows what is missing from a call that it has done": mutation.Wide(fromMemory(), failsForFields(2)...),
		"says nothing of what is invalid": mutation.Wide(
			whenInvalid(func(error) error { return status.Error(codes.InvalidArgument, "") }),
			mutation.Fails(strings.Join(slices.Sorted(maps.Keys(required())), " "), "GEN-15")),
		"does not find what is not named": mutation.Wide(
			whenInvalid(func(refused error) error { return status.Error(codes.NotFound, status.Convert(refused).Message()) }),
			failsForFields(1)...),
		"says that it grows nothing in use": mutation.Wrong(ofEach(func(id string, _ proto.Message, perform func() error) error {
			if err := perform(); err != nil || id != "required_node_expand" {
				return err
			}
			return status.Error(codes.FailedPrecondition, "the file system does not grow while it is mounted")
		}), mutation.Passes("required_node_expand")),
	}
	for place, ordinal := range []string{"first", "second", "third"} {
		var cases []mutation.Case
		for id, c := range required() {
			if place < len(c.fields) {
				cases = append(cases, failsFor(id, c.fields[place]))
			}
		}
		wanted["does not look for the "+ordinal+" required field"] = mutation.Wrong(carelessOf(place), cases...)
	}
	// Calls that no other of these cases needs can all be refused at once; the others only one by one.
	alone := []string{"required_create_volume", "required_delete_volume", "required_controller_publish", "required_controller_unpublish",
		"required_create_snapshot", "required_delete_snapshot", "required_controller_expand",
		"required_create_group_snapshot", "required_delete_group_snapshot",
		"required_node_stage", "required_node_unstage", "required_node_publish", "required_node_unpublish"}
	var rest []string
	for id := range required() {
		if !slices.Contains(alone, id) {
			rest = append(rest, id)
		}
	}
	for _, ids := range append([][]string{rest}, slices.Collect(slices.Chunk(alone, 1))...) {
		for _, code := range []codes.Code{codes.InvalidArgument, codes.Unimplemented} {
			slices.Sort(ids)
			wanted[strings.Join(ids, " ")+" is always "+code.String()] = mutation.Wide(refusing(ids, code),
				mutation.Errs(strings.Join(ids, " ")))
		}
	}
	return wanted
}

func lacksMode(c *csi.VolumeCapability) bool { return c != nil && c.GetAccessMode() == nil }

func lacksModeOnly(c *csi.VolumeCapability) bool {
	return c.GetAccessMode() != nil && c.GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_UNKNOWN
}

// complete replaces a capability without an access mode, or without an access type, by a file system with a single node
// writer.
func complete(c *csi.VolumeCapability) {
	if c == nil {
		return
	}
	if c.GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_UNKNOWN {
		c.AccessMode = &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER}
	}
	if c.GetAccessType() == nil {
		c.AccessType = &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}}
	}
}

// deletesFirst makes a driver that treats an empty volume_id as all volumes.
func deletesFirst() mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		if r.GetVolumeId() == "" {
			everything, _ := driver.ListVolumes(ctx, &csi.ListVolumesRequest{})
			for _, entry := range everything.GetEntries() {
				_, _ = driver.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: entry.GetVolume().GetVolumeId()})
			}
		}
		return driver.DeleteVolume(ctx, r)
	})
}

// takesFirst makes a driver that notices the missing name of a snapshot only after it has taken it.
func takesFirst() mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
		if r.GetName() == "" {
			_, _ = driver.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{Name: "nameless", SourceVolumeId: r.GetSourceVolumeId()})
		}
		return driver.CreateSnapshot(ctx, r)
	})
}

// growsFirst makes a driver that notices the missing size of a volume only after it has doubled it.
func growsFirst() mutation.Fault {
	return mutation.On(func(ctx context.Context, driver right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
		if r.GetCapacityRange() == nil {
			_, _ = driver.ControllerExpandVolume(ctx, &csi.ControllerExpandVolumeRequest{
				VolumeId: r.GetVolumeId(), CapacityRange: &csi.CapacityRange{RequiredBytes: 32 << 20},
			})
		}
		return driver.ControllerExpandVolume(ctx, r)
	})
}

// whenInvalid makes a driver that answers differently whenever a call is INVALID_ARGUMENT.
func whenInvalid(instead func(refused error) error) mutation.Fault {
	return ofEach(func(_ string, _ proto.Message, perform func() error) error {
		err := perform()
		if status.Code(err) == codes.InvalidArgument {
			return instead(err)
		}
		return err
	})
}

// fromMemory makes a driver that answers OK to an incomplete call if all of its fields are in a call that was OK before.
func fromMemory() mutation.Fault {
	var mu sync.Mutex
	done := map[string][]protoreflect.Message{} // by the case
	return ofEach(func(id string, r proto.Message, perform func() error) error {
		err := perform()
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			done[id] = append(done[id], proto.Clone(r).ProtoReflect())
		}
		if status.Code(err) == codes.InvalidArgument && slices.ContainsFunc(done[id], func(before protoreflect.Message) bool { return isPartOf(r.ProtoReflect(), before) }) {
			return nil
		}
		return err
	})
}

// isPartOf reports whether the request has some fields, and each of them is the same in the earlier one.
func isPartOf(r, before protoreflect.Message) bool {
	same := false // without any field
	r.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		same = value.Equal(before.Get(field))
		return same
	})
	return same
}

// refusing makes a driver that refuses all calls of some of the cases.
func refusing(ids []string, code codes.Code) mutation.Fault {
	return ofEach(func(id string, _ proto.Message, perform func() error) error {
		if slices.Contains(ids, id) {
			return status.Error(code, "the driver has a bug")
		}
		return perform()
	})
}

// carelessOf makes a driver that does not check the required field at the given place, in any call, and breaks down without
// it.
func carelessOf(place int) mutation.Fault {
	return ofEach(func(id string, r proto.Message, perform func() error) error {
		message, fields := r.ProtoReflect(), required()[id].fields
		if place < len(fields) && !message.Has(message.Descriptor().Fields().ByName(protoreflect.Name(fields[place].name))) {
			return status.Error(codes.Internal, "the driver has a bug")
		}
		return perform()
	})
}

// handling handles the call of a case: perform makes the call to the correct driver.
type handling func(caseID string, r proto.Message, perform func() error) error

// ofEach makes a driver that handles the call of each of the cases with handle.
func ofEach(handle handling) mutation.Fault {
	cases := map[string]string{} // by RPC
	for id, c := range required() {
		cases[c.rpc] = id
	}
	return mutation.OnAll(func(ctx context.Context, _ right, call mutation.Call) (answer proto.Message, err error) {
		id, found := cases[path.Base(call.Method)]
		if !found {
			return call.Perform(ctx)
		}
		err = handle(id, call.Request, func() (failed error) {
			answer, failed = call.Perform(ctx) // the answer is empty where it failed
			return failed
		})
		return answer, err
	})
}

// careless makes a driver that breaks down at some requests.
func careless[Request proto.Message](some func(Request) bool) mutation.Fault {
	return mutation.RefusingSome(codes.Internal, "the driver has a bug", some)
}

// failsFor expects that the case fails by the clauses about the fields.
func failsFor(id string, fields ...requiredField) mutation.Case {
	clauses := []string{"GEN-11"}
	for _, field := range fields {
		clauses = append(clauses, strings.Fields(field.clauses)...)
	}
	slices.Sort(clauses)
	return mutation.Fails(id, strings.Join(slices.Compact(clauses), " "))
}

// failsForFields expects that every case about at least the given number of fields fails by the clauses about all of them.
func failsForFields(least int) []mutation.Case {
	var cases []mutation.Case
	for id, c := range required() {
		if len(c.fields) >= least {
			cases = append(cases, failsFor(id, c.fields...))
		}
	}
	return cases
}

// keepsDefault makes a driver that stages a volume without an access mode in a default mode, and refuses every other
// request for as long as it is staged.
func keepsDefault() mutation.Fault {
	var mu sync.Mutex
	byDefault := map[string]bool{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.GetVolumeId() == "" || r.GetStagingTargetPath() == "" || r.GetVolumeCapability() == nil:
			return right.NodeStageVolume(ctx, r)
		case lacksMode(r.GetVolumeCapability()):
			byDefault[r.GetVolumeId()] = true
			return &csi.NodeStageVolumeResponse{}, nil
		case byDefault[r.GetVolumeId()]:
			return nil, status.Error(codes.AlreadyExists, "the volume is staged in another way")
		}
		return right.NodeStageVolume(ctx, r)
	}).And(mutation.OnOK(func(r *csi.NodeUnstageVolumeRequest) {
		mu.Lock()
		defer mu.Unlock()
		delete(byDefault, r.GetVolumeId())
	}))
}
