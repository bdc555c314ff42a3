// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
)

// requiredFields returns a case for each call that has REQUIRED fields. The call is made without one field after the other,
// and then as a whole.
func requiredFields() []harness.Case {
	return rejecting([]rejectsWithout{
		{
			call: "CreateVolume", id: "required_create_volume", needs: claiming(), deadly: true,
			fields: append([]requiredField{required("name"), required("volume_capabilities", "CV-17", "GEN-06")}, ofCapability("volume_capabilities")...),
			ask: func(_ context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.CreateVolume, driver.CreateVolumeRequest(driver.Volume(1).Within(driver.Zones(1)...)))
			},
		},
		{
			call: "DeleteVolume", id: "required_delete_volume", needs: claiming(),
			fields: []requiredField{required("volume_id")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.DeleteVolume, deletion.Request(driver, needVolume(ctx, driver)))
			},
		},
		{
			call: "ValidateVolumeCapabilities", id: "required_validate_volume", needs: claiming(),
			fields: []requiredField{required("volume_id"), required("volume_capabilities", "GEN-06")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.ValidateVolumeCapabilities, validation.Request(driver, needVolume(ctx, driver), driver.Capability()))
			},
		},
		{
			call: "ControllerGetVolume", id: "required_get_volume", needs: claiming(csi.ControllerServiceCapability_RPC_GET_VOLUME),
			also:   []string{"LV-11"},
			fields: []requiredField{required("volume_id")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.ControllerGetVolume, &csi.ControllerGetVolumeRequest{VolumeId: needVolume(ctx, driver).GetVolumeId()})
			},
		},
		{
			call: "ControllerGetVolumeHealth", id: "required_volume_health", needs: claiming(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH),
			also:   []string{"VH-12"},
			fields: []requiredField{required("volume_id")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.ControllerGetVolumeHealth, &csi.ControllerGetVolumeHealthRequest{VolumeId: needVolume(ctx, driver).GetVolumeId()})
			},
		},
		{
			call: "ControllerPublishVolume", id: "required_controller_publish", needs: publishing(),
			fields: append([]requiredField{required("volume_id", "CP-08"), required("node_id", "CP-09"), required("volume_capability", "CP-13")},
				ofCapability("volume_capability", "CP-13")...),
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				volume := needVolumeFor(ctx, driver, node)
				return undoneBy(asking(driver.Controller.ControllerPublishVolume, publication.AttachRequest(driver, volume, node)),
					driver.Controller.ControllerUnpublishVolume, publication.DetachRequest(driver, volume, node))
			},
		},
		{ // node_id may be left out, which means all nodes (CU-11)
			call: "ControllerUnpublishVolume", id: "required_controller_unpublish", needs: publishing(),
			also:   []string{"CU-14"},
			fields: []requiredField{required("volume_id", "CU-08")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				node := driver.Nodes[0]
				volume := needVolumeFor(ctx, driver, node)
				publication.Attach(ctx, driver, volume, node)
				return asking(driver.Controller.ControllerUnpublishVolume, publication.DetachRequest(driver, volume, node))
			},
		},
		{
			call: "ControllerExpandVolume", id: "required_controller_expand", needs: claiming(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME),
			fields: []requiredField{required("volume_id", "CE-08"), required("capacity_range", "CE-09")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				volume := needVolume(ctx, driver)
				q := asking(driver.Controller.ControllerExpandVolume, growth.ControllerRequest(driver, volume, growth.Size(driver)))
				q.changed = func() []string { return describeResized(ctx, driver, volume) }
				return q
			},
		},
		{
			call: "ControllerModifyVolume", id: "required_controller_modify",
			needs:  harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME), harness.Mutable()),
			fields: []requiredField{required("volume_id", "MV-03"), required("mutable_parameters", "MV-03", "GEN-06")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.ControllerModifyVolume, &csi.ControllerModifyVolumeRequest{
					VolumeId:          needVolume(ctx, driver).GetVolumeId(),
					MutableParameters: driver.Profile().MutableParameters,
					Secrets:           driver.Profile().Secrets.ControllerModifyVolume,
				})
			},
		},
		{
			call: "CreateSnapshot", id: "required_create_snapshot", needs: claiming(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT),
			also:   []string{"CS-17"},
			fields: []requiredField{required("name", "SN-05"), required("source_volume_id", "SN-05")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.CreateSnapshot, snapshots.CreateRequest(driver, needVolume(ctx, driver)))
			},
		},
		{
			call: "DeleteSnapshot", id: "required_delete_snapshot", needs: claiming(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT),
			fields: []requiredField{required("snapshot_id", "DS-03")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.DeleteSnapshot, snapshots.DeleteRequest(driver, snapshots.Need(ctx, driver, needVolume(ctx, driver))))
			},
		},
		{
			call: "GetSnapshot", id: "required_get_snapshot",
			needs:  claiming(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, csi.ControllerServiceCapability_RPC_GET_SNAPSHOT),
			fields: []requiredField{required("snapshot_id", "GS-03")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Controller.GetSnapshot, snapshots.GetRequest(driver, snapshots.Need(ctx, driver, needVolume(ctx, driver))))
			},
		},
		{
			call: "CreateVolumeGroupSnapshot", id: "required_create_group_snapshot", needs: grouping(),
			fields: []requiredField{required("name", "VGS-13"), required("source_volume_ids", "VGS-13", "GEN-06")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				request := groups.CreateRequest(driver, needVolume(ctx, driver))
				return asking(driver.Groups.CreateVolumeGroupSnapshot, request)
			},
		},
		{ // group_snapshot_other_members judges whether snapshot_ids are checked
			call: "DeleteVolumeGroupSnapshot", id: "required_delete_group_snapshot", needs: grouping(),
			fields: []requiredField{required("group_snapshot_id", "VGS-24")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Groups.DeleteVolumeGroupSnapshot, groups.DeleteRequest(driver, groups.Need(ctx, driver, needVolume(ctx, driver))))
			},
		},
		{
			call: "GetVolumeGroupSnapshot", id: "required_get_group_snapshot", needs: grouping(),
			fields: []requiredField{required("group_snapshot_id", "VGS-30")},
			ask: func(ctx context.Context, driver *harness.Driver) question {
				return asking(driver.Groups.GetVolumeGroupSnapshot, groups.GetRequest(driver, groups.Need(ctx, driver, needVolume(ctx, driver))))
			},
		},
	})
}

// grouping returns the needs of calls for group snapshots.
func grouping() []harness.Need { return harness.Needs(harness.GroupSnapshots(), claiming()) }

// rejectsWithout is a case about a call with REQUIRED fields.
type rejectsWithout struct {
	call, id string
	needs    []harness.Need
	fields   []requiredField
	// also lists requirements of the case in addition to the requirements about its fields and about all calls.
	also []string
	// deadly says that a call without one of the fields has crashed real drivers.
	deadly bool
	// ask creates the objects that the call needs, and returns the complete call.
	ask func(ctx context.Context, driver *harness.Driver) question
}

func rejecting(calls []rejectsWithout) []harness.Case {
	var cases []harness.Case
	for _, call := range calls {
		cases = append(cases, call.build())
	}
	return cases
}

func (r rejectsWithout) build() harness.Case {
	requirements := []string{"GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16"}
	var names []string
	known := map[string]bool{}
	for _, field := range r.fields {
		for _, clause := range field.clauses {
			if !known[clause] {
				known[clause] = true
				requirements = append(requirements, clause)
			}
		}
		if !strings.Contains(field.path, ".") {
			names = append(names, field.path)
		}
	}
	return harness.Case{
		ID:           r.id,
		Text:         fmt.Sprintf("rejects %s without %s", r.call, strings.Join(names, " or ")),
		Requirements: append(requirements, r.also...),
		Needs:        r.needs,
		Deadly:       r.deadly,
		Run: func(ctx context.Context, driver *harness.Driver) {
			r.ask(ctx, driver).expectRejectedWithout(ctx, driver, r.fields)
		},
	}
}

// describeResized describes reports of the driver with another size of the volume than it was created with; 0 means unknown
// (VOL-01).
func describeResized(ctx context.Context, driver *harness.Driver, volume *csi.Volume) []string {
	var found []string
	for call, now := range listing.Reported(ctx, driver, volume.GetVolumeId()) {
		if before, after := volume.GetCapacityBytes(), now.GetCapacityBytes(); before != 0 && after != 0 && before != after {
			found = append(found, fmt.Sprintf("volume %s had %d bytes, and has %d in %s", volume.GetVolumeId(), before, after, call))
		}
	}
	return found
}
